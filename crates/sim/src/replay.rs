//! History as a set-up: what came, who was there and how long each task took are taken from a trace; who gets what is
//! decided anew.
//!
//! A trace never tells everything. What had to be assumed is said in sentences, with counts. Start at [`replay`].

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_engine::ids::AppId;
use muster_engine::money::Money;
use muster_engine::spec::{KindSpec, LeaseLength, PoolSpec};
use muster_engine::{Span, Time};
use muster_formats::trace::{Assignment, Trace};

use crate::law::Law;
use crate::model::{App, Arrivals, Demand, GivingUp, Kind, Pool, Setup, Shift, Tenant};

/// How a history is read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// A worker who takes the next task within this time has been there in between.
    pub gap: Span,
    /// Nothing before this, counted from the first moment of the trace.
    pub from: Span,
    /// Nothing from this on.
    pub until: Span,
    /// How many workers there are, where the trace does not say (a log of calls).
    pub workers: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { gap: Span::from_mins(5), from: Span::ZERO, until: Span::MAX, workers: 0 }
    }
}

/// A history, ready to be run under any policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// What is simulated.
    pub setup: Setup,
    /// When the last thing in it happens.
    pub horizon: Span,
    /// What the trace does not tell and had to be assumed.
    pub assumed: Vec<String>,
}

/// A trace as a set-up; or why it cannot be one.
pub fn replay(trace: &Trace, options: Options) -> Result<Replayed, String> {
    if !trace.calls.is_empty() {
        return calls(trace, options);
    }
    if trace.assignments.iter().any(|it| it.timed().is_some()) {
        return assignments(trace, options);
    }
    Err("the trace does not tell who did what when, or which calls came: there is nothing to replay. `muster trace fit` \
         makes laws of what it tells"
        .to_owned())
}

/// A task that was done.
struct Done {
    job: (Option<usize>, Option<usize>),
    worker: usize,
    created: Option<Time>,
    start: Time,
    work: Span,
}

fn assignments(trace: &Trace, options: Options) -> Result<Replayed, String> {
    let done = |it: &Assignment| {
        let (start, work) = it.timed()?;
        Some(Done { job: (it.job, it.app), worker: it.worker, created: it.created, start, work })
    };
    let mut all: Vec<Done> = trace.assignments.iter().filter_map(done).collect();
    let untimed = trace.assignments.len() - all.len();
    all.sort_by_key(|done| (done.start, done.worker));
    let zero = all.first().map_or(Time::ZERO, |done| done.created.unwrap_or(done.start).min(done.start));
    let within = |at: Time| (options.from..options.until).contains(&at.since(zero));
    all.retain(|done| within(done.start));
    let Some(first) = all.first() else {
        return Err("no task of the trace was begun between --from and --until".to_owned());
    };
    let begin = first.start;
    let mut made = History { setup: empty(), begin, assumed: Vec::new(), horizon: Span::ZERO };
    made.apps(trace, &all);
    made.jobs(trace, &all);
    made.people(&all, options.gap);
    made.say_of_assignments(&all, untimed, options.gap);
    Ok(Replayed { setup: made.setup, horizon: made.horizon, assumed: made.assumed })
}

fn empty() -> Setup {
    let mut setup = Setup::new();
    setup.tenants.push(Tenant::new("everybody"));
    setup.kinds.push(Kind::steady("people", KindSpec::person(Money::ZERO)));
    setup
}

struct History {
    setup: Setup,
    begin: Time,
    assumed: Vec<String>,
    horizon: Span,
}

impl History {
    fn apps(&mut self, trace: &Trace, all: &[Done]) {
        let names = trace.apps.list();
        let count = names.len().max(1);
        for place in 0..count {
            let of = |done: &&Done| {
                names.is_empty() || done.job.1 == Some(place) || (place == 0 && done.job.1.is_none())
            };
            let works: Vec<f64> = all.iter().filter(of).map(|done| done.work.as_secs_f64()).collect();
            let longest = works.iter().copied().fold(60.0, f64::max);
            let law = Law::empirical(works).unwrap_or(Law::Fixed(0.0));
            let mut app = App::new(names.get(place).map_or("task", String::as_str), law);
            app.spec.lease = LeaseLength::Fixed(Span::from_secs_f64(longest * 2.0));
            self.setup.apps.push(app);
        }
        let serves: Vec<AppId> = (0..count as u32).map(AppId).collect();
        self.setup.pools.push(Pool::new("everybody", PoolSpec::serving(&serves)));
    }

