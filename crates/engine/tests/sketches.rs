//! Sketches: policies still to come, in small, against the public traits alone. They prove that no trait has to change:
//! orders by kind under a budget, and a plan that dispatch follows.
//! Each is told as a story with the sketches added to the registry; what comes with the engine has other names.

use muster_engine::policy::Registry;

#[allow(dead_code, reason = "the sketches use less of the door than the stories do")]
mod story;

#[path = "sketches/order.rs"]
mod order;
#[path = "sketches/performance_feedback.rs"]
mod performance_feedback;
#[path = "sketches/planning_first.rs"]
mod planning_first;

/// The policies that come with the engine, and the sketches.
fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.dispatch.push(planning_first::PLANNED);
    registry.scaling.extend([performance_feedback::ENTRY, planning_first::PLANNER]);
    registry.replacement.push(order::ONE_MORE);
    registry
}
