//! The patience of clients, and who should be served first because of it.
//!
//! Source: the patience paper, with the corrections of our notes: the exponent is bounded from above (the printed sign is
//! turned), its base is the weight for late answers, and it is real, since whole numbers would make all happy clients equal.

use std::cmp::Ordering;

/// How a client's patience moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temper {
    /// What is kept of the old patience after an answer that came early. In [0, 1].
    pub kept_early: f64,
    /// What is kept after an answer that came late or just in time; less, since a disappointment weighs more.
    pub kept_late: f64,
    /// Below this patience a client is unhappy.
    pub unhappy_below: f64,
}

impl Temper {
    /// The patience after an answer, and how good the answer was (see [`quality`]).
    #[must_use]
    pub fn after(&self, patience: f64, quality: f64) -> f64 {
        // An answer just in time may come out a hair above 1.
        let kept = if quality > 1.0 + 1e-9 { self.kept_early } else { self.kept_late };
        kept * patience + (1.0 - kept) * quality
    }

    /// Whether a client is unhappy.
    #[must_use]
    pub fn is_unhappy(&self, patience: f64) -> bool {
        patience < self.unhappy_below
    }

    /// How many more late answers are borne, see [`late_answers_borne`].
    #[must_use]
    pub fn late_answers_borne(&self, patience: f64) -> f64 {
        late_answers_borne(patience, self.unhappy_below, self.kept_late)
    }
}

/// How good an answer was: the expected time, stretched by what the client tolerates (>= 1), over the time it took. Above 1
/// is early. An answer that took no time is infinitely good.
#[must_use]
pub fn quality(expected: f64, tolerance: f64, took: f64) -> f64 {
    expected * tolerance / took
}

/// How many answers in a row may come infinitely late until patience falls below `threshold`, as a real number: the k for
/// which `kept^k * patience = threshold`. 0 for who is unhappy already, infinite for who never will be.
#[must_use]
pub fn late_answers_borne(patience: f64, threshold: f64, kept: f64) -> f64 {
    if patience < threshold || patience <= 0.0 {
        0.0
    } else if threshold <= 0.0 || kept >= 1.0 {
        f64::INFINITY
    } else if kept <= 0.0 {
        0.0
    } else {
        (libm::log(threshold / patience) / libm::log(kept)).max(0.0)
    }
}

/// The largest whole number of late answers after which the client is not unhappy; `None` if there is no largest.
#[must_use]
pub fn late_answers_tolerated(patience: f64, threshold: f64, kept: f64) -> Option<u32> {
    let k = late_answers_borne(patience, threshold, kept);
    // A logarithm a hair below a whole number means that number.
    k.is_finite().then(|| libm::floor(k + 1e-9) as u32)
}

/// The number of late answers that makes the client unhappy: 0 if it is, `None` if none does.
#[must_use]
pub fn late_answers_until_unhappy(patience: f64, threshold: f64, kept: f64) -> Option<u32> {
    if patience < threshold {
        return Some(0);
    }
    late_answers_tolerated(patience, threshold, kept).map(|k| k.saturating_add(1))
}

/// A request that waits, to be ordered by [`least_patience_first`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// How many late answers its client bears.
    pub borne: f64,
    /// When it came.
    pub arrival: f64,
    /// Breaks ties.
    pub id: u64,
}

impl Request {
    /// What it is ordered by: 0, before all others, once it has waited twice as long as answers take on average (the guard
    /// against starvation), else what its client bears. Without an average the guard is off.
    #[must_use]
    pub fn urgency(&self, now: f64, answer_time_mean: Option<f64>) -> f64 {
        if answer_time_mean.is_some_and(|mean| now - self.arrival >= 2.0 * mean) { 0.0 } else { self.borne }
    }
}

/// The order in which requests are served: the least patient first, then the oldest, then by id.
#[must_use]
pub fn least_patience_first(a: &Request, b: &Request, now: f64, answer_time_mean: Option<f64>) -> Ordering {
    let key = |request: &Request| request.urgency(now, answer_time_mean);
    key(a).total_cmp(&key(b)).then(a.arrival.total_cmp(&b.arrival)).then(a.id.cmp(&b.id))
}

/// How many of `users` are active at a load in [0, 1] with some noise: to the nearest, halves up.
#[must_use]
pub fn active_users(users: u32, load: f64, noise: f64) -> u32 {
    libm::floor(f64::from(users) * (load + noise).clamp(0.0, 1.0) + 0.5 + 1e-9) as u32
}
