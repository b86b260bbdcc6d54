//! Looking ahead: what it forecasts, whom it counts on, and how it lets people go.

use expect_test::expect;

use crate::story::check;

/// A task every second that takes ten, and nobody there: it calls for people, some of them for the backlog. When it looks again
/// nobody has come, so those on their way are not counted on in full.
#[test]
fn it_calls_for_as_many_as_will_be_missing() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag window 1min prior 10s scaling look-ahead,every=10s,within=10s,delay=30s,caution=0
        submit j ann tag 10
        at 10s
        submit k ann tag 10
        at 20s
        submit l ann tag 10
        at 30s
        ",
        expect![[r#"
            0s       ann submits j: 10 tasks
            10s      p scaling: recruit 16: forecast 1 tasks/s in 30 s needs 16.3, have 0, 0 coming, 0 expected to leave (error 16.254, output 16, 1 orders)
            10s      r0: 16 person for p by 10min10s
            10s      ann submits k: 10 tasks
            20s      p scaling: recruit 14: forecast 1 tasks/s in 30 s needs 16.8, have 0, 16 coming, 0 expected to leave (error 14.458, output 14, 1 orders)
            20s      r1: 14 person for p by 10min20s
            20s      ann submits l: 10 tasks
            30s      p scaling: recruit 16: forecast 1 tasks/s in 30 s needs 17.7, have 0, 30 coming, 0 expected to leave (error 15.909, output 16, 1 orders)
            30s      r2: 16 person for p by 10min30s
        "#]],
    );
}

/// Nothing comes any more: a part of those who are idle goes at each look, never all at once.
#[test]
fn people_who_are_not_needed_go_by_and_by() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag window 1min prior 1s scaling look-ahead,every=10s,within=10s,delay=30s,release=0.5,least=1
        join a b c d e f g h p person
        ask a b c d e f g h
        at 10s
        at 20s
        at 30s
        at 40s
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       g joins p
            0s       h joins p
            0s       a asks
            0s       a waits
            0s       b asks
            0s       b waits
            0s       c asks
            0s       c waits
            0s       d asks
            0s       d waits
            0s       e asks
            0s       e waits
            0s       f asks
            0s       f waits
            0s       g asks
            0s       g waits
            0s       h asks
            0s       h waits
            10s      p scaling: release 4: forecast 0 tasks/s in 30 s needs 0, have 8, 0 coming, 0 expected to leave (error -8, output -4, 4 orders)
            10s      a is gone: released
            10s      b is gone: released
            10s      c is gone: released
            10s      d is gone: released
            20s      p scaling: release 2: forecast 0 tasks/s in 30 s needs 0, have 4, 0 coming, 0 expected to leave (error -4, output -2, 2 orders)
            20s      e is gone: released
            20s      f is gone: released
            30s      p scaling: release 1: forecast 0 tasks/s in 30 s needs 0, have 2, 0 coming, 0 expected to leave (error -2, output -1, 1 orders)
            30s      g is gone: released
            40s      p scaling: release 1: forecast 0 tasks/s in 30 s needs 0, have 1, 0 coming, 0 expected to leave; the limits allow no change (error -1, output -1, 0 orders)
        "#]],
    );
}

/// Many more come than chance explains: the forecast jumps at once, rather than creep.
#[test]
fn a_surprise_is_a_new_level() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag window 1min prior 2s scaling look-ahead,every=10s,within=2s,delay=30s,caution=0
        submit j ann tag 10
        at 10s
        submit k ann tag 12
        at 20s
        submit l ann tag 100
        at 30s
        ",
        expect![[r#"
            0s       ann submits j: 10 tasks
            10s      p scaling: recruit 5: forecast 1 tasks/s in 30 s needs 4.7, have 0, 0 coming, 0 expected to leave (error 4.664, output 5, 1 orders)
            10s      r0: 5 person for p by 10min10s
            10s      ann submits k: 12 tasks
            20s      p scaling: recruit 3: forecast 1.02 tasks/s in 30 s needs 4.7, have 0, 5 coming, 0 expected to leave (error 3.116, output 3, 1 orders)
            20s      r1: 3 person for p by 10min20s
            20s      ann submits l: 100 tasks
            30s      p scaling: recruit 28: forecast 10 tasks/s in 30 s needs 29.8, have 0, 8 coming, 0 expected to leave (error 28.443, output 28, 1 orders)
            30s      r2: 28 person for p by 10min30s
        "#]],
    );
}

/// What is wrong is refused with what is allowed.
#[test]
fn settings_are_checked() {
    check(
        "
        usual
        set p scaling look-ahead,share=1.5
        set p scaling look-ahead,dely=30s
        ",
        expect![[r#"
            0s       refused: look-ahead: share is 1.5; allowed is a number from 0 to 0.999999
            0s       refused: look-ahead has no setting 'dely' (did you mean 'delay'?); it has every, kind, least, most, step_most, cooldown, count_in_flight, within, share, wait, delay, drain, caution, level, trend, release
        "#]],
    );
}
