//! Lanes in an order, per app: what every dispatch policy keeps.

use crate::state::job::LaneRef;
use crate::view::{Ask, View};

use super::rank::{Key, Least, Plain, Rank, Ranking};

impl Least for LaneRef {
    const LEAST: Self = Self::LEAST;
}

/// Lanes by key, one ranking per app of the pool.
#[derive(Debug)]
pub struct LaneOrder<R = Plain<LaneRef>> {
    apps: Vec<R>,
}

impl<R> Default for LaneOrder<R> {
    fn default() -> Self {
        Self { apps: Vec::new() }
    }
}

/// A lane that was found, and the task in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it stands.
    pub rank: Rank,
    /// The lane.
    pub lane: LaneRef,
    /// The first task in it for the worker.
    pub task: u32,
}

impl<R: Ranking<LaneRef>> LaneOrder<R> {
    /// Adds a lane under a key.
    pub fn insert(&mut self, key: Key, at: LaneRef, conceded: u32, view: View<'_>) {
        let lane = view.lane(at);
        let place = usize::from(lane.place);
        if self.apps.len() <= place {
            self.apps.resize_with(place + 1, R::default);
        }
        self.apps[place].insert((key, lane.seq), at, conceded);
    }

    /// Takes a lane away from under its key; how often it has conceded.
    pub fn remove(&mut self, key: Key, at: LaneRef, view: View<'_>) -> u32 {
        let lane = view.lane(at);
        self.apps.get_mut(usize::from(lane.place)).map_or(0, |lanes| lanes.remove((key, lane.seq), at))
    }

    /// Whether there is no lane of the app at a place in the pool's list.
    #[must_use]
    pub fn is_empty(&self, place: usize) -> bool {
        self.apps.get(place).is_none_or(R::is_empty)
    }

    /// The rankings of the apps that the worker may do.
    pub fn open_to<'a>(&'a self, ask: &'a Ask<'_>) -> impl Iterator<Item = &'a R> {
        (0..).zip(&self.apps).filter(|(place, _)| ask.may(*place)).map(|(_, lanes)| lanes)
    }

    /// The same, to be changed.
    pub fn open_to_mut<'a>(&'a mut self, ask: &'a Ask<'_>) -> impl Iterator<Item = &'a mut R> {
        (0..).zip(&mut self.apps).filter(|(place, _)| ask.may(*place)).map(|(_, lanes)| lanes)
    }

    /// The ranking of the app at a place in the pool's list.
    pub fn app_mut(&mut self, place: usize) -> Option<&mut R> {
        self.apps.get_mut(place)
    }

    /// The ranking of the app at a place in the pool's list.
    #[must_use]
    pub fn app(&self, place: usize) -> Option<&R> {
        self.apps.get(place)
    }

    /// The first lane that has something for the worker.
    pub fn first(&self, ask: &Ask<'_>) -> Option<Found> {
        self.open_to(ask).filter_map(|lanes| fitting(lanes.iter(), ask)).min_by_key(|found| found.rank)
    }
}

/// The first of some lanes that has something for the worker.
pub fn fitting(mut lanes: impl Iterator<Item = (Rank, LaneRef)>, ask: &Ask<'_>) -> Option<Found> {
    lanes.find_map(|(rank, lane)| ask.task_in(lane).map(|task| Found { rank, lane, task }))
}
