//! Placeholder.
/// k
#[must_use]
pub fn k_real(patience: f64, threshold: f64, alpha: f64) -> f64 {
    (libm::log(threshold / patience) / libm::log(alpha)).max(0.0)
}
