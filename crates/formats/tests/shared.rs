//! Traces of others, as they lie in the shared folder: read without losing a row, with the figures that are known of them.
//!
//! The data is no part of this project. The folder is found by `MUSTER_SHARED`, or beside the workspace; without it the
//! tests say so and end.

use std::fs::File;
use std::path::PathBuf;

use muster_engine::Span;
use muster_formats::trace::{ColumnMap, Outcome, Shape, Trace};

fn crowd(file: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("MUSTER_SHARED").map_or_else(beside, PathBuf::from);
    let path = shared.join("data/crowd").join(file);
    if path.exists() {
        return Some(path);
    }
    #[expect(clippy::print_stderr, reason = "a test that did not run says so")]
    {
        eprintln!("skipped: {file} is not in the shared folder");
    }
    None
}

fn table(file: &str) -> Option<Trace> {
    let reader = File::open(crowd(file)?).unwrap();
    Some(Trace::read_table(file, reader, &ColumnMap::default()).unwrap())
}

/// Every row is there, or was left out with a word.
fn assert_whole(trace: &Trace) {
    let taken = trace.assignments.len() + trace.arrivals.len() + trace.sessions.len() + trace.calls.len();
    let left_out = trace.odd.iter().filter(|odd| !odd.kept).count();
    assert_eq!((taken + left_out) as u64, trace.rows);
}

fn mean(spans: impl Iterator<Item = Span> + Clone) -> f64 {
    spans.clone().map(Span::as_secs_f64).sum::<f64>() / spans.count() as f64
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 0.0005 * b.abs() + 0.05
}

#[test]
fn crowdflower_assignments() {
    let Some(trace) = table("crowdflower_jobs/assignments.csv") else { return };
    assert_whole(&trace);
    assert_eq!((trace.shape.clone(), trace.rows), (Shape::Assignments, 211_840));
    assert_eq!((trace.workers.list().len(), trace.jobs.list().len()), (2995, 309));
    assert!(near(mean(trace.assignments.iter().filter_map(|it| it.work)), 52.0));
    let sessions = trace.sessions_within(Span::from_secs(300));
    assert_eq!(sessions.len(), 20_645);
    assert!((mean(sessions.iter().map(|it| it.length)) - 561.0).abs() < 1.0);
}

#[test]
fn mturk_assignments() {
    let Some(trace) = table("mturk_open_relex_2017/assignments.csv") else { return };
    assert_whole(&trace);
    assert_eq!((trace.rows, trace.workers.list().len()), (24_032, 201));
    assert_eq!((trace.jobs.list().len(), trace.apps.list().len()), (18, 3));
    assert!(near(mean(trace.assignments.iter().filter_map(|it| it.work)), 71.8));
    assert_eq!(trace.sessions_within(Span::from_secs(300)).len(), 1700);
}

#[test]
fn answers_and_workload_of_the_scheduler() {
    let Some(trace) = table("hit_scheduler_2013/answers.csv") else { return };
    assert_whole(&trace);
    let count = |outcome| trace.assignments.iter().filter(|it| it.outcome == outcome).count();
    let counts = [Outcome::Answered, Outcome::TaskSkipped, Outcome::JobSkipped].map(count);
    assert_eq!((trace.rows, counts), (3237, [2725, 346, 166]));

    let Some(trace) = table("hit_scheduler_2013/workload28.csv") else { return };
    assert_whole(&trace);
    assert_eq!((trace.shape.clone(), trace.arrivals.len()), (Shape::Arrivals, 28));
    assert!(trace.arrivals.iter().all(|it| it.slots == 3 && (1..=45).contains(&it.tasks)));

    let Some(trace) = table("hit_scheduler_2013/sessions.csv") else { return };
    assert_whole(&trace);
    assert_eq!((trace.shape.clone(), trace.sessions.len()), (Shape::Sessions, 304));
}

#[test]
fn other_tables_go_with_them() {
    let files = [
        ("crowdflower_jobs/jobs.csv", 309),
        ("hit_scheduler_2013/batches.csv", 0),
        ("hit_scheduler_2013/runs.csv", 14),
        ("hit_scheduler_2013/workers.csv", 257),
        ("hit_scheduler_2013/mturk_tracker_batch_sizes.csv", 28),
    ];
    for (file, rows) in files {
        let Some(trace) = table(file) else { return };
        assert_eq!(trace.shape, Shape::Side, "{file}");
        assert!(rows == 0 || trace.rows == rows, "{file}: {}", trace.rows);
    }
}

#[test]
fn clamshell() {
    let Some(path) = crowd("clamshell_trace/clamshell_trace.json") else { return };
    let trace =
        Trace::read_clamshell("clamshell_trace.json", &std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(trace.odd.is_empty());
    let counts = [&trace.recruitments, &trace.works, &trace.stays].map(Vec::len);
    assert_eq!(counts, [6126, 6725, 2999]);
    let means = [&trace.recruitments, &trace.works, &trace.stays].map(|list| mean(list.iter().copied()));
    assert!(near(means[0], 91.285) && near(means[1], 1.974) && near(means[2], 316.598), "{means:?}");
}
