//! What a policy table is read as, and what is refused in it.

use super::*;
use crate::document::Document;
use crate::refusal::Refusals;
use muster_engine::fact::Why;
use muster_engine::policy::dispatch::{Choice, Dispatch};
use muster_engine::policy::{Change, Entry};
use muster_engine::view::{Ask, View};

use expect_test::{Expect, expect};

fn read_text(text: &str) -> Result<Policies, Refusals> {
    read_with(text, &Registry::default())
}

fn read_with(text: &str, registry: &Registry) -> Result<Policies, Refusals> {
    let kinds = BTreeMap::from([("person".to_owned(), KindId(0)), ("gpu".to_owned(), KindId(1))]);
    let known = Known { registry, kinds: &kinds };
    Document::read("s.toml", text, |top| {
        let table = top.table("policy").required()?;
        let policies = read(table, known);
        check_together(table, &policies, known);
        Some(policies)
    })
}

fn check(text: &str, expect: &Expect) {
    expect.assert_eq(&match read_text(text) {
        Ok(policies) => format!("{:#?}", policies.of_pool()),
        Err(refusals) => refusals.to_string(),
    });
}

#[test]
fn the_design_s_example_is_read() {
    let text = r#"
        [policy]
        dispatch = { name = "worker-conscious", concessions = 3 }
        scaling = { name = "pid-size", kp = 0.5, kind = "gpu", every = "30 s" }
        replacement = { name = "rules", rules = ["if recommended - size > 5 then recruit 1"] }
        balance = { name = "preference-aware", omega = "30 %" }
    "#;
    let policies = read_text(text).unwrap();
    let pool = policies.of_pool();
    assert_eq!(
        pool.scaling,
        PolicySpec::named("pid-size").with("kp", 0.5).with("kind", 1_u32).with("every", "30 s")
    );
    assert_eq!(pool.dispatch, PolicySpec::named("worker-conscious").with("concessions", 3_u32));
    assert_eq!(pool.matching, PoolPolicies::default().matching);
    assert_eq!(policies.balance(), Some(&PolicySpec::named("preference-aware").with("omega", 0.3)));
}

#[test]
fn every_policy_of_the_engine_can_be_named() {
    let registry = Registry::default();
    for family in FAMILIES {
        for (name, ..) in registry.describe(family) {
            let text = format!("[policy]\n{} = \"{name}\"\n", family.name());
            let read = read_text(&text);
            let needs_a_planner =
                |refusals: &Refusals| refusals.to_string().contains("needs a scaling policy");
            assert!(read.as_ref().err().is_none_or(needs_a_planner), "{name}: {read:?}");
        }
    }
}

#[test]
fn what_is_unknown_comes_with_the_nearest() {
    check(
        "[policy]\ndispatch = \"wieghted-fair\"\nscaling = { name = \"pid-size\", kpp = 1, kind = \"persn\" }\nscalling = 1\n",
        &expect![[r#"
            policy.dispatch is 'wieghted-fair' (did you mean 'weighted-fair'?); allowed is fifo, shortest-first, round-robin, fair, weighted-fair, worker-conscious, least-patience, priority
             --> s.toml:2:12
              |
            2 | dispatch = "wieghted-fair"
              |            ^^^^^^^^^^^^^^^

            policy.scaling has no 'kpp' (did you mean 'kp'?); it has cooldown, count_in_flight, every, kd, ki, kind, kp, least, most, name, step_most
             --> s.toml:3:32
              |
            3 | scaling = { name = "pid-size", kpp = 1, kind = "persn" }
              |                                ^^^

            policy.scaling.kind is 'persn' (did you mean 'person'?); allowed is gpu, person
             --> s.toml:3:48
              |
            3 | scaling = { name = "pid-size", kpp = 1, kind = "persn" }
              |                                                ^^^^^^^

            policy has no 'scalling' (did you mean 'scaling'?); it has balance, dispatch, matching, replacement, scaling
             --> s.toml:4:1
              |
            4 | scalling = 1
              | ^^^^^^^^"#]],
    );
}

#[test]
fn all_wrong_values_of_a_policy_are_said() {
    check(
        "[policy]\nscaling = { name = \"pid-size\", kp = \"much\", every = \"soon\", least = -1 }\n",
        &expect![[r#"
            policy.scaling.kp is 'much'; allowed is a number from 0 to 1000
             --> s.toml:2:37
              |
            2 | scaling = { name = "pid-size", kp = "much", every = "soon", least = -1 }
              |                                     ^^^^^^

            policy.scaling.every is 'soon'; allowed is a length of time above zero, such as 90 s or 1.5 h
             --> s.toml:2:53
              |
            2 | scaling = { name = "pid-size", kp = "much", every = "soon", least = -1 }
              |                                                     ^^^^^^

            policy.scaling.least is -1; allowed is a whole number from 0 to 10000000
             --> s.toml:2:69
              |
            2 | scaling = { name = "pid-size", kp = "much", every = "soon", least = -1 }
              |                                                                     ^^"#]],
    );
}

#[test]
fn a_wrong_rule_is_marked_in_the_file() {
    check(
        "[policy.replacement]\nname = \"rules\"\nrules = [\n  \"if size < 3 then recruit 1\",\n  \"if szie < 3 then recruit 1\",\n]\n",
        &expect![[r#"
            policy.replacement.rules[1]: 'szie' is not known (did you mean 'size'?)
             --> s.toml:5:7
              |
            5 |   "if szie < 3 then recruit 1",
              |       ^^^^"#]],
    );
}

/// A dispatch policy that follows plans, and so needs somebody who makes them.
#[derive(Debug)]
struct Follower;

impl Dispatch for Follower {
    fn note(&mut self, _change: &Change, _view: View<'_>) {}

    fn choose(&self, _ask: &Ask<'_>) -> Option<Choice> {
        None
    }

    fn explain(&self, _why: Why) -> String {
        "as planned".to_owned()
    }

    fn follows_plans(&self) -> bool {
        true
    }
}

#[test]
fn policies_must_go_together() {
    let mut registry = Registry::default();
    registry.dispatch.push(Entry {
        name: "follower",
        about: "Follows plans.",
        settings: &[],
        version: 1,
        start: |_| Ok(Box::new(Follower)),
    });
    let text = "[policy]\nscaling = \"static\"\ndispatch = \"follower\"\n";
    expect![[r#"
        policy.dispatch: follower needs a scaling policy that makes plans
         --> s.toml:3:12
          |
        3 | dispatch = "follower"
          |            ^^^^^^^^^^"#]]
    .assert_eq(&read_with(text, &registry).unwrap_err().to_string());
}

#[test]
fn tables_without_a_name_and_odd_values_are_refused() {
    check(
        "[policy]\nscaling = { kp = 1 }\nmatching = 3\ndispatch = { name = \"fair\", share = { a = 1 } }\n",
        &expect![[r#"
            policy.scaling.name is missing; it is a text in quotes
             --> s.toml:2:11
              |
            2 | scaling = { kp = 1 }
              |           ^^^^^^^^^^

            policy.matching is 3; allowed is a name in quotes, or a table with name
             --> s.toml:3:12
              |
            3 | matching = 3
              |            ^

            policy.dispatch.share is a table; allowed is a text, a number, true or false, or a list of them
             --> s.toml:4:37
              |
            4 | dispatch = { name = "fair", share = { a = 1 } }
              |                                     ^^^^^^^^^"#]],
    );
}
