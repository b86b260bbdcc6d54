//! `muster trace inspect`: what is in the file, with every odd row by its line.

use clap::Args;
use muster_engine::{Span, Time};
use muster_formats::trace::{Outcome, Shape, Trace};
use muster_report::number::Unit;
use muster_report::sheet::{Cell, Sheet};
use muster_sim::fit::{SHARES, describe};
use serde_json::json;

use super::Source;
use super::streams::{self, Stream};
use crate::output::Console;
use crate::refusal::Failure;

/// Odd rows that are shown without --all.
const SHOWN: usize = 10;

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    #[command(flatten)]
    source: Source,
    /// What follows within this time of the end before belongs to the same stay of a worker.
    #[arg(long, value_name = "TIME", default_value = "5 min")]
    gap: Span,
    /// Show every odd row, not only the first ten.
    #[arg(long)]
    all: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

impl Inspect {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let trace = self.source.read()?;
        let streams = streams::streams(&trace, self.gap);
        if self.json {
            return console.print(&(as_json(&trace, &streams).to_string() + "\n"));
        }
        let mut text =
            format!("{}\n", console.out.strong(&format!("{}: {}", self.source.file.display(), kind(&trace))));
        for (what, value) in facts(&trace) {
            text += &format!("  {what:<12} {value}\n");
        }
        if !streams.is_empty() {
            text += &format!("\n{}", table(&streams).text(console.out));
        }
        console.print(&(text + &self.odd(&trace)))
    }

    fn odd(&self, trace: &Trace) -> String {
        if trace.odd.is_empty() {
            return "\nno odd rows\n".to_owned();
        }
        let kept = trace.odd.iter().filter(|odd| odd.kept).count();
        let count = |n: usize| Unit::Count.write(n as f64);
        let mut text = format!(
            "\n{} odd rows: {} kept all the same, {} left out\n",
            count(trace.odd.len()),
            count(kept),
            count(trace.odd.len() - kept)
        );
        let most = if self.all { usize::MAX } else { SHOWN };
        for odd in trace.odd.iter().take(most) {
            let kept = if odd.kept { "kept" } else { "left out" };
            text += &format!("  line {}: {} ({kept})\n", odd.line, odd.what);
        }
        if trace.odd.len() > most {
            text += &format!("  and {} more; --all shows them\n", count(trace.odd.len() - most));
        }
        text
    }
}

/// What kind of file it is, in words.
pub(super) fn kind(trace: &Trace) -> &'static str {
    match trace.shape {
        Shape::Assignments => "who did what, from when to when",
        Shape::Arrivals => "what came when",
        Shape::Calls => "a log of calls",
        Shape::Sessions => "who was there when",
        Shape::Clamshell => "CLAMShell's three lists",
        Shape::Facts => "our own facts",
        Shape::Side => "a side table: it goes with others and tells of no work, arrival or stay itself",
    }
}

fn facts(trace: &Trace) -> Vec<(&'static str, String)> {
    let count = |n: usize| Unit::Count.write(n as f64);
    let mut all = vec![("rows", Unit::Count.write(trace.rows as f64))];
    if let Some((first, last)) = span(trace) {
        all.push(("span", format!("{} ({} to {})", last.since(first), moment(first), moment(last))));
    }
    let lists = [("workers", trace.workers.list().len()), ("jobs", trace.jobs.list().len())];
    all.extend(lists.into_iter().filter(|(_, n)| *n > 0).map(|(what, n)| (what, count(n))));
    let apps = trace.apps.list();
    if !apps.is_empty() {
        let shown = apps.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        let more = if apps.len() > 8 { ", ..." } else { "" };
        all.push(("types", format!("{}: {shown}{more}", count(apps.len()))));
    }
    let answered = trace.assignments.iter().filter(|it| it.outcome == Outcome::Answered).count();
    let lists = [
        ("answers", answered),
        ("not answered", trace.assignments.len() - answered),
        ("arrivals", trace.arrivals.len()),
        ("stays", trace.sessions.len()),
        ("calls", trace.calls.len()),
        ("gave up", trace.calls.iter().filter(|call| call.service.is_none()).count()),
    ];
    all.extend(lists.into_iter().filter(|(_, n)| *n > 0).map(|(what, n)| (what, count(n))));
    all
}

/// The first and the last moment that the trace tells of.
fn span(trace: &Trace) -> Option<(Time, Time)> {
    let assignments = trace.assignments.iter().flat_map(|it| [it.created, it.start, it.submit]).flatten();
    let arrivals = trace.arrivals.iter().map(|arrival| arrival.at);
    let sessions = trace.sessions.iter().flat_map(|session| [session.start, session.start + session.length]);
    let calls = trace.calls.iter().map(|call| call.at);
    let all: Vec<Time> = assignments.chain(arrivals).chain(sessions).chain(calls).collect();
    Some((*all.iter().min()?, *all.iter().max()?))
}

/// A moment as a date, if it is counted from 1970; else as time since the beginning.
fn moment(at: Time) -> String {
    let days = at.0 / 86_400_000_000_000;
    if days < 3_650 {
        return format!("{at} after its beginning");
    }
    let seconds = at.0 / 1_000_000_000 % 86_400;
    let (year, month, day) = date(days);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60)
}

/// The date of a day counted from 1970, in the Gregorian calendar.
fn date(days: u64) -> (u64, u64, u64) {
    // Counted in eras of 400 years from the first of March of the year 0, so that leap days end years.
    let since = days + 719_468;
    let (era, of_era) = (since / 146_097, since % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let (day, month) =
        (of_year - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    (year + era * 400 + u64::from(month <= 2), month, day)
}

fn table(streams: &[Stream]) -> Sheet {
    let mut sheet = Sheet::new("stream").column("n", Unit::Count);
    for title in ["mean", "sd", "least", "p5", "p25", "median", "p75", "p95", "p99", "greatest"] {
        sheet = sheet.column(title, Unit::Of("s".to_owned()));
    }
    for stream in streams {
        let Some(found) = describe(&stream.values) else { continue };
        let figures = [found.n as f64, found.mean, found.sd].into_iter().chain(found.quantiles);
        sheet = sheet.row(&stream.name, figures.map(Cell::from));
    }
    sheet
}

fn as_json(trace: &Trace, streams: &[Stream]) -> serde_json::Value {
    let stream = |stream: &Stream| {
        let found = describe(&stream.values)?;
        let quantiles: Vec<_> =
            SHARES.iter().zip(found.quantiles).map(|(share, value)| json!([share, value])).collect();
        Some(
            json!({"stream": stream.name, "n": found.n, "mean_s": found.mean, "sd_s": found.sd, "quantiles_s": quantiles}),
        )
    };
    let odd: Vec<_> =
        trace.odd.iter().map(|odd| json!({"line": odd.line, "what": odd.what, "kept": odd.kept})).collect();
    json!({
        "kind": kind(trace),
        "rows": trace.rows,
        "workers": trace.workers.list().len(),
        "jobs": trace.jobs.list().len(),
        "types": trace.apps.list(),
        "assignments": trace.assignments.len(),
        "arrivals": trace.arrivals.len(),
        "stays": trace.sessions.len(),
        "calls": trace.calls.len(),
        "streams": streams.iter().filter_map(stream).collect::<Vec<_>>(),
        "odd": odd,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(16_248), (2014, 6, 27));
        assert_eq!(date(19_782), (2024, 2, 29));
        assert_eq!(moment(Time(90_000_000_000)), "1 min 30 s after its beginning");
        assert_eq!(moment(Time(1_403_870_400_000_000_000)), "2014-06-27 12:00 UTC");
    }
}
