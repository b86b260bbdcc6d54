//! Planning first: a scaling policy that makes a plan, and a dispatch policy that follows it.
//!
//! The planner is the consolidation of the workflow paper: jobs by priority, their tasks in topological order, each on the
//! worker where it can start (then finish) first, nothing that would start after the next look. `planned` has each worker run its
//! list in order, when the next task of it is eligible; what is not planned waits for the next plan.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use muster_engine::fact::{Assessment, Assignee, PlanEntry, Why};
use muster_engine::ids::{JobId, KindId, TaskId, WorkerId};
use muster_engine::policy::dispatch::{Choice, Dispatch, Takers};
use muster_engine::policy::settings::{Reader, Setting, SettingError};
use muster_engine::policy::{Advice, Change, Controller, Entry, Order, Start, What, remember};
use muster_engine::random::Draws;
use muster_engine::state::job::{Job, LaneRef, TaskState};
use muster_engine::state::worker::{Standing, Worker};
use muster_engine::view::{Ask, View};
use muster_engine::{Span, Time};

use crate::story::tell;

pub(crate) const PLANNER: Entry<dyn Controller> = Entry {
    name: "sketch-planning-first",
    about: "Plans which worker does which task, and when.",
    settings: &[Setting { name: "every", meaning: "How often it plans.", default: "10 s" }],
    version: 1,
    start: start_planner,
};

pub(crate) const PLANNED: Entry<dyn Dispatch> = Entry {
    name: "sketch-planned",
    about: "Each worker does the tasks that the plan has for it, in order.",
    settings: &[],
    version: 1,
    start: start_planned,
};

#[derive(Debug)]
struct Planner {
    every: Span,
}

fn start_planner(start: Start<'_>) -> Result<Box<dyn Controller>, SettingError> {
    let reader = Reader::new(start.spec, PLANNER.settings)?;
    Ok(Box::new(Planner { every: reader.span("every", Span::from_secs(10))? }))
}

/// A plan in the making.
struct Draft<'a> {
    view: View<'a>,
    horizon: Time,
    free: BTreeMap<WorkerId, Time>,
    entries: Vec<PlanEntry>,
}

impl<'a> Draft<'a> {
    fn new(view: View<'a>, horizon: Time) -> Self {
        let stays = |worker: &&Worker| worker.standing != Standing::Draining;
        let free = view.workers().filter(stays).map(|worker| (worker.id, free_at(worker, view.now())));
        Self { view, horizon, free: free.collect(), entries: Vec::new() }
    }

    /// Plans a job's tasks, parents before children.
    fn plan(&mut self, job: &Job) {
        let now = self.view.now();
        let mut parents: Vec<u32> = (0..).zip(job.tasks()).map(|(task, _)| job.parents_left(task)).collect();
        let mut ready_at = vec![now; parents.len()];
        let open =
            |task: u32| matches!(job.tasks()[task as usize].state, TaskState::Waiting | TaskState::Open);
        let mut ready: BTreeSet<u32> = (0..)
            .zip(&parents)
            .filter(|(task, left)| **left == 0 && open(*task))
            .map(|(task, _)| task)
            .collect();
        while let Some(task) = ready.pop_first() {
            let Some(end) = self.place(job, task, ready_at[task as usize]) else { continue };
            for child in job.children(task) {
                let at = *child as usize;
                ready_at[at] = ready_at[at].max(end);
                parents[at] -= 1;
                if parents[at] == 0 {
                    ready.insert(*child);
                }
            }
        }
    }

    /// Finds a worker for a task; when it will be done, unless it waits for the next plan.
    fn place(&mut self, job: &Job, task: u32, ready: Time) -> Option<Time> {
        let id = job.task_id(task);
        let holds = |worker: &&Worker| worker.lease.as_ref().is_some_and(|lease| lease.task == id);
        if let Some(holder) = self.view.workers().find(holds) {
            return Some(free_at(holder, self.view.now()));
        }
        let options = self.free.iter().map(|(worker, free)| {
            let start = (*free).max(ready);
            (start, start + self.takes(job, task, *worker), *worker)
        });
        let (start, end, worker) = options.min()?;
        if start >= self.horizon {
            return None;
        }
        self.free.insert(worker, end);
        self.entries.push(PlanEntry { task: id, who: Assignee::Worker(worker), start });
        Some(end)
    }

    fn takes(&self, job: &Job, task: u32, worker: WorkerId) -> Span {
        let kind = self.view.state.worker(worker).map(|worker| worker.kind);
        kind.and_then(|kind| self.view.expected(job, task, kind)).unwrap_or(Span::from_secs(1))
    }
}

fn free_at(worker: &Worker, now: Time) -> Time {
    worker.lease.as_ref().map_or(now, |lease| (lease.granted + lease.expected).max(now))
}

