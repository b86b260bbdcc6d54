//! Whole pools under random schedules: `RUSTFLAGS="--cfg shuttle" cargo test -p muster-tail --release --test shuttle`.
//! Without that flag there is nothing here to run.

#![cfg(shuttle)]

use muster_tail::{
    AdmitFirst, Failure, Load, Pool, Progress, RandomPlacement, Serialise, StealFirst, TailPolicy, join,
    par_for_grain, scope,
};
use shuttle::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

fn schedules() -> usize {
    if std::env::var("MUSTER_LONG").is_ok_and(|value| value == "1") { 20_000 } else { 1_500 }
}

/// Gives up everything at its first check.
struct Harsh(Serialise);

impl TailPolicy for Harsh {
    fn name(&self) -> &str {
        "harsh"
    }
    fn watches(&self) -> bool {
        true
    }
    fn serialise(&self) -> Serialise {
        self.0
    }
    fn is_large(&self, _: &Load, _: &Progress) -> bool {
        true
    }
}

type Make = fn() -> Arc<dyn TailPolicy>;

const POLICIES: [Make; 5] = [
    || Arc::new(StealFirst),
    || Arc::new(AdmitFirst),
    || Arc::new(RandomPlacement),
    || Arc::new(Harsh(Serialise::Prompt)),
    || Arc::new(Harsh(Serialise::Lazy)),
];

/// Runs a story under many schedules, for every policy.
fn check(story: fn(&Pool)) {
    for make in POLICIES {
        shuttle::check_random(
            move || {
                let pool =
                    Pool::builder().threads(2).spare_threads(1).policy(make()).build().expect("a pool");
                story(&pool);
            },
            schedules(),
        );
    }
}

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = join(|| fib(n - 1), || fib(n - 2));
    a + b
}

#[test]
fn joins_end_with_the_right_sum() {
    check(|pool| {
        let other = pool.request(|| fib(3));
        assert_eq!(pool.run(|| fib(5)), 5);
        assert_eq!(other.wait(), 2);
    });
}

#[test]
fn loops_visit_everything_once() {
    check(|pool| {
        let counts = [const { std::sync::atomic::AtomicUsize::new(0) }; 6];
        pool.run(|| {
            par_for_grain(0..6, 1, |i| {
                counts[i].fetch_add(1, Ordering::Relaxed);
                shuttle::thread::yield_now();
            });
        });
        assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
    });
}

#[test]
fn scopes_end_after_their_tasks() {
    check(|pool| {
        let count = AtomicUsize::new(0);
        pool.run(|| {
            scope(|s| {
                for _ in 0..3 {
                    s.spawn(|s| {
                        s.spawn(|_| _ = count.fetch_add(1, Ordering::Relaxed));
                        let (a, b) = join(|| 1, || 1);
                        count.fetch_add(a + b, Ordering::Relaxed);
                    });
                }
            });
            assert_eq!(count.load(Ordering::Relaxed), 9);
        });
    });
}

#[test]
fn requests_wait_for_requests() {
    check(|pool| {
        let sum = pool.run(|| {
            let inner = pool.request(|| fib(4));
            let (a, b) = join(|| fib(3), || 1);
            a + b + inner.wait()
        });
        assert_eq!(sum, 6);
    });
}

#[test]
fn cancelled_requests_are_answered() {
    check(|pool| {
        let handles: Vec<_> = (0..3).map(|_| pool.request(|| par_for_grain(0..3, 1, |_| ()))).collect();
        handles.iter().for_each(muster_tail::Handle::cancel);
        for handle in handles {
            assert!(matches!(handle.join(), Ok(()) | Err(Failure::Cancelled)));
        }
    });
}

#[test]
fn dropping_a_pool_waits_for_all() {
    check(|pool| {
        let count = Arc::new(AtomicUsize::new(0));
        let own = Pool::builder().threads(1).spare_threads(1).build().expect("a pool");
        for _ in 0..2 {
            let count = count.clone();
            drop(own.request(move || count.fetch_add(1, Ordering::Relaxed)));
        }
        drop(own);
        assert_eq!(count.load(Ordering::Relaxed), 2);
        assert_eq!(pool.run(|| 1), 1);
    });
}
