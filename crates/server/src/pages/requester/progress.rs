//! How far a job is, in words and bars: used by the list and by a job's page. Pure: values in, markup out.

use maud::{Markup, html};
use muster_engine::{Span, Time};

use super::super::parts;
use crate::http::jobs::Stage;
use crate::http::progress::{Finish, Progress};
use crate::wire::Moment;

/// Where a job stands, in a word.
pub(super) fn state(stage: Stage) -> Markup {
    match stage {
        Stage::Open => html! { span .state { "open" } },
        Stage::Done => html! { span .state.good { "done" } },
        Stage::Cancelled => html! { span .state.bad { "cancelled" } },
    }
}

/// A bar with its share in per cent. Never 100 % before everything is done.
pub(super) fn bar(done: u64, of: u64, label: &str) -> Markup {
    let percent = (done * 100).checked_div(of).unwrap_or(0);
    html! { span .bar { progress max=(of) value=(done) aria-label=(label) {} " " span .percent { (percent) " %" } } }
}

/// A length of time as one estimates it.
pub(super) fn roughly(span: Span) -> String {
    let minutes = span.0.div_ceil(60_000_000_000);
    match minutes {
        0 | 1 => "1 min".to_owned(),
        2..60 => format!("{minutes} min"),
        60..600 => parts::span(Span::from_mins(minutes.div_ceil(10) * 10)),
        600..2880 => format!("{} h", minutes.div_ceil(60)),
        2880..525_600 => format!("{} days", minutes.div_ceil(1440)),
        _ => "more than a year".to_owned(),
    }
}

/// A moment that is yet to come, as "in 2 h", with the exact time on hover.
pub(super) fn coming(at: Time, now: Time) -> Markup {
    let exact = Moment(at).to_string();
    html! { time datetime=(exact) title=(exact) { "in " (roughly(at.since(now))) } }
}

/// When something may be finished: most likely, and between which moments.
pub(super) fn finish(finish: &Finish, now: Time) -> Markup {
    let (earliest, latest) = (finish.earliest.0, finish.latest.0);
    let same = roughly(earliest.since(now)) == roughly(latest.since(now));
    let between = html! { (roughly(earliest.since(now))) " to " (roughly(latest.since(now))) };
    match finish.likely {
        Some(likely) if same => coming(likely.0, now),
        Some(likely) => html! { (coming(likely.0, now)) span .m-note.under { (between) } },
        None if same => coming(latest, now),
        None => html! { time title=(format!("{} to {}", Moment(earliest), Moment(latest))) { (between) } },
    }
}

/// When a job may be finished, or why that cannot be said.
pub(super) fn when(progress: &Progress, stage: Stage, closed: Option<Time>, now: Time) -> Markup {
    match (stage, closed, &progress.finish) {
        (Stage::Open, _, _) if progress.short_of_money => html! { "waits for money" },
        (Stage::Open, _, Some(found)) => finish(found, now),
        (Stage::Open, _, None) => {
            html! { "not known yet" span .m-note.under { "nothing was answered lately" } }
        }
        (_, Some(closed), _) => parts::ago(closed, now),
        (_, None, _) => html! { "over" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_rough_and_up() {
        let of = |seconds: u64| roughly(Span::from_secs(seconds));
        assert_eq!([of(0), of(61), of(3540), of(3601)], ["1 min", "2 min", "59 min", "1 h 10 min"]);
        assert_eq!([of(36_001), of(200_000), of(40_000_000)], ["11 h", "3 days", "more than a year"]);
    }

    #[test]
    fn a_bar_is_full_only_when_all_is_done() {
        let text = |done, of| bar(done, of, "x").into_string();
        assert!(
            text(999, 1000).contains("99 %")
                && text(1000, 1000).contains("100 %")
                && text(0, 0).contains("0 %")
        );
    }
}
