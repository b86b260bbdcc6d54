//! The language of scenario files: what is understood, and what is refused, as a person sees it.

use std::path::PathBuf;

use expect_test::{Expect, expect};
use muster_engine::policy::Registry;
use muster_formats::refusal::Refusals;
use muster_sim::drive::{Run, Unwatched, run};
use muster_sim::model::Scenario;
use muster_sim::scenario;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

/// Parses a text; files are those of the folder of scenarios.
fn parse(text: &str) -> Result<Scenario, Refusals> {
    let mut load = |name: &str| std::fs::read(folder().join(name)).map_err(|error| error.kind().to_string());
    scenario::parse("day.toml", text, &mut load, &Registry::default())
}

/// What is wrong with a text.
fn refused(text: &str, expect: &Expect) {
    expect.assert_eq(&match parse(text) {
        Ok(_) => "nothing".to_owned(),
        Err(refusals) => refusals.to_string(),
    });
}

#[test]
fn the_example_of_the_design_is_read_and_run_as_it_stands() {
    let scenario =
        parse(include_str!("scenario/design.toml")).unwrap_or_else(|refusals| panic!("{refusals}"));
    assert_eq!(scenario.variants.len(), 2);
    for variant in &scenario.variants {
        let run = run(Run {
            setup: &variant.setup,
            plan: &scenario.plan,
            number: 0,
            registry: &Registry::default(),
            watch: &Unwatched,
        });
        assert!(run.expect("the engine takes it").edges.jobs_done > 1000);
    }
}

#[test]
fn slips_are_refused_at_their_place() {
    refused(
        "horizon = \"8 h\"\n[[app]]\nname = \"a\"\nwork = \"1 s\"\narivals = 3\n[[pool]]\nname = \"p\"\nserves = [\"b\"]\n",
        &expect![[r#"
            no work comes: give an app arrivals or a backlog, or add a [[demand]]
             --> day.toml

            app[0] has no 'arivals'; it has expected, late_pay, lease, name, practice, switching, switching_job, training, work, work_of
             --> day.toml:5:1
              |
            5 | arivals = 3
              | ^^^^^^^

            pool[0].serves[0] is 'b' (did you mean 'a'?); allowed is the name of an app: a
             --> day.toml:8:11
              |
            8 | serves = ["b"]
              |           ^^^"#]],
    );
}
