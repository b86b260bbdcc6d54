//! Recruiters: what turns "recruit 3 of kind K" into real workers.
//!
//! A recruiter follows durable facts from a stored cursor. An order is noted as seen to, by its fact number, before anything is
//! done about it: after a crash it is not done twice, and whoever does not come is given up by the engine at the order's
//! deadline. Does not decide how many are wanted. Start at [`Recruiter`] and [`spawn`].

pub mod link;
mod mark;
pub mod process;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use muster_engine::Time;
use muster_engine::fact::{Body, Decision, Fact, Input};
use muster_engine::ids::{KindId, PoolId, RecruitId, WorkerId};

use crate::follow;
use crate::http::Server;
use crate::journal::Reader;
use crate::keeper::group::is_staffing;
use crate::keys::{self, Sort};
use crate::problem::Answer;

/// Workers are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The number of the fact that says so.
    pub number: u64,
    /// The order's name: who comes for it says so when joining.
    pub recruit: RecruitId,
    /// For which pool.
    pub pool: PoolId,
    /// Of which kind.
    pub kind: KindId,
    /// How many.
    pub n: u32,
    /// When those who have not come are given up.
    pub deadline: Time,
}

/// What a recruiter hears of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Workers are wanted.
    Wanted(Order),
    /// A worker joined, for an order.
    Joined(WorkerId, RecruitId),
    /// A worker is gone.
    Gone(WorkerId),
}

/// Turns orders into workers.
pub trait Recruiter: Send + Sync + 'static {
    /// Its name, for its cursor: never changed.
    fn name(&self) -> String;

    /// Which orders it sees to.
    fn takes(&self, server: &Server, order: &Order) -> bool;

    /// Does something about the news: each is told once. Must not wait long.
    fn hear(&self, server: &Server, news: News) -> impl Future<Output = ()> + Send;

    /// The server has started: sees to what was left by the one before, if that had no time to stop.
    fn begin(&self, _server: &Server) -> impl Future<Output = ()> + Send {
        async {}
    }

    /// The server stops.
    fn stop(&self, _server: &Server) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// What could not be done is tried again after so long.
const TRY_AGAIN: Duration = Duration::from_millis(250);
/// Facts that come within so long are read together: a moment matters less than a server that is not disturbed.
const TOGETHER: Duration = Duration::from_millis(50);
/// So many facts are looked through at a time.
const FACTS_MOST: u64 = 10_000;

fn news(number: u64, fact: &Fact) -> Option<News> {
    if !is_staffing(fact) {
        return None;
    }
    match &fact.body {
        Body::Decision(Decision::Recruiting { recruit, pool, kind, n, deadline }) => {
            Some(News::Wanted(Order {
                number,
                recruit: *recruit,
                pool: *pool,
                kind: *kind,
                n: *n,
                deadline: *deadline,
            }))
        }
        Body::Input(Input::Joined(worker, spec)) => {
            spec.recruit.map(|recruit| News::Joined(*worker, recruit))
        }
        Body::Decision(Decision::Departed { worker, .. }) => Some(News::Gone(*worker)),
        _ => None,
    }
}

/// Has a recruiter follow the facts until the server stops.
pub fn spawn<R: Recruiter>(server: &Server, recruiter: R) -> tokio::task::JoinHandle<()> {
    let (server, recruiter) = (server.clone(), Arc::new(recruiter));
    tokio::spawn(async move {
        let work = server.clone();
        recruiter.begin(&work).await;
        tokio::select! {
            () = follow_facts(&work, &*recruiter) => {}
            () = server.stopped() => {}
        }
        recruiter.stop(&server).await;
    })
}

fn cursor_key(name: &str) -> Vec<u8> {
    keys::named(Sort::Cursor, format!("recruiter {name}").as_bytes())
}

fn cursor(reader: &dyn Reader, name: &str) -> Answer<Option<u64>> {
    Ok(reader.get(&cursor_key(name))?.as_deref().and_then(keys::large_number))
}

async fn follow_facts<R: Recruiter>(server: &Server, recruiter: &R) {
    let name = recruiter.name();
    let kept = {
        let name = name.clone();
        server.read(move |reader| cursor(reader, &name)).await
    };
    let mut staffing = server.keeper.shared.staffing.subscribe();
    let mut seen = staffing.borrow_and_update().count;
    let (mut position, mut stored) = match kept.ok().flatten() {
        Some(position) => (position, Some(position)),
        // A recruiter that is new sees to what is wanted from now on; what was wanted before has had its time.
        None => (*server.keeper.shared.durable.borrow(), None),
    };
    loop {
        let Ok((found, next)) = server.read(move |reader| gather(reader, position)).await else {
            pause(server).await;
            continue;
        };
        let is_end = next == position;
        for it in found {
            hear(server, recruiter, &name, it).await;
        }
        position = next;
        // A cursor that is a little behind does no harm, as orders are noted one by one.
        if stored.is_none_or(|stored| position - stored >= FACTS_MOST) && store(server, &name, position).await
        {
            stored = Some(position);
        }
        if is_end {
            if staffing.changed().await.is_err() {
                return;
            }
            tokio::time::sleep(TOGETHER).await;
            let last = *staffing.borrow_and_update();
            if last.count == seen + 1 {
                // What lies before the only group of interest need not be read.
                position = position.max(last.first);
            }
            seen = last.count;
        }
    }
}

/// Stores a recruiter's cursor; whether that is durable.
async fn store(server: &Server, name: &str, position: u64) -> bool {
    let key = cursor_key(name);
    let put = move |turn: &mut crate::keeper::turn::Turn<'_>| {
        turn.put(key, position.to_be_bytes().to_vec());
        Ok(())
    };
    server.turn(put).await.is_ok()
}

fn gather(reader: &dyn Reader, from: u64) -> Answer<(Vec<News>, u64)> {
    let (mut found, mut next) = (Vec::new(), from);
    follow::each(reader, from, &mut |number, fact| {
        next = number + 1;
        found.extend(news(number, &fact));
        if next - from >= FACTS_MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok((found, next))
}

/// Tells a recruiter; of an order only if it was not told before, also before a restart.
async fn hear<R: Recruiter>(server: &Server, recruiter: &R, name: &str, it: News) {
    if let News::Wanted(order) = it {
        if !recruiter.takes(server, &order) {
            return;
        }
        let mut key = keys::named(Sort::SeenTo, name.as_bytes());
        key.extend_from_slice(&order.number.to_be_bytes());
        if !is_new(server, key).await {
            return;
        }
    }
    recruiter.hear(server, it).await;
}

/// Notes an order as seen to; false if it was before. Tries until that is durable.
async fn is_new(server: &Server, key: Vec<u8>) -> bool {
    loop {
        let key = key.clone();
        let note = move |turn: &mut crate::keeper::turn::Turn<'_>| {
            let is_new = turn.get(&key)?.is_none();
            if is_new {
                turn.put(key, Vec::new());
            }
            Ok(is_new)
        };
        match server.turn(note).await {
            Ok(is_new) => return is_new,
            Err(_) => pause(server).await,
        }
    }
}

/// Something could not be read or written, as the disk is full for instance: that is counted, and tried again a little later.
async fn pause(server: &Server) {
    server.counts.broken();
    tokio::time::sleep(TRY_AGAIN).await;
}
