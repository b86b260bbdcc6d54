//! Stories: what the engine does, told in a few lines each. One file per theme in `stories/`; the door is `story::check`.

mod story;

#[path = "stories/crowd.rs"]
mod crowd;
#[path = "stories/leases.rs"]
mod leases;
#[path = "stories/tasks.rs"]
mod tasks;
#[path = "stories/training.rs"]
mod training;
#[path = "stories/workflows.rs"]
mod workflows;
