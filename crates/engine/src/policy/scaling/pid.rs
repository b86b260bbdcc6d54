//! `pid-size` and `pid-throughput`: controllers on a distance, with a proportional, an integral and a derivative part.
//!
//! The first holds the pool at its recommended size (CT-p in the Cioppino paper). The second recruits by how many more
//! tasks came than were done since it last looked (CT-t there): the sum of that is the number of tasks in the system, never
//! below zero, so with an integral part the pool would grow without end; leave `ki` at 0.

use serde::{Deserialize, Serialize};

use crate::fact::Assessment;
use crate::formula::pid::{self, Gains};
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Advice, Controller, Entry, Start, remember};
use crate::random::Draws;
use crate::time::Span;
use crate::view::{Observation, View};

use super::limits::{self, Limits};

const SETTINGS: &[Setting] = &limits::with::<3, 10>([
    Setting { name: "kp", meaning: "The weight of the distance.", default: "0.5" },
    Setting { name: "ki", meaning: "The weight of the sum of all distances.", default: "0" },
    Setting { name: "kd", meaning: "The weight of the change of the distance.", default: "0" },
]);

/// How `pid-size` is named and started.
pub const SIZE: Entry<dyn Controller> = Entry {
    name: "pid-size",
    about: "Recruits and releases in proportion to how far the pool is from its recommended size.",
    settings: SETTINGS,
    version: 1,
    start: |start| begin(start, Of::Size),
};

/// How `pid-throughput` is named and started.
pub const THROUGHPUT: Entry<dyn Controller> = Entry {
    name: "pid-throughput",
    about: "Recruits and releases in proportion to how many more tasks came than were done.",
    settings: SETTINGS,
    version: 1,
    start: |start| begin(start, Of::Throughput),
};

/// What the distance is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Size,
    Throughput,
}

#[derive(Debug)]
struct Pid {
    of: Of,
    limits: Limits,
    gains: Gains,
    memory: Memory,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Memory {
    sum: f64,
    last: Option<f64>,
    /// What was less than a whole worker.
    carried: f64,
    /// Tasks come less tasks done, when it last looked.
    surplus: f64,
}

fn begin(start: Start<'_>, of: Of) -> Result<Box<dyn Controller>, SettingError> {
    let reader = Reader::new(start.spec, SETTINGS)?;
    let gain = |name, default| reader.number(name, default, 0.0, 1000.0);
    let fresh = Memory { surplus: surplus(start.view), ..Memory::default() };
    Ok(Box::new(Pid {
        of,
        limits: Limits::read(&reader, start.view)?,
        gains: Gains { kp: gain("kp", 0.5)?, ki: gain("ki", 0.0)?, kd: gain("kd", 0.0)? },
        memory: start.recall()?.unwrap_or(fresh),
    }))
}

/// Tasks that have come less tasks that were done, since the pool began.
fn surplus(view: View<'_>) -> f64 {
    let total = &view.pool().meter.total;
    total.arrivals as f64 - total.completions as f64
}

impl Pid {
    /// How far things are from where they should be, and in words; `None` if it cannot be said.
    fn distance(&self, seen: &Observation, view: View<'_>) -> (Option<f64>, String) {
        let there = seen.workers.size();
        let coming = if seen.in_flight > 0 { format!(", {} coming", seen.in_flight) } else { String::new() };
        let recommended = if self.of == Of::Size { seen.recommended() } else { None };
        match (self.of, recommended) {
            (Of::Size, None) => (None, "nothing recommended yet: no task has been done".to_owned()),
            (Of::Size, Some(recommended)) => {
                let error = f64::from(recommended) - f64::from(self.limits.size(seen));
                (Some(error), format!("recommended {recommended}, have {there}{coming}"))
            }
            (Of::Throughput, _) => {
                let error = surplus(view) - self.memory.surplus;
                let words = if error < 0.0 { "fewer" } else { "more" };
                (Some(error), format!("{} {words} came than were done, have {there}{coming}", error.abs()))
            }
        }
    }
}

impl Controller for Pid {
    fn every(&self) -> Option<Span> {
        Some(self.limits.every)
    }

    fn advise(&self, view: View<'_>, _draws: &mut Draws) -> Advice {
        let seen = view.observe();
        let (error, reason) = self.distance(&seen, view);
        let Some(error) = error else {
            // The limits hold all the same: a pool that should have somebody at least has to begin with somebody.
            let (orders, note) = self.limits.orders(0, &seen, view);
            let reason = format!("{reason}{note}");
            return Advice { assessment: Assessment { reason, ..Assessment::default() }, orders };
        };
        let output = pid::output(self.gains, error, self.memory.sum, self.memory.last);
        // Half a worker was rounded up to one, and is owed: that alone must not send one away again.
        let wanted = if output == 0.0 { 0 } else { pid::whole(output + self.memory.carried) };
        let (orders, note) = self.limits.orders(wanted, &seen, view);
        let (signals, reason) = (vec![wanted as f64, surplus(view)], format!("{reason}{note}"));
        Advice { assessment: Assessment { error, output, signals, reason, ..Assessment::default() }, orders }
    }

    fn note(&mut self, assessment: &Assessment, _view: View<'_>) {
        let [wanted, surplus] = assessment.signals[..] else { return };
        self.memory.sum += assessment.error;
        self.memory.last = Some(assessment.error);
        self.memory.carried += assessment.output - wanted;
        self.memory.surplus = surplus;
    }

    fn memory(&self) -> Vec<u8> {
        remember(&self.memory)
    }
}
