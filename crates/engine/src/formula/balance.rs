//! Which idle workers should move to which pool: a score of a set of moves, and a greedy search for a good one.
//!
//! Source: Cioppino, pool balance (equation 4, algorithm 1, section 5.4). A score is `omega * H + (1 - omega) * Perf`, where H
//! sums how much each worker likes the pool it is in, and Perf is the inverse of a typical time in which the pools' backlogs
//! are worked off. The two have different scales: H grows with the number of workers. Knows no pool of the engine, only
//! numbers. Start at [`Situation`].

use super::backlog::{drain_time, drain_time_with};

/// The most moves in one set, unless said otherwise.
pub const MOVES_MOST: usize = 10;

/// Of how many idle workers [`Search::All`] tries all subsets, the first ones: 2^16 sets can still be scored.
pub const SUBSETS_OF_MOST: usize = 16;

/// A pool, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Tasks that wait.
    pub tasks: f64,
    /// Tasks per unit of time that one worker does; above 0.
    pub service_rate: f64,
    /// The inverse of the mean time that a newcomer trains; above 0.
    pub training_rate: f64,
}

/// A worker goes to a pool: both by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who.
    pub worker: usize,
    /// Where to.
    pub pool: usize,
}

/// What is typical of the times in which pools work off their backlog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utility {
    /// 1 / median. If most pools have nothing to do it is infinite whatever happens, and only preferences count.
    Median,
    /// 1 / mean.
    Mean,
    /// 1 / maximum.
    Max,
    /// 1 / median over pools that have something to do.
    MedianOfBusy,
}

impl Utility {
    /// Of the pools' times. No time at all is infinitely good, a time without end worth nothing.
    #[must_use]
    pub fn of(self, times: &[f64]) -> f64 {
        1.0 / match self {
            Self::Median => median(times.to_vec()),
            Self::Mean => times.iter().sum::<f64>() / (times.len().max(1)) as f64,
            Self::Max => times.iter().copied().fold(0.0, f64::max),
            Self::MedianOfBusy => median(times.iter().copied().filter(|time| *time > 0.0).collect()),
        }
    }
}

/// The middle one, or the mean of the middle two; 0 of none.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let n = times.len();
    match n {
        0 => 0.0,
        _ if n % 2 == 1 => times[n / 2],
        _ => f64::midpoint(times[n / 2 - 1], times[n / 2]),
    }
}

/// `weight * value`, where no weight makes even an infinite value nothing.
fn weighted(weight: f64, value: f64) -> f64 {
    if weight == 0.0 { 0.0 } else { weight * value }
}

/// Which subsets of the idle workers are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The first none, one, two ... of the list: as many sets as moves.
    Prefix,
    /// All, the small ones first, in the order of the list: exponential, so of the first [`SUBSETS_OF_MOST`] only.
    All,
}

/// Pools, workers and what they prefer.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The pools.
    pub pools: &'a [Load],
    /// The pool of each worker.
    pub home: &'a [usize],
    /// How much each worker likes each pool, from 0 to 1: worker by worker, all pools of each.
    pub likes: &'a [f64],
    /// The weight of preferences, from 0 to 1.
    pub omega: f64,
    /// What performance means.
    pub utility: Utility,
}

/// What a set of moves is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// How long each pool will take for its backlog.
    pub times: Vec<f64>,
    /// The utility of these times.
    pub performance: f64,
    /// The sum of preferences.
    pub happiness: f64,
    /// Both together.
    pub score: f64,
}

