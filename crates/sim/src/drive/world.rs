//! The engine and the crowd around it, turned by the agenda from the first moment to the last.
//!
//! Knows when things happen, not what they mean to people (that is the crowd's) or what is decided (that is the engine's).
//! Start at [`World::go`].

use muster_engine::fact::Recorder;
use muster_engine::ids::{Token, WorkerId};
use muster_engine::spec::WorkerSpec;
use muster_engine::{Command, Engine, Refusal, Span, Time};

use crate::measure::{Closing, Outcome};
use crate::model::Horizon;

use super::crowd::Crowd;
use super::person::Next;
use super::{Event, Run, RunError, refused, set_up};

/// How many events go by between two looks at the outside.
const LOOK_EVERY: u32 = 4096;

pub(super) struct World<'a, R> {
    run: Run<'a>,
    engine: Engine,
    crowd: Crowd<'a, R>,
    /// The sums at the end of the warm-up.
    begin: Option<Closing>,
    over: bool,
    looks: u32,
    answers_told: u64,
}

impl<'a, R: Recorder> World<'a, R> {
    pub(super) fn new(what: Run<'a>, also: &'a mut R) -> Result<Self, RunError> {
        let (engine, mut crowd) = set_up::build(what, also)?;
        crowd.begin();
        let mut world =
            Self { run: what, engine, crowd, begin: None, over: false, looks: 0, answers_told: 0 };
        if what.plan.warm_up.is_zero() {
            // What is paid for those who are there at the beginning counts, too.
            world.warm();
        }
        world.people_at_the_beginning()?;
        world.work_at_the_beginning()?;
        world.plan_ahead();
        Ok(world)
    }

    fn plan_ahead(&mut self) {
        let plan = self.run.plan;
        let agenda = &mut self.crowd.agenda;
        if !plan.warm_up.is_zero() {
            agenda.put(Time::ZERO + plan.warm_up, Event::Warm);
        }
        agenda.put(Time::ZERO, Event::Tick);
        match plan.horizon {
            Horizon::Time(span) => agenda.put(Time::ZERO + span, Event::End),
            Horizon::Drain(span) => agenda.put(Time::ZERO + span, Event::DemandEnds),
            Horizon::Jobs(_) => {}
        }
        for (pool, shifts) in self.run.setup.pools.iter().map(|pool| &pool.shifts).enumerate() {
            for (place, shift) in shifts.iter().enumerate() {
                agenda.put(Time::ZERO + shift.from, Event::Shift(pool as u32, place as u32));
            }
        }
        self.crowd.demand_begins();
    }

    fn people_at_the_beginning(&mut self) -> Result<(), RunError> {
        for (pool, described) in self.run.setup.pools.iter().enumerate() {
            for (kind, n) in &described.workers {
                for _ in 0..*n {
                    let spec = self.crowd.newcomer(pool, *kind);
                    let now = self.now();
                    let told = self.engine.handle(now, Command::Join(spec), &mut self.crowd);
                    let what = || format!("pool '{}', who is there at the beginning", described.name);
                    told.map_err(|refusal| refused(what(), refusal))?;
                }
            }
        }
        Ok(())
    }

    fn work_at_the_beginning(&mut self) -> Result<(), RunError> {
        for demand in 0..self.run.setup.demands.len() {
            for _ in 0..self.run.setup.demands[demand].backlog {
                self.submit(demand, None, 0)?;
            }
        }
        Ok(())
    }

    pub(super) fn go(&mut self) -> Result<(), RunError> {
        while !self.over {
            let next = self.crowd.agenda.next_at();
            match self.engine.next_due().filter(|due| next.is_none_or(|at| *due < at)) {
                Some(due) => self.wake(due)?,
                None if next.is_none() => break,
                None => self.step()?,
            }
        }
        Ok(())
    }

    fn wake(&mut self, due: Time) -> Result<(), RunError> {
        self.look()?;
        self.crowd.agenda.advance(due);
        self.tell(Command::Wake)?;
        self.over = self.over || self.has_drained();
        Ok(())
    }

