//! `look-ahead`: the least pool that will keep the wait as stated, when those who are called for now have come.
//!
//! Recruiting takes time, so what counts is not how things are but how they will be by then: how many tasks will come
//! (level and trend of the arrivals, with a jump when more or fewer come than chance explains), who of those present will
//! have left (as often as people left lately), and who of those on their way will be there (as soon as they came lately: who
//! is not there soon often takes long, so they do not count in full). The queueing formulas say how many workers that needs; a backlog that will still be there adds hands to work it off. People are released only if they are needed neither
//! now nor then, and only a part of them each time, so that the size does not swing.
//!
//! Not known to it: why people come, and how single recruits differ. Invariant: one look never both recruits and releases.

use serde::{Deserialize, Serialize};

use crate::fact::Assessment;
use crate::formula::erlang;
use crate::formula::target::{Target, least_size};
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Advice, Controller, Entry, Order, Start, remember};
use crate::random::Draws;
use crate::time::{Span, Time};
use crate::view::{Observation, View};

use super::limits::{self, Limits};

const SETTINGS: &[Setting] = &limits::with::<9, 16>([
    Setting {
        name: "within",
        meaning: "The pool is to be so large that most tasks begin within this time.",
        default: "10 s",
    },
    Setting { name: "share", meaning: "How many are most: a share of the tasks.", default: "0.95" },
    Setting {
        name: "wait",
        meaning: "The mean wait to keep instead; goes before within and share.",
        default: "not set",
    },
    Setting {
        name: "delay",
        meaning: "How far it looks ahead: until most of those who are called for now are there.",
        default: "30 s",
    },
    Setting { name: "drain", meaning: "In how long a backlog is to be worked off.", default: "2 min" },
    Setting {
        name: "caution",
        meaning: "More or fewer people may leave than on average; so many standard deviations of that are made up for.",
        default: "0.5",
    },
    Setting {
        name: "level",
        meaning: "After so long, half of what was seen of arrivals is forgotten.",
        default: "1 min",
    },
    Setting { name: "trend", meaning: "The same for how arrivals grow or fall.", default: "4 min" },
    Setting {
        name: "release",
        meaning: "This share of those who are not needed is released at each look.",
        default: "0.5",
    },
]);

/// How it is named and started.
pub const ENTRY: Entry<dyn Controller> = Entry {
    name: "look-ahead",
    about: "Keeps the least pool that will meet a stated wait when recruits have come: by a forecast of tasks, who will have left, and who is coming.",
    settings: SETTINGS,
    version: 1,
    start,
};

/// Arrivals that are so many standard deviations from what was expected are no chance: the level jumps.
const SURPRISE: f64 = 4.0;
/// Below so many expected arrivals, chance is taken to be as with so many: a handful of tasks together is no surprise.
const SURPRISE_COUNT: f64 = 4.0;
/// After so long, half of what was seen of work and of leaving is forgotten.
const HABITS: Span = Span::from_mins(10);

#[derive(Debug)]
struct LookAhead {
    limits: Limits,
    target: Target,
    delay: f64,
    drain: f64,
    caution: f64,
    level: Span,
    trend: Span,
    release: f64,
    memory: Memory,
}

/// What was seen so far. Counts are since the pool began, times in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Memory {
    at: Time,
    seen: Sums,
    /// Tasks per second, and by how much that grows per second; `None` before the second look.
    level: Option<f64>,
    trend: f64,
    /// What was done in how much busy time, and who left in how much worker-time, lately.
    done: f64,
    busy: f64,
    left: f64,
    attended: f64,
    /// Recruits who came, and the time that recruits were on their way, lately.
    came: f64,
    awaited: f64,
}

/// Sums since the pool began, and who is on their way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sums {
    arrivals: f64,
    completions: f64,
    departures: f64,
    busy: f64,
    attended: f64,
    /// On their way before this look, and called for by it.
    coming: f64,
    called: f64,
}

/// What will be when recruits have come.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Outlook {
    /// Tasks per second then.
    rate: f64,
    /// Workers needed then, and needed now.
    needed: f64,
    needed_now: f64,
    /// Of those present, how many will have left.
    leaving: f64,
    /// How many will be there.
    present: f64,
}

