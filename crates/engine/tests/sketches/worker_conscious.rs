//! Worker-conscious fair sharing: a worker stays with its last job, unless others have conceded too often for that.
//!
//! Algorithm 2 of the HIT-scheduling paper. Jobs stand in the order of running slots by priority. Those who stand before the
//! worker's last job concede, each at most `concessions` times in a row; one that has conceded so often is served.
//! How many conceded is carried in the lease's `why`; who it was is found by the order in `note`, and counted there.

use std::collections::BTreeMap;

use expect_test::expect;
use muster_engine::fact::Why;
use muster_engine::ids::JobId;
use muster_engine::policy::dispatch::{Choice, Dispatch};
use muster_engine::policy::settings::{Reader, Setting, SettingError};
use muster_engine::policy::{Change, Entry, Start, What, remember};
use muster_engine::state::job::LaneRef;
use muster_engine::view::{Ask, View};

use crate::story::tell;

pub(crate) const ENTRY: Entry<dyn Dispatch> = Entry {
    name: "sketch-worker-conscious",
    about: "A worker stays with its last job while the others have not conceded too often.",
    settings: &[Setting { name: "concessions", meaning: "How often in a row a job concedes.", default: "3" }],
    version: 1,
    start,
};

/// `why`: so many conceded to the worker's last job, or to one that had conceded often enough.
const CONCEDED: u16 = 1;

#[derive(Debug)]
struct WorkerConscious {
    limit: u32,
    listed: Vec<LaneRef>,
    /// As of the last fact that this policy has heard of; so the order is still that of the choice when its lease is noted.
    running: BTreeMap<LaneRef, u32>,
    conceded: BTreeMap<JobId, u32>,
}

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    let reader = Reader::new(start.spec, ENTRY.settings)?;
    let lanes = start.view.lanes().into_iter().map(|lane| (lane, start.view.lane(lane).running));
    Ok(Box::new(WorkerConscious {
        limit: reader.whole("concessions", 3, 0, 1_000_000)?,
        listed: start.view.listed(),
        running: lanes.filter(|(_, running)| *running > 0).collect(),
        conceded: start.recall()?.unwrap_or_default(),
    }))
}

impl WorkerConscious {
    /// The lanes with something for the worker, least running slots by priority first, then the older.
    fn order(&self, ask: &Ask<'_>) -> Vec<LaneRef> {
        let view = ask.view;
        let mut lanes: Vec<LaneRef> = self.listed.iter().copied().filter(|lane| may(ask, *lane)).collect();
        lanes.sort_by(|a, b| {
            let (job_a, job_b) = (view.job(*a), view.job(*b));
            let left = u64::from(self.running_in(*a)) * u64::from(job_b.priority);
            let right = u64::from(self.running_in(*b)) * u64::from(job_a.priority);
            left.cmp(&right).then(view.lane(*a).seq.cmp(&view.lane(*b).seq))
        });
        lanes
    }

    fn running_in(&self, lane: LaneRef) -> u32 {
        self.running.get(&lane).copied().unwrap_or(0)
    }

    fn leased(&mut self, lane: LaneRef, ask: &Ask<'_>, why: Why) {
        if why.code == CONCEDED {
            let others = self.order(ask).into_iter().filter(|other| *other != lane);
            let before: Vec<JobId> =
                others.take(why.a as usize).map(|other| ask.view.job(other).id).collect();
            assert_eq!(before.len() as i64, why.a, "all who conceded are still known");
            before.into_iter().for_each(|job| *self.conceded.entry(job).or_default() += 1);
        }
        self.conceded.remove(&ask.view.job(lane).id);
        *self.running.entry(lane).or_default() += 1;
    }
}

fn may(ask: &Ask<'_>, lane: LaneRef) -> bool {
    let place = ask.view.pool().place(ask.view.lane(lane).app);
    place.is_some_and(|place| ask.may(place)) && ask.task_in(lane).is_some()
}