    /// Each job of the trace is a demand of one job.
    fn jobs(&mut self, trace: &Trace, all: &[Done]) {
        let mut jobs: BTreeMap<(Option<usize>, Option<usize>), Vec<&Done>> = BTreeMap::new();
        for done in all {
            jobs.entry(done.job).or_default().push(done);
        }
        let mut unknown = 0;
        for ((job, app), done) in jobs {
            let earliest =
                done.iter().map(|done| done.created.unwrap_or(done.start)).min().unwrap_or(self.begin);
            unknown += usize::from(done.iter().all(|done| done.created.is_none()));
            let at = earliest.since(self.begin);
            let name = job.and_then(|job| trace.jobs.list().get(job)).map_or("tasks", String::as_str);
            let works: Box<[f32]> = done.iter().map(|done| done.work.as_secs_f64() as f32).collect();
            let arrivals = Arrivals::Recorded(Arc::from([(at, works.len() as u32)]));
            let mut demand = Demand::of(name, 0, app.unwrap_or(0), arrivals);
            demand.works = Some(Arc::from([works]));
            self.setup.demands.push(demand);
        }
        if unknown > 0 {
            self.assumed.push(format!(
                "when jobs came is not in the file for {unknown} of {} jobs: each is taken to have come when its first task was begun",
                self.setup.demands.len()
            ));
        }
    }

    /// Each stay of a worker, from the first task to the end of the last, is a shift of one.
    fn people(&mut self, all: &[Done], gap: Span) {
        let mut stays: BTreeMap<usize, Vec<(Time, Time)>> = BTreeMap::new();
        for done in all {
            let (start, end) = (done.start, done.start + done.work);
            let of = stays.entry(done.worker).or_default();
            match of.last_mut() {
                Some(last) if start <= last.1 + gap => last.1 = last.1.max(end),
                _ => of.push((start, end)),
            }
        }
        let shift = |(start, end): (Time, Time)| Shift {
            kind: 0,
            workers: 1,
            from: start.since(self.begin),
            length: end.since(start),
            every: None,
        };
        let shifts: Vec<Shift> = stays.into_values().flatten().map(shift).collect();
        self.horizon = shifts.iter().map(|shift| shift.from + shift.length).max().unwrap_or(Span::ZERO);
        self.setup.pools[0].shifts = shifts;
    }

    fn say_of_assignments(&mut self, all: &[Done], untimed: usize, gap: Span) {
        if untimed > 0 {
            self.assumed.push(format!("{untimed} rows are no answers or have no times: they are left out"));
        }
        let mut did: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for done in all {
            let apps = did.entry(done.worker).or_default();
            let app = done.job.1.unwrap_or(0);
            if !apps.contains(&app) {
                apps.push(app);
            }
        }
        let apps = self.setup.apps.len();
        let partial = did.values().filter(|of| of.len() < apps).count();
        if partial > 0 {
            self.assumed.push(format!(
                "{partial} of {} workers never did some of the {apps} types of task: they are taken to be able to do all of them",
                did.len()
            ));
        }
        self.assumed.push(format!(
            "workers are there from the first task of a stay to the end of its last; who takes the next task within {gap} \
             has stayed. That they waited for work longer than that, or came and found none, is not in the file"
        ));
        self.assumed.push("a task takes as long as it took, whoever does it".to_owned());
    }
}

