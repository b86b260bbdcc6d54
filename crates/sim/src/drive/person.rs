//! People: what they are like, and what they are about to do. What they do is drawn from a stream of their own.
//!
//! Invariant: a person is about to do at most one thing. Whatever happens to them raises their turn, so that what was put
//! down for an earlier turn is forgotten.

use muster_engine::ids::{PoolId, RecruitId, TaskId, Token};
use muster_engine::{Span, Time};

use crate::law::Law;
use crate::model::{App, Kind, Likes};
use crate::random::{Chance, Purpose};

/// What a person is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Ask,
    Answer,
    SkipTask,
    SkipJob,
    GiveBack,
    Learned,
    Leave,
    Nothing,
}

/// Somebody who is there.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) origin: Origin,
    /// How often they were there before.
    pub(crate) visit: u32,
    pub(crate) kind: u32,
    /// Where they are now.
    pub(crate) pool: u32,
    pub(crate) turn: u32,
    pub(crate) next: Next,
    /// Their time is over: they go as soon as they have nothing in hand.
    pub(crate) over: bool,
    chance: Chance,
    speed: f64,
    pub(crate) tasks: u32,
    pub(crate) tasks_most: u32,
    pub(crate) lease: Option<Held>,
    pub(crate) begun: Time,
    last_job: Option<u64>,
    last_app: Option<u32>,
    /// Tasks done, by app; kept only where practice matters.
    practice: Vec<(u32, u32)>,
}

/// What somebody has in hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) token: Token,
    pub(crate) task: TaskId,
    /// Whether the lease is still good; somebody who works on does not know that it is not.
    pub(crate) good: bool,
}

/// Where somebody comes from: the pool and kind they were first wanted for, and a number among those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) pool: u32,
    pub(crate) kind: u32,
    pub(crate) number: u64,
}

impl Origin {
    /// A number for the pool and kind.
    pub(crate) fn thing(self) -> u64 {
        u64::from(self.pool) << 32 | u64::from(self.kind)
    }
}

/// Somebody on their way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coming {
    pub(crate) origin: Origin,
    pub(crate) pool: u32,
    /// How often they were there before.
    pub(crate) visit: u32,
    pub(crate) recruit: Option<RecruitId>,
}

impl Coming {
    /// Somebody of an order; who, is yet to be said.
    pub(crate) fn called(recruit: RecruitId, pool: PoolId) -> Self {
        let origin = Origin { pool: pool.0, kind: 0, number: 0 };
        Self { origin, pool: pool.0, visit: 0, recruit: Some(recruit) }
    }
}

/// What changed with a new lease.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switch {
    pub(crate) job: bool,
    pub(crate) app: bool,
}

impl Person {
    /// Somebody who comes now. What they are like is the same at every visit; what they do is not.
    pub(crate) fn new(coming: Coming, kind: &Kind, seed: u64, now: Time) -> Self {
        let Coming { origin, pool, visit, .. } = coming;
        let mut lasting = Chance::of(seed, Purpose::Person, origin.thing(), origin.number);
        let mut chance = lasting.again(Purpose::Person, u64::from(visit), 0);
        let speed = (kind.speed.draw(&mut lasting) * kind.spec.speed).max(1e-6);
        let tasks_most = kind.leaving.tasks.as_ref().map_or(u32::MAX, |law| at_least_one(law, &mut chance));
        Self {
            origin,
            visit,
            kind: origin.kind,
            pool,
            turn: 0,
            next: Next::Nothing,
            over: false,
            chance,
            speed,
            tasks: 0,
            tasks_most,
            lease: None,
            begun: now,
            last_job: None,
            last_app: None,
            practice: Vec::new(),
        }
    }

    /// How much they like apps; the same at every visit.
    pub(crate) fn likes(origin: Origin, kind: &Kind, apps: usize, seed: u64) -> Vec<(usize, f64)> {
        let mut chance = Chance::of(seed, Purpose::Person, origin.thing() | 1 << 63, origin.number);
        match &kind.likes {
            Likes::None => Vec::new(),
            Likes::Each { apps: named, others } => {
                let law = |app: usize| named.iter().find(|(of, _)| *of == app).map_or(others, |(_, law)| law);
                (0..apps).map(|app| (app, law(app).draw(&mut chance).clamp(0.0, 1.0))).collect()
            }
            Likes::Shares(law) => {
                let drawn: Vec<f64> = (0..apps).map(|_| law.draw(&mut chance)).collect();
                let sum: f64 = drawn.iter().sum();
                let share = |each: f64| if sum > 0.0 { each / sum } else { 1.0 / apps as f64 };
                drawn.into_iter().map(share).enumerate().collect()
            }
        }
    }

