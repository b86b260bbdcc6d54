//! The path from a job to its answers, over the API, on a journal in memory.

mod support;

use muster_engine::ids::TenantId;
use muster_engine::{Span, Time};
use muster_server::access::Scope;
use muster_server::journal::memory::Disk;
use serde_json::json;
use support::{START, World};

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_submitted_done_and_paid() {
    let world = World::new().await;
    world.set_up().await;
    let job = world.submit(json!([{"picture": 1}, {"picture": 2}])).await;
    let worker = world.join().await;

    let asked = world.ask(worker).await;
    assert_eq!(asked["lease"]["payload"], json!({"picture": 1}));
    assert_eq!((&asked["lease"]["app"], &asked["lease"]["price"]), (&json!("look"), &json!(0.05)));
    // Who asks again hears of the same lease.
    assert_eq!(world.ask(worker).await["lease"]["lease"], asked["lease"]["lease"]);

    let lease = &asked["lease"]["lease"];
    let operation =
        json!([{"do": "answer", "worker": worker, "lease": lease, "answer": {"cat": true}, "next": true}]);
    let done = world.work(operation.clone()).await;
    assert_eq!((&done[0]["verdict"], &done[0]["pay"]), (&json!("counted"), &json!(0.05)));
    assert_eq!(done[0]["lease"]["payload"], json!({"picture": 2}));
    // The same answer again is refused, and its neighbours in the request are not harmed.
    let again = world.work(json!([operation[0], {"do": "heartbeat", "worker": worker}])).await;
    assert_eq!(again[0]["problem"]["status"], 409);
    assert!(again[1].get("problem").is_none());

    let lease = &done[0]["lease"]["lease"];
    let last = world
        .work(json!([{"do": "answer", "worker": worker, "lease": lease, "answer": 7, "next": true}]))
        .await;
    assert_eq!((&last[0]["verdict"], &last[0]["waiting"]), (&json!("counted"), &json!(true)));
    let told = world.get(&format!("/api/jobs/{job}")).await.ok();
    assert_eq!((&told["stage"], &told["done"], &told["spent"]), (&json!("done"), &json!(2), &json!(0.1)));
    world.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_gets_a_task_that_comes_later() {
    let world = World::new().await;
    world.set_up().await;
    let worker = world.join().await;
    let path = format!("/api/workers/{worker}/ask?wait=30");
    let waiting = world.post(&path, json!({}));
    // The ask is sent first; the job comes while it waits.
    let submit = async {
        while world.get("/api/pools/day").await.ok()["workers"]["idle"] != 1 {
            tokio::task::yield_now().await;
        }
        world.submit(json!(["later"])).await
    };
    let (asked, _) = tokio::join!(waiting, submit);
    assert_eq!(asked.ok()["lease"]["payload"], "later");
    world.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_there_after_a_restart() {
    let disk = Disk::new(1);
    let world = World::on(&disk, START).await;
    world.set_up().await;
    let job = world.submit(json!([1, 2, 3])).await;
    let worker = world.join().await;
    let lease = world.ask(worker).await["lease"].clone();
    world.stop().await.unwrap();

    // Ten minutes later the lease would have run out, had the server not stood still.
    let world = World::on(&disk, START + Span::from_mins(11)).await;
    let again = world.ask(worker).await;
    assert_eq!(again["lease"]["lease"], lease["lease"]);
    assert_eq!(again["lease"]["payload"], 1);
    let told = world.get(&format!("/api/jobs/{job}")).await.ok();
    assert_eq!((&told["stage"], &told["leased"], &told["open"]), (&json!("open"), &json!(1), &json!(2)));
    assert_eq!(world.get("/api/apps/look").await.ok()["name"], "look");
    world.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn leases_run_out_by_the_clock() {
    let world = World::new().await;
    world.set_up().await;
    let job = world.submit(json!([1])).await;
    let worker = world.join().await;
    let lease = world.ask(worker).await["lease"]["lease"].clone();
    world.pass(Span::from_mins(11));
    while world.get(&format!("/api/jobs/{job}")).await.ok()["open"] != 1 {
        tokio::task::yield_now().await;
    }
    let late = world.work(json!([{"do": "answer", "worker": worker, "lease": lease, "answer": 1}])).await;
    assert_eq!(late[0]["verdict"], "late-counted");
    world.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_makes_a_request_happen_once() {
    let disk = Disk::new(1);
    let world = World::on(&disk, START).await;
    world.set_up().await;
    let tenant = world.token(Scope::Tenant(TenantId(0))).await;
    let send = async |world: &World, tasks: &str| {
        let request = axum::http::Request::builder().method("POST").uri("/api/jobs");
        let request = request.header("authorization", format!("Bearer {tenant}"));
        let request = request.header("idempotency-key", "monday");
        let body = format!(r#"{{"app":"look","tasks":{tasks}}}"#);
        world.request(request.body(body.into()).unwrap()).await
    };
    let first = send(&world, "[1]").await.ok();
    assert_eq!(send(&world, "[1]").await.ok(), first);
    assert!(send(&world, "[2]").await.refused(409).contains("another request"));
    world.stop().await.unwrap();

    let world = World::on(&disk, START).await;
    assert_eq!(send(&world, "[1]").await.ok(), first);
    let jobs = world.send(axum::http::Method::GET, "/api/jobs", &tenant, None).await.ok();
    assert_eq!(jobs["jobs"].as_array().unwrap().len(), 1);
    world.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_goes_back_harms_nothing() {
    let disk = Disk::new(1);
    let world = World::on(&disk, START).await;
    world.set_up().await;
    let worker = world.join().await;
    world.pass(Span::from_hours(2));
    world.submit(json!([1, 2])).await;
    let lease = world.ask(worker).await["lease"]["lease"].clone();
    world.set(START);
    let operation = json!([{"do": "answer", "worker": worker, "lease": lease, "answer": 1, "next": true}]);
    let done = world.work(operation).await;
    assert_eq!(done[0]["verdict"], "counted");
    let lease = done[0]["lease"]["lease"].clone();
    world.stop().await.unwrap();
    // Also at a start.
    let world = World::on(&disk, Time(1)).await;
    assert_eq!(world.ask(worker).await["lease"]["lease"], lease);
    let last = world.work(json!([{"do": "answer", "worker": worker, "lease": lease, "answer": 1}])).await;
    assert_eq!(last[0]["verdict"], "counted");
    world.stop().await.unwrap();
}
