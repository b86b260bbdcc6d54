//! The virtual machine: cores, deques, the shared queue, and the order of events. Asks the policy whatever the
//! real pool asks. Events happen by time; at equal times leaf ends by core, then arrivals by number; after each
//! event the idle cores look for work in their order. Start at [`run`], then `Machine::look_for_work`.

use super::draw::Draw;
use super::request::{Live, Offer, Shape};
use super::set::Set;
use crate::lanes::Lanes;
use crate::policy::{Finished, Goal, Load, Order, Placement, Serialise, TailPolicy};
use std::collections::VecDeque;

/// The machine and how its requests are cut.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Cores.
    pub cores: usize,
    /// How requests fall into leaves and loops.
    pub shape: Shape,
    /// Whom a thief tries first.
    pub victims: Victims,
    /// Whether to record how many requests were active over time.
    pub trace: bool,
}

/// Whom a thief tries first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victims {
    /// The next core after the thief, and so on around.
    Cyclic,
    /// A random core, and so on around from it. The seed also places requests for random-placement.
    Random(u64),
}

/// How many requests were active from a moment on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The moment.
    pub time: f64,
    /// Active requests from then on.
    pub active: usize,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Latency of each request, in the order they were offered.
    pub latencies: Vec<f64>,
    /// Requests that were given up.
    pub marked: usize,
    /// Active requests over time, if asked for.
    pub trace: Vec<Point>,
}

/// Runs all offers (sorted by arrival) to their end.
pub fn run<P: TailPolicy + ?Sized>(setup: &Setup, policy: &P, offers: &[Offer]) -> Outcome {
    let mut machine = Machine::new(setup, policy, offers);
    while machine.step() {}
    Outcome { latencies: machine.latencies, marked: machine.marked, trace: machine.trace }
}

#[derive(Clone, Copy)]
struct Piece {
    request: usize,
    low: u32,
    high: u32,
}

struct Core {
    deque: VecDeque<Piece>,
    request: Option<usize>,
    start: f64,
}

struct Machine<'a, P: ?Sized> {
    setup: &'a Setup,
    policy: &'a P,
    offers: &'a [Offer],
    arrived: usize,
    now: f64,
    cores: Vec<Core>,
    /// When each core's leaf ends; infinite if it is idle.
    ends: Vec<f64>,
    idle: Set,
    /// Cores whose deque is not empty.
    stocked: Set,
    live: Vec<Option<Live>>,
    lanes: Lanes<usize>,
    active: usize,
    draw: Draw,
    latencies: Vec<f64>,
    marked: usize,
    /// Checks of all cores so far, so that a request on several cores is looked at once.
    checks: u64,
    trace: Vec<Point>,
}

impl<'a, P: TailPolicy + ?Sized> Machine<'a, P> {
    fn new(setup: &'a Setup, policy: &'a P, offers: &'a [Offer]) -> Self {
        let core = || Core { deque: VecDeque::new(), request: None, start: 0.0 };
        let seed = if let Victims::Random(seed) = setup.victims { seed } else { 0 };
        Self {
            setup,
            policy,
            offers,
            arrived: 0,
            now: 0.0,
            cores: (0..setup.cores).map(|_| core()).collect(),
            ends: vec![f64::INFINITY; setup.cores],
            idle: all(setup.cores),
            stocked: Set::new(setup.cores),
            live: Vec::with_capacity(offers.len()),
            lanes: Lanes::default(),
            active: 0,
            draw: Draw::new(seed),
            latencies: vec![0.0; offers.len()],
            marked: 0,
            checks: 0,
            trace: Vec::new(),
        }
    }

    /// One event; `false` when nothing is left to happen.
    fn step(&mut self) -> bool {
        let (core, end) = self.first_end();
        match self.offers.get(self.arrived) {
            Some(offer) if offer.arrival < end => {
                self.now = offer.arrival;
                self.arrival(*offer);
            }
            _ if end.is_finite() => {
                self.now = end;
                self.leaf_end(core);
            }
            _ => return false,
        }
        if let Some(first) = self.idle.next(0) {
            self.look_for_work(first);
        }
        true
    }

    fn first_end(&self) -> (usize, f64) {
        let mut first = (0, f64::INFINITY);
        for (core, &end) in self.ends.iter().enumerate() {
            if end < first.1 {
                first = (core, end);
            }
        }
        first
    }

    fn load(&self) -> Load {
        Load { active: self.active, waiting: self.lanes.len(), cores: self.setup.cores }
    }

    fn arrival(&mut self, offer: Offer) {
        let request = self.arrived;
        self.arrived += 1;
        self.live.push(Some(Live::new(offer, &self.setup.shape)));
        self.count_active(1);
        self.policy.arrived(self.now, &self.load(), offer.goal);
        match self.policy.placement() {
            Placement::Shared => self.lanes.push(request, offer.goal == Goal::Batch),
            Placement::RandomWorker => {
                let piece = self.first_piece(request);
                let core = self.draw.below(self.setup.cores);
                self.cores[core].deque.push_front(piece);
                self.stocked.insert(core);
            }
        }
    }

    fn count_active(&mut self, change: isize) {
        self.active = self.active.wrapping_add_signed(change);
        if self.setup.trace {
            self.trace.push(Point { time: self.now, active: self.active });
        }
    }

    fn request(&mut self, request: usize) -> &mut Live {
        self.live[request].as_mut().expect("a request is live until its last leaf ends")
    }

    fn first_piece(&mut self, request: usize) -> Piece {
        let shape = self.setup.shape;
        let leaves = self.request(request).next_stage(&shape).expect("a request has at least one leaf");
        Piece { request, low: 0, high: leaves }
    }

