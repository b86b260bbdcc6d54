//! Live things by number, where numbers only go up: jobs and workers. Cannot be iterated.
//!
//! Things lie in places that are used again; pages say which place a number has. A page is there as long as anything of its
//! numbers lives, so memory follows what lives, and a look-up is two looks at memory. Start at [`Lookup::get`].

/// So many numbers are on a page.
const PAGE: u64 = 64;
/// Not in any place.
const NOWHERE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Page {
    places: [u32; PAGE as usize],
    live: u32,
}

/// Live things by number.
#[derive(Clone, Debug)]
pub(crate) struct Lookup<T> {
    /// Pages in the order of their numbers, from `first` on.
    pages: Vec<Option<Box<Page>>>,
    first: u64,
    /// Pages at the front on which nothing lives.
    done: usize,
    things: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Lookup<T> {
    pub(crate) fn new() -> Self {
        Self { pages: Vec::new(), first: 0, done: 0, things: Vec::new(), free: Vec::new() }
    }

    /// Where a thing lies, as long as it lives.
    #[inline]
    pub(crate) fn place(&self, key: u64) -> Option<usize> {
        let page = (key / PAGE).checked_sub(self.first)?;
        let page = self.pages.get(page as usize)?.as_ref()?;
        let place = page.places[(key % PAGE) as usize];
        (place != NOWHERE).then_some(place as usize)
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<&T> {
        self.things[self.place(key)?].as_ref()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        let place = self.place(key)?;
        self.things[place].as_mut()
    }

    /// What lies in a place.
    #[inline]
    pub(crate) fn at_mut(&mut self, place: usize) -> Option<&mut T> {
        self.things[place].as_mut()
    }

    /// Adds something under a number that is not below any that was removed long ago.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64, value: T) {
        if self.pages.is_empty() {
            self.first = key / PAGE;
        }
        let page = (key / PAGE).checked_sub(self.first).expect("numbers go up") as usize;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let place = match self.free.pop() {
            Some(place) => place,
            None => {
                self.things.push(None);
                self.things.len() as u32 - 1
            }
        };
        self.things[place as usize] = Some(value);
        let page = self.pages[page]
            .get_or_insert_with(|| Box::new(Page { places: [NOWHERE; PAGE as usize], live: 0 }));
        page.places[(key % PAGE) as usize] = place;
        page.live += 1;
    }

    #[inline]
    pub(crate) fn remove(&mut self, key: u64) -> Option<T> {
        let place = self.place(key)?;
        let at = (key / PAGE - self.first) as usize;
        let is_last = at + 1 == self.pages.len();
        let slot = &mut self.pages[at];
        let page = slot.as_mut()?;
        page.places[(key % PAGE) as usize] = NOWHERE;
        page.live -= 1;
        // The last page stays: more of its numbers are to come.
        if page.live == 0 && !is_last {
            *slot = None;
            self.forget_front();
        }
        self.free.push(place as u32);
        self.things[place].take()
    }

    /// Pages at the front on which nothing lives any more go, many at a time.
    fn forget_front(&mut self) {
        let rest = self.pages[self.done..].iter();
        self.done += rest.take_while(|page| page.is_none()).count();
        if self.done > self.pages.len() / 2 {
            self.pages.drain(..self.done);
            self.first += self.done as u64;
            self.done = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn beside_a_map() {
        let mut lookup = Lookup::new();
        let mut naive = BTreeMap::new();
        let mut bits = 5_u64;
        let mut next = 0;
        for round in 0..200_000_u64 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // A thousand live, most of them young, some very old; numbers are left out now and then.
            if naive.len() < 1_000 || bits >> 63 == 0 {
                next += 1 + u64::from(bits.is_multiple_of(97)) * (bits >> 40) % 1_000;
                lookup.insert(next, round);
                naive.insert(next, round);
            } else {
                let from = if bits.is_multiple_of(10) { 0 } else { next - 500 };
                let key = *naive.range(from..).next().or(naive.first_key_value()).expect("many live").0;
                assert_eq!(lookup.remove(key), naive.remove(&key));
                assert_eq!(lookup.remove(key), None);
            }
            let key = next.saturating_sub(bits % 5_000);
            assert_eq!(lookup.get(key), naive.get(&key));
            assert_eq!(lookup.get_mut(key), naive.get_mut(&key));
        }
        assert!(naive.iter().all(|(key, value)| lookup.get(*key) == Some(value)));
        assert_eq!(lookup.get(next + 1_000_000), None);
    }

    #[test]
    fn memory_follows_what_lives() {
        let mut lookup = Lookup::new();
        for key in 0..1_000_000_u64 {
            lookup.insert(key, key);
            if key >= 100 {
                assert_eq!(lookup.remove(key - 100), Some(key - 100));
            }
        }
        assert!(lookup.pages.len() < 10 && lookup.things.len() <= 101, "{}", lookup.pages.len());
    }
}
