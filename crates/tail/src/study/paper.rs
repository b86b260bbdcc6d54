//! Numbers that the paper's text gives (its bars are pictures). Improvements in per cent, targets in milliseconds, in
//! the order of steal-first's 97.5, 98.5, 99, 99.5 and 99.75 per cent latencies.

/// The tails of steal-first's latency that serve as targets.
pub(super) const TAILS: [f64; 5] = [0.975, 0.985, 0.99, 0.995, 0.9975];

/// One table of the paper: targets, improvement over steal-first, improvement over admit-first.
pub(super) struct Printed {
    pub(super) targets: [f64; 5],
    pub(super) over_steal_first: [f64; 5],
    pub(super) over_admit_first: [f64; 5],
}

/// Figure 8: log-normal work; light, medium and heavy.
pub(super) const LOG_NORMAL: [Printed; 3] = [
    Printed {
        targets: [8.9, 10.0, 11.2, 12.0, 13.2],
        over_steal_first: [25.0, 25.0, 23.0, 24.0, 17.0],
        over_admit_first: [20.0, 26.0, 29.0, 35.0, 34.0],
    },
    Printed {
        targets: [12.4, 14.4, 15.9, 16.9, 18.3],
        over_steal_first: [33.0, 40.0, 35.0, 28.0, 22.0],
        over_admit_first: [26.0, 43.0, 44.0, 43.0, 49.0],
    },
    Printed {
        targets: [20.6, 23.3, 25.3, 25.7, 28.3],
        over_steal_first: [42.0, 27.0, 37.0, 18.0, 41.0],
        over_admit_first: [37.0, 32.0, 50.0, 49.0, 66.0],
    },
];

/// Figure 9: log-normal work, log-normal arrivals, heavy.
pub(super) const LOG_NORMAL_ARRIVALS: Printed = Printed {
    targets: [22.0, 24.5, 26.6, 28.1, 30.5],
    over_steal_first: [45.0, 25.0, 42.0, 31.0, 44.0],
    over_admit_first: [38.0, 29.0, 53.0, 51.0, 65.0],
};

/// Figure 10: Bing, a tenth of each request sequential, heavy.
pub(super) const SUB_LINEAR: Printed = Printed {
    targets: [32.9, 39.2, 43.1, 45.5, 48.7],
    over_steal_first: [40.0, 44.0, 39.0, 35.0, 31.0],
    over_admit_first: [17.0, 27.0, 33.0, 38.0, 46.0],
};

/// Figure 6: the smallest and largest improvements of all loads and targets, over steal-first and over admit-first.
pub(super) const BING_RANGES: [(f64, f64); 2] = [(35.0, 58.0), (24.0, 65.0)];
