//! Checks of Rust files: a head comment, a readable size, no leftovers.

use super::{Problem, by_line};

const LINES_MAX: usize = 400;

/// What must not stay in a file, and what to do instead. Split, so that this list does not find itself.
const LEFTOVERS: &[(&str, &str)] = &[
    (concat!("todo", "!("), "finish it, or return an error that says what is missing"),
    (concat!("FIX", "ME"), "fix it, or open an issue"),
    (concat!("dbg", "!("), "remove it, or write a test"),
    (concat!("#[", "ignore"), "a test runs or does not exist"),
];

/// Every module says in its first line what it does.
pub(super) fn head(path: &str, text: &str) -> Vec<Problem> {
    if is_module(path) && !text.starts_with("//!") {
        return vec![Problem::whole("starts without a `//!` head comment that says what the module does")];
    }
    Vec::new()
}

/// A file longer than a sitting is split; its tests may be as long as they like.
pub(super) fn length(path: &str, text: &str) -> Vec<Problem> {
    let lines = lines_without_tests(text);
    if is_rust(path) && !is_test_file(path) && lines > LINES_MAX {
        let what = format!("{lines} lines without its tests, at most {LINES_MAX}: split it by what it knows");
        return vec![Problem::whole(what)];
    }
    Vec::new()
}

pub(super) fn leftovers(path: &str, text: &str) -> Vec<Problem> {
    if !is_rust(path) {
        return Vec::new();
    }
    by_line(text, |line| {
        let (word, instead) = LEFTOVERS.iter().find(|(word, _)| line.contains(word))?;
        Some(format!("`{word}` is left over: {instead}"))
    })
}

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

/// A Rust file of `crates/*/src` or `xtask/src`.
fn is_module(path: &str) -> bool {
    let mut parts = path.split('/');
    let in_source = match parts.next() {
        Some("crates") => parts.nth(1) == Some("src"),
        Some("xtask") => parts.next() == Some("src"),
        _ => false,
    };
    is_rust(path) && in_source
}

/// Tests in a file of their own, beside the code or in the crate's `tests` folder.
fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// Clippy (`items_after_test_module`) sees to it that nothing follows the test module, so it reaches to the end.
fn lines_without_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let opens_tests = |index: &usize| lines[*index] == "#[cfg(test)]" && opens_module(&lines[index + 1..]);
    (0..lines.len()).find(opens_tests).unwrap_or(lines.len())
}

fn opens_module(lines: &[&str]) -> bool {
    let item = lines.iter().find(|line| !line.starts_with("#["));
    item.is_some_and(|line| line.starts_with("mod ") && line.ends_with('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "crates/engine/src/lease.rs";

    #[test]
    fn a_module_needs_a_head() {
        assert_eq!(head(MODULE, "//! Leases.\n"), []);
        for text in ["", "use std::fmt;\n", "// Leases.\n"] {
            assert_eq!(head(MODULE, text).len(), 1, "{text:?}");
        }
        assert_eq!(head("xtask/src/tidy/mod.rs", "").len(), 1);
    }

    #[test]
    fn only_modules_need_a_head() {
        for path in ["crates/engine/tests/story.rs", "crates/engine/src/words.txt", "build.rs", "src/main.rs"]
        {
            assert_eq!(head(path, "fn main() {}\n"), [], "{path}");
        }
    }

    #[test]
    fn four_hundred_lines_are_enough() {
        assert_eq!(length(MODULE, &"\n".repeat(400)), []);
        let problems = length(MODULE, &"\n".repeat(401));
        assert!(problems[0].what.starts_with("401 lines"), "{problems:?}");
        assert_eq!(length("README.md", &"\n".repeat(401)), []);
    }

    #[test]
    fn trailing_tests_do_not_count() {
        let tests = format!("#[cfg(test)]\n#[rustfmt::skip]\nmod tests {{\n{}}}\n", "\n".repeat(500));
        assert_eq!(length(MODULE, &format!("{}{tests}", "\n".repeat(400))), []);
        assert_eq!(length(MODULE, &format!("{}{tests}", "\n".repeat(401))).len(), 1);
        assert_eq!(length("crates/engine/tests/story.rs", &"\n".repeat(401)), []);
        assert_eq!(length("crates/engine/src/lease/tests.rs", &"\n".repeat(401)), []);
    }

    #[test]
    fn a_lone_test_attribute_hides_nothing() {
        let text = format!("#[cfg(test)]\nmod tests;\n#[cfg(test)]\nuse x;\n{}", "\n".repeat(400));
        assert_eq!(length(MODULE, &text).len(), 1);
    }

    #[test]
    fn leftovers_are_found_with_their_line() {
        for (word, _) in LEFTOVERS {
            let problems = leftovers(MODULE, &format!("//! Head.\n    {word}\n"));
            assert_eq!(problems.len(), 1, "{word}");
            assert_eq!(problems[0].line, 2, "{word}");
            assert_eq!(leftovers("NOTES.md", word), [], "{word}");
        }
        assert_eq!(leftovers(MODULE, "#[derive(Debug)]\nfn ignored() {}\n"), []);
    }
}
