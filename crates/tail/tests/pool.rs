//! The pool through its public door: results, panics, cancellation, nesting, admission, for every policy.

use muster_tail::{
    AdmitFirst, Failure, KnownWork, Load, Options, Pool, Progress, RandomPlacement, Serialise, StealFirst,
    Table, TailControl, TailPolicy, WhenLate, join, par_for, par_for_each, par_for_grain, par_reduce,
    par_reduce_grain, par_reduce_slice, scope,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

fn table(thresholds: &[f64]) -> Table {
    Table::from_thresholds(thresholds.to_vec()).expect("a table")
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

/// Every policy, on so many threads.
fn pools(threads: usize) -> Vec<Pool> {
    let policies: Vec<Box<dyn Fn() -> Arc<dyn TailPolicy>>> = vec![
        Box::new(|| Arc::new(StealFirst)),
        Box::new(|| Arc::new(AdmitFirst)),
        Box::new(|| Arc::new(RandomPlacement)),
        Box::new(|| Arc::new(TailControl::with_table(1.0, table(&[1e9, 0.01])))),
        Box::new(|| Arc::new(TailControl::with_table(1.0, table(&[1e9, 0.01])).lazy())),
        Box::new(|| Arc::new(KnownWork(TailControl::with_table(1.0, table(&[0.0]))))),
        Box::new(|| Arc::new(TailControl::learned(1.0, 2))),
        Box::new(|| Arc::new(Harsh(Serialise::Prompt))),
        Box::new(|| Arc::new(Harsh(Serialise::Lazy))),
    ];
    let build =
        |make: &dyn Fn() -> Arc<dyn TailPolicy>| Pool::builder().threads(threads).policy(make()).build();
    policies.iter().map(|make| build(make).expect("a pool")).collect()
}

fn everywhere(check: impl Fn(&Pool)) {
    for threads in [1, 2, 5] {
        for pool in pools(threads) {
            check(&pool);
        }
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
fn join_gives_both_results() {
    everywhere(|pool| assert_eq!(pool.run(|| fib(18)), 2584));
    assert_eq!(fib(10), 55, "outside a pool, in place");
}

#[test]
fn many_requests_at_once_all_end() {
    everywhere(|pool| {
        let handles: Vec<_> = (0..40).map(|n| (n, pool.request(move || fib(n % 15)))).collect();
        for (n, handle) in handles {
            assert_eq!(handle.wait(), fib(n % 15));
        }
    });
}

#[test]
fn loops_visit_every_index_once() {
    everywhere(|pool| {
        let counts: Vec<AtomicUsize> = (0..5000).map(|_| AtomicUsize::new(0)).collect();
        let visit = |i: usize| {
            counts[i].fetch_add(1, Ordering::Relaxed);
        };
        pool.run(|| par_for(0..5000, visit));
        pool.run(|| par_for_grain(7..4999, 13, visit));
        pool.run(|| par_for(3..3, visit));
        let expected = |i: usize| if (7..4999).contains(&i) { 2 } else { 1 };
        assert!(counts.iter().enumerate().all(|(i, n)| n.load(Ordering::Relaxed) == expected(i)));
    });
}

#[test]
fn slices_are_changed_and_reduced_in_order() {
    everywhere(|pool| {
        let mut values: Vec<usize> = (0..3000).collect();
        pool.run(|| par_for_each(&mut values, |value| *value *= 2));
        assert!(values.iter().enumerate().all(|(i, value)| *value == 2 * i));
        let text = |i: usize| char::from(b'a' + (i % 26) as u8).to_string();
        let together = |mut a: String, b: String| {
            a.push_str(&b);
            a
        };
        let expected: String = (0..500).map(text).collect();
        assert_eq!(pool.run(|| par_reduce(0..500, String::new, text, together)), expected);
        assert_eq!(pool.run(|| par_reduce_grain(0..500, 7, String::new, text, together)), expected);
        let sum = pool.run(|| par_reduce_slice(&values, || 0, |value| *value, |a, b| a + b));
        assert_eq!(sum, 2999 * 3000);
    });
}

#[test]
fn a_fixed_grain_gives_the_same_bits_on_any_number_of_threads() {
    let root = |i: usize| 1.0 / (i as f64 + 1.0).sqrt();
    let sum = || par_reduce_grain(0..20_000, 64, || 0.0, root, |a, b| a + b);
    let expected: f64 = sum();
    everywhere(|pool| assert_eq!(pool.run(sum).to_bits(), expected.to_bits()));
}

#[test]
fn scopes_wait_for_nested_tasks() {
    everywhere(|pool| {
        let count = AtomicUsize::new(0);
        pool.run(|| {
            scope(|s| {
                for _ in 0..20 {
                    s.spawn(|s| {
                        count.fetch_add(1, Ordering::Relaxed);
                        s.spawn(|_| {
                            par_for(0..10, |_| {
                                count.fetch_add(1, Ordering::Relaxed);
                            });
                        });
                    });
                }
            });
            assert_eq!(count.load(Ordering::Relaxed), 220);
        });
    });
    let mut inline = 0;
    scope(|s| s.spawn(|_| inline += 1));
    assert_eq!(inline, 1, "outside a pool, in place");
}

#[test]
fn a_scope_used_from_another_request_runs_its_task_in_place() {
    let pools = pools(2);
    let (pool, other) = (&pools[0], &pools[1]);
    let count = AtomicUsize::new(0);
    let add = || {
        count.fetch_add(1, Ordering::Relaxed);
    };
    pool.run(|| {
        scope(|s| {
            pool.run(|| s.spawn(|_| add()));
            other.run(|| s.spawn(|_| add()));
            s.spawn(|_| add());
        });
    });
    assert_eq!(count.into_inner(), 3);
}

fn message(failure: &Failure) -> String {
    failure.to_string()
}

/// The tests' own panics need not fill the screen.
fn quietly<T>(run: impl FnOnce() -> T) -> T {
    static QUIET: std::sync::Once = std::sync::Once::new();
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if info.payload_as_str() != Some("on purpose") {
                usual(info);
            }
        }));
    });
    run()
}

