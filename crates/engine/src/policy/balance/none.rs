//! `none`: nothing is looked at and nothing is done.

use crate::fact::Assessment;
use crate::policy::settings::{Reader, SettingError};
use crate::policy::{Advice, Controller, Entry, Start};
use crate::random::Draws;
use crate::time::Span;
use crate::view::View;

/// How it is named and started.
pub const ENTRY: Entry<dyn Controller> =
    Entry { name: "none", about: "Nobody is moved.", settings: &[], version: 1, start };

#[derive(Debug)]
struct Nothing;

fn start(start: Start<'_>) -> Result<Box<dyn Controller>, SettingError> {
    Reader::new(start.spec, ENTRY.settings)?;
    Ok(Box::new(Nothing))
}

impl Controller for Nothing {
    fn every(&self) -> Option<Span> {
        None
    }

    fn advise(&self, _view: View<'_>, _draws: &mut Draws) -> Advice {
        Advice::default()
    }

    fn note(&mut self, _assessment: &Assessment, _view: View<'_>) {}
}
