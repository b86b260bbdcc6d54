//! What uploads become, what is refused in them, and that chunks of any size and any bytes do no harm.

use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn read(upload: Upload, bytes: &[u8], chunk: usize) -> Result<(Vec<Task>, Summary), Refusals> {
    let mut upload = upload;
    let mut tasks = Vec::new();
    for part in bytes.chunks(chunk) {
        upload.feed(part, &mut |task| tasks.push(task))?;
    }
    let summary = upload.finish(&mut |task| tasks.push(task))?;
    Ok((tasks, summary))
}

fn show(read: Result<(Vec<Task>, Summary), Refusals>) -> String {
    let (tasks, summary) = match read {
        Ok(read) => read,
        Err(refusals) => return refusals.to_string(),
    };
    let mut out = String::new();
    for task in tasks {
        out +=
            &format!("row {} in line {}: {}\n", task.row, task.line, String::from_utf8_lossy(&task.payload));
    }
    summary.ignored.iter().for_each(|it| out += &format!("ignored {}: {}\n", it.column, it.reason));
    out + &format!("{} rows of {}", summary.rows, summary.inputs.join(", "))
}

/// The same from one chunk and from many small ones.
fn check(upload: impl Fn() -> Upload, bytes: &[u8], expect: &Expect) {
    let all = show(read(upload(), bytes, usize::MAX));
    for chunk in [1, 2, 3, 7] {
        assert_eq!(show(read(upload(), bytes, chunk)), all, "in chunks of {chunk}");
    }
    expect.assert_eq(&all);
}

fn csv() -> Upload {
    Upload::csv("tasks.csv", Limits::default())
}

fn jsonl() -> Upload {
    Upload::jsonl("tasks.jsonl", Limits::default())
}

