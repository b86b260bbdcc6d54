//! Synthetic people and machines over the real API, behaving by the simulator's models in wall time: for demos and for load.
//!
//! One task holds everybody. What people do next stands on an agenda; all that is due goes out in requests of many operations,
//! and who waits for a task waits in requests that the server holds. So thousands need few connections. Start at [`run`];
//! `people` is what somebody does, `traffic` how requests go out and replies come in.

mod agenda;
mod coming;
pub mod content;
mod people;
mod set_up;
mod traffic;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use muster_sim::behave::Jobs;
use muster_sim::model::Setup;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use crate::api::Operation;
use crate::http::{Client, Trouble};
use crate::{Stop, Tell, told};
use agenda::Agenda;
use coming::Coming;
use content::Content;
use people::Bot;
use traffic::Reply;

pub use set_up::{described_app, make};

/// What is to be there.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who, where, and what work comes; everything by its name at the server.
    pub setup: Setup,
    /// So many seconds of theirs go by in one second.
    pub speed: f64,
    /// What all chance begins with.
    pub seed: u64,
    /// What tasks and answers say, and what people are called.
    pub content: Arc<dyn Content>,
    /// Whether tenants, apps, kinds and pools that are not there are made; needs an admin's token.
    pub makes: bool,
    /// Everybody leaves after so long.
    pub until: Option<Duration>,
    /// What makes this process's requests different from any other's.
    pub unique: String,
}

/// What happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// People who joined.
    pub joined: u64,
    /// People who left, were let go or are gone.
    pub left: u64,
    /// Answers that the server took.
    pub answers: u64,
    /// Tasks skipped or given back.
    pub skipped: u64,
    /// Jobs submitted.
    pub jobs: u64,
    /// Their tasks.
    pub tasks: u64,
    /// What the server refused.
    pub refused: u64,
    /// Requests sent.
    pub requests: u64,
}

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// Somebody does what they were about to do, unless something else happened first: who, and their turn.
    Act(u64, u32),
    /// Somebody's time is over.
    StayOver(u64),
    /// Somebody comes.
    Come(u64),
    /// A shift begins: pool and shift by place.
    Shift(usize, usize),
    /// The next job of a demand comes.
    Arrive(usize),
    /// It is time to see who is wanted.
    LookForOrders,
}

/// Everybody, and what is on its way.
struct Crowd {
    client: Client,
    settings: Settings,
    tell: Tell,
    begun: Instant,
    agenda: Agenda<Event>,
    bots: HashMap<u64, Bot>,
    next_bot: u64,
    /// People by pool and kind, so far.
    numbers: HashMap<(usize, usize), u64>,
    coming: HashMap<u64, Coming>,
    next_coming: u64,
    /// Who is there, and wants to join.
    at_the_door: Vec<Coming>,
    /// What is to go out, by whom.
    due: Vec<(u64, Operation)>,
    /// Who waits for a task, and is not in a request that waits.
    parked: Vec<u64>,
    jobs: Vec<Jobs>,
    /// Tasks of each demand, so far.
    tasks: Vec<u64>,
    orders_seen: u32,
    requests: JoinSet<Reply>,
    acting: usize,
    listening: usize,
    joining: usize,
    stopping: Stop,
    tally: Tally,
}

/// Runs until it is told to stop, or its time is over; then everybody finishes what is in hand and leaves.
pub async fn run(
    client: Client,
    settings: Settings,
    mut stop: watch::Receiver<Stop>,
    tell: Tell,
) -> Result<Tally, Trouble> {
    if settings.makes {
        make(&client, &settings.setup).await?;
    }
    let mut crowd = Crowd::new(client, settings, tell);
    crowd.begin();
    let end = crowd.settings.until.map(|until| crowd.begun + until);
    loop {
        crowd.send();
        if crowd.stopping > Stop::No && crowd.is_empty() {
            return Ok(crowd.tally);
        }
        let next = crowd.agenda.next_at();
        let more = if crowd.stopping < Stop::Drain { Stop::Drain } else { Stop::Now };
        tokio::select! {
            () = until(next) => crowd.do_what_is_due()?,
            Some(reply) = crowd.requests.join_next() => {
                crowd.hear(reply.map_err(|error| Trouble::Weather(error.to_string()))?)?;
            }
            () = told(&mut stop, more), if crowd.stopping < Stop::Now => crowd.stop(more),
            () = until(end), if crowd.stopping == Stop::No => crowd.stop(Stop::Drain),
        }
    }
}

/// Waits until a moment; for ever if there is none.
async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

impl Crowd {
    fn new(client: Client, settings: Settings, tell: Tell) -> Self {
        let seed = settings.seed;
        let tasks = vec![0; settings.setup.demands.len()];
        let jobs = (0..settings.setup.demands.len()).map(|place| Jobs::new(place, seed)).collect();
        Self {
            client,
            settings,
            tell,
            begun: Instant::now(),
            agenda: Agenda::default(),
            bots: HashMap::new(),
            next_bot: 0,
            numbers: HashMap::new(),
            coming: HashMap::new(),
            next_coming: 0,
            at_the_door: Vec::new(),
            due: Vec::new(),
            parked: Vec::new(),
            jobs,
            tasks,
            orders_seen: 0,
            requests: JoinSet::new(),
            acting: 0,
            listening: 0,
            joining: 0,
            stopping: Stop::No,
            tally: Tally::default(),
        }
    }

    /// Their seconds since the beginning.
    fn now(&self) -> f64 {
        self.begun.elapsed().as_secs_f64() * self.settings.speed
    }

    /// Puts something down for so many of their seconds from now.
    fn after(&mut self, seconds: f64, event: Event) {
        let wall = (seconds / self.settings.speed).clamp(0.0, 1e9);
        self.agenda.put(Instant::now() + Duration::from_secs_f64(wall), event);
    }

    fn do_what_is_due(&mut self) -> Result<(), Trouble> {
        let now = Instant::now();
        while let Some(event) = self.agenda.take_due(now) {
            match event {
                Event::Act(bot, turn) => self.act(bot, turn),
                Event::StayOver(bot) => self.stay_over(bot),
                Event::Come(place) => self.come(place),
                Event::Shift(pool, shift) => self.shift(pool, shift),
                Event::Arrive(demand) => self.arrive(demand),
                Event::LookForOrders => self.look_for_orders(),
            }
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.bots.is_empty() && self.joining == 0 && self.acting == 0
    }

    fn stop(&mut self, stop: Stop) {
        self.stopping = stop;
        self.at_the_door.clear();
        self.coming.clear();
        let all: Vec<u64> = self.bots.keys().copied().collect();
        for bot in all {
            self.shall_go(bot, stop);
        }
    }
}
