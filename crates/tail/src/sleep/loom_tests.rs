//! The sleep protocol under loom: every interleaving of a few threads. Work is a counter that is taken.

use super::Sleep;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

struct Room {
    sleep: Sleep,
    work: AtomicUsize,
}

impl Room {
    fn new(beds: usize) -> Arc<Self> {
        Arc::new(Self { sleep: Sleep::new(beds), work: AtomicUsize::new(0) })
    }

    fn post(&self) {
        self.work.fetch_add(1, Ordering::Release);
        self.sleep.announce();
    }

    fn take(&self) -> bool {
        self.work.fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| n.checked_sub(1)).is_ok()
    }

    fn has_work(&self) -> bool {
        self.work.load(Ordering::Acquire) > 0
    }

    /// What a worker does until it has done one piece of work.
    fn one(&self, bed: usize) {
        self.sleep.move_in(bed);
        self.sleep.begin_search();
        while !self.take() {
            self.sleep.lie_down(bed, || self.has_work());
        }
        if self.sleep.end_search() && self.has_work() {
            self.sleep.announce();
        }
    }
}

#[test]
fn work_that_is_posted_while_a_worker_lies_down_is_not_missed() {
    loom::model(|| {
        let room = Room::new(1);
        let other = room.clone();
        let worker = thread::spawn(move || other.one(0));
        room.post();
        worker.join().unwrap();
        assert!(!room.has_work());
    });
}

#[test]
fn two_pieces_of_work_reach_two_workers() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let room = Room::new(2);
        let workers: Vec<_> = (0..2)
            .map(|bed| {
                let room = room.clone();
                thread::spawn(move || room.one(bed))
            })
            .collect();
        room.post();
        room.post();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        assert!(!room.has_work());
        assert_eq!(room.sleep.sleepers(), 0);
    });
}
