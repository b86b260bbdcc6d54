//! The outside: random commands, mostly sensible, some late, some twice, some nonsense. Does not check anything.
//!
//! What it does next is a function of its dice and the engine's state, so a seed is a whole story. Start at
//! [`World::next`].

use std::collections::VecDeque;

use muster_engine::fact::{Body, Decision, Fact};
use muster_engine::ids::{JobId, KindId, PoolId, TenantId, Token, WorkerId};
use muster_engine::spec::WorkerSpec;
use muster_engine::state::State;
use muster_engine::state::worker::Standing;
use muster_engine::{Command, Engine, Span, Time};

use crate::dice::Dice;
use crate::setup::Menu;
use crate::{jobs, nonsense, setup};

/// So many jobs live at most, and so many workers.
const JOBS_MOST: usize = 14;
const WORKERS_MOST: usize = 12;
/// So many leases given lately are remembered, to be answered again or late.
const TOKENS_MOST: usize = 40;

/// What the outside knows and how it behaves.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) dice: Dice,
    now: Time,
    first: VecDeque<Command>,
    tokens: VecDeque<(WorkerId, Token)>,
    /// Leases that ran out lately.
    lapsed: VecDeque<(WorkerId, Token)>,
    /// How long between commands, mostly.
    pace: Span,
    /// How many of 1000 commands that should be wakes are.
    wakeful: u64,
    /// Which policies there are.
    menu: Menu,
}

impl World {
    pub(crate) fn new(seed: u64, menu: Menu) -> Self {
        let mut dice = Dice::new(seed);
        let first = setup::commands(&mut dice, menu).into();
        let pace = dice.pick(&[Span::from_millis(300), Span::from_secs(1), Span::from_secs(4)]);
        let wakeful = dice.pick(&[950, 700, 200]);
        Self {
            dice,
            now: Time::ZERO,
            first,
            tokens: VecDeque::new(),
            lapsed: VecDeque::new(),
            pace,
            wakeful,
            menu,
        }
    }

    /// What was decided: the outside remembers leases.
    pub(crate) fn hear(&mut self, facts: &[Fact]) {
        for fact in facts {
            let (list, lease) = match &fact.body {
                Body::Decision(Decision::Leased(grant)) => (&mut self.tokens, (grant.worker, grant.token)),
                Body::Decision(Decision::LeaseExpired(worker, token)) => {
                    (&mut self.lapsed, (*worker, *token))
                }
                _ => continue,
            };
            list.push_back(lease);
            if list.len() > TOKENS_MOST {
                list.pop_front();
            }
        }
    }

    /// The next command and when it comes.
    pub(crate) fn next(&mut self, engine: &Engine) -> (Time, Command) {
        if let Some(command) = self.first.pop_front() {
            return (self.now, command);
        }
        let due = engine.next_due();
        if let Some(due) = due.filter(|due| *due <= self.now + self.pace)
            && self.dice.permille(self.wakeful)
        {
            // On time, or as soon as the outside got round to it.
            self.now = self.now.max(due);
            return (self.now, Command::Wake);
        }
        self.pass_time();
        let command = loop {
            if let Some(command) = self.choose(engine.state()) {
                break command;
            }
        };
        if self.dice.permille(4) {
            let before = Time(self.now.0.saturating_sub(self.dice.below(5_000_000_000)));
            return (before, command);
        }
        (self.now, command)
    }

    fn pass_time(&mut self) {
        let step = match self.dice.below(100) {
            0..=29 => Span::ZERO,
            30..=89 => self.dice.span(Span(self.pace.0 * 2)),
            90..=97 => Span::from_secs(self.dice.below(15)),
            98 => Span::from_secs(self.dice.below(120)),
            _ => self.dice.span(Span::from_mins(20)),
        };
        self.now = self.now + step;
    }

    fn choose(&mut self, state: &State) -> Option<Command> {
        match self.dice.below(1000) {
            0..=219 => self.ask(state),
            220..=389 => self.answer(state),
            390..=509 => self.handle_lease(state),
            510..=579 => self.come_and_go(state),
            580..=739 => self.stand_otherwise(state),
            740..=839 => (state.job_count() < JOBS_MOST)
                .then(|| Command::Submit(Box::new(jobs::any(&mut self.dice, state)))),
            840..=899 => self.change_job(state),
            900..=934 => setup::change(&mut self.dice, state),
            935..=954 => Some(setup::change_policy(&mut self.dice, state, self.menu)),
            955..=969 => self.recruit(state),
            970..=973 => Some(Command::Wake),
            974..=976 => {
                let gap = self.dice.span(Span::from_mins(30));
                let since = self.now;
                self.now = self.now + gap;
                Some(Command::Resume(since, Vec::new()))
            }
            _ => Some(nonsense::any(&mut self.dice, state)),
        }
    }

    fn worker(&mut self, state: &State, fits: impl Fn(Standing) -> bool) -> Option<WorkerId> {
        let fitting: Vec<WorkerId> =
            state.workers().iter().filter(|worker| fits(worker.standing)).map(|worker| worker.id).collect();
        self.dice.any(&fitting)
    }

