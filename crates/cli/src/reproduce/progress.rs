//! How far the experiments are, on one line of the terminal; nothing if standard error is none.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use muster_papers::lab::Watch;

/// A bar.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// Drawn on standard error if that is a terminal.
    pub(super) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{msg:14} {bar:40} {pos}/{len}  {elapsed}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }

    pub(super) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Watch for Bar {
    fn at(&self, experiment: &str, done: usize, of: usize) {
        if done == 0 {
            self.0.reset();
        }
        self.0.set_length(of as u64);
        self.0.set_position(done as u64);
        self.0.set_message(experiment.to_owned());
    }

    fn stopped(&self) -> bool {
        false
    }
}
