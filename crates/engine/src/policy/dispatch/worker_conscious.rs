//! `worker-conscious`: shares as in `weighted-fair`, but a worker is left with the job it knows, as long as the others
//! have not conceded too often.
//!
//! Whoever ranks before the worker's last job either concedes, up to K times, or claims the worker. Between tenants the
//! same is done twice: among tenants first, and then among the jobs of the tenant that gets the worker. A worker without a
//! last job that has something for it goes to the first in rank, and nobody concedes. K = 0 is `weighted-fair`.
//!
//! Concessions are counted lazily (see [`concession`](super::concession)): a choice takes logarithmic time.

use crate::fact::Why;
use crate::ids::TenantId;
use crate::policy::settings::{Reader, Setting, SettingError, Value};
use crate::policy::{Change, Entry, Start, What};
use crate::state::job::LaneRef;
use crate::state::worker::Worker;
use crate::table::Slot;
use crate::view::{Ask, View};

use super::concession::Conceding;
use super::order::{Found, fitting};
use super::rank::{Rank, Ranking};
use super::share::{self, Rankings, Shares};
use super::{Choice, Dispatch};

const SETTINGS: &[Setting] = &[
    share::SETTINGS[0],
    share::SETTINGS[1],
    share::SETTINGS[2],
    Setting {
        name: "concessions",
        meaning: "How often a job (or tenant) lets a worker stay with its last job before it claims one; or unlimited.",
        default: "3",
    },
];

/// How it is named and started.
pub const ENTRY: Entry<dyn Dispatch> = Entry {
    name: "worker-conscious",
    about: "Weighted shares that spare workers the change between jobs: others concede a few times before they claim.",
    settings: SETTINGS,
    version: 1,
    start,
};

/// Rankings that count concessions.
#[derive(Debug)]
struct WithConcessions;

impl Rankings for WithConcessions {
    type Lanes = Conceding<LaneRef>;
    type Tenants = Conceding<TenantId>;
}

#[derive(Debug)]
struct WorkerConscious {
    shares: Shares<WithConcessions>,
    limit: u32,
    /// Jobs that may hold nothing for a worker although they are listed: it has had one of several slots, or skipped.
    tried: super::tried::Tried,
}

fn start(start: Start<'_>) -> Result<Box<dyn Dispatch>, SettingError> {
    let reader = Reader::new(start.spec, SETTINGS)?;
    let limit = match reader.value("concessions") {
        Some(Value::Text(text)) if text == "unlimited" => u32::MAX,
        _ => reader.whole("concessions", 3, 0, 1_000_000)?,
    };
    Ok(Box::new(WorkerConscious {
        shares: Shares::start(&start, &reader, true)?,
        limit,
        tried: super::tried::Tried::start(start.view),
    }))
}

/// How a worker came to a tenant or job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// It had no last job there: the first in rank.
    New = 0,
    /// It stays; whoever ranks before concedes.
    Stays = 1,
    /// It is claimed after enough concessions; whoever ranks before the claimer concedes.
    Claimed = 2,
}

impl Way {
    fn of(code: u16) -> Self {
        match code {
            1 => Self::Stays,
            2 => Self::Claimed,
            _ => Self::New,
        }
    }
}

impl WorkerConscious {
    /// The lane of the worker's last job that has something for it, if the job is listed.
    fn last(&self, ask: &Ask<'_>) -> Option<Found> {
        let lanes = self.shares.listed_lanes(ask.worker.last_job?);
        let may = |at: &LaneRef| ask.may(usize::from(ask.view.lane(*at).place));
        let found = lanes.filter(may).filter_map(|at| {
            let rank = self.shares.rank(at, ask.view)?;
            ask.task_in(at).map(|task| Found { rank, lane: at, task })
        });
        found.min_by_key(|found| found.rank)
    }

    /// Who ranks before and has conceded often enough to claim the worker: the first tenant.
    fn claiming_tenant(&self, before: Rank, ask: &Ask<'_>) -> Option<TenantId> {
        let mut claims: Vec<(Rank, TenantId)> = Vec::new();
        for tenants in self.shares.tops(ask) {
            let mut with_work = tenants
                .at_least(self.limit, Some(before))
                .filter(|(_, id)| self.shares.first_of(*id, ask).is_some());
            claims.extend(with_work.next());
        }
        claims.into_iter().min().map(|(_, tenant)| tenant)
    }

    /// The first lane of a tenant that ranks before and has conceded often enough to claim the worker.
    fn claiming_lane(&self, tenant: TenantId, before: Rank, ask: &Ask<'_>) -> Option<Found> {
        let order = &self.shares.group_at(tenant)?.order;
        let claims =
            order.open_to(ask).filter_map(|lanes| fitting(lanes.at_least(self.limit, Some(before)), ask));
        claims.min_by_key(|found| found.rank)
    }

