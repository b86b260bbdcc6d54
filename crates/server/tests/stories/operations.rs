//! Operations: policies while running, recruiting by hand, decisions and reasons, facts as a stream, metrics, tokens.

use crate::client::Sent;
use crate::stage::{SET_UP, Stage};
use serde_json::Value;

fn stage() -> Stage {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    stage
}

#[test]
fn policies_are_changed_while_a_pool_runs_by_their_words() {
    let mut stage = stage();
    stage.play(
        r#"
        reader GET /api/policies
          -> 200
        admin PUT /api/pools/day/policies/dispatch {"name": "worker-conscious", "concessions": 3}
          -> 200 {"policies": {"dispatch": {"name": "worker-conscious", "concessions": 3}}}
        admin PUT /api/pools/day/policies/dispatch {"name": "worker-conscious", "concesions": 3}
          -> 422 {"detail": "...concessions..."}
        admin PUT /api/pools/day/policies/dispatch "fiffo"
          -> 422 {"detail": "...did you mean 'fifo'..."}
        admin PUT /api/pools/day/policies/scaling {"name": "pid-size", "kp": 0.5, "every": "30 s", "kind": "machine"}
          -> 200 {"policies": {"scaling": {"name": "pid-size", "kind": "machine"}}}
        admin PUT /api/pools/day/policies/scaling {"name": "pid-size", "kp": "much", "kind": "robot"}
          -> 422 {"problems": [{}, {}]}
        admin PUT /api/pools/day/policies/taste "fifo"
          -> 422 {"field": "family", "allowed": "dispatch, matching, scaling, replacement"}
        acme PUT /api/pools/day/policies/dispatch "fair"
          -> 403
        admin PUT /api/balance {"name": "preference-aware", "omega": 0.3}
          -> 200 {"balance": {"name": "preference-aware", "omega": 0.3}}
        admin GET /api/balance
          -> 200 {"balance": {"name": "preference-aware"}}
        admin GET /api/decisions
          -> 200 {"decisions": [{"what": "policy", "pool": "day", "reason": "dispatch is worker-conscious from now on, as set by hand"}, {"what": "policy"}, {"what": "policy", "reason": "...balance is preference-aware..."}]}
        acme GET /api/decisions
          -> 403
        "#,
    );
}

#[test]
fn a_pool_is_changed_while_it_runs() {
    let mut stage = stage();
    stage.play(
        r#"
        admin POST /api/apps {"name": "listen"}
        admin PATCH /api/pools/day {"name": "all day", "more_apps": ["listen"], "presence": "5 min", "recommend": {"to": {"aim": "wait", "wait": "30 s"}}}
          -> 200 {"name": "all day", "apps": ["look", "listen"], "presence": 300, "recommend": {"to": {"aim": "wait", "wait": 30}}}
        admin PATCH /api/pools/day {}
          -> 404
        admin PATCH /api/pools/0 {"presence": null, "payer": "acme"}
          -> 200 {"presence": null, "payer": "acme", "apps": ["look", "listen"]}
        admin PATCH /api/pools/0 {"more_apps": ["look"]}
          -> 422 {"field": "apps"}
        admin PATCH /api/pools/0 {"recommend": {"to": {"aim": "occupancy", "share": 2}}}
          -> 422
        acme PATCH /api/pools/0 {"window": 60}
          -> 403
        "#,
    );
}

#[test]
fn people_are_wanted_and_come_by_a_link() {
    let mut stage = stage();
    stage.play(
        r#"
        admin POST[k1] /api/pools/day/recruit {"kind": "person", "n": 2}
          -> 201 {"recruit": 0, "n": 2, "words": "2 more people wanted"}
        admin POST[k1] /api/pools/day/recruit {"kind": "person", "n": 2}
          -> 201 {"recruit": 0}
        admin GET /api/recruits
          -> 200 {"wanted": [{"recruit": 0, "pool": "day", "n": 2}]}
        admin GET /api/recruits
          ~> 200 {"wanted": [{"join": "...join_..."}]}
          $path = wanted.0.join
        reader GET /api/recruits
          -> 200 {"wanted": [{"n": 2}]}
        acme GET /api/recruits
          -> 403
        "#,
    );
    let link = stage.known["path"].trim_start_matches("/join/").to_owned();
    stage.known.insert("link".to_owned(), link);
    stage.play(
        r#"
        nobody POST /api/join {"link": "$link"}
          -> 201
        admin GET /api/recruits
          -> 200 {"wanted": [{"n": 1, "words": "1 more person wanted"}]}
        admin POST /api/recruits/0/failed {"n": 2}
          -> 422
        admin POST /api/recruits/0/failed {"n": 1}
          -> 204
        admin GET /api/recruits
          -> 200 {"wanted": []}
        admin POST /api/pools/day/release {"kind": "person", "n": 5}
          -> 200 {"workers": []}
        admin POST /api/workers/0/ask
          -> 200 {"waiting": true}
        admin POST /api/pools/day/release {"kind": "person", "n": 5}
          -> 200 {"workers": [0]}
        admin POST /api/pools/day/recruit {"kind": "person", "n": 0}
          -> 422 {"field": "n"}
        "#,
    );
}

#[test]
fn workers_are_moved_and_paused_by_hand() {
    let mut stage = stage();
    stage.play(
        r#"
        admin POST /api/apps {"name": "listen"}
        admin POST /api/pools {"name": "night", "apps": ["listen"]}
        ann POST /api/workers {"pool": "day", "kind": "person"}
        ann POST /api/workers/0/ask
        ann POST /api/workers/0/move {"pool": "night"}
          -> 403
        admin POST /api/workers/0/move {"pool": "night"}
          -> 204
        admin GET /api/workers?pool=night
          -> 200 {"workers": [{"worker": 0, "pool": "night"}]}
        admin POST /api/workers/0/pause
          -> 204
        ann GET /api/workers/0
          -> 200 {"standing": "paused"}
        admin POST /api/workers/9/pause
          -> 404
        "#,
    );
}

