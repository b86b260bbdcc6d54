//! Stories of the operations pages, over HTTP: who sees what, what acts do, and that nothing happens without our own page's form.

mod support;

use muster_engine::Span;
use muster_engine::ids::TenantId;
use muster_server::access::Scope;
use muster_server::pages::operations::watch;
use serde_json::{Value, json};
use support::World;
use support::browser::Browser;

const PAGES: [&str; 9] = [
    "/operations",
    "/operations/pools/day",
    "/operations/pools/day/policies/scaling",
    "/operations/workers",
    "/operations/log",
    "/operations/log?from=0",
    "/operations/access",
    "/operations/setup",
    "/operations/balance",
];

async fn world() -> World {
    let world = World::new().await;
    world.set_up().await;
    world
}

#[tokio::test]
async fn admins_see_all_readers_see_without_acting_and_others_nothing() {
    let world = world().await;
    let (reader, tenant) =
        (world.token(Scope::Read(None)).await, world.token(Scope::Tenant(TenantId(0))).await);
    let worker = world.token(Scope::Worker(None)).await;
    for path in PAGES {
        let page = Browser::signed_in(&world, &world.admin).get(path).await.page();
        assert!(!page.contains("style=") && !page.contains("onclick"), "{path}");
        for token in [&tenant, &worker] {
            assert_eq!(Browser::signed_in(&world, token).get(path).await.status.as_u16(), 403, "{path}");
        }
        let read = Browser::signed_in(&world, &reader).get(path).await;
        let acts = ["policies", "access", "balance"].iter().any(|it| path.contains(it));
        assert_eq!(read.status.as_u16(), if acts { 403 } else { 200 }, "{path}");
        // The one form left is the one to sign out with.
        assert!(acts || read.text.matches("method=\"post\"").count() == 1, "{path}");
    }
    for path in ["/live/operations", "/live/pools/day", "/live/log"] {
        assert_eq!(Browser::signed_in(&world, &tenant).get(path).await.status.as_u16(), 403, "{path}");
    }
}

