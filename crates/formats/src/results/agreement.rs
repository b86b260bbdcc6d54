//! Several answers to the same tasks, compared: how far they agree, field by field.
//!
//! Votes are those of [`majority`](super::majority): one for each field of an answer, equal if they are the same JSON. Tasks with
//! fewer than two votes for a field say nothing about it and are left out. Does not know who answered.
//!
//! - **mean**: the share of equal pairs among the pairs of votes on a task, averaged over tasks. 1 if all say the same.
//! - **alpha**: Krippendorff's alpha for nominal values, which counts off the agreement that guessing would give
//!   (K. Krippendorff, *Computing Krippendorff's Alpha-Reliability*, 2011). With `m` votes on a task, `a` of them for one value and
//!   `b` for another, `n` votes in all and `N` of them for a value:
//!   `alpha = 1 - (n - 1) * sum(a * b / (m - 1)) / sum(N * N')`, the first sum over tasks and ordered pairs of different values, the
//!   second over ordered pairs of different values. 1 is full agreement, 0 is as good as chance, below 0 is worse. It says nothing, and
//!   is `None`, where all votes of the job are equal: then there is nothing to tell apart.
//!
//! Start at [`agreement`].

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::fields;
use super::majority::{names, tally};

/// How far the answers to one field agree, over all tasks with several votes for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Tasks with several votes for the field.
    pub tasks: u32,
    /// Of them those where all votes are equal.
    pub unanimous: u32,
    /// Of them those where nothing has won.
    pub tied: u32,
    /// The share of equal pairs among all pairs of votes, summed over tasks.
    equal: f64,
    /// Ordered pairs of votes that differ, each task's divided by its votes less one, summed over tasks.
    differing: f64,
    /// Votes for each value, over all tasks.
    values: BTreeMap<String, u64>,
}

impl Agreement {
    /// The mean share of pairs of votes on a task that are equal; `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.tasks > 0).then(|| self.equal / f64::from(self.tasks))
    }

    /// Krippendorff's alpha for nominal values; `None` if fewer than two different values were ever given.
    #[must_use]
    pub fn alpha(&self) -> Option<f64> {
        let votes: u64 = self.values.values().sum();
        let of_one_value: f64 = self.values.values().map(|n| (*n as f64).powi(2)).sum();
        let by_chance = (votes as f64).powi(2) - of_one_value;
        (self.values.len() > 1).then(|| 1.0 - (votes as f64 - 1.0) * self.differing / by_chance)
    }

    /// Counts a task's votes, as how many there are for each value.
    fn count(&mut self, counts: &[(&Value, usize)]) {
        let votes: usize = counts.iter().map(|(_, n)| n).sum();
        let most = counts.iter().map(|(_, n)| *n).max().unwrap_or(0);
        let (all, equal) = (votes * (votes - 1), counts.iter().map(|(_, n)| n * (n - 1)).sum::<usize>());
        self.tasks += 1;
        self.unanimous += u32::from(counts.len() == 1);
        self.tied += u32::from(counts.iter().filter(|(_, n)| *n == most).count() > 1);
        self.equal += equal as f64 / all as f64;
        self.differing += (all - equal) as f64 / (votes - 1) as f64;
        for (value, n) in counts {
            *self.values.entry(value.to_string()).or_default() += *n as u64;
        }
    }
}

/// How far answers agree, given task by task as JSON; the field is empty for answers that are no objects.
#[must_use]
pub fn agreement<'a>(tasks: impl Iterator<Item = &'a Vec<String>>) -> BTreeMap<String, Agreement> {
    let mut found: BTreeMap<String, Agreement> = BTreeMap::new();
    for answers in tasks.filter(|answers| answers.len() > 1) {
        let answers: Vec<Map<String, Value>> = answers.iter().map(|answer| fields(answer)).collect();
        for name in names(&answers) {
            let counts = tally(name, &answers);
            if counts.iter().map(|(_, n)| n).sum::<usize>() > 1 {
                found.entry(name.clone()).or_default().count(&counts);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_the_share_of_equal_pairs() {
        let tasks = [
            vec![r#"{"cat":1}"#.to_owned(), r#"{"cat":1}"#.to_owned(), r#"{"cat":2}"#.to_owned()],
            vec![r#"{"cat":3}"#.to_owned(), r#"{"cat":3,"dog":1}"#.to_owned()],
            vec![r#"{"cat":4}"#.to_owned(), r#"{"cat":5}"#.to_owned()],
            vec![r#"{"cat":9}"#.to_owned()],
        ];
        let fields = agreement(tasks.iter());
        let cat = &fields["cat"];
        assert_eq!((cat.tasks, cat.unanimous, cat.tied), (3, 1, 1));
        assert!((cat.mean().unwrap() - (1.0 / 3.0 + 1.0 + 0.0) / 3.0).abs() < 1e-12);
        assert!(!fields.contains_key("dog"));
        assert!(agreement([vec!["7".to_owned(), "7".to_owned()]].iter()).contains_key(""));
    }

    /// Alpha of votes by observer (rows) and unit (columns); a point is no vote.
    fn alpha(observers: &[&str]) -> Option<f64> {
        let units = observers[0].split(' ').count();
        let vote = |unit: usize| move |row: &&str| row.split(' ').nth(unit).map(str::to_owned);
        let tasks: Vec<Vec<String>> = (0..units)
            .map(|unit| observers.iter().filter_map(vote(unit)).filter(|vote| vote != ".").collect())
            .collect();
        agreement(tasks.iter()).get("").and_then(Agreement::alpha)
    }

    #[test]
    fn alpha_is_as_published() {
        // The examples A and C of Krippendorff's paper: two observers and two values, then four with votes missing.
        let two = alpha(&["0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"]).unwrap();
        assert!((two - 0.095).abs() < 5e-4, "{two}");
        let four = alpha(&[
            "1 2 3 3 2 1 4 1 2 . . .",
            "1 2 3 3 2 2 4 1 2 5 . 3",
            ". 3 3 3 2 3 4 2 2 5 1 .",
            "1 2 3 3 2 4 4 1 2 5 1 .",
        ]);
        assert!((four.unwrap() - 0.743).abs() < 5e-4, "{four:?}");
    }

    #[test]
    fn alpha_is_one_when_all_agree_and_silent_when_there_is_one_value() {
        assert_eq!(alpha(&["1 2 1", "1 2 1"]), Some(1.0));
        assert_eq!(alpha(&["1 1 1", "1 1 1"]), None);
        assert!(alpha(&["1 2 1 2", "2 1 2 1"]).unwrap() < 0.0);
    }
}
