//! Replacement: making up for people who leave.

use expect_test::expect;

use crate::story::check;

/// By default as in the paper: while more than five are missing of what is recommended, one at a time.
#[test]
fn replacement_by_rules() {
    check(
        "
        usual
        pool q serves tag only ann prior 5s window 100s aim occupancy=0.5 replacement rules,every=50s
        at 1s submit j ann tag 80
        at 100s
        show pool q
        join a b q person
        at 150s
        ",
        expect![[r#"
            1s       ann submits j: 80 tasks
            50s      q replacement: if recommended - size > 5 then recruit 1 (error 1, output 1, 1 orders)
            50s      r0: 1 person for q by 10min50s
            1min40s  q replacement: if recommended - size > 5 then recruit 1 (error 1, output 1, 1 orders)
            1min40s  r1: 1 person for q by 11min40s
            1min40s  q: 80 waiting; 0 training, 0 idle, 0 busy, 0 paused, 2 coming; recommended 8
            1min40s  a joins q
            1min40s  b joins q
            2min30s  q replacement: no rule holds (error 0, output 0, 0 orders)
        "#]],
    );
}

/// Three left in the last 10 s, so 0.6 in the 2 s between two looks: nobody or one, by chance. Six: 1.2, one or two. Those who
/// left 10 s ago count no longer.
#[test]
fn as_many_as_leave_on_average() {
    check(
        "
        usual
        set p replacement average-rate,every=2s,window=10s
        join a b c d e f p person
        at 1s leave a b c
        at 2s
        at 3s leave d e f
        at 10s
        at 12s
        at 14s
        ",
        expect![[r#"
            0s       p has replacement average-rate
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            1s       a leaves
            1s       a is gone: left
            1s       b leaves
            1s       b is gone: left
            1s       c leaves
            1s       c is gone: left
            2s       p replacement: 3 left in the last 10 s (error 0.6, output 1, 1 orders)
            2s       r0: 1 person for p by 10min2s
            3s       d leaves
            3s       d is gone: left
            3s       e leaves
            3s       e is gone: left
            3s       f leaves
            3s       f is gone: left
            4s       p replacement: 6 left in the last 10 s (error 1.2, output 1, 1 orders)
            4s       r1: 1 person for p by 10min4s
            6s       p replacement: 6 left in the last 10 s (error 1.2, output 1, 1 orders)
            6s       r2: 1 person for p by 10min6s
            8s       p replacement: 6 left in the last 10 s (error 1.2, output 1, 1 orders)
            8s       r3: 1 person for p by 10min8s
            10s      p replacement: 6 left in the last 10 s (error 1.2, output 1, 1 orders)
            10s      r4: 1 person for p by 10min10s
            12s      p replacement: 3 left in the last 10 s (error 0.6, output 1, 1 orders)
            12s      r5: 1 person for p by 10min12s
            14s      p replacement: 0 left in the last 10 s (error 0, output 0, 0 orders)
        "#]],
    );
}

/// Who leaves just when the window begins has left before it: at 12 s the one who went at 2 s does not count any more.
#[test]
fn the_window_is_half_open() {
    check(
        "
        usual
        set p replacement average-rate,every=2s,window=10s
        join a p person
        at 1s
        oversleep 2s
        leave a
        wake
        at 10s
        at 12s
        ",
        expect![[r#"
            0s       p has replacement average-rate
            0s       a joins p
            2s       a leaves
            2s       a is gone: left
            2s       p replacement: 1 left in the last 10 s (error 0.2, output 0, 0 orders)
            4s       p replacement: 1 left in the last 10 s (error 0.2, output 0, 0 orders)
            6s       p replacement: 1 left in the last 10 s (error 0.2, output 0, 0 orders)
            8s       p replacement: 1 left in the last 10 s (error 0.2, output 0, 0 orders)
            10s      p replacement: 1 left in the last 10 s (error 0.2, output 0, 0 orders)
            12s      p replacement: 0 left in the last 10 s (error 0, output 0, 0 orders)
        "#]],
    );
}

/// It counts between looks, 4 s apart: at 12 s who left since 0 s. That is divided by 12 s then, not by 10.
#[test]
fn a_window_that_is_no_multiple_of_the_step() {
    check(
        "
        usual
        set p replacement average-rate,every=4s,window=10s
        join a b c d e f p person
        at 1s leave a b c d e f
        at 12s
        ",
        expect![[r#"
            0s       p has replacement average-rate
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            1s       a leaves
            1s       a is gone: left
            1s       b leaves
            1s       b is gone: left
            1s       c leaves
            1s       c is gone: left
            1s       d leaves
            1s       d is gone: left
            1s       e leaves
            1s       e is gone: left
            1s       f leaves
            1s       f is gone: left
            4s       p replacement: 6 left in the last 10 s (error 2.4, output 2, 1 orders)
            4s       r0: 2 person for p by 10min4s
            8s       p replacement: 6 left in the last 10 s (error 2.4, output 2, 1 orders)
            8s       r1: 2 person for p by 10min8s
            12s      p replacement: 6 left in the last 12 s (error 2, output 2, 1 orders)
            12s      r2: 2 person for p by 10min12s
        "#]],
    );
}

/// Two of four have left: at 3, with those on their way, the pool is large enough, whoever left.
#[test]
fn hybrid_stops_at_its_threshold() {
    check(
        "
        usual
        set p replacement hybrid,every=1s,window=2s,below=3
        join a b c d p person
        at 1s leave a b
        at 2s
        at 3s
        ",
        expect![[r#"
            0s       p has replacement hybrid
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            1s       p replacement: 0 left in the last 2 s, but the pool is large enough (error 0, output 0, 0 orders)
            1s       a leaves
            1s       a is gone: left
            1s       b leaves
            1s       b is gone: left
            2s       p replacement: 2 left in the last 2 s (error 1, output 1, 1 orders)
            2s       r0: 1 person for p by 10min2s
            3s       p replacement: 2 left in the last 2 s, but the pool is large enough (error 1, output 0, 0 orders)
        "#]],
    );
}

/// Short by more than two of the eight recommended: at five those who left are replaced, at six (two of
/// them on their way) nobody is.
#[test]
fn hybrid_goes_by_what_is_recommended() {
    check(
        "
        usual
        pool q serves tag only ann prior 5s window 100s aim occupancy=0.5 replacement hybrid,every=20s,window=20s,short_by=2
        join a b c d e f g q person
        at 50s submit j ann tag 80
        at 99s leave a b
        at 100s
        at 119s leave c
        at 120s
        ",
        expect![[r#"
            0s       a joins q
            0s       b joins q
            0s       c joins q
            0s       d joins q
            0s       e joins q
            0s       f joins q
            0s       g joins q
            20s      q replacement: 0 left in the last 20 s, but the pool is large enough (error 0, output 0, 0 orders)
            40s      q replacement: 0 left in the last 20 s, but the pool is large enough (error 0, output 0, 0 orders)
            50s      ann submits j: 80 tasks
            1min     q replacement: 0 left in the last 20 s (error 0, output 0, 0 orders)
            1min20s  q replacement: 0 left in the last 20 s (error 0, output 0, 0 orders)
            1min39s  a leaves
            1min39s  a is gone: left
            1min39s  b leaves
            1min39s  b is gone: left
            1min40s  q replacement: 2 left in the last 20 s (error 2, output 2, 1 orders)
            1min40s  r0: 2 person for q by 11min40s
            1min59s  c leaves
            1min59s  c is gone: left
            2min     q replacement: 1 left in the last 20 s, but the pool is large enough (error 1, output 0, 0 orders)
        "#]],
    );
}

/// Never more than most, however many left.
#[test]
fn the_most_holds_for_replacement_too() {
    check(
        "
        usual
        set p replacement average-rate,every=2s,window=2s,most=3
        join a b c d e f p person
        at 1s leave a b c d
        at 2s
        ",
        expect![[r#"
            0s       p has replacement average-rate
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            1s       a leaves
            1s       a is gone: left
            1s       b leaves
            1s       b is gone: left
            1s       c leaves
            1s       c is gone: left
            1s       d leaves
            1s       d is gone: left
            2s       p replacement: 4 left in the last 2 s (error 4, output 4, 1 orders)
            2s       r0: 1 person for p by 10min2s
        "#]],
    );
}
