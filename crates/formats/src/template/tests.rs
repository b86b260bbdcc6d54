//! Where variables may stand, how their values are written, and that no value gets out of its place.

use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;

fn page(text: &str, inputs: &Value) -> String {
    let template = Template::parse("t.html", text).unwrap_or_else(|refusals| panic!("{refusals}"));
    template.render(inputs.as_object().unwrap()).unwrap()
}

fn refused(text: &str, expect: &Expect) {
    expect.assert_eq(&Template::parse("t.html", text).unwrap_err().to_string());
}

#[test]
fn values_are_filled_in() {
    let inputs = json!({"url": "https://x.org/a.png?a=1&b=2", "n": 3, "none": null, "list": [1, "<"], "two words": "é"});
    let text = "<p title='${two words}'>${n} ${none}|${ list } $${n}</p><img src=\"${url}\">";
    assert_eq!(
        page(text, &inputs),
        "<p title='é'>3 |[1,&quot;&lt;&quot;] ${n}</p><img src=\"https://x.org/a.png?a=1&amp;b=2\">"
    );
}

#[test]
fn variables_are_listed_once_and_compared_with_inputs() {
    let template = Template::parse("t.html", "${b} ${a} ${b}").unwrap();
    assert_eq!(template.variables(), ["b", "a"]);
    let fit = template.fit(&["aa".to_owned(), "b".to_owned()]);
    assert_eq!(fit.missing, [("a".to_owned(), Some("aa".to_owned()))]);
    assert_eq!(fit.unused, ["aa"]);
    assert_eq!(template.render(json!({"b": 1}).as_object().unwrap()), Err("a".to_owned()));
}

#[test]
fn each_place_has_its_way() {
    let inputs = json!({"x": "\"><script>alert('1')</script>"});
    let check = |text: &str, expect: &Expect| expect.assert_eq(&page(text, &inputs));
    check("<b>${x}</b>", &expect!["<b>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;</b>"]);
    check(
        "<!-- ${x} --><i>${x}</i>",
        &expect![
            "<!-- &quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; --><i>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;</i>"
        ],
    );
    check(
        "<script>var x = \"${x}\";</script><b>${x}",
        &expect![[
            r#"<script>var x = "\u0022\u003e\u003cscript\u003ealert\u0028\u00271\u0027\u0029\u003c\u002fscript\u003e";</script><b>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"#
        ]],
    );
    check(
        "<style>a { b: ${x} }</style>",
        &expect![[
            r#"<style>a { b: \000022\00003e\00003cscript\00003ealert\000028\0000271\000027\000029\00003c\00002fscript\00003e }</style>"#
        ]],
    );
    check(
        "<a onclick=\"f('${x}')\" style=\"b: ${x}\">",
        &expect![[
            r#"<a onclick="f('\u0022\u003e\u003cscript\u003ealert\u0028\u00271\u0027\u0029\u003c\u002fscript\u003e')" style="b: \000022\00003e\00003cscript\00003ealert\000028\0000271\000027\000029\00003c\00002fscript\00003e">"#
        ]],
    );
    check(
        "<textarea>${x}</textarea>",
        &expect!["<textarea>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;</textarea>"],
    );
    check(
        "a < b ${x} <3 ${x}",
        &expect![
            "a < b &quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; <3 &quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"
        ],
    );
}

#[test]
fn addresses_cannot_run_script() {
    let link = |value: &str| page("<a href=\"${x}\">", &json!({"x": value}));
    for harmless in
        ["https://a.b/c:d", "a.png", "/x?y:z", "mailto:a@b.c", "data:image/png;base64,AA", "", "#a:b"]
    {
        assert_eq!(link(harmless), format!("<a href=\"{harmless}\">"));
    }
    for wrong in [
        "javascript:alert(1)",
        " JaVa\tScript:alert(1)",
        "data:text/html,x",
        "data:image/svg+xml,x",
        "x:y",
        "\u{1}javascript:x",
    ] {
        assert_eq!(link(wrong), "<a href=\"about:invalid\">", "{wrong}");
    }
    let inputs = json!({"x": "javascript", "y": ":alert(1)"});
    assert_eq!(page("<a href='${x}${y}'>", &inputs), "<a href='javascriptabout:invalid'>");
    assert_eq!(page("<a href='https://h/${y}'>", &inputs), "<a href='https://h/:alert(1)'>");
}

