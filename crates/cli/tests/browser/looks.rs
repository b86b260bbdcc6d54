//! How pages look to everybody: nothing hangs out of a phone, dark is dark, and axe-core (from npm) finds no fault with labels and
//! contrast.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::tab::Tab;
use crate::world::{World, wanted};

/// Every page that an admin sees.
pub(crate) const PAGES: &[&str] = &[
    "/operations",
    "/operations/pools/0",
    "/operations/pools/0/policies/scaling?name=pid-size",
    "/operations/balance?name=preference-aware",
    "/operations/workers",
    "/operations/log",
    "/operations/leases/0",
    "/operations/access",
    "/operations/setup",
    "/jobs",
    "/jobs/0",
    "/jobs/new",
];

/// A world in which something happens: a job half done, a worker with a task.
pub(crate) fn lively() -> (World, Tab) {
    let world = World::new();
    world.submit("look", &json!([{"photo": "a.jpg"}, {"photo": "b.jpg"}, {"photo": "c.jpg"}]));
    let worker = world.person().open(&world.join_link());
    worker.press("Join day");
    worker.press("Start");
    worker.press_on("[data-digit=\"1\"]");
    worker.press("Send");
    worker.wait("document.querySelector('#answer [name=lease]').value === '1'");
    (world, worker)
}

#[track_caller]
fn fits(tab: &Tab, path: &str) {
    for width in [390, 320] {
        tab.size(width, 844);
        let wide = "[...document.querySelectorAll('main *')].filter((it) => it.getBoundingClientRect().right > innerWidth + 1 \
            && !it.closest('.m-scroll')).map((it) => it.outerHTML.slice(0, 120)).slice(0, 3)";
        assert!(!tab.overflows(), "{path} at {width}: {}", tab.worth(wide));
    }
    tab.size(1200, 900);
}

/// How light the page and its text are, from 0 to 255.
fn lightness(tab: &Tab) -> (f64, f64) {
    let of = |what: &str| {
        let colour = format!("getComputedStyle(document.body).{what}.match(/\\d+/g).slice(0, 3).map(Number)");
        let parts = tab.worth(&colour);
        parts.as_array().into_iter().flatten().filter_map(Value::as_f64).sum::<f64>() / 3.0
    };
    (of("backgroundColor"), of("color"))
}

#[test]
fn pages_fit_a_phone_and_are_dark_where_it_is_wished() {
    if !wanted() {
        return;
    }
    let (world, worker) = lively();
    fits(&worker, "a task");
    let admin = world.person().open(&world.admins_entrance());
    for path in PAGES {
        admin.go(path);
        fits(&admin, path);
        let (ground, text) = lightness(&admin);
        assert!(ground > 200.0 && text < 80.0, "{path}: {ground} {text}");
        admin.dark(true);
        let (ground, text) = lightness(&admin);
        assert!(ground < 60.0 && text > 180.0, "{path}: {ground} {text}");
        admin.dark(false);
    }
    assert_eq!(admin.complaints(), Vec::<String>::new());
}

/// axe-core's script, from npm if need be; an error says why there is none.
fn axe() -> Result<String, String> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/axe");
    let script: PathBuf = home.join("node_modules/axe-core/axe.min.js");
    if !script.exists() {
        std::fs::create_dir_all(&home).map_err(|error| error.to_string())?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"]).arg(&home).arg("axe-core@4");
        let out = npm.output().map_err(|error| format!("no npm: {error}"))?;
        if !out.status.success() {
            return Err(format!(
                "npm does not bring axe-core: {}",
                String::from_utf8_lossy(&out.stderr).trim()
            ));
        }
    }
    std::fs::read_to_string(script).map_err(|error| error.to_string())
}

const LOOK: &str = "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa']}).then((found) => found.violations.map((it) => \
    it.id + ': ' + it.nodes.map((node) => node.html.slice(0, 160)).slice(0, 4).join(' | ')))";

#[track_caller]
fn is_faultless(tab: &Tab, axe: &str, path: &str) {
    for dark in [false, true] {
        tab.dark(dark);
        tab.worth(&format!("{axe}; true"));
        let found = tab.worth(LOOK);
        assert_eq!(found, json!([]), "{path}, dark: {dark}");
    }
    tab.dark(false);
}

#[test]
fn labels_and_contrast_are_as_they_should_be() {
    if !wanted() {
        return;
    }
    let axe = match axe() {
        Ok(script) => script,
        Err(why) => return println!("skipped: {why}"),
    };
    let (world, worker) = lively();
    is_faultless(&worker, &axe, "a task");
    let visitor = world.person().open("/sign-in");
    is_faultless(&visitor, &axe, "/sign-in");
    let link = world.join_link();
    visitor.go(&link);
    is_faultless(&visitor, &axe, "a join link");
    let admin = world.person().open(&world.admins_entrance());
    for path in PAGES {
        admin.go(path);
        is_faultless(&admin, &axe, path);
    }
}
