//! Stories of the worker's pages: join by a link, learn, work, skip, be paid, leave; and what a closed tab gives back.

mod support;

use axum::http::Method;
use muster_engine::Span;
use muster_engine::ids::WorkerId;
use muster_server::pages::worker::presence::{GRACE, GRACE_CUT_OFF, sweep};
use serde_json::{Value, json};
use support::World;
use support::browser::{Browser, Seen};

const FORM: &str = r#"{"show": [{"input": "text", "label": "The words"}, {"input": "photo", "as": "image"}],
    "fields": [{"name": "verdict", "label": "Is it allowed?", "type": "choice", "options": ["yes", "no"]},
               {"name": "count", "type": "number", "least": 0, "most": 9, "step": 1, "required": false}]}"#;

/// Two apps in a pool: one with a form, one with a template.
async fn set_up(world: &World) {
    world.post("/api/tenants", json!({"name": "acme"})).await.ok();
    let form: Value = serde_json::from_str(FORM).expect("JSON");
    world
        .post(
            "/api/apps",
            json!({"name": "look", "lease": 600, "form": form, "instructions": "Look <b>well</b>."}),
        )
        .await
        .ok();
    let template = "<p>${text}</p><form><input name=\"a\"></form>";
    world.post("/api/apps", json!({"name": "type", "lease": 600, "template": template})).await.ok();
    let role = json!({"is": "person", "wage_waiting": 3, "wage_training": 6});
    world.post("/api/kinds", json!({"name": "person", "role": role})).await.ok();
    world.post("/api/pools", json!({"name": "day", "apps": ["look", "type"]})).await.ok();
}

async fn submit(world: &World, app: &str, tasks: Value) -> u64 {
    let body = json!({"tenant": "acme", "app": app, "price": 0.05, "tasks": tasks});
    world.post("/api/jobs", body).await.ok()["job"].as_u64().expect("a number")
}

async fn link(world: &World, more: Value) -> String {
    let mut body = json!({"pool": "day", "kind": "person"});
    body.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    world.post("/api/links", body).await.ok()["path"].as_str().expect("a path").to_owned()
}

/// Joins by a link; the browser, and the worker's page.
async fn joined(world: &World) -> (Browser<'_>, String) {
    let path = link(world, json!({})).await;
    let seen = Browser::new(world).post(&path, "name=Ann&app-0=like&app-1=not").await;
    assert_eq!(seen.status.as_u16(), 303, "{}", seen.text);
    (Browser::after(world, &seen), seen.leads_to().to_owned())
}

fn number(place: &str) -> u32 {
    place.rsplit('/').next().and_then(|number| number.parse().ok()).expect("a number")
}

/// The number of the lease on a page.
fn lease(page: &str) -> &str {
    let from = page.find("name=\"lease\" value=\"").map(|at| at + 20).expect("a task");
    page[from..].split('"').next().unwrap_or_default()
}

/// The reply as the script reads it.
fn told(seen: &Seen) -> Value {
    serde_json::from_str(&seen.text).expect("JSON")
}

fn script<'a>(browser: &Browser<'a>) -> Browser<'a> {
    Browser {
        world: browser.world,
        cookie: browser.cookie.clone(),
        more: vec![("accept", "application/json")],
    }
}

