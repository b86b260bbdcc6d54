//! `muster reproduce tail-control`: the experiments that live beside the policies they study, in `muster-tail`.

use std::io::{IsTerminal, Write};

use clap::Args;
use muster_tail::Pool;
use muster_tail::study::{Cell, FIGURES, Figure, Plan, Study};
use serde_json::{Value, json};

use crate::output::Console;
use crate::refusal::{Failure, Refusal};

#[derive(Args, Debug)]
pub(crate) struct TailControl {
    /// Only these figures: 2, 4, 6 to 15
    figures: Vec<String>,
    /// Few requests, to see that it runs; verdicts mean nothing then
    #[arg(long)]
    quick: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(wanted: &TailControl, console: &Console) -> Result<(), Failure> {
    let known = FIGURES.map(|(id, _)| id);
    if let Some(unknown) = wanted.figures.iter().find(|figure| !known.contains(&figure.as_str())) {
        return Err(Refusal::value("figure", unknown, &known.join(", ")).into());
    }
    let plan = if wanted.quick { Plan::quick() } else { Plan::full() };
    let pool = Pool::builder()
        .build()
        .map_err(|error| Failure::File("threads".to_owned(), std::io::Error::other(error)))?;
    let study = Study::new(plan, pool, progress());
    let asked = |id: &str| wanted.figures.is_empty() || wanted.figures.iter().any(|figure| figure == id);
    let mut data = Vec::new();
    for (_, run) in FIGURES.iter().filter(|(id, _)| asked(id)) {
        let figure = run(&study);
        if wanted.json {
            data.push(as_json(&figure, plan));
        } else {
            clear_progress();
            console.print(&text(&figure, plan))?;
        }
    }
    if wanted.json { console.print(&format!("{:#}\n", Value::Array(data))) } else { Ok(()) }
}

fn text(figure: &Figure, plan: Plan) -> String {
    let warning = "(a quick run: too few requests and seeds for the verdicts to mean anything)\n\n";
    format!("{figure}\n{}", if plan.is_conclusive() { "" } else { warning })
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

fn clear_progress() {
    if std::io::stderr().is_terminal() {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

fn as_json(figure: &Figure, plan: Plan) -> Value {
    let cell = |cell: &Cell| match cell {
        Cell::Absent => Value::Null,
        Cell::One(value) => json!(value),
        Cell::Ours(s) => json!({ "mean": s.mean, "low": s.low, "high": s.high, "half_width": s.half_width }),
    };
    let row = |label: &str, cells: &[Cell]| json!({ "label": label, "cells": cells.iter().map(cell).collect::<Vec<_>>() });
    let rows: Vec<Value> = figure.rows.iter().map(|it| row(&it.label, &it.cells)).collect();
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
