//! The life of a task: open, leased, answered, done; N answers from different workers.

use expect_test::expect;

use crate::story::check;

/// A lease sets its price aside, an answer pays it. When the last task is done the job leaves memory.
#[test]
fn a_task_is_submitted_leased_and_answered() {
    check(
        "
        usual
        at 1s submit j ann tag 2 price 0.05
        at 2s join w p person
        ask w
        show tenant ann
        at 10s answer w
        ask w
        at 20s answer w
        show tenant ann
        show memory
        ",
        expect![[r#"
            1s       ann submits j: 2 tasks
            2s       w joins p
            2s       w asks
            2s       w gets j.0: lease 0 until 5min2s, set aside 0.05
            2s       ann: charged 0.00, set aside 0.05, no limit
            10s      w answers lease 0 (j.0)
            10s      j.0 by w counts, paid 0.05
            10s      w asks
            10s      w gets j.1: lease 1 until 5min10s, set aside 0.05
            20s      w answers lease 1 (j.1)
            20s      j.1 by w counts, paid 0.05
            20s      j is done
            20s      ann: charged 0.10, set aside 0.00, no limit
            20s      0 jobs, 1 workers live
        "#]],
    );
}

/// Nobody asks again: the one who has waited longest gets the task.
#[test]
fn a_worker_who_waits_gets_what_arrives() {
    check(
        "
        usual
        join a b p person
        at 1s ask b
        at 2s ask a
        at 5s submit j ann tag 1
        at 6s submit k bob tag 2
        show pool p
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            1s       b asks
            1s       b waits
            2s       a asks
            2s       a waits
            5s       ann submits j: 1 tasks
            5s       b gets j.0: lease 0 until 5min5s
            6s       bob submits k: 2 tasks
            6s       a gets k.0: lease 1 until 5min6s
            6s       p: 1 waiting; 0 training, 0 idle, 2 busy, 0 paused, 0 coming; recommended none
        "#]],
    );
}

/// With three answers each, one worker never gets two slots of a task, and three answers make it done.
#[test]
fn a_task_needs_answers_from_different_workers() {
    check(
        "
        usual
        submit j ann tag 2 slots 3
        join a b c p person
        at 1s ask a
        at 2s answer a
        ask a
        at 3s answer a
        at 4s ask a
        show pool p
        at 5s ask b
        at 6s answer b
        ask b
        ask c
        at 7s answer c
        at 8s answer b
        ask c
        at 9s answer c
        ",
        expect![[r#"
            0s       ann submits j: 2 tasks, 3 answers each
            0s       a joins p
            0s       b joins p
            0s       c joins p
            1s       a asks
            1s       a gets j.0: lease 0 until 5min1s
            2s       a answers lease 0 (j.0)
            2s       j.0 by a counts
            2s       a asks
            2s       a gets j.1: lease 1 until 5min2s
            3s       a answers lease 1 (j.1)
            3s       j.1 by a counts
            4s       a asks
            4s       a waits
            4s       p: 4 waiting; 0 training, 1 idle, 0 busy, 2 paused, 0 coming; recommended 7
            5s       b asks
            5s       b gets j.0: lease 2 until 5min5s
            6s       b answers lease 2 (j.0)
            6s       j.0 by b counts
            6s       b asks
            6s       b gets j.1: lease 3 until 5min6s
            6s       c asks
            6s       c gets j.0: lease 4 until 5min6s
            7s       c answers lease 4 (j.0)
            7s       j.0 by c counts
            8s       b answers lease 3 (j.1)
            8s       j.1 by b counts
            8s       c asks
            8s       c gets j.1: lease 5 until 5min8s
            9s       c answers lease 5 (j.1)
            9s       j.1 by c counts
            9s       j is done
        "#]],
    );
}

/// The second answer under a lease is refused and changes nothing; so is one of somebody else's lease, and asking while
/// busy.
#[test]
fn an_answer_counts_once() {
    check(
        "
        usual
        submit j ann tag 3 price 0.05
        join a b p person
        ask a b
        ask a
        at 5s answer a
        at 6s answer a
        answer b lease 0
        return a
        show tenant ann
        ",
        expect![[r#"
            0s       ann submits j: 3 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            0s       b asks
            0s       b gets j.1: lease 1 until 5min, set aside 0.05
            0s       refused: worker 0 is leased and cannot ask for a task
            5s       a answers lease 0 (j.0)
            5s       j.0 by a counts, paid 0.05
            6s       refused: worker 0 does not hold lease 0; it may have been answered or returned already
            6s       refused: worker 1 does not hold lease 0; it may have been answered or returned already
            6s       refused: worker 0 does not hold lease 0; it may have been answered or returned already
            6s       ann: charged 0.05, set aside 0.05, no limit
        "#]],
    );
}

/// What was accepted stays paid, nothing more is set aside, and an answer that still comes is kept, unpaid and
/// uncounted.
#[test]
fn a_cancelled_job_ends_its_leases() {
    check(
        "
        usual
        submit j ann tag 3 price 0.05 slots 2
        join a b c p person
        ask a b
        at 5s answer a
        at 6s ask a c
        at 7s cancel j
        show tenant ann
        show memory
        show pool p
        at 8s answer b
        at 9s answer b
        ask b
        cancel j
        ",
        expect![[r#"
            0s       ann submits j: 3 tasks, 2 answers each
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            0s       b asks
            0s       b gets j.0: lease 1 until 5min, set aside 0.05
            5s       a answers lease 0 (j.0)
            5s       j.0 by a counts, paid 0.05
            6s       a asks
            6s       a gets j.1: lease 2 until 5min6s, set aside 0.05
            6s       c asks
            6s       c gets j.1: lease 3 until 5min6s, set aside 0.05
            7s       j is cancelled
            7s       j is over
            7s       ann: charged 0.05, set aside 0.00, no limit
            7s       0 jobs, 3 workers live
            7s       p: 0 waiting; 0 training, 0 idle, 0 busy, 3 paused, 0 coming; recommended 25
            8s       b answers lease 1 (j.0)
            8s       j.0 by b is kept, late, uncounted
            9s       refused: worker 1 does not hold lease 1; it may have been answered or returned already
            9s       b asks
            9s       b waits
            9s       refused: there is no job 0, or it is closed
        "#]],
    );
}

/// The tenant is charged although the job is gone.
#[test]
fn a_late_answer_of_a_cancelled_job_is_paid_if_the_app_says_so() {
    check(
        "
        tenant ann
        app tag lease 5min late-pay always
        kind person wage 0
        pool p serves tag
        submit j ann tag 1 price 0.05
        join a p person
        ask a
        at 7s cancel j
        at 8s answer a
        show tenant ann
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            7s       j is cancelled
            7s       j is over
            8s       a answers lease 0 (j.0)
            8s       j.0 by a is kept, late, uncounted, paid 0.05
            8s       ann: charged 0.05, set aside 0.00, no limit
        "#]],
    );
}

/// Each refusal names the thing, or the field, the value and what is allowed; nothing is recorded.
#[test]
fn unknown_and_wrong_things_are_refused() {
    check(
        "
        usual
        app other
        ask #7
        answer #7 lease 3
        submit j #9 tag 1
        submit j ann #9 1
        submit j ann other 1
        submit j ann tag 0
        submit j ann tag 1 slots 0
        submit j ann tag 1 slots 101
        submit j ann tag 1 priority 0
        submit j ann tag 1 client #4
        join w #3 person
        join w p #3
        join w p person trained #8
        join w p person likes tag=1.5
        join w p person of r5
        cancel #3
        budget #3 1.00
        recruit #4 person 1
        recruit p person 0
        failed r3 1
        pool q serves tag
        pool q serves #6
        app slow lease 0s
        kind fast speed 0
        tenant eve weight 0
        tenant eve budget 1.00 every 0s
        set tenant #5 weight 2
        set #5 dispatch fifo
        remove #2
        ",
        expect![[r#"
            0s       refused: there is no worker 7, or the worker has left
            0s       refused: there is no worker 7, or the worker has left
            0s       refused: there is no tenant 9
            0s       refused: there is no app 9
            0s       refused: no pool serves app 1 for tenant 0
            0s       refused: tasks is 0; allowed is from 1 to 10000000
            0s       refused: slots is 0; allowed is a whole number from 1 to 100
            0s       refused: slots is 101; allowed is a whole number from 1 to 100
            0s       refused: priority is 0; allowed is a whole number from 1 to 1000000
            0s       refused: there is no client 4
            0s       refused: there is no pool 3
            0s       refused: there is no kind 3
            0s       refused: there is no app 8
            0s       refused: preferences is 1.5; allowed is a number from 0 to 1
            0s       refused: there is no recruit order 5, or all of it has come
            0s       refused: there is no job 3, or it is closed
            0s       refused: there is no job 3, or it is closed
            0s       refused: there is no pool 4
            0s       refused: n is 0; allowed is a whole number from 1 to 1000000
            0s       refused: there is no recruit order 3, or all of it has come
            0s       refused: app 0 is served by pool 0 already
            0s       refused: there is no app 6
            0s       refused: lease is 0 s; allowed is a length of time from 1 ms to 30 years
            0s       refused: speed is 0; allowed is a number from 0.000001 to 1000000
            0s       refused: weight is 0; allowed is a whole number from 1 to 1000000
            0s       refused: budget interval is 0 s; allowed is a length of time from 1 s to 30 years
            0s       refused: there is no tenant 5
            0s       refused: there is no pool 5
            0s       refused: there is no client 2
        "#]],
    );
}