#[test]
fn why_a_worker_got_a_task_is_told_by_the_policy_of_then() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/jobs {"app": "look", "tasks": [1, 2]}
        ann POST /api/workers {"pool": "day", "kind": "person"}
        ann POST /api/workers/0/ask
          $lease = lease.lease
        admin PUT /api/pools/day/policies/dispatch "fair"
        ann POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": $lease, "answer": 1, "next": true}]}
          $next = done.0.lease.lease
        acme GET /api/leases/$lease
          -> 200 {"policy": "fifo", "worker": 0, "task": 0, "app": "look", "pool": "day"}
        acme GET /api/leases/$next
          -> 200 {"policy": "fair", "task": 1}
        globex GET /api/leases/$lease
          -> 404
        admin GET /api/leases/99
          -> 404
        "#,
    );
    let told = stage.ask("admin", "GET", &format!("/api/leases/{}", stage.known["lease"]), &Value::Null);
    let told: Value = serde_json::from_slice(&told.body).unwrap();
    assert!(told["why"].as_str().is_some_and(|why| why.len() > 5), "{told}");
}

#[test]
fn facts_come_as_lines_and_as_events() {
    let mut stage = stage();
    let lines = stage.ask("reader", "GET", "/api/facts?from=2&most=3", &Value::Null).text();
    let numbers: Vec<u64> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["number"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [2, 3, 4]);
    assert_eq!(stage.ask("acme", "GET", "/api/facts", &Value::Null).status, 403);
    let headers = vec![("accept", "text/event-stream"), ("last-event-id", "3")];
    let mut stream =
        stage.begin("reader", Sent { method: "GET", path: "/api/facts", headers, ..Sent::default() });
    let first = stream.until("\n\n");
    assert!(first.starts_with("id: 4\nevent: fact\ndata: {\"v\":1,\"number\":4,"), "{first}");
    stage.play(r#"acme POST /api/jobs {"app": "look", "tasks": [1]}"#);
    stream.until("JobSubmitted");
    // A server that stops ends its streams.
    stage.stop();
    stream.rest();
    stage.restart_stopped();
}

#[test]
fn metrics_are_complete() {
    let mut stage = stage();
    stage.play(
        r#"
        acme POST /api/jobs {"app": "look", "tasks": [1, 2, 3]}
        admin POST /api/pools/day/recruit {"kind": "person", "n": 2}
        ann POST /api/workers {"pool": "day", "kind": "person"}
        ann POST /api/workers/0/ask
        "#,
    );
    let page = stage.ask("reader", "GET", "/metrics", &Value::Null).text();
    for line in [
        "muster_queue_slots{pool=\"day\"} 2",
        "muster_workers{pool=\"day\",standing=\"leased\"} 1",
        "muster_workers{pool=\"day\",standing=\"idle\"} 0",
        "muster_workers_wanted{pool=\"day\",kind=\"person\"} 2",
        "muster_tenant_charged_total{tenant=\"acme\"} 0",
        "muster_paid_total{what=\"answers\"} 0",
        "muster_jobs 1",
        "muster_http_replies_total{status=\"2xx\"}",
        "muster_http_request_seconds_bucket{method=\"POST\",route=\"/api/jobs\",le=\"0.0001\"} 1",
        "muster_http_request_seconds_count{method=\"POST\",route=\"/api/workers/{worker}/ask\"} 1",
        "muster_http_connections_refused_total 0",
        "muster_journal_commit_seconds_sum 0",
        "muster_journal_commit_requests_bucket{le=\"+Inf\"}",
        "muster_journal_facts_total",
        "muster_up 1",
    ] {
        assert!(page.contains(line), "{line} is not in\n{page}");
    }
    let is_right = |line: &str| {
        line.starts_with('#')
            || line.rsplit_once(' ').is_some_and(|(_, n)| n.parse::<f64>().is_ok() || n == "+Inf")
    };
    assert!(page.lines().all(is_right), "{page}");
    // Without a token, or with a tenant's, nothing is told of tenants and pools.
    for who in ["nobody", "acme"] {
        let page = stage.ask(who, "GET", "/metrics", &Value::Null).text();
        assert!(page.contains("muster_jobs 1") && !page.contains("day") && !page.contains("acme"), "{page}");
    }
}

#[test]
fn tokens_are_made_listed_and_revoked() {
    let mut stage = stage();
    stage.play(
        r#"
        token eve {"scope": "tenant", "tenant": "acme", "label": "eve's", "expires_in": "1 h"}
        eve GET /api/jobs
          -> 200
        acme GET /api/tokens
          -> 403
        acme POST /api/tokens {"scope": "admin"}
          -> 403
        admin POST /api/tokens {"scope": "tenant"}
          -> 422 {"field": "tenant"}
        admin POST /api/tokens {"scope": "emperor"}
          -> 422
        admin GET /api/tokens
          -> 200 {"tokens": [{"scope": "admin"}, {"scope": "tenant", "tenant": "acme"}, {"tenant": "globex"}, {"scope": "worker", "pool": "day"}, {"scope": "read"}, {"id": 5, "label": "eve's"}]}
        pass 61 min
        eve GET /api/jobs
          -> 401
        token mallory {"scope": "admin"}
        admin DELETE /api/tokens/6
          -> 204
        mallory GET /api/tenants
          -> 401
        admin DELETE /api/tokens/6
          -> 404
        nobody GET /api/tenants
          -> 401 {"type": "urn:muster:token"}
        "#,
    );
}
