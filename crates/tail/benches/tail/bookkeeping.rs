//! What tail-control's bookkeeping costs: the same work under steal-first and under a tail-control that never gives
//! anything up, in 30 alternating runs, with the 95 % interval of the mean ratio. Instruction counts: `--counts`.

use crate::joins;
use crate::measure::{line, time};
use muster_tail::sim::summary;
use muster_tail::{Pool, StealFirst, Table, TailControl, par_reduce};
use std::hint::black_box;

const RUNS: usize = 30;

pub(crate) fn never() -> TailControl {
    TailControl::with_table(1e9, Table::from_thresholds(vec![1e12]).expect("a table"))
}

pub(crate) fn pools(threads: usize) -> (Pool, Pool) {
    let plain = Pool::builder().threads(threads).policy(StealFirst).build().expect("a pool");
    let watching = Pool::builder().threads(threads).policy(never()).build().expect("a pool");
    (plain, watching)
}

/// One request of about 100 microseconds.
pub(crate) fn small() -> f64 {
    par_reduce(0..20_000, || 0.0, |i| black_box(i as f64).sqrt(), |a, b| a + b)
}

fn burst(pool: &Pool) -> f64 {
    let handles: Vec<_> = (0..300).map(|_| pool.request(small)).collect();
    handles.into_iter().map(muster_tail::Handle::wait).sum()
}

type Workload = (&'static str, fn(&Pool) -> f64);

pub(crate) fn run() {
    let workloads: [Workload; 3] = [
        ("joins", |pool| pool.run(|| joins::ours(29)) as f64),
        ("loop of 2x10^7", |pool| {
            pool.run(|| par_reduce(0..20_000_000, || 0.0, |i| (i as f64).sqrt(), |a, b| a + b))
        }),
        ("300 small requests", burst),
    ];
    let (plain, watching) = pools(2);
    for (name, work) in workloads {
        let (mut a, mut b, mut ratios) = (0.0, 0.0, Vec::new());
        for _ in 0..RUNS {
            let (without, with) = (time(|| work(&plain)), time(|| work(&watching)));
            a += without / RUNS as f64 / 1e6;
            b += with / RUNS as f64 / 1e6;
            ratios.push(with / without);
        }
        let ratio = summary(&ratios);
        line(&format!("bookkeeping, {name}"), b, "ms", Some(("steal-first", a)));
        eprintln!(
            "bookkeeping, {name}: mean ratio {:.3}, 95 % interval {:.3} to {:.3}, {RUNS} alternating runs",
            ratio.mean,
            ratio.mean - ratio.half_width,
            ratio.mean + ratio.half_width
        );
    }
}
