//! An operator looks at a pool, sends a policy that is wrong, then one that is right, and sees in the log what it decided and why.

use serde_json::{Value, json};

use crate::world::{World, wanted};

#[test]
fn an_operator_switches_a_policy_and_sees_the_reasons() {
    if !wanted() {
        return;
    }
    let world = World::new();
    world.submit("look", &json!([{"photo": "a"}, {"photo": "b"}]));
    let tab = world.person().open(&world.admins_entrance());
    tab.sees("Operations");
    tab.press("day");
    tab.sees("Pool day");
    tab.press("Change scaling");
    tab.sees("How many workers, of which kind?");
    tab.press("static");
    tab.wait("document.querySelector('[name=size]') !== null");
    tab.fill("[name=size]", "many");
    tab.press("Use static from now on");
    tab.sees("many");
    tab.wait("document.querySelector('[name=size][aria-invalid=true]') !== null");
    assert_eq!(world.admin.get("/api/pools/day").ok()["policies"]["scaling"], Value::from("static"));
    tab.fill("[name=size]", "3");
    tab.fill("[name=every]", "1 s");
    tab.press("Use static from now on");
    tab.sees("The scaling policy is static from now on.");
    // The reasons come without a reload.
    tab.wait("[...document.querySelectorAll('#decisions .reason')].some((it) => it.innerText.includes('as set by hand'))");
    tab.wait("[...document.querySelectorAll('#decisions tr')].some((it) => it.innerText.includes('recruit') && /\\b3\\b/.test(it.innerText))");
    tab.go("/operations/log");
    tab.sees("scaling is static from now on, as set by hand");
    // The browser notes the refusal of what was wrong, and nothing else.
    let complaints = tab.complaints();
    assert!(complaints.len() == 1 && complaints[0].contains("422"), "{complaints:?}");
}

#[test]
fn an_operator_makes_a_world_from_nothing_with_forms_alone() {
    if !wanted() {
        return;
    }
    let world = World::new();
    let tab = world.person().open(&world.admins_entrance());
    tab.go("/operations/setup");
    tab.press("New tenant");
    tab.fill("#f-tenant", "globex");
    tab.press("Make the tenant");
    tab.sees("The tenant globex was made.");
    tab.press("New pool");
    tab.fill("#f-pool", "night");
    tab.press_on("[name=apps][value=look]");
    tab.choose("[name=tenant-only]", "globex");
    tab.press("Make the pool");
    tab.sees("The pool night was made.");
    tab.go("/operations/access");
    tab.choose("form[action='/operations/links'] [name=pool]", "night");
    tab.press("Make a join link");
    tab.sees("Send this to the people who are to join night");
    let path = tab.worth("document.querySelector('.secret').innerText");
    let joined = world.person().open(path.as_str().expect("a path"));
    joined.sees("Join night");
    joined.press("Join night");
    joined.sees("You are in");
    tab.go("/operations/workers?pool=night");
    tab.press("Let go…");
    tab.press("Let them go");
    tab.sees("leaves as soon as nothing is in hand");
    joined.sees("You have left");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}
