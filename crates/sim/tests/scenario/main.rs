//! The language of scenario files: what is understood, and what is refused, as a person sees it.

mod recorded;

use std::path::PathBuf;

use expect_test::{Expect, expect, expect_file};
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
    let scenario = parse(include_str!("design.toml")).unwrap_or_else(|refusals| panic!("{refusals}"));
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

/// Something wrong in every part.
const SLIPS: &str = r#"
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
"#;

#[test]
fn slips_are_refused_all_at_once_each_at_its_place() {
    let refusals = parse(SLIPS).expect_err("it is full of slips");
    expect_file!["slips.txt"].assert_eq(&format!("{refusals}\n"));
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
        &expect![[r#"
            app[0].tenant is missing; it is the name of a tenant: shop, bank
             --> day.toml:3:1
              |
            3 | [[app]]
              | ^^^^^^^

            kind[1].name: there is a kind of worker called 'editor' already
              --> day.toml:15:8
               |
            15 | name = "editor"
               |        ^^^^^^^^

            pool[0].payer is 'shopp' (did you mean 'shop'?); allowed is shared or shop or bank
              --> day.toml:18:9
               |
            18 | payer = "shopp"
               |         ^^^^^^^

            pool[0].shifts[0].kind is 'editr' (did you mean 'editor'?); allowed is the name of a kind of worker: editor, editor
              --> day.toml:19:20
               |
            19 | shifts = [{ kind = "editr", workers = 1, length = "1 h" }]
               |                    ^^^^^^^

            demand[0].app is 'chek' (did you mean 'check'?); allowed is the name of an app: check
              --> day.toml:21:7
               |
            21 | app = "chek"
               |       ^^^^^^

            demand[0].tenant is 'bnak' (did you mean 'bank'?); allowed is the name of a tenant: shop, bank
              --> day.toml:22:10
               |
            22 | tenant = "bnak"
               |          ^^^^^^

            demand[1].steps[1].after[0] is 'chek' (did you mean 'check'?); allowed is the name of a step before this one: check
              --> day.toml:29:71
               |
            29 | steps = [{ app = "check" }, { name = "again", app = "check", after = ["chek", "again"] }]
               |                                                                       ^^^^^^

            demand[1].steps[1].after[1] is 'again'; allowed is the name of a step before this one: check
              --> day.toml:29:79
               |
            29 | steps = [{ app = "check" }, { name = "again", app = "check", after = ["chek", "again"] }]
               |                                                                               ^^^^^^^

            variant[0].pool[0].name is 'alll' (did you mean 'all'?); allowed is a name that is there already: all
              --> day.toml:32:18
               |
            32 | pool = [{ name = "alll", workers = 3 }]
               |                  ^^^^^^"#]],
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
    expect![[r#"
        app[0].gives_up.file: the file 'gone.csv' cannot be read: no such file
         --> day.toml:7:40
          |
        7 | gives_up = { law = "empirical", file = "gone.csv" }
          |                                        ^^^^^^^^^^

        the headings are 'tasks'; there must be a column called value
         --> sizes.csv:1:1
          |
        1 | tasks
          | ^^^^^

        factor is '-3'; allowed is a number from 0, such as 1.5
         --> bad.csv:4:1
          |
        4 | 2,-3
          | ^^^^"#]]
    .assert_eq(&refusals.to_string());
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
        &expect![[r#"
            pool[1].serves: 'check' is served by the pool 'one' already
              --> day.toml:17:10
               |
            17 | serves = ["check"]
               |          ^^^^^^^^^

            variant[0].pool[0].recommend: occupancy is 1; allowed is a number between 0 and 1, without both
              --> day.toml:23:13
               |
            23 | recommend = { aim = "occupancy", occupancy = 1.0 }
               |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"#]],
    );
    refused(
        &format!(
            "horizon = \"1 h\"\n{APP}[[app]]\nname = \"other\"\nwork = \"1 s\"\nbacklog = 3\n[[pool]]\nname = \"one\"\nserves = [\"check\"]\n"
        ),
        &expect![[r#"
            app[1].name: no pool serves 'other' for 'everybody'
             --> day.toml:8:8
              |
            8 | name = "other"
              |        ^^^^^^^"#]],
    );
    refused(
        &format!(
            "horizon = \"1 h\"\n{APP}[crowd]\nworkers = 5\nmost = 3\n[policy]\ndispatch = \"planned\"\n"
        ),
        &expect![[r#"
            crowd.most: the pools have 5 of 'people' at the beginning and in shifts, and there are 3
             --> day.toml:9:8
              |
            9 | most = 3
              |        ^

            policy.dispatch is 'planned'; allowed is fifo, shortest-first, round-robin, fair, weighted-fair, worker-conscious, least-patience, priority
              --> day.toml:11:12
               |
            11 | dispatch = "planned"
               |            ^^^^^^^^^"#]],
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
    let variants = words.split_once("Variants\n").expect("there are some").1;
    let lines: Vec<&str> = variants.lines().map(str::trim).collect();
    expect![[r#"
        as written: all as said above.
        faster:
        Demand 'check': tasks of 'check' at random (Poisson), 2 per second on average.
        Workers 'people' get no wage for waiting. Who is called for is there at once. They stay for
        20 min on average (exponential). They leave when they have waited for 5 min.
        Pool 'all': what comes would keep about 40 workers busy, with only 3 there: the queue grows
        unless more come.
        Pool 'all', how many workers: pid-size (every '30 s', kp 1.5)."#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_variant_cannot_change_how_long_is_run() {
    refused(
        &format!("horizon = \"1 h\"\n{APP}[[variant]]\nname = \"v\"\nhorizon = \"2 h\"\n"),
        &expect![[r#"
            variant[0] has no 'horizon'; it has app, crowd, demand, kind, name, policy, pool, tenant
             --> day.toml:9:1
              |
            9 | horizon = "2 h"
              | ^^^^^^^"#]],
    );
}

#[test]
fn the_end_is_said_once() {
    refused(
        &format!(
            "horizon = \"1 h\"\njobs = 10\nwarm_up = \"2 h\"\nreplications = 3\nprecision = {{ measure = \"wait\", within = 0 }}\n{APP}"
        ),
        &expect![[r#"
            jobs: the end is said by horizon already; give one of horizon, drain and jobs
             --> day.toml:2:8
              |
            2 | jobs = 10
              |        ^^

            warm_up: it must be over before the end, which is at 1 h
             --> day.toml:3:11
              |
            3 | warm_up = "2 h"
              |           ^^^^^

            precision: how often is said by replications already; give one of them
             --> day.toml:5:13
              |
            5 | precision = { measure = "wait", within = 0 }
              |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            precision.measure is 'wait'; allowed is throughput or wait-mean or wait-p50 or wait-p95 or wait-p99 or response-mean or slowdown or queue or gave-up or cost or cost-answers or cost-waiting or cost-training or cost-machines or cost-per-answer or idle-share or size or recommended or size-gap or switches-job or switches-app or share or fairness or preference or joined or left or moved or expired or patience
             --> day.toml:5:25
              |
            5 | precision = { measure = "wait", within = 0 }
              |                         ^^^^^^

            precision.within is 0; allowed is a share above 0, such as 5 %
             --> day.toml:5:42
              |
            5 | precision = { measure = "wait", within = 0 }
              |                                          ^"#]],
    );
}

#[test]
fn who_always_gives_back_at_once_would_never_end() {
    let text = |after: &str| {
        format!("horizon = \"1 h\"\n{APP}[crowd]\nworkers = 1\nskipping = {{ give_back = 1{after} }}\n")
    };
    refused(
        &text(""),
        &expect![[r#"
        crowd.skipping.give_back: if everybody gives every task back (1), `after` must say after how long, more than 0 s
         --> day.toml:9:26
          |
        9 | skipping = { give_back = 1 }
          |                          ^"#]],
    );
    assert!(parse(&text(", after = \"10 s\"")).is_ok());
}
