//! How people behave and when work comes, one question at a time: for drivers that have a clock of their own.
//!
//! The same people as in a simulation: [`Somebody`] draws from the same streams as the simulator's crowd does, so that what is
//! tried out live is what was simulated. Knows neither a clock nor an engine; all times are seconds. Start at [`Somebody`].

use muster_engine::ids::{PoolId, RecruitId};
use muster_engine::{Span, Time};

use crate::drive::crowd::people::delay;
use crate::drive::demand::Stream;
use crate::drive::person::{Coming, Next, Origin, Person, at_least_one};
use crate::model::{App, Demand, Kind, Task};
use crate::random::{Chance, Purpose};

/// Who somebody is: the pool and the kind they came for first, by place, and a number among those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// The pool, by place.
    pub pool: u32,
    /// The kind, by place.
    pub kind: u32,
    /// Their number.
    pub number: u64,
    /// How often they were there before.
    pub visit: u32,
}

impl Who {
    fn origin(self) -> Origin {
        Origin { pool: self.pool, kind: self.kind, number: self.number }
    }
}

/// What somebody does with a task, after so many seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Does {
    /// They answer.
    Answer(f64),
    /// They skip it.
    SkipTask(f64),
    /// They skip the whole job.
    SkipJob(f64),
    /// They give it back.
    GiveBack(f64),
    /// They walk away from it without a word.
    Abandon,
}

/// What somebody does after an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum After {
    /// They leave.
    Leave,
    /// They ask for the next task, after a break of so many seconds.
    Ask(f64),
}

/// Somebody who is there.
#[derive(Clone, Debug)]
pub struct Somebody {
    who: Who,
    person: Person,
    seed: u64,
}

impl Somebody {
    /// Somebody who comes now.
    #[must_use]
    pub fn new(who: Who, kind: &Kind, seed: u64) -> Self {
        let coming = Coming {
            origin: who.origin(),
            visit: who.visit,
            ..Coming::called(RecruitId(0), PoolId(who.pool))
        };
        Self { who, person: Person::new(coming, kind, seed, Time::ZERO), seed }
    }

    /// Who they are.
    #[must_use]
    pub const fn who(&self) -> Who {
        self.who
    }

    /// How much they like apps, by place; nothing if nothing is known of it.
    #[must_use]
    pub fn likes(&self, kind: &Kind, apps: usize) -> Vec<(usize, f64)> {
        Person::likes(self.who.origin(), kind, apps, self.seed)
    }

    /// How long they stay, whatever happens; `None` is for ever.
    pub fn stays(&mut self, kind: &Kind) -> Option<f64> {
        kind.leaving.staying.as_ref().map(|staying| self.person.draw(&staying.law))
    }

    /// Their time is over: they leave after what they have in hand.
    pub fn is_over(&mut self) {
        self.person.over = true;
    }

    /// How long they wait for a task before they lose patience; `None` is for ever.
    pub fn waits(&mut self, kind: &Kind) -> Option<f64> {
        kind.leaving.bored.as_ref().map(|bored| self.person.draw(bored))
    }

    /// They get a task of an app (with its place) and a job (by number).
    pub fn takes(&mut self, kind: &Kind, app: &App, place: u32, job: u64) -> Does {
        let work = self.person.draw(app.work_for(self.who.kind as usize));
        let (_, after) = self.person.take(kind, app, place, job, work);
        match (self.person.next, after) {
            (Next::SkipTask, Some(after)) => Does::SkipTask(after),
            (Next::SkipJob, Some(after)) => Does::SkipJob(after),
            (Next::GiveBack, Some(after)) => Does::GiveBack(after),
            (_, Some(after)) => Does::Answer(after),
            (_, None) => Does::Abandon,
        }
    }

    /// They have answered a task of an app, by place.
    pub fn answered(&mut self, kind: &Kind, app: &App, place: u32) -> After {
        let practised = app.practice.is_some().then_some(place);
        self.person.answered(kind, practised).map_or(After::Leave, After::Ask)
    }

    /// How long learning an app takes them.
    #[must_use]
    pub fn learns(&self, app: &App, place: u32) -> f64 {
        let origin = self.who.origin();
        let who = Chance::of(self.seed, Purpose::Training, origin.thing(), origin.number);
        let drawn =
            app.training.draw(&mut who.again(Purpose::Training, u64::from(place), u64::from(self.who.visit)));
        if app.training.mean() > 0.0 { drawn } else { app.spec.training.as_secs_f64() }
    }

    /// Whether and when they come again, once they have left of their own accord.
    #[must_use]
    pub fn comes_again(&self, kind: &Kind) -> Option<f64> {
        self.person.comes_again(kind, self.seed)
    }
}

/// How long it takes until a recruit is there, by their number; `None` if they never come.
#[must_use]
pub fn recruited(kind: &Kind, seed: u64, who: Who) -> Option<f64> {
    let mut chance = Chance::of(seed, Purpose::Recruiting, who.origin().thing(), who.number);
    let after = delay(&kind.recruiting, &mut chance).as_secs_f64();
    let comes = kind.recruiting.come >= 1.0 || chance.happens(kind.recruiting.come);
    comes.then_some(after)
}

/// Jobs as they come.
#[derive(Clone, Debug)]
pub struct Jobs {
    stream: Stream,
    place: usize,
    seed: u64,
}

impl Jobs {
    /// The jobs of a demand, by its place.
    #[must_use]
    pub fn new(place: usize, seed: u64) -> Self {
        Self { stream: Stream::new(seed, place, 0), place, seed }
    }

    /// When the next job comes after `now`, in seconds since the beginning.
    pub fn next(&mut self, demand: &Demand, now: f64) -> Option<f64> {
        let now = Time::ZERO + Span::from_secs_f64(now).max(demand.from);
        self.stream.next(demand, now).map(|at| at.as_secs_f64())
    }

    /// A job comes: of how many tasks it is, if it is a batch.
    pub fn size(&mut self, demand: &Demand) -> u32 {
        let recorded = self.stream.come(demand);
        let number = self.stream.number;
        self.stream.number += 1;
        match &demand.task {
            Task::Batch { size, .. } if recorded == 0 => {
                at_least_one(size, &mut Chance::of(self.seed, Purpose::Size, self.place as u64, number))
            }
            Task::Batch { .. } => recorded,
            Task::Workflow(steps) => u32::try_from(steps.len()).unwrap_or(u32::MAX),
        }
    }
}
