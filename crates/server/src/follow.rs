//! Reading durable facts: from a number on, from a moment on, or the one that gave a lease. Does not know who reads.
//!
//! Times and lease numbers never go back from fact to fact, so both are found by halving. Start at [`each`].

use std::ops::ControlFlow;

use muster_engine::Time;
use muster_engine::fact::{Body, Decision, Fact, Grant};
use muster_engine::ids::Token;

use crate::frame;
use crate::journal::{JournalError, Reader};

/// Shows the durable facts from number `from` on, until the visitor breaks off.
pub fn each(
    reader: &dyn Reader,
    from: u64,
    visit: &mut dyn FnMut(u64, Fact) -> ControlFlow<()>,
) -> Result<(), JournalError> {
    let mut outcome = Ok(());
    reader.frames(from, &mut |first, count, bytes| {
        let mut flow = ControlFlow::Continue(());
        outcome = frame::each(first, count, bytes, |number, fact| {
            if number >= from && flow.is_continue() {
                flow = visit(number, fact);
            }
        });
        if outcome.is_err() { ControlFlow::Break(()) } else { flow }
    })?;
    outcome
}

/// Up to `most` facts from a number on.
pub fn some(reader: &dyn Reader, from: u64, most: usize) -> Result<Vec<(u64, Fact)>, JournalError> {
    let mut found = Vec::new();
    if most == 0 {
        return Ok(found);
    }
    each(reader, from, &mut |number, fact| {
        found.push((number, fact));
        if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(found)
}

/// The number of the first fact that is not before a moment; the end if there is none.
pub fn since(reader: &dyn Reader, moment: Time) -> Result<u64, JournalError> {
    let is_before = |number: u64| -> Result<Option<bool>, JournalError> {
        Ok(some(reader, number, 1)?.first().map(|(_, fact)| fact.at < moment))
    };
    let (mut low, mut high) = (0, reader.end()?);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle)? == Some(true) { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}

/// The fact that gave a lease.
pub fn lease(reader: &dyn Reader, token: Token) -> Result<Option<(u64, Time, Grant)>, JournalError> {
    let (mut low, mut high) = (0, reader.end()?);
    while low < high {
        let middle = low + (high - low) / 2;
        match next_grant(reader, middle)? {
            Some((number, at, grant)) if grant.token == token => return Ok(Some((number, at, grant))),
            Some((number, _, grant)) if grant.token < token => low = number + 1,
            _ => high = middle,
        }
    }
    Ok(None)
}

/// The first lease given at or after a fact number.
fn next_grant(reader: &dyn Reader, from: u64) -> Result<Option<(u64, Time, Grant)>, JournalError> {
    let mut found = None;
    each(reader, from, &mut |number, fact| match fact.body {
        Body::Decision(Decision::Leased(grant)) => {
            found = Some((number, fact.at, grant));
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::memory::{Disk, MemoryJournal};
    use crate::journal::{Batch, Journal};
    use muster_engine::fact::{Input, Why};
    use muster_engine::ids::{JobId, TaskId, WorkerId};
    use muster_engine::money::Money;
    use muster_engine::{Span, Time};

    /// Facts at 0, 10, 20, ...; every third one is a lease.
    fn disk(n: u64) -> Disk {
        let disk = Disk::new(1);
        let mut journal = MemoryJournal::open(&disk).unwrap();
        for first in (0..n).step_by(4) {
            let mut facts = frame::start(first);
            for number in first..(first + 4).min(n) {
                let grant = Grant {
                    worker: WorkerId(0),
                    task: TaskId { job: JobId(0), index: 0 },
                    token: Token(number / 3),
                    price: Money::ZERO,
                    deadline: Time(0),
                    expected: Span(0),
                    why: Why::default(),
                };
                let decision = Body::Decision(Decision::Leased(grant));
                let body = if number % 3 == 2 { decision } else { Body::Input(Input::Woken) };
                frame::push(&mut facts, &Fact { at: Time(10 * number), body });
            }
            journal.append(&Batch { facts, changes: Vec::new() }).unwrap();
        }
        disk
    }

    #[test]
    fn moments_and_leases_are_found() {
        for n in [1, 2, 3, 10, 31] {
            let disk = disk(n);
            for number in 0..n {
                assert_eq!(since(&disk, Time(10 * number)).unwrap(), number);
                assert_eq!(since(&disk, Time(10 * number + 1)).unwrap(), number + 1);
            }
            for token in 0..n / 3 {
                let found = lease(&disk, Token(token)).unwrap().map(|(number, ..)| number);
                assert_eq!(found, Some(3 * token + 2));
            }
            assert_eq!(lease(&disk, Token(n / 3)).unwrap(), None);
            assert_eq!(some(&disk, 2, 3).unwrap().len(), 3.min(n.saturating_sub(2) as usize));
        }
    }
}