#[test]
fn places_that_cannot_be_safe_are_refused() {
    refused(
        "<p>\n  <${x} ${y}>\n<img src=${z}>",
        &expect![[r#"
        ${x}: a variable cannot be the name of a tag or attribute; it may stand in an attribute's value
         --> t.html:2:4
          |
        2 |   <${x} ${y}>
          |    ^^^^

        ${z}: put the value of the attribute in quotes: name="${variable}"
         --> t.html:3:10
          |
        3 | <img src=${z}>
          |          ^^^^"#]],
    );
    refused(
        "<iframe srcdoc='${x}'></iframe><script src='${x}'></script>",
        &expect![[r#"
        ${x}: a variable cannot stand in srcdoc, which is a page of its own
         --> t.html:1:17
          |
        1 | <iframe srcdoc='${x}'></iframe><script src='${x}'></script>
          |                 ^^^^

        ${x}: the address of what a page runs cannot hold a variable
         --> t.html:1:45
          |
        1 | <iframe srcdoc='${x}'></iframe><script src='${x}'></script>
          |                                             ^^^^"#]],
    );
    refused(
        "<a href='javascript:f(\"${x}\")'><a href='${x}:b'>",
        &expect![[r#"
        ${x}: a variable cannot stand in an address that is a script or data
         --> t.html:1:24
          |
        1 | <a href='javascript:f("${x}")'><a href='${x}:b'>
          |                        ^^^^

        ${x}: the scheme of an address cannot be a variable
         --> t.html:1:41
          |
        1 | <a href='javascript:f("${x}")'><a href='${x}:b'>
          |                                         ^^^^"#]],
    );
    refused(
        "${a+b} ${} ${open",
        &expect![[r#"
        a variable is written as ${name}, with letters, digits, spaces and _ - . in its name; for a plain ${ write $${
         --> t.html:1:1
          |
        1 | ${a+b} ${} ${open
          | ^^

        a variable is written as ${name}, with letters, digits, spaces and _ - . in its name; for a plain ${ write $${
         --> t.html:1:8
          |
        1 | ${a+b} ${} ${open
          |        ^^

        a variable is written as ${name}, with letters, digits, spaces and _ - . in its name; for a plain ${ write $${
         --> t.html:1:12
          |
        1 | ${a+b} ${} ${open
          |            ^^"#]],
    );
}

#[test]
fn a_template_can_be_too_long() {
    refused(
        &"x".repeat(TEMPLATE_MOST + 1),
        &expect![[r#"
        the template has 1048577 bytes; at most 1048576 are taken
         --> t.html"#]],
    );
}

proptest! {
    #[test]
    fn no_template_makes_it_panic(text in "([<>/='\"!\\- a-c]|\\$\\$\\{|script|style|\\$\\{a\\}|href|<!--|é){0,40}", value in "\\PC{0,9}") {
        if let Ok(template) = Template::parse("t.html", &text) {
            let inputs = json!({"a": value});
            prop_assert!(template.render(inputs.as_object().unwrap()).is_ok());
        }
    }

    /// After a page, a browser stands where it would stand with a harmless value.
    #[test]
    fn no_value_gets_out_of_its_place(value in "([<>/='\"!&;\\-\\\\:\n`]|script|javascript|--|x){0,20}") {
        for text in [
            "<p>${a}", "<p t='${a}'>", "<p t=\"${a}\">", "<!--${a}-->", "<script>'${a}'", "<style>${a}", "<a href='${a}'>",
            "<textarea>${a}", "<a onclick='\"${a}\"'>",
        ] {
            let template = Template::parse("t.html", text).unwrap();
            let end = |value: &str| {
                let mut scanner = Scanner::new();
                scanner.literal(&template.render(json!({"a": value}).as_object().unwrap()).unwrap());
                scanner.after_page()
            };
            prop_assert_eq!(end(&value), end("x"), "{}", text);
        }
    }
}