    /// Something happens to them: what they were about to do is forgotten.
    #[inline]
    pub(crate) fn turn_to(&mut self, next: Next) -> u32 {
        self.turn = self.turn.wrapping_add(1);
        self.next = next;
        self.turn
    }

    pub(crate) fn draw(&mut self, law: &Law) -> f64 {
        law.draw(&mut self.chance)
    }

    /// They get a task. How long until they are through with it, in seconds, and what they do then; nothing if they walk
    /// away from it.
    #[inline]
    pub(crate) fn take(
        &mut self,
        kind: &Kind,
        app: &App,
        place: u32,
        job: u64,
        work: f64,
    ) -> (Switch, Option<f64>) {
        let switch = Switch {
            job: self.last_job.is_some_and(|last| last != job),
            app: self.last_app.is_some_and(|last| last != place),
        };
        self.last_job = Some(job);
        self.last_app = Some(place);
        let after = if kind.skipping.is_none() { None } else { self.shirk(kind) };
        if let Some(after) = after {
            return (switch, after);
        }
        self.next = Next::Answer;
        let mut seconds = work / self.speed;
        if app.practice.is_some() {
            seconds *= self.practised(app, place);
        }
        if switch.app {
            seconds += app.switch_app.draw(&mut self.chance);
        } else if switch.job {
            seconds += app.switch_job.draw(&mut self.chance);
        }
        (switch, Some(seconds))
    }

    fn practised(&self, app: &App, place: u32) -> f64 {
        let done = self.practice.iter().find(|(of, _)| *of == place).map_or(0, |(_, done)| *done);
        app.practice.map_or(1.0, |practice| practice.factor(done))
    }

    /// What they do instead of the task: after how long, if ever. `None`: they do it.
    fn shirk(&mut self, kind: &Kind) -> Option<Option<f64>> {
        let skipping = &kind.skipping;
        let mut unit = self.chance.unit();
        let choices = [
            (skipping.task, Next::SkipTask),
            (skipping.job, Next::SkipJob),
            (skipping.give_back, Next::GiveBack),
        ];
        for (probability, next) in choices {
            if unit < probability {
                self.next = next;
                return Some(Some(skipping.after.draw(&mut self.chance)));
            }
            unit -= probability;
        }
        (unit < skipping.abandon).then(|| {
            self.next = Next::Nothing;
            None
        })
    }

    /// They have answered. Whether they go, or how many seconds of break they take.
    #[inline]
    pub(crate) fn answered(&mut self, kind: &Kind, practice: Option<u32>) -> Option<f64> {
        self.tasks = self.tasks.saturating_add(1);
        if let Some(app) = practice {
            match self.practice.iter_mut().find(|(of, _)| *of == app) {
                Some((_, done)) => *done = done.saturating_add(1),
                None => self.practice.push((app, 1)),
            }
        }
        let goes = self.over
            || self.tasks >= self.tasks_most
            || (kind.leaving.after_task > 0.0 && self.chance.happens(kind.leaving.after_task));
        if goes {
            return None;
        }
        let pauses = kind.pausing.share > 0.0 && self.chance.happens(kind.pausing.share);
        Some(if pauses { kind.pausing.law.draw(&mut self.chance) } else { 0.0 })
    }

    /// Whether and after how many seconds they come again; whatever they did while they were there.
    pub(crate) fn comes_again(&self, kind: &Kind, seed: u64) -> Option<f64> {
        let returning = kind.returning.as_ref()?;
        let who = Chance::of(seed, Purpose::Returning, self.origin.thing(), self.origin.number);
        let mut chance = who.again(Purpose::Returning, u64::from(self.visit), 0);
        chance.happens(returning.share).then(|| returning.after.draw(&mut chance))
    }
}

/// So many seconds that were drawn, to a nanosecond. Shorter than `Span::from_secs_f64`, which rounds halves the same
/// everywhere: nobody can tell here.
#[inline]
pub(crate) fn span(seconds: f64) -> Span {
    // A float-to-integer cast saturates, and sends NaN to zero.
    Span((seconds * 1e9 + 0.5) as u64)
}

/// A count of at least one.
pub(crate) fn at_least_one(law: &Law, chance: &mut Chance) -> u32 {
    (libm::round(law.draw(chance)) as u32).max(1)
}
