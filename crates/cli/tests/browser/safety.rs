//! What tenants and workers write stays text: script in task data, in a template and in answers does nothing to those who look.

use serde_json::{Value, json};

use crate::tab::Tab;
use crate::world::{World, form, wanted};

/// Marks the window, in every way that markup can.
const EVIL: &str =
    "<script>window.stolen = 1</script><img src=x onerror=\"window.stolen = 2\">\"'><svg onload=alert(1)>";

/// A template whose script tries to get out of its frame.
const TEMPLATE: &str = "<p>${text}</p><form><label><input name=word required> Word</label><button>Send</button></form>\
    <script>const tries = [() => { parent.stolen = 3; }, () => { parent.document.title = 'stolen'; }, () => { top.location = '/stolen'; }, \
    () => { window.said = document.cookie; }, () => { localStorage.said = 1; }]; let kept = 0; \
    for (const attempt of tries) { try { attempt(); } catch { kept += 1; } } \
    fetch('/api/pools').then(() => { parent.postMessage({answer: 'fetched'}, '*'); }, () => {}); \
    document.querySelector('p').append(' ' + kept + ' kept');</script>";

#[track_caller]
fn is_untouched(tab: &Tab, path: &str) {
    assert_eq!(tab.worth("window.stolen ?? null"), Value::Null, "{path}");
    assert_ne!(tab.worth("document.title"), Value::from("stolen"), "{path}");
    assert_ne!(tab.worth("location.pathname"), Value::from("/stolen"), "{path}");
    let dialogs: Vec<String> = tab.complaints().into_iter().filter(|it| it.starts_with("dialog")).collect();
    assert_eq!(dialogs, Vec::<String>::new(), "{path}");
}

/// Joins and starts.
fn starts(world: &World) -> Tab {
    let tab = world.person().open(&world.join_link());
    tab.press("Join day");
    tab.press("Start");
    tab
}

#[test]
fn markup_in_tasks_and_answers_is_text() {
    if !wanted() {
        return;
    }
    let app = json!({"name": "look", "instructions": EVIL, "lease": 600, "form": form()});
    let world = World::with_app(&app);
    let body =
        json!({"tenant": "acme", "app": "look", "price": 0.05, "name": EVIL, "tasks": [{"text": EVIL}]});
    world.admin.post("/api/jobs", &body).ok();
    let worker = starts(&world);
    worker.sees("<script>window.stolen = 1</script>");
    is_untouched(&worker, "a task");
    worker.press_on("[data-digit=\"1\"]");
    worker.fill("[name='f.note']", EVIL);
    worker.press("Send");
    worker.sees("Waiting for a task");
    let requester = world.person().open(&world.requesters_entrance());
    for path in ["/jobs", "/jobs/0"] {
        requester.go(path);
        requester.sees("<script>window.stolen = 1</script>");
        is_untouched(&requester, path);
    }
    let admin = world.person().open(&world.admins_entrance());
    for path in ["/operations", "/operations/workers", "/operations/log", "/operations/setup", "/jobs/0"] {
        admin.go(path);
        is_untouched(&admin, path);
    }
}

#[test]
fn a_template_stays_in_its_frame() {
    if !wanted() {
        return;
    }
    let world = World::with_app(&json!({"name": "look", "lease": 600, "template": TEMPLATE}));
    world.submit("look", &json!([{"text": EVIL}]));
    let tab = starts(&world);
    tab.wait("document.querySelector('iframe') !== null");
    assert_eq!(tab.worth("document.querySelector('iframe').sandbox.contains('allow-same-origin')"), false);
    // The frame has said how high it is, so its script has run.
    tab.wait("document.querySelector('iframe').hasAttribute('height')");
    assert_eq!(tab.worth("document.querySelector('iframe').contentDocument"), Value::Null);
    is_untouched(&tab, "a template");
    let told = world.admin.get("/api/jobs/0").ok();
    assert_eq!(told["done"], 0, "nothing was answered by the template's own script: {told}");
}
