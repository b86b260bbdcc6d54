//! Jobs coming, and being cancelled or changed.

use crate::command::Reply;
use crate::fact::{Input, Outcome, Recorder};
use crate::ids::JobId;
use crate::money::Money;
use crate::refusal::{Refusal, field};
use crate::spec::{Estimates, FlowTask, JobSpec, SLOTS_MOST, WEIGHT_MOST, Work};
use crate::state::State;
use crate::time::Span;

use super::Turn;

impl<R: Recorder> Turn<'_, R> {
    pub(super) fn submit(&mut self, spec: Box<JobSpec>) -> Result<Reply, Refusal> {
        self.state().check_job(&spec, self.engine.tasks_per_job_most)?;
        let id = JobId(self.state().next.job);
        self.input(Input::JobSubmitted(id, spec));
        Ok(Reply::Job(id))
    }

    pub(super) fn cancel_job(&mut self, id: JobId) -> Result<Reply, Refusal> {
        self.live(id)?;
        let holders = self.state().holders(id);
        self.input(Input::JobCancelled(id));
        self.close(id, Outcome::Cancelled);
        for worker in holders {
            let slot = self.state().worker_slot(worker);
            self.depart_if_gone(slot);
        }
        Ok(Reply::Done)
    }

    pub(super) fn set_job_budget(&mut self, id: JobId, budget: Option<Money>) -> Result<Reply, Refusal> {
        self.live(id)?;
        check_budget(budget)?;
        self.input(Input::JobBudgetSet(id, budget));
        Ok(Reply::Done)
    }

    pub(super) fn set_job_priority(&mut self, id: JobId, priority: u32) -> Result<Reply, Refusal> {
        self.live(id)?;
        check_weight("priority", priority)?;
        self.input(Input::JobPrioritySet(id, priority));
        Ok(Reply::Done)
    }

    fn live(&self, id: JobId) -> Result<(), Refusal> {
        self.state().job(id).map(|_| ()).ok_or(Refusal::UnknownJob(id))
    }
}

pub(super) fn check_weight(name: &'static str, weight: u32) -> Result<(), Refusal> {
    let allowed = "a whole number from 1 to 1000000";
    field((1..=WEIGHT_MOST).contains(&weight), name, weight, allowed)
}

/// Amounts are bounded where they enter, so that sums cannot overflow.
pub(super) fn check_money(name: &'static str, amount: Money) -> Result<(), Refusal> {
    field(amount >= Money::ZERO && amount <= Money::MOST, name, amount, "an amount from 0 to 1000000")
}

fn check_budget(budget: Option<Money>) -> Result<(), Refusal> {
    budget.map_or(Ok(()), |budget| check_money("budget", budget))
}

/// Estimates and the like: no single span may be longer than about 30 years.
pub(super) const SPAN_MOST: Span = Span::from_hours(24 * 365 * 30);

pub(super) fn check_span(name: &'static str, span: Span) -> Result<(), Refusal> {
    field(span <= SPAN_MOST, name, span, "at most 30 years")
}

impl State {
    fn check_job(&self, spec: &JobSpec, tasks_most: u32) -> Result<(), Refusal> {
        self.tenant(spec.tenant).ok_or(Refusal::UnknownTenant(spec.tenant))?;
        check_weight("priority", spec.priority)?;
        check_money("price", spec.price)?;
        field((1..=SLOTS_MOST).contains(&spec.slots), "slots", spec.slots, "a whole number from 1 to 100")?;
        check_budget(spec.budget)?;
        if let Some(client) = spec.client {
            self.client(client).ok_or(Refusal::UnknownClient(client))?;
        }
        spec.expected.map_or(Ok(()), |span| check_span("expected", span))?;
        let n = spec.work.len();
        field(n >= 1 && n <= tasks_most as usize, "tasks", n, format_args!("from 1 to {tasks_most}"))?;
        let answers = n as u64 * u64::from(spec.slots);
        field(answers <= u64::from(u32::MAX), "tasks times slots", answers, "at most 4294967295")?;
        match &spec.work {
            Work::Batch { app, .. } => self.check_route(spec, *app)?,
            Work::Workflow(tasks) => self.check_flow(spec, tasks)?,
        }
        self.check_estimates(&spec.estimates, n)
    }

