//! Tasks that wait for others, in one pool or several.

use expect_test::expect;

use crate::story::check;

/// A diamond: the last task waits for both in the middle.
#[test]
fn a_task_opens_when_its_parents_are_done() {
    check(
        "
        usual
        flow j ann tag tag<0 tag<0 tag<1,2 price 0.01
        join a b p person
        ask a b
        at 1s answer a
        ask a
        at 2s answer a
        ask a
        at 3s answer b
        at 4s answer a
        show memory
        ",
        expect![[r#"
            0s       ann submits j: workflow of 4
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.01
            0s       b asks
            0s       b waits
            1s       a answers lease 0 (j.0)
            1s       j.0 by a counts, paid 0.01
            1s       b gets j.1: lease 1 until 5min1s, set aside 0.01
            1s       a asks
            1s       a gets j.2: lease 2 until 5min1s, set aside 0.01
            2s       a answers lease 2 (j.2)
            2s       j.2 by a counts, paid 0.01
            2s       a asks
            2s       a waits
            3s       b answers lease 1 (j.1)
            3s       j.1 by b counts, paid 0.01
            3s       a gets j.3: lease 3 until 5min3s, set aside 0.01
            4s       a answers lease 3 (j.3)
            4s       j.3 by a counts, paid 0.01
            4s       j is done
            4s       0 jobs, 2 workers live
        "#]],
    );
}

/// Two answers each.
#[test]
fn a_parent_is_done_when_all_its_answers_are_there() {
    check(
        "
        usual
        flow j ann tag tag<0 slots 2
        join a b p person
        ask a b
        at 1s answer a
        ask a
        at 2s answer b
        ask b
        at 3s answer a b
        ",
        expect![[r#"
            0s       ann submits j: workflow of 2, 2 answers each
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            0s       b asks
            0s       b gets j.0: lease 1 until 5min
            1s       a answers lease 0 (j.0)
            1s       j.0 by a counts
            1s       a asks
            1s       a waits
            2s       b answers lease 1 (j.0)
            2s       j.0 by b counts
            2s       a gets j.1: lease 2 until 5min2s
            2s       b asks
            2s       b gets j.1: lease 3 until 5min2s
            3s       a answers lease 2 (j.1)
            3s       j.1 by a counts
            3s       b answers lease 3 (j.1)
            3s       j.1 by b counts
            3s       j is done
        "#]],
    );
}

/// Sorting is done in another pool; its worker waits until the first task is done.
#[test]
fn a_workflow_runs_through_several_apps_and_pools() {
    check(
        "
        usual
        app sort
        pool q serves sort
        join a p person
        join b q person
        ask a b
        at 1s flow j ann tag sort<0 tag<1
        at 2s answer a
        at 2s ask a
        at 4s answer b
        at 5s answer a
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins q
            0s       a asks
            0s       a waits
            0s       b asks
            0s       b waits
            1s       ann submits j: workflow of 3
            1s       a gets j.0: lease 0 until 5min1s
            2s       a answers lease 0 (j.0)
            2s       j.0 by a counts
            2s       b gets j.1: lease 1 until 30min2s
            2s       a asks
            2s       a waits
            4s       b answers lease 1 (j.1)
            4s       j.1 by b counts
            4s       a gets j.2: lease 2 until 5min4s
            5s       a answers lease 2 (j.2)
            5s       j.2 by a counts
            5s       j is done
        "#]],
    );
}

/// Every task belongs to one pool, fixed when it is submitted.
#[test]
fn a_pool_of_one_tenant_goes_before_the_pool_for_all() {
    check(
        "
        usual
        submit early ann tag 1
        pool own serves tag only ann
        submit late ann tag 1
        submit other bob tag 1
        show pool p
        show pool own
        join a own person
        ask a
        ",
        expect![[r#"
            0s       ann submits early: 1 tasks
            0s       ann submits late: 1 tasks
            0s       bob submits other: 1 tasks
            0s       p: 2 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended none
            0s       own: 1 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended none
            0s       a joins own
            0s       a asks
            0s       a gets late.0: lease 0 until 5min
        "#]],
    );
}

/// The task is named. Nothing of the workflow is kept.
#[test]
fn a_workflow_that_cannot_be_done_is_refused() {
    check(
        "
        usual
        app sort
        flow j ann tag<1 tag<0
        flow j ann tag tag<0,2 tag<1 tag<2
        flow j ann tag<0
        flow j ann tag tag<7
        flow j ann tag tag<0,0
        flow j ann tag sort<0
        show memory
        ",
        expect![[r#"
            0s       refused: task 0 waits for itself, by way of its parents
            0s       refused: task 1 waits for itself, by way of its parents
            0s       refused: task 0 waits for itself, by way of its parents
            0s       refused: task 1 waits for task 7, which does not exist
            0s       refused: task 1 names its parent 0 twice
            0s       refused: no pool serves app 1 for tenant 0
            0s       0 jobs, 0 workers live
        "#]],
    );
}

/// The lease of the first task expired and nobody else came.
#[test]
fn a_late_answer_opens_what_waited_for_it() {
    check(
        "
        usual
        flow j ann tag tag<0
        join a b p person
        ask a
        at 6min answer a
        ask b
        ",
        expect![[r#"
            0s       ann submits j: workflow of 2
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            5min     lease 0 (j.0) of a expires
            6min     a answers lease 0 (j.0)
            6min     j.0 by a counts, late
            6min     b asks
            6min     b gets j.1: lease 1 until 11min
        "#]],
    );
}
