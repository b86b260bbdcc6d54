//! How far it is: a bar on a terminal, nothing on a pipe. Ctrl-C once tells what is done so far, twice ends at once.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use muster_report::number::significant;
use muster_sim::study::Progress;

use crate::output::Console;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Parts of a run that the bar tells apart.
const PARTS: f64 = 1000.0;

pub(crate) struct Bar {
    bar: ProgressBar,
    shares: Mutex<Vec<f64>>,
    answers: AtomicU64,
}

impl Bar {
    pub(crate) fn new(console: &Console) -> Self {
        // A second handler cannot be set; then the first still stands.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
        let bar = if console.shows_progress() { ProgressBar::new(1) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{bar:32} {percent:>3} %  {msg}  {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, shares: Mutex::new(Vec::new()), answers: AtomicU64::new(0) }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn progress(&self, number: usize, most: usize, share: f64, answers: u64) {
        let answers = self.answers.fetch_add(answers, Ordering::Relaxed) + answers;
        if self.bar.is_hidden() {
            return;
        }
        let Ok(mut shares) = self.shares.lock() else { return };
        let runs = most.max(shares.len());
        shares.resize(runs, 0.0);
        shares[number] = share;
        let done = shares.iter().filter(|share| **share >= 1.0).count();
        let sum: f64 = shares.iter().sum();
        drop(shares);
        self.bar.set_length((most as f64 * PARTS) as u64);
        self.bar.set_position((sum * PARTS) as u64);
        let rate = answers as f64 / self.bar.elapsed().as_secs_f64().max(0.1);
        let stopping = if STOP.load(Ordering::Relaxed) { ", stopping" } else { "" };
        self.bar.set_message(format!("{done} of {most} runs, {} tasks/s{stopping}", significant(rate, 3)));
    }

    fn stopped(&self) -> bool {
        STOP.load(Ordering::SeqCst)
    }
}
