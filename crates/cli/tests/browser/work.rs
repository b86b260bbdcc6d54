//! The whole way: a requester uploads, two people work, one of them with the keyboard alone; one closes the tab and the task
//! comes back; the requester watches and downloads.

use serde_json::Value;

use crate::tab::Tab;
use crate::world::{World, wanted};

const FILE: &str = "photo,owner\ncat-1.jpg,Ann\ncat-2.jpg,Ben\n\"dog, large.jpg\",\"Cleo \"\"C\"\" D\"\n";

/// Presses Tab until what has the focus is what is wanted.
#[track_caller]
fn tab_to(tab: &Tab, wanted: &str) {
    for _ in 0..60 {
        if tab.worth(&format!("((it) => {wanted})(document.activeElement)")) == true {
            return;
        }
        tab.key("Tab", false);
    }
    panic!("the keyboard does not reach {wanted}");
}

/// A requester uploads a file and submits it; returns the tab with the job's page.
fn submits(world: &World) -> Tab {
    let file = world.folder.path().join("cats.csv");
    std::fs::write(&file, FILE).expect("written");
    let tab = world.person().open(&world.requesters_entrance());
    tab.go("/jobs/new");
    tab.attach("#f-file", &file);
    tab.press("Upload and look at the rows");
    tab.sees("The first rows");
    tab.sees("dog, large.jpg");
    tab.press("Submit 3 tasks");
    tab.wait("/^.jobs.[0-9]+$/.test(location.pathname)");
    tab.sees("0 of 3");
    tab
}

/// Somebody joins with the mouse and starts.
fn joins(world: &World, link: &str, name: &str) -> Tab {
    let tab = world.person().open(link);
    tab.fill("[name=name]", name);
    tab.press("Join day");
    tab.sees("You are in");
    tab.press("Start");
    tab
}

/// Somebody joins and starts without touching the mouse.
fn joins_by_keyboard(world: &World, link: &str, name: &str) -> Tab {
    let tab = world.person().open(link);
    tab_to(&tab, "it.name === 'name'");
    tab.write(name);
    tab_to(&tab, "it.innerText === 'Join day'");
    tab.key("Enter", false);
    tab.sees("You are in");
    tab_to(&tab, "it.innerText === 'Start'");
    tab.key("Enter", false);
    tab
}

/// Answers what is shown with keys alone, and waits for what comes after it.
fn answers_by_keyboard(tab: &Tab, digit: &str) {
    let before = tab.wait("document.querySelector('#answer [name=lease]').value");
    tab.key(digit, false);
    tab.wait(&format!("document.querySelector('[data-digit=\"{digit}\"]').checked"));
    tab.key("Enter", true);
    let lease = before.as_str().unwrap_or_default();
    tab.wait(&format!(
        "((it) => !it || it.value !== '{lease}')(document.querySelector('#answer [name=lease]'))"
    ));
}

#[test]
fn people_do_what_a_requester_uploads() {
    if !wanted() {
        return;
    }
    let world = World::new();
    let requester = submits(&world);
    let link = world.join_link();
    let ann = joins(&world, &link, "Ann");
    ann.sees("Is it a cat?");
    let ben = joins_by_keyboard(&world, &link, "Ben");
    ben.sees("Is it a cat?");
    answers_by_keyboard(&ben, "1");
    ben.sees("Is it a cat?");
    answers_by_keyboard(&ben, "2");
    ben.sees("Waiting for a task");
    requester.sees("2 of 3");
    let nothing: Vec<String> = Vec::new();
    assert_eq!(ann.complaints(), nothing);
    ann.close();
    // What Ann had in hand comes to Ben, who waits.
    ben.sees("Is it a cat?");
    answers_by_keyboard(&ben, "3");
    requester.sees("3 of 3");
    let folder = world.folder.path();
    let csv = requester.download(folder, |tab| tab.press_on("a[href$='csv']"));
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.contains("\"dog, large.jpg\"") && csv.contains("\"Cleo \"\"C\"\" D\""), "{csv}");
    let verdicts: Vec<&str> = ["yes", "no", "unsure"].into_iter().filter(|it| csv.contains(it)).collect();
    assert_eq!(verdicts.len(), 3, "{csv}");
    for tab in [&requester, &ben] {
        assert_eq!(tab.complaints(), nothing);
    }
}

#[test]
fn a_reload_keeps_the_task() {
    if !wanted() {
        return;
    }
    let world = World::new();
    world.submit("look", &serde_json::json!([{"photo": "a.jpg"}]));
    let ann = joins(&world, &world.join_link(), "Ann");
    let lease = ann.wait("document.querySelector('#answer [name=lease]').value");
    ann.call("Page.reload", serde_json::json!({}));
    let after = ann.wait("performance.getEntriesByType('navigation')[0].type === 'reload' && document.querySelector('#answer [name=lease]').value");
    assert_eq!(lease, after);
    ann.press_on("[data-digit=\"1\"]");
    ann.press("Send");
    ann.sees("Waiting for a task");
    let told = world.admin.get("/api/jobs/0").ok();
    assert_eq!(told["done"], Value::from(1), "{told}");
}