fn fail() {
    panic!("on purpose");
}

fn fail_if(is_time: bool) {
    if is_time {
        fail();
    }
}

#[test]
fn panics_reach_the_one_who_asked() {
    quietly(|| {
        everywhere(|pool| {
            let ways: [fn(); 6] = [
                fail,
                || _ = join(fail, || fib(12)),
                || _ = join(|| fib(12), fail),
                || par_for(0..1000, |i| fail_if(i == 700)),
                || scope(|s| s.spawn(|_| fail())),
                || par_reduce(0..1000, || (), |i| fail_if(i == 3), |(), ()| ()),
            ];
            for way in ways {
                let failure = pool.request(way).join().expect_err("it panics");
                assert_eq!(message(&failure), "the request panicked: on purpose");
            }
            assert_eq!(pool.run(|| fib(10)), 55, "the pool goes on");
        });
    });
}

#[test]
fn a_request_that_waits_can_be_cancelled() {
    everywhere(|pool| {
        let (release, gate) = mpsc::channel::<()>();
        let gate = std::sync::Mutex::new(gate);
        let blockers: Vec<_> = (0..pool.threads() - 1).map(|_| pool.request(|| fib(5))).collect();
        let blocker = pool.request(move || gate.lock().expect("alone").recv());
        let victims: Vec<_> = (0..8).map(|_| pool.request(|| fib(5))).collect();
        victims.iter().for_each(muster_tail::Handle::cancel);
        drop(release);
        assert!(blocker.wait().is_err());
        blockers.into_iter().for_each(|handle| assert_eq!(handle.wait(), 5));
        for victim in victims {
            match victim.join() {
                Ok(value) => assert_eq!(value, 5),
                Err(Failure::Cancelled) => {}
                Err(Failure::Panicked(_)) => panic!("nothing panics here"),
            }
        }
        assert_eq!(pool.stats().load.active, 0);
    });
}

#[test]
fn a_running_loop_can_be_cancelled() {
    everywhere(|pool| {
        let (started, has_started) = mpsc::channel();
        let started = std::sync::Mutex::new(started);
        let endless = move || {
            par_for_grain(0..usize::MAX / 2, 1, |_| {
                let _ = started.lock().expect("no panic").send(());
            });
        };
        let handle = pool.request(endless);
        has_started.recv().expect("it starts");
        handle.cancel();
        assert!(matches!(handle.join(), Err(Failure::Cancelled)));
    });
}

