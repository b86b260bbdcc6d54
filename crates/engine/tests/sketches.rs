//! Sketches: policies of the next issues, in small, against the public traits alone. They prove that no trait has to change:
//! concessions, patience, moves between pools, orders by kind under a budget, and a plan that dispatch follows.
//! Each is told as a story with the sketches added to the registry; what comes with the engine has other names.

use muster_engine::policy::Registry;

#[allow(dead_code, reason = "the sketches use less of the door than the stories do")]
mod story;

#[path = "sketches/least_patience.rs"]
mod least_patience;
#[path = "sketches/order.rs"]
mod order;
#[path = "sketches/performance_feedback.rs"]
mod performance_feedback;
#[path = "sketches/planning_first.rs"]
mod planning_first;
#[path = "sketches/preference_aware.rs"]
mod preference_aware;
#[path = "sketches/worker_conscious.rs"]
mod worker_conscious;

/// The policies that come with the engine, and the sketches.
fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.dispatch.extend([worker_conscious::ENTRY, least_patience::ENTRY, planning_first::PLANNED]);
    registry.scaling.extend([performance_feedback::ENTRY, planning_first::PLANNER]);
    registry.replacement.push(order::ONE_MORE);
    registry.balance.push(preference_aware::ENTRY);
    registry
}
