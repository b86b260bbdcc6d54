//! `work`: all workers keep asking and answering until a time, and only the sums are told. A small driver, for stories about
//! what comes of a policy in the long run. `hand` and `turns` tell in one line who got what, for stories about an order.

use std::collections::{BTreeMap, BinaryHeap};

use std::cmp::Reverse;

use muster_engine::fact::{Body, Decision, Grant};
use muster_engine::ids::{JobId, Token, WorkerId};
use muster_engine::{Command, Span, Time};

use super::Story;
use super::words::exact;

/// Who answers which lease, when; first by time, then as begun.
type Agenda = BinaryHeap<Reverse<(Time, Token, WorkerId)>>;

/// Answers and worker-time, by whose they are.
type Sums = BTreeMap<String, (u64, Span)>;

impl Story {
    /// Everybody works until `to`; a task takes as long as its job says, at speed 1.
    pub(super) fn work(&mut self, to: Time, by_job: bool) {
        self.quiet = true;
        let from = self.facts.len();
        let mut agenda = Agenda::new();
        let mut begun: BTreeMap<Token, (JobId, Time)> = BTreeMap::new();
        let ids: Vec<WorkerId> = self.engine.state().workers().iter().map(|worker| worker.id).collect();
        ids.into_iter().for_each(|id| self.send(Command::Ask(id), ""));
        let (mut sums, mut seen) = (Sums::new(), from);
        loop {
            while seen < self.facts.len() {
                if let Body::Decision(Decision::Leased(grant)) = &self.facts[seen].body {
                    let takes = self.takes_here(grant);
                    agenda.push(Reverse((self.facts[seen].at + takes, grant.token, grant.worker)));
                    begun.insert(grant.token, (grant.task.job, self.facts[seen].at));
                }
                seen += 1;
            }
            let due = self.engine.next_due().unwrap_or(Time::MAX);
            let answer = agenda.peek().map_or(Time::MAX, |Reverse((at, ..))| *at);
            if due.min(answer) > to {
                break;
            }
            self.now = due.min(answer);
            if due <= answer {
                self.send(Command::Wake, "");
            } else if let Some(Reverse((_, token, worker))) = agenda.pop() {
                self.account(&mut sums, begun.remove(&token), by_job, 1);
                self.send(Command::Answer(worker, token), "");
                self.send(Command::Ask(worker), "");
            }
        }
        self.now = to;
        begun.into_values().for_each(|lease| self.account(&mut sums, Some(lease), by_job, 0));
        self.quiet = false;
        let sums: Vec<String> =
            sums.iter().map(|(name, (n, time))| format!("{name} {n} in {}", exact(*time))).collect();
        self.say(&format!("worked: {}", sums.join(", ")));
    }

    /// How long a task takes the worker who has it: as its job says, by the speed of its kind.
    fn takes_here(&self, grant: &Grant) -> Span {
        let state = self.engine.state();
        let kind = state.worker(grant.worker).and_then(|worker| state.kind(worker.kind));
        let takes = self.takes.get(&grant.task.job).copied().unwrap_or(Span::from_secs(1));
        takes.scaled(1.0 / kind.map_or(1.0, |kind| kind.speed))
    }

    fn account(&self, sums: &mut Sums, lease: Option<(JobId, Time)>, by_job: bool, answers: u64) {
        let Some((job, granted)) = lease else { return };
        let kept = self.engine.state().job(job).expect("leases are of live jobs");
        let name = if by_job {
            self.names.name("job", job.0)
        } else {
            self.names.name("tenant", u64::from(kept.tenant.0))
        };
        let sum = sums.entry(name).or_default();
        sum.0 += answers;
        sum.1 += self.now.since(granted);
    }

    /// Each of these asks in turn; one line says who got what.
    pub(super) fn hand(&mut self, names: &[&str]) {
        let got: Vec<String> = names.iter().map(|name| format!("{name} {}", self.got(name))).collect();
        self.say(&format!("handed: {}", got.join(", ")));
    }

    /// One asks and answers a second later, so many times; one line says what it did.
    pub(super) fn turns(&mut self, name: &str, n: u32) {
        let mut done = Vec::new();
        for _ in 0..n {
            done.push(self.got(name));
            self.pass(self.now + Span::from_secs(1));
            self.quiet = true;
            self.line(&format!("answer {name}"));
            self.quiet = false;
        }
        self.say(&format!("{name} does {}", done.join(", ")));
    }

    /// What one gets who asks now.
    fn got(&mut self, name: &str) -> String {
        let before = self.facts.len();
        self.quiet = true;
        self.line(&format!("ask {name}"));
        self.quiet = false;
        let mut leases = self.facts[before..].iter().filter_map(|fact| match &fact.body {
            Body::Decision(Decision::Leased(grant)) => Some(self.task(grant.task)),
            _ => None,
        });
        leases.next_back().unwrap_or("nothing".to_owned())
    }
}
