//! What comes out is what went in, and ties are said.

use super::*;
use crate::upload::{Limits, Upload};
use expect_test::expect;
use proptest::prelude::*;
use serde_json::json;

fn answered<'a>(input: &'a str, answer: &'a str, about: &'a [(&'a str, Value)]) -> Answered<'a> {
    Answered { task: 3, worker: "w 1", about, input, answer }
}

/// Lines as source files have them; that tables have others is seen here.
fn unix(text: &str) -> String {
    assert_eq!(text.matches("\r\n").count(), text.matches('\n').count());
    text.replace("\r\n", "\n")
}

#[test]
fn lines_hold_everything_as_it_was_given() {
    let about = [("work_s", json!(12.5))];
    let one = answered("{\"n\": 12345678901234567890123}", "{\n \"cat\": \"a\\nb\"\n}", &about);
    expect![[r#"{"task":3,"worker":"w 1","work_s":12.5,"input":{"n": 12345678901234567890123},"answer":{  "cat": "a\nb" }}"#]].assert_eq(&line(&one));
    expect![[r#"{"task":3,"worker":"w 1","input":"","answer":"not json"}"#]].assert_eq(&line(&answered(
        "",
        "not json",
        &[],
    )));
}

#[test]
fn tables_have_columns_for_all_that_is_there() {
    let about = [("work_s", json!(2))];
    let rows = [
        answered(r#"{"url":"a,b","n":1}"#, r#"{"cat":"say \"hi\"","ok":true}"#, &about),
        answered(r#"{"url":"=cmd()"}"#, r#"{"cat":null,"box":[1,-2],"n":-5}"#, &[]),
        answered("{}", "\"yes\"", &[]),
    ];
    let mut table = Table::new();
    rows.iter().for_each(|row| table.widen(row));
    let text = |guard| {
        let lines = rows.iter().map(|row| table.row(row, guard).unwrap());
        table.header(guard) + &lines.collect::<String>()
    };
    expect![[r#"
        task,worker,work_s,Input.n,Input.url,Answer.cat,Answer.ok,Answer.box,Answer.n,Answer
        3,w 1,2,1,"a,b","say ""hi""",true,,,
        3,w 1,,,'=cmd(),,,"[1,-2]",-5,
        3,w 1,,,,,,,,yes
    "#]]
    .assert_eq(&unix(&text(Guard::Spreadsheet)));
    assert!(text(Guard::Exact).contains(",=cmd(),"));
    assert_eq!(Table::new().row(&rows[0], Guard::Exact), Err("work_s".to_owned()));
    assert_eq!(Table::new().row(&rows[1], Guard::Exact), Err("Input.url".to_owned()));
}

#[test]
fn formulas_are_kept_from_spreadsheets_and_numbers_are_not() {
    let cell = |text: &str| csv_line([text.to_owned()].into_iter(), Guard::Spreadsheet).trim_end().to_owned();
    for formula in ["=1+1", "+x", "-cmd", "@sum", "-1+1", "+", "＝1"] {
        assert_eq!(cell(formula), format!("'{formula}"));
    }
    for plain in ["-5", "+3.5e-7", "a=b", "", "-0"] {
        assert_eq!(cell(plain), plain);
    }
}

#[test]
fn the_majority_is_counted_and_ties_are_said() {
    let votes = majority::count(&[
        r#"{"cat":"yes","dog":1}"#,
        r#"{"cat":"yes","dog":"1"}"#,
        r#"{"cat":"no","dog":null,"box":{"b":1,"a":2}}"#,
        r#"{"box":{"a":2,"b":1}}"#,
    ]);
    expect![[r#"{"task":3,"answers":4,"majority":{"box":{"of":2,"value":{"a":2,"b":1},"votes":2},"cat":{"of":3,"value":"yes","votes":2},"dog":{"of":2,"tied":[1,"1"],"votes":1}}}"#]].assert_eq(&majority::line(3, 4, &votes));
    let fields = ["cat".to_owned(), "dog".to_owned()];
    expect![[r#"
        task,answers,Majority.cat,Votes.cat,Tied.cat,Majority.dog,Votes.dog,Tied.dog
        3,4,yes,2 of 3,,,1 of 2,"[1,""1""]"
    "#]]
    .assert_eq(&unix(
        &(majority::header(&fields, Guard::Spreadsheet)
            + &majority::row(3, 4, &votes, &fields, Guard::Spreadsheet)),
    ));
    let cat = votes.iter().find(|vote| vote.field == "cat").unwrap();
    assert!(cat.is_absolute());
    assert_eq!(majority::count(&[]), []);
    assert_eq!(majority::count(&["\"a\"", "\"b\"", "\"a\""])[0].winner(), Some(&json!("a")));
}

proptest! {
    /// What is written as a table can be uploaded again: its inputs come back.
    #[test]
    fn inputs_come_back_from_a_table(texts in prop::collection::vec("[a\"',\r\n é=@-]{0,8}", 1..6)) {
        let inputs: Vec<String> = texts.iter().map(|text| json!({"x": text}).to_string()).collect();
        let rows: Vec<Answered<'_>> = inputs.iter().map(|input| answered(input, "{\"y\":1}", &[])).collect();
        let mut table = Table::new();
        rows.iter().for_each(|row| table.widen(row));
        let lines: String = rows.iter().map(|row| table.row(row, Guard::Exact).unwrap()).collect();
        let text = table.header(Guard::Exact) + &lines;
        let mut read = Vec::new();
        let upload = Upload::csv("x", Limits::default());
        upload.read(text.as_bytes(), &mut |task| read.push(String::from_utf8(task.payload).unwrap())).unwrap();
        prop_assert_eq!(read, inputs);
    }

    #[test]
    fn every_line_is_one_line_of_json(input in "\\PC{0,20}|[\\{\\}\n\":a0 ]{0,12}", answer in "[\\[\\]\r\n1, ]{0,12}") {
        let line = line(&answered(&input, &answer, &[]));
        prop_assert!(!line.contains(['\n', '\r']));
        prop_assert!(serde_json::from_str::<Value>(&line).is_ok(), "{}", line);
    }

    #[test]
    fn votes_add_up(answers in prop::collection::vec("[ab]", 0..9)) {
        let json: Vec<String> = answers.iter().map(|answer| format!("{{\"x\":\"{answer}\"}}")).collect();
        let counted = majority::count(&json.iter().map(String::as_str).collect::<Vec<_>>());
        let a = answers.iter().filter(|answer| *answer == "a").count();
        let b = answers.len() - a;
        let winner = match a.cmp(&b) {
            std::cmp::Ordering::Greater => Some("a"),
            std::cmp::Ordering::Less => Some("b"),
            std::cmp::Ordering::Equal => None,
        };
        prop_assert_eq!(counted.first().and_then(|vote| vote.winner()).and_then(Value::as_str), winner);
        prop_assert_eq!(counted.first().map_or(0, |vote| vote.of), answers.len());
    }
}
