//! Performance feedback: of each kind of machine as many as its share of the work done is worth, under a budget.
//!
//! The heart of PFA in the workflow paper: what a machine of each kind has done since the last look is its worth; the budget of
//! an interval is spread over the kinds by it (all alike while some kind has done nothing). Orders are by kind.

use expect_test::expect;
use muster_engine::Span;
use muster_engine::fact::Assessment;
use muster_engine::ids::KindId;
use muster_engine::policy::scaling::limits::idle;
use muster_engine::policy::settings::{Reader, Setting, SettingError};
use muster_engine::policy::{Advice, Controller, Entry, Order, Start, remember};
use muster_engine::random::Draws;
use muster_engine::spec::Role;
use muster_engine::view::View;

use crate::story::tell;

pub(crate) const ENTRY: Entry<dyn Controller> = Entry {
    name: "sketch-performance-feedback",
    about: "Machines of each kind by what they have done, under a budget for each interval.",
    settings: &[
        Setting { name: "every", meaning: "How often it looks.", default: "1 min" },
        Setting { name: "budget", meaning: "What machines may cost in an interval.", default: "10" },
    ],
    version: 1,
    start,
};

#[derive(Debug)]
struct PerformanceFeedback {
    every: Span,
    budget: f64,
    /// What each kind had completed when the policy last looked.
    completed: Vec<u64>,
}

fn start(start: Start<'_>) -> Result<Box<dyn Controller>, SettingError> {
    let reader = Reader::new(start.spec, ENTRY.settings)?;
    Ok(Box::new(PerformanceFeedback {
        every: reader.span("every", Span::from_mins(1))?,
        budget: reader.number("budget", 10.0, 0.0, 1e6)?,
        completed: start.recall()?.unwrap_or_default(),
    }))
}

/// The kinds that are machines, with their prices.
fn machines(view: View<'_>) -> Vec<(KindId, f64)> {
    let kinds = (0..).map(KindId).zip(view.state.kinds());
    kinds
        .filter_map(|(id, kind)| match kind.role {
            Role::Machine { cost, .. } => Some((id, cost.as_units_f64())),
            Role::Person { .. } => None,
        })
        .collect()
}

impl PerformanceFeedback {
    /// What one machine of a kind has done since the last look.
    fn throughput(&self, view: View<'_>, kind: KindId) -> f64 {
        let now = view.pool().kind(kind);
        let before = self.completed.get(kind.index()).copied().unwrap_or(0);
        let machines = now.workers.size();
        if machines == 0 { 0.0 } else { (now.completed - before) as f64 / f64::from(machines) }
    }

    /// How many of each kind the budget is best spent on.
    fn targets(&self, view: View<'_>, machines: &[(KindId, f64)]) -> Vec<u32> {
        let mut worth: Vec<f64> = machines.iter().map(|(kind, _)| self.throughput(view, *kind)).collect();
        if worth.contains(&0.0) {
            worth.fill(1.0);
        }
        let cost: f64 = machines.iter().zip(&worth).map(|((_, price), worth)| price * worth).sum();
        worth.iter().map(|worth| libm::floor(self.budget * worth / cost + 1e-9) as u32).collect()
    }
}

impl Controller for PerformanceFeedback {
    fn every(&self) -> Option<Span> {
        Some(self.every)
    }

    fn advise(&self, view: View<'_>, _draws: &mut Draws) -> Advice {
        let mut machines = machines(view);
        machines.sort_by(|a, b| a.1.total_cmp(&b.1));
        let targets = self.targets(view, &machines);
        let (mut gone, mut called) = (Vec::new(), Vec::new());
        for ((kind, _), target) in machines.iter().zip(&targets) {
            let count = view.pool().kind(*kind);
            let have = count.workers.size() + count.in_flight;
            if *target > have {
                called.push(Order::Recruit { kind: *kind, n: target - have });
            }
            gone.extend(
                idle(view, *kind, have.saturating_sub(*target) as usize).into_iter().map(Order::Release),
            );
        }
        gone.extend(called);
        let completed = view.pool().kinds.iter().map(|kind| kind.completed as f64).collect();
        let reason = format!("of kinds {:?} the budget buys {targets:?}", kinds(&machines));
        Advice {
            assessment: Assessment { signals: completed, reason, ..Assessment::default() },
            orders: gone,
        }
    }

    fn note(&mut self, assessment: &Assessment, _view: View<'_>) {
        self.completed = assessment.signals.iter().map(|completed| *completed as u64).collect();
    }

    fn memory(&self) -> Vec<u8> {
        remember(&self.completed)
    }
}

fn kinds(machines: &[(KindId, f64)]) -> Vec<u32> {
    machines.iter().map(|(kind, _)| kind.0).collect()
}

/// Twelve an interval buy two of each at first. Then the large, at five times the speed and price, have done five answers each and
/// the small one: the budget buys two large ones and no small one. The small one that is idle goes; the busy one is not touched.
#[test]
fn the_budget_follows_what_each_kind_has_done() {
    let script = "
        tenant ann
        app tag lease 1h
        kind small costs 1.00 per 1h
        kind large costs 5.00 per 1h speed 5
        pool p serves tag payer ann scaling sketch-performance-feedback,every=1min,budget=12
        submit j ann tag 100 takes 50s
        at 1min join s t p small of r0
        join l m p large of r1
        work 119s
        cancel j
        ask s t
        submit k ann tag 1
        at 2min
    ";
    expect![[r#"
        0s       ann submits j: 100 tasks
        1min     p scaling: of kinds [0, 1] the budget buys [2, 2] (error 0, output 0, 2 orders)
        1min     r0: 2 small for p by 11min
        1min     r1: 2 large for p by 11min
        1min     s joins p, of r0
        1min     s is billed 1.00 until 1h1min
        1min     t joins p, of r0
        1min     t is billed 1.00 until 1h1min
        1min     l joins p, of r1
        1min     l is billed 5.00 until 1h1min
        1min     m joins p, of r1
        1min     m is billed 5.00 until 1h1min
        1min59s  worked: ann 12 in 3min56s
        1min59s  j is cancelled
        1min59s  j is over
        1min59s  s asks
        1min59s  s waits
        1min59s  t asks
        1min59s  t waits
        1min59s  ann submits k: 1 tasks
        1min59s  s gets k.0: lease 16 until 1h1min59s
        2min     p scaling: of kinds [0, 1] the budget buys [0, 2] (error 0, output 0, 1 orders)
        2min     t is gone: released
    "#]]
    .assert_eq(&tell(script, super::registry()));
}
