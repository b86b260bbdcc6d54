//! A rate that changes with time: steps, slopes, days that repeat, spikes. Knows no law of arrivals.
//!
//! What matters to a process with such a rate is the area under the curve and the way back from an area to a time, so
//! those two are what a curve can do. Start at [`Curve::after`].

/// A factor on a rate, over time in seconds. Never negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Pieces in order: from when, the factor there, and the factor at the end of the piece.
    pieces: Vec<Piece>,
    /// After this long it begins again; without it the last value holds for ever.
    period: Option<f64>,
    /// The area of one period.
    area: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    from: f64,
    length: f64,
    begin: f64,
    end: f64,
    /// The area of all pieces before.
    before: f64,
}

/// Why a curve cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CurveError {
    /// There is no point.
    Empty,
    /// The times of these points (from 0) are not in order.
    Order(usize),
    /// The factor of this point is negative or not a number.
    Factor(usize),
    /// The period ends before the last point, or the first point is not at its beginning.
    Period,
    /// Nothing ever comes.
    Zero,
}

impl Piece {
    fn area_to(&self, along: f64) -> f64 {
        let slope = if self.length > 0.0 && self.length.is_finite() {
            (self.end - self.begin) / self.length
        } else {
            0.0
        };
        along * (self.begin + slope * along / 2.0)
    }

    /// How far along the piece an area is reached.
    fn along_for(&self, area: f64) -> f64 {
        let slope = if self.length > 0.0 && self.length.is_finite() {
            (self.end - self.begin) / self.length
        } else {
            0.0
        };
        // The root of slope/2 x^2 + begin x = area, in the form that also holds for a slope of zero.
        let root = libm::sqrt((self.begin * self.begin + 2.0 * slope * area).max(0.0));
        let along = if self.begin + root > 0.0 { 2.0 * area / (self.begin + root) } else { self.length };
        along.min(self.length)
    }
}

impl Curve {
    /// Each value holds from its time until the next; `(seconds, factor)`.
    pub fn steps(points: &[(f64, f64)], period: Option<f64>) -> Result<Self, CurveError> {
        Self::new(points, period, |_, value, _| (value, value))
    }

    /// Straight lines between the points; with a period the last goes over to the first.
    pub fn slopes(points: &[(f64, f64)], period: Option<f64>) -> Result<Self, CurveError> {
        Self::new(points, period, |_, value, next| (value, next))
    }

    fn new(
        points: &[(f64, f64)],
        period: Option<f64>,
        ends: fn(usize, f64, f64) -> (f64, f64),
    ) -> Result<Self, CurveError> {
        let (Some((begin, first)), Some((last_at, last))) = (points.first(), points.last()) else {
            return Err(CurveError::Empty);
        };
        if let Some(at) = points.iter().position(|(_, factor)| !(*factor >= 0.0 && factor.is_finite())) {
            return Err(CurveError::Factor(at));
        }
        if let Some(at) = points.windows(2).position(|two| two[0].0 >= two[1].0) {
            return Err(CurveError::Order(at + 1));
        }
        if *begin < 0.0 || period.is_some_and(|period| period <= *last_at || *begin != 0.0) {
            return Err(CurveError::Period);
        }
        // Before the first point its value holds.
        let head = (*begin > 0.0).then_some((0.0, *first));
        let all: Vec<(f64, f64)> = head.into_iter().chain(points.iter().copied()).collect();
        let end = period.unwrap_or(f64::INFINITY);
        let mut before = 0.0;
        let mut pieces = Vec::with_capacity(all.len());
        for (i, (from, value)) in all.iter().enumerate() {
            let (next_at, next) = match all.get(i + 1) {
                Some((at, value)) => (*at, *value),
                None => (end, if period.is_some() { *first } else { *last }),
            };
            let (begin, end) = ends(i, *value, next);
            let piece = Piece { from: *from, length: next_at - from, begin, end, before };
            if piece.length.is_finite() {
                before += piece.area_to(piece.length);
            }
            pieces.push(piece);
        }
        let area = before;
        if area <= 0.0 && (period.is_some() || *last <= 0.0) {
            return Err(CurveError::Zero);
        }
        Ok(Self { pieces, period, area })
    }

