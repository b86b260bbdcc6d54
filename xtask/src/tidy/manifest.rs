//! Checks of manifests: the workspace's lints reach every crate, and only `tail` may allow `unsafe`.

use super::Problem;

/// The one crate that may hold `unsafe`, and so has a table of its own.
const UNSAFE_ROOM: &str = "crates/tail/Cargo.toml";

pub(super) fn lints(path: &str, text: &str) -> Vec<Problem> {
    let (good, what) = match path {
        UNSAFE_ROOM => (has_own_lints(text), "has no `[lints.rust]` table of its own"),
        _ if is_crate(path) => (has(text, "[lints]", "workspace = true"), "lacks `[lints] workspace = true`"),
        _ => return Vec::new(),
    };
    if good { Vec::new() } else { vec![Problem::whole(what)] }
}

/// The workspace's lints are worth having only as long as they forbid `unsafe`.
pub(super) fn forbids_unsafe(path: &str, text: &str) -> Vec<Problem> {
    if path == "Cargo.toml" && !has(text, "[workspace.lints.rust]", r#"unsafe_code = "forbid""#) {
        return vec![Problem::whole(r#"lacks `unsafe_code = "forbid"` in `[workspace.lints.rust]`"#)];
    }
    Vec::new()
}

fn is_crate(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(parts[..], ["crates", _, "Cargo.toml"] | ["xtask", "Cargo.toml"])
}

fn has_own_lints(text: &str) -> bool {
    text.lines().any(|line| line.trim() == "[lints.rust]")
}

/// Whether the table under `header` holds this very line.
fn has(text: &str, header: &str, entry: &str) -> bool {
    let mut table = text.lines().map(str::trim).skip_while(|line| *line != header).skip(1);
    table.by_ref().take_while(|line| !line.starts_with('[')).any(|line| line == entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_takes_the_workspaces_lints() {
        let good = "[package]\nname = \"x\"\n\n[lints]\nworkspace = true\n";
        let elsewhere = "[lints]\n\n[dependencies.x]\nworkspace = true\n";
        for path in ["crates/engine/Cargo.toml", "xtask/Cargo.toml"] {
            assert_eq!(lints(path, good), []);
            assert_eq!(lints(path, elsewhere).len(), 1);
            assert_eq!(lints(path, "[lints.rust]\nunsafe_code = \"allow\"\n").len(), 1);
        }
        assert_eq!(lints("Cargo.toml", ""), []);
        assert_eq!(lints("crates/engine/tests/data/Cargo.toml", ""), []);
    }

    #[test]
    fn tail_has_a_table_of_its_own() {
        assert_eq!(lints(UNSAFE_ROOM, "[lints.rust]\nunsafe_code = \"deny\"\n"), []);
        assert_eq!(lints(UNSAFE_ROOM, "[lints]\nworkspace = true\n").len(), 1);
    }

    #[test]
    fn the_workspace_forbids_unsafe() {
        let good = "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n";
        assert_eq!(forbids_unsafe("Cargo.toml", good), []);
        assert_eq!(forbids_unsafe("Cargo.toml", &good.replace("forbid", "deny")).len(), 1);
        assert_eq!(forbids_unsafe("crates/engine/Cargo.toml", ""), []);
    }
}
