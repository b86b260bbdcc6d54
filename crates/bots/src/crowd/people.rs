//! What somebody does, and what becomes of it. Knows nothing of how requests are sent.
//!
//! Invariant: a bot is about to do at most one thing; whatever happens to it raises its turn, so that what was put down for an
//! earlier turn is forgotten.

use muster_sim::behave::{After, Does, Somebody};
use serde_json::Value;
use serde_json::value::to_raw_value;

use super::{Crowd, Event};
use crate::Stop;
use crate::api::{Done, Lease, Operation, What};

/// Somebody who is there.
#[derive(Debug)]
pub(super) struct Bot {
    pub(super) somebody: Somebody,
    pub(super) worker: u32,
    pub(super) kind: usize,
    turn: u32,
    next: Next,
    lease: Option<Held>,
    /// What was sent has not been heard of.
    pub(super) is_busy: bool,
    /// Waits for a task.
    is_parked: bool,
}

#[derive(Debug)]
struct Held {
    lease: u64,
    app: usize,
    /// What they will answer.
    answer: Value,
}

/// What somebody is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Ask,
    Answer,
    Skip(What),
    Learned,
    Leave,
    Nothing,
}

/// After something that was refused, somebody asks again after so many seconds.
const AGAIN: f64 = 1.0;

impl Bot {
    pub(super) fn new(somebody: Somebody, worker: u32) -> Self {
        let kind = somebody.who().kind as usize;
        Self {
            somebody,
            worker,
            kind,
            turn: 0,
            next: Next::Nothing,
            lease: None,
            is_busy: false,
            is_parked: false,
        }
    }
}

impl Crowd {
    /// Something happens to somebody: what they were about to do is forgotten, and this comes instead.
    fn turn_to(&mut self, id: u64, next: Next, after: f64) {
        let Some(bot) = self.bots.get_mut(&id) else { return };
        bot.turn = bot.turn.wrapping_add(1);
        bot.next = next;
        bot.is_parked = false;
        let turn = bot.turn;
        if next != Next::Nothing {
            self.after(after, Event::Act(id, turn));
        }
    }

    /// Somebody has nothing in hand, and wants something; when all shall go, they go.
    fn asks(&mut self, id: u64, after: f64) {
        if self.stopping > Stop::No {
            return self.turn_to(id, Next::Leave, 0.0);
        }
        self.turn_to(id, Next::Ask, after);
    }

    /// Somebody has joined.
    pub(super) fn welcome(&mut self, mut somebody: Somebody, worker: u32, goes_after: Option<f64>) {
        let id = self.next_bot;
        self.next_bot += 1;
        let kind = &self.settings.setup.kinds[somebody.who().kind as usize];
        let stays = somebody.stays(kind);
        self.bots.insert(id, Bot::new(somebody, worker));
        self.tally.joined += 1;
        for seconds in [stays, goes_after].into_iter().flatten() {
            self.after(seconds, Event::StayOver(id));
        }
        self.turn_to(id, Next::Ask, 0.0);
        if self.stopping > Stop::No {
            self.shall_go(id, self.stopping);
        }
    }

    pub(super) fn stay_over(&mut self, id: u64) {
        let Some(bot) = self.bots.get_mut(&id) else { return };
        bot.somebody.is_over();
        let staying = self.settings.setup.kinds[bot.kind].leaving.staying.as_ref();
        let drops = staying.is_some_and(|staying| staying.drops);
        if bot.lease.is_none() || drops {
            self.turn_to(id, Next::Leave, 0.0);
        }
    }

    /// Everybody goes: after what they have in hand, or at once.
    pub(super) fn shall_go(&mut self, id: u64, stop: Stop) {
        let Some(bot) = self.bots.get_mut(&id) else { return };
        bot.somebody.is_over();
        let works = bot.lease.is_some() && bot.next != Next::Nothing;
        if stop == Stop::Now || !works {
            self.turn_to(id, Next::Leave, 0.0);
        }
    }

    /// Somebody does what they were about to do.
    pub(super) fn act(&mut self, id: u64, turn: u32) {
        let Some(bot) = self.bots.get_mut(&id).filter(|bot| bot.turn == turn) else { return };
        if bot.is_busy {
            // What was sent comes back first.
            let again = Event::Act(id, turn);
            return self.after(0.01 * self.settings.speed, again);
        }
        let (worker, held) = (bot.worker, bot.lease.as_ref().map(|held| held.lease));
        let about = |what| {
            held.map_or(Operation::of(worker, What::Ask), |lease| Operation::about(worker, what, lease))
        };
        let operation = match bot.next {
            Next::Ask => Operation::of(worker, What::Ask),
            Next::Skip(what) => about(what),
            Next::Learned => Operation { next: true, ..Operation::of(worker, What::Trained) },
            Next::Leave => Operation::of(worker, What::Leave),
            Next::Nothing => return,
            Next::Answer => match bot.lease.take() {
                Some(held) => return self.answer(id, &held),
                None => Operation::of(worker, What::Ask),
            },
        };
        if bot.next != Next::Leave {
            bot.next = Next::Nothing;
        }
        self.put_out(id, operation);
    }

    fn put_out(&mut self, id: u64, operation: Operation) {
        if let Some(bot) = self.bots.get_mut(&id) {
            bot.is_busy = true;
            self.due.push((id, operation));
        }
    }

