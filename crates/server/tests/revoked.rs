//! A token that was revoked is gone for good: nobody who comes later has its number, and with it its workers.

mod support;

use axum::http::Method;
use muster_server::journal::memory::Disk;
use serde_json::json;
use support::{START, World};

#[tokio::test(flavor = "multi_thread")]
async fn nobody_inherits_the_workers_of_a_revoked_token() {
    let disk = Disk::new(1);
    let world = World::on(&disk, START).await;
    world.set_up().await;
    let admin = world.admin.clone();
    let mallory = world.post("/api/tokens", json!({"scope": "worker"})).await.ok();
    let secret = mallory["token"].as_str().expect("a token").to_owned();
    let body = json!({"pool": "day", "kind": "person"});
    let worker = world.post_as(&secret, "/api/workers", body).await.ok()["worker"].clone();
    let path = format!("/api/tokens/{}", mallory["id"]);
    let revoked = world.send(Method::DELETE, &path, &admin, None).await;
    assert_eq!(revoked.status.as_u16(), 204);
    world.stop().await.expect("it stops");

    // After a restart, the next token has a number of its own.
    let mut world = World::on(&disk, START).await;
    world.admin = admin;
    let trent = world.post("/api/tokens", json!({"scope": "worker"})).await.ok();
    assert_ne!(trent["id"], mallory["id"]);
    let secret = trent["token"].as_str().expect("a token");
    let refused = world.post_as(secret, &format!("/api/workers/{worker}/ask"), json!({})).await;
    assert_eq!(refused.status.as_u16(), 404, "{}", refused.body);
    world.stop().await.expect("it stops");
}
