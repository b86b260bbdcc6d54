//! The same queues by hand: a loop over a heap with four children per node, and nothing that the question does not need.
//! No tenants, no leases, no money, no policies: a mean wait. Draws from the same laws as the simulator.

use std::collections::VecDeque;

use muster_sim::law::Law;
use muster_sim::random::{Chance, Purpose};

use crate::model::{Queue, WORKERS};

#[derive(Clone, Copy)]
enum Event {
    Arrive,
    Done,
    Back,
}

type Entry = (f64, u64, Event);

/// Events by time, then in sequence.
struct Heap {
    entries: Vec<Entry>,
    sequence: u64,
}

fn is_before(a: &Entry, b: &Entry) -> bool {
    a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
}

impl Heap {
    fn push(&mut self, at: f64, event: Event) {
        self.sequence += 1;
        let entry = (at, self.sequence, event);
        let mut place = self.entries.len();
        self.entries.push(entry);
        while place > 0 {
            let parent = (place - 1) / 4;
            if !is_before(&entry, &self.entries[parent]) {
                break;
            }
            self.entries[place] = self.entries[parent];
            place = parent;
        }
        self.entries[place] = entry;
    }

    fn pop(&mut self) -> Option<Entry> {
        let last = self.entries.pop()?;
        let Some(first) = self.entries.first().copied() else { return Some(last) };
        let (mut place, len) = (0, self.entries.len());
        loop {
            let child = 4 * place + 1;
            if child >= len {
                break;
            }
            let mut least = child;
            for other in child + 1..(child + 4).min(len) {
                if is_before(&self.entries[other], &self.entries[least]) {
                    least = other;
                }
            }
            if !is_before(&self.entries[least], &last) {
                break;
            }
            self.entries[place] = self.entries[least];
            place = least;
        }
        self.entries[place] = last;
        Some(first)
    }
}

/// Three streams: when customers come, how long they take, who leaves and for how long.
struct Draws {
    arrivals: Chance,
    work: Chance,
    people: Chance,
}

/// The mean wait of so many customers.
pub(crate) fn mean_wait(queue: Queue, seed: u64, customers: u64) -> f64 {
    let stream = |purpose| Chance::of(seed, purpose, 0, 0);
    let mut draws = Draws {
        arrivals: stream(Purpose::Arrival),
        work: stream(Purpose::Work),
        people: stream(Purpose::Person),
    };
    let (gap, work, away) =
        (Law::Exponential(1.0 / queue.rate), Law::Exponential(queue.work), Law::Exponential(queue.away));
    let mut heap = Heap { entries: Vec::new(), sequence: 0 };
    let (mut free, mut waiting) = (WORKERS, VecDeque::new());
    let (mut come, mut begun, mut waited) = (0, 0, 0.0);
    heap.push(gap.draw(&mut draws.arrivals), Event::Arrive);
    while let Some((now, _, event)) = heap.pop() {
        match event {
            Event::Arrive => {
                waiting.push_back(now);
                come += 1;
                if come < customers {
                    heap.push(now + gap.draw(&mut draws.arrivals), Event::Arrive);
                }
            }
            Event::Done if draws.people.happens(queue.leaving) => {
                heap.push(now + away.draw(&mut draws.people), Event::Back);
            }
            Event::Done | Event::Back => free += 1,
        }
        while free > 0
            && let Some(since) = waiting.pop_front()
        {
            free -= 1;
            begun += 1;
            waited += now - since;
            heap.push(now + work.draw(&mut draws.work), Event::Done);
        }
    }
    waited / begun as f64
}