    fn ask(&mut self, state: &State) -> Option<Command> {
        let any = self.dice.permille(60);
        self.worker(state, |standing| any || matches!(standing, Standing::Paused)).map(Command::Ask)
    }

    fn held(&mut self, state: &State) -> Option<(WorkerId, Token)> {
        let workers = state.workers();
        let held: Vec<(WorkerId, Token)> =
            workers.iter().filter_map(|worker| worker.lease.map(|lease| (worker.id, lease.token))).collect();
        self.dice.any(&held)
    }

    fn answer(&mut self, state: &State) -> Option<Command> {
        self.held(state).map(|(worker, token)| Command::Answer(worker, token))
    }

    fn remembered(&mut self) -> Option<(WorkerId, Token)> {
        let at = self.dice.below(self.tokens.len() as u64) as usize;
        self.tokens.get(at).copied()
    }

    /// A lease that ran out, of a worker who is still there.
    fn late(&mut self, state: &State) -> Option<(WorkerId, Token)> {
        self.lapsed.retain(|(worker, _)| state.worker(*worker).is_some());
        let at = self.dice.below(self.lapsed.len() as u64) as usize;
        self.lapsed.remove(at)
    }

    fn handle_lease(&mut self, state: &State) -> Option<Command> {
        match self.dice.below(12) {
            0..=1 => self.held(state).map(|(worker, token)| Command::Return(worker, token)),
            2 => self.held(state).map(|(worker, token)| Command::SkipTask(worker, token)),
            3 => self.held(state).map(|(worker, token)| Command::SkipJob(worker, token)),
            4 => self.remembered().map(|(worker, token)| Command::Answer(worker, token)),
            5..=6 => self.late(state).map(|(worker, token)| Command::Answer(worker, token)),
            7 => self.remembered().map(|(worker, token)| Command::Return(worker, token)),
            8 => {
                let worker = self.worker(state, |_| true)?;
                let (_, token) = self.remembered()?;
                Some(Command::Answer(worker, Token(token.0 + self.dice.below(3))))
            }
            _ => self.worker(state, |_| true).map(Command::Heartbeat),
        }
    }

    fn come_and_go(&mut self, state: &State) -> Option<Command> {
        let crowded = state.worker_count() >= WORKERS_MOST;
        match self.dice.below(10) {
            0 => self.worker(state, |_| true).map(Command::Leave),
            1 => self.worker(state, |_| true).map(Command::Drain),
            _ if crowded => None,
            _ => Some(Command::Join(Box::new(self.newcomer(state)))),
        }
    }

    fn newcomer(&mut self, state: &State) -> WorkerSpec {
        let recruits: Vec<_> = state.recruits().iter().map(|(id, recruit)| (*id, *recruit)).collect();
        let recruit = self.dice.any(&recruits).filter(|_| self.dice.permille(800));
        let pool = PoolId(self.dice.below(state.pools().len() as u64) as u32);
        let kind = KindId(self.dice.below(state.kinds().len() as u64) as u32);
        let mut spec = match recruit {
            Some((id, order)) => WorkerSpec { recruit: Some(id), ..WorkerSpec::of(order.pool, order.kind) },
            None => WorkerSpec::of(pool, kind),
        };
        for app in setup::apps(state) {
            if self.dice.permille(350) {
                spec.trained.push(app);
            }
            if self.dice.permille(300) {
                spec.preferences.push((app, self.dice.below(11) as f64 / 10.0));
            }
        }
        spec
    }

    fn stand_otherwise(&mut self, state: &State) -> Option<Command> {
        match self.dice.below(8) {
            0 => self.worker(state, |_| true).map(Command::Pause),
            1 => {
                let to = PoolId(self.dice.below(state.pools().len() as u64) as u32);
                self.worker(state, |_| true).map(|worker| Command::Move(worker, to))
            }
            _ => self.worker(state, |standing| standing == Standing::Training).map(Command::Trained),
        }
    }

    fn change_job(&mut self, state: &State) -> Option<Command> {
        let live: Vec<JobId> = state.jobs().iter().map(|job| job.id).collect();
        let job = self.dice.any(&live)?;
        Some(match self.dice.below(6) {
            0..=1 => Command::CancelJob(job),
            2..=4 => Command::SetJobBudget(job, jobs::budget(&mut self.dice)),
            _ => Command::SetJobPriority(job, self.dice.from(1, 9)),
        })
    }

    fn recruit(&mut self, state: &State) -> Option<Command> {
        let recruits: Vec<_> = state.recruits().iter().map(|(id, recruit)| (*id, recruit.n)).collect();
        if let Some((id, n)) = self.dice.any(&recruits).filter(|_| self.dice.permille(600)) {
            return Some(Command::RecruitFailed(id, self.dice.from(1, n.max(1))));
        }
        let pool = PoolId(self.dice.below(state.pools().len() as u64) as u32);
        let kind = KindId(self.dice.below(state.kinds().len() as u64) as u32);
        Some(Command::Recruit(pool, kind, self.dice.from(1, 3)))
    }
}

/// A tenant who is there.
pub(crate) fn tenant(dice: &mut Dice, state: &State) -> TenantId {
    TenantId(dice.below(state.tenants().len() as u64) as u32)
}
