//! Jobs: uploads, workflows, results, majorities, progress, changes.

use crate::client::Sent;
use crate::stage::{SET_UP, Stage};
use serde_json::{Value, json};

fn stage() -> Stage {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    stage.play(
        r#"
        ann POST /api/workers {"pool": "day", "kind": "person", "name": "ann"}
          -> 201 {"worker": 0}
        ann POST /api/workers {"pool": "day", "kind": "person", "name": "ben"}
          -> 201 {"worker": 1}
        "#,
    );
    stage
}

#[test]
fn a_table_becomes_a_job_and_comes_back_with_answers() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/uploads?app=look&name=pets&price=0.05 csv:HITId,Input.url,Input.n\nA,a.jpg,1\nB,"b,b.jpg",2\n
          -> 201 {"tasks": 2, "inputs": ["url", "n"], "ignored": ["...HITId..."]}
          $job = job
        ann POST /api/workers/0/ask
          -> 200 {"lease": {"payload": {"url": "a.jpg", "n": "1"}, "price": 0.05}}
          $lease = lease.lease
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": {"cat": "yes", "sure": 0.9}, "next": true}]}
          -> 200 {"done": [{"verdict": "counted", "lease": {"payload": {"url": "b,b.jpg"}}}]}
          $lease = done.0.lease.lease
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": {"cat": "=1+1"}}]}
        acme GET /api/jobs/$job
          -> 200 {"stage": "done", "done": 2, "spent": 0.1}
        acme GET /api/jobs?stage=done
          -> 200 {"jobs": [{"name": "pets"}]}
        acme GET /api/jobs?stage=open
          -> 200 {"jobs": []}
        acme GET /api/jobs/$job/tasks/1
          -> 200 {"state": "done", "answers": [{"worker": 0, "verdict": "counted", "answer": {"cat": "=1+1"}}]}
        acme GET /api/jobs/$job/results?format=csv
          -> 200 "...Input.n,Input.url,Answer.cat,Answer.sure..."
          -> 200 "...,1,a.jpg,yes,0.9..."
          -> 200 "...,2,\"b,b.jpg\",'=1+1,..."
        acme GET /api/jobs/$job/results?format=csv-exact
          -> 200 "...,2,\"b,b.jpg\",=1+1,..."
        acme GET /api/jobs/$job/results
          -> 200 "...\"input\":{\"url\":\"a.jpg\",\"n\":\"1\"},\"answer\":{\"cat\": \"yes\", \"sure\": 0.9}}..."
        acme GET /api/jobs/$job/results?format=xml
          -> 400
        "#,
    );
}

#[test]
fn one_bad_row_refuses_an_upload_and_every_problem_is_named() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/uploads?app=look csv:a,b\n1,2\n3\n4,5\n6,7,8\n
          -> 422 {"type": "urn:muster:file", "problems": [{"line": 3}, {"line": 5}]}
        acme POST /api/uploads?app=look jsonl:{"a":1}\n[2]\n
          -> 422 {"problems": [{"line": 2}]}
        acme POST /api/uploads?app=look {"a": 1}
          -> 422 {"field": "Content-Type", "allowed": "...text/csv..."}
        acme POST /api/uploads?app=nothing csv:a\n1\n
          -> 404
        acme POST /api/uploads?app=look&prize=3 csv:a\n1\n
          -> 400
        ann POST /api/uploads?app=look&tenant=acme csv:a\n1\n
          -> 404
        acme GET /api/jobs
          -> 200 {"jobs": []}
        "#,
    );
}

#[test]
fn a_template_says_which_inputs_are_needed() {
    let mut stage = stage();
    stage.play(
        r#"
        admin PUT /api/apps/look {"name": "look", "lease": 600, "template": "<img src=\"${url}\"> ${caption}"}
          -> 200
        admin PUT /api/apps/look {"name": "look", "template": "<img src=\"${url\">"}
          -> 422 {"detail": "...a variable is written as...", "problems": [{"line": 1}]}
        acme POST /api/uploads?app=look csv:Input.url,Input.captoin\na.jpg,x\n
          -> 422 {"detail": "...caption..."}
        acme POST /api/uploads?app=look csv:url,caption\na.jpg,<b>\n
          -> 201 {"tasks": 1}
          $job = job
        acme GET /api/jobs/$job/tasks/0
          -> 200 {"state": "open", "payload": {"url": "a.jpg"}, "page": "<img src=\"a.jpg\"> &lt;b&gt;", "answers": []}
        acme GET /api/jobs/$job/tasks/1
          -> 404
        "#,
    );
}

