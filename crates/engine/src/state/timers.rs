//! When the engine next wants to be woken, and for what. Does not know what is done then.
//!
//! Invariant: what is due is a function of the state alone, never of how it came about; so a rebuilt engine wakes at
//! the same moments. At equal times the order is that of [`Due`].

use std::collections::BTreeSet;

use crate::ids::{PoolId, RecruitId, TenantId, WorkerId};
use crate::table::Slot;
use crate::time::Time;

use super::worker::Worker;

/// What is due, in the order in which it is done at equal times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Due {
    /// A lease runs out, or a worker has not been heard of for too long.
    Watch(WorkerId),
    /// Recruits have not come.
    Recruit(RecruitId),
    /// A pool's wages are paid: before a new interval begins, as they are of the old one.
    Settle(PoolId),
    /// A tenant's budget interval begins.
    Interval(TenantId),
    /// People who left are replaced.
    Replacement(PoolId),
    /// The size of a pool is looked at.
    Scaling(PoolId),
    /// The balance between pools is looked at.
    Balance,
    /// A machine's billing period ends.
    Billing(WorkerId),
}

/// All timers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timers {
    watch: WorkerTimers,
    billing: WorkerTimers,
    rare: BTreeSet<(Time, Due)>,
}

impl Timers {
    /// The earliest thing due, and when.
    pub(crate) fn next(&self) -> Option<(Time, Due)> {
        let watch = self.watch.first().map(|(at, worker)| (at, Due::Watch(worker)));
        let billing = self.billing.first().map(|(at, worker)| (at, Due::Billing(worker)));
        let rare = self.rare.first().copied();
        [watch, rare, billing].into_iter().flatten().min()
    }

    /// When that is. Asked before every command, so it does not look for what.
    pub(crate) fn next_at(&self) -> Option<Time> {
        let rare = self.rare.first().map_or(Time::MAX, |(at, _)| *at);
        let at = rare.min(self.watch.first_at()).min(self.billing.first_at());
        (at != Time::MAX).then_some(at)
    }

    #[inline]
    pub(crate) fn watch(&mut self, slot: Slot<Worker>, worker: WorkerId, at: Option<Time>) {
        self.watch.set(slot, worker, at);
    }

    #[inline]
    pub(crate) fn bill(&mut self, slot: Slot<Worker>, worker: WorkerId, at: Option<Time>) {
        self.billing.set(slot, worker, at);
    }

    /// Machines whose billing period ends no later than `now`.
    pub(crate) fn billing_due(&self, now: Time) -> impl Iterator<Item = Slot<Worker>> {
        self.billing.due(now)
    }

    /// Moves a rare timer from one time to another; `Time::MAX` is never.
    pub(crate) fn reset(&mut self, due: Due, from: Time, to: Time) {
        self.rare.remove(&(from, due));
        if to != Time::MAX {
            self.rare.insert((to, due));
        }
    }
}

/// One timer per worker. Most are set in the order in which they are due (leases of one length, given one after the
/// other): these stand in a line, and setting or ending one costs the same however many there are. Others go to a heap.
#[derive(Clone, Debug, Default)]
struct WorkerTimers {
    line: WorkerLine,
    heap: WorkerHeap,
}

impl WorkerTimers {
    fn first(&self) -> Option<(Time, WorkerId)> {
        [self.line.first(), self.heap.first()].into_iter().flatten().min()
    }

    fn first_at(&self) -> Time {
        let at = |first: Option<(Time, WorkerId)>| first.map_or(Time::MAX, |(at, _)| at);
        at(self.line.first()).min(at(self.heap.first()))
    }

    fn due(&self, now: Time) -> impl Iterator<Item = Slot<Worker>> {
        let heap = self.heap.heap.iter().filter(move |entry| entry.at <= now).map(|entry| entry.slot);
        heap.chain(self.line.until(now))
    }

    fn set(&mut self, slot: Slot<Worker>, worker: WorkerId, at: Option<Time>) {
        self.line.remove(slot);
        let at = at.filter(|at| *at != Time::MAX);
        let in_line = at.is_some_and(|at| self.line.insert(slot, worker, at));
        self.heap.set(slot, worker, if in_line { None } else { at });
    }
}

