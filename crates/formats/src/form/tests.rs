//! Forms: what they say, what they refuse, and answers read by them.

use serde_json::json;

use super::*;

const FORM: &str = r#"{
  "show": [{"input": "photo", "as": "image"}, {"input": "text", "label": "What was written"}],
  "fields": [
    {"name": "verdict", "label": "Is it allowed?", "type": "choice", "options": ["yes", {"value": "no", "label": "No, remove it"}]},
    {"name": "tags", "type": "choices", "options": ["spam", "rude"]},
    {"name": "total", "type": "number", "least": 0, "most": 10, "step": 0.01},
    {"name": "note", "type": "text", "lines": 3, "most": 5, "required": false}
  ]
}"#;

fn said(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn read(pairs: &[(&str, &str)]) -> Result<Value, Vec<(String, String)>> {
    Form::parse("form", FORM).expect("a form").read(&said(pairs)).map(Value::Object)
}

#[test]
fn what_was_filled_in_becomes_an_answer() {
    let answer = read(&[
        ("verdict", "no"),
        ("tags", "rude"),
        ("tags", "spam"),
        ("total", "1.25"),
        ("note", "ok"),
        ("more", "x"),
    ]);
    assert_eq!(answer, Ok(json!({"verdict": "no", "tags": ["rude", "spam"], "total": 1.25, "note": "ok"})));
    let least = read(&[("verdict", "yes"), ("total", "3"), ("note", " ")]);
    assert_eq!(least, Ok(json!({"verdict": "yes", "tags": [], "total": 3, "note": null})));
}

#[test]
fn every_field_that_is_wrong_is_named() {
    let faults =
        read(&[("verdict", "maybe"), ("tags", "loud"), ("total", "11"), ("note", "longer")]).unwrap_err();
    let faults: Vec<String> = faults.into_iter().map(|(name, why)| format!("{name}: {why}")).collect();
    assert_eq!(
        faults,
        [
            "verdict: 'maybe' is not one of these.",
            "tags: 'loud' is not one of these.",
            "total: 11 is not between 0 and 10.",
            "note: This has 6 letters; at most 5 are allowed."
        ]
    );
    for (value, why) in [
        ("x", "'x' is not a number."),
        ("inf", "'inf' is not a number."),
        ("0.005", "0.005 is not in steps of 0.01."),
    ] {
        assert_eq!(
            read(&[("verdict", "yes"), ("total", value)]),
            Err(vec![("total".to_owned(), why.to_owned())])
        );
    }
    assert_eq!(
        read(&[]).unwrap_err(),
        said(&[("verdict", "Choose one of these."), ("total", "Write a number here.")])
    );
}

#[test]
fn a_bad_form_is_refused_with_all_that_is_wrong() {
    let refused = |text: &str| {
        let wrong = Form::parse("form", text).unwrap_err();
        wrong.0.iter().map(Refusal::message).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(refused(r#"{"fields": []}"#), "fields is a list of 0; allowed is a list of 1 to 100");
    let many = r#"{"fields": [{"name": "a b", "type": "choice", "lines": 2}, {"name": "n", "type": "number", "least": 3, "most": 1, "step": 0},
        {"name": "n", "type": "choices", "options": ["x", "x"]}]}"#;
    assert_eq!(
        refused(many),
        "fields[0].name is 'a b'; allowed is 1 to 100 letters, digits and _ - . such as \"verdict\"\n\
         fields[0].lines is set; allowed is for the type text only\n\
         fields[0].options is a list of 0; allowed is a list of 1 to 200, such as [\"yes\", {\"value\": \"no\", \"label\": \"No, remove it\"}]\n\
         fields[1].least is 3; allowed is not more than `most`\n\
         fields[1].step is 0; allowed is more than 0\n\
         fields[2].name is 'n'; allowed is a name that no other field has\n\
         fields[2].options is 'x'; allowed is values that differ, none empty"
    );
    let unknown = refused(r#"{"fields": [{"name": "a", "type": "picture"}]}"#);
    assert!(unknown.contains("unknown variant `picture`, expected one of `choice`"), "{unknown}");
    assert!(refused("[").starts_with("form: "));
}

#[test]
fn what_is_shown_is_what_was_chosen_or_everything() {
    let form = Form::parse("form", FORM).expect("a form");
    let shown = |form: &Form, payload: Value| {
        form.shown(&payload)
            .into_iter()
            .map(|it| format!("{} {:?} {}", it.label, it.way, it.value))
            .collect::<Vec<_>>()
    };
    let payload = json!({"photo": "https://x.example/1", "text": "<b>hello</b>", "id": 7});
    assert_eq!(
        shown(&form, payload.clone()),
        ["photo Image https://x.example/1", "What was written Text <b>hello</b>"]
    );
    // What is no address of a picture is text, whatever it should have been.
    assert_eq!(
        shown(&form, json!({"photo": "javascript:alert(1)"})),
        ["photo Text javascript:alert(1)", "What was written Text "]
    );
    let plain = Form::plain();
    assert_eq!(
        shown(
            &plain,
            json!({"a": "http://x.example/p.PNG?s=1", "b": "https://x.example", "c": [1], "d": "see https://x.example/p.png"})
        ),
        [
            "a Image http://x.example/p.PNG?s=1",
            "b Link https://x.example",
            "c Text [1]",
            "d Text see https://x.example/p.png"
        ]
    );
    assert_eq!(shown(&plain, json!("hello")), [" Text hello"]);
    assert!(shown(&plain, Value::Null).is_empty());
}
