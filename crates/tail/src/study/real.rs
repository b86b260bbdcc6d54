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
const COLUMNS: [&str; 8] =
    ["p50 sim", "p50 real", "p95 sim", "p95 real", "p99 sim", "p99 real", "given up sim", "given up real"];
const SEED: u64 = 1;

/// One way to run: threads, work, and what a leaf does.
struct Bed {
    cores: usize,
    law: Law,
    rate: f64,
    /// What a leaf is asked to take, and what it takes (once measured).
    leaf_ms: f64,
    leaf_real_ms: f64,
    sleeps: bool,
}

/// Two threads, leaves that keep a core busy.
pub fn two_threads(requests: usize) -> Figure {
    let law = Law::LogNormal { mean: 3.0, sd: 6.0 };
    let bed = Bed { cores: 2, law, rate: 0.45, leaf_ms: 0.1, leaf_real_ms: 0.1, sleeps: false };
    figure("real-2", "two threads against virtual time", &bed, requests)
}

/// Sixteen threads, leaves that sleep.
pub fn sixteen_emulated(requests: usize) -> Figure {
    let bed = Bed { cores: 16, law: Law::BingLike, rate: 1.0, leaf_ms: 1.0, leaf_real_ms: 1.0, sleeps: true };
    figure("real-16", "sixteen emulated cores against virtual time", &bed, requests)
}

fn figure(id: &'static str, title: &str, bed: &Bed, requests: usize) -> Figure {
    // A leaf takes longer than it was asked to; virtual time is told how long it really takes.
    let stretch = bed.measured_leaf_ms() / bed.leaf_ms;
    let asked = workload(&bed.law, &Arrivals::Poisson { rate: bed.rate / stretch }, requests, SEED);
    let offers: Vec<Offer> =
        asked.iter().map(|o| Offer { work: bed.leaves(o) as f64 * bed.leaf_ms * stretch, ..*o }).collect();
    let bed = &Bed { leaf_real_ms: bed.leaf_ms * stretch, ..*bed };
    let setup = Setup {
        cores: bed.cores,
        shape: Shape::one_loop(bed.leaf_ms * stretch * 1.000_001),
        victims: Victims::Random(SEED),
        trace: false,
    };
    let steal_first = run(&setup, &StealFirst, &offers).latencies;
    let target = percentile(&steal_first, 0.97);
    let tail_control = || bed.tail_control(&offers, bed.rate / stretch, target);
    let rows = vec![
        row(bed, &setup, &offers, || StealFirst),
        row(bed, &setup, &offers, || AdmitFirst),
        row(bed, &setup, &offers, || RandomPlacement),
        row(bed, &setup, &offers, || Renamed("tail-control, lazy", tail_control().lazy())),
        row(bed, &setup, &offers, || Renamed("tail-control, prompt", tail_control())),
        row(bed, &setup, &offers, || {
            Renamed("tail-control, learned", TailControl::learned(target, bed.cores))
        }),
        row(bed, &setup, &offers, || KnownWork(tail_control())),
    ];
    let settings = format!(
        "{} threads, {requests} requests, {:.0} rps, leaves of {:.3} ms (asked for {} ms), target {target:.1} ms (steal-first's 97 % \
         in virtual time). Latencies in ms from the scheduled arrival; one seed.",
        bed.cores,
        bed.rate / stretch * 1000.0,
        bed.leaf_ms * stretch,
        bed.leaf_ms
    );
    Figure { id, title: title.to_owned(), settings, columns: COLUMNS.to_vec(), rows, claims: Vec::new() }
}

fn row<P: TailPolicy>(bed: &Bed, setup: &Setup, offers: &[Offer], policy: impl Fn() -> P) -> Row {
    let label = policy().name().to_owned();
    let virtual_run = run(setup, &policy(), offers);
    let (real, given_up) = bed.run_for_real(policy(), offers);
    let at = |latencies: &[f64], share: f64| Cell::One(percentile(latencies, share));
    let pairs = SHARES.iter().flat_map(|&share| [at(&virtual_run.latencies, share), at(&real, share)]);
    let given_up = [Cell::One(virtual_run.marked as f64), Cell::One(given_up as f64)];
    Row { label, cells: pairs.chain(given_up).collect() }
}

impl Bed {
    fn leaves(&self, offer: &Offer) -> usize {
        (offer.work / self.leaf_ms).ceil().max(1.0) as usize
    }

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

    fn tail_control(&self, offers: &[Offer], rate: f64, target: f64) -> TailControl {
        let works: Vec<f64> = offers.iter().map(|offer| offer.work).collect();
        let largest = works.iter().copied().fold(1.0, f64::max);
        let work = Work::observed(&works, largest.ceil() as usize * 4).expect("works are above 0");
        let model = Model { target, rate, cores: self.cores, work };
        TailControl::new(model).expect("the settings keep the machine below its capacity")
    }

    /// Sends every request at its time, whatever happened to those before, and waits for all.
    fn run_for_real(&self, policy: impl TailPolicy, offers: &[Offer]) -> (Vec<f64>, u64) {
        let pool =
            Pool::builder().threads(self.cores).policy(policy).build().expect("the system starts threads");
        let latencies: Arc<Vec<AtomicU64>> = Arc::new(offers.iter().map(|_| AtomicU64::new(0)).collect());
        let (start, leaf) = (Instant::now(), self.leaf());
        let mut handles = Vec::with_capacity(offers.len());
        for (i, offer) in offers.iter().enumerate() {
            let scheduled = start + Duration::from_secs_f64(offer.arrival / 1e3);
            wait_until(scheduled);
            let (latencies, leaves) = (latencies.clone(), (offer.work / self.leaf_real_ms).round() as usize);
            let options = Options::new().work(Duration::from_secs_f64(offer.work / 1e3));
            let request = move || {
                par_for_grain(0..leaves.max(1), 1, |_| leaf());
                latencies[i].store(scheduled.elapsed().as_nanos() as u64, Ordering::Relaxed);
            };
            handles
                .push(pool.request_with(&options, request).expect("the options say to queue, never to shed"));
        }
        handles.into_iter().for_each(crate::Handle::wait);
        let given_up = pool.stats().given_up;
        (latencies.iter().map(|nanos| nanos.load(Ordering::Relaxed) as f64 / 1e6).collect(), given_up)
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
                std::thread::sleep(left - Duration::from_micros(100))
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
