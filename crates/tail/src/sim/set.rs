//! A set of cores, kept as bits: finding the next member costs next to nothing, however many cores there are.

pub(super) struct Set {
    words: Vec<u64>,
}

impl Set {
    /// An empty set with room for so many.
    pub(super) fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)] }
    }

    pub(super) fn insert(&mut self, member: usize) {
        self.words[member / 64] |= 1 << (member % 64);
    }

    pub(super) fn remove(&mut self, member: usize) {
        self.words[member / 64] &= !(1 << (member % 64));
    }

    /// The first member that is not below `low`.
    pub(super) fn next(&self, low: usize) -> Option<usize> {
        let mut word = low / 64;
        let mut bits = self.words.get(word)? & (u64::MAX << (low % 64));
        while bits == 0 {
            word += 1;
            bits = *self.words.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    /// The first member from `start` on that fits, going once around.
    pub(super) fn around(&self, start: usize, mut fits: impl FnMut(usize) -> bool) -> Option<usize> {
        let mut low = start;
        while let Some(member) = self.next(low) {
            if fits(member) {
                return Some(member);
            }
            low = member + 1;
        }
        low = 0;
        while let Some(member) = self.next(low).filter(|member| *member < start) {
            if fits(member) {
                return Some(member);
            }
            low = member + 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Set;

    #[test]
    fn members_are_found_in_order_and_around() {
        let mut set = Set::new(130);
        [3, 64, 129].into_iter().for_each(|member| set.insert(member));
        assert_eq!(
            [set.next(0), set.next(4), set.next(65), set.next(130)],
            [Some(3), Some(64), Some(129), None]
        );
        let mut seen = Vec::new();
        assert_eq!(
            set.around(64, |member| {
                seen.push(member);
                false
            }),
            None
        );
        assert_eq!(seen, [64, 129, 3]);
        set.remove(64);
        assert_eq!(set.around(4, |_| true), Some(129));
    }
}