    /// Somebody answers, and asks for the next task in the same breath unless they take a break or leave.
    fn answer(&mut self, id: u64, held: &Held) {
        let Some(bot) = self.bots.get_mut(&id) else { return };
        let setup = &self.settings.setup;
        let app = &setup.apps[held.app];
        let after = bot.somebody.answered(&setup.kinds[bot.kind], app, held.app as u32);
        let mut operation = Operation::about(bot.worker, What::Answer, held.lease);
        operation.answer = to_raw_value(&held.answer).ok();
        operation.next = after == After::Ask(0.0);
        bot.next = Next::Nothing;
        let (next, seconds) = match after {
            After::Leave => (Next::Leave, 0.0),
            After::Ask(seconds) if seconds > 0.0 => (Next::Ask, seconds),
            After::Ask(_) => (Next::Nothing, 0.0),
        };
        self.put_out(id, operation);
        self.turn_to(id, next, seconds);
    }

    /// What came of an operation.
    pub(super) fn see(&mut self, id: u64, what: What, done: Done) {
        let Some(bot) = self.bots.get_mut(&id) else { return };
        bot.is_busy = false;
        match what {
            What::Answer => self.tally.answers += u64::from(done.verdict.is_some()),
            What::SkipTask | What::SkipJob | What::Return => {
                self.tally.skipped += u64::from(done.problem.is_none());
            }
            _ => {}
        }
        if done.gone || done.problem.as_ref().is_some_and(|problem| problem.status == 404) {
            return self.goes(id, what == What::Leave);
        }
        if done.problem.is_some() {
            self.tally.refused += 1;
            if let Some(bot) = self.bots.get_mut(&id) {
                bot.lease = None;
            }
            return self.asks(id, AGAIN);
        }
        if matches!(what, What::SkipTask | What::SkipJob | What::Return) {
            if let Some(bot) = self.bots.get_mut(&id) {
                bot.lease = None;
            }
            return self.asks(id, 0.0);
        }
        self.see_task(id, done);
    }

    /// What came of asking, or of waiting.
    fn see_task(&mut self, id: u64, done: Done) {
        let Some(bot) = self.bots.get_mut(&id) else { return };
        if bot.next == Next::Leave {
            return;
        }
        if let Some(lease) = done.lease {
            self.takes(id, &lease);
        } else if let Some(app) = done.training {
            let place = self.settings.setup.apps.iter().position(|known| known.name == app).unwrap_or(0);
            let seconds = bot.somebody.learns(&self.settings.setup.apps[place], place as u32);
            self.turn_to(id, Next::Learned, seconds);
        } else if done.waiting {
            self.parks(id);
        }
    }

    fn takes(&mut self, id: u64, lease: &Lease) {
        let setup = &self.settings.setup;
        let app = setup.apps.iter().position(|known| known.name == lease.app).unwrap_or(0);
        let Some(bot) = self.bots.get_mut(&id) else { return };
        let is_new = bot.lease.as_ref().is_none_or(|held| held.lease != lease.lease);
        if !is_new && bot.next != Next::Nothing {
            return;
        }
        let person = bot.somebody.who().number;
        let answer = self.settings.content.answer(&lease.app, &lease.payload, lease.task, person);
        bot.lease = Some(Held { lease: lease.lease, app, answer });
        let does = bot.somebody.takes(&setup.kinds[bot.kind], &setup.apps[app], app as u32, lease.job);
        match does {
            Does::Answer(after) => self.turn_to(id, Next::Answer, after),
            Does::SkipTask(after) => self.turn_to(id, Next::Skip(What::SkipTask), after),
            Does::SkipJob(after) => self.turn_to(id, Next::Skip(What::SkipJob), after),
            Does::GiveBack(after) => self.turn_to(id, Next::Skip(What::Return), after),
            // Who walks away forgets it; the lease runs out at the server, and later they ask again.
            Does::Abandon => self.turn_to(id, Next::Ask, setup_lease(&self.settings.setup, app)),
        }
    }

    /// Somebody waits for a task; perhaps not for ever.
    fn parks(&mut self, id: u64) {
        let Some(bot) = self.bots.get_mut(&id) else { return };
        if bot.is_parked {
            return self.parked.push(id);
        }
        if self.stopping > Stop::No {
            return self.turn_to(id, Next::Leave, 0.0);
        }
        let bored = bot.somebody.waits(&self.settings.setup.kinds[bot.kind]);
        self.turn_to(id, if bored.is_some() { Next::Leave } else { Next::Nothing }, bored.unwrap_or(0.0));
        if let Some(bot) = self.bots.get_mut(&id) {
            bot.is_parked = true;
        }
        self.parked.push(id);
    }

    /// What somebody who waits has heard.
    pub(super) fn heard_while_waiting(&mut self, id: u64, done: Done) {
        let Some(bot) = self.bots.get_mut(&id) else { return };
        if done.gone || done.problem.is_some() {
            return self.goes(id, false);
        }
        if bot.is_busy || !bot.is_parked {
            return;
        }
        // Boredom is forgotten when something comes.
        if done.lease.is_some() || done.training.is_some() {
            bot.next = Next::Nothing;
        }
        if done.waiting {
            self.parked.push(id);
        } else {
            self.see_task(id, done);
        }
    }

    pub(super) fn is_parked(&self, id: u64) -> Option<u32> {
        self.bots.get(&id).filter(|bot| bot.is_parked && !bot.is_busy).map(|bot| bot.worker)
    }

    /// Somebody is gone; who left of their own accord may come again.
    fn goes(&mut self, id: u64, left: bool) {
        let Some(bot) = self.bots.remove(&id) else { return };
        self.tally.left += 1;
        let again = bot.somebody.comes_again(&self.settings.setup.kinds[bot.kind]);
        if let Some(after) = again.filter(|_| left && self.stopping == Stop::No) {
            self.comes_again(bot.somebody.who(), after);
        }
    }
}

/// How long a lease of an app's lasts, about: when somebody who walked away looks for something else.
fn setup_lease(setup: &muster_sim::model::Setup, app: usize) -> f64 {
    let work = setup.apps[app].work.mean();
    if work.is_finite() { 3.0 * work } else { 600.0 }
}
