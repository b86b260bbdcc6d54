//! A controller with a proportional, an integral and a derivative part; its output is a change.

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

/// The output for an error, given the sum of the errors before and the last of them (`None` if there was none: the
/// derivative part is then zero).
#[must_use]
pub fn output(gains: Gains, error: f64, sum_before: f64, last: Option<f64>) -> f64 {
    let step = last.map_or(0.0, |last| error - last);
    gains.kp * error + gains.ki * (sum_before + error) + gains.kd * step
}

/// Whole workers: to the nearest, halves away from zero.
#[must_use]
pub fn whole(output: f64) -> i64 {
    libm::round(output) as i64
}
