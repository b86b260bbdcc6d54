//! What compilers do not check about our files. Each check is a pure function from (path, text) to problems.
//! Start at [`CHECKS`]; what a check looks at is decided by the check, from the path.

mod local;
mod manifest;
mod source;

use crate::workspace::Workspace;

type Check = fn(&str, &str) -> Vec<Problem>;

const CHECKS: &[Check] = &[
    source::head,
    source::length,
    source::leftovers,
    manifest::lints,
    manifest::forbids_unsafe,
    local::paths,
    local::registries,
];

/// One thing to mend: the line, counted from 1, or 0 for the whole file, and a sentence.
#[derive(Debug, PartialEq)]
struct Problem {
    line: usize,
    what: String,
}

impl Problem {
    fn at(line: usize, what: impl Into<String>) -> Self {
        Self { line, what: what.into() }
    }

    fn whole(what: impl Into<String>) -> Self {
        Self::at(0, what)
    }

    fn show(&self, path: &str) -> String {
        match self.line {
            0 => format!("{path}: {}", self.what),
            line => format!("{path}:{line}: {}", self.what),
        }
    }
}

/// Checks every text file of the workspace; `Ok` says how many.
pub(crate) fn run(workspace: &Workspace) -> Result<String, Vec<String>> {
    let texts = workspace.texts().map_err(|error| vec![format!("the files could not be listed: {error}")])?;
    let problems: Vec<String> = texts.iter().flat_map(|(path, text)| check(path, text)).collect();
    if problems.is_empty() { Ok(format!("{} files in order", texts.len())) } else { Err(problems) }
}

fn check(path: &str, text: &str) -> Vec<String> {
    let problems = CHECKS.iter().flat_map(|check| check(path, text));
    problems.map(|problem| problem.show(path)).collect()
}

/// A problem on each line that `wrong` finds fault with.
fn by_line(text: &str, wrong: impl Fn(&str) -> Option<String>) -> Vec<Problem> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(index, line)| wrong(line).map(|what| Problem::at(index + 1, what))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_points_at_its_line_or_at_the_whole_file() {
        let long = format!("fn main() {{}}\n{}!(1);\n", "dbg");
        let problems = check("crates/engine/src/x.rs", &long);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("crates/engine/src/x.rs: "), "{}", problems[0]);
        assert!(problems[1].starts_with("crates/engine/src/x.rs:2: "), "{}", problems[1]);
    }
}
