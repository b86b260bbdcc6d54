//! Parallel loops over ten million elements: a map that the memory limits, and a sum of square roots that the cores
//! limit. Beside sequential code, rayon and TBB.

use crate::joins::rayon_pool;
use crate::measure::{compete, contestant, report, time};
use crate::tbb;
use muster_tail::{Pool, par_for_each, par_reduce_slice};
use rayon::prelude::*;

const LEN: usize = 10_000_000;
const ROUNDS: usize = 25;

fn step(value: &mut f32) {
    *value = *value * 0.5 + 1.0;
}

fn plus(a: f64, b: f64) -> f64 {
    a + b
}

pub(crate) fn run() {
    let values: Vec<f64> = (0..LEN).map(|i| i as f64).collect();
    for threads in [1, 2] {
        let pool = Pool::builder().threads(threads).build().expect("a pool");
        let rayon_pool = rayon_pool(threads);
        map(&pool, &rayon_pool, threads);
        sum(&pool, &rayon_pool, threads, &values);
    }
}

fn map(pool: &Pool, rayon_pool: &rayon::ThreadPool, threads: usize) {
    let [mut a, mut b, mut c] = [(); 3].map(|()| vec![1.0f32; LEN]);
    let bests = compete(
        ROUNDS,
        &mut [
            contestant("muster", || time(|| pool.run(|| par_for_each(&mut a, step))) / 1e6),
            contestant("rayon", || time(|| rayon_pool.install(|| b.par_iter_mut().for_each(step))) / 1e6),
            contestant("sequential", || time(|| c.iter_mut().for_each(step)) / 1e6),
        ],
    );
    report(&format!("map of 10^7, {threads} threads"), "ms", &bests, &tbb::ask("map", threads));
}

fn sum(pool: &Pool, rayon_pool: &rayon::ThreadPool, threads: usize, values: &[f64]) {
    let ours = || par_reduce_slice(values, || 0.0, |value| value.sqrt(), plus);
    let theirs = || values.par_iter().map(|value| value.sqrt()).sum::<f64>();
    let bests = compete(
        ROUNDS,
        &mut [
            contestant("muster", || time(|| pool.run(ours)) / 1e6),
            contestant("rayon", || time(|| rayon_pool.install(theirs)) / 1e6),
            contestant("sequential", || time(|| values.iter().map(|value| value.sqrt()).sum::<f64>()) / 1e6),
        ],
    );
    report(
        &format!("sum of square roots of 10^7, {threads} threads"),
        "ms",
        &bests,
        &tbb::ask("sum", threads),
    );
}
