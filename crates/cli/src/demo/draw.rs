//! Draws from word lists: always the same ones for the same place and number. Knows no task.

/// A stream of draws.
#[derive(Clone, Debug)]
pub(super) struct Draw(u64);

impl Draw {
    /// The stream of a thing (a demand, say) and a number within it.
    pub(super) fn of(thing: &str, number: u64) -> Self {
        let mixed = thing.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self(mixed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The next number: splitmix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From `least` to `most`, both included.
    pub(super) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most - least + 1)
    }

    /// One in so many times.
    pub(super) fn one_in(&mut self, n: u64) -> bool {
        self.between(1, n) == 1
    }

    /// One of a list that is not empty.
    pub(super) fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.between(0, list.len() as u64 - 1) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_the_same_again_and_reach_everything() {
        let words = ["a", "b", "c"];
        let drawn = |thing| (0..30).map(move |n| *Draw::of(thing, n).one(&words)).collect::<String>();
        assert_eq!(drawn("photos"), drawn("photos"));
        assert_ne!(drawn("photos"), drawn("receipts"));
        assert!(words.iter().all(|word| drawn("photos").contains(word)));
        let mut draw = Draw::of("photos", 1);
        assert!((0..100).all(|_| (3..=5).contains(&draw.between(3, 5))));
    }
}
