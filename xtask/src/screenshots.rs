//! `cargo xtask screenshots`: pictures of every page of the demo, made by the browser suite. Knows neither pages nor browser.

use crate::needs::{Here, Provider};
use crate::suites::BROWSER;
use crate::workspace::Workspace;

/// Where the pictures go, from the root of the workspace.
const FOLDER: &str = "target/screenshots";

/// Makes them; true if they are there.
pub(crate) fn run(workspace: &Workspace) -> bool {
    if let Err(why) = Provider::new(Here).provide(&[BROWSER]) {
        println!("screenshots: {why}");
        return false;
    }
    let words = ["test", "--workspace", "--test", "browser", "the_demo_moves", "--", "--nocapture"];
    let folder = workspace.path(FOLDER);
    let mut cargo = workspace.cargo(&words);
    let done = cargo.env("MUSTER_BROWSER", "1").env("MUSTER_SCREENSHOTS", &folder).status();
    let good = done.is_ok_and(|status| status.success());
    if good {
        println!("screenshots: in {FOLDER}");
    }
    good
}
