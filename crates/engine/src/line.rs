//! A line: things by number that mostly come in order and mostly go in order, such as lanes by age and workers by how
//! long they have waited. Then each step costs the same, however long the line is.
//!
//! Invariant: `places` is sorted by number, and neither begins nor ends with a gap. What comes too late for its place
//! stands in `late`; so coming and going take logarithmic time at worst, on average over time.

use std::collections::{BTreeMap, VecDeque};

/// Things by number.
#[derive(Clone, Debug)]
pub(crate) struct Line<T> {
    /// `None` is a gap: what stood there has gone.
    places: VecDeque<(u64, Option<T>)>,
    gaps: usize,
    late: BTreeMap<u64, T>,
}

impl<T> Default for Line<T> {
    fn default() -> Self {
        Self { places: VecDeque::new(), gaps: 0, late: BTreeMap::new() }
    }
}

/// Gaps are closed when there are more of them than things, and at least so many.
const GAPS_LEAST: usize = 32;

impl<T: Copy> Line<T> {
    /// Adds a thing whose number is not there.
    pub(crate) fn insert(&mut self, number: u64, thing: T) {
        if self.places.back().is_none_or(|(last, _)| *last < number) {
            self.places.push_back((number, Some(thing)));
            return;
        }
        match self.find(number) {
            Ok(at) => {
                self.gaps -= usize::from(self.places[at].1.is_none());
                self.places[at].1 = Some(thing);
            }
            Err(0) => self.places.push_front((number, Some(thing))),
            Err(_) => {
                self.late.insert(number, thing);
            }
        }
    }

    /// Whether it was there.
    pub(crate) fn remove(&mut self, number: u64) -> bool {
        let Ok(at) = self.find(number) else { return self.late.remove(&number).is_some() };
        let was = self.places[at].1.take().is_some();
        self.gaps += usize::from(was);
        self.close_gaps();
        was
    }

    /// All, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, T)> {
        let standing = |(number, thing): &(u64, Option<T>)| thing.map(|thing| (*number, thing));
        let mut line = self.places.iter().filter_map(standing).peekable();
        let mut late = self.late.iter().map(|(number, thing)| (*number, *thing)).peekable();
        std::iter::from_fn(move || match (line.peek(), late.peek()) {
            (Some((first, _)), Some((second, _))) if second < first => late.next(),
            (None, _) => late.next(),
            _ => line.next(),
        })
    }

    fn find(&self, number: u64) -> Result<usize, usize> {
        match self.places.front() {
            Some((first, _)) if *first == number => Ok(0),
            _ => self.places.binary_search_by_key(&number, |(known, _)| *known),
        }
    }

    fn close_gaps(&mut self) {
        while self.places.pop_front_if(|(_, thing)| thing.is_none()).is_some() {
            self.gaps -= 1;
        }
        while self.places.pop_back_if(|(_, thing)| thing.is_none()).is_some() {
            self.gaps -= 1;
        }
        if self.gaps >= GAPS_LEAST && self.gaps > self.places.len() / 2 {
            self.places.retain(|(_, thing)| thing.is_some());
            self.gaps = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::btree_map::Entry;

    use super::*;

    #[test]
    fn a_line_is_an_ordered_map_whatever_comes_and_goes() {
        let mut line = Line::default();
        let mut expected = BTreeMap::new();
        let mut random = 1_u64;
        for step in 0..30_000_u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let back = (random >> 33) % 200;
            match (random >> 50) % 4 {
                // The newest comes, the oldest goes, and now and then any other.
                0 | 1 => {
                    let number = if back < 150 { 1_000 + step } else { 1_000 + step - back };
                    if let Entry::Vacant(entry) = expected.entry(number) {
                        line.insert(number, *entry.insert(step));
                    }
                }
                2 => {
                    let first = expected.keys().next().copied().unwrap_or(0);
                    assert_eq!(line.remove(first), expected.remove(&first).is_some());
                }
                _ => {
                    let number = 1_000 + step - back;
                    assert_eq!(line.remove(number), expected.remove(&number).is_some());
                }
            }
            if step.is_multiple_of(100) {
                assert!(
                    line.iter().eq(expected.iter().map(|(number, thing)| (*number, *thing))),
                    "step {step}"
                );
            }
            assert_eq!(line.iter().next(), expected.iter().next().map(|(number, thing)| (*number, *thing)));
        }
    }

    #[test]
    fn gaps_do_not_pile_up() {
        let mut line = Line::default();
        for number in 0..100_000 {
            line.insert(number, ());
            if number > 0 {
                line.remove(number - 1 + u64::from(number == 1));
            }
        }
        assert!(line.places.len() < 3 * GAPS_LEAST, "{}", line.places.len());
    }
}
