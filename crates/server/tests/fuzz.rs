//! Bodies that were good once, mutated and sent to every endpoint that takes one: refused in problem+json or done, never a
//! server error, never a panic; and the server goes on.
//!
//! Seeded: a failure prints the body. More with MUSTER_LONG=1.

mod support;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};
use support::World;

/// `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }
}

/// Where good bodies go.
fn good() -> Vec<(Method, &'static str, Value)> {
    let post = |path, body| (Method::POST, path, body);
    let put = |path, body| (Method::PUT, path, body);
    vec![
        post("/api/tenants", json!({"name": "x", "weight": 2, "budget": {"amount": 5.5, "every": "1 h"}})),
        put("/api/tenants/acme", json!({"weight": 2})),
        post(
            "/api/apps",
            json!({"name": "y", "training": "90 s", "lease": {"factor": 2.0, "least": 10, "most": "10 min"}, "heartbeat": 5, "template": "<p>${x}</p>", "form": {"fields": [{"name": "a", "type": "choice", "options": ["x"]}]}, "late_pay": "always"}),
        ),
        put("/api/apps/look", json!({"name": "look", "lease": 600})),
        post(
            "/api/kinds",
            json!({"name": "z", "role": {"is": "machine", "period": 3600, "cost": 0.1}, "speed": 1.5, "boot": 3, "most": 4}),
        ),
        post(
            "/api/pools",
            json!({"name": "p", "apps": ["look"], "tenant": "acme", "payer": "acme", "window": 60, "recommend": {"to": {"aim": "within", "within": 5, "share": 0.9}, "size_most": 9}, "policies": {"dispatch": {"name": "worker-conscious", "concessions": 3}, "scaling": "static"}}),
        ),
        put("/api/pools/day/policies/dispatch", json!({"name": "fair"})),
        put("/api/balance", json!({"name": "none"})),
        post(
            "/api/jobs",
            json!({"tenant": "acme", "app": "look", "tasks": [1, "two", {"three": [3]}], "price": 0.05, "slots": 2, "priority": 3, "budget": 1, "expected": "20 s", "name": "n"}),
        ),
        post(
            "/api/jobs",
            json!({"tenant": "acme", "workflow": [{"app": "look"}, {"app": "look", "after": [0], "payload": {"a": 1}}]}),
        ),
        (Method::PATCH, "/api/jobs/0", json!({"priority": 2, "budget": 3})),
        post(
            "/api/workers",
            json!({"pool": "day", "kind": "person", "trained": ["look"], "preferences": {"look": 0.5}, "name": "w", "recruit": 0}),
        ),
        post(
            "/api/work",
            json!({"operations": [{"do": "ask", "worker": 0}, {"do": "answer", "worker": 0, "lease": 0, "answer": {"a": 1}, "next": true}, {"do": "skip-task", "worker": 0, "lease": 1, "reason": "dull"}, {"do": "trained", "worker": 1}]}),
        ),
        post("/api/tokens", json!({"scope": "tenant", "tenant": "acme", "label": "l", "expires_in": 60})),
        post(
            "/api/links",
            json!({"pool": "day", "kind": "person", "expires_in": 60, "most": 3, "label": "l"}),
        ),
        post("/api/join", json!({"link": "join_x", "name": "n", "trained": ["look"]})),
        post("/api/claim", json!({"secret": "s"})),
        post("/api/pools/day/recruit", json!({"kind": "person", "n": 2})),
        post("/api/pools/day/release", json!({"n": 1})),
        post("/api/workers/0/move", json!({"pool": "day"})),
    ]
}

const ODD: &[&str] = &[
    "null",
    "-1",
    "1e999",
    "0.1",
    "99999999999999999999999",
    "\"\"",
    "[]",
    "{}",
    "true",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "[[[[",
    "1e-400",
    "9007199254740993",
    "4294967296",
    "\"day\"",
    "\"-5 s\"",
    "\"1e300 h\"",
    "{\"name\":\"fair\",\"name\":\"fifo\"}",
    ",",
    "}",
    "\"",
];

/// A value of the body replaced, doubled or left out; or its text cut and sown.
fn mutated(body: &Value, dice: &mut Dice) -> Vec<u8> {
    let mut text = body.to_string();
    for _ in 0..=dice.below(3) {
        let values: Vec<usize> = text.match_indices([':', ',', '[']).map(|(at, _)| at + 1).collect();
        let at = if dice.below(4) == 0 {
            dice.below(text.len() + 1)
        } else {
            values.get(dice.below(values.len())).copied().unwrap_or(0)
        };
        let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let end = text[at..].find([',', '}', ']']).map_or(text.len(), |n| at + n);
        match dice.below(5) {
            0 => text.truncate(at),
            1 => text.insert_str(at, ODD[dice.below(ODD.len())]),
            _ => text.replace_range(at..end, ODD[dice.below(ODD.len())]),
        }
    }
    let mut bytes = text.into_bytes();
    if dice.below(20) == 0 && !bytes.is_empty() {
        let at = dice.below(bytes.len());
        bytes[at] = dice.bits() as u8;
    }
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn mutated_bodies_are_refused_in_words_or_done() {
    let world = World::new().await;
    world.set_up().await;
    world.submit(json!([1, 2, 3])).await;
    world.join().await;
    world.join().await;
    let (good, rounds) = (good(), if std::env::var_os("MUSTER_LONG").is_some() { 100_000 } else { 1_500 });
    let mut seen = [0_u32; 6];
    for round in 0..rounds {
        let mut dice = Dice(round);
        let (method, path, body) = &good[dice.below(good.len())];
        let bytes = mutated(body, &mut dice);
        let shown = format!("round {round}: {method} {path} {}", String::from_utf8_lossy(&bytes));
        let request = Request::builder()
            .method(method)
            .uri(*path)
            .header("authorization", format!("Bearer {}", world.admin));
        let request =
            request.header("content-type", "application/json").body(Body::from(bytes)).expect("a request");
        let reply = world.request(request).await;
        assert!(!reply.status.is_server_error(), "{shown}: {} {}", reply.status, reply.body);
        if reply.status.is_client_error() {
            let words = reply.body["detail"].as_str().unwrap_or_default();
            assert!(!words.is_empty(), "{shown}: {} {}", reply.status, reply.body);
        }
        seen[usize::from(reply.status.as_u16() / 100)] += 1;
    }
    assert!(seen[2] > 0 && seen[4] > seen[2], "some are good, most are not: {seen:?}");
    assert_eq!(world.get("/health").await.status, StatusCode::OK);
    world.stop().await.expect("it stops as always");
}