#[test]
fn abort_ends_what_runs_and_what_waits() {
    for pool in pools(2) {
        let endless = || par_for_grain(0..usize::MAX / 2, 1, |_| std::hint::spin_loop());
        let handles: Vec<_> = (0..10).map(|_| pool.request(endless)).collect();
        pool.abort();
        for handle in handles {
            assert!(matches!(handle.join(), Err(Failure::Cancelled)));
        }
    }
}

#[test]
fn drop_waits_for_requests_whose_handles_are_gone() {
    let count = Arc::new(AtomicUsize::new(0));
    for pool in pools(2) {
        count.store(0, Ordering::Relaxed);
        for _ in 0..50 {
            let count = count.clone();
            drop(pool.request(move || count.fetch_add(1, Ordering::Relaxed)));
        }
        drop(pool);
        assert_eq!(count.load(Ordering::Relaxed), 50);
    }
}

#[test]
fn requests_wait_for_requests_without_a_deadlock() {
    everywhere(|pool| {
        let nested = pool.run(|| pool.run(|| pool.run(|| fib(8)) + 1) + 1);
        assert_eq!(nested, 23);
        let sum: u64 = pool.run(|| {
            let handles: Vec<_> = (0..20).map(|n| pool.request(move || fib(n % 10))).collect();
            handles.into_iter().map(muster_tail::Handle::wait).sum()
        });
        assert_eq!(sum, 2 * (0..10).map(fib).sum::<u64>());
    });
}

#[test]
fn a_handle_can_be_awaited() {
    use std::future::Future;
    use std::task::{Context, Poll, Wake, Waker};
    struct Unpark(std::thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    everywhere(|pool| {
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        let mut context = Context::from_waker(&waker);
        let mut handle = std::pin::pin!(pool.request(|| fib(15)));
        let result = loop {
            match handle.as_mut().poll(&mut context) {
                Poll::Ready(result) => break result,
                Poll::Pending => std::thread::park(),
            }
        };
        assert_eq!(result.expect("no panic"), 610);
    });
}

#[test]
fn a_harsh_policy_gives_up_what_it_sees() {
    let pool = Pool::builder().threads(2).policy(Harsh(Serialise::Prompt)).build().expect("a pool");
    let saw = pool.run(|| {
        par_for_grain(0..100, 1, |_| ());
        muster_tail::is_given_up()
    });
    assert!(saw, "a prompt policy is asked after each chunk");
    assert_eq!(pool.stats().given_up, 1);
}

#[test]
fn known_work_is_serialised_from_the_start() {
    let policy = KnownWork(TailControl::with_table(1.0, table(&[5.0])));
    let pool = Pool::builder().threads(2).policy(policy).build().expect("a pool");
    let ask = |ms| {
        let options = Options::new().work(Duration::from_millis(ms));
        pool.request_with(&options, muster_tail::is_given_up).expect("admitted").wait()
    };
    assert!(!ask(5), "at the threshold is not beyond it");
    assert!(ask(6));
}

/// Expects any request to take two milliseconds, whatever the load.
struct Slow;

impl TailPolicy for Slow {
    fn name(&self) -> &str {
        "slow"
    }
    fn latency_expected(&self, _: &Load) -> Option<f64> {
        Some(2.0)
    }
}

#[test]
fn a_request_that_would_be_late_is_queued_degraded_or_shed() {
    let pool = Pool::builder().threads(1).policy(Slow).build().expect("a pool");
    let ask = |target_ms, when_late| {
        let options = Options::new().target(Duration::from_millis(target_ms)).when_late(when_late);
        pool.request_with(&options, muster_tail::is_degraded).map(muster_tail::Handle::wait)
    };
    assert_eq!(ask(3, WhenLate::Shed), Ok(false), "in time");
    assert_eq!(ask(1, WhenLate::Queue), Ok(false));
    assert_eq!(ask(1, WhenLate::Degrade), Ok(true));
    let late = ask(1, WhenLate::Shed).expect_err("shed");
    let text = "the target of 1.000 cannot be met: 2.000 to be expected, with 0 requests active and 0 waiting on 1 cores";
    assert_eq!(late.to_string(), text);
}

#[test]
fn a_pool_of_no_threads_is_refused() {
    let error = Pool::builder().threads(0).build().expect_err("no threads");
    assert_eq!(error.to_string(), "a pool of 0 threads: allowed are 1 to 1024");
}
