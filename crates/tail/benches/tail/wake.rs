//! How long a request waits for its first instruction when the pool has been idle for a while. Beside rayon and TBB.

use crate::joins::rayon_pool;
use crate::measure::{line, quantile};
use crate::tbb;
use muster_tail::Pool;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// Contestants take turns in blocks, so that one's waking is not the other's idle time.
const BLOCKS: usize = 10;
const BLOCK: usize = 40;

pub(crate) fn run() {
    for threads in [1, 2] {
        let pool = Pool::builder().threads(threads).build().expect("a pool");
        let rayon_pool = rayon_pool(threads);
        let ours = |start: Instant, done: Sender<f64>| drop(pool.request(move || tell(start, &done)));
        let theirs = |start: Instant, done: Sender<f64>| rayon_pool.spawn(move || tell(start, &done));
        for idle_us in [5, 200, 2000] {
            let (mut us, mut rayon) = (Vec::new(), Vec::new());
            for _ in 0..BLOCKS {
                us.extend((0..BLOCK).map(|_| delay(idle_us, ours)));
                rayon.extend((0..BLOCK).map(|_| delay(idle_us, theirs)));
            }
            for (figure, share) in [("p50", 0.5), ("p99", 0.99)] {
                let name = format!("wake after {idle_us} us idle, {threads} threads, {figure}");
                let value = quantile(&us, share);
                line(&name, value, "us", Some(("rayon", quantile(&rayon, share))));
                for (peer, peer_value) in tbb::ask(&format!("wake-{idle_us}-{figure}"), threads) {
                    line(&name, value, "us", Some((peer, peer_value)));
                }
            }
        }
    }
}

fn tell(start: Instant, done: &Sender<f64>) {
    let _ = done.send(start.elapsed().as_nanos() as f64 / 1e3);
}

/// Idles without giving the core up, then asks; microseconds until the first instruction.
fn delay(idle_us: u64, ask: impl Fn(Instant, Sender<f64>)) -> f64 {
    let (done, is_done) = channel();
    let idle = Instant::now();
    while idle.elapsed() < Duration::from_micros(idle_us) {
        std::hint::spin_loop();
    }
    ask(Instant::now(), done);
    is_done.recv().expect("it runs")
}
