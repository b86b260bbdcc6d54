//! Money: the ledger's lines add up to the books, and to what the journal's accepted answers say.

use crate::stage::{SET_UP, Stage};
use serde_json::Value;

/// The lines that somebody sees, page by page.
fn lines(stage: &Stage, who: &str, query: &str) -> Vec<Value> {
    let (mut from, mut all) = (0, Vec::new());
    loop {
        let page = stage.ask(who, "GET", &format!("/api/ledger?from={from}&most=2{query}"), &Value::Null);
        assert_eq!(page.status, 200, "{}", page.text());
        let page: Value = serde_json::from_slice(&page.body).unwrap();
        all.extend(page["lines"].as_array().unwrap().iter().cloned());
        from = page["next"].as_u64().unwrap();
        if from >= page["end"].as_u64().unwrap() {
            return all;
        }
    }
}

/// In micro-units.
fn sum<'a>(lines: impl Iterator<Item = &'a Value>) -> i64 {
    lines.map(|line| (line["amount"].as_f64().unwrap() * 1e6).round() as i64).sum()
}

#[test]
fn the_ledger_equals_the_books_and_the_answers() {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    stage.play(
        r#"
        acme POST /api/jobs {"app": "look", "tasks": [1, 2], "price": 0.07}
        globex POST /api/jobs {"app": "look", "tasks": [1], "price": 0.11}
        ann POST /api/workers {"pool": "day", "kind": "person"}
        ann POST /api/workers {"pool": "day", "kind": "person"}
        admin POST /api/workers {"pool": "day", "kind": "machine"}
          -> 201 {"worker": 2}
        ann POST /api/work {"operations": [{"do": "ask", "worker": 0}, {"do": "ask", "worker": 1}]}
          $one = done.0.lease.lease
          $two = done.1.lease.lease
        pass 30 s
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $one, "answer": 1, "next": true}, {"do": "answer", "worker": 1, "lease": $two, "answer": 2, "next": true}]}
          -> 200 {"done": [{"pay": 0.07, "lease": {}}, {"pay": 0.07, "waiting": true}]}
          $one = done.0.lease.lease
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $one, "answer": 3, "next": true}]}
          -> 200 {"done": [{"pay": 0.11, "waiting": true}]}
        pass 40 min
        admin GET /api/ledger/sums
          ~> 200 {"answers": 0.25, "machines": 0.5}
        ann POST /api/workers/0/leave
        pass 15 min
        ann POST /api/workers/1/leave
        admin GET /api/ledger/sums
        "#,
    );
    let sums = stage.ask("admin", "GET", "/api/ledger/sums", &Value::Null);
    let sums: Value = serde_json::from_slice(&sums.body).unwrap();
    let micros = |name: &str| (sums[name].as_f64().unwrap() * 1e6).round() as i64;
    let all = lines(&stage, "admin", "");
    let of = |what: &'static str| sum(all.iter().filter(move |line| line["what"] == what));
    assert_eq!(of("answer"), micros("answers"));
    assert_eq!(of("waiting"), micros("waiting"));
    assert_eq!(of("training"), micros("training"));
    assert_eq!(of("machine"), micros("machines"));
    assert_eq!(of("answer") + of("charge"), micros("charged"));
    assert_eq!(micros("paid") - micros("charged"), micros("to_be_charged"));
    assert!(micros("waiting") > 2_000_000 && of("charge") > 0, "{sums}");

    // Each tenant sees what it is charged, and together that is all.
    let acme = lines(&stage, "acme", "");
    assert!(acme.iter().all(|line| line["tenant"] == "acme"));
    assert_eq!(sum(acme.iter()) + sum(lines(&stage, "globex", "").iter()), micros("charged"));
    assert_eq!(stage.ask("acme", "GET", "/api/ledger?tenant=globex", &Value::Null).status, 404);

    // A worker's earnings are the same lines.
    let earned = stage.ask("ann", "GET", "/api/workers/0/earnings", &Value::Null);
    let earned: Value = serde_json::from_slice(&earned.body).unwrap();
    let own = lines(&stage, "admin", "&worker=0");
    assert_eq!(sum(earned["lines"].as_array().unwrap().iter()), sum(own.iter()));
    assert_eq!(earned["lines"][0]["what"], "answer");
    assert!(earned["lines"][0].get("tenant").is_none());

    // The answers that the journal holds are the ledger's, one for one.
    let results = ["0", "1"]
        .map(|job| stage.ask("admin", "GET", &format!("/api/jobs/{job}/results"), &Value::Null).text());
    let results: Vec<Value> = results
        .iter()
        .flat_map(|text| text.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let paid: i64 = results.iter().map(|line| (line["pay"].as_f64().unwrap() * 1e6).round() as i64).sum();
    assert_eq!((paid, results.len()), (of("answer"), 3));
}