#[test]
fn a_large_upload_is_staged_and_left_out_of_sight_until_it_is_whole() {
    let mut stage = stage();
    let row = |n: usize| format!("{{\"n\":{n},\"text\":\"{}\"}}\n", "x".repeat(1000));
    let good: String = (0..5000).map(row).collect();
    let upload = |stage: &Stage, body: String, key: &str| {
        let headers = vec![("content-type", "application/jsonl"), ("idempotency-key", key)];
        let sent = Sent {
            method: "POST",
            path: "/api/uploads?app=look",
            headers,
            body: body.into_bytes(),
            token: None,
        };
        stage.begin("acme", sent).rest()
    };
    let bad = upload(&stage, good.clone() + "{\"n\":\n", "bad");
    assert_eq!(bad.status, 422, "{}", bad.text());
    // Who is refused at the first bytes hears it, though there is much more to send.
    let foreign = upload(&stage, format!("PK\u{3}\u{4}{}", good.clone()), "foreign");
    assert!(foreign.status == 422 && foreign.text().contains("spreadsheet"), "{}", foreign.text());
    let first = upload(&stage, good.clone(), "monday");
    assert_eq!(first.status, 201, "{}", first.text());
    let again = upload(&stage, good.clone(), "monday");
    assert_eq!((again.status, again.text()), (201, first.text()));
    assert_eq!(upload(&stage, row(1), "monday").status, 409);
    let job: Value = serde_json::from_slice(&first.body).unwrap();
    assert_eq!(job["tasks"], 5000);
    stage.known.insert("job".to_owned(), job["job"].to_string());
    stage.play(
        r#"
        acme GET /api/jobs
          -> 200 {"jobs": [{"tasks": 5000}]}
        restart
        ann POST /api/workers/0/ask
          -> 200 {"lease": {"job": $job, "task": 0, "payload": {"n": 0}}}
        "#,
    );
    // Only what belongs to the job is left of five uploads: 5000 rows of 1 KB in chunks of 64 KB.
    let left = stage.runtime().block_on(stage.running().server.read(|reader| {
        let (from, to) = (muster_server::keys::staged(0, 0), muster_server::keys::staged(u64::MAX, u32::MAX));
        Ok(reader.range(&from, &to, usize::MAX)?.iter().map(|(_, chunk)| chunk.len()).sum::<usize>())
    }));
    let left = left.unwrap();
    assert!((5_000_000..6_000_000).contains(&left), "{left}");
}

#[test]
fn results_are_followed_until_the_job_is_over() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/jobs {"app": "look", "tasks": [1, 2]}
          $job = job
        ann POST /api/workers/0/ask
          $lease = lease.lease
        "#,
    );
    let path = format!("/api/jobs/{}/results?follow=true", stage.known["job"]);
    let mut stream = stage.begin("acme", Sent { method: "GET", path: &path, ..Sent::default() });
    assert_eq!(stream.status, 200);
    stage.play(
        r#"
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": "first", "next": true}]}
          $lease = done.0.lease.lease
        "#,
    );
    let first = stream.until("first");
    stage.play(
        r#"
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": "second"}]}
        "#,
    );
    let all = first + &stream.rest().text();
    let lines: Vec<Value> = all.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        lines.iter().map(|line| line["answer"].clone()).collect::<Vec<_>>(),
        [json!("first"), json!("second")]
    );
    // Taken up again after the first line.
    let from = lines[0]["number"].as_u64().unwrap() + 1;
    let rest = stage.ask(
        "acme",
        "GET",
        &format!("/api/jobs/{}/results?from={from}", stage.known["job"]),
        &Value::Null,
    );
    assert_eq!(rest.text().lines().count(), 1);
}

