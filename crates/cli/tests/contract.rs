//! The contract: schemathesis (from PyPI, in an environment of its own under `target`) reads the OpenAPI document of a running
//! server and sends what it allows and what it does not. No server error, and no answer that the document does not describe.
//!
//! Runs as a suite of `cargo xtask test`, which sets MUSTER_CONTRACT=1; says that it was skipped where there is no Python or no
//! PyPI. More examples with MUSTER_LONG=1.

#![allow(clippy::print_stdout, reason = "what is skipped, and what was tried, is said")]

#[allow(dead_code, reason = "shared with other tests")]
#[path = "live/client.rs"]
mod client;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "live/process.rs"]
mod process;

use std::path::{Path, PathBuf};
use std::process::Command;

use client::Client;
use process::{first_start, is_long, join, place, submit};
use serde_json::json;

/// The release whose findings are known.
const SCHEMATHESIS: &str = "schemathesis>=4.3,<5";

/// The program, installed if it must be; an error says why there is none.
fn program() -> Result<PathBuf, String> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/contract");
    let program = home.join("bin/schemathesis");
    let run = |command: &mut Command| {
        let out = command.output().map_err(|error| error.to_string())?;
        let last =
            String::from_utf8_lossy(&out.stderr).trim().lines().next_back().unwrap_or_default().to_owned();
        if out.status.success() { Ok(()) } else { Err(last) }
    };
    if !program.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&home))
            .map_err(|why| format!("no Python environment: {why}"))?;
        let pip = home.join("bin/pip");
        run(Command::new(pip).args(["install", "--quiet", SCHEMATHESIS]))
            .map_err(|why| format!("nothing from PyPI: {why}"))?;
    }
    Ok(program)
}

/// What would make the run wait for ever or lock itself out: streams that go on, long waits, revoking its own token.
const HOOKS: &str = r#"
import schemathesis

@schemathesis.hook
def filter_query(context, query):
    query = query or {}
    try:
        waits = float(query.get("wait") or 0) > 0.1
    except (TypeError, ValueError):
        waits = False
    return not waits and str(query.get("follow", "false")).lower() not in ("true", "1")

@schemathesis.hook
def filter_body(context, body):
    wait = body.get("wait") if isinstance(body, dict) else None
    return not (isinstance(wait, (int, float)) and wait > 0.1)

@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    return str((path_parameters or {}).get("id")) != "0"
"#;

#[test]
fn the_server_does_what_its_document_says() {
    if std::env::var_os("MUSTER_CONTRACT").is_none() {
        return println!("skipped: a suite of its own in `cargo xtask test` (MUSTER_CONTRACT=1)");
    }
    let schemathesis = match program() {
        Ok(program) => program,
        Err(why) => return println!("skipped: {why}"),
    };
    let (folder, data) = place();
    let (process, token) = first_start(&data);
    let client = Client::new(process.address, &token);
    let job = submit(&client, &json!([{"x": 1}, {"x": 2}]));
    let worker = join(&client, "person");
    client.post(&format!("/api/workers/{worker}/ask"), &json!({})).ok();
    assert_eq!(client.get(&format!("/api/jobs/{job}")).ok()["leased"], 1);
    std::fs::write(folder.path().join("hooks.py"), HOOKS).expect("written");
    let (examples, phases) = if is_long() { ("200", "examples,coverage,fuzzing") } else { ("4", "fuzzing") };
    let mut command = Command::new(schemathesis);
    command.current_dir(folder.path()).env("SCHEMATHESIS_HOOKS", "hooks").env("PYTHONPATH", folder.path());
    command.arg("run").arg(format!("http://{}/api/openapi.json", process.address));
    command.args(["--header", &format!("Authorization: Bearer {token}"), "--max-examples", examples]);
    command.args(["--seed", "1", "--workers", "2", "--request-timeout", "20", "--no-color"]);
    command.args(["--phases", phases, "--suppress-health-check", "all"]);
    command.args(["--exclude-path-regex", "/events$|/claim$"]);
    command.args([
        "--checks",
        "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
    ]);
    let out = command.output().expect("the program runs");
    let told = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{told}\n{}", String::from_utf8_lossy(&out.stderr));
    println!(
        "{}",
        told.lines().rev().take(12).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n")
    );
    assert_eq!(client.get("/health").status, 200);
    let (status, words) = process.stop();
    assert!(status.success() && !words.contains("panicked"), "{status} {words}");
}
