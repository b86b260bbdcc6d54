//! Workloads for instruction counts: each runs N times and nothing else, so that the difference between N and 2N is
//! what one more costs. One thread, so that the count does not depend on timing.

use crate::bookkeeping::never;
use crate::joins;
use muster_tail::{Pool, StealFirst, TailPolicy, par_for_grain};
use std::hint::black_box;

type Workload = (&'static str, &'static str, fn(usize));

const FIB: u64 = 16;

/// Name, what one count is for with how often it is run, and what to run. A count of joins is of one fib(16).
const WORKLOADS: [Workload; 8] = [
    ("join", "1596-joins 100", |n| fib(n, StealFirst)),
    ("join-tail-control", "1596-joins 100", |n| fib(n, never())),
    ("join-rayon", "1596-joins 100", |n| {
        joins::rayon_pool(1).install(|| (0..n).for_each(|_| _ = black_box(joins::rayon(black_box(FIB)))));
    }),
    ("join-chili", "1596-joins 100", |n| {
        let config = chili::Config { thread_count: std::num::NonZero::new(1), ..chili::Config::default() };
        let pool = chili::ThreadPool::with_config(config);
        let mut scope = pool.scope();
        (0..n).for_each(|_| _ = black_box(joins::chili(&mut scope, black_box(FIB))));
    }),
    ("chunk", "chunk 2000", |n| chunks(n, StealFirst)),
    ("chunk-tail-control", "chunk 2000", |n| chunks(n, never())),
    ("request", "request 2000", |n| requests(n, StealFirst)),
    ("request-tail-control", "request 2000", |n| requests(n, never())),
];

pub(crate) fn list() {
    for (name, unit, _) in WORKLOADS {
        println!("{name} {unit}");
    }
}

pub(crate) fn run(name: &str, n: usize) {
    let workload = WORKLOADS.iter().find(|workload| workload.0 == name);
    (workload.unwrap_or_else(|| panic!("no workload is called {name}")).2)(n);
}

fn pool(policy: impl TailPolicy) -> Pool {
    Pool::builder().threads(1).policy(policy).build().expect("a pool")
}

fn fib(n: usize, policy: impl TailPolicy) {
    pool(policy).run(|| (0..n).for_each(|_| _ = black_box(joins::ours(black_box(FIB)))));
}

fn chunks(n: usize, policy: impl TailPolicy) {
    pool(policy).run(|| par_for_grain(0..n, 1, |i| _ = black_box(i)));
}

fn requests(n: usize, policy: impl TailPolicy) {
    let pool = pool(policy);
    (0..n).for_each(|i| _ = black_box(pool.run(|| black_box(i))));
}
