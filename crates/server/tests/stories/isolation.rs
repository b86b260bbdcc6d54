//! A tenant sees nothing of another: every route of the OpenAPI document is asked for another tenant's things.

use crate::stage::{SET_UP, Stage};
use serde_json::{Value, json};

/// Stands in everything that is acme's.
const MARK: &str = "zebra";

const SCENE: &str = r#"
    admin POST /api/pools {"name": "zebra pool", "apps": ["look"], "tenant": "acme"}
      -> 201 {"pool": 1}
    token zed {"scope": "worker", "pool": "zebra pool", "label": "zebra workers"}
    acme POST /api/jobs {"name": "zebra job", "app": "look", "tasks": [{"secret": "zebra 1"}, {"secret": "zebra 2"}], "price": 0.05}
      -> 201 {"job": 0}
    zed POST /api/workers {"pool": "zebra pool", "kind": "person", "name": "zebra person"}
      -> 201 {"worker": 0}
    zed POST /api/workers/0/ask
      -> 200 {"lease": {"lease": 0}}
    zed POST /api/work {"operations": [{"do": "answer", "worker": 0, "lease": 0, "answer": "zebra answer", "next": true}]}
    zed POST /api/work {"operations": [{"do": "skip-task", "worker": 0, "lease": 1, "reason": "zebra reason"}]}
    admin POST /api/pools/1/recruit {"kind": "person", "n": 1}
      -> 201 {"recruit": 0}
    acme POST /api/clients {}
      -> 201 {"client": 0}
    admin POST /api/links {"pool": "zebra pool", "kind": "person", "label": "zebra link"}
      $id = id
"#;

/// What stands for a part of a path: something of acme's.
fn filled(path: &str, link: &str) -> String {
    let parts = path.split('/').map(|part| match part {
        "{tenant}" => "acme",
        "{job}" | "{task}" | "{worker}" | "{lease}" | "{recruit}" | "{client}" => "0",
        "{pool}" => "zebra pool",
        "{family}" => "dispatch",
        "{app}" => "look",
        "{kind}" => "person",
        "{id}" if path.contains("/links/") => link,
        "{id}" => "1",
        part => {
            assert!(!part.starts_with('{'), "{path}: say what stands for {part}");
            part
        }
    });
    parts.collect::<Vec<_>>().join("/").replace(' ', "%20")
}

/// Bodies that would do something if they were allowed to.
fn body(path: &str, method: &str) -> Value {
    match (method, path) {
        ("put", "/api/tenants/{tenant}") => json!({"weight": 9}),
        ("put", "/api/apps/{app}") => json!({"name": "look"}),
        ("patch", "/api/jobs/{job}") => json!({"priority": 9}),
        ("patch", "/api/pools/{pool}") => json!({"name": "taken"}),
        ("put", "/api/pools/{pool}/policies/{family}" | "/api/balance") => json!("none"),
        ("post", "/api/pools/{pool}/recruit" | "/api/pools/{pool}/release") => {
            json!({"kind": "person", "n": 1})
        }
        ("post", "/api/recruits/{recruit}/failed") => json!({"n": 1}),
        ("post", "/api/workers/{worker}/move") => json!({"pool": "day"}),
        ("post", "/api/clients") => json!({"tenant": "acme"}),
        ("post", "/api/jobs") => json!({"tenant": "acme", "app": "look", "tasks": [1]}),
        ("post", "/api/workers") => json!({"pool": "zebra pool", "kind": "person"}),
        ("post", "/api/work") => json!({"operations": [{"do": "leave", "worker": 0}]}),
        ("post", "/api/tenants" | "/api/apps") => json!({"name": "new"}),
        ("post", "/api/pools") => json!({"name": "new", "apps": ["look"]}),
        ("post", "/api/kinds") => json!({"name": "new", "role": {"is": "person"}}),
        ("post", "/api/tokens") => json!({"scope": "admin"}),
        ("post", "/api/links") => json!({"pool": "zebra pool", "kind": "person"}),
        ("post", "/api/hooks") => json!({"url": "http://127.0.0.1:1/", "events": ["job"]}),
        ("post", "/api/hooks/{id}/replay") => json!({"from": 0}),
        ("post", "/api/join") => json!({"link": "join_guess"}),
        ("post", "/api/claim") => json!({"secret": "guess"}),
        _ => Value::Null,
    }
}

/// Lists of what all may see or of what is the caller's own, and what only says how the server is.
const OPEN: [&str; 14] = [
    "/health",
    "/ready",
    "/api/tenants",
    "/api/apps",
    "/api/apps/{app}",
    "/api/kinds",
    "/api/kinds/{kind}",
    "/api/pools",
    "/api/policies",
    "/api/jobs",
    "/api/workers",
    "/api/ledger",
    "/api/work",
    "/api/uploads",
];

#[test]
fn every_route_is_closed_to_another_tenant() {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    stage.play(SCENE);
    stage.play(r#"token snoop {"scope": "read", "tenant": "globex"}"#);
    let link = stage.known["id"].clone();
    let document = serde_json::to_value(muster_server::http::openapi()).unwrap();
    let facts = |stage: &Stage| stage.ask("admin", "GET", "/api/facts", &Value::Null).text().lines().count();
    let before = facts(&stage);
    let mut routes = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            for who in ["globex", "ann", "snoop"] {
                let place = match path.as_str() {
                    "/api/uploads" => format!("{path}?app=look&tenant=acme"),
                    "/api/forecast" => format!("{path}?app=look&tenant=acme&tasks=1"),
                    _ => filled(path, &link),
                };
                let reply = stage.ask(who, &method.to_uppercase(), &place, &body(path, method));
                let text = reply.text();
                let said = format!("{who} {method} {place}: {} {text}", reply.status);
                // A refusal may repeat what was asked for.
                assert!(reply.status >= 400 || !text.contains(MARK), "{said}");
                assert!(reply.status < 500, "{said}");
                let is_closed = [401, 403, 404].contains(&reply.status);
                assert!(is_closed || OPEN.contains(&path.as_str()), "{said}");
                if is_closed {
                    assert!(!text.contains("zebra answer") && !text.contains("zebra reason"), "{said}");
                }
            }
            routes += 1;
        }
    }
    assert!(routes > 50, "{routes}");
    assert_eq!(facts(&stage), before, "something was done");
}

#[test]
fn other_things_of_tenants_are_hidden_in_filters_too() {
    let mut stage = Stage::new();
    stage.play(SET_UP);
    stage.play(SCENE);
    stage.play(
        r#"
        globex GET /api/jobs?tenant=acme
          -> 404
        globex GET /api/jobs?tenant=0
          -> 404
        globex GET /api/ledger?tenant=acme
          -> 404
        globex GET /api/ledger
          -> 200 {"lines": []}
        globex GET /api/pools
          -> 200 {"pools": []}
        acme GET /api/pools
          -> 200 {"pools": [{"name": "zebra pool"}]}
        globex GET /api/tenants
          -> 200 {"tenants": [{"name": "globex"}]}
        ann GET /api/workers
          -> 200 {"workers": []}
        globex POST /api/jobs {"tenant": "acme", "app": "look", "tasks": [1]}
          -> 404
        globex POST /api/jobs {"app": "look", "tasks": [1], "client": 0}
          -> 404 {"detail": "there is no client 0"}
        "#,
    );
}
