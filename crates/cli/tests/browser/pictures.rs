//! Pictures of every page, light, dark and on a phone, of the demo after a while: for looking at. Made when MUSTER_SCREENSHOTS names a
//! folder; `cargo xtask screenshots` does.

use std::path::Path;

use crate::chrome::Chrome;
use crate::client::Client;
use crate::process::{Process, demo};
use crate::tab::{Person, Tab};
use crate::world::wanted;

/// How a picture is taken: what its name ends in, width, height, dark.
const WAYS: [(&str, u32, u32, bool); 3] =
    [("light", 1200, 900, false), ("dark", 1200, 900, true), ("phone", 390, 844, false)];

fn take(tab: &Tab, folder: &Path, name: &str) {
    for (way, width, height, dark) in WAYS {
        tab.size(width, height);
        tab.dark(dark);
        std::fs::write(folder.join(format!("{name}-{way}.png")), tab.picture()).expect("written");
    }
    tab.size(1200, 900);
    tab.dark(false);
}

/// The links that the demo prints: admin, worker, requester.
pub(crate) fn links(process: &mut Process) -> Vec<String> {
    let mut links = Vec::new();
    while links.len() < 3 {
        let line = process.line();
        let link = line.split_whitespace().find(|word| word.starts_with("http://"));
        links.extend(link.and_then(|link| link.splitn(4, '/').nth(3)).map(|path| format!("/{path}")));
    }
    links
}

const PAGES: &[(&str, &str)] = &[
    ("pools", "/operations"),
    ("pool", "/operations/pools/0"),
    ("policy", "/operations/pools/0/policies/scaling"),
    ("workers", "/operations/workers"),
    ("decisions", "/operations/log"),
    ("access", "/operations/access"),
    ("setup", "/operations/setup"),
];

#[test]
fn the_demo_moves_and_people_join_it() {
    if !wanted() {
        return;
    }
    let mut process = Process::try_start(&mut demo()).expect("a demo");
    let links = links(&mut process);
    let (chrome, address) = (Chrome::start(), format!("http://{}", process.address));
    let admin = Person::new(&chrome, &address).open(&links[0]);
    admin.sees("front desk");
    // Queue, workers and cost move without a reload.
    for id in ["all-queue", "all-busy", "all-there", "all-cost"] {
        let now = admin.worth(&format!("document.getElementById('{id}').innerText"));
        admin.wait(&format!("document.getElementById('{id}').innerText !== {now}"));
    }
    let worker = Person::new(&chrome, &address).open(&links[1]);
    worker.press("Join front desk");
    worker.press("Start");
    // Whatever is new is read first.
    worker.wait(
        "(() => { if (document.querySelector('#answer')) return true; \
         const read = [...document.querySelectorAll('button')].find((it) => it.innerText === 'I have read this'); \
         if (read && !read.disabled) read.click(); return false; })()",
    );
    let requester = Person::new(&chrome, &address).open(&links[2]);
    requester.sees("listing photos");
    if let Some(folder) = std::env::var_os("MUSTER_SCREENSHOTS") {
        let folder = Path::new(&folder);
        std::fs::create_dir_all(folder).expect("a folder");
        all(&admin, &worker, &requester, folder);
    }
    for tab in [&admin, &worker, &requester] {
        assert_eq!(tab.complaints(), Vec::<String>::new());
    }
    drop((admin, worker, requester));
    assert_eq!(Client::new(process.address, "").get("/health").status, 200);
    let (status, words) = process.stop();
    assert!(status.success(), "{status} {words}");
}

fn all(admin: &Tab, worker: &Tab, requester: &Tab, folder: &Path) {
    take(worker, folder, "task");
    // Curves begin to say something when there are some looks, each five seconds after the last.
    admin.wait("document.querySelector('.curve .there').points.length >= 12");
    for (name, path) in PAGES {
        admin.go(path);
        take(admin, folder, name);
    }
    take(requester, folder, "jobs");
    requester.press("listing photos");
    requester.wait("/^.jobs.[0-9]+$/.test(location.pathname)");
    take(requester, folder, "job");
    requester.go("/jobs/new");
    take(requester, folder, "new-job");
}