/// Timers in the order in which they are due, each knowing its neighbours.
#[derive(Clone, Debug, Default)]
struct WorkerLine {
    /// For each worker's place, its timer; `Time::MAX` if it is not in the line.
    nodes: Vec<Node>,
    ends: Option<(u32, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    at: Time,
    worker: WorkerId,
    before: u32,
    after: u32,
}

impl Node {
    const NONE: Self = Self { at: Time::MAX, worker: WorkerId(0), before: NOWHERE, after: NOWHERE };

    fn key(&self) -> (Time, WorkerId) {
        (self.at, self.worker)
    }
}

/// A timer that would have to pass more than so many others goes to the heap.
const PASSES_MOST: u32 = 8;

impl WorkerLine {
    fn first(&self) -> Option<(Time, WorkerId)> {
        self.ends.map(|(first, _)| self.nodes[first as usize].key())
    }

    /// Those due no later than `now`.
    fn until(&self, now: Time) -> impl Iterator<Item = Slot<Worker>> {
        let some = |place: u32| (place != NOWHERE).then_some(place);
        let after = move |place: &u32| some(self.nodes[*place as usize].after);
        let line = std::iter::successors(self.ends.map(|(first, _)| first), after);
        line.take_while(move |place| self.nodes[*place as usize].at <= now).map(Slot::new)
    }

    fn remove(&mut self, slot: Slot<Worker>) {
        let Some(node) = self.nodes.get_mut(slot.index()).filter(|node| node.at != Time::MAX) else { return };
        let Node { before, after, .. } = std::mem::replace(node, Node::NONE);
        let Some((first, last)) = &mut self.ends else { return };
        match before {
            NOWHERE => *first = after,
            before => self.nodes[before as usize].after = after,
        }
        match after {
            NOWHERE => *last = before,
            after => self.nodes[after as usize].before = before,
        }
        if before == NOWHERE && after == NOWHERE {
            self.ends = None;
        }
    }

    /// Puts a timer in its place, if that is near the end; whether it did.
    fn insert(&mut self, slot: Slot<Worker>, worker: WorkerId, at: Time) -> bool {
        if self.nodes.len() <= slot.index() {
            self.nodes.resize(slot.index() + 1, Node::NONE);
        }
        let (mut before, mut after) = (self.ends.map_or(NOWHERE, |(_, last)| last), NOWHERE);
        let mut passed = 0;
        while before != NOWHERE && self.nodes[before as usize].key() > (at, worker) {
            if passed == PASSES_MOST {
                return false;
            }
            passed += 1;
            (before, after) = (self.nodes[before as usize].before, before);
        }
        let (mut first, mut last) = self.ends.unwrap_or((slot.0, slot.0));
        self.nodes[slot.index()] = Node { at, worker, before, after };
        match before {
            NOWHERE => first = slot.0,
            before => self.nodes[before as usize].after = slot.0,
        }
        match after {
            NOWHERE => last = slot.0,
            after => self.nodes[after as usize].before = slot.0,
        }
        self.ends = Some((first, last));
        true
    }
}

/// A heap that knows where each worker's timer is, so that it can be moved.
#[derive(Clone, Debug, Default)]
struct WorkerHeap {
    heap: Vec<Entry>,
    /// For each worker's place, where its timer is in the heap; `NOWHERE` if it has none.
    position: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    at: Time,
    worker: WorkerId,
    slot: Slot<Worker>,
}

impl Entry {
    fn key(&self) -> (Time, WorkerId) {
        (self.at, self.worker)
    }
}

const NOWHERE: u32 = u32::MAX;
/// Four children per node: the tree is half as deep as a binary one, and siblings lie together.
const ARITY: usize = 4;

impl WorkerHeap {
    fn first(&self) -> Option<(Time, WorkerId)> {
        self.heap.first().map(Entry::key)
    }

