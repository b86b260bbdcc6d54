//! A small crowd and its jobs, turned at random; and a book kept from the facts alone of who may have what.

use std::collections::{BTreeMap, BTreeSet};

use muster_engine::fact::{Body, Decision, Fact, Grant, Input, Verdict};
use muster_engine::ids::{AppId, JobId, KindId, PoolId, TaskId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::spec::{AppSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, Work, WorkerSpec};
use muster_engine::{Command, Engine, Span, Time};

use crate::dice::Dice;

/// The pool of the crowd.
pub(crate) const POOL: PoolId = PoolId(0);

/// An engine with three tenants, some apps and a pool that serves them all; nobody is there yet.
pub(crate) fn engine(seed: u64, dice: &mut Dice, apps: u32, spec: impl FnOnce(&mut PoolSpec)) -> Engine {
    let mut engine = Engine::new(seed);
    for _ in 0..3 {
        let weight = dice.from(1, 4);
        send(&mut engine, Time::ZERO, Command::AddTenant(TenantSpec { weight, budget: None }));
    }
    for _ in 0..apps {
        let training = if apps > 1 { Span::from_secs(30) } else { Span::ZERO };
        send(&mut engine, Time::ZERO, Command::AddApp(AppSpec { training, ..AppSpec::default() }));
    }
    send(&mut engine, Time::ZERO, Command::AddKind(KindSpec::person(Money::ZERO)));
    let mut pool = PoolSpec::serving(&(0..apps).map(AppId).collect::<Vec<_>>());
    spec(&mut pool);
    send(&mut engine, Time::ZERO, Command::AddPool(Box::new(pool)));
    engine
}

/// Sends a command that must be accepted; what came of it.
pub(crate) fn send(engine: &mut Engine, at: Time, command: Command) -> Vec<Fact> {
    let (mut facts, said) = (Vec::new(), format!("{command:?}"));
    let outcome = engine.handle(at, command, &mut facts);
    assert!(outcome.is_ok(), "{said} is refused: {outcome:?}");
    facts
}

/// What was leased.
pub(crate) fn leases(facts: &[Fact]) -> impl Iterator<Item = &Grant> {
    facts.iter().filter_map(|fact| match &fact.body {
        Body::Decision(Decision::Leased(grant)) => Some(grant),
        _ => None,
    })
}

/// A pool with this dispatch policy.
pub(crate) fn dispatched_by(spec: &PolicySpec) -> impl FnOnce(&mut PoolSpec) + '_ {
    |pool| pool.policies.dispatch = spec.clone()
}

/// Somebody who has learned some of the apps, at least one.
pub(crate) fn newcomer(dice: &mut Dice, apps: u32) -> Command {
    let mut spec = WorkerSpec::of(POOL, KindId(0));
    spec.trained = (0..apps).filter(|_| dice.permille(500)).map(AppId).collect();
    if spec.trained.is_empty() {
        spec.trained.push(AppId(dice.from(0, apps - 1)));
    }
    Command::Join(Box::new(spec))
}

/// A batch of a few tasks.
pub(crate) fn batch(dice: &mut Dice, apps: u32) -> Command {
    let (tenant, app) = (TenantId(dice.from(0, 2)), AppId(dice.from(0, apps - 1)));
    let mut spec = JobSpec::batch(tenant, app, dice.from(1, 5));
    spec.priority = dice.from(1, 4);
    spec.slots = dice.pick(&[1, 1, 2, 3]);
    spec.expected = dice.permille(500).then(|| Span::from_secs(u64::from(dice.from(1, 20))));
    Command::Submit(Box::new(spec))
}

/// Something that this engine will accept now.
pub(crate) fn any_command(engine: &Engine, dice: &mut Dice, apps: u32) -> Command {
    let state = engine.state();
    let workers = state.workers();
    let Some(worker) = dice.any(&workers).filter(|_| workers.len() > 3) else { return newcomer(dice, apps) };
    let jobs: Vec<JobId> = state.jobs().iter().map(|job| job.id).collect();
    let job = dice.any(&jobs);
    match (dice.below(100), &worker.lease, job) {
        (0..=1, ..) => Command::Leave(worker.id),
        (2..=5, ..) if workers.len() < 8 => newcomer(dice, apps),
        (6..=7, _, Some(job)) => Command::SetJobPriority(job, dice.from(1, 4)),
        (8, _, Some(job)) => Command::CancelJob(job),
        (9..=24, ..) if jobs.len() < 8 => batch(dice, apps),
        (_, Some(lease), _) => match dice.below(10) {
            0 => Command::Return(worker.id, lease.token),
            1 => Command::SkipTask(worker.id, lease.token),
            2 => Command::SkipJob(worker.id, lease.token),
            _ => Command::Answer(worker.id, lease.token),
        },
        _ if worker.learning.is_some() => Command::Trained(worker.id),
        _ => Command::Ask(worker.id),
    }
}

/// A job as the book knows it.
#[derive(Clone, Copy, Debug)]
struct Kept {
    app: AppId,
    tasks: u32,
    slots: u32,
}

