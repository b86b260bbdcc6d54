//! How a run went: one outcome for each step, and the closing lines. Runs nothing.
//! Invariant: the last line says "passed" only if every step did. Start at [`last_line`].

use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
    /// The machine lacks what the step needs; says what.
    CouldNotStart(String),
}

pub(crate) struct Done {
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
}

impl Done {
    fn unstarted(&self) -> Option<String> {
        match &self.outcome {
            Outcome::CouldNotStart(why) => Some(format!("{} ({why})", self.name)),
            Outcome::Passed | Outcome::Failed => None,
        }
    }

    fn word(&self) -> &'static str {
        match self.outcome {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::CouldNotStart(_) => "could not start",
        }
    }
}

/// A step that could not start is a failure on CI, where everything can be installed.
pub(crate) fn is_good(steps: &[Done], ci: bool) -> bool {
    failures(steps, ci).is_empty()
}

/// One aligned line for each step: name, outcome, time.
pub(crate) fn table(steps: &[Done]) -> String {
    let width = steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
    let line = |step: &Done| {
        format!("  {:width$}  {:15}  {:>7.1} s\n", step.name, step.word(), step.took.as_secs_f64())
    };
    steps.iter().map(line).collect()
}

pub(crate) fn last_line(steps: &[Done], ci: bool) -> String {
    let failed = failures(steps, ci);
    let unstarted: Vec<String> = steps.iter().filter_map(Done::unstarted).collect();
    match (failed.is_empty(), unstarted.is_empty()) {
        (true, true) => "all passed".to_owned(),
        (true, false) => format!("passed, but these suites could not start here: {}", unstarted.join(", ")),
        (false, none) if none || ci => format!("failed: {}", failed.join(", ")),
        (false, _) => {
            format!("failed: {}; could not start here: {}", failed.join(", "), unstarted.join(", "))
        }
    }
}

fn failures(steps: &[Done], ci: bool) -> Vec<String> {
    let failure = |step: &Done| match &step.outcome {
        Outcome::Failed => Some(step.name.to_owned()),
        Outcome::CouldNotStart(why) if ci => Some(format!("{} (could not start: {why})", step.name)),
        Outcome::Passed | Outcome::CouldNotStart(_) => None,
    };
    steps.iter().filter_map(failure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(outcomes: &[(&'static str, Outcome)]) -> Vec<Done> {
        let done = |(name, outcome): &(&'static str, Outcome)| Done {
            name,
            outcome: outcome.clone(),
            took: Duration::from_millis(1250),
        };
        outcomes.iter().map(done).collect()
    }

    fn absent() -> Outcome {
        Outcome::CouldNotStart("no chromium".to_owned())
    }

    #[test]
    fn all_passed() {
        let steps = steps(&[("format", Outcome::Passed), ("tests", Outcome::Passed)]);
        for ci in [false, true] {
            assert_eq!(last_line(&steps, ci), "all passed");
            assert!(is_good(&steps, ci));
        }
    }

    #[test]
    fn a_suite_that_could_not_start_is_named_at_home_and_a_failure_on_ci() {
        let steps = steps(&[("tests", Outcome::Passed), ("browser", absent())]);
        let home = "passed, but these suites could not start here: browser (no chromium)";
        assert_eq!(last_line(&steps, false), home);
        assert!(is_good(&steps, false));
        assert_eq!(last_line(&steps, true), "failed: browser (could not start: no chromium)");
        assert!(!is_good(&steps, true));
    }

    #[test]
    fn every_failure_is_named() {
        let steps = steps(&[("format", Outcome::Failed), ("tests", Outcome::Failed), ("browser", absent())]);
        let home = "failed: format, tests; could not start here: browser (no chromium)";
        assert_eq!(last_line(&steps, false), home);
        let ci = "failed: format, tests, browser (could not start: no chromium)";
        assert_eq!(last_line(&steps, true), ci);
        assert!(!is_good(&steps, false));
    }

    #[test]
    fn the_table_is_aligned() {
        let steps = steps(&[("format", Outcome::Passed), ("tidy", Outcome::Failed), ("browser", absent())]);
        let expected = "  format   passed               1.2 s\n  tidy     failed               1.2 s\n  browser  could not start      1.2 s\n";
        assert_eq!(table(&steps), expected);
    }
}
