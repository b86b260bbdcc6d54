//! The crowd: kinds of worker and how they behave. What a particular person does is drawn in `drive`.

use muster_engine::Span;
use muster_engine::spec::KindSpec;

use crate::law::Law;

/// A kind of worker.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// What it is called.
    pub name: String,
    /// What the engine is told: cost, speed, how many there are.
    pub spec: KindSpec,
    /// How speeds differ between workers of the kind: a factor on the kind's speed.
    pub speed: Law,
    /// How long recruiting takes.
    pub recruiting: Recruiting,
    /// When workers leave.
    pub leaving: Leaving,
    /// Whether they come again.
    pub returning: Option<Returning>,
    /// What they like.
    pub likes: Likes,
    /// What they do not take.
    pub skipping: Skipping,
    /// Breaks between tasks.
    pub pausing: Pausing,
    /// Whether workers can do all apps of their pool when they come; else they learn them.
    pub trained: bool,
}

/// How long recruiting takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Recruiting {
    /// From the order until a worker is there, in seconds.
    pub delay: Law,
    /// A posting that has brought nobody after so long is put up anew: it is as fresh as at first.
    pub renew: Option<Span>,
    /// The share of recruits who come at all.
    pub come: f64,
}

/// When workers leave. The first reason that applies counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Leaving {
    /// Probability of leaving after each task.
    pub after_task: f64,
    /// How long somebody stays, whatever happens.
    pub staying: Option<Staying>,
    /// How many tasks somebody does at most.
    pub tasks: Option<Law>,
    /// How long somebody waits for a task before losing patience, in seconds.
    pub bored: Option<Law>,
}

/// How long somebody stays, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Staying {
    /// The law; any hazard.
    pub law: Law,
    /// Whether a task in hand is dropped when the time is over, rather than finished.
    pub drops: bool,
}

/// Who leaves may come again.
#[derive(Clone, Debug, PartialEq)]
pub struct Returning {
    /// The share of those who leave of their own accord that come again.
    pub share: f64,
    /// After how many seconds.
    pub after: Law,
}

/// How much workers like apps.
#[derive(Clone, Debug, PartialEq)]
pub enum Likes {
    /// Nothing is known of it.
    None,
    /// Each app by a law, cut off at 0 and 1; apps not named by the last.
    Each {
        /// By place of the app.
        apps: Vec<(usize, Law)>,
        /// All others.
        others: Law,
    },
    /// Each app by this law, and then divided by the sum over all apps: shares of one person's liking.
    Shares(Law),
}

/// What workers do not take, or not to the end: probabilities for each task they get.
#[derive(Clone, Debug, PartialEq)]
pub struct Skipping {
    /// They skip the task.
    pub task: f64,
    /// They skip the whole job.
    pub job: f64,
    /// They give the task back.
    pub give_back: f64,
    /// They walk away from it without a word: the lease runs out.
    pub abandon: f64,
    /// After how many seconds they skip or give back.
    pub after: Law,
}

impl Default for Skipping {
    fn default() -> Self {
        Self { task: 0.0, job: 0.0, give_back: 0.0, abandon: 0.0, after: Law::Fixed(0.0) }
    }
}

impl Skipping {
    /// Whether this never happens.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.task + self.job + self.give_back + self.abandon <= 0.0
    }
}

/// Breaks between tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Pausing {
    /// The share of tasks after which there is one.
    pub share: f64,
    /// How long, in seconds.
    pub law: Law,
}

impl Default for Pausing {
    fn default() -> Self {
        Self { share: 0.0, law: Law::Fixed(0.0) }
    }
}

impl Kind {
    /// Workers who can do everything, come at once and stay for ever.
    #[must_use]
    pub fn steady(name: &str, spec: KindSpec) -> Self {
        Self {
            name: name.to_owned(),
            spec,
            speed: Law::Fixed(1.0),
            recruiting: Recruiting { delay: Law::Fixed(0.0), renew: None, come: 1.0 },
            leaving: Leaving::default(),
            returning: None,
            likes: Likes::None,
            skipping: Skipping::default(),
            pausing: Pausing::default(),
            trained: true,
        }
    }
}
