//! Policies: switched while running, refused with what is allowed, scaling within its limits.

use expect_test::expect;

use crate::story::check;

/// Under fifo ann has all three workers. Under fair bob is next until he has as many.
#[test]
fn a_dispatch_policy_is_switched_while_running() {
    check(
        "
        usual
        submit j ann tag 9
        submit k bob tag 9
        join a b c d e f g p person
        ask a b c
        at 1s set p dispatch fair
        ask d e f g
        at 2s set p dispatch fifo
        answer a
        ask a
        ",
        expect![[r#"
            0s       ann submits j: 9 tasks
            0s       bob submits k: 9 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       g joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            0s       b asks
            0s       b gets j.1: lease 1 until 5min
            0s       c asks
            0s       c gets j.2: lease 2 until 5min
            1s       p has dispatch fair
            1s       d asks
            1s       d gets k.0: lease 3 until 5min1s
            1s       e asks
            1s       e gets k.1: lease 4 until 5min1s
            1s       f asks
            1s       f gets k.2: lease 5 until 5min1s
            1s       g asks
            1s       g gets j.3: lease 6 until 5min1s
            2s       p has dispatch fifo
            2s       a answers lease 0 (j.0)
            2s       j.0 by a counts
            2s       a asks
            2s       a gets j.4: lease 7 until 5min2s
        "#]],
    );
}

/// Switching the dispatch and the matching policy loses nobody.
#[test]
fn those_who_wait_are_known_to_the_new_policies() {
    check(
        "
        usual
        join a b p person
        ask b
        at 1s ask a
        at 2s set p dispatch fair
        set p matching longest-waiting
        at 3s submit j ann tag 1
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            0s       b asks
            0s       b waits
            1s       a asks
            1s       a waits
            2s       p has dispatch fair
            2s       p has matching longest-waiting
            3s       ann submits j: 1 tasks
            3s       b gets j.0: lease 0 until 5min3s
        "#]],
    );
}

/// Nor does it change whom it serves.
#[test]
fn a_pool_takes_up_more_apps_but_gives_none_up() {
    check(
        "
        usual
        app sort
        set pool p serves sort
        set pool p serves tag,sort only ann
        set pool p serves tag,sort
        submit j ann sort 1
        join a p person
        ask a
        ",
        expect![[r#"
            0s       refused: apps is app 1; allowed is the apps of before, and more after them
            0s       refused: tenant is tenant 0; allowed is the one of before
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min
        "#]],
    );
}

/// Nothing is recommended before a task was done, unless the pool has a prior. Then the recommended size follows what
/// was seen; half of the distance is called for.
#[test]
fn pid_size_says_what_it_sees_also_when_nothing_changes() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag window 1min scaling pid-size,every=10s,kp=0.5
        at 10s
        submit j ann tag 30 takes 1s
        join a b c p person
        work 19s
        at 20s
        at 30s show pool p
        ",
        expect![[r#"
            10s      p scaling: nothing recommended yet: no task has been done (error 0, output 0, 0 orders)
            10s      ann submits j: 30 tasks
            10s      a joins p
            10s      b joins p
            10s      c joins p
            19s      worked: ann 27 in 27s
            20s      p scaling: recommended 7, have 3 (error 4, output 2, 1 orders)
            20s      r0: 2 person for p by 10min20s
            30s      p scaling: recommended 8, have 3, 2 coming (error 3, output 1.5, 1 orders)
            30s      r1: 2 person for p by 10min30s
            30s      p: 0 waiting; 0 training, 0 idle, 3 busy, 0 paused, 4 coming; recommended 8
        "#]],
    );
}

/// Half of the distance is called for each time, and those coming count. When less is recommended nobody is released:
/// only idle workers go, and there are none.
#[test]
fn recruits_on_their_way_count_as_being_there() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag window 1min prior 10s scaling pid-size,every=10s,kp=0.5
        submit j ann tag 30
        show pool p
        at 10s
        at 20s
        at 30s
        ",
        expect![[r#"
            0s       ann submits j: 30 tasks
            0s       p: 30 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 0
            10s      p scaling: recommended 47, have 0 (error 47, output 23.5, 1 orders)
            10s      r0: 24 person for p by 10min10s
            20s      p scaling: recommended 28, have 0, 24 coming (error 4, output 2, 1 orders)
            20s      r1: 2 person for p by 10min20s
            30s      p scaling: recommended 22, have 0, 26 coming; only idle workers go (error -4, output -2, 0 orders)
        "#]],
    );
}

/// The setting is there for the paper's experiments.
#[test]
fn without_counting_them_the_same_workers_are_called_for_again_and_again() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag window 1min prior 10s scaling pid-size,every=10s,kp=0.5,count_in_flight=false
        submit j ann tag 30
        at 10s
        at 20s
        ",
        expect![[r#"
            0s       ann submits j: 30 tasks
            10s      p scaling: recommended 47, have 0 (error 47, output 23.5, 1 orders)
            10s      r0: 24 person for p by 10min10s
            20s      p scaling: recommended 28, have 0, 24 coming (error 28, output 14, 1 orders)
            20s      r1: 14 person for p by 10min20s
        "#]],
    );
}

/// At most two at a time, at most five in all, and nothing for 25 s after a change.
#[test]
fn scaling_keeps_to_its_limits() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag scaling static,size=9,every=10s,most=5,step_most=2,cooldown=25s
        at 10s
        at 20s
        at 30s
        at 40s
        at 70s
        at 100s
        ",
        expect![[r#"
            10s      p scaling: to keep 9, have 0; cut to the limits (error 9, output 9, 1 orders)
            10s      r0: 2 person for p by 10min10s
            20s      p scaling: to keep 9, have 2; cooling down (error 7, output 7, 0 orders)
            30s      p scaling: to keep 9, have 2; cooling down (error 7, output 7, 0 orders)
            40s      p scaling: to keep 9, have 2; cut to the limits (error 7, output 7, 1 orders)
            40s      r1: 2 person for p by 10min40s
            50s      p scaling: to keep 9, have 4; cooling down (error 5, output 5, 0 orders)
            1min     p scaling: to keep 9, have 4; cooling down (error 5, output 5, 0 orders)
            1min10s  p scaling: to keep 9, have 4; cut to the limits (error 5, output 5, 1 orders)
            1min10s  r2: 1 person for p by 11min10s
            1min20s  p scaling: to keep 9, have 5; the limits allow no change (error 4, output 4, 0 orders)
            1min30s  p scaling: to keep 9, have 5; the limits allow no change (error 4, output 4, 0 orders)
            1min40s  p scaling: to keep 9, have 5; the limits allow no change (error 4, output 4, 0 orders)
        "#]],
    );
}

/// Never below the least size.
#[test]
fn only_idle_workers_are_released_those_first_who_waited_longest() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag scaling static,size=0,every=10s,least=1
        submit j ann tag 1
        join a b c d p person
        ask a
        at 1s ask c
        at 2s ask b
        at 10s
        at 20s
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min
            1s       c asks
            1s       c waits
            2s       b asks
            2s       b waits
            10s      p scaling: to keep 0, have 4; only idle workers go (error -4, output -4, 2 orders)
            10s      c is gone: released
            10s      b is gone: released
            20s      p scaling: to keep 0, have 2; only idle workers go (error -2, output -2, 0 orders)
        "#]],
    );
}

/// One worker too few at a gain of 0.25: the first quarter is carried, with the second it makes half a worker, which is
/// rounded up to one. The half that is owed then sends nobody away.
#[test]
fn gains_smaller_than_one_worker_add_up() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag window 1h prior 1s scaling pid-size,every=10s,kp=0.25
        join a b p person
        at 5s submit j ann tag 1
        at 10s
        at 15s submit k ann tag 1
        at 20s
        at 25s submit l ann tag 1
        at 30s
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            5s       ann submits j: 1 tasks
            10s      p scaling: recommended 3, have 2 (error 1, output 0.25, 0 orders)
            15s      ann submits k: 1 tasks
            20s      p scaling: recommended 3, have 2 (error 1, output 0.25, 1 orders)
            20s      r0: 1 person for p by 10min20s
            25s      ann submits l: 1 tasks
            30s      p scaling: recommended 3, have 2, 1 coming (error 0, output 0, 0 orders)
        "#]],
    );
}
