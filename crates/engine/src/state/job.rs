//! Jobs: their tasks, slots and lanes. Does not know workers beyond their ids, nor why a task was chosen.
//!
//! A *lane* is the tasks of one job that are of one app, and so belong to one pool: what dispatch policies choose
//! between. Invariant: a slot of a task is open, leased or answered, never two of these. Start at [`Job`].

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::ids::{AppId, ClientId, JobId, KindId, PoolId, TaskId, TenantId, WorkerId};
use crate::money::Money;
use crate::rare::Rare;
use crate::spec::Estimates;
use crate::table::{Named, Slot};
use crate::time::{Span, Time};

/// A live job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// Its name; a smaller one was submitted earlier.
    pub id: JobId,
    /// Who pays.
    pub tenant: TenantId,
    /// Its share against the tenant's other jobs.
    pub priority: u32,
    /// What an answer is worth.
    pub price: Money,
    /// Answers per task.
    pub slots: u8,
    /// What it may cost.
    pub budget: Option<Money>,
    /// What it has cost.
    pub spent: Money,
    /// What is set aside for leases.
    pub reserved: Money,
    /// For whom it is.
    pub client: Option<ClientId>,
    /// How long a task takes, if the submitter said.
    pub expected: Option<Span>,
    /// When it came.
    pub submitted: Time,
    /// Tasks that are not done.
    pub left: u32,
    /// Whether it has been said that its budget is short.
    pub short: bool,
    pub(crate) tasks: Tasks,
    pub(crate) lanes: Lanes,
    pub(crate) flow: Option<Box<Flow>>,
    pub(crate) estimates: Option<Box<Estimates>>,
    /// Workers who must not get a task (again): they hold, have answered or have skipped it.
    pub(crate) touched: Rare<BTreeSet<(u32, WorkerId)>>,
}

/// Stands for all tasks of a job in `touched`: the worker does not want the job.
const WHOLE_JOB: u32 = u32::MAX;

/// The life of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskState {
    /// Its parents are not all done.
    Waiting,
    /// It can be worked on.
    #[default]
    Open,
    /// All its slots are answered.
    Done,
    /// It is no longer wanted.
    Cancelled,
}

/// A task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Where it is in its life.
    pub state: TaskState,
    /// Slots in workers' hands.
    pub leased: u8,
    /// Slots filled.
    pub answered: u8,
}

/// A job's tasks; a single one takes no memory of its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Tasks {
    One(Task),
    Many(Box<[Task]>),
}

impl Tasks {
    pub(crate) fn new(n: usize, task: Task) -> Self {
        if n == 1 { Self::One(task) } else { Self::Many(vec![task; n].into_boxed_slice()) }
    }

    pub(crate) fn as_slice(&self) -> &[Task] {
        match self {
            Self::One(task) => std::slice::from_ref(task),
            Self::Many(tasks) => tasks,
        }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [Task] {
        match self {
            Self::One(task) => std::slice::from_mut(task),
            Self::Many(tasks) => tasks,
        }
    }
}

/// What depends on what, in a workflow.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Flow {
    /// For each task, the lane it is in.
    pub(crate) lane: Vec<u16>,
    /// For each task, how many of its parents are not done.
    pub(crate) parents_left: Vec<u32>,
    /// For each task, where its children begin in `children`; one more entry for the end.
    pub(crate) children_from: Vec<u32>,
    pub(crate) children: Vec<u32>,
    /// For each task, when it opened.
    pub(crate) opened: Vec<Time>,
}

impl Flow {
    pub(crate) fn children(&self, task: u32) -> &[u32] {
        let (from, to) = (self.children_from[task as usize], self.children_from[task as usize + 1]);
        &self.children[from as usize..to as usize]
    }
}

/// The open work of one job and app.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lane {
    /// Its number: lanes made earlier have smaller ones. Breaks ties.
    pub seq: u64,
    /// The type of its tasks.
    pub app: AppId,
    /// The pool that does them.
    pub pool: PoolId,
    /// Open slots.
    pub open: u32,
    /// Leased slots.
    pub running: u32,
    /// Whether dispatch policies know it: there is open work, and money for it.
    pub listed: bool,
    /// Where the app stands in the pool's list.
    pub(crate) place: u16,
    /// How often a task has come back: a memo of what a worker has seen holds only while this stands still.
    pub(crate) reopens: u32,
    /// Tasks from `fresh` to `end` have never been leased, but for those taken ahead of their turn.
    pub(crate) fresh: u32,
    pub(crate) end: u32,
    pub(crate) ahead: Rare<BTreeSet<u32>>,
    /// Other tasks with open slots.
    pub(crate) front: Rare<BTreeSet<u32>>,
}

impl Lane {
    /// The first task with an open slot, whoever asks.
    #[must_use]
    pub fn first_open(&self) -> Option<u32> {
        self.sooner(self.front.first().copied())
    }

    /// The first that was never leased, or one that was, whichever is first.
    fn sooner(&self, leased: Option<u32>) -> Option<u32> {
        let fresh = (self.fresh < self.end).then_some(self.fresh);
        match (leased, fresh) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// A slot of a task is leased for the first time, or `more` of its slots are open after it was.
    pub(crate) fn lease(&mut self, task: u32, more: bool) {
        self.running += 1;
        let first = task >= self.fresh && task < self.end && !self.ahead.contains(&task);
        if first && task == self.fresh {
            self.fresh += 1;
            while !self.ahead.is_empty() && self.ahead.remove(&self.fresh) {
                self.fresh += 1;
            }
        } else if first {
            self.ahead.insert(task);
        }
        if more {
            self.front.insert(task);
        } else if !first {
            self.front.remove(&task);
        }
    }
}

/// A job's lanes; a single one takes no memory of its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lanes {
    first: Lane,
    rest: Rare<Vec<Lane>>,
}

