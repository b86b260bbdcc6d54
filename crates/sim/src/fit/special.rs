//! The few special functions that fitting needs.

/// The standard normal distribution.
pub(super) fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The regularised lower incomplete gamma function.
pub(super) fn gamma_p(shape: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let front = libm::exp(shape * libm::log(x) - x - libm::lgamma(shape));
    if x < shape + 1.0 { series(shape, x) * front } else { 1.0 - front * fraction(shape, x) }
}

/// The power series, which converges fast for small `x`.
fn series(shape: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0 / shape, 1.0 / shape, shape);
    for _ in 0..10_000 {
        n += 1.0;
        term *= x / n;
        sum += term;
        if term < sum * 1e-16 {
            break;
        }
    }
    sum
}

/// The continued fraction of the upper function, evaluated from the front (Lentz).
fn fraction(shape: f64, x: f64) -> f64 {
    let tiny = 1e-300;
    let mut b = x + 1.0 - shape;
    let (mut c, mut d) = (1.0 / tiny, 1.0 / b);
    let mut value = d;
    for i in 1..10_000 {
        let a = -f64::from(i) * (f64::from(i) - shape);
        b += 2.0;
        d = 1.0 / nonzero(a * d + b, tiny);
        c = nonzero(b + a / c, tiny);
        value *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

fn nonzero(x: f64, tiny: f64) -> f64 {
    if x.abs() < tiny { tiny } else { x }
}

/// The slope of log-gamma: recurrence up to where the asymptotic series is exact enough.
pub(super) fn digamma(x: f64) -> f64 {
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    sum + libm::log(x) - 0.5 / x - y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y / 240.0)))
}

/// The slope of [`digamma`].
pub(super) fn trigamma(x: f64) -> f64 {
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    sum + 1.0 / x + y / 2.0 + y / x * (1.0 / 6.0 - y * (1.0 / 30.0 - y * (1.0 / 42.0 - y / 30.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-10, "{a} {b}");
        near(normal(1.959_963_984_540_054), 0.975);
        near(gamma_p(1.0, 2.0), 1.0 - libm::exp(-2.0));
        near(gamma_p(0.5, 0.25), libm::erf(0.5));
        near(gamma_p(3.0, 10.0), 1.0 - libm::exp(-10.0) * (1.0 + 10.0 + 50.0));
        near(digamma(1.0), -0.577_215_664_901_532_9);
        near(trigamma(1.0), std::f64::consts::PI * std::f64::consts::PI / 6.0);
    }
}
