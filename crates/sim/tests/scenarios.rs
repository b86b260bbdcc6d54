//! The scenarios that come with Muster: each is read and run on a short horizon, and what comes out is compared with what
//! came out before, number by number. `UPDATE_EXPECT=1` writes it anew.

use std::fmt::Write as _;
use std::path::PathBuf;

use expect_test::expect_file;
use muster_engine::Span;
use muster_engine::policy::Registry;
use muster_sim::model::{Horizon, Replications, Scenario};
use muster_sim::scenario;
use muster_sim::study::{Options, Summary, study};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

/// All scenarios, by file name without its ending.
fn all() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder of scenarios is there");
    let names =
        entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".toml").map(str::to_owned)).collect();
    names.sort();
    names
}

fn parse(name: &str) -> Scenario {
    let file = format!("{name}.toml");
    let text = std::fs::read_to_string(folder().join(&file)).expect("the scenario can be read");
    let mut load = |name: &str| std::fs::read(folder().join(name)).map_err(|error| error.to_string());
    scenario::parse(&file, &text, &mut load, &Registry::default())
        .unwrap_or_else(|refusals| panic!("{refusals}"))
}

/// The same for a short while: the beginning of it, twice.
fn short(mut scenario: Scenario) -> Scenario {
    let most = Span::from_hours(2);
    let plan = &mut scenario.plan;
    plan.horizon = match plan.horizon {
        Horizon::Time(span) => Horizon::Time(span.min(most)),
        Horizon::Drain(span) => Horizon::Drain(span.min(most)),
        Horizon::Jobs(n) => Horizon::Jobs(n.min(200)),
    };
    plan.warm_up = plan.warm_up.min(Span::from_mins(15));
    plan.replications = Replications::Fixed(2);
    plan.points = 10;
    scenario
}

fn run(scenario: &Scenario, threads: usize) -> Summary {
    let registry = Registry::default();
    let made = study(scenario, Options { threads, registry: &registry, watch: &() });
    made.unwrap_or_else(|error| panic!("{}: {error}", scenario.name)).summary(scenario)
}

/// Four significant figures.
fn figures(value: f64) -> String {
    let text = format!("{value:.3e}");
    let rounded: f64 = text.parse().expect("it was a number");
    rounded.to_string()
}

/// Everything that was measured, a line for each variant and scope.
fn told(summary: &Summary) -> String {
    let mut out = String::new();
    for variant in &summary.variants {
        let edges = &variant.counts.edges;
        writeln!(out, "{}", variant.name).expect("a text takes everything");
        writeln!(
            out,
            "  jobs: {} came, {} done, {} gave up; answers: {}; joined {}, left {}, released {}",
            edges.jobs_submitted,
            edges.jobs_done,
            edges.jobs_gave_up,
            edges.answers,
            edges.joined,
            edges.left,
            edges.released
        )
        .expect("a text takes everything");
        let mut scope = "";
        for line in &variant.measures {
            if line.scope != scope {
                scope = &line.scope;
                write!(out, "  {scope}:").expect("a text takes everything");
            }
            write!(out, " {} {}", line.measure, figures(line.value.mean)).expect("a text takes everything");
            let is_last = variant.measures.iter().rfind(|other| other.scope == line.scope);
            if is_last.is_some_and(|last| last.measure == line.measure) {
                out.push('\n');
            }
        }
    }
    out
}

#[test]
fn every_scenario_gives_what_it_gave_before_on_any_number_of_threads() {
    let names = all();
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let scenario = short(parse(&name));
        let one = told(&run(&scenario, 1));
        assert_eq!(one, told(&run(&scenario, 3)), "{name}");
        expect_file![format!("{}/tests/scenarios/{name}.txt", env!("CARGO_MANIFEST_DIR"))].assert_eq(&one);
    }
}

#[test]
fn every_scenario_is_told_in_words() {
    for name in all() {
        let words = scenario::explain(&parse(&name));
        expect_file![format!("{}/tests/scenarios/{name}.words.txt", env!("CARGO_MANIFEST_DIR"))]
            .assert_eq(&words);
    }
}

#[test]
fn every_scenario_says_its_question_and_compares_at_least_two_variants() {
    for name in all() {
        let text = std::fs::read_to_string(folder().join(format!("{name}.toml"))).expect("it can be read");
        let head: String = text.lines().take_while(|line| line.starts_with('#')).collect();
        assert!(head.contains('?'), "{name}: the comment on top asks a question");
        let scenario = parse(&name);
        assert!(scenario.variants.len() >= 2, "{name}");
        assert!(!scenario.about.is_empty(), "{name}");
    }
}
