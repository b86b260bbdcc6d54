//! Real threads beside virtual time: the same requests, open loop, latency from the scheduled arrival. Two threads with
//! leaves that keep a core busy, and sixteen with leaves that sleep (emulated cores, which exercise the real deques,
//! marking and hand-over on any machine). Shows percentiles side by side; nothing here is a test of speed.

use super::figure::{Cell, Figure, Row};
use crate::par_for_grain;
use crate::policy::{Finished, Goal, Load, Progress, Serialise};
use crate::sim::{Arrivals, Law, Offer, Setup, Shape, Victims, percentile, run, workload};
use crate::{
    AdmitFirst, KnownWork, Model, Options, Pool, RandomPlacement, StealFirst, TailControl, TailPolicy, Work,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const SHARES: [f64; 3] = [0.5, 0.95, 0.99];
const COLUMNS: [&str; 9] = [
    "leaf ms",
    "p50 sim",
    "p50 real",
    "p95 sim",
    "p95 real",
    "p99 sim",
    "p99 real",
    "given up sim",
    "given up real",
];
const SEED: u64 = 1;

/// One way to run: threads, work, and what a leaf does.
struct Bed {
    cores: usize,
    law: Law,
    rate: f64,
    /// What a leaf is asked to take; it takes a little more.
    leaf_ms: f64,
    /// How much more, as measured beforehand.
    stretch: f64,
    sleeps: bool,
}

/// Two threads, leaves that keep a core busy.
pub fn two_threads(requests: usize) -> Figure {
    let law = Law::LogNormal { mean: 3.0, sd: 6.0 };
    let bed = Bed { cores: 2, law, rate: 0.45, leaf_ms: 0.1, stretch: 1.0, sleeps: false };
    figure("real-2", "two threads against virtual time", &bed, requests)
}

/// Sixteen threads, leaves that sleep.
pub fn sixteen_emulated(requests: usize) -> Figure {
    let bed = Bed { cores: 16, law: Law::BingLike, rate: 1.0, leaf_ms: 1.0, stretch: 1.0, sleeps: true };
    figure("real-16", "sixteen emulated cores against virtual time", &bed, requests)
}

fn figure(id: &'static str, title: &str, bed: &Bed, requests: usize) -> Figure {
    // A busy machine makes leaves longer; then requests come more slowly, so that the load stays the same.
    let leaf_ms = bed.measured_leaf_ms();
    let stretch = leaf_ms / bed.leaf_ms;
    let bed = &Bed { rate: bed.rate / stretch, stretch, ..*bed };
    let drawn = workload(&bed.law, &Arrivals::Poisson { rate: bed.rate }, requests, SEED);
    let offers = bed.offers(&drawn, leaf_ms);
    let steal_first = run(&bed.setup(leaf_ms), &StealFirst, &offers).latencies;
    let target = percentile(&steal_first, 0.97);
    let tail_control = || bed.tail_control(&offers, target);
    let rows = vec![
        bed.row(&drawn, || StealFirst),
        bed.row(&drawn, || AdmitFirst),
        bed.row(&drawn, || RandomPlacement),
        bed.row(&drawn, || Renamed("tail-control, lazy", tail_control().lazy())),
        bed.row(&drawn, || Renamed("tail-control, prompt", tail_control())),
        bed.row(&drawn, || Renamed("tail-control, learned", TailControl::learned(target, bed.cores))),
        bed.row(&drawn, || KnownWork(tail_control())),
    ];
    let settings = format!(
        "{} threads, {requests} requests, {:.0} rps, leaves asked to take {} ms; virtual time takes the mean length of a leaf from \
         each real run. Target {target:.1} ms (steal-first's 97 % in virtual time). Latencies in ms from the scheduled \
         arrival; one seed. What else runs on the machine shows in the real columns.",
        bed.cores,
        bed.rate * 1000.0,
        bed.leaf_ms
    );
    Figure { id, title: title.to_owned(), settings, columns: COLUMNS.to_vec(), rows, claims: Vec::new() }
}

/// What a real run gave.
struct Real {
    latencies: Vec<f64>,
    given_up: u64,
    leaf_ms: f64,
}

impl Bed {
    fn row<P: TailPolicy>(&self, drawn: &[Offer], policy: impl Fn() -> P) -> Row {
        let real = self.run_for_real(policy(), drawn);
        let virtual_run = run(&self.setup(real.leaf_ms), &policy(), &self.offers(drawn, real.leaf_ms));
        let at = |latencies: &[f64], share: f64| Cell::One(percentile(latencies, share));
        let pairs =
            SHARES.iter().flat_map(|&share| [at(&virtual_run.latencies, share), at(&real.latencies, share)]);
        let given_up = [Cell::One(virtual_run.marked as f64), Cell::One(real.given_up as f64)];
        let cells = [Cell::One(real.leaf_ms)].into_iter().chain(pairs).chain(given_up).collect();
        Row { label: policy().name().to_owned(), cells }
    }

    fn leaves(&self, offer: &Offer) -> usize {
        (offer.work / self.leaf_ms).ceil().max(1.0) as usize
    }

    /// The requests as they are if a leaf takes so long.
    fn offers(&self, drawn: &[Offer], leaf_ms: f64) -> Vec<Offer> {
        drawn.iter().map(|offer| Offer { work: self.leaves(offer) as f64 * leaf_ms, ..*offer }).collect()
    }

    fn setup(&self, leaf_ms: f64) -> Setup {
        // A hair more than a leaf, so that rounding does not add one.
        let shape = Shape::one_loop(leaf_ms * 1.000_001);
        Setup { cores: self.cores, shape, victims: Victims::Random(SEED), trace: false }
    }

    /// What a leaf does.
    fn leaf(&self) -> impl Fn() + Copy + Send + Sync + use<> {
        let (length, sleeps) = (Duration::from_secs_f64(self.leaf_ms / 1e3), self.sleeps);
        move || if sleeps { std::thread::sleep(length) } else { spin_for(length) }
    }

    /// The mean of a few leaves, on all threads at once.
    fn measured_leaf_ms(&self) -> f64 {
        let leaf = self.leaf();
        let repeat = 50;
        let start = Instant::now();
        std::thread::scope(|s| {
            (0..self.cores).for_each(|_| _ = s.spawn(|| (0..repeat).for_each(|_| leaf())));
        });
        start.elapsed().as_secs_f64() * 1e3 / f64::from(repeat)
    }

    fn tail_control(&self, offers: &[Offer], target: f64) -> TailControl {
        let works: Vec<f64> = offers.iter().map(|offer| offer.work).collect();
        let largest = works.iter().copied().fold(1.0, f64::max);
        let work = Work::observed(&works, largest.ceil() as usize * 4).expect("works are above 0");
        // A loaded machine can push the leaves so far that the table would be refused: then for a lower rate.
        let rate = self.rate.min(0.95 * self.cores as f64 / work.mean());
        let model = Model { target, rate, cores: self.cores, work };
        TailControl::new(model).expect("the rate keeps the machine below its capacity")
    }

    /// Sends every request at its time, whatever happened to those before, and waits for all.
    fn run_for_real(&self, policy: impl TailPolicy, drawn: &[Offer]) -> Real {
        let pool =
            Pool::builder().threads(self.cores).policy(policy).build().expect("the system starts threads");
        let (spent, leaf, start) = (Arc::new(AtomicU64::new(0)), self.leaf(), Instant::now());
        let mut handles = Vec::with_capacity(drawn.len());
        let mut leaves_all = 0;
        for offer in drawn {
            let scheduled = start + Duration::from_secs_f64(offer.arrival / 1e3);
            wait_until(scheduled);
            let (leaves, spent) = (self.leaves(offer), spent.clone());
            leaves_all += leaves;
            let timed = move |_: usize| {
                let start = Instant::now();
                leaf();
                spent.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
            };
            let request = move || {
                par_for_grain(0..leaves, 1, timed);
                scheduled.elapsed().as_secs_f64() * 1e3
            };
            let options = Options::new().work(Duration::from_secs_f64(offer.work * self.stretch / 1e3));
            handles
                .push(pool.request_with(&options, request).expect("the options say to queue, never to shed"));
        }
        let latencies = handles.into_iter().map(crate::Handle::wait).collect();
        let leaf_ms = spent.load(Ordering::Relaxed) as f64 / 1e6 / leaves_all as f64;
        Real { latencies, given_up: pool.stats().given_up, leaf_ms }
    }
}

fn spin_for(length: Duration) {
    let start = Instant::now();
    while start.elapsed() < length {
        std::hint::spin_loop();
    }
}

/// Sleeps most of the way and yields the rest, so as not to take a core from the pool.
fn wait_until(moment: Instant) {
    loop {
        let left = moment.saturating_duration_since(Instant::now());
        match left {
            Duration::ZERO => return,
            left if left > Duration::from_micros(200) => {
                std::thread::sleep(left - Duration::from_micros(100));
            }
            _ => std::thread::yield_now(),
        }
    }
}

/// A policy under another name.
struct Renamed<P>(&'static str, P);

impl<P: TailPolicy> TailPolicy for Renamed<P> {
    fn name(&self) -> &str {
        self.0
    }
    fn serialise(&self) -> Serialise {
        self.1.serialise()
    }
    fn watches(&self) -> bool {
        self.1.watches()
    }
    fn is_large(&self, load: &Load, request: &Progress) -> bool {
        self.1.is_large(load, request)
    }
    fn arrived(&self, now: f64, load: &Load, goal: Goal) {
        self.1.arrived(now, load, goal);
    }
    fn finished(&self, finished: &Finished) {
        self.1.finished(finished);
    }
}
