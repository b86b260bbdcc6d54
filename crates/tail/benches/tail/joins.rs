//! What a join costs: Fibonacci numbers, nothing else to do. Beside sequential code, chili, rayon and TBB.

use crate::measure::{compete, contestant, report, time};
use crate::tbb;
use muster_tail::{Pool, join};

const N: u64 = 32;
const ROUNDS: usize = 15;

pub(crate) fn sequential(n: u64) -> u64 {
    if n < 2 { n } else { std::hint::black_box(sequential(n - 1)) + sequential(n - 2) }
}

pub(crate) fn ours(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = join(|| ours(n - 1), || ours(n - 2));
    a + b
}

pub(crate) fn rayon(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(|| rayon(n - 1), || rayon(n - 2));
    a + b
}

pub(crate) fn chili(scope: &mut chili::Scope<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = scope.join(|s| chili(s, n - 1), |s| chili(s, n - 2));
    a + b
}

/// Joins in a call with this argument.
pub(crate) fn joins(n: u64) -> f64 {
    (sequential(n + 1) - 1) as f64
}

pub(crate) fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a rayon pool")
}

pub(crate) fn run() {
    let joins = joins(N);
    for threads in [1, 2] {
        let pool = Pool::builder().threads(threads).build().expect("a pool");
        let rayon_pool = rayon_pool(threads);
        let config =
            chili::Config { thread_count: std::num::NonZero::new(threads), ..chili::Config::default() };
        let chili_pool = chili::ThreadPool::with_config(config);
        let bests = compete(
            ROUNDS,
            &mut [
                contestant("muster", || time(|| pool.run(|| ours(N))) / joins),
                contestant("rayon", || time(|| rayon_pool.install(|| rayon(N))) / joins),
                contestant("chili", || time(|| chili(&mut chili_pool.scope(), N)) / joins),
                contestant("sequential", || time(|| sequential(N)) / joins),
            ],
        );
        let name = format!("join, {threads} threads");
        report(&name, "ns", &bests, &tbb::ask("join", threads));
    }
}
