//! Rules: what they mean, and how wrong ones are refused.

use expect_test::{Expect, expect};

use super::{METRICS, net, parse};

fn lookup<'a>(values: &'a [(&'a str, f64)]) -> impl Fn(usize) -> Option<f64> + 'a {
    move |metric| values.iter().find(|(name, _)| *name == METRICS[metric].name).map(|(_, value)| *value)
}

fn change(rules: &[&str], values: &[(&str, f64)]) -> i64 {
    let rules: Vec<super::Rule> = rules.iter().map(|rule| parse::rule(rule).unwrap()).collect();
    net(&rules, &lookup(values)).0
}

fn refused(rule: &str, expected: &Expect) {
    expected.assert_eq(&parse::rule(rule).unwrap_err().to_string());
}

#[test]
fn all_rules_that_hold_act_together() {
    let rules = [
        "if queue > 10 or recommended - size > 5 then recruit 1",
        "if recommended - size < -5 then release 1",
        "if queue > 100 then recruit 10",
    ];
    let at = |queue, size, recommended| {
        change(&rules, &[("queue", queue), ("size", size), ("recommended", recommended)])
    };
    assert_eq!(at(0.0, 10.0, 10.0), 0);
    assert_eq!(at(11.0, 10.0, 10.0), 1);
    assert_eq!(at(0.0, 4.0, 10.0), 1);
    assert_eq!(at(0.0, 16.0, 10.0), -1);
    assert_eq!(at(101.0, 16.0, 10.0), 10);
}

#[test]
fn operators_bind_as_usual() {
    let holds =
        |rule: &str, values: &[(&str, f64)]| change(&[&format!("if {rule} then recruit 1")], values) == 1;
    let some = [("queue", 7.0), ("idle", 0.0), ("busy", 3.0)];
    assert!(holds("queue - busy * 2 = 1", &some));
    assert!(holds("(queue - busy) * 2 == 8 and not idle > 0", &some));
    assert!(holds("idle > 0 and busy > 0 or queue >= 7", &some));
    assert!(!holds("idle > 0 and (busy > 0 or queue >= 7)", &some));
    assert!(holds("not (idle > 0 or queue < 7) and -busy < -2.5", &some));
    assert!(holds("queue / busy > 2 and queue / busy < 2.5 and busy != 4", &some));
}

#[test]
fn what_is_not_known_does_not_hold_nor_does_its_opposite() {
    assert_eq!(change(&["if recommended > 5 then recruit 1"], &[]), 0);
    assert_eq!(change(&["if not recommended > 5 then recruit 1"], &[]), 0);
    assert_eq!(change(&["if recommended > 5 or queue > 1 then recruit 2"], &[("queue", 3.0)]), 2);
    assert_eq!(change(&["if queue > 1 then recruit recommended - size"], &[("queue", 3.0)]), 0);
}

#[test]
fn the_number_of_workers_may_be_reckoned() {
    let some = [("recommended", 9.0), ("size", 4.0), ("queue", 3.0)];
    assert_eq!(change(&["if queue > 1 then recruit (recommended - size) / 2"], &some), 2);
    assert_eq!(change(&["if queue > 1 then release size - recommended"], &some), 0);
}

#[test]
fn a_wrong_rule_is_refused_with_the_place_marked() {
    refused(
        "if quue > 10 then recruit 1",
        &expect![[r#"
            'quue' is not known (did you mean 'queue'?)
              if quue > 10 then recruit 1
                 ^^^^"#]],
    );
    refused(
        "if queue > 10 then hire 1",
        &expect![[r#"
            'recruit' or 'release' is expected here
              if queue > 10 then hire 1
                                 ^^^^"#]],
    );
    refused(
        "if queue + 1 then recruit 1",
        &expect![[r#"
            this is a number; a comparison is expected here
              if queue + 1 then recruit 1
                 ^^^^^^^^^"#]],
    );
    refused(
        "if (queue > 10 then recruit 1",
        &expect![[r#"
            ')' is expected here
              if (queue > 10 then recruit 1
                             ^^^^"#]],
    );
    refused(
        "if queue > 10",
        &expect![[r#"
            'then' is expected here
              if queue > 10
                           ^"#]],
    );
    refused(
        "if queue > 1.2.3 then recruit 1",
        &expect![[r#"
            '1.2.3' is not a number
              if queue > 1.2.3 then recruit 1
                         ^^^^^"#]],
    );
    refused(
        "if queue § 1 then recruit 1",
        &expect![[r#"
            '§' means nothing here
              if queue § 1 then recruit 1
                       ^"#]],
    );
    let deep = format!("if {}queue > 1 then recruit 1", "(".repeat(1000));
    assert!(parse::rule(&deep).unwrap_err().message.contains("too deeply"));
}