    /// The next event, and what is put down for the same moment because of it: the engine is not woken in between.
    fn step(&mut self) -> Result<(), RunError> {
        while let Some(event) = self.crowd.agenda.next() {
            self.look()?;
            self.happen(event)?;
            self.over = self.over || self.has_drained();
            if self.over || !self.crowd.agenda.has_more_now() {
                break;
            }
        }
        Ok(())
    }

    #[inline]
    fn happen(&mut self, event: Event) -> Result<(), RunError> {
        match event {
            Event::Arrive(demand) => self.arrive(demand as usize)?,
            Event::Act(worker, turn) => self.act(worker, turn)?,
            Event::Request(demand, client) => {
                if self.crowd.is_wanted(demand as usize) {
                    self.submit(demand as usize, Some(client), 0)?;
                } else {
                    self.crowd.source_ends();
                }
            }
            Event::GiveUp(job) => {
                if self.crowd.has_not_begun(job) {
                    self.tell(Command::CancelJob(job))?;
                }
            }
            Event::StayOver(worker) => self.stay_over(worker)?,
            Event::Come(place) => self.come(place)?,
            Event::Shift(pool, shift) => self.shift(pool as usize, shift as usize)?,
            Event::Tick => self.tick(),
            Event::Warm => self.warm(),
            Event::DemandEnds => self.crowd.end_demand(),
            Event::End => self.over = true,
        }
        Ok(())
    }

    /// Measuring begins.
    fn warm(&mut self) {
        self.begin = Some(Closing::of(&self.crowd.tally, self.engine.state(), self.now()));
    }

    fn now(&self) -> Time {
        self.crowd.agenda.now()
    }

    /// Whether the demand has ended and all work is done; or will never be.
    #[inline]
    fn has_drained(&self) -> bool {
        let Some(ended) = self.crowd.demand_ended else { return false };
        let patience = Span::from_hours(24 * 30) + Span(ended.0.saturating_mul(10));
        self.engine.state().job_count() == 0 || self.now() > Time::ZERO + patience
    }

    /// A command that the engine has no reason to refuse.
    fn tell(&mut self, command: Command) -> Result<(), RunError> {
        let now = self.crowd.agenda.now();
        match self.engine.handle(now, command, &mut self.crowd) {
            Ok(_) => Ok(()),
            Err(refusal) => Err(refused(format!("at {now}"), refusal)),
        }
    }

    fn arrive(&mut self, demand: usize) -> Result<(), RunError> {
        if self.crowd.is_wanted(demand) {
            let tasks = self.crowd.next_arrival(demand);
            self.submit(demand, None, tasks)
        } else {
            self.crowd.source_ends();
            Ok(())
        }
    }

    fn submit(&mut self, demand: usize, client: Option<u32>, tasks: u32) -> Result<(), RunError> {
        let job = self.crowd.job(demand, client, tasks);
        self.tell(Command::Submit(job))
    }

    fn act(&mut self, id: WorkerId, turn: u32) -> Result<(), RunError> {
        let Some((next, token)) = self.crowd.is_about_to(id, turn) else { return Ok(()) };
        let lease = || token.expect("who works has a lease");
        match next {
            Next::Ask => self.tell(Command::Ask(id)),
            Next::Answer => self.answer(id, lease()),
            Next::SkipTask => self.give_back(id, Command::SkipTask(id, lease())),
            Next::SkipJob => self.give_back(id, Command::SkipJob(id, lease())),
            Next::GiveBack => self.give_back(id, Command::Return(id, lease())),
            Next::Learned => self.tell(Command::Trained(id)),
            Next::Leave => self.tell(Command::Leave(id)),
            Next::Nothing => Ok(()),
        }
    }

