//! `average-rate` and `hybrid`: as many are recruited as leave on average.
//!
//! Each time it looks, `average-rate` recruits as many as left per such step in the window: the whole part for certain, the
//! rest as the probability of one more, so that on average it is exact. `hybrid` does so only while the pool is small.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::fact::Assessment;
use crate::formula::recruit;
use crate::ids::KindId;
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Advice, Controller, Entry, Order, Start, remember};
use crate::random::Draws;
use crate::time::{Span, Time};
use crate::view::{Observation, View};

const COMMON: [Setting; 5] = [
    Setting { name: "every", meaning: "How often the policy looks at the pool.", default: "1 s" },
    Setting { name: "window", meaning: "Over how long it counts who left.", default: "1 min" },
    Setting { name: "kind", meaning: "The kind of worker to recruit.", default: "0" },
    Setting { name: "most", meaning: "The pool is never made larger than this.", default: "100000" },
    Setting {
        name: "count_in_flight",
        meaning: "Whether workers on their way count as being there.",
        default: "true",
    },
];

const HYBRID_SETTINGS: &[Setting] = &[
    COMMON[0],
    COMMON[1],
    COMMON[2],
    COMMON[3],
    COMMON[4],
    Setting {
        name: "short_by",
        meaning: "People are replaced only while the pool is smaller than recommended by more than this.",
        default: "5",
    },
    Setting {
        name: "below",
        meaning: "People are replaced only while the pool is smaller than this; goes before short_by.",
        default: "not set",
    },
];

/// How `average-rate` is named and started.
pub const AVERAGE_RATE: Entry<dyn Controller> = Entry {
    name: "average-rate",
    about: "Recruits as many people as leave on average.",
    settings: &COMMON,
    version: 1,
    start: |start| begin(start, &COMMON, |_| Ok(While::Always)),
};

/// How `hybrid` is named and started.
pub const HYBRID: Entry<dyn Controller> = Entry {
    name: "hybrid",
    about: "Recruits as many people as leave on average, while the pool is too small.",
    settings: HYBRID_SETTINGS,
    version: 1,
    start: |start| {
        begin(start, HYBRID_SETTINGS, |reader| match reader.value("below") {
            Some(_) => Ok(While::Below(reader.whole("below", 0, 0, 10_000_000)?)),
            None => Ok(While::ShortBy(reader.whole("short_by", 5, 0, 10_000_000)?)),
        })
    },
};

/// While people are replaced.
#[derive(Clone, Copy, Debug)]
enum While {
    Always,
    Below(u32),
    ShortBy(u32),
}

#[derive(Debug)]
struct Rate {
    every: Span,
    window: Span,
    kind: KindId,
    most: u32,
    count_in_flight: bool,
    limit: While,
    memory: Memory,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Memory {
    /// When it looked, and how many had left by then: from the last time before the window on.
    looked: VecDeque<(Time, u64)>,
}

fn begin(
    start: Start<'_>,
    settings: &[Setting],
    limit: fn(&Reader<'_>) -> Result<While, SettingError>,
) -> Result<Box<dyn Controller>, SettingError> {
    let reader = Reader::new(start.spec, settings)?;
    let kinds = u32::try_from(start.view.state.kinds().len()).unwrap_or(u32::MAX);
    let mut memory: Memory = start.recall()?.unwrap_or_default();
    if memory.looked.is_empty() {
        memory.looked.push_back((start.view.now(), start.view.pool().meter.total.departures));
    }
    Ok(Box::new(Rate {
        every: reader.span("every", Span::from_secs(1))?,
        window: reader.span("window", Span::from_mins(1))?,
        kind: KindId(reader.whole("kind", 0, 0, kinds.saturating_sub(1))?),
        most: reader.whole("most", 100_000, 0, 10_000_000)?,
        count_in_flight: reader.flag("count_in_flight", true)?,
        limit: limit(&reader)?,
        memory,
    }))
}

impl Rate {
    /// How many left in the window that ends now, and how long that is; it is half-open, so those who left just at its
    /// beginning do not count. It begins when the policy looked: before the window set, if that is no multiple of the step.
    fn left(&self, view: View<'_>) -> (u64, Span) {
        let begins = view.now() - self.window;
        let before = self.memory.looked.iter().take_while(|(at, _)| *at <= begins).last();
        let before = before.or_else(|| self.memory.looked.front()).copied();
        let (from, before) = before.unwrap_or((view.now(), 0));
        let left = view.pool().meter.total.departures.saturating_sub(before);
        (left, view.now().since(from).max(self.window))
    }

    fn is_wanted(&self, size: u32, seen: &Observation) -> bool {
        match self.limit {
            While::Always => true,
            While::Below(limit) => size < limit,
            While::ShortBy(n) => seen.recommended().is_some_and(|best| size + n < best),
        }
    }
}

impl Controller for Rate {
    fn every(&self) -> Option<Span> {
        Some(self.every)
    }

    fn advise(&self, view: View<'_>, draws: &mut Draws) -> Advice {
        let seen = view.observe();
        let size = seen.size(self.count_in_flight);
        let (left, counted) = self.left(view);
        let (step, window) = (self.every.0, counted.0);
        let wanted = self.is_wanted(size, &seen);
        let n = if wanted { recruit::average_rate(left, step, window, draws.unit()) } else { 0 };
        let (error, output) = (recruit::average_rate_mean(left, step, window), n as f64);
        let n = u32::try_from(n).unwrap_or(u32::MAX).min(self.most.saturating_sub(size));
        let not = if wanted { "" } else { ", but the pool is large enough" };
        let reason = format!("{left} left in the last {counted}{not}");
        let signals = vec![view.pool().meter.total.departures as f64];
        let orders = if n > 0 { vec![Order::Recruit { kind: self.kind, n }] } else { Vec::new() };
        Advice { assessment: Assessment { error, output, signals, reason, ..Assessment::default() }, orders }
    }

    fn note(&mut self, assessment: &Assessment, view: View<'_>) {
        let [left] = assessment.signals[..] else { return };
        let looked = &mut self.memory.looked;
        looked.push_back((view.now(), left as u64));
        let begins = view.now() - self.window;
        while looked.get(1).is_some_and(|(at, _)| *at <= begins) {
            looked.pop_front();
        }
    }

    fn memory(&self) -> Vec<u8> {
        remember(&self.memory)
    }
}
