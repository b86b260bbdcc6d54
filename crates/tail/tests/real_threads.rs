//! Sixteen real threads whose leaves sleep: emulated cores on any machine. Exercises deques, marking and hand-over of
//! the real pool; says nothing about time.

use muster_tail::study::{FIGURES, Plan, Study};
use muster_tail::{Pool, Table, TailControl, join, par_for_grain, scope};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn sleep() {
    std::thread::sleep(Duration::from_micros(50));
}

/// A large request in three ways: a loop, a tree of joins, a scope. Each has 64 leaves.
fn large(way: usize, leaves: &AtomicUsize) {
    let leaf = || {
        sleep();
        leaves.fetch_add(1, Ordering::Relaxed);
    };
    fn tree(depth: u32, leaf: &(impl Fn() + Sync)) {
        if depth == 0 {
            leaf();
        } else {
            join(|| tree(depth - 1, leaf), || tree(depth - 1, leaf));
        }
    }
    match way % 3 {
        0 => par_for_grain(0..64, 1, |_| leaf()),
        1 => tree(6, &leaf),
        _ => scope(|s| (0..64).for_each(|_| s.spawn(|_| leaf()))),
    }
}

fn crowd(policy: TailControl) -> (usize, u64) {
    let pool = Pool::builder().threads(16).policy(policy).build().expect("a pool");
    let leaves = AtomicUsize::new(0);
    pool.run(|| {
        scope(|s| {
            // One request cannot be crowded, so they come from outside as well as from inside.
            s.spawn(|_| large(0, &leaves));
        });
    });
    std::thread::scope(|s| {
        for way in 0..30 {
            let (pool, leaves) = (&pool, &leaves);
            s.spawn(move || pool.run(|| large(way, leaves)));
        }
    });
    (leaves.into_inner(), pool.stats().given_up)
}

#[test]
fn a_crowd_of_large_requests_is_given_up_and_still_ends() {
    let strict = || TailControl::with_table(1.0, Table::from_thresholds(vec![1e9, 0.2]).expect("a table"));
    for policy in [strict(), strict().lazy()] {
        let (leaves, given_up) = crowd(policy);
        assert_eq!(leaves, 31 * 64);
        assert!(given_up > 0, "thirty requests of 3 ms at once are a crowd");
    }
}

#[test]
fn the_study_runs_on_its_own_pool() {
    let pool = Pool::builder().threads(2).build().expect("a pool");
    let study = Study::new(Plan { requests: 300, seeds: 2 }, pool, |_| ());
    for (id, run) in FIGURES.iter().filter(|(id, _)| ["2", "4", "9", "15"].contains(id)) {
        let figure = run(&study);
        assert_eq!(figure.id, *id);
        assert!(figure.rows.iter().all(|row| row.cells.len() == figure.columns.len()));
        assert!(!figure.claims.is_empty() && !figure.settings.is_empty());
    }
}

#[test]
fn the_thresholds_of_figure_4_are_as_they_were() {
    let pool = Pool::builder().threads(1).build().expect("a pool");
    let figure = FIGURES[1].1(&Study::new(Plan::quick(), pool, |_| ())).to_string();
    let table: String =
        figure.lines().skip(3).take(6).map(|line| line.trim_end().to_owned() + "\n").collect();
    expect_test::expect![[r#"
                    target 14.77 ms  target 20 ms  target 25 ms
        1 active                211           276           347
        4 active                180           252           293
        8 active                140           217           293
        12 active               101           180           252
        16 active              60.0           140           215
    "#]]
    .assert_eq(&table);
}
