//! Workers: joining by link, skipping with a reason, events, draining, many in one request.

use crate::client::Sent;
use crate::stage::{SET_UP, Stage};

fn stage() -> Stage {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    stage
}

#[test]
fn a_join_link_is_limited_in_number_and_time() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/links {"pool": "day", "kind": "person"}
          -> 403
        admin POST /api/links {"pool": "day", "kind": "person", "most": 1, "label": "monday"}
          -> 201 {"pool": "day", "kind": "person", "most": 1, "joined": 0, "good": true}
          $path = path
          $id = id
        nobody POST /api/join {"link": "join_wrong"}
          -> 404
        "#,
    );
    let link = stage.known["path"].trim_start_matches("/join/").to_owned();
    stage.known.insert("link".to_owned(), link);
    stage.play(
        r#"
        nobody POST /api/join {"link": "$link", "name": "zoe", "preferences": {"look": 0.9}}
          -> 201 {"worker": 0, "pool": "day"}
          $token = token
        nobody POST /api/join {"link": "$link"}
          -> 410 {"detail": "...as many as were wanted..."}
        admin GET /api/links
          -> 200 {"links": [{"joined": 1, "good": false}]}
        admin DELETE /api/links/$id
          -> 204
        nobody POST /api/join {"link": "$link"}
          -> 404
        admin POST /api/links {"pool": "day", "kind": "person", "expires_in": "10 min"}
          $path = path
        "#,
    );
    let (token, link) =
        (stage.known["token"].clone(), stage.known["path"].trim_start_matches("/join/").to_owned());
    stage.tokens.insert("zoe".to_owned(), token);
    stage.known.insert("link".to_owned(), link);
    stage.play(
        r#"
        zoe POST /api/workers/0/ask
          -> 200 {"waiting": true}
        zoe GET /api/workers
          -> 200 {"workers": [{"worker": 0, "standing": "idle"}]}
        pass 11 min
        nobody POST /api/join {"link": "$link"}
          -> 410 {"detail": "...expired..."}
        zoe POST /api/workers/0/leave
          -> 200 {"gone": true}
        zoe GET /api/workers/0/earnings
          -> 200 {"worker": 0, "lines": [{"what": "waiting", "amount": 0.66}], "sum": 0.66}
        ann GET /api/workers/0/earnings
          -> 404
        "#,
    );
}

#[test]
fn a_skip_has_a_reason_that_the_tenant_sees() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/jobs {"app": "look", "tasks": [1, 2]}
          $job = job
        ann POST /api/workers {"pool": "day", "kind": "person"}
        ann POST /api/workers/0/ask
          -> 200 {"lease": {"task": 0}}
          $lease = lease.lease
        ann POST /api/work {"operations": [{"do": "skip-task", "worker": 0, "lease": $lease, "reason": "the picture is broken", "next": true}]}
          -> 200 {"done": [{"lease": {"task": 1}}]}
          $lease = done.0.lease.lease
        acme GET /api/jobs/$job/skips
          -> 200 {"skips": [{"worker": 0, "task": 0, "whole_job": false, "reason": "the picture is broken"}]}
        globex GET /api/jobs/$job/skips
          -> 404
        ann POST /api/work {"operations": [{"do": "heartbeat", "worker": 0, "reason": "bored"}]}
          -> 422 {"field": "reason"}
        ann POST /api/work {"operations": [{"do": "skip-job", "worker": 0, "lease": $lease, "next": true}]}
          -> 200 {"done": [{"waiting": true}]}
        "#,
    );
}

#[test]
fn draining_finishes_what_is_in_hand() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/jobs {"app": "look", "tasks": [1, 2]}
        ann POST /api/workers {"pool": "day", "kind": "person"}
        ann POST /api/workers {"pool": "day", "kind": "person"}
        ann POST /api/work {"operations": [{"do": "ask", "worker": 0}, {"do": "ask", "worker": 1}]}
          -> 200 {"done": [{"lease": {"task": 0}}, {"lease": {"task": 1}}]}
          $lease = done.0.lease.lease
        ann POST /api/workers/0/drain
          -> 204
        admin GET /api/workers?standing=draining
          -> 200 {"workers": [{"worker": 0}]}
        admin GET /api/workers?standing=asleep
          -> 422 {"field": "standing"}
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": 1, "next": true}]}
          -> 200 {"done": [{"verdict": "counted", "gone": true}]}
        acme POST /api/workers/1/drain
          -> 404
        ann POST /api/work {"operations": [{"do": "drain", "worker": 1}, {"do": "heartbeat", "worker": 7}]}
          -> 200 {"done": [{"worker": 1}, {"problem": {"status": 404}}]}
        "#,
    );
}

#[test]
fn a_late_answer_of_who_is_gone_is_judged_by_their_own_token() {
    let mut stage = stage();
    stage.play(
        r#"
        token zed {"scope": "worker", "pool": "day"}
        acme POST /api/jobs {"app": "look", "tasks": [1, 2], "price": 0.05}
          $job = job
        ann POST /api/workers {"pool": "day", "kind": "person"}
        ann POST /api/workers/0/ask
          -> 200 {"lease": {"task": 0}}
          $lease = lease.lease
        pass 11 min
        acme GET /api/jobs/$job
          ~> 200 {"open": 2, "leased": 0}
        ann POST /api/workers/0/leave
          -> 200 {"gone": true}
        zed POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": "not mine"}]}
          -> 200 {"done": [{"problem": {"status": 404}}]}
        ann POST /api/work {"operations": [{"do": "ask", "worker": 0}]}
          -> 200 {"done": [{"problem": {"status": 404}}]}
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": "late", "next": true}]}
          -> 200 {"done": [{"verdict": "late-counted", "pay": 0.05, "gone": true}]}
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": "again"}]}
          -> 200 {"done": [{"problem": {"status": 404}}]}
        acme GET /api/jobs/$job
          -> 200 {"done": 1, "spent": 0.05}
        "#,
    );
}

#[test]
fn a_worker_hears_of_tasks_by_events() {
    let mut stage = stage();
    stage.play(
        r#"
        ann POST /api/workers {"pool": "day", "kind": "person"}
        ann POST /api/workers/0/ask
          -> 200 {"waiting": true}
        "#,
    );
    let events = |stage: &Stage, who: &str| {
        stage.begin(who, Sent { method: "GET", path: "/api/workers/0/events", ..Sent::default() })
    };
    assert_eq!(events(&stage, "acme").status, 404);
    let mut stream = events(&stage, "ann");
    stream.until(": alive");
    stage.play(r#"acme POST /api/jobs {"app": "look", "tasks": [{"picture": 7}], "price": 0.05}"#);
    let task = stream.until("\n\n");
    assert!(
        task.contains("event: task\ndata: {\"lease\":0,") && task.contains("\"payload\":{\"picture\": 7}"),
        "{task}"
    );
    // A stream that is opened later begins with what is in hand.
    assert!(events(&stage, "ann").until("event: task").contains(": alive"));
    stage.play("ann POST /api/workers/0/leave");
    let gone = stream.rest().text();
    assert!(gone.contains("event: gone\ndata: {\"why\":\"left\"}"), "{gone}");
}