fn start(start: Start<'_>) -> Result<Box<dyn Controller>, SettingError> {
    let reader = Reader::new(start.spec, SETTINGS)?;
    let target = match reader.value("wait") {
        Some(_) => Target::Wait(reader.span("wait", Span::from_secs(1))?.as_secs_f64()),
        None => Target::Within {
            time: reader.span("within", Span::from_secs(10))?.as_secs_f64(),
            share: reader.number("share", 0.95, 0.0, 0.999_999)?,
        },
    };
    let fresh = Memory { at: start.view.now(), seen: Sums::of(start.view), ..Memory::default() };
    Ok(Box::new(LookAhead {
        limits: Limits::read(&reader, start.view)?,
        target,
        delay: reader.span("delay", Span::from_secs(30))?.as_secs_f64(),
        drain: reader.span("drain", Span::from_mins(2))?.as_secs_f64(),
        caution: reader.number("caution", 0.5, 0.0, 10.0)?,
        level: reader.span("level", Span::from_mins(1))?,
        trend: reader.span("trend", Span::from_mins(4))?,
        release: reader.number("release", 0.5, 0.0, 1.0)?,
        memory: start.recall()?.unwrap_or(fresh),
    }))
}

/// How many are called for.
fn called(orders: &[Order]) -> f64 {
    let each = |order: &Order| if let Order::Recruit { n, .. } = order { f64::from(*n) } else { 0.0 };
    orders.iter().map(each).sum()
}

/// What is left of an old value after a time, if half is forgotten in `half_life`.
fn kept(elapsed: f64, half_life: Span) -> f64 {
    libm::exp2(-elapsed / half_life.as_secs_f64())
}

impl Sums {
    fn of(view: View<'_>) -> Self {
        let total = view.pool().meter.totals(view.now());
        let seconds = |nanos: u64| Span(nanos).as_secs_f64();
        Self {
            arrivals: total.arrivals as f64,
            completions: total.completions as f64,
            departures: total.departures as f64,
            busy: seconds(total.busy),
            attended: seconds(total.busy.saturating_add(total.idle)),
            coming: f64::from(view.pool().in_flight()),
            called: 0.0,
        }
    }

    fn signals(&self) -> Vec<f64> {
        vec![
            self.arrivals,
            self.completions,
            self.departures,
            self.busy,
            self.attended,
            self.coming,
            self.called,
        ]
    }

    fn from_signals(signals: &[f64]) -> Option<Self> {
        let [arrivals, completions, departures, busy, attended, coming, called] = *signals else {
            return None;
        };
        Some(Self { arrivals, completions, departures, busy, attended, coming, called })
    }
}

impl Memory {
    /// The memory after one more look.
    fn after(&self, now: Time, seen: Sums, level_half: Span, trend_half: Span) -> Self {
        let elapsed = now.since(self.at).as_secs_f64();
        if elapsed <= 0.0 {
            return Self { seen, ..*self };
        }
        let old = kept(elapsed, HABITS);
        let came = seen.arrivals - self.seen.arrivals;
        let awaited = self.seen.coming + self.seen.called;
        let (level, trend) = self.forecast(came, elapsed, level_half, trend_half);
        Self {
            at: now,
            seen,
            level: Some(level),
            trend,
            done: self.done * old + (seen.completions - self.seen.completions),
            busy: self.busy * old + (seen.busy - self.seen.busy),
            left: self.left * old + (seen.departures - self.seen.departures),
            attended: self.attended * old + (seen.attended - self.seen.attended),
            came: self.came * old + (awaited - seen.coming).max(0.0),
            awaited: self.awaited * old + f64::midpoint(awaited, seen.coming) * elapsed,
        }
    }

    /// Level and trend (Holt's method); a surprise is a new level at once.
    fn forecast(&self, came: f64, elapsed: f64, level_half: Span, trend_half: Span) -> (f64, f64) {
        let rate = came / elapsed;
        let Some(level) = self.level else { return (rate, 0.0) };
        let expected = (level + self.trend * elapsed).max(0.0);
        let spread = libm::sqrt((expected * elapsed).max(SURPRISE_COUNT));
        if (came - expected * elapsed).abs() > SURPRISE * spread {
            return (rate, 0.0);
        }
        let next = rate + (expected - rate) * kept(elapsed, level_half);
        let growth = (next - level) / elapsed;
        (next, growth + (self.trend - growth) * kept(elapsed, trend_half))
    }

    /// Answers per second of a busy worker.
    fn service_rate(&self, seen: &Observation) -> Option<f64> {
        if self.done >= 1.0 && self.busy > 0.0 { Some(self.done / self.busy) } else { seen.service_rate }
    }

    /// How soon somebody on their way comes, per second: as they came lately, and to begin with as the delay says.
    fn coming_rate(&self, delay: f64) -> f64 {
        (self.came + 1.0) / (self.awaited + delay)
    }

