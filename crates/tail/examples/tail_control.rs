//! Repeats the experiments of the tail-control paper and shows its numbers beside ours.
//!
//! `cargo run --release -p muster-tail --example tail_control -- [--quick] [--json] [FIGURE...]`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use muster_tail::Pool;
use muster_tail::study::{Cell, FIGURES, Figure, Plan, Study};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};

const USAGE: &str = "usage: tail_control [--quick] [--json] [FIGURE...]
Repeats figures 2, 4 and 6 to 15 of the tail-control paper in virtual time.
  --quick   few requests, to see that it runs; verdicts mean nothing then
  --json    one JSON array instead of tables
Example: tail_control 8 9";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = args.iter().find(|arg| !is_known(arg)) {
        eprintln!("unknown argument {unknown:?}; figures are {:?}\n{USAGE}", FIGURES.map(|(id, _)| id));
        std::process::exit(2);
    }
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    if has("--help") {
        println!("{USAGE}");
        return;
    }
    let study = Study::new(if has("--quick") { Plan::quick() } else { Plan::full() }, pool(), progress());
    let asked: Vec<&String> = args.iter().filter(|arg| !arg.starts_with("--")).collect();
    let figures = FIGURES.iter().filter(|(id, _)| asked.is_empty() || asked.iter().any(|arg| arg == id));
    if has("--json") {
        let all: Vec<Value> = figures.map(|(_, run)| as_json(&run(&study), study.plan())).collect();
        println!("{}", Value::Array(all));
    } else {
        figures.for_each(|(_, run)| show(&run(&study), study.plan()));
    }
}

fn is_known(arg: &str) -> bool {
    ["--quick", "--json", "--help"].contains(&arg) || FIGURES.iter().any(|(id, _)| *id == arg)
}

fn pool() -> Pool {
    Pool::builder().build().expect("the system starts threads")
}

/// Progress on one line of the terminal, if standard error is one.
fn progress() -> impl Fn(&str) + Sync {
    let terminal = std::io::stderr().is_terminal();
    move |text: &str| {
        if terminal {
            let mut out = std::io::stderr().lock();
            let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
        }
    }
}

fn show(figure: &Figure, plan: Plan) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
    println!("{figure}");
    if !plan.is_conclusive() {
        println!("(a quick run: too few requests and seeds for the verdicts to mean anything)\n");
    }
}

fn as_json(figure: &Figure, plan: Plan) -> Value {
    let cell = |cell: &Cell| match cell {
        Cell::Absent => Value::Null,
        Cell::One(value) => json!(value),
        Cell::Ours(s) => json!({ "mean": s.mean, "low": s.low, "high": s.high, "half_width": s.half_width }),
    };
    let rows: Vec<Value> = figure
        .rows
        .iter()
        .map(|row| json!({ "label": row.label, "cells": row.cells.iter().map(cell).collect::<Vec<_>>() }))
        .collect();
    let claims: Vec<Value> = figure
        .claims
        .iter()
        .map(|c| json!({ "claim": c.text, "verdict": c.verdict.to_string(), "reason": c.reason }))
        .collect();
    json!({
        "figure": figure.id, "title": figure.title, "settings": figure.settings, "requests": plan.requests,
        "seeds": plan.seeds, "conclusive": plan.is_conclusive(), "columns": figure.columns, "rows": rows,
        "claims": claims,
    })
}
