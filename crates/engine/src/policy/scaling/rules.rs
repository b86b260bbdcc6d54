//! `rules`: conditions in words, and what to do when they hold.

use crate::fact::Assessment;
use crate::policy::rule::{self, Rule};
use crate::policy::settings::{Reader, Setting};
use crate::policy::{Advice, Controller, Entry};
use crate::random::Draws;
use crate::time::Span;
use crate::view::View;

use super::limits::{self, Limits};

const SETTINGS: &[Setting] = &limits::with::<1, 8>([Setting {
    name: "rules",
    meaning: "One rule or a list, such as 'if queue > 10 or recommended - size > 5 then recruit 1'; all that hold act together.",
    default: "as said above",
}]);

/// The rules of the paper's experiment on elasticity.
const DEFAULT: [&str; 2] =
    ["if queue > 10 or recommended - size > 5 then recruit 1", "if recommended - size < -5 then release 1"];

/// How it is named and started.
pub const ENTRY: Entry<dyn Controller> = Entry {
    name: "rules",
    about: "Recruits and releases by rules that you write; by default one more if queue > 10 or recommended - size > 5, one fewer if recommended - size < -5.",
    settings: SETTINGS,
    version: 1,
    start: |start| {
        let reader = Reader::new(start.spec, SETTINGS)?;
        let limits = Limits::read(&reader, start.view)?;
        Ok(Box::new(Rules { limits, rules: rule::read(&reader, &DEFAULT)? }))
    },
};

/// The same as a replacement policy: by default the rule of the paper's experiment on stability.
pub const REPLACEMENT: Entry<dyn Controller> = Entry {
    about: "Recruits by rules that you write; by default if recommended - size > 5 then recruit 1.",
    start: |start| {
        let reader = Reader::new(start.spec, SETTINGS)?;
        let limits = Limits::read(&reader, start.view)?;
        let rules = rule::read(&reader, &["if recommended - size > 5 then recruit 1"])?;
        Ok(Box::new(Rules { limits, rules }))
    },
    ..ENTRY
};

#[derive(Debug)]
struct Rules {
    limits: Limits,
    rules: Vec<Rule>,
}

impl Controller for Rules {
    fn every(&self) -> Option<Span> {
        Some(self.limits.every)
    }

    fn advise(&self, view: View<'_>, _draws: &mut Draws) -> Advice {
        let seen = view.observe();
        let (wanted, acting) = rule::net(&self.rules, &rule::observed(&seen, self.limits.count_in_flight));
        let (orders, note) = self.limits.orders(wanted, &seen, view);
        let why = if acting.is_empty() { "no rule holds".to_owned() } else { acting.join("; ") };
        let (error, output) = (wanted as f64, wanted as f64);
        let reason = format!("{why}{note}");
        Advice { assessment: Assessment { error, output, reason, ..Assessment::default() }, orders }
    }

    fn note(&mut self, _assessment: &Assessment, _view: View<'_>) {}
}