#[test]
fn several_answers_are_counted() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/jobs {"app": "look", "tasks": ["x"], "slots": 2}
          $job = job
        ann POST /api/workers/0/ask
          $one = lease.lease
        ann POST /api/workers/1/ask
          $two = lease.lease
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $one, "answer": {"cat": 1, "dog": 2}}, {"do": "answer", "worker": 1, "lease": $two, "answer": {"cat": 1, "dog": 3}}]}
        acme GET /api/jobs/$job/majority
          -> 200 {"task": 0, "answers": 2, "majority": {"cat": {"value": 1, "votes": 2}, "dog": {"tied": [2, 3]}}}
        acme GET /api/jobs/$job/majority?format=csv
          -> 200 "task,answers,Majority.cat,Votes.cat,Tied.cat,Majority.dog,Votes.dog,Tied.dog\r\n0,2,1,2 of 2,,,1 of 2,\"[2,3]\"\r\n"
        acme GET /api/jobs/$job/agreement
          -> 200 {"tasks": 1, "answers": 2, "fields": [{"field": "cat", "agreement": 1.0}, {"field": "dog", "agreement": 0.0, "tied": 1}]}
        "#,
    );
}

#[test]
fn a_workflow_opens_step_by_step() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/jobs {"workflow": [{"app": "look", "payload": "draw"}, {"app": "look", "after": [0], "payload": "check"}]}
          -> 201 {"tasks": 2}
          $job = job
        acme GET /api/jobs/$job/progress
          -> 200 {"tasks": 2, "tasks_waiting": 1, "answered": 0, "over": false}
        ann POST /api/workers/0/ask
          -> 200 {"lease": {"payload": "draw"}}
          $lease = lease.lease
        ann POST /api/workers/1/ask
          -> 200 {"waiting": true}
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": 1}]}
        ann POST /api/workers/1/ask
          -> 200 {"lease": {"payload": "check"}}
        acme POST /api/jobs {"workflow": [{"app": "look", "after": [1]}, {"app": "look", "after": [0]}]}
          -> 422
        acme POST /api/jobs/$job/cancel
          -> 200 {"stage": "cancelled"}
        acme GET /api/jobs/$job/progress
          -> 200 {"over": true, "answered": 1}
        "#,
    );
}

#[test]
fn a_job_says_when_it_may_be_finished_and_can_be_changed() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/jobs {"app": "look", "tasks": [1, 2, 3, 4], "price": 0.1}
          $job = job
        ann POST /api/workers/0/ask
          $lease = lease.lease
        pass 60 s
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": 1, "next": true}]}
        acme GET /api/jobs/$job/progress
          -> 200 {"tasks_done": 1, "answered": 1, "leased": 1, "priority": 1}
          $earliest = finish.earliest
          $likely = finish.likely
          $latest = finish.latest
        acme PATCH /api/jobs/$job {"priority": 5}
          -> 200 {"priority": 5}
        acme PATCH /api/jobs/$job {"budget": 0.4}
          -> 200 {"budget": 0.4, "short_of_money": false}
        acme PATCH /api/jobs/$job {"budget": 0.2}
          -> 200 {"budget": 0.2, "short_of_money": true}
        acme PATCH /api/jobs/$job {"budget": null, "priority": 1}
          -> 400
        acme PATCH /api/jobs/$job {"priority": 0}
          -> 422 {"field": "priority"}
        acme PATCH /api/jobs/$job {"budget": null}
          -> 200
        globex PATCH /api/jobs/$job {"priority": 9}
          -> 404
        reader PATCH /api/jobs/$job {"priority": 9}
          -> 403
        "#,
    );
    // Three answers to go at one a minute; nothing else waits.
    assert_eq!(stage.known["earliest"], stage.known["likely"]);
    assert!(stage.known["earliest"] <= stage.known["latest"]);
    assert!(stage.known["earliest"].as_str() > "2001-09-09T01:49", "{}", stage.known["earliest"]);
}

#[test]
fn a_client_is_its_tenants_own() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/clients {"patience": 0.8}
          -> 201 {"client": 0, "tenant": "acme", "patience": 0.8, "unhappy": false}
        acme POST /api/clients {"alpha_gain": 2}
          -> 422 {"field": "alpha_gain"}
        acme POST /api/jobs {"app": "look", "tasks": [1], "client": 0}
          -> 201
        acme GET /api/clients/0
          -> 200 {"waiting": 1}
        globex GET /api/clients/0
          -> 404
        acme DELETE /api/clients/0
          -> 409
        admin GET /api/kinds/person
          -> 200 {"name": "person", "role": {"is": "person"}}
        "#,
    );
}
