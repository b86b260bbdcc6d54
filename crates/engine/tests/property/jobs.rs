//! Random jobs: batches and workflows, with and without money.

use muster_engine::ids::{AppId, ClientId};
use muster_engine::money::Money;
use muster_engine::spec::{Estimates, FlowTask, JobSpec, Work};
use muster_engine::state::State;
use muster_engine::{Span, ids::KindId};

use crate::dice::Dice;
use crate::{setup, world};

/// A job that is mostly all right.
pub(crate) fn any(dice: &mut Dice, state: &State) -> JobSpec {
    let tenant = world::tenant(dice, state);
    let apps: Vec<AppId> =
        setup::apps(state).filter(|app| state.apps()[app.index()].route(tenant).is_some()).collect();
    let app = dice.any(&apps).unwrap_or(AppId(0));
    let work = if dice.permille(600) {
        Work::Batch { app, tasks: dice.from(1, 4) }
    } else {
        Work::Workflow(flow(dice, &apps, app))
    };
    let estimates = estimates(dice, state, work.len());
    let client = ClientId(dice.below(6) as u32);
    JobSpec {
        tenant,
        work,
        priority: dice.from(1, 5),
        price: dice.pick(&[Money(0), Money(1), Money(7), Money(1000), Money(12_345)]),
        slots: dice.pick(&[1, 1, 1, 2, 3]),
        budget: if dice.permille(300) { budget(dice) } else { None },
        client: state.client(client).filter(|_| dice.permille(500)).map(|_| client),
        expected: dice.permille(300).then(|| Span::from_secs(dice.below(20))),
        estimates,
    }
}

/// A budget, often a small one.
pub(crate) fn budget(dice: &mut Dice) -> Option<Money> {
    dice.pick(&[None, Some(Money(0)), Some(Money(3)), Some(Money(2500)), Some(Money(30_000)), None])
}

fn estimates(dice: &mut Dice, state: &State, tasks: usize) -> Estimates {
    match dice.below(6) {
        0 => Estimates::PerTask((0..tasks).map(|_| dice.span(Span::from_secs(30))).collect()),
        1 => {
            let kinds: Vec<KindId> = (0..state.kinds().len() as u32).map(KindId).collect();
            let spans = (0..tasks * kinds.len()).map(|_| dice.span(Span::from_secs(30))).collect();
            Estimates::PerTaskAndKind { kinds, spans }
        }
        _ => Estimates::None,
    }
}

/// A diamond, a chain, or anything without a cycle, its tasks not always in the order of the work.
fn flow(dice: &mut Dice, apps: &[AppId], app: AppId) -> Vec<FlowTask> {
    let n = dice.from(1, 6);
    let several = dice.permille(700);
    let mut tasks: Vec<FlowTask> = (0..n)
        .map(|task| {
            let app = if several { dice.any(apps).unwrap_or(app) } else { app };
            let parents = match dice.below(3) {
                0 => (0..task).filter(|_| dice.permille(500)).collect(),
                1 if task > 0 => vec![task - 1],
                _ => Vec::new(),
            };
            FlowTask { app, parents }
        })
        .collect();
    if n >= 4 && dice.permille(500) {
        tasks[1].parents = vec![0];
        tasks[2].parents = vec![0];
        tasks[3].parents = vec![1, 2];
    }
    if dice.permille(300) {
        tasks.reverse();
        for task in &mut tasks {
            for parent in &mut task.parents {
                *parent = n - 1 - *parent;
            }
        }
    }
    tasks
}