#[tokio::test]
async fn a_link_tells_where_it_leads_and_lets_in() {
    let world = World::new().await;
    set_up(&world).await;
    let path = link(&world, json!({"most": 1})).await;
    let page = Browser::new(&world).get(&path).await.text;
    for words in ["Join day", "person", "3.00", "look", "type", "I like it", "Look &lt;b&gt;well"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let seen = Browser::new(&world).post(&path, "name=Ann&app-0=like").await;
    let cookie = seen.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let worker = WorkerId(number(seen.leads_to()));
    let liked =
        world.server.look(move |look| Ok(look.state().worker(worker).map(|it| it.preferences.clone()))).await;
    assert_eq!(
        liked.expect("it looks").expect("there").iter().map(|(_, liking)| *liking).collect::<Vec<_>>(),
        [1.0]
    );

    let full = Browser::new(&world).get(&path).await;
    assert_eq!(full.status.as_u16(), 410);
    assert!(full.text.contains("As many as were wanted have joined"), "{}", full.text);
    assert_eq!(Browser::new(&world).post(&path, "name=Bob").await.status.as_u16(), 410);
    let short = link(&world, json!({"expires_in": 60})).await;
    world.pass(Span::from_secs(61));
    assert!(Browser::new(&world).get(&short).await.text.contains("This link has expired"));
    let none = Browser::new(&world).get("/join/join_none").await;
    assert!(none.status.as_u16() == 404 && none.text.contains("withdrawn"), "{}", none.text);
    let foreign = Browser::new(&world).with("sec-fetch-site", "cross-site").post(&short, "name=Eve").await;
    assert_eq!(foreign.status.as_u16(), 403);
}

#[tokio::test]
async fn a_worker_starts_answers_and_gets_the_next_task_in_one_reply() {
    let world = World::new().await;
    set_up(&world).await;
    let (browser, place) = joined(&world).await;
    assert!(browser.get(&place).await.text.contains("You are in"));
    let asked = browser.submit(&format!("{place}/ask"), "").await;
    assert_eq!((asked.status.as_u16(), asked.leads_to()), (303, place.as_str()));
    assert!(browser.get(&place).await.text.contains("Waiting for a task"));
    let photo = "https://x.example/1.png";
    let job =
        submit(&world, "look", json!([{"text": "<script>x</script>", "photo": photo}, {"text": "b"}])).await;
    let page = browser.get(&place).await.text;
    assert!(page.contains("&lt;script&gt;x") && !page.contains("<script>x"), "{page}");
    assert!(page.contains(&format!("<img src=\"{photo}\"")) && page.contains("data-digit=\"2\""), "{page}");

    let answer = format!("{place}/answer");
    let wrong = browser.submit(&answer, &format!("lease={}&app=0&f.count=12", lease(&page))).await;
    assert_eq!(wrong.status.as_u16(), 422);
    for words in ["Choose one of these.", "12 is not between 0 and 9.", "value=\"12\""] {
        assert!(wrong.text.contains(words), "{words}: {}", wrong.text);
    }
    let refused = browser.post(&answer, &format!("lease={}&app=0&f.verdict=yes", lease(&page))).await;
    assert_eq!(refused.status.as_u16(), 403);

    let sent = script(&browser)
        .submit(&answer, &format!("lease={}&app=0&f.verdict=yes&f.count=3", lease(&page)))
        .await;
    let next = told(&sent);
    assert_eq!(next["said"]["text"], "Sent. You earned 0.05.");
    let stage = next["stage"].as_str().expect("HTML");
    assert!(
        next["key"].as_str().is_some_and(|key| key.starts_with("task-")) && stage.contains("The words"),
        "{next}"
    );
    let last = script(&browser).submit(&answer, &format!("lease={}&app=0&f.verdict=no", lease(stage))).await;
    assert_eq!(told(&last)["key"], "waiting");
    let again = script(&browser).submit(&answer, &format!("lease={}&app=0&f.verdict=no", lease(stage))).await;
    assert!(
        told(&again)["said"]["text"].as_str().is_some_and(|text| text.contains("no longer yours")),
        "{}",
        again.text
    );

    let kept = world.get(&format!("/api/jobs/{job}/tasks/0")).await.ok();
    assert_eq!(kept["answers"][0]["answer"], json!({"verdict": "yes", "count": 3}));
    let earned = browser.get(&format!("{place}/earned")).await.text;
    assert!(earned.contains("task 1") && earned.contains("task 2") && earned.contains("0.10"), "{earned}");
}

#[tokio::test]
async fn waiting_is_paid_and_breaks_and_leaving_end_it() {
    let world = World::new().await;
    set_up(&world).await;
    let (browser, place) = joined(&world).await;
    browser.submit(&format!("{place}/ask"), "").await;
    world.pass(Span::from_mins(20));
    let page = browser.get(&place).await.text;
    assert!(page.contains("data-base=\"1\" data-rate=\"3\""), "{page}");
    browser.submit(&format!("{place}/pause"), "").await;
    world.pass(Span::from_mins(20));
    let page = browser.get(&place).await.text;
    assert!(
        page.contains("You are taking a break") && page.contains("data-base=\"1\" data-rate=\"0\""),
        "{page}"
    );
    let left = script(&browser).submit(&format!("{place}/leave"), "").await;
    assert_eq!(told(&left)["key"], "gone");
    let page = browser.get(&place).await.text;
    assert!(page.contains("You have left the pool") && page.contains("data-base=\"1\""), "{page}");
    assert!(browser.get(&format!("{place}/earned")).await.text.contains("Waiting"));
    assert!(browser.get("/work").await.text.contains("You are in no pool now"));
}

#[tokio::test]
async fn a_new_app_is_learned_first() {
    let world = World::new().await;
    set_up(&world).await;
    let form: Value = serde_json::from_str(FORM).expect("JSON");
    let said = json!({"name": "look", "form": form, "training": 60, "instructions": "First paragraph.\n\nSecond <i>one</i>."});
    world.send(Method::PUT, "/api/apps/look", &world.admin, Some(said)).await.ok();
    submit(&world, "look", json!([{"text": "a"}])).await;
    let (browser, place) = joined(&world).await;
    browser.submit(&format!("{place}/ask"), "").await;
    let page = browser.get(&place).await.text;
    assert!(
        page.contains("New to you: look")
            && page.contains("Second &lt;i&gt;one")
            && page.contains("I have read this"),
        "{page}"
    );
    let read = script(&browser).submit(&format!("{place}/trained"), "").await;
    assert!(told(&read)["key"].as_str().is_some_and(|key| key.starts_with("task-")), "{}", read.text);
}

#[tokio::test]
async fn a_template_is_shown_in_a_room_of_its_own() {
    let world = World::new().await;
    set_up(&world).await;
    let job = submit(&world, "type", json!([{"text": "<img src=x onerror=alert(1)>"}])).await;
    let (browser, place) = joined(&world).await;
    browser.submit(&format!("{place}/ask"), "").await;
    let page = browser.get(&place).await;
    assert!(
        page.text.contains("sandbox=\"allow-scripts allow-forms\"") && !page.text.contains("onerror"),
        "{}",
        page.text
    );
    let (worker, held) = (number(&place), lease(&page.text).to_owned());
    let frame = browser.get(&format!("/frame/work/{worker}/{held}")).await;
    let policy = frame.header("content-security-policy");
    assert!(
        policy.starts_with("sandbox allow-scripts allow-forms; default-src 'none'")
            && !policy.contains("same-origin"),
        "{policy}"
    );
    assert!(frame.text.contains("<p>&lt;img src=x onerror=alert(1)&gt;</p>"), "{}", frame.text);
    assert_eq!(browser.get(&format!("/frame/work/{worker}/999")).await.status.as_u16(), 404);

    let answer = format!("{place}/answer");
    let none = script(&browser).submit(&answer, &format!("lease={held}&answer=")).await;
    assert_eq!(none.status.as_u16(), 422);
    let bad = script(&browser).submit(&answer, &format!("lease={held}&answer=%7Bbad")).await;
    assert_eq!(bad.status.as_u16(), 422);
    let sent =
        script(&browser).submit(&answer, &format!("lease={held}&answer=%7B%22a%22%3A%22b%22%7D")).await;
    assert_eq!(told(&sent)["key"], "waiting");
    let kept = world.get(&format!("/api/jobs/{job}/tasks/0")).await.ok();
    assert_eq!(kept["answers"][0]["answer"], json!({"a": "b"}));
}

#[tokio::test]
async fn what_is_skipped_or_given_back_goes_to_others_with_the_reason() {
    let world = World::new().await;
    set_up(&world).await;
    let job = submit(&world, "look", json!([{"text": "a"}, {"text": "b"}])).await;
    let (browser, place) = joined(&world).await;
    browser.submit(&format!("{place}/ask"), "").await;
    let first = browser.get(&place).await.text;
    let skipped = script(&browser)
        .submit(&format!("{place}/skip"), &format!("lease={}&reason=too+dark", lease(&first)))
        .await;
    let next = told(&skipped);
    let stage = next["stage"].as_str().expect("HTML");
    assert_ne!(lease(stage), lease(&first));
    let why = world.get(&format!("/api/jobs/{job}/skips")).await.ok();
    assert_eq!(why["skips"][0]["reason"], "too dark");
    let back = script(&browser).submit(&format!("{place}/back"), &format!("lease={}", lease(stage))).await;
    assert_eq!(told(&back)["key"], "ready");
    assert_eq!(world.get(&format!("/api/jobs/{job}")).await.ok()["open"], 2);
}

#[tokio::test]
async fn nobody_sees_or_acts_for_somebody_elses_worker() {
    let world = World::new().await;
    set_up(&world).await;
    let (_, place) = joined(&world).await;
    let (eve, own) = joined(&world).await;
    assert_ne!(place, own);
    for path in [
        place.clone(),
        format!("{place}/earned"),
        format!("{place}/stage"),
        place.replace("/work", "/live/work") + "?page=1",
    ] {
        assert_eq!(eve.get(&path).await.status.as_u16(), 404, "{path}");
    }
    let ask = script(&eve).submit(&format!("{place}/ask"), "").await;
    assert!(told(&ask)["detail"].is_string() || told(&ask)["said"]["problem"] == true, "{}", ask.text);
    let worker = WorkerId(number(&place));
    let standing = world
        .server
        .look(move |look| Ok(look.state().worker(worker).map(|it| it.standing)))
        .await
        .expect("it looks");
    assert_eq!(standing, Some(muster_engine::state::worker::Standing::Paused));
    let closed = eve.submit(&format!("/live{place}/closed"), "page=1").await;
    assert_eq!(closed.status.as_u16(), 404);
    assert_eq!(eve.get("/work").await.leads_to(), own);
}

/// Whether the worker holds a task.
async fn holds(world: &World, worker: WorkerId) -> bool {
    let held = world
        .server
        .look(move |look| Ok(look.state().worker(worker).is_some_and(|it| it.lease.is_some())))
        .await;
    held.expect("it looks")
}

/// Waits until the server has noticed that a page's stream ended.
async fn noticed(world: &World, worker: WorkerId, page: u64) {
    while world.server.presences.is_here(worker, page, world.now()) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_closed_tab_gives_the_task_back_and_a_reload_does_not() {
    let world = World::new().await;
    set_up(&world).await;
    submit(&world, "look", json!([{"text": "a"}])).await;
    let (browser, place) = joined(&world).await;
    let worker = WorkerId(number(&place));
    browser.submit(&format!("{place}/ask"), "").await;
    let open = async |page: u64| {
        let path = format!("/live{place}?page={page}");
        let reply = browser.reply(Method::GET, &path, "").await;
        assert_eq!(reply.status().as_u16(), 200);
        reply
    };
    let first = open(1).await;
    drop(first);
    noticed(&world, worker, 1).await;
    world.pass(Span::from_secs(2));
    sweep(&world.server).await;
    assert!(holds(&world, worker).await, "a reload has a few seconds");
    let second = open(2).await;
    world.pass(Span::from_secs(60));
    sweep(&world.server).await;
    assert!(holds(&world, worker).await, "the page came back");

    // The page says that it is being closed; its stream may still be open somewhere on the way.
    let said = browser.submit(&format!("/live{place}/closed"), "page=2").await;
    assert_eq!(said.status.as_u16(), 204);
    world.pass(GRACE);
    sweep(&world.server).await;
    assert!(!holds(&world, worker).await, "the task went back");
    assert!(browser.get(&place).await.text.contains("You are taking a break"));
    drop(second);
}

#[tokio::test]
async fn nobody_is_paid_for_waiting_with_a_closed_tab() {
    let world = World::new().await;
    set_up(&world).await;
    let (browser, place) = joined(&world).await;
    browser.submit(&format!("{place}/ask"), "").await;
    let open = browser.reply(Method::GET, &format!("/live{place}?page=1"), "").await;
    drop(open);
    noticed(&world, WorkerId(number(&place)), 1).await;
    world.pass(GRACE_CUT_OFF);
    sweep(&world.server).await;
    world.pass(Span::from_mins(30));
    let page = browser.get(&place).await.text;
    assert!(page.contains("You are taking a break") && page.contains("data-rate=\"0\""), "{page}");
}

#[tokio::test]
async fn an_open_page_is_a_sign_of_life_for_those_who_want_one() {
    let world = World::new().await;
    set_up(&world).await;
    let form: Value = serde_json::from_str(FORM).expect("JSON");
    let said = json!({"name": "look", "form": form, "lease": 600, "heartbeat": 1});
    world.send(Method::PUT, "/api/apps/look", &world.admin, Some(said)).await.ok();
    submit(&world, "look", json!([{"text": "a"}])).await;
    let (browser, place) = joined(&world).await;
    let worker = WorkerId(number(&place));
    browser.submit(&format!("{place}/ask"), "").await;
    let heard = async || {
        let heard = world.server.look(move |look| Ok(look.state().worker(worker).map(|it| it.heard))).await;
        heard.expect("it looks").expect("there")
    };
    let before = heard().await;
    let _open = browser.reply(Method::GET, &format!("/live{place}?page=7"), "").await;
    world.pass(Span::from_millis(400));
    while heard().await == before {
        tokio::task::yield_now().await;
    }
    assert!(holds(&world, worker).await);
}

#[tokio::test]
async fn who_is_to_go_hears_that_this_is_the_last_task() {
    let world = World::new().await;
    set_up(&world).await;
    submit(&world, "look", json!([{"text": "a"}, {"text": "b"}])).await;
    let (browser, place) = joined(&world).await;
    browser.submit(&format!("{place}/ask"), "").await;
    let page = browser.get(&place).await.text;
    assert!(!page.contains("your last task"));
    world.work(json!([{"do": "drain", "worker": number(&place)}])).await;
    assert!(browser.get(&place).await.text.contains("This is your last task here"));
    let fields = format!("lease={}&app=0&f.verdict=yes", lease(&page));
    let sent = script(&browser).submit(&format!("{place}/answer"), &fields).await;
    assert_eq!(
        (told(&sent)["key"].as_str(), told(&sent)["said"]["problem"].as_bool()),
        (Some("gone"), Some(false))
    );
}

#[tokio::test]
async fn forms_of_apps_are_checked() {
    let world = World::new().await;
    let refused = |form: Value| {
        let world = &world;
        async move { world.post("/api/apps", json!({"name": "x", "form": form})).await }
    };
    let reply = refused(
        json!({"fields": [{"name": "a", "type": "choice"}, {"name": "a", "type": "number", "step": 0}]}),
    )
    .await;
    assert_eq!(reply.body["field"], "fields[0].options");
    assert_eq!(reply.body["problems"].as_array().map(Vec::len), Some(3), "{}", reply.body);
    assert!(reply.refused(422).contains("a list of 1 to 200"));
    assert!(refused(json!({"type": "object"})).await.refused(422).contains("unknown field `type`"));
    let form: Value = serde_json::from_str(FORM).expect("JSON");
    let made = refused(form.clone()).await.ok();
    assert_eq!(made["form"], form);
}
