//! The crowd of the CLAMShell trace: recruiting, work and stays, resampled from the trace if it is given, else by laws that
//! were fitted to it and are kept here as numbers.
//!
//! The trace's three lists are not linked and hold no workers, so each is drawn from on its own. What is lost either way:
//! recruiting became faster while the trace was taken (a mean of 137 s in the first fifth, 24 s in the last), and
//! neighbouring values are alike. Kolmogorov-Smirnov distances of the fits to the trace: recruiting 0.022, work 0.020, stays 0.027.

use muster_sim::law::{Law, LawError};
use muster_sim::model::{Leaving, Recruiting, Staying};

/// The three lists of the trace, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Streams {
    /// How long recruits took to come.
    pub recruitments: Vec<f64>,
    /// How long tasks took.
    pub works: Vec<f64>,
    /// How long workers stayed.
    pub stays: Vec<f64>,
}

/// People as they were in the trace.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    pub(crate) recruiting: Recruiting,
    pub(crate) work: Law,
    pub(crate) leaving: Leaving,
    /// Where it comes from, in words.
    pub(crate) from: &'static str,
}

/// From, to, and how many of a thousand: any time in between is as likely as any other.
type Bin = (f64, f64, f64);

/// Postings are renewed every 180 s, and a fresh one is taken within half a minute.
const RECRUITMENTS: [Bin; 22] = [
    (0.0, 5.0, 21.2),
    (5.0, 8.0, 51.9),
    (8.0, 11.0, 81.0),
    (11.0, 15.0, 119.7),
    (15.0, 20.0, 123.1),
    (20.0, 30.0, 161.4),
    (30.0, 45.0, 75.6),
    (45.0, 60.0, 21.4),
    (60.0, 180.0, 39.8),
    (180.0, 185.0, 13.1),
    (185.0, 190.0, 52.7),
    (190.0, 195.0, 67.9),
    (195.0, 200.0, 38.9),
    (200.0, 210.0, 25.0),
    (210.0, 240.0, 22.4),
    (240.0, 360.0, 21.1),
    (360.0, 366.0, 7.0),
    (366.0, 375.0, 31.2),
    (375.0, 390.0, 15.2),
    (390.0, 420.0, 2.4),
    (420.0, 540.0, 2.4),
    (540.0, 740.0, 5.7),
];

const STAYS: [Bin; 24] = [
    (0.0, 5.0, 47.3),
    (5.0, 25.0, 22.3),
    (25.0, 50.0, 33.3),
    (50.0, 100.0, 78.7),
    (100.0, 150.0, 55.7),
    (150.0, 175.0, 46.7),
    (175.0, 200.0, 82.0),
    (200.0, 225.0, 47.0),
    (225.0, 250.0, 33.0),
    (250.0, 300.0, 48.7),
    (300.0, 350.0, 58.7),
    (350.0, 375.0, 77.7),
    (375.0, 400.0, 56.4),
    (400.0, 425.0, 33.3),
    (425.0, 450.0, 27.7),
    (450.0, 500.0, 34.7),
    (500.0, 550.0, 51.7),
    (550.0, 600.0, 51.7),
    (600.0, 650.0, 26.0),
    (650.0, 700.0, 23.3),
    (700.0, 725.0, 15.7),
    (725.0, 750.0, 20.3),
    (750.0, 775.0, 15.3),
    (775.0, 800.0, 12.7),
];

/// Work is log-normal.
const WORK: Law = Law::LogNormal { mu: 0.595, sigma: 0.409 };

fn binned(bins: &[Bin]) -> Law {
    let part = |(from, to, weight): &Bin| (*weight, Law::Uniform(*from, *to));
    Law::mixture(bins.iter().map(part).collect()).expect("the weights are above zero")
}

impl Crowd {
    /// By the fitted laws.
    pub(crate) fn fitted() -> Self {
        Self::of(binned(&RECRUITMENTS), WORK, binned(&STAYS), "laws fitted to the CLAMShell trace")
    }

    /// Resampled from the trace.
    pub(crate) fn traced(streams: &Streams) -> Result<Self, LawError> {
        let law = |values: &[f64]| Law::empirical(values.to_vec());
        let (recruiting, work, stays) =
            (law(&streams.recruitments)?, law(&streams.works)?, law(&streams.stays)?);
        Ok(Self::of(recruiting, work, stays, "the CLAMShell trace, resampled"))
    }

    fn of(recruiting: Law, work: Law, stays: Law, from: &'static str) -> Self {
        Self {
            recruiting: Recruiting { delay: recruiting, renew: None, come: 1.0 },
            work,
            leaving: Leaving { staying: Some(Staying { law: stays, drops: false }), ..Leaving::default() },
            from,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fits_have_the_means_of_the_trace() {
        let crowd = Crowd::fitted();
        let stays = crowd.leaving.staying.unwrap().law.mean();
        let near = |ours: f64, trace: f64| assert!((ours - trace).abs() < 0.03 * trace, "{ours} {trace}");
        near(crowd.recruiting.delay.mean(), 91.285);
        near(crowd.work.mean(), 1.974);
        near(stays, 316.598);
    }

    #[test]
    fn an_empty_list_is_refused() {
        assert!(Crowd::traced(&Streams::default()).is_err());
    }
}
