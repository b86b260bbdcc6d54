//! `show`: something of the state, in a line.

use muster_engine::Span;
use muster_engine::fact::{Body, Decision, Grant};
use muster_engine::money::Money;
use muster_engine::view::View;

use super::Story;
use super::words::{Words, exact};

impl Story {
    /// Something of the state, in a line.
    pub(super) fn show(&mut self, words: &mut Words<'_>) {
        let state = self.engine.state();
        let text = match words.next() {
            "tenant" => {
                let name = words.next();
                let tenant = state.tenant(self.tenant_id(name)).expect("a tenant");
                let left = tenant.money_left().map_or("no limit".to_owned(), |left| format!("{left} left"));
                format!("{name}: charged {}, set aside {}, {left}", tenant.charged, tenant.reserved)
            }
            "books" => {
                let books = state.books();
                let due: Money = state.pools().iter().map(|pool| pool.due).sum();
                format!(
                    "books: answers {}, waiting {}, training {}, machines {}; charged {}, due {due}",
                    books.answers, books.waiting, books.training, books.machines, books.charged
                )
            }
            "pool" => {
                let name = words.next();
                let seen = View { state, id: self.pool_id(name) }.observe();
                let (w, recommended) =
                    (seen.workers, seen.recommended().map_or("none".to_owned(), |n| n.to_string()));
                format!(
                    "{name}: {} waiting; {} training, {} idle, {} busy, {} paused, {} coming; recommended {recommended}",
                    seen.queue,
                    w.training,
                    w.idle,
                    w.busy(),
                    w.paused,
                    seen.in_flight
                )
            }
            "rates" => {
                let name = words.next();
                let seen = View { state, id: self.pool_id(name) }.observe();
                format!(
                    "{name}: in {}: {} arrived, {} answered, {} left; utilisation {:.3}, wait {}, latency {}",
                    exact(seen.window),
                    seen.arrivals,
                    seen.completions,
                    seen.departures,
                    seen.utilisation,
                    seen.wait.map_or("none".to_owned(), exact),
                    seen.latency.map_or("none".to_owned(), exact)
                )
            }
            "client" => {
                let name = words.next();
                let client = state.client(self.client_id(name)).expect("a client");
                let mood = if client.is_unhappy() { "unhappy" } else { "happy" };
                format!(
                    "{name}: patience {:.4}, {} waiting, {} served, {mood}",
                    client.patience, client.waiting, client.served
                )
            }
            "why" => {
                let name = words.next();
                let why = self.last_lease_of(name).and_then(|grant| self.put_why(grant));
                format!("{name}, because: {}", why.unwrap_or_default())
            }
            "job" => self.figures(words.next()),
            "next" => format!(
                "next due {}",
                self.engine.next_due().map_or("never".to_owned(), |at| exact(Span(at.0)))
            ),
            "memory" => format!("{} jobs, {} workers live", state.job_count(), state.worker_count()),
            other => panic!("nothing to show of '{other}'"),
        };
        self.say(&text);
    }

    /// What the dispatch policy knows of a job.
    fn figures(&self, name: &str) -> String {
        let figures = self.engine.figures(self.job_id(name));
        let figures: Vec<String> =
            figures.iter().map(|(_, what, number)| format!("{what} {number:.3}")).collect();
        format!("{name}: {}", figures.join(", "))
    }

    fn last_lease_of(&self, name: &str) -> Option<&Grant> {
        let worker = self.worker_id(name);
        self.facts.iter().rev().find_map(|fact| match &fact.body {
            Body::Decision(Decision::Leased(grant)) if grant.worker == worker => Some(grant),
            _ => None,
        })
    }
}
