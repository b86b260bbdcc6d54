//! A soak: many requests with panics, cancellations and random policies. None is lost, nothing leaks.
//! 20,000 requests; a million with MUSTER_LONG=1.

use muster_tail::sim::Draw;
use muster_tail::{
    AdmitFirst, Failure, Handle, KnownWork, Load, Options, Pool, Progress, RandomPlacement, Serialise,
    StealFirst, Table, TailControl, TailPolicy, WhenLate, join, par_for_grain, par_reduce, scope,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::time::Duration;

/// Counts the bytes that are in use.
struct Counting;

static LIVE: AtomicIsize = AtomicIsize::new(0);

// SAFETY: hands everything to the system's allocator; the count has no effect on it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size() as isize, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as isize, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Gives requests up by the flip of a coin.
struct Fickle(Serialise, AtomicIsize);

impl TailPolicy for Fickle {
    fn name(&self) -> &str {
        "fickle"
    }
    fn watches(&self) -> bool {
        true
    }
    fn serialise(&self) -> Serialise {
        self.0
    }
    fn is_large(&self, _: &Load, _: &Progress) -> bool {
        self.1.fetch_add(1, Ordering::Relaxed) % 3 == 0
    }
}

fn policy(draw: &mut Draw) -> Arc<dyn TailPolicy> {
    let table = || Table::from_thresholds(vec![1e9, 0.05, 0.01]).expect("a table");
    match draw.below(8) {
        0 => Arc::new(StealFirst),
        1 => Arc::new(AdmitFirst),
        2 => Arc::new(RandomPlacement),
        3 => Arc::new(TailControl::with_table(1.0, table())),
        4 => Arc::new(TailControl::with_table(1.0, table()).lazy()),
        5 => Arc::new(KnownWork(TailControl::with_table(1.0, table()).learning(2))),
        6 => Arc::new(Fickle(Serialise::Prompt, AtomicIsize::new(0))),
        _ => Arc::new(Fickle(Serialise::Lazy, AtomicIsize::new(0))),
    }
}

fn fib(n: usize) -> usize {
    if n < 2 {
        return n;
    }
    let (a, b) = join(|| fib(n - 1), || fib(n - 2));
    a + b
}

/// What a request of this kind and size does, and what it gives. The token shows that nothing is kept.
fn work(kind: usize, size: usize, token: &Arc<()>) -> usize {
    let _held = token.clone();
    match kind {
        0 => fib(size % 12),
        1 => par_reduce(0..size * 8, || 0, |i| i, |a, b| a + b),
        2 => {
            par_for_grain(0..size, 4, |_| drop(token.clone()));
            size
        }
        3 => {
            let count = AtomicIsize::new(0);
            scope(|s| (0..size % 9).for_each(|_| s.spawn(|_| _ = count.fetch_add(1, Ordering::Relaxed))));
            count.into_inner() as usize
        }
        4 => join(|| par_reduce(0..size, || 0, |i| i, |a, b| a + b), || fib(size % 8)).0,
        _ => panic!("on purpose"),
    }
}

struct Asked {
    kind: usize,
    size: usize,
    cancelled: bool,
    handle: Handle<usize>,
}

impl Asked {
    /// The answer is what the same work gives in place; a cancelled request may have none.
    fn check(self, token: &Arc<()>) {
        match self.handle.join() {
            Ok(value) => assert_eq!(value, work(self.kind, self.size, token)),
            Err(Failure::Cancelled) => assert!(self.cancelled, "only what was cancelled has no answer"),
            Err(Failure::Panicked(_)) => assert_eq!(self.kind, 5, "only what panics has panicked"),
        }
    }
}

fn ask(pool: &Pool, draw: &mut Draw, token: &Arc<()>) -> Asked {
    let (kind, size) = (if draw.below(20) == 0 { 5 } else { draw.below(5) }, draw.below(200));
    let held = token.clone();
    let mut options = Options::new().work(Duration::from_micros(draw.below(100) as u64));
    if draw.below(4) == 0 {
        options = options.target(Duration::from_micros(20)).weight(2.0).when_late(WhenLate::Degrade);
    } else if draw.below(4) == 0 {
        options = options.batch();
    }
    let handle = pool.request_with(&options, move || work(kind, size, &held)).expect("nothing is shed");
    let cancelled = draw.below(10) == 0;
    if cancelled {
        handle.cancel();
    }
    Asked { kind, size, cancelled, handle }
}

/// One pool: its requests are answered, most of them after a while, and some handles are let go.
fn episode(seed: u64, requests: usize, token: &Arc<()>) {
    let mut draw = Draw::new(seed);
    let threads = 1 + draw.below(4);
    let pool = Pool::builder().threads(threads).spare_threads(draw.below(3)).policy(policy(&mut draw));
    let pool = pool.build().expect("a pool");
    let mut open = Vec::new();
    for _ in 0..requests {
        let asked = ask(&pool, &mut draw, token);
        match draw.below(8) {
            0 => drop(asked.handle),
            1 => asked.check(token),
            _ => open.push(asked),
        }
        if open.len() > 64 {
            open.drain(..).for_each(|asked| asked.check(token));
        }
    }
    open.into_iter().for_each(|asked| asked.check(token));
    if draw.below(4) == 0 { pool.abort() } else { drop(pool) }
}

fn quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.payload_as_str() != Some("on purpose") {
            usual(info);
        }
    }));
}

#[test]
fn a_soak_loses_no_request_and_leaks_nothing() {
    quiet();
    let long = std::env::var("MUSTER_LONG").is_ok_and(|value| value == "1");
    let (episodes, requests) = if long { (200, 5_000) } else { (40, 500) };
    let token = Arc::new(());
    for seed in 0..3 {
        episode(seed, 500, &token); // whatever is allocated once and kept is allocated now
    }
    let before = LIVE.load(Ordering::SeqCst);
    for seed in 0..episodes {
        episode(seed, requests, &token);
        assert_eq!(Arc::strong_count(&token), 1, "seed {seed}: something still holds a request's token");
    }
    let grown = LIVE.load(Ordering::SeqCst) - before;
    // Deque buffers are freed some time after their last use; a leak would be at least a few bytes a request.
    assert!(
        grown < 64 * 1024,
        "{grown} bytes more are in use after {} requests",
        episodes as usize * requests
    );
}