#[test]
fn plain_columns_are_inputs() {
    let text = "\u{feff}url,text\r\na.png,\"two\nlines, and \"\"quotes\"\"\"\r\n\r\nb.png,\n";
    check(
        csv,
        text.as_bytes(),
        &expect![[r#"
        row 1 in line 2: {"url":"a.png","text":"two\nlines, and \"quotes\""}
        row 2 in line 5: {"url":"b.png","text":""}
        2 rows of url, text"#]],
    );
}

#[test]
fn of_results_only_the_inputs_are_taken() {
    let text = "HITId,Input.url,Answer.cat\n1,a.png,yes\n";
    check(
        csv,
        text.as_bytes(),
        &expect![[r#"
        row 1 in line 2: {"url":"a.png"}
        ignored HITId: only the columns called Input.* are inputs, where there are some
        ignored Answer.cat: it holds answers, not inputs
        1 rows of url"#]],
    );
    check(
        csv,
        b"url,Answer.cat\na.png,yes",
        &expect![[r#"
        row 1 in line 2: {"url":"a.png"}
        ignored Answer.cat: it holds answers, not inputs
        1 rows of url"#]],
    );
}

#[test]
fn every_wrong_row_is_named() {
    let text = b"url,text\na\nb,c,d\n\xff,x\ny,5\" nail\nz,ok\n";
    check(
        csv,
        text,
        &expect![[r#"
            row 1: the header has 2 columns, this row 1
             --> tasks.csv:2

            row 2: the header has 2 columns, this row 3
             --> tasks.csv:3

            row 3, column 1: it is not UTF-8 from its byte 1 on: save the file as UTF-8
             --> tasks.csv:4

            row 4: a quote is not closed; a quote within a field is written twice, and the field in quotes
             --> tasks.csv:5"#]],
    );
}

#[test]
fn wrong_headers_are_said_before_any_row() {
    check(
        csv,
        b"a,,a\n1,2,3\n",
        &expect![[r#"
        column 2: it has no name in the header
         --> tasks.csv:1

        column 3: it is called 'a', as is column 1
         --> tasks.csv:1"#]],
    );
    check(
        csv,
        b"a;b\n1;2\n",
        &expect![[r#"
        columns must be separated by commas; this file seems to use ';'
         --> tasks.csv:1"#]],
    );
    check(
        csv,
        b"Answer.a\n1\n",
        &expect![[r#"
        no column of the file is an input
         --> tasks.csv:1"#]],
    );
    check(
        || csv().needing(&["url".to_owned(), "txt".to_owned()]),
        b"url,text\n1,2\n",
        &expect![[r#"
        txt is missing; it is a column that the template needs ('text' comes near); there are url, text
         --> tasks.csv:1"#]],
    );
}

#[test]
fn what_is_no_text_or_empty_is_refused() {
    check(
        csv,
        b"",
        &expect![[r#"
        there is no row in the file, so there is no task
         --> tasks.csv:1"#]],
    );
    check(
        csv,
        b"a,b\n",
        &expect![[r#"
        there is no row in the file, so there is no task
         --> tasks.csv:1"#]],
    );
    check(
        csv,
        b"\xff\xfea\0,\0",
        &expect![[r#"
        the file cannot be read as text: it is encoded as UTF-16: save it as UTF-8
         --> tasks.csv:1"#]],
    );
    check(
        csv,
        b"PK\x03\x04....",
        &expect![[r#"
        the file cannot be read as text: it is a spreadsheet or an archive: save it as CSV in UTF-8
         --> tasks.csv:1"#]],
    );
    check(
        csv,
        b"a,b\n1,\"open\n2,3\n",
        &expect![[r#"
        row 1: a quote is not closed; a quote within a field is written twice, and the field in quotes
         --> tasks.csv:2"#]],
    );
}

#[test]
fn limits_have_a_voice() {
    let limits = Limits { rows_most: 2, columns_most: 3, row_bytes_most: 40 };
    let csv = || Upload::csv("tasks.csv", limits);
    check(
        csv,
        b"a\n1\n2\n3\n",
        &expect![[r#"
        there are more than 2 rows, which is the most that is taken
         --> tasks.csv:4"#]],
    );
    check(
        csv,
        b"a,b,c,d\n",
        &expect![[r#"
        the row that begins here has more than 3 columns, which is the most that is taken
         --> tasks.csv:1"#]],
    );
    check(
        csv,
        format!("a\n{}\n{}\n", "x".repeat(40), "y".repeat(41)).as_bytes(),
        &expect![[r#"
        the row that begins here has more than 40 bytes, which is the most that is taken
         --> tasks.csv:3"#]],
    );
    check(
        csv,
        format!("a\n1\n\"{}", "x\n".repeat(40)).as_bytes(),
        &expect![[r#"
        the row that begins here has more than 40 bytes, which is the most that is taken; perhaps a quote is not closed
         --> tasks.csv:3"#]],
    );
    let jsonl = || Upload::jsonl("tasks.jsonl", limits);
    check(
        jsonl,
        b"{}\n{}\n{}\n",
        &expect![[r#"
        there are more than 2 rows, which is the most that is taken
         --> tasks.jsonl:3"#]],
    );
    check(
        jsonl,
        br#"{"a":1,"b":2,"c":3,"d":4}"#,
        &expect![[r#"
        row 1: it has 4 keys; at most 3 are taken
         --> tasks.jsonl:1"#]],
    );
    check(
        jsonl,
        format!("{{}}\n{}\n", " ".repeat(41)).as_bytes(),
        &expect![[r#"
        the line has more than 40 bytes, which is the most that is taken
         --> tasks.jsonl:2"#]],
    );
}

#[test]
fn objects_are_kept_as_they_are_written() {
    let text = b"{\"n\": 12345678901234567890123, \"a\":[1, 2]}\n\n  {\"url\":\"x\"}\r\n";
    check(
        jsonl,
        text,
        &expect![[r#"
        row 1 in line 1: {"n": 12345678901234567890123, "a":[1, 2]}
        row 2 in line 3: {"url":"x"}
        2 rows of n, a, url"#]],
    );
}

#[test]
fn every_wrong_line_is_named() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let text = format!("{{\"a\":1,}}\n[1]\n{{\"a\":1,\"a\":2}}\nnull\n{deep}\n{{\"é\": tru}}\n");
    check(
        jsonl,
        text.as_bytes(),
        &expect![[r#"
        row 1: it is not an object of JSON: trailing comma
         --> tasks.jsonl:1:8
          |
        1 | {"a":1,}
          |        ^

        row 2: it is not an object of JSON: invalid type: sequence, expected an object such as {"url": "..."}
         --> tasks.jsonl:2:1
          |
        2 | [1]
          | ^

        row 3: it is not an object of JSON: the key 'a' stands there twice
         --> tasks.jsonl:3:13
          |
        3 | {"a":1,"a":2}
          |             ^

        row 4: it is not an object of JSON: invalid type: null, expected an object such as {"url": "..."}
         --> tasks.jsonl:4:4
          |
        4 | null
          |    ^

        row 5: it is not an object of JSON: recursion limit exceeded
         --> tasks.jsonl:5:132
          |
        5 | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
          |                                                             ^

        row 6: it is not an object of JSON: expected ident
         --> tasks.jsonl:6:10
          |
        6 | {"é": tru}
          |          ^"#]],
    );
    check(
        || jsonl().needing(&["url".to_owned()]),
        b"{\"ulr\":1}\n{\"url\":1}",
        &expect![[r#"
        row 1: the template needs url, and the row has ulr
         --> tasks.jsonl:1"#]],
    );
}

#[test]
fn too_many_refusals_end_the_reading() {
    let text = format!("a,b\n{}", "1\n".repeat(1000));
    assert_eq!(read(csv(), text.as_bytes(), 64).unwrap_err().0.len(), crate::gather::REFUSED_MOST);
}

#[test]
fn a_stream_that_breaks_is_no_refusal() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _buffer: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the line is dead"))
        }
    }
    let from = b"a\n1\n".chain(Broken);
    assert!(matches!(csv().read(from, &mut |_| {}), Err(Failure::Reading(_))));
    assert!(csv().read(&b"a\n1\n"[..], &mut |_| {}).is_ok());
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), chunk in 1_usize..20) {
        let limits = Limits { rows_most: 9, columns_most: 4, row_bytes_most: 50 };
        let _ = read(Upload::csv("x", limits), &bytes, chunk);
        let _ = read(Upload::jsonl("x", limits), &bytes, chunk);
    }

    #[test]
    fn tables_come_back_as_they_were_written(
        rows in prop::collection::vec(prop::collection::vec("[a\"',\r\n é=]{0,8}", 3), 1..6),
        chunk in 1_usize..20,
    ) {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        writer.write_record(["a", "b", "c"]).unwrap();
        rows.iter().for_each(|row| writer.write_record(row).unwrap());
        let (tasks, _) = read(Upload::csv("x", Limits::default()), &writer.into_inner().unwrap(), chunk).unwrap();
        let read: Vec<Vec<String>> = tasks.iter().map(|task| {
            let object: serde_json::Value = serde_json::from_slice(&task.payload).unwrap();
            ["a", "b", "c"].map(|key| object[key].as_str().unwrap().to_owned()).to_vec()
        }).collect();
        prop_assert_eq!(read, rows);
    }
}