    fn check_route(&self, spec: &JobSpec, app: crate::ids::AppId) -> Result<(), Refusal> {
        let known = self.app(app).ok_or(Refusal::UnknownApp(app))?;
        known.route(spec.tenant).map(|_| ()).ok_or(Refusal::NoPool(spec.tenant, app))
    }

    fn check_flow(&self, spec: &JobSpec, tasks: &[FlowTask]) -> Result<(), Refusal> {
        let mut apps: Vec<crate::ids::AppId> = tasks.iter().map(|task| task.app).collect();
        apps.sort_unstable();
        apps.dedup();
        field(apps.len() <= usize::from(u16::MAX), "apps", apps.len(), "at most 65535 in one workflow")?;
        apps.iter().try_for_each(|app| self.check_route(spec, *app))?;
        check_parents(tasks)?;
        check_cycles(tasks)
    }

    fn check_estimates(&self, estimates: &Estimates, tasks: usize) -> Result<(), Refusal> {
        let (spans, needed) = match estimates {
            Estimates::None => return Ok(()),
            Estimates::PerTask(spans) => (spans, tasks),
            Estimates::PerTaskAndKind { kinds, spans } => {
                for kind in kinds {
                    self.kind(*kind).ok_or(Refusal::UnknownKind(*kind))?;
                }
                (spans, tasks.saturating_mul(kinds.len()))
            }
        };
        field(
            spans.len() == needed,
            "estimates",
            spans.len(),
            format_args!("{needed}, one for each task and kind"),
        )?;
        spans.iter().try_for_each(|span| check_span("estimates", *span))
    }
}

fn check_parents(tasks: &[FlowTask]) -> Result<(), Refusal> {
    let mut seen: Vec<u32> = vec![u32::MAX; tasks.len()];
    for (task, it) in (0_u32..).zip(tasks) {
        for parent in &it.parents {
            let mark =
                seen.get_mut(*parent as usize).ok_or(Refusal::UnknownParent { task, parent: *parent })?;
            if *mark == task {
                return Err(Refusal::DuplicateParent { task, parent: *parent });
            }
            *mark = task;
        }
    }
    Ok(())
}

/// Takes away tasks that wait for nothing until none is left; what cannot be taken away waits for itself.
fn check_cycles(tasks: &[FlowTask]) -> Result<(), Refusal> {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); tasks.len()];
    for (task, it) in (0_u32..).zip(tasks) {
        it.parents.iter().for_each(|parent| children[*parent as usize].push(task));
    }
    let mut waits: Vec<usize> = tasks.iter().map(|task| task.parents.len()).collect();
    let mut ready: Vec<u32> =
        (0..).zip(&waits).filter(|(_, waits)| **waits == 0).map(|(task, _)| task).collect();
    let mut taken = 0;
    while let Some(task) = ready.pop() {
        taken += 1;
        for child in &children[task as usize] {
            waits[*child as usize] -= 1;
            if waits[*child as usize] == 0 {
                ready.push(*child);
            }
        }
    }
    if taken == tasks.len() {
        return Ok(());
    }
    Err(Refusal::Cycle { task: on_cycle(tasks, &waits) })
}

/// From any task that still waits, going up to a parent that still waits ends on a cycle.
fn on_cycle(tasks: &[FlowTask], waits: &[usize]) -> u32 {
    let waiting = |task: &u32| waits[*task as usize] > 0;
    let all = 0..u32::try_from(tasks.len()).expect("checked before");
    let mut task = all.into_iter().find(waiting).expect("something still waits");
    let mut seen = vec![false; tasks.len()];
    while !seen[task as usize] {
        seen[task as usize] = true;
        let parents = &tasks[task as usize].parents;
        task = *parents.iter().find(|parent| waiting(parent)).expect("what waits waits for what waits");
    }
    task
}
