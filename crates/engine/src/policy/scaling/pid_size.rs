//! `pid-size`: a controller on the distance from the recommended size (CT-p in the Cioppino paper).

use serde::{Deserialize, Serialize};

use crate::fact::Assessment;
use crate::formula::pid::{self, Gains};
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Advice, Controller, Entry, Start, remember};
use crate::random::Draws;
use crate::time::Span;
use crate::view::View;

use super::limits::{self, Limits};

const SETTINGS: &[Setting] = &[
    limits::SETTINGS[0],
    limits::SETTINGS[1],
    limits::SETTINGS[2],
    limits::SETTINGS[3],
    limits::SETTINGS[4],
    limits::SETTINGS[5],
    limits::SETTINGS[6],
    Setting { name: "kp", meaning: "The weight of the distance.", default: "0.5" },
    Setting { name: "ki", meaning: "The weight of the sum of all distances.", default: "0" },
    Setting { name: "kd", meaning: "The weight of the change of the distance.", default: "0" },
];

/// How it is named and started.
pub const ENTRY: Entry<dyn Controller> = Entry {
    name: "pid-size",
    about: "Recruits and releases in proportion to how far the pool is from its recommended size.",
    settings: SETTINGS,
    version: 1,
    start,
};

#[derive(Debug)]
struct PidSize {
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
}

fn start(start: Start<'_>) -> Result<Box<dyn Controller>, SettingError> {
    let reader = Reader::new(start.spec, ENTRY.settings)?;
    let gain = |name, default| reader.number(name, default, 0.0, 1000.0);
    Ok(Box::new(PidSize {
        limits: Limits::read(&reader, start.view)?,
        gains: Gains { kp: gain("kp", 0.5)?, ki: gain("ki", 0.0)?, kd: gain("kd", 0.0)? },
        memory: start.recall()?.unwrap_or_default(),
    }))
}

impl Controller for PidSize {
    fn every(&self) -> Option<Span> {
        Some(self.limits.every)
    }

    fn advise(&self, view: View<'_>, _draws: &mut Draws) -> Advice {
        let seen = view.observe();
        let have = self.limits.size(&seen);
        let Some(recommended) = seen.recommended else {
            let reason = "nothing recommended yet: no task has been done".to_owned();
            return Advice { assessment: Assessment { reason, ..Assessment::default() }, orders: Vec::new() };
        };
        let error = f64::from(recommended) - f64::from(have);
        let output = pid::output(self.gains, error, self.memory.sum, self.memory.last);
        // Half a worker was rounded up to one, and is owed: that alone must not send one away again.
        let wanted = if output == 0.0 { 0 } else { pid::whole(output + self.memory.carried) };
        let (orders, note) = self.limits.orders(wanted, &seen, view);
        let coming = if seen.in_flight > 0 { format!(", {} coming", seen.in_flight) } else { String::new() };
        let there = seen.workers.size();
        let reason = format!("recommended {recommended}, have {there}{coming}{note}");
        let signals = vec![wanted as f64];
        Advice { assessment: Assessment { error, output, signals, reason, ..Assessment::default() }, orders }
    }

    fn note(&mut self, assessment: &Assessment, _view: View<'_>) {
        let [wanted] = assessment.signals[..] else { return };
        self.memory.sum += assessment.error;
        self.memory.last = Some(assessment.error);
        self.memory.carried += assessment.output - wanted;
    }

    fn memory(&self) -> Vec<u8> {
        remember(&self.memory)
    }
}
