//! One run: the engine turned by virtual time, with a synthetic crowd around it. Holds no policy of its own.
//!
//! The agenda says what the outside does next and the engine when it wants to be woken; whichever comes first happens. At
//! equal times the outside goes first, in the order in which things were put down, and then the engine is woken. The crowd
//! is the engine's recorder: it hears every fact and puts down what people do because of it. Start at [`run`].

pub(crate) mod crowd;
pub(crate) mod demand;
pub(crate) mod person;
mod queue;
mod set_up;
mod world;

use std::fmt;

use muster_engine::Refusal;
use muster_engine::fact::{NoRecorder, Recorder};
use muster_engine::ids::WorkerId;
use muster_engine::policy::Registry;

use crate::agenda::Agenda;
use crate::measure::Outcome;
use crate::model::{Plan, Setup};

pub use set_up::check;
use world::World;

/// What is put down on the agenda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The next job of a demand comes.
    Arrive(u32),
    /// A client of a closed demand has thought enough.
    Request(u32, u32),
    /// An end user gives up if nobody has begun.
    GiveUp(muster_engine::ids::JobId),
    /// A person does what they were about to do, unless something else happened to them first.
    Act(WorkerId, u32),
    /// Somebody's time is over.
    StayOver(WorkerId),
    /// Somebody who was called for, or comes again, is here.
    Come(u32),
    /// A shift begins: pool and shift by place.
    Shift(u32, u32),
    /// It is time to put a moment on the timeline.
    Tick,
    /// The warm-up is over.
    Warm,
    /// No more jobs come.
    DemandEnds,
    /// The run is over.
    End,
}

/// Why a run could not be made.
#[derive(Clone, Debug, PartialEq)]
pub enum RunError {
    /// What was to be simulated is refused by the engine.
    Refused {
        /// What it was about, as in `pool 'day shift'`.
        what: String,
        /// Why.
        refusal: Box<Refusal>,
    },
    /// Somebody asked to stop.
    Stopped,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { what, refusal } => write!(f, "{what}: {refusal}"),
            Self::Stopped => f.write_str("stopped before the end"),
        }
    }
}

impl std::error::Error for RunError {}

fn refused(what: String, refusal: Refusal) -> RunError {
    RunError::Refused { what, refusal: Box::new(refusal) }
}

/// How a run is watched and stopped from outside.
pub trait Watch: Sync {
    /// So much of the run is done (from 0 to 1), and so many answers were given since the last call.
    fn progress(&self, run: u32, share: f64, answers: u64);
    /// Whether to stop.
    fn stopped(&self) -> bool;
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn progress(&self, _run: u32, _share: f64, _answers: u64) {}
    fn stopped(&self) -> bool {
        false
    }
}

/// Which run it is, and with which chance and policies.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// What is simulated.
    pub setup: &'a Setup,
    /// How long.
    pub plan: &'a Plan,
    /// Which of the independent runs, from 0.
    pub number: u32,
    /// The policies that can be named.
    pub registry: &'a Registry,
    /// Who watches.
    pub watch: &'a dyn Watch,
}

/// One run from beginning to end.
pub fn run(what: Run<'_>) -> Result<Outcome, RunError> {
    run_with(what, &mut NoRecorder)
}

/// One run, with every fact also handed to another recorder.
pub fn run_with<R: Recorder>(what: Run<'_>, also: &mut R) -> Result<Outcome, RunError> {
    let mut world = World::new(what, also)?;
    world.go()?;
    Ok(world.close())
}

/// The agenda of a run.
pub(crate) type Plans = Agenda<Event>;