    fn leaf_end(&mut self, core: usize) {
        let (now, start, shape) = (self.now, self.cores[core].start, self.setup.shape);
        let request = self.cores[core].request.take().expect("a core whose leaf ends has a request");
        self.ends[core] = f64::INFINITY;
        self.idle.insert(core);
        let live = self.request(request);
        live.leaf_ends(start, now);
        if live.stage_left > 0 {
            self.check_at_leaf(core, request);
        } else if let Some(leaves) = live.next_stage(&shape) {
            self.check_at_leaf(core, request);
            return self.take(core, Piece { request, low: 0, high: leaves });
        } else {
            self.finish(request);
        }
        if let Some(piece) = self.pop(core) {
            self.take(core, piece);
        }
    }

    fn finish(&mut self, request: usize) {
        let live = self.live[request].take().expect("a request finishes once");
        self.count_active(-1);
        let latency = self.now - live.offer.arrival;
        self.latencies[request] = latency;
        let work = live.progress(self.now).processed;
        self.policy.finished(&Finished { now: self.now, work, latency });
    }

    fn pop(&mut self, core: usize) -> Option<Piece> {
        let piece = self.cores[core].deque.pop_back()?;
        self.restock(core);
        Some(piece)
    }

    /// The deque of this core has changed.
    fn restock(&mut self, core: usize) {
        if self.cores[core].deque.is_empty() { self.stocked.remove(core) } else { self.stocked.insert(core) }
    }

    /// Halves the piece down to one leaf, leaves the other halves for thieves, and starts the leaf.
    fn take(&mut self, core: usize, piece: Piece) {
        let Piece { request, low, mut high } = piece;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            self.cores[core].deque.push_back(Piece { request, low: middle, high });
            high = middle;
        }
        self.restock(core);
        let now = self.now;
        let live = self.request(request);
        live.leaf_starts(now);
        let leaf = live.stage_leaf;
        self.cores[core].request = Some(request);
        self.cores[core].start = now;
        self.ends[core] = now + leaf;
        self.idle.remove(core);
    }

    fn look_for_work(&mut self, first: usize) {
        if self.policy.watches() {
            self.check_all();
        }
        let mut next = Some(first);
        while let Some(core) = next {
            if self.lanes.is_empty() && self.stocked.next(0).is_none() {
                return;
            }
            if let Some(piece) = self.find_work(core) {
                self.take(core, piece);
            }
            next = self.idle.next(core + 1);
        }
    }

    fn find_work(&mut self, core: usize) -> Option<Piece> {
        if let Some(piece) = self.pop(core) {
            return Some(piece);
        }
        match self.policy.order(&self.load()) {
            Order::StealFirst => self.steal(core).or_else(|| self.admit()),
            Order::AdmitFirst => self.admit().or_else(|| self.steal(core)),
        }
    }

    fn steal(&mut self, thief: usize) -> Option<Piece> {
        self.stocked.next(0)?;
        let first = match self.setup.victims {
            Victims::Cyclic => thief + 1,
            Victims::Random(_) => self.draw.below(self.setup.cores),
        };
        let is_stealable = |core: usize| {
            let top = self.cores[core].deque.front().and_then(|piece| self.live[piece.request].as_ref());
            core != thief && top.is_some_and(|request| !request.marked)
        };
        let victim = self.stocked.around(first, is_stealable)?;
        let piece = self.cores[victim].deque.pop_front();
        self.restock(victim);
        piece
    }

    fn admit(&mut self) -> Option<Piece> {
        let request = self.lanes.pop()?;
        let (load, now) = (self.load(), self.now);
        let progress = self.request(request).progress(now);
        if self.policy.is_large_at_start(&load, &progress) {
            self.mark(request);
        }
        Some(self.first_piece(request))
    }

    fn mark(&mut self, request: usize) {
        self.request(request).marked = true;
        self.marked += 1;
    }

    fn is_large(&mut self, request: usize) -> bool {
        let (load, now) = (self.load(), self.now);
        let live = self.live[request].as_ref().expect("checked while live");
        !live.marked && self.policy.is_large(&load, &live.progress(now))
    }

    /// What a thief does before it steals: looks at the requests of all cores.
    fn check_all(&mut self) {
        self.checks += 1;
        for core in 0..self.setup.cores {
            let Some(request) = self.cores[core].request else { continue };
            let check = self.checks;
            let seen = std::mem::replace(&mut self.request(request).checked, check);
            if seen != check && self.is_large(request) {
                self.mark(request);
                self.gather(core, request);
            }
        }
    }

    /// What a prompt policy does in addition: each core looks at its own request after each leaf.
    fn check_at_leaf(&mut self, core: usize, request: usize) {
        let prompt = self.policy.watches() && self.policy.serialise() == Serialise::Prompt;
        if prompt && self.is_large(request) {
            self.mark(request);
            self.gather(core, request);
        }
    }

    /// Hands the queued pieces of a marked request to one core, if the policy is prompt.
    fn gather(&mut self, keeper: usize, request: usize) {
        if self.policy.serialise() == Serialise::Lazy {
            return;
        }
        let mut pieces: Vec<Piece> = Vec::new();
        for core in 0..self.setup.cores {
            let deque = &mut self.cores[core].deque;
            pieces.extend(deque.iter().filter(|piece| piece.request == request));
            deque.retain(|piece| piece.request != request);
            self.restock(core);
        }
        self.cores[keeper].deque.extend(pieces);
        self.restock(keeper);
    }
}

fn all(cores: usize) -> Set {
    let mut set = Set::new(cores);
    (0..cores).for_each(|core| set.insert(core));
    set
}