impl Lanes {
    pub(crate) fn new(mut lanes: Vec<Lane>) -> Self {
        let first = lanes.remove(0);
        Self { first, rest: lanes.into() }
    }

    pub(crate) fn one(first: Lane) -> Self {
        Self { first, rest: Rare::default() }
    }

    pub(crate) fn len(&self) -> u16 {
        u16::try_from(1 + self.rest.len()).expect("a job has at most 65535 apps")
    }

    pub(crate) fn get(&self, lane: u16) -> &Lane {
        if lane == 0 { &self.first } else { &self.rest[usize::from(lane) - 1] }
    }

    pub(crate) fn get_mut(&mut self, lane: u16) -> &mut Lane {
        if lane == 0 { &mut self.first } else { &mut self.rest[usize::from(lane) - 1] }
    }
}

/// Which lane: a place that is good while the job lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LaneRef {
    pub(crate) job: Slot<Job>,
    pub(crate) lane: u16,
}

impl LaneRef {
    /// No lane is before this.
    pub(crate) const LEAST: Self = Self { job: Slot::new(0), lane: 0 };
}

impl Job {
    /// Its tasks, in order.
    #[must_use]
    pub fn tasks(&self) -> &[Task] {
        self.tasks.as_slice()
    }

    /// Its lanes, in order.
    pub fn lanes(&self) -> impl Iterator<Item = &Lane> {
        (0..self.lanes.len()).map(|lane| self.lanes.get(lane))
    }

    /// The pools of its lanes, each once.
    #[must_use]
    pub fn pools(&self) -> Vec<PoolId> {
        let mut pools: Vec<PoolId> = self.lanes().map(|lane| lane.pool).collect();
        pools.sort_unstable();
        pools.dedup();
        pools
    }

    /// The pool of its lane, if it has but one.
    pub(crate) fn only_pool(&self) -> Option<PoolId> {
        (self.lanes.len() == 1).then(|| self.lanes.get(0).pool)
    }

    /// The name of one of its tasks.
    #[must_use]
    pub fn task_id(&self, index: u32) -> TaskId {
        TaskId { job: self.id, index }
    }

    /// Leased slots of all its tasks.
    #[must_use]
    pub fn running(&self) -> u32 {
        self.lanes().map(|lane| lane.running).sum()
    }

    /// What it may still cost, with what is set aside taken off; `None` is no limit.
    #[must_use]
    pub fn money_left(&self) -> Option<Money> {
        self.budget.map(|budget| budget - self.spent - self.reserved)
    }

    /// Whether its own budget pays for one more answer.
    #[must_use]
    pub fn can_spend(&self) -> bool {
        self.price.is_zero() || self.money_left().is_none_or(|left| self.price <= left)
    }

    /// The tasks that wait for a task.
    #[must_use]
    pub fn children(&self, task: u32) -> &[u32] {
        self.flow.as_ref().map_or(&[], |flow| flow.children(task))
    }

    /// How many parents a task waits for.
    #[must_use]
    pub fn parents_left(&self, task: u32) -> u32 {
        self.flow.as_ref().map_or(0, |flow| flow.parents_left[task as usize])
    }

    /// The app of a task.
    #[must_use]
    pub fn app_of(&self, task: u32) -> AppId {
        self.lanes.get(self.lane_of(task)).app
    }

    /// When a task opened: with the job, or when its last parent was done.
    #[must_use]
    pub fn opened(&self, task: u32) -> Time {
        self.flow.as_ref().map_or(self.submitted, |flow| flow.opened[task as usize])
    }

    /// How long a task takes on a kind, if the submitter said so for tasks or for this kind.
    #[must_use]
    pub fn estimate(&self, task: u32, kind: KindId, speed: f64) -> Option<Span> {
        match self.estimates.as_deref() {
            Some(Estimates::PerTaskAndKind { kinds, spans }) => {
                let column = kinds.iter().position(|known| *known == kind)?;
                Some(spans[task as usize * kinds.len() + column])
            }
            Some(Estimates::PerTask(spans)) => Some(spans[task as usize].scaled(1.0 / speed)),
            _ => None,
        }
    }

    /// Whether a worker may take a task: a slot is open, and it neither holds, has answered nor has skipped the task.
    #[must_use]
    pub fn may_take(&self, task: u32, worker: WorkerId) -> bool {
        let refused = |task| self.touched.contains(&(task, worker));
        self.open_slots(task) > 0 && !refused(task) && !refused(WHOLE_JOB)
    }

    pub(crate) fn lane_of(&self, task: u32) -> u16 {
        self.flow.as_ref().map_or(0, |flow| flow.lane[task as usize])
    }

    /// The open slots of a task.
    pub(crate) fn open_slots(&self, task: u32) -> u8 {
        let state = &self.tasks()[task as usize];
        if state.state == TaskState::Open { self.slots - state.leased - state.answered } else { 0 }
    }

    /// The first task of a lane that `worker` may take, looking from task `from` on.
    pub(crate) fn offers(&self, lane: u16, worker: WorkerId, from: u32) -> Option<u32> {
        let lane = self.lanes.get(lane);
        if self.touched.is_empty() {
            return lane.first_open();
        }
        if self.touched.contains(&(WHOLE_JOB, worker)) {
            return None;
        }
        let returned = lane.front.range(from..).find(|task| !self.touched.contains(&(**task, worker)));
        lane.sooner(returned.copied())
    }

    pub(crate) fn skip_whole(&mut self, worker: WorkerId) {
        self.touched.insert((WHOLE_JOB, worker));
    }
}

impl Named for Job {
    type Id = JobId;
    fn id(&self) -> JobId {
        self.id
    }
}