    fn set(&mut self, slot: Slot<Worker>, worker: WorkerId, at: Option<Time>) {
        if self.position.len() <= slot.index() {
            if at.is_none() {
                return;
            }
            self.position.resize(slot.index() + 1, NOWHERE);
        }
        match (self.position[slot.index()], at.filter(|at| *at != Time::MAX)) {
            (NOWHERE, None) => {}
            (NOWHERE, Some(at)) => {
                self.heap.push(Entry { at, worker, slot });
                self.up(self.heap.len() - 1);
            }
            (position, Some(at)) => {
                self.heap[position as usize].at = at;
                self.settle(position as usize);
            }
            (position, None) => self.remove(position as usize),
        }
    }

    fn remove(&mut self, at: usize) {
        let removed = self.heap.swap_remove(at);
        self.position[removed.slot.index()] = NOWHERE;
        if at < self.heap.len() {
            self.settle(at);
        }
    }

    fn settle(&mut self, at: usize) {
        if at > 0 && self.heap[at].key() < self.heap[(at - 1) / ARITY].key() {
            self.up(at);
        } else {
            self.down(at);
        }
    }

    fn place(&mut self, at: usize, entry: Entry) {
        self.heap[at] = entry;
        self.position[entry.slot.index()] = u32::try_from(at).expect("fewer than 2^32 workers");
    }

    fn up(&mut self, mut at: usize) {
        let entry = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if self.heap[parent].key() <= entry.key() {
                break;
            }
            self.place(at, self.heap[parent]);
            at = parent;
        }
        self.place(at, entry);
    }

    fn down(&mut self, mut at: usize) {
        let entry = self.heap[at];
        loop {
            let children = at * ARITY + 1..(at * ARITY + 1 + ARITY).min(self.heap.len());
            let Some(least) = children.min_by_key(|child| self.heap[*child].key()) else { break };
            if entry.key() <= self.heap[least].key() {
                break;
            }
            self.place(at, self.heap[least]);
            at = least;
        }
        self.place(at, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::PoolId;

    #[test]
    fn timers_come_in_order_whatever_was_moved() {
        let mut timers = Timers::default();
        let mut expected: Vec<Option<Time>> = vec![None; 50];
        let mut random = 1_u64;
        for _ in 0..5000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let worker = (random >> 33) % 50;
            let at = (!(random >> 40).is_multiple_of(4)).then_some(Time((random >> 45) % 100));
            timers.watch(Slot::new(worker as u32), WorkerId(worker as u32), at);
            expected[worker as usize] = at;
            let first = expected
                .iter()
                .enumerate()
                .filter_map(|(worker, at)| at.map(|at| (at, Due::Watch(WorkerId(worker as u32)))))
                .min();
            assert_eq!(timers.next(), first);
            assert_eq!(timers.next_at(), first.map(|(at, _)| at));
        }
    }

    #[test]
    fn timers_set_in_order_come_in_order_and_so_do_the_few_that_are_not() {
        let mut timers = Timers::default();
        let mut expected = BTreeSet::new();
        let mut random = 1_u64;
        for now in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let worker = WorkerId(((random >> 33) % 300) as u32);
            let length = if (random >> 45).is_multiple_of(10) { (random >> 50) % 700 } else { 500 };
            expected.retain(|(_, known)| *known != worker);
            let at = (!(random >> 40).is_multiple_of(5)).then_some(Time(now + length));
            expected.extend(at.map(|at| (at, worker)));
            timers.bill(Slot::new(worker.0), worker, at);
            let first = expected.first().map(|(at, worker)| (*at, Due::Billing(*worker)));
            assert_eq!(timers.next(), first);
            let due = expected.iter().filter(|(at, _)| *at <= Time(now + 250)).count();
            assert_eq!(timers.billing_due(Time(now + 250)).count(), due);
        }
    }

    #[test]
    fn at_equal_times_replacement_goes_before_scaling_before_balance_before_billing() {
        let mut timers = Timers::default();
        let at = Time(5);
        let order = [Due::Replacement(PoolId(1)), Due::Scaling(PoolId(0)), Due::Balance];
        for due in order.iter().rev() {
            timers.reset(*due, Time::MAX, at);
        }
        timers.bill(Slot::new(0), WorkerId(0), Some(at));
        for due in order {
            assert_eq!(timers.next(), Some((at, due)));
            timers.reset(due, at, Time::MAX);
        }
        assert_eq!(timers.next(), Some((at, Due::Billing(WorkerId(0)))));
    }
}
