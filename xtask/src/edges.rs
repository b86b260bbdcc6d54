//! Which crate may depend on which. Reads cargo's metadata; does not care why a crate wants another.
//! Invariant: an edge that [`ROOMS`] does not list fails, whatever its kind (normal, build or dev). Start at [`check`].

use std::collections::BTreeSet;

use serde_json::Value;

use crate::workspace::Workspace;

/// Each room, and the rooms it may depend on. A new crate gets its line here.
const ROOMS: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("report", &[]),
    ("tail", &[]),
    ("formats", &["engine"]),
    ("sim", &["engine", "formats"]),
    ("optimum", &["engine", "formats"]),
    ("server", &["engine", "formats", "report"]),
    ("bots", &["sim"]),
    ("papers", &["engine", "formats", "sim", "tail", "optimum", "report"]),
    ("cli", &["engine", "report", "tail", "formats", "sim", "optimum", "server", "bots", "papers"]),
    ("xtask", &[]),
];

/// Asks cargo for the workspace and checks it; `Ok` says how much was looked at.
pub(crate) fn run(workspace: &Workspace) -> Result<String, Vec<String>> {
    let metadata = metadata(workspace).map_err(|error| vec![error])?;
    let problems = check(&metadata);
    if problems.is_empty() {
        Ok(format!("{} crates, no forbidden edge", packages(&metadata).len()))
    } else {
        Err(problems)
    }
}

fn metadata(workspace: &Workspace) -> Result<Value, String> {
    let mut command = workspace.cargo(&["metadata", "--format-version", "1", "--no-deps"]);
    let out = command.output().map_err(|error| format!("cargo metadata did not start: {error}"))?;
    if !out.status.success() {
        return Err(format!("cargo metadata failed: {}", String::from_utf8_lossy(&out.stderr).trim()));
    }
    serde_json::from_slice(&out.stdout).map_err(|error| format!("cargo metadata is not JSON: {error}"))
}

/// Every forbidden edge and unknown crate of the workspace that the metadata describes.
fn check(metadata: &Value) -> Vec<String> {
    let ours: BTreeSet<&str> = packages(metadata).iter().filter_map(name).collect();
    packages(metadata).iter().flat_map(|package| check_package(package, &ours)).collect()
}

fn check_package(package: &Value, ours: &BTreeSet<&str>) -> Vec<String> {
    let Some(from) = name(package) else { return vec!["a package without a name".to_owned()] };
    let Some(allowed) = allowed(from) else { return vec![unknown(from)] };
    let dependencies = array(&package["dependencies"]).iter();
    let wrong = dependencies.filter(|dependency| is_forbidden(dependency, allowed, ours));
    wrong.map(|dependency| describe(from, allowed, dependency)).collect()
}

fn is_forbidden(dependency: &Value, allowed: &[&str], ours: &BTreeSet<&str>) -> bool {
    name(dependency).is_some_and(|to| ours.contains(to) && !allowed.contains(&room(to)))
}

fn describe(from: &str, allowed: &[&str], dependency: &Value) -> String {
    let to = name(dependency).unwrap_or("?");
    let kind = dependency["kind"].as_str().map(|kind| format!("{kind}-")).unwrap_or_default();
    let may = if allowed.is_empty() { "nothing of ours".to_owned() } else { allowed.join(", ") };
    format!("{from} has a {kind}dependency on {to}: {} may depend on {may}", room(from))
}

fn unknown(package: &str) -> String {
    format!(
        "{package} is an unknown crate: add its room and what it may depend on to ROOMS in xtask/src/edges.rs"
    )
}

fn allowed(package: &str) -> Option<&'static [&'static str]> {
    ROOMS.iter().find(|(name, _)| *name == room(package)).map(|(_, allowed)| *allowed)
}

/// `muster-engine` lives in the room `engine`; the program `muster` is the room `cli`.
fn room(package: &str) -> &str {
    if package == "muster" { "cli" } else { package.strip_prefix("muster-").unwrap_or(package) }
}

fn packages(metadata: &Value) -> &[Value] {
    array(&metadata["packages"])
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn name(package: &Value) -> Option<&str> {
    package["name"].as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    type Dependencies<'a> = &'a [(&'a str, Option<&'a str>)];

    /// Metadata of packages written as (name, [(dependency, kind)]).
    fn workspace(packages: &[(&str, Dependencies<'_>)]) -> Value {
        let dependency = |(name, kind): &(&str, Option<&str>)| json!({"name": name, "kind": kind});
        let package = |(name, dependencies): &(&str, Dependencies<'_>)| json!({"name": name, "dependencies": dependencies.iter().map(dependency).collect::<Vec<_>>()});
        json!({"packages": packages.iter().map(package).collect::<Vec<_>>()})
    }

    #[test]
    fn allowed_edges_and_foreign_crates_pass() {
        let metadata = workspace(&[
            ("muster-engine", &[("serde", None), ("proptest", Some("dev"))]),
            ("muster-formats", &[("muster-engine", None)]),
            ("muster-sim", &[("muster-engine", None), ("muster-formats", Some("dev"))]),
            ("muster", &[("muster-sim", None), ("muster-engine", Some("build"))]),
            ("xtask", &[("serde_json", None)]),
        ]);
        assert_eq!(check(&metadata), Vec::<String>::new());
    }

    #[test]
    fn a_forbidden_edge_is_named_with_its_kind_and_what_is_allowed() {
        let metadata = workspace(&[
            ("muster-engine", &[("muster-formats", Some("dev"))]),
            ("muster-formats", &[("muster-engine", None)]),
            ("muster-server", &[("muster-sim", None)]),
            ("muster-sim", &[("muster-server", Some("build"))]),
        ]);
        let expected = [
            "muster-engine has a dev-dependency on muster-formats: engine may depend on nothing of ours",
            "muster-server has a dependency on muster-sim: server may depend on engine, formats, report",
            "muster-sim has a build-dependency on muster-server: sim may depend on engine, formats",
        ];
        assert_eq!(check(&metadata), expected);
    }

    #[test]
    fn the_program_is_nobodys_dependency() {
        let metadata = workspace(&[("muster", &[]), ("muster-bots", &[("muster", None)])]);
        assert_eq!(check(&metadata), ["muster-bots has a dependency on muster: bots may depend on sim"]);
    }

    #[test]
    fn xtask_depends_on_none_of_ours() {
        let metadata = workspace(&[("muster-report", &[]), ("xtask", &[("muster-report", None)])]);
        assert_eq!(check(&metadata).len(), 1);
    }

    #[test]
    fn an_unknown_crate_is_told_where_it_belongs() {
        let problems = check(&workspace(&[("muster-common", &[])]));
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("muster-common is an unknown crate"), "{}", problems[0]);
        assert!(problems[0].contains("xtask/src/edges.rs"), "{}", problems[0]);
    }

    #[test]
    fn the_table_names_only_rooms_it_knows_and_has_no_circle() {
        for (index, (_, allowed)) in ROOMS.iter().enumerate() {
            let above: Vec<&str> = ROOMS[..index].iter().map(|(room, _)| *room).collect();
            assert!(allowed.iter().all(|room| above.contains(room)), "line {index} of ROOMS");
        }
    }
}
