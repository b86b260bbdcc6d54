//! Matching: which of several idle workers gets an arriving task.

use expect_test::expect;

use crate::story::check;

/// B asked first, then c, then a.
#[test]
fn who_has_waited_longest() {
    check(
        "
        usual
        join a b c p person
        at 1s ask b
        at 2s ask c
        at 3s ask a
        at 4s submit j ann tag 2
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            0s       c joins p
            1s       b asks
            1s       b waits
            2s       c asks
            2s       c waits
            3s       a asks
            3s       a waits
            4s       ann submits j: 2 tasks
            4s       b gets j.0: lease 0 until 5min4s
            4s       c gets j.1: lease 1 until 5min4s
        "#]],
    );
}

/// The slow robot costs 2 an hour and takes twice as long, the person 3.60, the quick one 6 at four times the speed: 4, 3.60
/// and 1.50 for an hour's work. Of the two slow ones who waited longer.
#[test]
fn the_cheapest_for_the_task() {
    check(
        "
        tenant ann
        app tag
        kind person wage 3.60
        kind slow costs 2.00 per 1h speed 0.5
        kind quick costs 6.00 per 1h speed 4
        pool p serves tag matching cheapest
        join s r p slow
        join a p person
        join q p quick
        ask r s a q
        submit j ann tag 4 expected 10min
        ",
        expect![[r#"
            0s       s joins p
            0s       s is billed 2.00 until 1h
            0s       r joins p
            0s       r is billed 2.00 until 1h
            0s       a joins p
            0s       q joins p
            0s       q is billed 6.00 until 1h
            0s       r asks
            0s       r waits
            0s       s asks
            0s       s waits
            0s       a asks
            0s       a waits
            0s       q asks
            0s       q waits
            0s       ann submits j: 4 tasks
            0s       q gets j.0: lease 0 until 30min
            0s       a gets j.1: lease 1 until 30min
            0s       r gets j.2: lease 2 until 30min
            0s       s gets j.3: lease 3 until 30min
        "#]],
    );
}

/// As the task says, the quick one is no good at it: 10 min on a person costs 0.60, 50 min there 5.00.
#[test]
fn what_a_task_takes_on_a_kind_goes_before_speed() {
    check(
        "
        tenant ann
        app tag
        kind person wage 3.60
        kind quick costs 6.00 per 1h speed 4
        pool p serves tag matching cheapest
        pool q serves tag only ann matching fastest
        join a p person
        join b p quick
        ask b a
        join c q person
        join d q quick
        ask c d
        submit j ann tag 2 estimates 10min,50min,10min,50min on person,quick
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            0s       b is billed 6.00 until 1h
            0s       b asks
            0s       b waits
            0s       a asks
            0s       a waits
            0s       c joins q
            0s       d joins q
            0s       d is billed 6.00 until 1h
            0s       c asks
            0s       c waits
            0s       d asks
            0s       d waits
            0s       ann submits j: 2 tasks
            0s       c gets j.0: lease 0 until 30min
            0s       d gets j.1: lease 1 until 30min
        "#]],
    );
}

/// By speed alone if nothing is known; of equals who waited longer.
#[test]
fn the_fastest() {
    check(
        "
        tenant ann
        app tag
        kind person wage 3.60
        kind quick costs 6.00 per 1h speed 4
        pool p serves tag matching fastest
        join a b p person
        join q r p quick
        ask b a r q
        submit j ann tag 3
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            0s       q joins p
            0s       q is billed 6.00 until 1h
            0s       r joins p
            0s       r is billed 6.00 until 1h
            0s       b asks
            0s       b waits
            0s       a asks
            0s       a waits
            0s       r asks
            0s       r waits
            0s       q asks
            0s       q waits
            0s       ann submits j: 3 tasks
            0s       r gets j.0: lease 0 until 30min
            0s       q gets j.1: lease 1 until 30min
            0s       b gets j.2: lease 2 until 30min
        "#]],
    );
}

/// A waits longest, but b was last on j and gets what opens there. For what nobody was last on, who waited longest.
#[test]
fn who_was_last_on_this_job() {
    check(
        "
        usual
        set p matching last-on-this-job
        flow j ann tag tag tag<1
        join a b c p person
        hand b c
        at 1s ask a
        at 2s answer b
        ask b
        at 3s answer c
        submit l bob tag 1
        ",
        expect![[r#"
            0s       p has matching last-on-this-job
            0s       ann submits j: workflow of 3
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       handed: b j.0, c j.1
            1s       a asks
            1s       a waits
            2s       b answers lease 0 (j.0)
            2s       j.0 by b counts
            2s       b asks
            2s       b waits
            3s       c answers lease 1 (j.1)
            3s       j.1 by c counts
            3s       b gets j.2: lease 2 until 5min3s
            3s       bob submits l: 1 tasks
            3s       a gets l.0: lease 3 until 5min3s
        "#]],
    );
}

/// C likes tagging best; a and b alike, so b, who waits longer, is next; d does not like it at all.
#[test]
fn who_likes_it_best() {
    check(
        "
        usual
        set p matching preferred
        join d p person
        join a b p person likes tag=0.5
        join c p person likes tag=0.9
        ask d b a c
        submit j ann tag 4
        ",
        expect![[r#"
            0s       p has matching preferred
            0s       d joins p
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d asks
            0s       d waits
            0s       b asks
            0s       b waits
            0s       a asks
            0s       a waits
            0s       c asks
            0s       c waits
            0s       ann submits j: 4 tasks
            0s       c gets j.0: lease 0 until 5min
            0s       b gets j.1: lease 1 until 5min
            0s       a gets j.2: lease 2 until 5min
            0s       d gets j.3: lease 3 until 5min
        "#]],
    );
}