    /// The factor at a time.
    #[must_use]
    pub fn at(&self, seconds: f64) -> f64 {
        let within = self.period.map_or(seconds, |period| seconds % period);
        let piece = self.piece_at(within);
        let along = within - piece.from;
        if piece.length.is_finite() && piece.length > 0.0 {
            piece.begin + (piece.end - piece.begin) * along / piece.length
        } else {
            piece.begin
        }
    }

    fn piece_at(&self, within: f64) -> &Piece {
        let after = self.pieces.partition_point(|piece| piece.from <= within);
        &self.pieces[after.saturating_sub(1)]
    }

    /// The area under the curve from the beginning to a time.
    #[must_use]
    pub fn area(&self, seconds: f64) -> f64 {
        let (whole, within) = match self.period {
            Some(period) => {
                let rounds = libm::floor(seconds / period);
                (rounds * self.area, seconds - rounds * period)
            }
            None => (0.0, seconds),
        };
        let piece = self.piece_at(within);
        whole + piece.before + piece.area_to(within - piece.from)
    }

    /// When the area has grown by `more` since a time; infinite if it never does.
    #[must_use]
    pub fn after(&self, seconds: f64, more: f64) -> f64 {
        let wanted = self.area(seconds) + more;
        let (begin, rest) = match self.period {
            Some(period) => {
                let rounds = libm::floor(wanted / self.area);
                (rounds * period, wanted - rounds * self.area)
            }
            None => (0.0, wanted),
        };
        // The last piece in which the area is reached and which has any.
        let after = self.pieces.partition_point(|piece| piece.before <= rest);
        let piece = &self.pieces[after.saturating_sub(1)];
        let left = rest - piece.before;
        let at = if left > 0.0 && piece.begin <= 0.0 && piece.end <= 0.0 {
            f64::INFINITY
        } else {
            begin + piece.from + piece.along_for(left)
        };
        at.max(seconds)
    }

    /// The mean factor over one period, or up to a time.
    #[must_use]
    pub fn mean(&self, until: f64) -> f64 {
        match self.period {
            Some(period) => self.area / period,
            None if until > 0.0 => self.area(until) / until,
            None => self.at(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_and_the_way_back() {
        let curves = [
            Curve::steps(&[(0.0, 1.0), (10.0, 3.0), (20.0, 0.0), (30.0, 2.0)], None),
            Curve::steps(&[(0.0, 0.5), (5.0, 0.0), (7.0, 4.0)], Some(9.0)),
            Curve::slopes(&[(0.0, 0.0), (4.0, 2.0), (8.0, 1.0)], Some(12.0)),
            Curve::slopes(&[(2.0, 1.0), (6.0, 5.0)], None),
        ];
        for curve in curves {
            let curve = curve.unwrap();
            for at in [0.0, 1.5, 3.0, 4.9, 8.5, 11.0, 26.0, 100.0] {
                for more in [0.01, 0.7, 3.0, 50.0] {
                    let then = curve.after(at, more);
                    let grown = curve.area(then) - curve.area(at);
                    assert!(
                        (grown - more).abs() < 1e-6,
                        "{curve:?}: {more} after {at} is at {then}, grown {grown}"
                    );
                }
            }
            // The area is what small steps add up to.
            let sum: f64 = (0..40_000).map(|i| curve.at(f64::from(i) * 0.001 + 0.0005) * 0.001).sum();
            assert!((sum - curve.area(40.0)).abs() < 1e-2, "{curve:?}: {sum} {}", curve.area(40.0));
        }
    }

    #[test]
    fn when_nothing_comes_any_more_it_never_comes() {
        let curve = Curve::steps(&[(0.0, 1.0), (10.0, 0.0)], None).unwrap();
        assert_eq!(curve.after(0.0, 5.0), 5.0);
        assert_eq!(curve.after(8.0, 5.0), f64::INFINITY);
    }

    #[test]
    fn what_is_no_curve_is_refused() {
        assert_eq!(Curve::steps(&[], None), Err(CurveError::Empty));
        assert_eq!(Curve::steps(&[(0.0, 1.0), (0.0, 2.0)], None), Err(CurveError::Order(1)));
        assert_eq!(Curve::steps(&[(0.0, -1.0)], None), Err(CurveError::Factor(0)));
        assert_eq!(Curve::steps(&[(0.0, 0.0)], None), Err(CurveError::Zero));
        assert_eq!(Curve::steps(&[(0.0, 1.0), (5.0, 2.0)], Some(4.0)), Err(CurveError::Period));
    }
}