    /// How often a worker leaves per second.
    fn leaving_rate(&self) -> f64 {
        if self.attended > 0.0 { self.left / self.attended } else { 0.0 }
    }
}

impl LookAhead {
    /// How it will be when those called for now have come; `None` if it cannot be said yet, or no size will do.
    fn outlook(&self, memory: &Memory, seen: &Observation) -> Option<Outlook> {
        let (level, service) = (memory.level?, memory.service_rate(seen)?);
        let rate = (level + memory.trend * self.delay).max(0.0);
        let size = |rate: f64| least_size(rate, service, &self.target, Some(100_000)).map(f64::from);
        let (have, coming) = (f64::from(seen.workers.size()), f64::from(seen.in_flight));
        let leaving_rate = memory.leaving_rate();
        let stay = libm::exp(-leaving_rate * self.delay);
        let come = 1.0 - libm::exp(-memory.coming_rate(self.delay) * self.delay);
        let present = have * stay + coming * come;
        let spread = libm::sqrt(have * stay * (1.0 - stay) + coming * come * (1.0 - come));
        let hands = f64::midpoint(have, present);
        let queue = seen.queue as f64 + (f64::midpoint(level, rate) - hands * service) * self.delay;
        let usual = erlang::queue(size(rate)? as u32, rate, service).waiting;
        let backlog = if seen.queue > 0 { (queue - usual).max(0.0) } else { 0.0 };
        Some(Outlook {
            rate,
            needed: size(rate)? + backlog / (service * self.drain) + self.caution * spread,
            needed_now: size(level.max(rate))?,
            leaving: have * (1.0 - stay),
            present,
        })
    }

    /// How many to recruit (or, below zero, to release).
    fn wanted(&self, outlook: &Outlook, seen: &Observation) -> i64 {
        let short = outlook.needed - outlook.present;
        if short >= 0.5 {
            return libm::round(short) as i64;
        }
        let spare = (f64::from(seen.workers.size()) - outlook.needed_now).min(-short);
        if seen.queue > 0 || spare < 1.0 {
            return 0;
        }
        -(libm::ceil(spare * self.release - 1e-9) as i64).min(libm::floor(spare) as i64)
    }

    fn words(&self, outlook: &Outlook, wanted: i64, seen: &Observation) -> String {
        let what = match wanted {
            0 => "no change".to_owned(),
            1.. => format!("recruit {wanted}"),
            _ => format!("release {}", -wanted),
        };
        let tenth = |number: f64| libm::round(number * 10.0) / 10.0;
        format!(
            "{what}: forecast {} tasks/s in {} needs {}, have {}, {} coming, {} expected to leave",
            libm::round(outlook.rate * 100.0) / 100.0,
            Span::from_secs_f64(self.delay),
            tenth(outlook.needed),
            seen.workers.size(),
            seen.in_flight,
            tenth(outlook.leaving),
        )
    }
}

impl Controller for LookAhead {
    fn every(&self) -> Option<Span> {
        Some(self.limits.every)
    }

    fn advise(&self, view: View<'_>, _draws: &mut Draws) -> Advice {
        let (seen, sums) = (view.observe(), Sums::of(view));
        let memory = self.memory.after(view.now(), sums, self.level, self.trend);
        let Some(outlook) = self.outlook(&memory, &seen) else {
            // The limits hold all the same: a pool that should have somebody at least has to begin with somebody.
            let (orders, note) = self.limits.orders(0, &seen, view);
            let signals = Sums { called: called(&orders), ..sums }.signals();
            let reason = format!("no forecast yet: nothing has come or been done, or no size will do{note}");
            return Advice { assessment: Assessment { signals, reason, ..Assessment::default() }, orders };
        };
        let wanted = self.wanted(&outlook, &seen);
        let (orders, note) = self.limits.orders(wanted, &seen, view);
        let signals = Sums { called: called(&orders), ..sums }.signals();
        let reason = format!("{}{note}", self.words(&outlook, wanted, &seen));
        let (error, output) = (outlook.needed - outlook.present, wanted as f64);
        Advice { assessment: Assessment { error, output, signals, reason, ..Assessment::default() }, orders }
    }

    fn note(&mut self, assessment: &Assessment, view: View<'_>) {
        let Some(seen) = Sums::from_signals(&assessment.signals) else { return };
        self.memory = self.memory.after(view.now(), seen, self.level, self.trend);
    }

    fn memory(&self) -> Vec<u8> {
        remember(&self.memory)
    }
}