/// Who may have what, from the facts alone.
#[derive(Debug, Default)]
pub(crate) struct Book {
    jobs: BTreeMap<JobId, Kept>,
    able: BTreeMap<WorkerId, BTreeSet<AppId>>,
    learning: BTreeMap<WorkerId, AppId>,
    waiting: BTreeSet<WorkerId>,
    held: BTreeMap<Token, (TaskId, WorkerId)>,
    /// Slots that are held or answered.
    taken: BTreeMap<TaskId, u32>,
    /// Who has, had answered, or does not want a task.
    barred: BTreeSet<(TaskId, WorkerId)>,
    barred_jobs: BTreeSet<(JobId, WorkerId)>,
}

impl Book {
    /// Notes a fact; a lease of what the worker may not have is an error.
    pub(crate) fn note(&mut self, fact: &Fact) {
        match &fact.body {
            Body::Input(input) => self.note_input(input),
            Body::Decision(Decision::Leased(grant)) => {
                assert!(self.may(grant.worker, grant.task), "{grant:?} may not be");
                self.waiting.remove(&grant.worker);
                self.held.insert(grant.token, (grant.task, grant.worker));
                *self.taken.entry(grant.task).or_default() += 1;
                self.barred.insert((grant.task, grant.worker));
            }
            Body::Decision(Decision::Parked(worker)) => {
                self.waiting.insert(*worker);
            }
            Body::Decision(Decision::TrainingStarted(worker, app)) => {
                self.waiting.remove(worker);
                self.learning.insert(*worker, *app);
            }
            Body::Decision(Decision::Judged { verdict, .. }) => assert_eq!(*verdict, Verdict::Counted),
            Body::Decision(Decision::JobClosed { job, .. }) => {
                self.jobs.remove(job);
                self.held.retain(|_, (task, _)| task.job != *job);
            }
            Body::Decision(Decision::Departed { worker, .. }) => {
                self.waiting.remove(worker);
                let tokens: Vec<Token> =
                    self.held.iter().filter(|(_, (_, who))| who == worker).map(|(token, _)| *token).collect();
                tokens.into_iter().for_each(|token| self.free(token));
            }
            Body::Decision(_) => {}
        }
    }

    fn note_input(&mut self, input: &Input) {
        match input {
            Input::JobSubmitted(id, spec) => {
                let Work::Batch { app, tasks } = spec.work else { panic!("only batches here") };
                self.jobs.insert(*id, Kept { app, tasks, slots: u32::from(spec.slots) });
            }
            Input::Paused(worker) => {
                self.waiting.remove(worker);
            }
            Input::Joined(id, spec) => {
                self.able.insert(*id, spec.trained.iter().copied().collect());
            }
            Input::Trained(worker) => {
                let app = self.learning.remove(worker).expect("they learned something");
                self.able.entry(*worker).or_default().insert(app);
            }
            Input::Answered(_, token) => {
                self.held.remove(token);
            }
            Input::Returned(_, token) => self.free(*token),
            Input::TaskSkipped(worker, token) => {
                let task = self.held[token].0;
                self.free(*token);
                self.barred.insert((task, *worker));
            }
            Input::JobSkipped(worker, token) => {
                self.barred_jobs.insert((self.held[token].0.job, *worker));
                self.free(*token);
            }
            _ => {}
        }
    }

    /// A lease came to nothing: the slot is open, to the same worker too.
    fn free(&mut self, token: Token) {
        let Some((task, worker)) = self.held.remove(&token) else { return };
        *self.taken.get_mut(&task).expect("it was taken") -= 1;
        self.barred.remove(&(task, worker));
    }

    fn may(&self, worker: WorkerId, task: TaskId) -> bool {
        let Some(job) = self.jobs.get(&task.job) else { return false };
        let free = self.taken.get(&task).copied().unwrap_or_default() < job.slots;
        let wanted =
            !self.barred.contains(&(task, worker)) && !self.barred_jobs.contains(&(task.job, worker));
        free && wanted && self.able[&worker].contains(&job.app)
    }

    /// How many slots of a job are held now.
    pub(crate) fn running(&self, job: JobId) -> u32 {
        self.held.values().map(|(task, _)| u32::from(task.job == job)).sum()
    }

    /// The jobs that have something for a worker, the older first.
    pub(crate) fn jobs_for(&self, worker: WorkerId) -> Vec<JobId> {
        let has = |(job, kept): &(&JobId, &Kept)| {
            (0..kept.tasks).any(|index| self.may(worker, TaskId { job: **job, index }))
        };
        self.jobs.iter().filter(has).map(|(job, _)| *job).collect()
    }

    /// Nobody waits for whom there is something.
    pub(crate) fn nobody_waits_in_vain(&self) {
        for worker in &self.waiting {
            for (job, kept) in &self.jobs {
                let fits = (0..kept.tasks).map(|index| TaskId { job: *job, index });
                let found = fits.into_iter().find(|task| self.may(*worker, *task));
                assert_eq!(found, None, "{worker:?} waits though there is something");
            }
        }
    }
}
