//! Frames: facts as bytes, many in one record, and back. Does not know where records are kept.
//!
//! A frame is a version and then fact after fact in the engine's encoding, which says itself where a fact ends.

use muster_engine::fact::Fact;

use crate::journal::{Frame, JournalError};

/// The version of the encoding. A change that old journals could not be read with raises it.
const VERSION: u8 = 1;
/// A frame has room for so many bytes before it must grow.
const ROOM: usize = 1024;

/// Starts a frame at a fact number.
#[must_use]
pub fn start(first: u64) -> Frame {
    let mut bytes = Vec::with_capacity(ROOM);
    bytes.push(VERSION);
    Frame { first, count: 0, bytes }
}

/// Adds a fact.
pub fn push(frame: &mut Frame, fact: &Fact) {
    let bytes = std::mem::take(&mut frame.bytes);
    frame.bytes = postcard::to_extend(fact, bytes).expect("facts are plain data");
    frame.count += 1;
}

/// Shows the facts of a frame one by one, with their numbers.
pub fn each(
    first: u64,
    count: u32,
    bytes: &[u8],
    mut visit: impl FnMut(u64, Fact),
) -> Result<(), JournalError> {
    let unreadable = |number: u64| {
        JournalError::Failed(format!("fact {number} is in a form that this release cannot read"))
    };
    let Some((&VERSION, mut rest)) = bytes.split_first() else { return Err(unreadable(first)) };
    for number in (first..).take(count as usize) {
        let (fact, after) = postcard::take_from_bytes(rest).map_err(|_| unreadable(number))?;
        rest = after;
        visit(number, fact);
    }
    if rest.is_empty() { Ok(()) } else { Err(unreadable(first + u64::from(count))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muster_engine::Time;
    use muster_engine::fact::{Body, Input};

    #[test]
    fn frames_read_back_and_cut_ones_do_not() {
        let mut frame = start(7);
        let fact = |at| Fact { at: Time(at), body: Body::Input(Input::Woken) };
        (0..3).for_each(|at| push(&mut frame, &fact(at)));
        let mut seen = Vec::new();
        each(7, 3, &frame.bytes, |number, fact| seen.push((number, fact))).unwrap();
        assert_eq!(seen, [(7, fact(0)), (8, fact(1)), (9, fact(2))]);
        assert!(each(7, 3, &frame.bytes[..frame.bytes.len() - 1], |_, _| ()).is_err());
        assert!(each(7, 2, &frame.bytes, |_, _| ()).is_err());
        assert!(each(7, 3, &[], |_, _| ()).is_err());
    }
}
