//! How requests go out and replies come in. Many operations in one request; who waits, waits in requests of their own.
//!
//! What could not be sent because the server is away is tried again: nobody loses what they have in hand.

use std::time::Duration;

use muster_sim::behave::Somebody;
use serde_json::Value;

use super::coming::Coming;
use super::{Crowd, Event};
use crate::Stop;
use crate::api::{Done, Operation, What};
use crate::http::Trouble;

/// So many operations go into one request.
const TOGETHER_MOST: usize = 250;
/// So many requests that act are on their way at once.
const ACTING_MOST: usize = 8;
/// So many requests that wait are on their way at once.
const LISTENING_MOST: usize = 16;
/// So many join at once.
const JOINING_MOST: usize = 16;
/// Requests that wait, wait so many seconds.
const WAIT: f64 = 2.0;
/// When the server is away it is tried again after this.
const AGAIN: Duration = Duration::from_millis(500);

/// What came of a request.
pub(super) enum Reply {
    Acted(Vec<(u64, Operation)>, Result<Vec<Done>, Trouble>),
    Listened(Vec<u64>, Result<Vec<Done>, Trouble>),
    Joined(Coming, Box<Somebody>, Result<u32, Trouble>),
    Submitted(u32, Result<Value, Trouble>),
    Orders(Result<Value, Trouble>),
}

/// A trouble that may pass is waited out, so that whoever hears of it can try again at once.
async fn patient<T>(reply: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
    let reply = reply.await;
    if reply.as_ref().is_err_and(Trouble::may_pass) {
        tokio::time::sleep(AGAIN).await;
    }
    reply
}

impl Crowd {
    /// Sends what is due, as far as there is room on the way.
    pub(super) fn send(&mut self) {
        while !self.due.is_empty() && self.acting < ACTING_MOST {
            let n = self.due.len().min(TOGETHER_MOST);
            let together: Vec<(u64, Operation)> = self.due.drain(..n).collect();
            self.acting += 1;
            self.tally.requests += 1;
            let client = self.client.clone();
            self.requests.spawn(async move {
                let (ids, operations): (Vec<u64>, Vec<Operation>) = together.into_iter().unzip();
                let reply = patient(client.operate(&operations, 0.0)).await;
                Reply::Acted(ids.into_iter().zip(operations).collect(), reply)
            });
        }
        while !self.parked.is_empty() && self.listening < LISTENING_MOST {
            self.listen();
        }
        while self.joining < JOINING_MOST
            && let Some(coming) = self.at_the_door.pop()
        {
            self.join(coming);
        }
    }

    fn listen(&mut self) {
        let n = self.parked.len().min(2 * TOGETHER_MOST);
        let mut together: Vec<u64> = self.parked.drain(..n).collect();
        together.sort_unstable();
        together.dedup();
        let waiting: Vec<(u64, u32)> =
            together.into_iter().filter_map(|id| Some((id, self.is_parked(id)?))).collect();
        if waiting.is_empty() {
            return;
        }
        self.listening += 1;
        self.tally.requests += 1;
        let client = self.client.clone();
        self.requests.spawn(async move {
            let asks: Vec<Operation> =
                waiting.iter().map(|(_, worker)| Operation::of(*worker, What::Ask)).collect();
            let reply = patient(client.operate(&asks, WAIT)).await;
            Reply::Listened(waiting.into_iter().map(|(id, _)| id).collect(), reply)
        });
    }

    fn join(&mut self, coming: Coming) {
        let (somebody, body) = self.introduction(&coming);
        let who = coming.who;
        let key =
            format!("bots-{}-{}-{}-{}-{}", self.settings.unique, who.pool, who.kind, who.number, who.visit);
        self.joining += 1;
        self.tally.requests += 1;
        let client = self.client.clone();
        self.requests.spawn(async move {
            let reply = patient(client.join(&key, &body)).await;
            Reply::Joined(coming, Box::new(somebody), reply)
        });
    }

    pub(super) fn submit(&mut self, demand: usize) {
        let (body, size) = self.job(demand);
        let key = format!("bots-{}-job-{}-{}", self.settings.unique, demand, self.tally.requests);
        self.tally.requests += 1;
        let client = self.client.clone();
        self.requests.spawn(async move {
            loop {
                let reply = patient(client.post_once("/api/jobs", Some(&key), &body)).await;
                if !reply.as_ref().is_err_and(Trouble::may_pass) {
                    return Reply::Submitted(size, reply);
                }
            }
        });
    }

    pub(super) fn look_for_orders(&mut self) {
        if self.stopping == Stop::No {
            self.tally.requests += 1;
            let client = self.client.clone();
            self.requests.spawn(async move { Reply::Orders(patient(client.get("/api/recruits")).await) });
        }
    }

    /// A reply has come. An error is a refusal that concerns everybody.
    pub(super) fn hear(&mut self, reply: Reply) -> Result<(), Trouble> {
        match reply {
            Reply::Acted(sent, reply) => {
                self.acting -= 1;
                self.hear_acted(sent, reply)?;
            }
            Reply::Listened(ids, reply) => {
                self.listening -= 1;
                match reply {
                    Ok(done) => {
                        ids.into_iter().zip(done).for_each(|(id, done)| self.heard_while_waiting(id, done));
                    }
                    Err(trouble) if trouble.may_pass() => self.parked.extend(ids),
                    Err(trouble) => return Err(trouble),
                }
            }
            Reply::Joined(coming, somebody, reply) => {
                self.joining -= 1;
                self.hear_joined(coming, *somebody, reply)?;
            }
            Reply::Submitted(size, reply) => match reply {
                Ok(_) => {
                    self.tally.jobs += 1;
                    self.tally.tasks += u64::from(size);
                }
                Err(trouble) => return Err(trouble),
            },
            Reply::Orders(reply) => match reply {
                Ok(orders) => self.fill(&orders["wanted"]),
                Err(trouble) if trouble.may_pass() => self.after(self.settings.speed, Event::LookForOrders),
                Err(_) => {
                    (self.tell)("this token does not see who is wanted: nobody comes to orders".to_owned());
                }
            },
        }
        Ok(())
    }

    fn hear_acted(
        &mut self,
        sent: Vec<(u64, Operation)>,
        reply: Result<Vec<Done>, Trouble>,
    ) -> Result<(), Trouble> {
        match reply {
            Ok(done) => {
                for ((id, operation), done) in sent.into_iter().zip(done) {
                    self.see(id, operation.what, done);
                }
            }
            Err(trouble) if trouble.may_pass() => self.due.extend(sent),
            Err(trouble) => return Err(trouble),
        }
        Ok(())
    }

    /// Who finds no room is turned away; who is refused for another reason stops everything.
    fn hear_joined(
        &mut self,
        coming: Coming,
        somebody: Somebody,
        reply: Result<u32, Trouble>,
    ) -> Result<(), Trouble> {
        match reply {
            Ok(worker) => self.welcome(somebody, worker, coming.goes_after),
            Err(trouble) if trouble.may_pass() && self.stopping == Stop::No => self.at_the_door.push(coming),
            Err(Trouble::Refused { status: 409 | 422, .. }) if coming.recruit.is_some() => {
                self.tally.refused += 1;
            }
            Err(trouble) if trouble.may_pass() => {}
            Err(trouble) => return Err(trouble),
        }
        Ok(())
    }
}