impl Dispatch for WorkerConscious {
    fn note(&mut self, change: &Change, view: View<'_>) {
        match change.what {
            What::Listed(lane) => self.listed.push(lane),
            What::Unlisted(lane) => self.listed.retain(|other| *other != lane),
            What::Leased { lane, worker, why, .. } => {
                let ask = Ask { view, worker: view.state.worker_at(worker), learning: false };
                self.leased(lane, &ask, why);
            }
            What::Ended { lane, .. } => {
                let left = self.running_in(lane).saturating_sub(1);
                self.running.insert(lane, left);
                self.running.retain(|_, running| *running > 0);
            }
            What::JobClosed { job, .. } => {
                self.conceded.remove(&job);
            }
            What::Changed | What::Idle(_) | What::NotIdle { .. } => {}
        }
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        let order = self.order(ask);
        let job = |lane: &LaneRef| ask.view.job(*lane).id;
        let stays = ask.worker.last_job.filter(|last| order.iter().any(|lane| job(lane) == *last));
        let conceded = stays.map_or(0, |last| {
            let served = |lane: &LaneRef| {
                job(lane) == last || self.conceded.get(&job(lane)).copied().unwrap_or(0) >= self.limit
            };
            order.iter().position(served).expect("the worker's last job is in the order")
        });
        let lane = *order.get(conceded)?;
        let code = if stays.is_some() { CONCEDED } else { 0 };
        Some(Choice { lane, task: ask.task_in(lane)?, why: Why { code, a: conceded as i64, b: 0 } })
    }

    fn explain(&self, why: Why) -> String {
        match (why.code, why.a) {
            (CONCEDED, n) => format!("{n} conceded"),
            _ => "new to these jobs".to_owned(),
        }
    }

    fn memory(&self) -> Vec<u8> {
        remember(&self.conceded)
    }
}

/// C holds a task of j, so k has the lesser share; it concedes twice to a, who stays with j, and is served the third time.
#[test]
fn a_worker_stays_with_its_job_until_others_have_conceded_often_enough() {
    let script = "
        usual
        submit j ann tag 9
        join a c p person
        ask c a
        submit k bob tag 9
        set p dispatch sketch-worker-conscious,concessions=2
        at 1s answer a
        ask a
        at 2s answer a
        ask a
        at 3s answer a
        ask a
        at 4s answer a
        ask a
    ";
    expect![[r#"
        0s       ann submits j: 9 tasks
        0s       a joins p
        0s       c joins p
        0s       c asks
        0s       c gets j.0: lease 0 until 5min
        0s       a asks
        0s       a gets j.1: lease 1 until 5min
        0s       bob submits k: 9 tasks
        0s       p has dispatch sketch-worker-conscious
        1s       a answers lease 1 (j.1)
        1s       j.1 by a counts
        1s       a asks
        1s       a gets j.2: lease 2 until 5min1s (1 conceded)
        2s       a answers lease 2 (j.2)
        2s       j.2 by a counts
        2s       a asks
        2s       a gets j.3: lease 3 until 5min2s (1 conceded)
        3s       a answers lease 3 (j.3)
        3s       j.3 by a counts
        3s       a asks
        3s       a gets k.0: lease 4 until 5min3s (0 conceded)
        4s       a answers lease 4 (k.0)
        4s       k.0 by a counts
        4s       a asks
        4s       a gets k.1: lease 5 until 5min4s (0 conceded)
    "#]]
    .assert_eq(&tell(script, super::registry()));
}

/// The price of a's task puts k out of reach with the very lease for which it conceded; the concession is counted all the
/// same: when k can be paid for again it concedes once more, and is served then.
#[test]
fn a_concession_counts_although_the_lease_takes_the_money() {
    let script = "
        tenant ann budget 0.10 every 1min
        app tag
        kind person
        pool p serves tag
        submit j ann tag 9 price 0.05
        join a c p person
        ask c a
        submit k ann tag 9 price 0.05
        set p dispatch sketch-worker-conscious,concessions=2
        at 1s return a
        ask a
        at 2s set tenant ann budget 1.00 every 1min
        answer a
        ask a
        at 3s answer a
        ask a
    ";
    expect![[r#"
        0s       ann submits j: 9 tasks
        0s       a joins p
        0s       c joins p
        0s       c asks
        0s       c gets j.0: lease 0 until 30min, set aside 0.05
        0s       a asks
        0s       a gets j.1: lease 1 until 30min, set aside 0.05
        0s       ann is out of budget, 0.00 left
        0s       ann submits k: 9 tasks
        0s       p has dispatch sketch-worker-conscious
        1s       a returns lease 1 (j.1)
        1s       ann is back in budget
        1s       a asks
        1s       a gets j.1: lease 2 until 30min1s, set aside 0.05 (1 conceded)
        1s       ann is out of budget, 0.00 left
        2s       ann is back in budget
        2s       a answers lease 2 (j.1)
        2s       j.1 by a counts, paid 0.05
        2s       a asks
        2s       a gets j.2: lease 3 until 30min2s, set aside 0.05 (1 conceded)
        3s       a answers lease 3 (j.2)
        3s       j.2 by a counts, paid 0.05
        3s       a asks
        3s       a gets k.0: lease 4 until 30min3s, set aside 0.05 (0 conceded)
    "#]]
    .assert_eq(&tell(script, super::registry()));
}