    /// An answer may come too late to be of any use; then its worker just asks again.
    fn answer(&mut self, id: WorkerId, token: Token) -> Result<(), RunError> {
        let now = self.now();
        match self.engine.handle(now, Command::Answer(id, token), &mut self.crowd) {
            Err(Refusal::UnknownLease(..)) => {
                self.crowd.ask_again(id);
                Ok(())
            }
            Err(refusal) => Err(refused(format!("at {now}"), refusal)),
            Ok(_) => Ok(()),
        }
    }

    /// Giving back may come after the lease has run out; then there is nothing to give back.
    fn give_back(&mut self, id: WorkerId, command: Command) -> Result<(), RunError> {
        let now = self.now();
        match self.engine.handle(now, command, &mut self.crowd) {
            Ok(_) | Err(Refusal::UnknownLease(..)) => {
                self.crowd.ask_again(id);
                Ok(())
            }
            Err(refusal) => Err(refused(format!("at {now}"), refusal)),
        }
    }

    fn stay_over(&mut self, id: WorkerId) -> Result<(), RunError> {
        if self.crowd.goes_now(id) { self.tell(Command::Leave(id)) } else { Ok(()) }
    }

    /// Somebody comes; if there is no room for them, or no money for a machine, they are turned away.
    fn join(&mut self, spec: Box<WorkerSpec>) -> Result<(), RunError> {
        let now = self.now();
        match self.engine.handle(now, Command::Join(spec), &mut self.crowd) {
            Ok(_) => Ok(()),
            Err(Refusal::NoRoom { .. } | Refusal::OverBudget { .. }) => {
                self.crowd.turn_away();
                Ok(())
            }
            Err(refusal) => Err(refused(format!("at {now}"), refusal)),
        }
    }

    fn come(&mut self, place: u32) -> Result<(), RunError> {
        match self.crowd.who_comes(place) {
            Some(spec) => self.join(spec),
            None => Ok(()),
        }
    }

    fn shift(&mut self, pool: usize, place: usize) -> Result<(), RunError> {
        let shift = self.run.setup.pools[pool].shifts[place];
        let now = self.now();
        for _ in 0..shift.workers {
            self.crowd.goes_at = Some(now + shift.length);
            let spec = self.crowd.newcomer(pool, shift.kind);
            self.join(spec)?;
        }
        if let Some(every) = shift.every {
            self.crowd.agenda.put(now + every, Event::Shift(pool as u32, place as u32));
        }
        Ok(())
    }

    fn tick(&mut self) {
        let moment = self.crowd.moment(self.engine.state());
        let next = self.crowd.timeline.put(moment);
        self.crowd.agenda.put(next, Event::Tick);
    }

    /// From time to time: tells how far it is, and whether to go on.
    #[inline]
    fn look(&mut self) -> Result<(), RunError> {
        self.looks += 1;
        if self.looks < LOOK_EVERY {
            return Ok(());
        }
        self.looks = 0;
        let answers = self.crowd.edges.answers;
        let share = match self.run.plan.horizon {
            Horizon::Time(span) | Horizon::Drain(span) => self.now().0 as f64 / span.0.max(1) as f64,
            Horizon::Jobs(n) => self.crowd.edges.jobs_submitted as f64 / n.max(1) as f64,
        };
        self.run.watch.progress(self.run.number, share.min(1.0), answers - self.answers_told);
        self.answers_told = answers;
        if self.run.watch.stopped() { Err(RunError::Stopped) } else { Ok(()) }
    }

    /// The run is over: the books are closed, and Little's law is checked.
    pub(super) fn close(mut self) -> Outcome {
        let (state, now) = (self.engine.state(), self.now());
        let moment = self.crowd.moment(state);
        let _ = self.crowd.timeline.put(moment);
        self.crowd.check_little(state);
        let end = Closing::of(&self.crowd.tally, state, now);
        let begin = self.begin.take().unwrap_or_else(|| end.clone());
        let told = self.crowd.edges.answers - self.answers_told;
        self.run.watch.progress(self.run.number, 1.0, told);
        self.crowd.outcome(state, &begin, &end)
    }
}
