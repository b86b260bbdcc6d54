//! Figures for Prometheus, in its text format. What is counted elsewhere is only written down here.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use muster_engine::Span;
use muster_engine::ids::{KindId, PoolId};
use muster_engine::state::pool::{Headcount, Pool};
use muster_engine::state::tenant::Tenant;
use muster_engine::view::Observation;

use super::Server;
use super::extract::By;
use crate::histogram::{Histogram, TIMES};
use crate::keeper::Condition;
use crate::keeper::turn::Look;
use crate::problem::Answer;

/// Counts of requests.
#[derive(Debug, Default)]
pub struct Counts {
    /// Requests, by the first digit of the status.
    pub replies: [AtomicU64; 6],
    /// Replies that went on and broke off, since something could not be read.
    pub broken: AtomicU64,
    /// How long requests took, by method and route. There are as many as there are routes.
    taken: RwLock<BTreeMap<String, Arc<Histogram>>>,
    connections: AtomicU64,
    refused: AtomicU64,
}

impl Counts {
    /// Counts a reply.
    pub fn count(&self, status: u16) {
        if let Some(counter) = self.replies.get(usize::from(status / 100)) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Counts {
    /// Counts a reply that broke off.
    pub fn broken(&self) {
        self.broken.fetch_add(1, Ordering::Relaxed);
    }

    /// How long requests of a method took on a route.
    pub(super) fn taken(&self, method: &str, route: &str) -> Arc<Histogram> {
        let name = [method, " ", route].concat();
        let kept = self.taken.read().unwrap_or_else(PoisonError::into_inner).get(&name).map(Arc::clone);
        kept.unwrap_or_else(|| {
            let mut taken = self.taken.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(taken.entry(name).or_insert_with(|| Arc::new(Histogram::new(TIMES))))
        })
    }

    /// There are so many connections.
    pub(crate) fn connected(&self, n: usize) {
        self.connections.store(n as u64, Ordering::Relaxed);
    }

    /// A connection was refused, as there are too many.
    pub(crate) fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// How many connections there are.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.connections.load(Ordering::Relaxed)
    }

    /// How many connections were refused, as there were too many.
    #[must_use]
    pub fn connections_refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

struct Page(String);

impl Page {
    fn figure(&mut self, name: &str, kind: &str, help: &str, values: &[(String, f64)]) {
        self.head(name, kind, help);
        for (labels, value) in values {
            // Rust and Prometheus write what is no number alike, but for the infinite.
            let value = if value.is_infinite() { "+Inf".to_owned() } else { value.to_string() };
            let _ = writeln!(self.0, "{name}{labels} {value}");
        }
    }
}

/// Nanoseconds in a second.
const SECOND: f64 = 1e9;

impl Page {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram, unit: f64) {
        self.head(name, "histogram", help);
        histogram.write(&mut self.0, name, "", unit);
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// A figure of a pool: its name, what it means, and how it is read off.
type OfPool = (&'static str, &'static str, fn(&Observation) -> f64);

const OF_POOL: [OfPool; 10] = [
    ("muster_queue_slots", "Open slots that wait.", |seen| seen.queue as f64),
    ("muster_arrivals_per_second", "Slots that open, lately.", |seen| seen.arrival_rate),
    ("muster_answers_per_second", "Answers that count, lately.", |seen| seen.throughput),
    ("muster_departures_per_second", "Workers who leave, lately.", |seen| seen.departure_rate),
    ("muster_utilisation", "Share of attended time in which workers were busy.", |seen| seen.utilisation),
    ("muster_workers_coming", "Workers called for and not yet there.", |seen| f64::from(seen.in_flight)),
    ("muster_workers_recommended", "Recommended size of the pool; NaN if it cannot be said.", |seen| {
        seen.recommended().map_or(f64::NAN, f64::from)
    }),
    ("muster_service_seconds", "Mean time of a task in a worker's hands, lately; NaN without any.", |seen| {
        seen.service_rate.map_or(f64::NAN, |rate| 1.0 / rate)
    }),
    ("muster_wait_seconds", "Mean time from opening to lease, lately; NaN without any.", |seen| {
        seen.wait.map_or(f64::NAN, Span::as_secs_f64)
    }),
    ("muster_latency_seconds", "Mean time from opening to answer, lately; NaN without any.", |seen| {
        seen.latency.map_or(f64::NAN, Span::as_secs_f64)
    }),
];

type Standing = (&'static str, fn(&Headcount) -> u32);

const STANDINGS: [Standing; 5] = [
    ("idle", |heads| heads.idle),
    ("leased", |heads| heads.leased),
    ("training", |heads| heads.training),
    ("paused", |heads| heads.paused),
    ("draining", |heads| heads.draining),
];

fn pools(page: &mut Page, look: &Look<'_>) {
    let names = &look.desk.directory;
    let of = |pool: &Pool| format!("pool=\"{}\"", escaped(names.pools.name(pool.id.0)));
    let seen: Vec<(&Pool, String, Observation)> =
        look.state().pools().iter().map(|pool| (pool, of(pool), Observation::of(pool, look.now))).collect();
    for (name, help, figure) in OF_POOL {
        let values = seen.iter().map(|(_, labels, seen)| (format!("{{{labels}}}"), figure(seen)));
        page.figure(name, "gauge", help, &values.collect::<Vec<_>>());
    }
    let unfunded = seen.iter().map(|(pool, labels, _)| (format!("{{{labels}}}"), pool.unfunded as f64));
    page.figure(
        "muster_queue_unfunded_slots",
        "gauge",
        "Open slots that wait for money.",
        &unfunded.collect::<Vec<_>>(),
    );
    let heads = seen.iter().flat_map(|(pool, labels, _)| {
        let of = move |(word, n): &Standing| {
            (format!("{{{labels},standing=\"{word}\"}}"), f64::from(n(&pool.workers)))
        };
        STANDINGS.iter().map(of)
    });
    page.figure("muster_workers", "gauge", "Workers who are there, by standing.", &heads.collect::<Vec<_>>());
    wanted(page, look);
}

fn wanted(page: &mut Page, look: &Look<'_>) {
    let names = &look.desk.directory;
    let mut wanted: BTreeMap<(PoolId, KindId), u32> = BTreeMap::new();
    for order in look.state().recruits().values() {
        *wanted.entry((order.pool, order.kind)).or_default() += order.n;
    }
    let values = wanted.into_iter().map(|((pool, kind), n)| {
        let (pool, kind) = (escaped(names.pools.name(pool.0)), escaped(names.kinds.name(kind.0)));
        (format!("{{pool=\"{pool}\",kind=\"{kind}\"}}"), f64::from(n))
    });
    page.figure(
        "muster_workers_wanted",
        "gauge",
        "Workers wanted: orders not filled yet.",
        &values.collect::<Vec<_>>(),
    );
}

fn money(page: &mut Page, look: &Look<'_>) {
    let (books, names) = (look.state().books(), &look.desk.directory);
    let paid = [
        ("answers", books.answers),
        ("waiting", books.waiting),
        ("training", books.training),
        ("machines", books.machines),
    ];
    let paid = paid.map(|(what, amount)| (format!("{{what=\"{what}\"}}"), amount.as_units_f64()));
    page.figure("muster_paid_total", "counter", "Money paid, in the currency's unit.", &paid);
    let of = |figure: fn(&Tenant) -> f64| {
        let tenants = look.state().tenants().iter().zip(0..);
        let value = |(tenant, id): (&Tenant, u32)| {
            (format!("{{tenant=\"{}\"}}", escaped(names.tenants.name(id))), figure(tenant))
        };
        tenants.map(value).collect::<Vec<_>>()
    };
    let charged = of(|tenant| tenant.charged.as_units_f64());
    page.figure("muster_tenant_charged_total", "counter", "Money charged to a tenant.", &charged);
    let reserved = of(|tenant| tenant.reserved.as_units_f64());
    page.figure(
        "muster_tenant_reserved",
        "gauge",
        "Money set aside for leases and machines on their way.",
        &reserved,
    );
    let left =
        of(|tenant| tenant.money_left().map_or(f64::INFINITY, muster_engine::money::Money::as_units_f64));
    page.figure("muster_tenant_left", "gauge", "Money left in this interval; +Inf without a budget.", &left);
}

fn journal(page: &mut Page, look: &Look<'_>) {
    let commits = &look.shared.commits;
    page.histogram(
        "muster_journal_commit_seconds",
        "How long it took to make a group of requests durable.",
        &commits.times,
        SECOND,
    );
    page.histogram(
        "muster_journal_commit_requests",
        "How many requests were made durable together.",
        &commits.sizes,
        1.0,
    );
}

fn requests(page: &mut Page, counts: &Counts) {
    let plain = |value: u64| [(String::new(), value as f64)];
    let replies = (1..6).map(|digit| {
        (format!("{{status=\"{digit}xx\"}}"), counts.replies[digit].load(Ordering::Relaxed) as f64)
    });
    page.figure("muster_http_replies_total", "counter", "Replies, by status.", &replies.collect::<Vec<_>>());
    page.figure(
        "muster_http_broken_total",
        "counter",
        "Replies that broke off as something could not be read.",
        &plain(counts.broken.load(Ordering::Relaxed)),
    );
    let (there, refused) = (plain(counts.connections()), plain(counts.connections_refused()));
    page.figure("muster_http_connections", "gauge", "Connections that are open.", &there);
    page.figure(
        "muster_http_connections_refused_total",
        "counter",
        "Connections that were refused, as there were as many as are allowed.",
        &refused,
    );
    let name = "muster_http_request_seconds";
    page.head(
        name,
        "histogram",
        "How long requests took until their reply began, waiting for a task included.",
    );
    for (of, taken) in counts.taken.read().unwrap_or_else(PoisonError::into_inner).iter() {
        let (method, route) = of.split_once(' ').unwrap_or((of, ""));
        taken.write(&mut page.0, name, &format!("method=\"{method}\",route=\"{route}\""), SECOND);
    }
}

/// The figures; those of pools and tenants only for who may see everything.
fn page(look: &Look<'_>, counts: &Counts, all: bool) -> String {
    let mut page = Page(String::new());
    let state = look.state();
    let plain = |value: f64| [(String::new(), value)];
    let up = look.shared.condition() == Condition::Running;
    page.figure(
        "muster_up",
        "gauge",
        "1 if work is taken, 0 while the disk is full.",
        &plain(f64::from(u8::from(up))),
    );
    let version = format!("{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    page.figure("muster_info", "gauge", "Which release this is.", &[(version, 1.0)]);
    page.figure("muster_journal_facts_total", "counter", "Facts recorded.", &plain(state.facts() as f64));
    page.figure("muster_jobs", "gauge", "Jobs that are not done.", &plain(state.job_count() as f64));
    if all {
        pools(&mut page, look);
        money(&mut page, look);
    }
    journal(&mut page, look);
    requests(&mut page, counts);
    page.0
}

/// All figures, for a token that may see everything; without one, those that tell nothing of tenants and pools.
pub async fn metrics(State(server): State<Server>, by: Answer<By>) -> Answer<Response> {
    let counts = Arc::clone(&server.counts);
    let all = by.is_ok_and(|by| by.may_read_all());
    let page = server.look(move |look| Ok(page(look, &counts, all))).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page).into_response())
}
