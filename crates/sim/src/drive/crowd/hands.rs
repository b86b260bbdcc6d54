//! Hands at work: what people do with the tasks they get.

use muster_engine::fact::{Grant, Recorder, Verdict};
use muster_engine::ids::{AppId, TaskId, WorkerId};
use muster_engine::state::State;
use muster_engine::{Span, Time};

use crate::model::{Kind, Likes};
use crate::random::{Chance, Purpose};

use super::super::Event;
use super::super::person::{Held, Next, Origin, Switch, span};
use super::{Crowd, Known};

impl Known {
    /// The place of a task in what is known of its demand.
    #[inline]
    fn step_of(&self, task: TaskId) -> usize {
        if self.is_batch { 0 } else { task.index as usize }
    }
}

impl<R: Recorder> Crowd<'_, R> {
    #[inline(never)]
    pub(super) fn see_leased(&mut self, grant: &Grant, at: Time, state: &State) {
        let task = grant.task;
        let live = self.jobs.get_mut(task.job.0).expect("leases are of live jobs");
        live.begun = true;
        let (place, number, submitted) = (live.demand as usize, live.number, live.submitted);
        let known = &self.demands[place];
        let step = known.step_of(task);
        let app = known.apps[step];
        self.see_begun(task, (place, step), submitted, at, state);
        let person =
            self.people.get_mut(u64::from(grant.worker.0)).expect("leases go to people who are there");
        let kind = &self.setup.kinds[person.kind as usize];
        let described = &self.setup.apps[app as usize];
        let demand = &self.setup.demands[place];
        let work = demand.recorded_work(number, task.index).unwrap_or_else(|| {
            let several = (demand.slots > 1).then_some(person.origin);
            let mut chance = work_of(self.seed, place, task, number, several);
            described.work_for(person.kind as usize).draw(&mut chance)
        });
        person.turn = person.turn.wrapping_add(1);
        let (switch, after) = person.take(kind, described, app, task.job.0, work);
        person.lease = Some(Held { token: grant.token, task, good: true });
        person.begun = at;
        if let Some(after) = after {
            self.agenda.put(at + span(after), Event::Act(grant.worker, person.turn));
        }
        if self.tally.counts(at) {
            self.count_lease(switch, kind, grant.worker, AppId(app), state);
        }
    }

    /// A slot leaves the queue because somebody has it now.
    #[inline]
    fn see_begun(
        &mut self,
        task: TaskId,
        (place, step): (usize, usize),
        submitted: Time,
        at: Time,
        state: &State,
    ) {
        let known = &self.demands[place];
        self.tally.see_queue(known.pools[step] as usize, at, state);
        if let Some(since) = self.reopened.take(task) {
            self.tally.unqueued(at.since(since));
            return;
        }
        let opened = if known.is_batch { submitted } else { opened(state, task).unwrap_or(submitted) };
        self.tally.begun(known.cells[step], opened, at);
        self.tally.unqueued(at.since(opened));
    }

    #[inline]
    fn count_lease(&mut self, switch: Switch, kind: &Kind, worker: WorkerId, app: AppId, state: &State) {
        let counts = &mut self.tally.counts;
        counts.leases += 1;
        counts.switches_job += u64::from(switch.job);
        counts.switches_app += u64::from(switch.app);
        if kind.likes != Likes::None
            && let Some(worker) = state.worker(worker)
        {
            counts.liked += worker.preference(app);
            counts.likes += 1;
        }
    }

    #[inline(never)]
    pub(super) fn see_judged(
        &mut self,
        id: WorkerId,
        task: TaskId,
        verdict: Verdict,
        at: Time,
        state: &State,
    ) {
        let place = self.people.place(u64::from(id.0));
        let begun = place.and_then(|place| self.people.at_mut(place)).map(|person| person.begun);
        let worked = begun.map_or(Span::ZERO, |begun| at.since(begun));
        let app = self.see_worked(task, verdict, worked, at, state);
        match verdict {
            Verdict::LateKept => self.edges.answers_late += 1,
            Verdict::Counted | Verdict::LateCounted => self.edges.answers += 1,
        }
        let Some(person) = place.and_then(|place| self.people.at_mut(place)) else { return };
        person.lease = None;
        let kind = &self.setup.kinds[person.kind as usize];
        let practised = app.filter(|app| self.setup.apps[*app as usize].practice.is_some());
        let (next, after) = match person.answered(kind, practised) {
            None => (Next::Leave, Span::ZERO),
            Some(pause) => (Next::Ask, if pause > 0.0 { span(pause) } else { Span::ZERO }),
        };
        let turn = person.turn_to(next);
        self.agenda.put(at + after, Event::Act(id, turn));
    }

    /// Counts an answer; the app it was of, if its job still lives.
    #[inline]
    fn see_worked(
        &mut self,
        task: TaskId,
        verdict: Verdict,
        worked: Span,
        at: Time,
        state: &State,
    ) -> Option<u32> {
        let live = self.jobs.get_mut(task.job.0)?;
        live.worked += worked;
        live.longest = live.longest.max(worked);
        let (place, submitted) = (live.demand, live.submitted);
        let known = &self.demands[place as usize];
        let (step, is_batch) = (known.step_of(task), known.is_batch);
        let (app, cell) = (known.apps[step], known.cells[step]);
        if verdict == Verdict::LateCounted {
            let since = self.reopened.take(task).or_else(|| opened(state, task)).unwrap_or(submitted);
            self.tally.unqueued(at.since(since));
        }
        if verdict == Verdict::LateCounted || !is_batch {
            self.see_queues(place, at, state);
        }
        if verdict != Verdict::LateKept {
            self.tally.answered(cell, worked, at);
        }
        Some(app)
    }

    /// The lease that somebody has, if any, is over without an answer: its slot is open again.
    #[inline(never)]
    pub(super) fn see_given_back(&mut self, id: WorkerId, at: Time, state: &State) {
        let held = self.people.get_mut(u64::from(id.0)).and_then(|person| person.lease.as_mut());
        let Some(held) = held.filter(|held| held.good) else { return };
        held.good = false;
        let task = held.task;
        let Some(demand) = self.jobs.get(task.job.0).map(|live| live.demand) else { return };
        self.reopened.put(task, at);
        self.see_queues(demand, at, state);
    }

    #[inline(never)]
    pub(super) fn see_expired(&mut self, id: WorkerId, at: Time, state: &State) {
        self.edges.leases_expired += 1;
        self.tally.counts.expired += u64::from(self.tally.counts(at));
        self.see_given_back(id, at, state);
        // Who put the task aside remembers now; who works on it goes on, and will be late.
        if self.people.get(u64::from(id.0)).is_some_and(|person| person.next == Next::Nothing) {
            self.ask_again(id);
        }
    }

    #[inline(never)]
    pub(super) fn see_parked(&mut self, id: WorkerId, at: Time) {
        let Some(person) = self.people.get_mut(u64::from(id.0)) else { return };
        let kind = &self.setup.kinds[person.kind as usize];
        let Some(bored) = &kind.leaving.bored else {
            person.turn_to(Next::Nothing);
            return;
        };
        let after = Span::from_secs_f64(person.draw(bored));
        let turn = person.turn_to(Next::Leave);
        self.agenda.put(at + after, Event::Act(id, turn));
    }

    #[inline(never)]
    pub(super) fn see_training(&mut self, id: WorkerId, app: AppId, at: Time) {
        let Some(person) = self.people.get_mut(u64::from(id.0)) else { return };
        let who = Chance::of(self.seed, Purpose::Training, person.origin.thing(), person.origin.number);
        let mut chance = who.again(Purpose::Training, u64::from(app.0), u64::from(person.visit));
        let (law, spec) = (&self.setup.apps[app.index()].training, &self.setup.apps[app.index()].spec);
        let drawn = law.draw(&mut chance);
        let takes = if law.mean() > 0.0 { Span::from_secs_f64(drawn) } else { spec.training };
        let turn = person.turn_to(Next::Learned);
        self.agenda.put(at + takes, Event::Act(id, turn));
    }
}

/// When a task opened, if its job lives.
fn opened(state: &State, task: TaskId) -> Option<Time> {
    state.job(task.job).map(|job| job.opened(task.index))
}

/// The stream of a task's work. If a task gets several answers, each takes a time of its own.
#[inline]
fn work_of(seed: u64, place: usize, task: TaskId, number: u64, several: Option<Origin>) -> Chance {
    let thing = (place as u64) << 32 | u64::from(task.index);
    let chance = Chance::of(seed, Purpose::Work, thing, number);
    match several {
        None => chance,
        Some(origin) => chance.again(Purpose::Work, origin.thing(), origin.number),
    }
}