fn open_tasks(view: View<'_>) -> impl Iterator<Item = TaskId> + '_ {
    view.listed().into_iter().flat_map(move |lane| {
        let job = view.job(lane);
        let open = (0..).zip(job.tasks()).filter(|(_, task)| task.state == TaskState::Open);
        open.map(|(task, _)| job.task_id(task)).collect::<Vec<_>>()
    })
}

fn for_newcomer(task: TaskId, start: Time) -> PlanEntry {
    PlanEntry { task, who: Assignee::Coming(KindId(0), 0), start }
}

impl Controller for Planner {
    fn every(&self) -> Option<Span> {
        Some(self.every)
    }

    fn advise(&self, view: View<'_>, _draws: &mut Draws) -> Advice {
        let mut draft = Draft::new(view, view.now() + self.every);
        let mut jobs: BTreeMap<JobId, &Job> = BTreeMap::new();
        jobs.extend(view.lanes().into_iter().map(|lane| (view.job(lane).id, view.job(lane))));
        let mut jobs: Vec<&Job> = jobs.into_values().collect();
        jobs.sort_by_key(|job| (std::cmp::Reverse(job.priority), job.id));
        jobs.into_iter().for_each(|job| draft.plan(job));
        let mut orders = Vec::new();
        if draft.free.is_empty() {
            // Nobody is there: one machine is called for, and what can start is planned for it.
            draft.entries = open_tasks(view).map(|task| for_newcomer(task, view.now())).collect();
            orders.push(Order::Recruit { kind: KindId(0), n: 1 });
        }
        let reason = format!("{} tasks planned on {} workers", draft.entries.len(), draft.free.len());
        orders.push(Order::Plan(draft.entries));
        Advice { assessment: Assessment { reason, ..Assessment::default() }, orders }
    }

    fn note(&mut self, _assessment: &Assessment, _view: View<'_>) {}

    fn plans(&self) -> bool {
        true
    }
}

#[derive(Debug, Default)]
struct Planned {
    lists: BTreeMap<WorkerId, Vec<TaskId>>,
    /// Lists of those who have not come yet, by kind and turn, and how many of each kind have.
    coming: BTreeMap<(KindId, u32), Vec<TaskId>>,
    came: BTreeMap<KindId, u32>,
}

fn start_planned(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    Reader::new(start.spec, PLANNED.settings)?;
    let (lists, coming, came) = start.recall()?.unwrap_or_default();
    Ok(Box::new(Planned { lists, coming, came }))
}

impl Planned {
    /// The next task of a worker's list that is still to be done.
    fn next(&self, worker: WorkerId, view: View<'_>) -> Option<TaskId> {
        let to_do = |task: &&TaskId| {
            view.state.job(task.job).is_some_and(|job| {
                matches!(job.tasks()[task.index as usize].state, TaskState::Waiting | TaskState::Open)
            })
        };
        self.lists.get(&worker)?.iter().find(to_do).copied()
    }
}

impl Dispatch for Planned {
    fn note(&mut self, change: &Change, view: View<'_>) {
        if let What::Joined(worker) = change.what {
            let worker = view.state.worker_at(worker);
            let turn = self.came.entry(worker.kind).or_default();
            let list = self.coming.remove(&(worker.kind, *turn));
            *turn += 1;
            self.lists.extend(list.map(|list| (worker.id, list)));
        }
        let What::Leased { worker, .. } = change.what else { return };
        let worker = view.state.worker_at(worker);
        let (Some(list), Some(lease)) = (self.lists.get_mut(&worker.id), &worker.lease) else { return };
        let begun = list.iter().position(|task| *task == lease.task).map_or(0, |at| at + 1);
        list.drain(..begun);
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        let task = self.next(ask.worker.id, ask.view).filter(|_| !ask.learning)?;
        let lane = ask.view.lane_of(task)?;
        let open = ask.view.lane(lane).listed && ask.view.job(lane).may_take(task.index, ask.worker.id);
        open.then_some(Choice { lane, task: task.index, why: Why { code: 1, a: 0, b: 0 } })
    }

    fn plan(&mut self, plan: &[PlanEntry], _view: View<'_>) {
        let mut plan: Vec<&PlanEntry> = plan.iter().collect();
        plan.sort_by_key(|entry| entry.start);
        (self.lists, self.coming, self.came) = Default::default();
        for entry in plan {
            let list = match entry.who {
                Assignee::Worker(id) => self.lists.entry(id).or_default(),
                Assignee::Coming(kind, turn) => self.coming.entry((kind, turn)).or_default(),
            };
            list.push(entry.task);
        }
    }

    fn follows_plans(&self) -> bool {
        true
    }

    fn takers(&self, lane: LaneRef, view: View<'_>) -> Takers {
        let is_next = |worker: &&WorkerId| {
            self.next(**worker, view).and_then(|task| view.lane_of(task)).is_some_and(|next| next == lane)
        };
        Takers::These(self.lists.keys().filter(is_next).copied().collect())
    }

    fn explain(&self, _why: Why) -> String {
        "as planned".to_owned()
    }

    fn memory(&self, _view: View<'_>) -> Vec<u8> {
        remember(&(&self.lists, &self.coming, &self.came))
    }
}

/// A diamond of 4, 3, 5 and 2 seconds on two machines, planned at 10 s. B waits for its turn, and a, which is done with its second
/// task early, for b; the last task goes to a although b would be as good. The next plan finds nothing left to plan.
#[test]
fn each_worker_runs_its_list_in_order_when_a_task_is_eligible() {
    let script = "
        tenant ann
        app tag
        kind box costs 0 per 1h
        pool p serves tag dispatch sketch-planned scaling sketch-planning-first,every=10s
        flow j ann tag tag<0 tag<0 tag<1,2 estimates 4s,3s,5s,2s
        join a b p box
        ask a b
        at 10s
        at 14s answer a
        ask a
        at 17s answer a
        ask a
        at 19s answer b
        ask b
        at 20s
        at 21s answer a
    ";
    expect![[r#"
        0s       ann submits j: workflow of 4
        0s       a joins p
        0s       a is billed 0.00 until 1h
        0s       b joins p
        0s       b is billed 0.00 until 1h
        0s       a asks
        0s       a waits
        0s       b asks
        0s       b waits
        10s      p scaling: 4 tasks planned on 2 workers (error 0, output 0, 1 orders)
        10s      p plans j.0 on a at 10s, j.1 on a at 14s, j.2 on b at 14s, j.3 on a at 19s
        10s      a gets j.0: lease 0 until 30min10s (as planned)
        14s      a answers lease 0 (j.0)
        14s      j.0 by a counts
        14s      b gets j.2: lease 1 until 30min14s (as planned)
        14s      a asks
        14s      a gets j.1: lease 2 until 30min14s (as planned)
        17s      a answers lease 2 (j.1)
        17s      j.1 by a counts
        17s      a asks
        17s      a waits
        19s      b answers lease 1 (j.2)
        19s      j.2 by b counts
        19s      a gets j.3: lease 3 until 30min19s (as planned)
        19s      b asks
        19s      b waits
        20s      p scaling: 0 tasks planned on 2 workers (error 0, output 0, 1 orders)
        20s      p plans nothing
        21s      a answers lease 3 (j.3)
        21s      j.3 by a counts
        21s      j is done
    "#]]
    .assert_eq(&tell(script, super::registry()));
}

/// A plan is needed, and stays needed. What the plan does not know waits for the next one, also if a worker is idle; another
/// dispatch policy takes it up at once.
#[test]
fn following_plans_needs_somebody_who_makes_them() {
    let script = "
        usual
        set p dispatch sketch-planned
        set p scaling sketch-planning-first,every=10s
        set p dispatch sketch-planned
        set p scaling static
        join a b c p person
        ask a c
        at 1s submit j ann tag 2
        at 10s
        at 11s submit k bob tag 1
        ask b
        at 12s set p dispatch fifo
        set p scaling static
    ";
    expect![[r#"
        0s       refused: sketch-planned needs a scaling policy that makes plans
        0s       p has scaling sketch-planning-first
        0s       p has dispatch sketch-planned
        0s       refused: sketch-planned needs a scaling policy that makes plans
        0s       a joins p
        0s       b joins p
        0s       c joins p
        0s       a asks
        0s       a waits
        0s       c asks
        0s       c waits
        1s       ann submits j: 2 tasks
        10s      p scaling: 2 tasks planned on 3 workers (error 0, output 0, 1 orders)
        10s      p plans j.0 on a at 10s, j.1 on b at 10s
        10s      a gets j.0: lease 0 until 5min10s (as planned)
        11s      bob submits k: 1 tasks
        11s      b asks
        11s      b gets j.1: lease 1 until 5min11s (as planned)
        12s      p has dispatch fifo
        12s      c gets k.0: lease 2 until 5min12s
        12s      p has scaling static
    "#]]
    .assert_eq(&tell(script, super::registry()));
}

/// Nobody is there when the plan is made: it names the machine that is called for, which follows it when it comes.
#[test]
fn a_plan_may_name_who_is_on_the_way() {
    let script = "
        tenant ann
        app tag
        kind box costs 0 per 1h
        pool p serves tag dispatch sketch-planned scaling sketch-planning-first,every=10s
        submit j ann tag 2
        at 10s
        at 15s join a p box of r0
        ask a
        at 16s answer a
        ask a
    ";
    expect![[r#"
        0s       ann submits j: 2 tasks
        10s      p scaling: 2 tasks planned on 0 workers (error 0, output 0, 2 orders)
        10s      r0: 1 box for p by 10min10s
        10s      p plans j.0 on newcomer 0 of kind 0 at 10s, j.1 on newcomer 0 of kind 0 at 10s
        15s      a joins p, of r0
        15s      a is billed 0.00 until 1h15s
        15s      a asks
        15s      a gets j.0: lease 0 until 30min15s (as planned)
        16s      a answers lease 0 (j.0)
        16s      j.0 by a counts
        16s      a asks
        16s      a gets j.1: lease 1 until 30min16s (as planned)
    "#]]
    .assert_eq(&tell(script, super::registry()));
}
