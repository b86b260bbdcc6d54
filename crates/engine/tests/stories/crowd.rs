//! Workers giving back, pausing, leaving, draining and vanishing.

use expect_test::expect;

use crate::story::check;

/// And what was set aside is free again.
#[test]
fn a_returned_task_may_come_back_to_the_same_worker() {
    check(
        "
        usual
        submit j ann tag 1 price 0.05
        join a p person
        ask a
        at 3s return a
        show tenant ann
        ask a
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            3s       a returns lease 0 (j.0)
            3s       ann: charged 0.00, set aside 0.00, no limit
            3s       a asks
            3s       a gets j.0: lease 1 until 5min3s, set aside 0.05
        "#]],
    );
}

/// Others get it; a skipped job is passed over whole.
#[test]
fn a_skipped_task_is_not_offered_to_that_worker_again() {
    check(
        "
        usual
        submit j ann tag 2
        submit k bob tag 2
        join a b p person
        ask a
        at 1s skip a
        ask a
        at 2s skip-job a
        ask a
        at 3s answer a
        ask a
        at 4s answer a
        ask a
        ask b
        at 5s answer b
        ask b
        ",
        expect![[r#"
            0s       ann submits j: 2 tasks
            0s       bob submits k: 2 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            1s       a skips lease 0 (j.0)
            1s       a asks
            1s       a gets j.1: lease 1 until 5min1s
            2s       a skips the job of lease 1 (j.1)
            2s       a asks
            2s       a gets k.0: lease 2 until 5min2s
            3s       a answers lease 2 (k.0)
            3s       k.0 by a counts
            3s       a asks
            3s       a gets k.1: lease 3 until 5min3s
            4s       a answers lease 3 (k.1)
            4s       k.1 by a counts
            4s       k is done
            4s       a asks
            4s       a waits
            4s       b asks
            4s       b gets j.0: lease 4 until 5min4s
            5s       b answers lease 4 (j.0)
            5s       j.0 by b counts
            5s       b asks
            5s       b gets j.1: lease 5 until 5min5s
        "#]],
    );
}

/// 10 s of waiting at 0.001 a second; a busy worker cannot pause; asking ends the break.
#[test]
fn pausing_ends_waiting_and_its_pay() {
    check(
        "
        usual
        join a p person
        ask a
        at 10s pause a
        at 60s submit j ann tag 1
        ask a
        pause a
        at 70s leave a
        ",
        expect![[r#"
            0s       a joins p
            0s       a asks
            0s       a waits
            10s      a pauses
            1min     ann submits j: 1 tasks
            1min     a asks
            1min     a gets j.0: lease 0 until 6min
            1min     refused: worker 0 is leased and cannot pause before answering or returning it
            1min10s  a leaves
            1min10s  a is gone: left, for waiting 0.01
        "#]],
    );
}

/// The slot is open again and goes to the one who waits; the answer cannot come any more.
#[test]
fn a_worker_may_leave_with_a_task_in_hand() {
    check(
        "
        usual
        submit j ann tag 1 price 0.05
        join a b p person
        ask a b
        at 5s leave a
        answer a
        ask a
        show pool p
        show rates p
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            0s       b asks
            0s       b waits
            5s       a leaves
            5s       a is gone: left
            5s       b gets j.0: lease 1 until 5min5s, set aside 0.05
            5s       a answers lease 0 (j.0)
            5s       j.0 by a is kept, late, uncounted
            5s       refused: there is no worker 0, or the worker has left
            5s       p: 0 waiting; 0 training, 0 idle, 1 busy, 0 paused, 0 coming; recommended none
            5s       p: in 5s: 1 arrived, 0 answered, 1 left; utilisation 0.500, wait 2s500ms, latency none
        "#]],
    );
}

/// A draining worker gets nothing more, and its answer is paid.
#[test]
fn an_idle_worker_drains_at_once_and_a_busy_one_when_done() {
    check(
        "
        usual
        submit j ann tag 2 price 0.05
        join a b c d p person
        ask a b c d
        at 5s drain c
        drain a
        drain a
        ask a
        drain b
        at 6s answer a
        at 7s return b
        at 8s show pool p
        ",
        expect![[r#"
            0s       ann submits j: 2 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            0s       b asks
            0s       b gets j.1: lease 1 until 5min, set aside 0.05
            0s       c asks
            0s       c waits
            0s       d asks
            0s       d waits
            5s       c shall go
            5s       c is gone: drained, for waiting 0.005
            5s       a shall go
            5s       a drains
            5s       a shall go
            5s       refused: worker 0 is draining and cannot ask for a task
            5s       b shall go
            5s       b drains
            6s       a answers lease 0 (j.0)
            6s       j.0 by a counts, paid 0.05
            6s       a is gone: drained
            7s       b returns lease 1 (j.1)
            7s       b is gone: drained
            7s       d gets j.1: lease 2 until 5min7s, set aside 0.05
            8s       p: 0 waiting; 0 training, 0 idle, 1 busy, 0 paused, 0 coming; recommended 12
        "#]],
    );
}

/// And so does one whose job is cancelled.
#[test]
fn a_draining_worker_whose_lease_expires_goes() {
    check(
        "
        usual
        submit j ann tag 1
        submit k bob tag 1
        join a b p person
        ask a b
        at 1s drain a b
        at 2s cancel k
        at 10min show memory
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       bob submits k: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            0s       b asks
            0s       b gets k.0: lease 1 until 5min
            1s       a shall go
            1s       a drains
            1s       b shall go
            1s       b drains
            2s       k is cancelled
            2s       k is over
            2s       b is gone: drained
            5min     lease 0 (j.0) of a expires
            5min     a is gone: drained
            10min    1 jobs, 0 workers live
        "#]],
    );
}

/// The pool gives a minute. Any message counts as a sign of life; waiting is paid until the worker is given up, and a
/// lease is lost with the worker.
#[test]
fn a_worker_not_heard_of_for_too_long_has_vanished() {
    check(
        "
        tenant ann
        app tag lease 10min
        kind person wage 3.60
        pool p serves tag presence 1min
        join a b p person
        ask a b
        at 30s heartbeat b
        at 70s submit j ann tag 1
        at 100s heartbeat b
        at 5min show memory
        show rates p
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a waits
            0s       b asks
            0s       b waits
            30s      b is heard
            1min     a is gone: vanished, for waiting 0.06
            1min10s  ann submits j: 1 tasks
            1min10s  b gets j.0: lease 0 until 11min10s
            1min40s  b is heard
            2min40s  b is gone: vanished, for waiting 0.07
            5min     1 jobs, 0 workers live
            5min     p: in 2min40s: 1 arrived, 0 answered, 2 left; utilisation 0.409, wait 0s, latency none
        "#]],
    );
}

/// Paid for waiting by the old pool; in the new one it works at once. A busy one cannot be moved, nor one to where it
/// is.
#[test]
fn a_worker_is_sent_to_another_pool_by_hand() {
    check(
        "
        usual
        app sort
        pool q serves sort
        submit k bob sort 2
        join a b p person
        ask a
        at 10s move a q
        at 11s move a p
        move b p
        move b #9
        at 12s move b q
        at 13s ask b
        ",
        expect![[r#"
            0s       bob submits k: 2 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a waits
            10s      a is sent to q
            10s      a is in q now, for waiting 0.01
            10s      a gets k.0: lease 0 until 30min10s
            11s      refused: worker 0 is leased and cannot move there now
            11s      refused: worker 1 is paused and cannot move there now
            11s      refused: there is no pool 9
            12s      b is sent to q
            12s      b is in q now
            13s      b asks
            13s      b gets k.1: lease 1 until 30min13s
        "#]],
    );
}

/// Also giving a task back, skipping it and pausing: nobody vanishes a minute after an older message.
#[test]
fn any_message_is_a_sign_of_life() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag presence 1min
        submit j ann tag 9
        join a b c d p person
        ask a b c
        at 50s return a
        skip b
        skip-job c
        pause d
        at 109s show memory
        at 110s show memory
        ",
        expect![[r#"
            0s       ann submits j: 9 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min
            0s       b asks
            0s       b gets j.1: lease 1 until 30min
            0s       c asks
            0s       c gets j.2: lease 2 until 30min
            50s      a returns lease 0 (j.0)
            50s      b skips lease 1 (j.1)
            50s      c skips the job of lease 2 (j.2)
            50s      d pauses
            1min49s  1 jobs, 4 workers live
            1min50s  a is gone: vanished
            1min50s  b is gone: vanished
            1min50s  c is gone: vanished
            1min50s  d is gone: vanished
            1min50s  1 jobs, 0 workers live
        "#]],
    );
}
