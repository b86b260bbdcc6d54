//! A controller with a proportional, an integral and a derivative part; its output is a change.
//!
//! Source: Cioppino. The error is a number of tasks (arrived less completed) or of workers (recommended less present). A
//! warning: on tasks, the sum of all errors is the number in the system, never below zero, so any `ki` > 0 lets the pool
//! grow without end.

/// The weights of the three parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// Of the error.
    pub kp: f64,
    /// Of the sum of all errors, this one included.
    pub ki: f64,
    /// Of the step from the last error to this one.
    pub kd: f64,
}

/// What the derivative part does at the first error, before which there was none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Nothing.
    NoKick,
    /// As if the error had been zero before.
    ZeroHistory,
}

/// The output for an error, given the sum of the errors before and the last of them (`None` if there was none: the
/// derivative part is then zero).
#[must_use]
pub fn output(gains: Gains, error: f64, sum_before: f64, last: Option<f64>) -> f64 {
    let step = last.map_or(0.0, |last| error - last);
    gains.kp * error + gains.ki * (sum_before + error) + gains.kd * step
}

/// The outputs for a row of errors.
#[must_use]
pub fn outputs(gains: Gains, first: First, errors: &[f64]) -> Vec<f64> {
    let (mut sum, mut last) = (0.0, (first == First::ZeroHistory).then_some(0.0));
    let step = |error: &f64| {
        let out = output(gains, *error, sum, last);
        sum += error;
        last = Some(*error);
        out
    };
    errors.iter().map(step).collect()
}

/// Whole workers: to the nearest, halves away from zero.
#[must_use]
pub fn whole(output: f64) -> i64 {
    libm::round(output) as i64
}
