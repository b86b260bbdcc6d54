//! Random set-ups from the whole model: nothing panics, nothing is refused, nothing is lost, the same seed gives the same
//! facts, and variants see the same demand, work and people.
//!
//! A case is a number; a failing one is named. `MUSTER_LONG=1` raises how many there are. Little's law is checked by every
//! run, to the nanosecond (see `drive`).

mod alike;
mod check;
mod crowd;
mod demand;
mod dice;
mod setup;
mod witness;

use dice::Dice;

#[allow(clippy::disallowed_methods, reason = "a test may be asked to take longer")]
fn cases(usual: u64) -> std::ops::Range<u64> {
    let is_long = std::env::var("MUSTER_LONG").is_ok_and(|value| value == "1");
    0..if is_long { 40 * usual } else { usual }
}

/// Does something for each case; says which one it was if that fails.
fn each(usual: u64, salt: u64, test: impl Fn(&mut Dice)) {
    for case in cases(usual) {
        let told =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(&mut Dice::new(salt, case))));
        assert!(told.is_ok(), "case {case} of {salt} fails");
    }
}