#[tokio::test]
async fn a_pool_is_shown_as_it_is() {
    let world = world().await;
    world.submit(json!([{"x": 1}, {"x": 2}, {"x": 3}])).await;
    let worker = world.join().await;
    world.ask(worker).await;
    let admin = Browser::signed_in(&world, &world.admin);
    let page = admin.get("/operations").await.page();
    assert!(page.contains(r#"id="all-queue">2<"#) && page.contains(r#"id="all-busy">1<"#), "{page}");
    assert!(page.contains(r#"aria-label="1 working""#), "{page}");
    let page = admin.get("/operations/pools/day").await.page();
    assert!(page.contains("Share per tenant") && page.contains("acme") && page.contains("100 %"), "{page}");
    let page = admin.get("/operations/workers?pool=day&standing=leased").await.page();
    assert!(page.contains(">ann<") && page.contains("/operations/leases/0"), "{page}");
    assert!(!admin.get("/operations/workers?standing=idle").await.page().contains(">ann<"));
    let why = admin.get("/operations/leases/0").await.page();
    assert!(why.contains("Why worker 0 got this task") && why.contains("fifo"), "{why}");
}

#[tokio::test]
async fn a_policy_is_checked_before_it_is_used() {
    let world = world().await;
    let admin = Browser::signed_in(&world, &world.admin);
    let path = "/operations/pools/day/policies/scaling";
    let page = admin.get(&format!("{path}?name=pid-size")).await.page();
    assert!(page.contains("The weight of the distance. 0.5 unless said."), "{page}");
    let wrong = admin.fill(path, &[("policy", "pid-size"), ("kp", "a lot"), ("least", "2")]).await;
    assert_eq!(wrong.status.as_u16(), 422);
    assert!(wrong.text.contains("a lot") && wrong.text.contains(r#"aria-invalid="true""#), "{}", wrong.text);
    assert!(wrong.text.contains(r#"value="2""#), "what was written stays: {}", wrong.text);
    let unknown = admin.fill(path, &[("policy", "wishful")]).await;
    assert_eq!(unknown.status.as_u16(), 422);
    let scaling = async || world.get("/api/pools/day").await.ok()["policies"]["scaling"].clone();
    assert_eq!(scaling().await, json!("static"));
    let right = [("policy", "pid-size"), ("kp", "0.8"), ("kind", "person"), ("every", "20 s"), ("ki", "")];
    assert_eq!(admin.fill(path, &right).await.led(), "/operations/pools/0");
    assert_eq!(scaling().await, json!({"name": "pid-size", "kp": 0.8, "kind": "person", "every": "20 s"}));
    let balance = [("policy", "preference-aware"), ("omega", "0.3")];
    assert_eq!(admin.fill("/operations/balance", &balance).await.led(), "/operations");
    assert_eq!(
        world.get("/api/balance").await.ok()["balance"],
        json!({"name": "preference-aware", "omega": 0.3})
    );
    assert!(admin.get("/operations").await.page().contains("preference-aware"));
    assert!(admin.get("/operations/balance").await.page().contains("all pools together"));
    let rules =
        [("policy", "rules"), ("rules", "if queue > 3 then recruit 1\r\n\r\nif idle > 2 then release 1\r\n")];
    admin.fill(path, &rules).await.led();
    assert_eq!(scaling().await["rules"].as_array().map(Vec::len), Some(2));
    let page = admin.get(path).await.page();
    assert!(page.contains("if queue &gt; 3 then recruit 1\nif idle"), "{page}");
}

#[tokio::test]
async fn workers_are_called_for_and_let_go_by_hand() {
    let world = world().await;
    let admin = Browser::signed_in(&world, &world.admin);
    admin.fill("/operations/pools/day/recruit", &[("n", "2"), ("kind", "person")]).await.led();
    assert_eq!(world.get("/api/recruits").await.ok()["wanted"][0]["n"], 2);
    let refused = admin.fill("/operations/pools/day/recruit", &[("n", "2"), ("kind", "robot")]).await;
    assert!(refused.header("set-cookie").contains("problem="), "{}", refused.header("set-cookie"));
    let (idle, other) = (world.join().await, world.join().await);
    world.ask(idle).await;
    admin.fill(&format!("/operations/workers/{idle}/pause"), &[]).await.led();
    assert_eq!(world.get(&format!("/api/workers/{idle}")).await.ok()["standing"], "paused");
    world.ask(idle).await;
    let gone = admin.fill("/operations/pools/day/release", &[("n", "5"), ("kind", "person")]).await;
    assert!(gone.header("set-cookie").contains("Released+1+worker"), "{}", gone.header("set-cookie"));
    admin.fill(&format!("/operations/workers/{other}/drain"), &[]).await.led();
    assert_eq!(world.get("/api/workers").await.ok()["workers"], json!([]));
    let of_another = format!("csrf={}&n=9&kind=person", muster_server::pages::form::csrf("mst_other"));
    let forged = admin.post("/operations/pools/day/recruit", &of_another).await;
    assert_eq!(forged.status.as_u16(), 403);
    let reader = world.token(Scope::Read(None)).await;
    let reader = Browser::signed_in(&world, &reader);
    let refused = reader.fill("/operations/pools/day/recruit", &[("n", "9"), ("kind", "person")]).await;
    assert_eq!(refused.status.as_u16(), 403);
    assert_eq!(world.get("/api/recruits").await.ok()["wanted"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn everything_that_a_world_needs_is_made_with_forms() {
    let world = World::new().await;
    let admin = Browser::signed_in(&world, &world.admin);
    assert!(admin.get("/operations").await.page().contains("No pool yet"));
    let tenant = [("tenant", "globex"), ("weight", "3"), ("amount", "20"), ("every", "1 d")];
    admin.fill("/operations/tenants", &tenant).await.led();
    admin
        .fill("/operations/apps", &[("app", "sort"), ("instructions", "<b>Sort</b>"), ("lease", "10 min")])
        .await
        .led();
    let form = r#"{"fields": [{"name": "verdict", "type": "choice", "options": ["yes", "no"]}]}"#;
    let wrong = admin.fill("/operations/apps", &[("app", "look"), ("form", "{")]).await;
    assert!(wrong.header("set-cookie").contains("problem=form"), "{}", wrong.header("set-cookie"));
    admin.fill("/operations/apps", &[("app", "look"), ("form", form)]).await.led();
    assert_eq!(world.get("/api/apps/look").await.ok()["form"]["fields"][0]["name"], "verdict");
    admin.fill("/operations/kinds", &[("kind", "person"), ("is", "person"), ("cost", "4.5")]).await.led();
    let pool = [("pool", "night"), ("apps", "sort"), ("tenant-only", "globex")];
    assert_eq!(admin.fill("/operations/pools", &pool).await.led(), "/operations/setup");
    let told = world.get("/api/pools/night").await.ok();
    assert_eq!((&told["apps"], &told["tenant"]), (&json!(["sort"]), &json!("globex")));
    let told = world.get("/api/tenants/globex").await.ok();
    assert_eq!((&told["weight"], &told["budget"]["every"]), (&json!(3), &json!(86400.0)));
    let twice = admin.fill("/operations/tenants", &tenant).await;
    assert!(twice.header("set-cookie").contains("problem="), "{}", twice.header("set-cookie"));
    let setup = admin.get("/operations/setup").await.page();
    assert!(setup.contains("globex") && setup.contains("20.00 every 24 h"), "{setup}");

    let link =
        admin.fill("/operations/links", &[("pool", "night"), ("kind", "person"), ("most", "3")]).await.page();
    let path =
        link.split("class=\"secret\">").nth(1).and_then(|rest| rest.split('<').next()).expect("a link");
    assert!(path.starts_with("/join/"), "{path}");
    let id = world.get("/api/links").await.ok()["links"][0]["id"].as_str().expect("an id").to_owned();
    admin.fill(&format!("/operations/links/{id}/withdraw"), &[]).await.led();
    assert_eq!(world.get("/api/links").await.ok()["links"], json!([]));
    let token = [("scope", "tenant"), ("tenant", "globex"), ("hours", "2"), ("label", "for Ann")];
    let made = admin.fill("/operations/tokens", &token).await.page();
    let text =
        made.split("class=\"secret\">").nth(1).and_then(|rest| rest.split('<').next()).expect("a token");
    let own = Browser::signed_in(&world, text).get("/").await;
    assert_eq!(own.leads_to(), "/jobs");
    assert!(!admin.get("/operations/access").await.page().contains(text), "it is shown once");
    world.pass(Span::from_secs(2 * 3600));
    assert_eq!(Browser::signed_in(&world, text).get("/jobs").await.leads_to(), "/sign-in?next=%2Fjobs");
}

/// Waits until what is remembered is as wanted, as often as there are new facts.
async fn until(world: &World, wanted: impl Fn(&[muster_server::http::decisions::Told]) -> bool) {
    let remembered = async {
        while !wanted(&world.server.watch.decisions(None, 100)) {
            tokio::task::yield_now().await;
        }
    };
    let long = std::time::Duration::from_secs(60);
    tokio::time::timeout(long, remembered).await.expect("it is remembered");
}

#[tokio::test]
async fn decisions_are_remembered_with_what_came_of_them() {
    let world = world().await;
    watch::start(&world.server);
    let policy = json!({"name": "static", "size": 2, "kind": "person", "every": "1 s"});
    world
        .send(axum::http::Method::PUT, "/api/pools/day/policies/scaling", &world.admin, Some(policy))
        .await
        .ok();
    world.pass(Span::from_secs(2));
    world.submit(json!([{"x": 1}])).await;
    until(&world, |told| told.iter().any(|it| it.reason.starts_with("recruit 2: "))).await;
    let page = Browser::signed_in(&world, &world.admin).get("/operations/log").await.page();
    assert!(page.contains("scaling is static from now on, as set by hand"), "{page}");
    assert!(page.contains("recruit 2: "), "{page}");
    let told = world.get("/api/decisions").await.ok();
    let reasons: Vec<&str> =
        told["decisions"].as_array().into_iter().flatten().filter_map(|it| it["reason"].as_str()).collect();
    assert!(reasons.iter().any(|it| it.starts_with("recruit 2: ")), "{reasons:?}");
    let none: Vec<Value> = Vec::new();
    let elsewhere = world.get("/api/decisions?pool=day&from=100000").await.ok();
    assert_eq!(elsewhere["decisions"].as_array(), Some(&none));
}

#[tokio::test]
async fn markup_of_others_stays_text() {
    let world = world().await;
    let body = json!({"pool": "day", "kind": "person", "name": "<script>1</script>"});
    world.post("/api/workers", body).await.ok();
    world.post("/api/tokens", json!({"scope": "admin", "label": "<img src=x>"})).await.ok();
    let admin = Browser::signed_in(&world, &world.admin);
    let page = admin.get("/operations/workers").await.page();
    assert!(page.contains("&lt;script&gt;1&lt;/script&gt;") && !page.contains("<script>1"), "{page}");
    let page = admin.get("/operations/access").await.page();
    assert!(page.contains("&lt;img src=x&gt;") && !page.contains("<img src=x"), "{page}");
}
