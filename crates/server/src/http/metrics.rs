//! Figures for Prometheus, in its text format. What is counted elsewhere is only written down here.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use muster_engine::ids::PoolId;
use muster_engine::view::Observation;

use super::Server;
use crate::keeper::turn::Look;
use crate::problem::Answer;

/// Counts of requests.
#[derive(Debug, Default)]
pub struct Counts {
    /// Requests, by the first digit of the status.
    pub replies: [AtomicU64; 6],
    /// Replies that went on and broke off, since something could not be read.
    pub broken: AtomicU64,
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
}

/// Counts a reply on its way out.
pub async fn counted(State(server): State<Server>, response: Response) -> Response {
    server.counts.count(response.status().as_u16());
    response
}

struct Page(String);

impl Page {
    fn figure(&mut self, name: &str, kind: &str, help: &str, values: &[(String, f64)]) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (labels, value) in values {
            let _ = writeln!(self.0, "{name}{labels} {value}");
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// A figure of a pool: its name, what it means, and how it is read off.
type OfPool = (&'static str, &'static str, fn(&Observation) -> f64);

const OF_POOL: [OfPool; 11] = [
    ("muster_queue_slots", "Open slots that wait.", |seen| seen.queue as f64),
    ("muster_arrival_rate", "Slots that open, per second.", |seen| seen.arrival_rate),
    ("muster_throughput", "Answers per second.", |seen| seen.throughput),
    ("muster_utilisation", "Share of attended time in which workers were busy.", |seen| seen.utilisation),
    ("muster_workers_idle", "Workers who wait.", |seen| f64::from(seen.workers.idle)),
    ("muster_workers_leased", "Workers with a task.", |seen| f64::from(seen.workers.busy())),
    ("muster_workers_training", "Workers in training.", |seen| f64::from(seen.workers.training)),
    ("muster_workers_paused", "Workers who do not ask.", |seen| f64::from(seen.workers.paused)),
    ("muster_workers_coming", "Workers called for and not yet there.", |seen| f64::from(seen.in_flight)),
    (
        "muster_workers_recommended",
        "Recommended size of the pool; not a number if it cannot be said.",
        |seen| seen.recommended().map_or(f64::NAN, f64::from),
    ),
    ("muster_wait_seconds", "Mean time from opening to lease, lately; not a number without any.", |seen| {
        seen.wait.map_or(f64::NAN, muster_engine::Span::as_secs_f64)
    }),
];

fn pools(page: &mut Page, look: &Look<'_>) {
    let state = look.state();
    let seen: Vec<(String, Observation)> = (0..)
        .map(PoolId)
        .zip(state.pools())
        .map(|(id, pool)| {
            let name = escaped(look.desk.directory.pools.name(id.0));
            (format!("{{pool=\"{name}\"}}"), Observation::of(pool, look.now))
        })
        .collect();
    for (name, help, of) in OF_POOL {
        let values: Vec<(String, f64)> =
            seen.iter().map(|(labels, seen)| (labels.clone(), of(seen))).collect();
        page.figure(name, "gauge", help, &values);
    }
}

fn page(look: &Look<'_>, counts: &Counts) -> String {
    let mut page = Page(String::new());
    let state = look.state();
    let plain = |value: f64| [(String::new(), value)];
    page.figure("muster_facts_total", "counter", "Facts recorded.", &plain(state.facts() as f64));
    page.figure("muster_jobs", "gauge", "Jobs that are not done.", &plain(state.job_count() as f64));
    page.figure("muster_workers", "gauge", "Workers who are there.", &plain(state.worker_count() as f64));
    let paid = state.books().paid().as_units_f64();
    page.figure("muster_paid_total", "counter", "Money paid, in the currency's unit.", &plain(paid));
    pools(&mut page, look);
    let replies: Vec<(String, f64)> = (1..6)
        .map(|digit| {
            (format!("{{status=\"{digit}xx\"}}"), counts.replies[digit].load(Ordering::Relaxed) as f64)
        })
        .collect();
    page.figure("muster_http_replies_total", "counter", "Replies, by status.", &replies);
    page.0
}

/// All figures.
pub async fn metrics(State(server): State<Server>) -> Answer<Response> {
    let counts = std::sync::Arc::clone(&server.counts);
    let page = server.look(move |look| Ok(page(look, &counts))).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page).into_response())
}
