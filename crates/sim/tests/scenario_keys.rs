//! The parser, the reference and the schema know the same keys.

use std::collections::BTreeSet;

use expect_test::expect_file;
use muster_engine::policy::Registry;
use muster_formats::refusal::Reason;
use muster_sim::measure::Measure;
use muster_sim::scenario::{self, keys};

const APP: &str = "[[app]]\nname = \"a\"\nwork = \"1 s\"\nbacklog = 1\n";

/// A scenario with a key that nobody knows in a table of this group.
fn with_unknown(group: &keys::Group) -> String {
    let top = "horizon = \"1 h\"\n";
    let in_app = |line: &str| format!("{top}{APP}{line}\n");
    let in_crowd = |line: &str| format!("{top}{APP}[crowd]\n{line}\n");
    let in_demand =
        |line: &str| format!("{top}{APP}[[demand]]\nname = \"d\"\napp = \"a\"\nbacklog = 1\n{line}\n");
    let in_pool = |line: &str| format!("{top}{APP}[[pool]]\nname = \"p\"\n{line}\n");
    match (group.of, group.name) {
        ("arrivals", name) => {
            in_demand(&format!("arrivals = {{ law = \"{name}\", {} zzz = 1 }}", needed(group)))
        }
        ("law", name) => in_app(&format!("gives_up = {{ law = \"{name}\", {} zzz = 1 }}", needed(group))),
        ("recommend", name) => {
            in_pool(&format!("recommend = {{ aim = \"{name}\", {} zzz = 1 }}", needed(group)))
        }
        (_, "scenario") => format!("{top}zzz = 1\n{APP}"),
        (_, "precision") => format!("{top}precision = {{ within = 0.1, zzz = 1 }}\n{APP}"),
        (_, "variant") => format!("{top}{APP}[[variant]]\nname = \"v\"\nzzz = 1\n"),
        (_, "tenant") => format!("{top}{APP}[[tenant]]\nname = \"t\"\nzzz = 1\n"),
        (_, "budget") => format!("{top}{APP}[[tenant]]\nname = \"t\"\nbudget = {{ zzz = 1 }}\n"),
        (_, "policy") => format!("{top}{APP}[policy]\nzzz = 1\n"),
        (_, "app") => in_app("zzz = 1"),
        (_, "practice") => in_app("practice = { zzz = 1 }"),
        (_, "lease") => in_app("lease = { zzz = 1 }"),
        (_, "clients") => in_app("clients = { zzz = 1 }"),
        (_, "demand") => in_demand("zzz = 1"),
        (_, "step") => format!("{top}{APP}[[demand]]\nbacklog = 1\nsteps = [{{ app = \"a\", zzz = 1 }}]\n"),
        (_, "curve") => in_app("arrivals = { law = \"poisson\", rate = \"1 /s\", curve = { zzz = 1 } }"),
        (_, "spike") => in_app("arrivals = { law = \"poisson\", rate = \"1 /s\", spikes = [{ zzz = 1 }] }"),
        (_, "crowd") => in_crowd("zzz = 1"),
        (_, "kind") => format!("{top}{APP}[[kind]]\nname = \"k\"\nzzz = 1\n"),
        (_, "machine") => format!("{top}{APP}[[kind]]\nname = \"k\"\nmachine = {{ zzz = 1 }}\n"),
        (_, "recruiting" | "staying") => {
            in_crowd(&format!("{} = {{ law = \"exponential\", mean = \"1 s\", zzz = 1 }}", group.name))
        }
        (_, "returning" | "skipping" | "pausing") => in_crowd(&format!("{} = {{ zzz = 1 }}", group.name)),
        (_, "pool") => in_pool("zzz = 1"),
        (_, "shift") => in_pool("shifts = [{ zzz = 1 }]"),
        other => panic!("no scenario for {other:?}"),
    }
}

/// What a choice cannot be read without, so that all its keys are asked for.
fn needed(group: &keys::Group) -> String {
    let needed =
        group.keys.iter().filter(|key| key.default == "required" && key.name != "law" && key.name != "aim");
    needed.map(|key| format!("{} = {}, ", key.name, key.example)).collect()
}

/// The keys that the parser knows in the table with the unknown one.
fn known(text: &str) -> BTreeSet<String> {
    let load = &mut |_: &str| Ok(b"seconds\n1\n".to_vec());
    let refusals = scenario::parse("s.toml", text, load, &Registry::default()).expect_err("zzz is no key");
    let found = refusals.0.iter().find_map(|refusal| match &refusal.reason {
        Reason::Unknown { key, known, .. } if key == "zzz" => Some(known.iter().cloned().collect()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("zzz was not refused in\n{text}\n{refusals}"))
}

#[test]
fn the_parser_knows_the_keys_of_the_reference_and_no_others() {
    for group in keys::groups() {
        let mut listed: BTreeSet<String> = group.keys.iter().map(|key| key.name.to_owned()).collect();
        if matches!(group.name, "recruiting" | "staying") {
            listed.extend(["law".to_owned(), "mean".to_owned()]);
        }
        assert_eq!(known(&with_unknown(group)), listed, "{} {}", group.of, group.name);
    }
}

#[test]
fn the_measures_of_the_reference_are_those_there_are() {
    let precision = keys::group("precision").expect("it is there");
    let listed = precision.keys.iter().find_map(|key| match key.form {
        keys::Form::Word(words) => Some(words.to_vec()),
        _ => None,
    });
    assert_eq!(listed, Some(Measure::all().map(Measure::key).collect()));
}

fn docs(name: &str) -> String {
    format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_reference_is_as_the_keys_say() {
    expect_file![docs("scenario.md")].assert_eq(&scenario::reference());
}

#[test]
fn the_schema_is_as_the_keys_say() {
    let text =
        serde_json::to_string_pretty(&scenario::schema(&Registry::default())).expect("it is plain JSON");
    expect_file![docs("scenario.schema.json")].assert_eq(&format!("{text}\n"));
}

/// Every example of the reference can be written where it stands.
#[test]
fn the_examples_of_the_reference_are_read() {
    for group in
        keys::groups().filter(|group| matches!(group.name, "app" | "demand" | "crowd" | "pool" | "tenant"))
    {
        for key in group
            .keys
            .iter()
            .filter(|key| !matches!(key.name, "name" | "app" | "steps" | "work_of" | "tenant"))
        {
            let known = format!("{} = ", key.name);
            let text: String = with_unknown(group)
                .lines()
                .filter(|line| !line.starts_with(&known))
                .map(|line| format!("{line}\n"))
                .collect();
            let text = text.replace("zzz = 1", &format!("{known}{}", key.example));
            let text = text.replace("\"moderation\"", "\"a\"").replace("{ moderation =", "{ a =");
            let text = text
                .replace("\"shop\"", "\"everybody\"")
                .replace("{ editor = 11, gpu = 2 }", "{ people = 11 }");
            let load = &mut |_: &str| Ok(b"hours,factor\n0,1\n".to_vec());
            let read = scenario::parse("s.toml", &text, load, &Registry::default());
            assert!(read.is_ok(), "{} of {}:\n{text}\n{}", key.name, group.name, read.unwrap_err());
        }
    }
}