fn calls(trace: &Trace, options: Options) -> Result<Replayed, String> {
    if options.workers == 0 {
        return Err("a log of calls does not say how many people answered: give --workers N".to_owned());
    }
    let zero = trace.calls.iter().map(|call| call.at).min().unwrap_or(Time::ZERO);
    let within = |at: Time| (options.from..options.until).contains(&at.since(zero));
    let mut all: Vec<_> = trace.calls.iter().filter(|call| within(call.at)).collect();
    all.sort_by_key(|call| (call.at, call.line));
    let Some(begin) = all.first().map(|call| call.at) else {
        return Err("no call of the trace came between --from and --until".to_owned());
    };
    let served: Vec<f64> = all.iter().filter_map(|call| call.service).map(Span::as_secs_f64).collect();
    let mean = served.iter().sum::<f64>() / served.len().max(1) as f64;
    let law = Law::empirical(served).map_err(|_| "no call of the trace was served".to_owned())?;
    let mut setup = empty();
    setup.apps.push(App::new("call", law));
    let mut pool = Pool::new("everybody", PoolSpec::serving(&[AppId(0)]));
    pool.workers.push((0, options.workers));
    setup.pools.push(pool);
    let times: Arc<[(Span, u32)]> = all.iter().map(|call| (call.at.since(begin), 1)).collect();
    let mut demand = Demand::of("calls", 0, 0, Arrivals::Recorded(times));
    let work = |service: Option<Span>| Box::from([service.map_or(mean, Span::as_secs_f64) as f32]);
    demand.works = Some(all.iter().map(|call| work(call.service)).collect());
    let gave_up = all.iter().filter(|call| call.service.is_none()).count();
    let mut assumed = Vec::new();
    if gave_up > 0 {
        // Those who were served would have waited longer than they did: for a memoryless patience all waiting counts.
        let waited: f64 = all.iter().map(|call| call.wait.as_secs_f64()).sum();
        let patience = (waited / gave_up as f64).max(1e-3);
        demand.giving_up = Some(GivingUp { after: Law::Exponential(patience) });
        assumed.push(format!(
            "how long those who were served would have waited is not in the file: everybody gives up after an exponential \
             time of mean {}, which fits {gave_up} who gave up",
            Span::from_secs_f64(libm::round(patience))
        ));
        assumed.push(format!(
            "how long the {gave_up} who gave up would have been served is not in the file: as long as the mean of the others"
        ));
    }
    setup.demands.push(demand);
    let last = all.last().map_or(Span::ZERO, |call| call.at.since(begin));
    assumed.push(format!("{} people answer all the time", options.workers));
    Ok(Replayed { setup, horizon: last + Span::from_secs(1), assumed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::{Run, Unwatched, run};
    use crate::model::{Horizon, Plan, Replications};
    use muster_engine::policy::Registry;
    use muster_formats::trace::ColumnMap;

    fn read(table: &str) -> Trace {
        Trace::read_table("history.csv", table.as_bytes(), &ColumnMap::default()).expect("a good table")
    }

    fn edges(replayed: &Replayed) -> crate::measure::Edges {
        let plan = Plan {
            horizon: Horizon::Drain(replayed.horizon),
            warm_up: Span::ZERO,
            replications: Replications::Fixed(1),
            seed: 1,
            points: 10,
        };
        let registry = Registry::default();
        let what =
            Run { setup: &replayed.setup, plan: &plan, number: 0, registry: &registry, watch: &Unwatched };
        run(what).expect("a history can be run").edges
    }

    #[test]
    fn all_that_was_done_is_there_again() {
        let table = "worker,job,type,start,submit\n\
                     ann,a,photo,0,10\nann,a,photo,11,25\nbob,a,photo,5,20\nbob,b,text,21,40\nann,b,text,4000,4030\n";
        let replayed = replay(&read(table), Options::default()).unwrap();
        let shifts = &replayed.setup.pools[0].shifts;
        assert_eq!(shifts.len(), 3, "ann comes twice, bob once: {shifts:?}");
        assert_eq!(replayed.horizon, Span::from_secs(4030));
        let edges = edges(&replayed);
        assert_eq!((edges.jobs_submitted, edges.tasks_submitted, edges.answers), (2, 5, 5));
        assert!(
            replayed
                .assumed
                .iter()
                .any(|said| said.contains("when jobs came is not in the file for 2 of 2 jobs"))
        );
    }

    #[test]
    fn a_part_of_a_history() {
        let table = "worker,job,start,submit\nann,a,0,10\nann,a,100,130\nann,a,200,230\n";
        let options =
            Options { from: Span::from_secs(50), until: Span::from_secs(150), ..Options::default() };
        let replayed = replay(&read(table), options).unwrap();
        assert_eq!(edges(&replayed).answers, 1);
        let none = Options { from: Span::from_hours(5), ..Options::default() };
        assert!(replay(&read(table), none).unwrap_err().contains("--from"));
    }

    #[test]
    fn calls_need_to_know_who_answers() {
        let trace = read("arrival,wait,service,outcome\n0,5,60,served\n10,30,,abandoned\n20,1,50,served\n");
        assert!(replay(&trace, Options::default()).unwrap_err().contains("--workers"));
        let replayed = replay(&trace, Options { workers: 2, ..Options::default() }).unwrap();
        let edges = edges(&replayed);
        assert_eq!(edges.jobs_submitted, 3);
        assert_eq!(edges.jobs_done + edges.jobs_gave_up, 3);
    }
}
