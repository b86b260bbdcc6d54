//! Money in whole micro-units, and pay that accrues with time, to the last one.
//!
//! Does not know who pays. Invariant: nothing is lost by rounding; what is less than a micro-unit is carried
//! in the [`Accrual`] until it makes one.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use crate::time::Span;

/// An amount of money in millionths of the currency's unit. Never mixed with another currency: there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Money(pub i64);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// A million units: larger prices, wages and budgets are refused where they enter. Sums may be larger; they would
    /// stand still at nine million million units, which no pool of people and machines will see.
    pub const MOST: Self = Self(1_000_000_000_000);

    /// Whole units of the currency.
    #[must_use]
    pub const fn units(units: i64) -> Self {
        Self(units.saturating_mul(1_000_000))
    }

    /// Hundredths of the currency's unit.
    #[must_use]
    pub const fn cents(cents: i64) -> Self {
        Self(cents.saturating_mul(10_000))
    }

    /// This amount in units of the currency, for people and formulas.
    #[must_use]
    pub fn as_units_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// This amount `n` times.
    #[must_use]
    pub const fn times(self, n: u64) -> Self {
        let n = if n > i64::MAX as u64 { i64::MAX } else { n as i64 };
        Self(self.0.saturating_mul(n))
    }

    /// Whether this is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Money {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Money {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Money {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Money {
    /// Two decimals, more only if they are needed: `3.50`, `0.000125`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.unsigned_abs() / 1_000_000, self.0.unsigned_abs() % 1_000_000);
        let digits = format!("{part:06}");
        let kept = digits.trim_end_matches('0').len().max(2);
        write!(f, "{sign}{whole}.{}", &digits[..kept])
    }
}

/// An hour, over which wages are stated.
const HOUR: u128 = 3_600_000_000_000;

/// Pay that grows with time: `wage` per hour, exactly. Carries what is less than a micro-unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accrual {
    /// In micro-units times nanoseconds; less than an hour's worth of one micro-unit.
    carried: u64,
}

impl Accrual {
    /// What `span` at `wage` per hour adds, in whole micro-units, together with what was carried before.
    #[must_use = "what is not paid out is lost"]
    pub fn add(&mut self, wage: Money, span: Span) -> Money {
        let wage = u128::from(wage.0.max(0).unsigned_abs());
        let total = wage * u128::from(span.0) + u128::from(self.carried);
        self.carried = (total % HOUR) as u64;
        Money(i64::try_from(total / HOUR).unwrap_or(i64::MAX))
    }
}

/// Splits `amount` by `weights` so that the parts add up to it exactly: each gets the whole micro-units of its
/// share, and those left over go one each to the largest remainders, the first of equals first.
/// `None` if all weights are zero.
#[must_use]
pub fn split(amount: Money, weights: &[u64]) -> Option<Vec<Money>> {
    let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
    if total == 0 {
        return None;
    }
    let whole = u128::from(amount.0.max(0).unsigned_abs());
    let mut parts: Vec<Money> = Vec::with_capacity(weights.len());
    let mut rests: Vec<(u128, usize)> = Vec::with_capacity(weights.len());
    for (i, weight) in weights.iter().enumerate() {
        let share = whole * u128::from(*weight);
        parts.push(Money(i64::try_from(share / total).expect("a part is no more than the whole")));
        rests.push((share % total, i));
    }
    let left = amount.0.max(0) - parts.iter().map(|p| p.0).sum::<i64>();
    rests.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    for (_, i) in rests.iter().take(usize::try_from(left).expect("fewer are left than there are parts")) {
        parts[*i] += Money(1);
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_in_odd_pieces_pays_an_hour() {
        let wage = Money::cents(300);
        let mut accrual = Accrual::default();
        let mut paid = Money::ZERO;
        let mut left = 3_600_000_000_000_u64;
        let mut piece = 1;
        while left > 0 {
            piece = (piece * 7 + 13) % 100_000_000_007;
            let step = piece.min(left);
            paid += accrual.add(wage, Span(step));
            left -= step;
        }
        assert_eq!(paid, wage);
        assert_eq!(accrual, Accrual::default());
    }

    #[test]
    fn a_split_adds_up() {
        assert_eq!(split(Money(10), &[1, 1, 1]).unwrap(), [Money(4), Money(3), Money(3)]);
        assert_eq!(split(Money(10), &[0, 5]).unwrap(), [Money(0), Money(10)]);
        assert_eq!(split(Money(10), &[0, 0]), None);
        let parts = split(Money(1_000_003), &[3, 5, 7, 11, 0, 1]).unwrap();
        assert_eq!(parts.iter().copied().sum::<Money>(), Money(1_000_003));
    }

    #[test]
    fn money_reads_well() {
        assert_eq!(Money::cents(350).to_string(), "3.50");
        assert_eq!(Money(125).to_string(), "0.000125");
        assert_eq!(Money(-1_500_000).to_string(), "-1.50");
    }
}
