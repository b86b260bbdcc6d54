//! No text makes the parser panic, and whatever it takes can be told in words.
//!
//! Texts are those of real scenarios with something cut out, put in, swapped or repeated.

use std::path::PathBuf;

use muster_engine::policy::Registry;
use muster_sim::scenario;
use proptest::prelude::*;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

fn texts() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder of scenarios is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let mut texts: Vec<String> =
        files.iter().map(|file| std::fs::read_to_string(file).expect("it can be read")).collect();
    texts.push(include_str!("scenario/design.toml").to_owned());
    texts
}

/// One change of a text: where (as a share of it), how much, and what instead.
#[derive(Clone, Debug)]
enum Change {
    Cut(f64, usize),
    Put(f64, String),
    /// A value of one line goes to another.
    Swap(f64, f64),
    /// A line once more elsewhere.
    Repeat(f64, f64),
}

fn pieces() -> impl Strategy<Value = String> {
    let known = [
        "\"0 s\"",
        "\"-1 s\"",
        "\"9e99 h\"",
        "\"1000000 d\"",
        "0",
        "-1",
        "1e308",
        "nan",
        "inf",
        "9223372036854775807",
        "\"\"",
        "\"5 %\"",
        "\"12 /min\"",
        "\"1 EUR\"",
        "true",
        "[]",
        "{}",
        "[[]]",
        "[[\"1 h\", 2]]",
        "{ law = \"pareto\", least = 1, shape = 0.5 }",
        "{ law = \"mixture\", parts = [] }",
        "{ law = \"empirical\", file = \"x.csv\" }",
        "{ law = \"closed\", clients = 3, thinking = 0 }",
        "{ law = \"recorded\", file = \"x.csv\" }",
        "[variant.crowd]",
        "[[variant.pool]]",
        "[[kind]]",
        "name = \"everybody\"",
        "most = 1",
        "slots = 200",
        "size = 0",
        "spikes = [{ at = 0, length = \"1 s\", factor = 0 }]",
        "tenant = \"nobody\"",
        "machine = {}",
    ];
    prop_oneof![
        proptest::sample::select(known.to_vec()).prop_map(str::to_owned),
        proptest::string::string_regex("[a-z\\[\\]{}=\"0-9 .,\n#é\u{0}]{0,12}").expect("it is an expression"),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let at = 0.0..1.0_f64;
    prop_oneof![
        (at.clone(), 1_usize..40).prop_map(|(at, n)| Change::Cut(at, n)),
        (at.clone(), pieces()).prop_map(|(at, piece)| Change::Put(at, piece)),
        (at.clone(), at.clone()).prop_map(|(from, to)| Change::Swap(from, to)),
        (at.clone(), at).prop_map(|(from, to)| Change::Repeat(from, to)),
    ]
}

fn place(text: &str, at: f64) -> usize {
    text.floor_char_boundary((text.len() as f64 * at) as usize)
}

fn changed(text: &str, change: &Change) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let line = |at: &f64| (lines.len() as f64 * at) as usize;
    match change {
        Change::Cut(at, n) => {
            let (from, to) =
                (place(text, *at), text.floor_char_boundary(text.len().min(place(text, *at) + n)));
            format!("{}{}", &text[..from], &text[to..])
        }
        Change::Put(at, piece) => {
            let from = place(text, *at);
            // At a value, if there is one on the line.
            let from = text[from..].find("= ").map_or(from, |more| from + more + 2);
            let end = text[from..].find(['\n', ',', '}']).map_or(text.len(), |more| from + more);
            format!("{}{piece}{}", &text[..from], &text[end..])
        }
        Change::Swap(one, other) => {
            let mut lines = lines.clone();
            if lines.len() > 1 {
                lines.swap(line(one), line(other));
            }
            lines.join("\n")
        }
        Change::Repeat(one, other) => {
            let mut lines = lines.clone();
            if let Some(again) = lines.get(line(one)).copied() {
                lines.insert(line(other), again);
            }
            lines.join("\n")
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "a test may be asked to take longer")]
fn cases() -> u32 {
    if std::env::var("MUSTER_LONG").is_ok_and(|value| value == "1") { 20_000 } else { 300 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(which in 0_usize..1000, changes in proptest::collection::vec(change(), 1..4)) {
        let texts = texts();
        let mut text = texts[which % texts.len()].clone();
        for change in &changes {
            text = changed(&text, change);
        }
        let files = ["hours,factor\n0,1\n5,2\n", "seconds,tasks\n1,2\n3,0\n", "value\n1\n", "", "hours,factor\n5,0\n1,x\n"];
        let mut load = |name: &str| {
            let at = (name.len() + which) % (files.len() + 1);
            files.get(at).map(|text| text.as_bytes().to_vec()).ok_or_else(|| "gone".to_owned())
        };
        match scenario::parse("s.toml", &text, &mut load, &Registry::default()) {
            Ok(scenario) => prop_assert!(!scenario::explain(&scenario).is_empty()),
            Err(refusals) => {
                prop_assert!(!refusals.0.is_empty());
                prop_assert!(!refusals.to_string().is_empty());
            }
        }
    }
}
