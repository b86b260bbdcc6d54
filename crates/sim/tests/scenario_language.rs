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

const APP: &str = r#"
[[app]]
name = "check"
work = "20 s"
arrivals = { law = "poisson", rate = "1 /s" }
"#;

#[test]
fn ten_lines_are_enough() {
    let scenario = parse(&format!("horizon = \"1 h\"\n{APP}\n[crowd]\nworkers = 25\n")).expect("it is right");
    let setup = &scenario.variants[0].setup;
    assert_eq!(
        (setup.tenants.len(), setup.kinds.len(), setup.pools.len(), setup.demands.len()),
        (1, 1, 1, 1)
    );
    assert_eq!(setup.pools[0].workers, [(0, 25)]);
    assert_eq!(scenario.variants[0].name, "as written");
}

#[test]
fn slips_are_refused_all_at_once_each_at_its_place() {
    refused(
        r#"
horizon = "8 hours"
replicatons = 20

[[app]]
name = "check"
work = { law = "log-normall", mean = "20 s" }
arivals = { law = "poisson", rate = "1 /s" }

[[app]]
name = "review"
work = { law = "gamma", mean = "20 s", sd = 3 }
arrivals = { law = "poisson", rate = "12" }
price = "0.05 EUR"

[[pool]]
name = "day"
serves = ["chekc", "review"]
workers = { poeple = 3 }
policy = { scaling = { name = "pid-size", kq = 1 }, balance = "none" }

[crowd]
wage_waiting = "0.05 USD/min"
skipping = { task = "60 %", job = 0.6 }
"#,
        &expect![[""]],
    );
}

#[test]
fn names_of_other_things_are_refused_with_the_nearest() {
    refused(
        &format!(
            "horizon = \"1 h\"\n{APP}
[[tenant]]\nname = \"shop\"\n[[tenant]]\nname = \"bank\"
[[kind]]\nname = \"editor\"\n[[kind]]\nname = \"editor\"
[[pool]]\nname = \"all\"\npayer = \"shopp\"\nshifts = [{{ kind = \"editr\", workers = 1, length = \"1 h\" }}]
[[demand]]\napp = \"chek\"\ntenant = \"bnak\"\nbacklog = 1\nname = \"late\"
[[demand]]\nname = \"flow\"\ntenant = \"bank\"\nbacklog = 1\nsteps = [{{ app = \"check\" }}, {{ name = \"again\", app = \"check\", after = [\"chek\", \"again\"] }}]
[[variant]]\nname = \"v\"\npool = [{{ name = \"alll\", workers = 3 }}]
"
        ),
        &expect![[""]],
    );
}

#[test]
fn files_are_refused_at_their_own_lines() {
    let text = format!(
        "horizon = \"1 h\"\n{}",
        APP.replace("rate = \"1 /s\"", "rate = \"1 /s\", curve = \"bad.csv\"")
    ) + "gives_up = { law = \"empirical\", file = \"gone.csv\" }\nsize = { law = \"empirical\", file = \"sizes.csv\" }\n";
    let mut load = |name: &str| match name {
        "bad.csv" => Ok(b"# a note\nhours,factor\n0,1\n2,-3\n".to_vec()),
        "sizes.csv" => Ok(b"tasks\n3\n".to_vec()),
        _ => Err("no such file".to_owned()),
    };
    let refusals =
        scenario::parse("day.toml", &text, &mut load, &Registry::default()).expect_err("they are wrong");
    expect![[""]].assert_eq(&refusals.to_string());
}

#[test]
fn what_only_the_engine_refuses_points_at_its_place_too() {
    refused(
        &format!(
            "horizon = \"1 h\"\n{APP}
[[app]]\nname = \"other\"\nwork = \"1 s\"\nbacklog = 3
[[pool]]\nname = \"one\"\nserves = [\"check\"]
[[pool]]\nname = \"two\"\nserves = [\"check\"]
[[variant]]\nname = \"v\"\n[[variant.pool]]\nname = \"two\"\nserves = [\"other\"]\nrecommend = {{ aim = \"occupancy\", occupancy = 1.0 }}
"
        ),
        &expect![[""]],
    );
    refused(
        &format!(
            "horizon = \"1 h\"\n{APP}[[app]]\nname = \"other\"\nwork = \"1 s\"\nbacklog = 3\n[[pool]]\nname = \"one\"\nserves = [\"check\"]\n"
        ),
        &expect![[""]],
    );
    refused(
        &format!(
            "horizon = \"1 h\"\n{APP}[crowd]\nworkers = 5\nmost = 3\n[policy]\ndispatch = \"planned\"\n"
        ),
        &expect![[""]],
    );
}

#[test]
fn a_variant_lies_over_the_rest() {
    let text = format!(
        r#"horizon = "1 h"
{APP}
[[pool]]
name = "all"
workers = 3
policy = {{ scaling = {{ name = "pid-size", kp = 0.5, every = "30 s" }} }}
[crowd]
staying = {{ law = "exponential", mean = "10 min" }}
bored = "5 min"

[[variant]]
name = "faster"
app = [{{ name = "check", arrivals = {{ rate = "2 /s" }} }}]
crowd = {{ staying = {{ mean = "20 min" }} }}
[[variant.pool]]
name = "all"
policy = {{ scaling = {{ kp = 1.5 }} }}
"#
    );
    let scenario = parse(&text).unwrap_or_else(|refusals| panic!("{refusals}"));
    let words = scenario::explain(&scenario);
    expect![[""]].assert_eq(words.split_once("Variants\n").expect("there are some").1);
}

#[test]
fn a_variant_cannot_change_how_long_is_run() {
    refused(
        &format!("horizon = \"1 h\"\n{APP}[[variant]]\nname = \"v\"\nhorizon = \"2 h\"\n"),
        &expect![[""]],
    );
}

#[test]
fn the_end_is_said_once() {
    refused(
        &format!(
            "horizon = \"1 h\"\njobs = 10\nwarm_up = \"2 h\"\nreplications = 3\nprecision = {{ measure = \"wait\", within = 0 }}\n{APP}"
        ),
        &expect![[""]],
    );
}
