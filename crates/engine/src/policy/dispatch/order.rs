//! Lanes in an order, per app: what most dispatch policies keep.
//!
//! Invariant: ties are broken by when the lane was made, so no order depends on where things lie in memory.

use std::collections::BTreeSet;

use crate::state::job::LaneRef;
use crate::view::{Ask, View};

/// Lanes by key, one ordered set per app of the pool.
#[derive(Clone, Debug)]
pub struct LaneOrder<K> {
    apps: Vec<BTreeSet<(K, u64, LaneRef)>>,
}

impl<K> Default for LaneOrder<K> {
    fn default() -> Self {
        Self { apps: Vec::new() }
    }
}

impl<K: Ord + Copy> LaneOrder<K> {
    /// Adds a lane under a key.
    pub fn insert(&mut self, key: K, at: LaneRef, view: View<'_>) {
        let lane = view.lane(at);
        let place = usize::from(lane.place);
        if self.apps.len() <= place {
            self.apps.resize_with(place + 1, BTreeSet::new);
        }
        self.apps[place].insert((key, lane.seq, at));
    }

    /// Takes a lane away from under its key; whether it was there.
    pub fn remove(&mut self, key: K, at: LaneRef, view: View<'_>) -> bool {
        let lane = view.lane(at);
        self.apps.get_mut(usize::from(lane.place)).is_some_and(|lanes| lanes.remove(&(key, lane.seq, at)))
    }

    /// Whether there is no lane of the app at a place in the pool's list.
    #[must_use]
    pub fn is_empty(&self, place: usize) -> bool {
        self.apps.get(place).is_none_or(BTreeSet::is_empty)
    }

    /// The first lane, over the apps that the worker may do, that has something for it: its key and the task.
    pub fn first(&self, ask: &Ask<'_>) -> Option<(K, LaneRef, u32)> {
        let fits = |lanes: &BTreeSet<(K, u64, LaneRef)>| {
            lanes.iter().find_map(|(key, seq, at)| ask.task_in(*at).map(|task| (*key, *seq, *at, task)))
        };
        let candidates = (0..).zip(&self.apps).filter(|(place, _)| ask.may(*place));
        let best = candidates.filter_map(|(_, lanes)| fits(lanes)).min_by_key(|(key, seq, ..)| (*key, *seq));
        best.map(|(key, _, at, task)| (key, at, task))
    }
}
