//! What is read from a document, and what is refused in it, as a person sees it.

use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;

use muster_engine::Span;
use muster_engine::money::Money;

/// Reads a text with one reader, and shows what was read or refused.
fn check<T: std::fmt::Debug>(text: &str, read: impl FnOnce(Table<'_>) -> Option<T>, expect: &Expect) {
    expect.assert_eq(&match Document::read("day.toml", text, read) {
        Ok(read) => format!("{read:?}"),
        Err(refusals) => refusals.to_string(),
    });
}

#[derive(Debug)]
#[expect(dead_code, reason = "read by Debug, which is what the expectations compare")]
struct All {
    span: Span,
    zero: Span,
    rate: f64,
    money: Money,
    wage: Money,
    share: f64,
    text: String,
    integer: u8,
    number: f64,
    flag: bool,
    choice: i32,
    list: Vec<String>,
}

fn all(top: Table<'_>) -> Option<All> {
    let span = top.span("span").required();
    let zero = top.span_or_zero("zero").or(Span::from_secs(7));
    let rate = top.rate("rate").required();
    let money = top.money("money").required();
    let wage = top.money_rate("wage").required();
    let share = top.share("share").required();
    let text = top.text("text").required();
    let integer = top.integer("integer", 1..=200_u8).required();
    let number = top.number("number", 0.0..=f64::INFINITY).required();
    let flag = top.flag("flag").or(true);
    let choice = top.choice("choice", &[("one", 1), ("two", 2)]).required();
    let list = top.list("list", &form::text()).required();
    Some(All {
        span: span?,
        zero,
        rate: rate?,
        money: money?,
        wage: wage?.per_hour(),
        share: share?,
        text: text?,
        integer: integer?,
        number: number?,
        flag,
        choice: choice?,
        list: list?,
    })
}

#[test]
fn every_form_is_read() {
    check(
        r#"
span = "1 min 30 s"
zero = 0
rate = "12 /min"
money = "0.05 USD"
wage = "0.05 USD/min"
share = "5 %"
text = "Grüße"
integer = 0x10
number = 3
flag = false
choice = "two"
list = ["a", 'b']
"#,
        all,
        &expect![[
            r#"All { span: Span(90000000000), zero: Span(0), rate: 0.2, money: Money(50000), wage: Money(3000000), share: 0.05, text: "Grüße", integer: 16, number: 3.0, flag: false, choice: 2, list: ["a", "b"] }"#
        ]],
    );
}

const WRONG: &str = r#"
span = "soon"
zero = 1
rate = 12
money = "0.05 USD"
wage = "3 EUR/h"
share = 5
text = ""
integer = 201
number = nan
flag = "yes"
choice = "twoo"
list = ["a", 2, 1979-05-27]
"#;

#[test]
fn everything_wrong_is_said_at_once_with_its_place() {
    check(
        WRONG,
        all,
        &expect![[r#"
            span is 'soon'; allowed is a length of time above zero, such as 90 s or 1.5 h
             --> day.toml:2:8
              |
            2 | span = "soon"
              |        ^^^^^^

            zero is 1; allowed is a length of time, such as 90 s or 1.5 h
             --> day.toml:3:8
              |
            3 | zero = 1
              |        ^

            rate is 12; allowed is a rate from 0, such as 12 /min
             --> day.toml:4:8
              |
            4 | rate = 12
              |        ^^

            wage is '3 EUR/h'; allowed is money in one currency: USD, as in line 5
             --> day.toml:6:8
              |
            6 | wage = "3 EUR/h"
              |        ^^^^^^^^^

            share is 5; allowed is a share from 0 to 1 or from 0 % to 100 %, such as 0.05 or 5 %
             --> day.toml:7:9
              |
            7 | share = 5
              |         ^

            text is ''; allowed is a text in quotes
             --> day.toml:8:8
              |
            8 | text = ""
              |        ^^

            integer is 201; allowed is a whole number from 1 to 200
             --> day.toml:9:11
              |
            9 | integer = 201
              |           ^^^

            number is NaN; allowed is a number from 0
              --> day.toml:10:10
               |
            10 | number = nan
               |          ^^^

            flag is 'yes'; allowed is true or false
              --> day.toml:11:8
               |
            11 | flag = "yes"
               |        ^^^^^

            choice is 'twoo' (did you mean 'two'?); allowed is one or two
              --> day.toml:12:10
               |
            12 | choice = "twoo"
               |          ^^^^^^

            list[1] is 2; allowed is a text in quotes
              --> day.toml:13:14
               |
            13 | list = ["a", 2, 1979-05-27]
               |              ^

            list[2] is 1979-05-27; allowed is a text in quotes
              --> day.toml:13:17
               |
            13 | list = ["a", 2, 1979-05-27]
               |                 ^^^^^^^^^^"#]],
    );
}

#[test]
fn what_is_missing_is_said_with_what_it_is() {
    check(
        "[[app]]\nname = \"a\"\n\n[[app]]\n",
        |top| {
            let names: Vec<_> =
                top.tables("app").required()?.into_iter().map(|app| app.text("name").required()).collect();
            top.span("horizon").required();
            Some(names)
        },
        &expect![[r#"
            horizon is missing; it is a length of time above zero, such as 90 s or 1.5 h
             --> day.toml

            app[1].name is missing; it is a text in quotes
             --> day.toml:4:1
              |
            4 | [[app]]
              | ^^^^^^^"#]],
    );
}

#[test]
fn unknown_keys_are_found_in_every_table_that_is_read() {
    check(
        "[[app]]\nname = \"a\"\nnmae = 1\n\"odd key\" = 2\n[app.work]\nlaw = 3\n[left]\nx = 1\n",
        |top| {
            for app in top.tables("app").required()? {
                app.text("name").required();
                app.table("work").optional();
            }
            Some(())
        },
        &expect![[r#"
            app[0] has no 'nmae' (did you mean 'name'?); it has name, work
             --> day.toml:3:1
              |
            3 | nmae = 1
              | ^^^^

            app[0] has no 'odd key'; it has name, work
             --> day.toml:4:1
              |
            4 | "odd key" = 2
              | ^^^^^^^^^

            the file has no 'left'; it has app
             --> day.toml:7:2
              |
            7 | [left]
              |  ^^^^"#]],
    );
}

#[test]
fn what_is_not_toml_is_said_once_for_each_line() {
    check(
        "a = \nb = [1,\n[x]\ny = = 3\n",
        |_| Some(()),
        &expect![[r#"
        this is not TOML: string values must be quoted, expected literal string
         --> day.toml:1:5
          |
        1 | a = 
          |     ^

        this is not TOML: string values must be quoted, expected literal string
         --> day.toml:3:2
          |
        3 | [x]
          |  ^

        this is not TOML: missing comma between array elements, expected `,`
         --> day.toml:4:1
          |
        4 | y = = 3
          | ^"#]],
    );
}

#[test]
fn names_stand_alone_or_in_a_table() {
    let read = |top: Table<'_>| {
        let named = |key: &str| {
            let named = top.named(key, "law").required()?;
            Some((named.name, named.settings.map(|table| table.number("mean", 0.0..=9.0).optional())))
        };
        Some((named("a"), named("b")))
    };
    check(
        "a = \"fixed\"\nb = { law = \"normal\", mean = 2 }\n",
        read,
        &expect![[r#"(Some(("fixed", None)), Some(("normal", Some(Some(2.0)))))"#]],
    );
    check(
        "a = 3\nb = { mean = 10 }\n",
        read,
        &expect![[r#"
            a is 3; allowed is a name in quotes, or a table with law
             --> day.toml:1:5
              |
            1 | a = 3
              |     ^

            b.law is missing; it is a text in quotes
             --> day.toml:2:5
              |
            2 | b = { mean = 10 }
              |     ^^^^^^^^^^^^^"#]],
    );
}

#[test]
fn names_of_other_things_are_checked() {
    let names = ["moderation".to_owned(), "search".to_owned()];
    check(
        "serves = [\"search\", \"modertion\"]\n",
        |top| top.list("serves", &form::name_of("an app", &names)).required(),
        &expect![[r#"
            serves[1] is 'modertion' (did you mean 'moderation'?); allowed is the name of an app: moderation, search
             --> day.toml:1:21
              |
            1 | serves = ["search", "modertion"]
              |                     ^^^^^^^^^^^"#]],
    );
}

const BASE: &str = r#"
horizon = "8 h"
[[pool]]
name = "day"
workers = 20
[[pool]]
name = "night"
workers = 5
[policy]
scaling = { name = "pid-size", kp = 0.5 }
balance = { omega = 0.3, every = "10 s" }
"#;

/// Reads the base and each variant over it.
fn scenarios(top: Table<'_>) -> Option<Vec<String>> {
    let variants = top.tables("variant").or(Vec::new());
    let laid = variants.iter().map(|variant| {
        variant.text("name").required();
        top.overlaid(*variant, &["variant"])
    });
    let all: Vec<Table<'_>> = std::iter::once(top).chain(laid).collect();
    all.into_iter().map(scenario).collect()
}

fn scenario(table: Table<'_>) -> Option<String> {
    let mut out = format!("{:?} {}:", table.text("name").optional(), table.span("horizon").required()?);
    for pool in table.tables("pool").required()? {
        out += &format!(
            " {} {}",
            pool.text("name").required()?,
            pool.integer("workers", 0..=100_u32).required_or(0)
        );
    }
    let policy = table.table("policy").required()?;
    let scaling = policy.named("scaling", "name").required()?;
    let kp = scaling.settings.and_then(|settings| settings.number("kp", 0.0..=1.0).optional());
    let balance = policy.table("balance").required()?;
    let omega = balance.number("omega", 0.0..=1.0).optional();
    Some(format!("{out} {} {kp:?} {omega:?} {:?}", scaling.name, balance.span("every").optional()))
}

#[test]
fn variants_lie_over_the_base() {
    let text = format!(
        "{BASE}
[[variant]]
name = \"static\"
policy = {{ scaling = \"static\", balance = {{ omega = 0.9 }} }}
[[variant]]
name = \"more at night\"
horizon = \"1 d\"
pool = [{{ name = \"night\", workers = 9 }}]
policy.scaling = {{ name = \"other\" }}
"
    );
    check(
        &text,
        |top| scenarios(top).map(|all| all.join("\n")),
        &expect![[
            r#""None 8 h: day 20 night 5 pid-size Some(0.5) Some(0.3) Some(Span(10000000000))\nSome(\"static\") 8 h: day 20 night 5 static None Some(0.9) Some(Span(10000000000))\nSome(\"more at night\") 1 d: day 20 night 9 other None Some(0.3) Some(Span(10000000000))""#
        ]],
    );
}

#[test]
fn refusals_of_variants_point_at_their_own_lines() {
    let text = format!(
        "{BASE}
[[variant]]
name = \"wrong\"
horizn = \"1 d\"
pool = [{{ name = \"nigth\", workers = 9 }}, {{ name = \"day\", workers = 900 }}]
policy = {{ balance = {{ omga = 1 }} }}
variant = 3
"
    );
    check(
        &text,
        |top| scenarios(top).map(|all| all.join("\n")),
        &expect![[r#"
            variant[0] has no 'horizn' (did you mean 'horizon'?); it has horizon, name, policy, pool
              --> day.toml:15:1
               |
            15 | horizn = "1 d"
               | ^^^^^^

            variant[0].pool[0].name is 'nigth' (did you mean 'night'?); allowed is a name that is there already: day, night
              --> day.toml:16:18
               |
            16 | pool = [{ name = "nigth", workers = 9 }, { name = "day", workers = 900 }]
               |                  ^^^^^^^

            variant[0].pool[1].workers is 900; allowed is a whole number from 0 to 100
              --> day.toml:16:68
               |
            16 | pool = [{ name = "nigth", workers = 9 }, { name = "day", workers = 900 }]
               |                                                                    ^^^

            variant[0].policy.balance has no 'omga' (did you mean 'omega'?); it has every, omega
              --> day.toml:17:24
               |
            17 | policy = { balance = { omga = 1 } }
               |                        ^^^^

            variant[0] has no 'variant'; it has horizon, name, policy, pool
              --> day.toml:18:1
               |
            18 | variant = 3
               | ^^^^^^^"#]],
    );
}

#[test]
fn json_is_read_in_the_same_way() {
    let value =
        serde_json::json!({"span": "soon", "zero": null, "list": ["a", null], "x": 18446744073709551615_u64});
    let document = Document::of_json("body", value.as_object().unwrap());
    let out = all(document.top());
    let refusals = document.finish_with(out).unwrap_err();
    assert_eq!(refusals.0.len(), 11);
    expect![[r#"{"allowed":"a length of time above zero, such as 90 s or 1.5 h","field":"span","file":"body","message":"span is 'soon'; allowed is a length of time above zero, such as 90 s or 1.5 h","value":"'soon'"}"#]].assert_eq(&refusals.to_json()[0].to_string());
}

#[test]
fn a_text_can_be_too_long() {
    let text = " ".repeat(TEXT_MOST + 1);
    let refusals = Document::parse("big.toml", &text).unwrap_err().to_string();
    expect![[r#"
        the file has 16777217 bytes; at most 16777216 are read
         --> big.toml"#]]
    .assert_eq(&refusals);
}

#[test]
fn very_many_unknown_keys_are_not_all_said() {
    let text: String = (0..50_000).map(|i| format!("k{i} = 1\n")).collect();
    let refusals = Document::read("big.toml", &text, |top| Some(top.flag("key").or(true))).unwrap_err();
    assert_eq!(refusals.0.len(), REFUSED_MOST);
    assert!(refusals.to_string().ends_with("and 980 more"));
}

/// A reader that asks for everything in every way, whatever it is.
fn poke(table: Table<'_>, depth: u32) {
    if depth == 0 {
        return;
    }
    for key in table.keys().iter().map(String::as_str).chain(["span", "list"]) {
        table.span(key).optional();
        table.money(key).required();
        table.money_rate(key).optional();
        table.share(key).optional();
        table.integer(key, 0..=9_u8).optional();
        table.choice(key, &[("fast", ())]).optional();
        table.list(key, &form::rate()).optional();
        if let Some(named) = table.named(key, "name").optional() {
            named.word.complain_within(1, 3, "no");
        }
        if let Some(inner) = table.table(key).optional() {
            poke(inner, depth - 1);
            poke(table.overlaid(inner, &[]), depth - 1);
        }
        table.tables(key).or(Vec::new()).into_iter().for_each(|inner| poke(inner, depth - 1));
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(\\PC|[\n\\[\\]{}=\"'.,#a-c0-9 ]){0,80}") {
        if let Ok(document) = Document::parse("x.toml", &text) {
            poke(document.top(), 4);
            let _ = document.finish().map_err(|refusals| (refusals.to_string(), refusals.to_json()));
        }
    }

    #[test]
    fn no_table_makes_it_panic(lines in prop::collection::vec(
        "(\\[\\[?[a-c](\\.[a-c])?\\]\\]?|[a-e](\\.[a-c])? = (\"[^\"\\\\]{0,6}\"|-?[0-9]{1,20}|nan|\\{ name = \"[a-c]\", b = 1 \\}|\\[1, \"é\", \\{ name = \"a\" \\}\\]))",
        0..12,
    )) {
        if let Ok(document) = Document::parse("x.toml", &lines.join("\n")) {
            let top = document.top();
            poke(top, 4);
            poke(top.overlaid(top, &["a"]), 4);
            let _ = document.finish().map_err(|refusals| (refusals.to_string(), refusals.to_json()));
        }
    }
}
