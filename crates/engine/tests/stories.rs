//! Stories: what the engine does, told in a few lines each. One file per theme in `stories/`; the door is `story::check`.

mod story;

#[path = "stories/budgets.rs"]
mod budgets;
#[path = "stories/crowd.rs"]
mod crowd;
#[path = "stories/crowd_policies.rs"]
mod crowd_policies;
#[path = "stories/dispatch_orders.rs"]
mod dispatch_orders;
#[path = "stories/driving.rs"]
mod driving;
#[path = "stories/leases.rs"]
mod leases;
#[path = "stories/leaving.rs"]
mod leaving;
#[path = "stories/look_ahead.rs"]
mod look_ahead;
#[path = "stories/machines.rs"]
mod machines;
#[path = "stories/moving.rs"]
mod moving;
#[path = "stories/policies.rs"]
mod policies;
#[path = "stories/recruits.rs"]
mod recruits;
#[path = "stories/refused.rs"]
mod refused;
#[path = "stories/shares.rs"]
mod shares;
#[path = "stories/shares_in_time.rs"]
mod shares_in_time;
#[path = "stories/sizes.rs"]
mod sizes;
#[path = "stories/staying.rs"]
mod staying;
#[path = "stories/tasks.rs"]
mod tasks;
#[path = "stories/training.rs"]
mod training;
#[path = "stories/wages.rs"]
mod wages;
#[path = "stories/weights.rs"]
mod weights;
#[path = "stories/who_gets_it.rs"]
mod who_gets_it;
#[path = "stories/workflows.rs"]
mod workflows;