impl Situation<'_> {
    fn likes(&self, worker: usize, pool: usize) -> f64 {
        self.likes[worker * self.pools.len() + pool]
    }

    fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.pools.len()];
        self.home.iter().for_each(|pool| sizes[*pool] += 1);
        sizes
    }

    /// What the moves are worth, all taken together.
    #[must_use]
    pub fn evaluate(&self, moves: &[Move]) -> Worth {
        let (mut stay, mut come) = (self.sizes(), vec![0; self.pools.len()]);
        let mut home = self.home.to_vec();
        for it in moves {
            stay[home[it.worker]] -= 1;
            come[it.pool] += 1;
            home[it.worker] = it.pool;
        }
        let time = |(i, pool): (usize, &Load)| {
            drain_time_with(pool.tasks, stay[i], come[i], pool.service_rate, pool.training_rate)
        };
        let times: Vec<f64> = self.pools.iter().enumerate().map(time).collect();
        let performance = self.utility.of(&times);
        let happiness = home.iter().enumerate().map(|(worker, pool)| self.likes(worker, *pool)).sum();
        let score = weighted(self.omega, happiness) + weighted(1.0 - self.omega, performance);
        Worth { times, performance, happiness, score }
    }

    /// Sends each worker in turn to the pool where preference and backlog together are largest, the first of equals. Only
    /// pools with waiting tasks are gone to, and nobody to where they are.
    #[must_use]
    pub fn assign(&self, workers: &[usize]) -> Vec<Move> {
        let mut sizes = self.sizes();
        let mut moves = Vec::with_capacity(workers.len());
        for worker in workers {
            let Some(pool) = self.best_pool(*worker, &sizes) else { continue };
            sizes[pool] += 1;
            moves.push(Move { worker: *worker, pool });
        }
        moves
    }

    fn best_pool(&self, worker: usize, sizes: &[u32]) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (i, pool) in self.pools.iter().enumerate() {
            if pool.tasks <= 0.0 || i == self.home[worker] {
                continue;
            }
            let time = drain_time(pool.tasks, sizes[i], pool.service_rate);
            let score = weighted(self.omega, self.likes(worker, i)) + weighted(1.0 - self.omega, time);
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((i, score));
            }
        }
        best.map(|(pool, _)| pool)
    }

    /// The best set of moves found, the first of equals (no move at all is tried first), and its score.
    #[must_use]
    pub fn best_moves(&self, idle: &[usize], search: Search, moves_most: usize) -> (Vec<Move>, f64) {
        let mut best = (Vec::new(), self.evaluate(&[]).score);
        let mut consider = |workers: &[usize]| {
            let moves = self.assign(workers);
            let score = self.evaluate(&moves).score;
            if score > best.1 {
                best = (moves, score);
            }
        };
        match search {
            Search::Prefix => (1..=idle.len().min(moves_most)).for_each(|n| consider(&idle[..n])),
            Search::All => {
                let idle = &idle[..idle.len().min(SUBSETS_OF_MOST)];
                (1..=idle.len().min(moves_most))
                    .for_each(|n| subsets(idle, n, &mut Vec::new(), &mut consider));
            }
        }
        best
    }
}

/// Every subset of `n` more, in the order of the list.
fn subsets(from: &[usize], n: usize, chosen: &mut Vec<usize>, consider: &mut impl FnMut(&[usize])) {
    if n == 0 {
        consider(chosen);
        return;
    }
    for (i, worker) in from.iter().enumerate().take(from.len() + 1 - n) {
        chosen.push(*worker);
        subsets(&from[i + 1..], n - 1, chosen, consider);
        chosen.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utilities() {
        let times = [0.0, 1.0, 5.0];
        assert_eq!(Utility::Median.of(&times), 1.0);
        assert_eq!(Utility::Mean.of(&times), 0.5);
        assert_eq!(Utility::Max.of(&times), 0.2);
        assert_eq!(Utility::MedianOfBusy.of(&times), 1.0 / 3.0);
        assert_eq!(Utility::MedianOfBusy.of(&[0.0]), f64::INFINITY);
        assert_eq!(Utility::Max.of(&[f64::INFINITY, 1.0]), 0.0);
    }

    #[test]
    fn all_subsets_once_small_ones_first() {
        let mut seen = Vec::new();
        for n in 1..=3 {
            subsets(&[7, 8, 9], n, &mut Vec::new(), &mut |set| seen.push(set.to_vec()));
        }
        let sets: [&[usize]; 7] = [&[7], &[8], &[9], &[7, 8], &[7, 9], &[8, 9], &[7, 8, 9]];
        assert_eq!(seen, sets);
    }

    #[test]
    fn nobody_goes_where_they_are_or_where_nothing_waits() {
        let load = |tasks| Load { tasks, service_rate: 1.0, training_rate: 1.0 };
        let pools = [load(4.0), load(0.0)];
        let situation = Situation {
            pools: &pools,
            home: &[0, 1],
            likes: &[0.0, 1.0, 0.0, 1.0],
            omega: 0.5,
            utility: Utility::Median,
        };
        assert_eq!(situation.assign(&[0, 1]), [Move { worker: 1, pool: 0 }]);
    }
}
