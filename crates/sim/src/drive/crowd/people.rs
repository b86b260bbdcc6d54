//! Comings and goings: who joins, who is called for, who leaves and comes again.

use muster_engine::fact::{Departure, Recorder};
use muster_engine::ids::{AppId, KindId, PoolId, Token, WorkerId};
use muster_engine::spec::WorkerSpec;
use muster_engine::state::State;
use muster_engine::{Span, Time};

use crate::model::Recruiting;
use crate::random::{Chance, Purpose};

use super::super::Event;
use super::super::person::{Coming, Next, Origin, Person};
use super::Crowd;

impl<R: Recorder> Crowd<'_, R> {
    /// Somebody new for a pool.
    pub(crate) fn newcomer(&mut self, pool: usize, kind: usize) -> Box<WorkerSpec> {
        let origin = self.next_of(pool, kind);
        self.joins(Coming { origin, pool: pool as u32, visit: 0, recruit: None })
    }

    fn next_of(&mut self, pool: usize, kind: usize) -> Origin {
        let number = self.wanted[pool][kind];
        self.wanted[pool][kind] += 1;
        Origin { pool: pool as u32, kind: kind as u32, number }
    }

    /// Somebody who was on their way is there.
    pub(crate) fn who_comes(&mut self, place: u32) -> Option<Box<WorkerSpec>> {
        let coming = self.coming[place as usize].take()?;
        self.coming_free.push(place);
        Some(self.joins(coming))
    }

    fn joins(&mut self, coming: Coming) -> Box<WorkerSpec> {
        let kind = &self.setup.kinds[coming.origin.kind as usize];
        let likes = Person::likes(coming.origin, kind, self.setup.apps.len(), self.seed);
        let pool = &self.setup.pools[coming.pool as usize];
        self.joining = Some(coming);
        Box::new(WorkerSpec {
            pool: PoolId(coming.pool),
            kind: KindId(coming.origin.kind),
            trained: if kind.trained { pool.spec.apps.clone() } else { Vec::new() },
            preferences: likes.into_iter().map(|(app, liking)| (AppId(app as u32), liking)).collect(),
            recruit: coming.recruit,
        })
    }

    fn put_coming(&mut self, at: Time, coming: Coming) {
        let place = match self.coming_free.pop() {
            Some(place) => {
                self.coming[place as usize] = Some(coming);
                place
            }
            None => {
                self.coming.push(Some(coming));
                self.coming.len() as u32 - 1
            }
        };
        self.agenda.put(at, Event::Come(place));
    }

    #[inline(never)]
    pub(super) fn see_joined(&mut self, id: WorkerId, at: Time, state: &State) {
        let coming = self.joining.take().expect("people come because the crowd sends them");
        let kind = &self.setup.kinds[coming.origin.kind as usize];
        let mut person = Person::new(coming, kind, self.seed, at);
        if let Some(staying) = &kind.leaving.staying {
            let stays = Span::from_secs_f64(person.draw(&staying.law));
            self.agenda.put(at + stays, Event::StayOver(id));
        }
        if let Some(goes) = self.goes_at.take() {
            self.agenda.put(goes, Event::StayOver(id));
        }
        let turn = person.turn_to(Next::Ask);
        self.people.insert(u64::from(id.0), person);
        self.agenda.put(at, Event::Act(id, turn));
        self.tally.see_size(coming.pool as usize, at, state);
        self.edges.joined += 1;
        self.tally.counts.joined += u64::from(self.tally.counts(at));
    }

    /// Whoever was about to join is not let in.
    pub(crate) fn turn_away(&mut self) {
        self.joining = None;
        self.goes_at = None;
        self.edges.turned_away += 1;
    }

    /// What somebody is about to do, if nothing else has happened to them since.
    #[inline]
    pub(crate) fn is_about_to(&self, id: WorkerId, turn: u32) -> Option<(Next, Option<Token>)> {
        let person = self.people.get(u64::from(id.0)).filter(|person| person.turn == turn)?;
        Some((person.next, person.lease.map(|held| held.token)))
    }

    /// Somebody's time is over: whether they go at once.
    pub(crate) fn goes_now(&mut self, id: WorkerId) -> bool {
        let Some(person) = self.people.get_mut(u64::from(id.0)) else { return false };
        person.over = true;
        let drops =
            self.setup.kinds[person.kind as usize].leaving.staying.as_ref().is_some_and(|law| law.drops);
        person.lease.is_none() || drops
    }

    /// Somebody has nothing in hand and wants something.
    pub(crate) fn ask_again(&mut self, id: WorkerId) {
        let at = self.agenda.now();
        let Some(person) = self.people.get_mut(u64::from(id.0)) else { return };
        person.lease = None;
        let turn = person.turn_to(if person.over { Next::Leave } else { Next::Ask });
        self.agenda.put(at, Event::Act(id, turn));
    }

    /// Workers are called for: those who come in time are put down.
    #[inline(never)]
    pub(super) fn see_recruiting(
        &mut self,
        order: Coming,
        kind: KindId,
        n: u32,
        (at, deadline): (Time, Time),
    ) {
        self.edges.recruited += u64::from(n);
        let described = &self.setup.kinds[kind.index()];
        for _ in 0..n {
            let origin = self.next_of(order.pool as usize, kind.index());
            let mut chance = Chance::of(self.seed, Purpose::Recruiting, origin.thing(), origin.number);
            let comes = at + delay(&described.recruiting, &mut chance);
            if comes <= deadline
                && (described.recruiting.come >= 1.0 || chance.happens(described.recruiting.come))
            {
                self.put_coming(comes, Coming { origin, ..order });
            }
        }
    }

    #[inline(never)]
    pub(super) fn see_moved(&mut self, id: WorkerId, to: PoolId, at: Time, state: &State) {
        let Some(person) = self.people.get_mut(u64::from(id.0)) else { return };
        let from = std::mem::replace(&mut person.pool, to.0);
        self.tally.see_size(from as usize, at, state);
        self.tally.see_size(to.index(), at, state);
        self.tally.counts.moved += u64::from(self.tally.counts(at));
    }

    #[inline(never)]
    pub(super) fn see_departed(&mut self, id: WorkerId, why: Departure, at: Time, state: &State) {
        self.see_given_back(id, at, state);
        let Some(person) = self.people.remove(u64::from(id.0)) else { return };
        self.tally.see_size(person.pool as usize, at, state);
        let counts = self.tally.counts(at);
        match why {
            Departure::Left | Departure::Vanished => {
                self.edges.left += 1;
                self.tally.counts.left += u64::from(counts);
                let kind = &self.setup.kinds[person.kind as usize];
                if let Some(after) = person.comes_again(kind, self.seed) {
                    let (origin, visit) = (person.origin, person.visit.saturating_add(1));
                    let coming = Coming { origin, pool: origin.pool, visit, recruit: None };
                    self.put_coming(at + Span::from_secs_f64(after), coming);
                }
            }
            Departure::Released | Departure::Drained | Departure::Unaffordable => self.edges.released += 1,
        }
    }
}

/// How long until a recruit is there. A posting that is renewed is as fresh as at first, so its time is drawn anew.
pub(crate) fn delay(recruiting: &Recruiting, chance: &mut Chance) -> Span {
    let mut draw = || Span::from_secs_f64(recruiting.delay.draw(chance));
    let Some(renew) = recruiting.renew.filter(|renew| !renew.is_zero()) else { return draw() };
    let mut before = Span::ZERO;
    for _ in 0..RENEWALS_MOST {
        let taken = draw();
        if taken <= renew {
            return before + taken;
        }
        before += renew;
    }
    Span::MAX
}

/// A posting that has been renewed so often will not bring anybody.
const RENEWALS_MOST: u32 = 10_000;
