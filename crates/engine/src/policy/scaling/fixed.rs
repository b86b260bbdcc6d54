//! `static`: the pool stays as it is, or is kept at a size that was given.

use crate::fact::Assessment;
use crate::policy::settings::{Reader, Setting, SettingError};
use crate::policy::{Advice, Controller, Entry, Start};
use crate::random::Draws;
use crate::time::Span;
use crate::view::View;

use super::limits::{self, Limits};

const SETTINGS: &[Setting] = &limits::with::<1, 8>([Setting {
    name: "size",
    meaning: "The size to keep. If it is not given, nobody is recruited or released.",
    default: "as it is",
}]);

/// How it is named and started.
pub const ENTRY: Entry<dyn Controller> = Entry {
    name: "static",
    about: "A pool of a fixed size: as it is, or as large as you say.",
    settings: SETTINGS,
    version: 1,
    start,
};

#[derive(Debug)]
struct Static {
    limits: Limits,
    size: Option<u32>,
}

fn start(start: Start<'_>) -> Result<Box<dyn Controller>, SettingError> {
    let reader = Reader::new(start.spec, ENTRY.settings)?;
    let size = match reader.value("size") {
        None => None,
        Some(_) => Some(reader.whole("size", 0, 0, 10_000_000)?),
    };
    Ok(Box::new(Static { limits: Limits::read(&reader, start.view)?, size }))
}

impl Controller for Static {
    fn every(&self) -> Option<Span> {
        self.size.map(|_| self.limits.every)
    }

    fn advise(&self, view: View<'_>, _draws: &mut Draws) -> Advice {
        let seen = view.observe();
        let have = self.limits.size(&seen);
        let wanted = i64::from(self.size.unwrap_or(have)) - i64::from(have);
        let (orders, note) = self.limits.orders(wanted, &seen, view);
        let reason = format!("to keep {}, have {have}{note}", self.size.unwrap_or(have));
        let (error, output) = (wanted as f64, wanted as f64);
        Advice { assessment: Assessment { error, output, reason, ..Assessment::default() }, orders }
    }

    fn note(&mut self, _assessment: &Assessment, _view: View<'_>) {}
}
