//! Checks of every text file: nothing in it is true on one machine only.
//! The patterns are split in this file, so that it does not find itself.

use super::{Problem, by_line};

/// Folders above a person's own: what follows is a name.
const HOMES: &[&str] = &[concat!("/ho", "me/"), concat!("/Us", "ers/")];

/// Places that exist on one machine only.
const PLACES: &[&str] = &[concat!("/ro", "ot/"), concat!("/tmp/", "bash")];

/// How cargo writes where a package comes from.
const SOURCES: &[&str] = &[concat!("registry", "+http"), concat!("sparse", "+http")];

/// How cargo's settings turn to another host.
const DETOURS: &[&str] = &[concat!("replace", "-with"), concat!("[source.crates", "-io]")];

/// The two addresses of the public registry.
const PUBLIC: &[&str] = &["https://github.com/rust-lang/crates.io-index", "https://index.crates.io/"];

pub(super) fn paths(_path: &str, text: &str) -> Vec<Problem> {
    by_line(text, |line| {
        let home = HOMES.iter().find_map(|home| roots(line, home).find(|path| has_name(&path[home.len()..])));
        let place = PLACES.iter().find_map(|place| roots(line, place).next());
        let found = home.or(place)?;
        let shown: String = found.chars().take_while(|c| !c.is_whitespace()).take(60).collect();
        Some(format!("`{shown}` is a path of one machine: write it relative to the repository, or as ~/"))
    })
}

/// Each rest of the line where `prefix` starts an absolute path, rather than continues another one.
fn roots<'a>(line: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let found = line.match_indices(prefix);
    let absolute = found.filter(|(at, _)| !line[..*at].ends_with(continues_path));
    absolute.map(|(at, _)| &line[at..])
}

fn continues_path(before: char) -> bool {
    before.is_alphanumeric() || "_-.~})>*".contains(before)
}

fn has_name(rest: &str) -> bool {
    let name = rest.split('/').next().unwrap_or_default();
    rest.len() > name.len()
        && !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c))
}

pub(super) fn registries(_path: &str, text: &str) -> Vec<Problem> {
    by_line(text, |line| {
        let detour = DETOURS.iter().any(|detour| line.contains(detour));
        let foreign = SOURCES.iter().any(|source| is_foreign(line, source));
        (detour || foreign)
            .then(|| "names a registry other than crates.io: keep that in your own settings".to_owned())
    })
}

fn is_foreign(line: &str, source: &str) -> bool {
    let mut found =
        line.match_indices(source).map(|(at, _)| line[at..].split_once('+').map_or("", |(_, url)| url));
    found.any(|url| !PUBLIC.iter().any(|public| url.starts_with(public)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_found(check: fn(&str, &str) -> Vec<Problem>, text: &str) -> Vec<usize> {
        check("NOTES.md", text).iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn a_path_of_one_machine_is_found() {
        let (home, users, root, tmp) = (HOMES[0], HOMES[1], PLACES[0], PLACES[1]);
        for line in [
            format!("see {home}ada/muster/README.md"),
            format!("\"{users}ada.l/x\""),
            format!("PATH={root}.cargo/bin"),
            format!("file://{root}x"),
            format!("{tmp}_jobs/1"),
        ] {
            assert_eq!(lines_found(paths, &format!("fine\n{line}\n")), [2], "{line}");
        }
    }

    #[test]
    fn other_paths_are_left_alone() {
        let (home, root) = (HOMES[0], PLACES[0]);
        for line in [
            format!("crates{root}x"),
            format!("${{dir}}{root}x"),
            format!("https://example.org{home}page/1"),
            format!("{home}{{name}}/x"),
            format!("{home}name"),
            "/tmp/muster.db and /usr/bin/env".to_owned(),
        ] {
            assert_eq!(lines_found(paths, &line), [0; 0], "{line}");
        }
    }

    #[test]
    fn the_public_registry_is_the_only_one() {
        let (registry, sparse) = (SOURCES[0], SOURCES[1]);
        let good = format!("source = \"{registry}s://github.com/rust-lang/crates.io-index\"");
        assert_eq!(lines_found(registries, &good), [0; 0]);
        assert_eq!(lines_found(registries, &format!("{sparse}s://index.crates.io/")), [0; 0]);
        assert_eq!(lines_found(registries, &format!("{sparse}s://mirror.example/index/")), [1]);
        assert_eq!(lines_found(registries, &format!("{good}\n{registry}://localhost:8080/git\n")), [2]);
        assert_eq!(lines_found(registries, &format!("{} = \"mirror\"", DETOURS[0])), [1]);
    }
}
