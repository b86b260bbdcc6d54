//! The suites that need more than `cargo test --workspace`: a build of their own, or a program beside Rust.
//! A new one is a new line of [`SUITES`].

use crate::needs::Need;

pub(crate) struct Suite {
    pub(crate) name: &'static str,
    /// The suite's file: as long as it does not exist, there is nothing to run.
    pub(crate) file: &'static str,
    /// Words after `cargo`.
    pub(crate) cargo: &'static [&'static str],
    pub(crate) env: &'static [(&'static str, &'static str)],
    pub(crate) needs: &'static [Need],
}

pub(crate) const SUITES: &[Suite] = &[
    Suite {
        name: "loom",
        file: "crates/tail/src/sleep/mod.rs",
        cargo: &["test", "-p", "muster-tail", "--release", "--lib"],
        // Other flags mean another build of everything: kept apart, so that neither throws the other away.
        env: &[("RUSTFLAGS", "--cfg loom"), ("CARGO_TARGET_DIR", "target/loom")],
        needs: &[],
    },
    Suite {
        name: "shuttle",
        file: "crates/tail/tests/shuttle.rs",
        cargo: &["test", "-p", "muster-tail", "--release", "--test", "shuttle"],
        env: &[("RUSTFLAGS", "--cfg shuttle"), ("CARGO_TARGET_DIR", "target/shuttle")],
        needs: &[],
    },
    Suite {
        name: "contract",
        file: "crates/cli/tests/contract.rs",
        // The whole workspace has been built with its features already; `-p` would build much of it once more.
        cargo: &["test", "--workspace", "--test", "contract", "--", "--nocapture"],
        env: &[("MUSTER_CONTRACT", "1")],
        needs: &[Need { program: "python3", package: "python3-venv" }],
    },
    Suite {
        name: "browser",
        file: "crates/cli/tests/browser/main.rs",
        cargo: &["test", "--workspace", "--test", "browser", "--", "--nocapture"],
        env: &[("MUSTER_BROWSER", "1")],
        needs: &[BROWSER],
    },
];

/// A real browser.
pub(crate) const BROWSER: Need = Need { program: "chromium", package: "chromium" };