    /// Counts the concessions of a choice, before the lease itself is counted.
    fn concede(&mut self, at: LaneRef, worker: Slot<Worker>, why: Why, view: View<'_>) {
        let ask = Ask { view, worker: view.state.worker_at(worker), learning: false };
        let (among_tenants, among_jobs) = (Way::of(why.code / 4), Way::of(why.code % 4));
        let tenant = self.shares.group_id(view.job(at).tenant);
        let (group, lane) = (self.shares.group_rank(tenant), self.shares.rank(at, view));
        let (Some(group), Some(lane)) = (group, lane) else { return };
        if among_tenants != Way::New {
            self.tenants_concede(group, &ask);
        }
        if among_jobs != Way::New {
            self.lanes_concede(tenant, at, lane, &ask);
        }
        // Whoever is served starts anew; a tenant in all apps, in each of which it may have conceded.
        self.shares.tops_mut().iter_mut().for_each(|tenants| tenants.set(group, 0));
        let Some(served) = self.shares.group_at_mut(tenant) else { return };
        served.forgive();
        if let Some(lanes) = served.order.app_mut(usize::from(view.lane(at).place)) {
            lanes.set(lane, 0);
        }
    }

    fn tenants_concede(&mut self, served: Rank, ask: &Ask<'_>) {
        // A tenant that has nothing for this worker takes no part.
        let jobs = self.tried.jobs_of(ask.worker.id);
        let mut idle: Vec<TenantId> = jobs
            .filter_map(|job| ask.view.state.job(job))
            .map(|job| self.shares.group_id(job.tenant))
            .filter(|tenant| self.shares.first_of(*tenant, ask).is_none())
            .collect();
        idle.sort_unstable();
        idle.dedup();
        let exempt: Vec<Rank> = idle.iter().filter_map(|tenant| self.shares.group_rank(*tenant)).collect();
        let tops = (0..).zip(self.shares.tops_mut()).filter(|(place, _)| ask.may(*place));
        tops.for_each(|(_, tenants)| concede_but(tenants, served, &exempt));
    }

    fn lanes_concede(&mut self, tenant: TenantId, served: LaneRef, rank: Rank, ask: &Ask<'_>) {
        let jobs = self.tried.jobs_of(ask.worker.id);
        let exempt: Vec<Rank> = jobs
            .flat_map(|job| self.shares.listed_lanes(job))
            .filter(|lane| *lane != served && ask.task_in(*lane).is_none())
            .filter_map(|lane| self.shares.rank(lane, ask.view))
            .collect();
        let Some(group) = self.shares.group_at_mut(tenant) else { return };
        group.order.open_to_mut(ask).for_each(|lanes| concede_but(lanes, rank, &exempt));
    }
}

/// Whatever ranks before concedes once, but for those exempt.
fn concede_but<V: Copy + std::fmt::Debug + Send>(ranking: &mut Conceding<V>, before: Rank, exempt: &[Rank]) {
    let kept: Vec<(Rank, u32)> = exempt.iter().map(|rank| (*rank, ranking.conceded(*rank))).collect();
    ranking.concede_before(before);
    for (rank, conceded) in kept {
        ranking.set(rank, conceded);
    }
}

impl Dispatch for WorkerConscious {
    fn note(&mut self, change: &Change, view: View<'_>) {
        if let What::Leased { lane, worker, why, .. } = change.what {
            self.concede(lane, worker, why, view);
        }
        self.tried.note(change, view);
        self.shares.note(change, view);
    }

    fn choose(&self, ask: &Ask<'_>) -> Option<Choice> {
        let chosen = |found: &Found, tenants: Way, jobs: Way| {
            let conceded = self.shares.conceded(found, ask.view);
            let code = tenants as u16 * 4 + jobs as u16;
            Choice::of(found, Why { code, a: i64::from(conceded), b: i64::from(self.limit) })
        };
        let Some(last) = self.last(ask) else {
            return self.shares.first(ask).map(|found| chosen(&found, Way::New, Way::New));
        };
        let home = self.shares.group_id(ask.view.job(last.lane).tenant);
        let claim = self.shares.group_rank(home).and_then(|rank| self.claiming_tenant(rank, ask));
        if let Some(tenant) = claim {
            return self.shares.first_of(tenant, ask).map(|found| chosen(&found, Way::Claimed, Way::New));
        }
        match self.claiming_lane(home, last.rank, ask) {
            Some(found) => Some(chosen(&found, Way::Stays, Way::Claimed)),
            None => Some(chosen(&last, Way::Stays, Way::Stays)),
        }
    }

    fn explain(&self, why: Why) -> String {
        match (Way::of(why.code / 4), Way::of(why.code % 4)) {
            (Way::New, _) => "new to what is open here: the least share for its weight".to_owned(),
            (Way::Claimed, _) => "another tenant was due: it had let workers stay often enough".to_owned(),
            (_, Way::Claimed) => format!("another job was due: it had let workers stay {} times", why.a),
            _ => "stays with the job it knows; the others concede".to_owned(),
        }
    }

    fn figures(&self, lane: LaneRef, view: View<'_>) -> Vec<(&'static str, f64)> {
        let figures = self.shares.figures(lane, view);
        figures.map_or(Vec::new(), |(share, conceded)| {
            vec![("share", share), ("concessions", f64::from(conceded))]
        })
    }

    fn memory(&self, view: View<'_>) -> Vec<u8> {
        self.shares.memory(view)
    }
}
