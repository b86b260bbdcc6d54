//! Driving the engine: time, late wakes, standing still, clients and their patience.

use expect_test::expect;

use crate::story::check;

/// The command is refused and changes nothing.
#[test]
fn time_does_not_go_back() {
    check(
        "
        usual
        at 10s join a p person
        back 9s
        ask a
        at 10s ask a
        ",
        expect![[r#"
            10s      a joins p
            9s       refused: time cannot go back from 10 s to 9 s
            10s      a asks
            10s      a waits
        "#]],
    );
}

/// Settlements and looks that were slept through are not made up for one by one; billing periods are, for the machine
/// was there.
#[test]
fn a_late_wake_does_late_what_was_due_once() {
    check(
        "
        tenant ann
        app tag lease 5min
        kind person wage 3.60
        kind small costs 0.10 per 10min
        pool p serves tag settle 10min payer ann scaling static,size=2,every=1min
        submit j ann tag 1
        join a p person
        join m p small
        ask a
        at 1min
        oversleep 35min
        wake
        show next
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       m joins p
            0s       m is billed 0.10 until 10min
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            1min     p scaling: to keep 2, have 2 (error 0, output 0, 0 orders)
            35min    p scaling: to keep 2, have 2 (error 0, output 0, 0 orders)
            35min    lease 0 (j.0) of a expires
            35min    m is billed 0.10 until 20min
            35min    m is billed 0.10 until 30min
            35min    m is billed 0.10 until 40min
            35min    next due 36min
        "#]],
    );
}

/// At 10 min: the lease expires and its task is dispatched, recruits are lost, the interval begins, wages are settled,
/// then scaling looks.
#[test]
fn at_equal_times_each_thing_has_its_place() {
    check(
        "
        tenant ann budget 0.05 every 10min
        app tag lease 10min
        kind person wage 3.60
        pool p serves tag settle 10min scaling static,size=4,every=10min
        submit j ann tag 2 price 0.05
        recruit p person 1
        join a b c p person
        ask a b
        at 10min
        ",
        expect![[r#"
            0s       ann submits j: 2 tasks
            0s       1 wanted in p
            0s       r0: 1 person for p by 10min
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 10min, set aside 0.05
            0s       ann is out of budget, 0.00 left
            0s       b asks
            0s       b waits
            10min    lease 0 (j.0) of a expires
            10min    b gets j.0: lease 1 until 20min, set aside 0.05
            10min    r0: 1 lost
            10min    p settles: b gets, for waiting 0.60; ann pays 0.60; carried 0.00
            10min    ann has a new interval
            10min    p scaling: to keep 4, have 3 (error 1, output 1, 1 orders)
            10min    r1: 1 person for p by 20min
        "#]],
    );
}

/// Asleep from 1 min to 61 min. Waiting before and after is paid, in between it is not; the lease has the 4 min it had
/// left, and recruits have as much longer to come.
#[test]
fn after_standing_still_leases_run_on_and_waiting_is_not_paid() {
    check(
        "
        usual
        submit j ann tag 1
        recruit p person 1
        join a b p person
        ask a b
        at 1min heartbeat a
        oversleep 61min
        resume since 1min
        show next
        at 62min leave b
        at 65min
        at 71min
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       1 wanted in p
            0s       r0: 1 person for p by 10min
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            0s       b asks
            0s       b waits
            1min     a is heard
            1h1min   resumed, asleep since 1min
            1h1min   next due 15min
            1h1min   p settles: b gets, for waiting 0.06; ann pays 0.06; carried 0.00
            1h2min   b leaves
            1h2min   b is gone: left, for waiting 0.06
            1h5min   lease 0 (j.0) of a expires
            1h10min  r0: 1 lost
        "#]],
    );
}

/// Presence counts from the resume on: nobody vanishes because the server was away.
#[test]
fn a_driver_that_resumes_sees_only_what_is_really_due() {
    check(
        "
        tenant ann
        app tag lease 10min heartbeat 30s
        kind person wage 3.60
        pool p serves tag presence 1min
        submit j ann tag 1
        join a b p person
        ask a b
        oversleep 1h
        resume since 10s
        show next
        at 1h20s heartbeat a
        at 1h40s
        at 1h1min
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 10min
            0s       b asks
            0s       b waits
            1h       resumed, asleep since 10s
            1h       next due 15min
            1h       p settles: b gets, for waiting 0.01; ann pays 0.01; carried 0.00
            1h20s    a is heard
            1h50s    lease 0 (j.0) of a expires
            1h50s    b gets j.0: lease 1 until 1h10min50s
        "#]],
    );
}

/// Right is 10 s. Twice as fast: patience rises at once (weight of the past 0.2). Four times as slow: it falls (weight
/// 0.1) and the client is unhappy.
#[test]
fn a_client_is_patient_as_answers_come_in_time() {
    check(
        "
        usual
        client c
        submit j ann tag 1 client c
        show client c
        remove c
        join a p person
        ask a
        at 5s answer a
        show client c
        at 10s submit k ann tag 1 client c
        ask a
        at 50s answer a
        show client c
        submit l ann tag 1 client c
        at 60s cancel l
        show client c
        remove c
        remove c
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       c: patience 0.9000, 1 waiting, 0 served, happy
            0s       refused: client 0 still waits for work in progress
            0s       a joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            5s       a answers lease 0 (j.0)
            5s       j.0 by a counts
            5s       j is done
            5s       c: patience 1.7800, 0 waiting, 1 served, happy
            10s      ann submits k: 1 tasks
            10s      a asks
            10s      a gets k.0: lease 1 until 5min10s
            50s      a answers lease 1 (k.0)
            50s      k.0 by a counts
            50s      k is done
            50s      c: patience 0.4030, 0 waiting, 2 served, unhappy
            50s      ann submits l: 1 tasks
            1min     l is cancelled
            1min     l is over
            1min     c: patience 0.4030, 0 waiting, 2 served, unhappy
            1min     c is gone
            1min     refused: there is no client 0
        "#]],
    );
}

/// Three tasks arrive, two are answered after 10 s; then one worker is busy and one waits.
#[test]
fn a_pool_observes_what_policies_need() {
    check(
        "
        usual
        submit j ann tag 3
        join a b p person
        ask a b
        at 10s answer a b
        ask a b
        at 20s heartbeat a
        show rates p
        at 30s leave b
        show rates p
        show pool p
        ",
        expect![[r#"
            0s       ann submits j: 3 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            0s       b asks
            0s       b gets j.1: lease 1 until 5min
            10s      a answers lease 0 (j.0)
            10s      j.0 by a counts
            10s      b answers lease 1 (j.1)
            10s      j.1 by b counts
            10s      a asks
            10s      a gets j.2: lease 2 until 5min10s
            10s      b asks
            10s      b waits
            20s      a is heard
            20s      p: in 20s: 3 arrived, 2 answered, 0 left; utilisation 0.750, wait 3s333ms333333ns, latency 10s
            30s      b leaves
            30s      b is gone: left, for waiting 0.02
            30s      p: in 30s: 3 arrived, 2 answered, 1 left; utilisation 0.667, wait 3s333ms333333ns, latency 10s
            30s      p: 0 waiting; 0 training, 0 idle, 1 busy, 0 paused, 0 coming; recommended 9
        "#]],
    );
}
