//! Balance: idle workers move to another pool, by chance or where they like the work and it waits.

use expect_test::expect;

use crate::story::check;

/// For comparison only: by chance, at most two at once; the pool that takes no part is left alone.
#[test]
fn at_random() {
    check(
        "
        tenant ann
        app tag
        app sort
        app draw
        kind person
        pool p serves tag
        pool q serves sort
        pool r serves draw unbalanced
        join a b c d p person
        join x r person
        ask a b c d x
        set balance random,every=10s,moves_most=2
        at 10s
        at 20s
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       x joins r
            0s       a asks
            0s       a waits
            0s       b asks
            0s       b waits
            0s       c asks
            0s       c waits
            0s       d asks
            0s       d waits
            0s       x asks
            0s       x waits
            0s       balance is random
            10s      balance: 1 of those who wait go to a random pool (error 0, output 1, 1 orders)
            10s      a is in q now
            10s      a waits
            20s      balance: 1 of those who wait go to a random pool (error 0, output 1, 1 orders)
            20s      b is in q now
            20s      b waits
        "#]],
    );
}

/// With omega 0 likes do not matter: a, who likes drawing, goes where more waits.
#[test]
fn omega_nought_looks_at_backlogs_alone() {
    check(
        "
        tenant ann
        app tag
        app sort
        app draw
        kind person
        pool p serves tag
        pool q serves sort
        pool r serves draw
        join y q person
        join z r person
        submit j ann sort 9
        submit k ann draw 3
        hand y z
        join a p person likes draw=1
        ask a
        set balance preference-aware,every=10s,omega=0
        at 10s
        ",
        expect![[r#"
            0s       y joins q
            0s       z joins r
            0s       ann submits j: 9 tasks
            0s       ann submits k: 3 tasks
            0s       handed: y j.0, z k.0
            0s       a joins p
            0s       a asks
            0s       a waits
            0s       balance is preference-aware
            10s      balance: 1 of 1 who wait move: score 0.333 instead of 0.200 (error 0.133, output 1, 1 orders)
            10s      a is in q now
            10s      a gets j.1: lease 2 until 30min10s
        "#]],
    );
}

/// With omega 1 backlogs do not matter, as long as there is one: a goes to draw, b who likes its own work best stays.
#[test]
fn omega_one_looks_at_likes_alone() {
    check(
        "
        tenant ann
        app tag
        app sort
        app draw
        kind person
        pool p serves tag
        pool q serves sort
        pool r serves draw
        join y q person
        join z r person
        submit j ann sort 9
        submit k ann draw 3
        hand y z
        join a p person likes draw=1
        join b p person likes tag=0.6,draw=0.4
        ask a b
        set balance preference-aware,every=10s,omega=1
        at 10s
        ",
        expect![[r#"
            0s       y joins q
            0s       z joins r
            0s       ann submits j: 9 tasks
            0s       ann submits k: 3 tasks
            0s       handed: y j.0, z k.0
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a waits
            0s       b asks
            0s       b waits
            0s       balance is preference-aware
            10s      balance: 1 of 2 who wait move: score 1.600 instead of 0.600 (error 1, output 1, 1 orders)
            10s      a is in r now
            10s      a gets k.1: lease 2 until 30min10s
        "#]],
    );
}

/// B, who waits longer, does not want to go. By prefix a could go only together with b, and all in all that is worse; of all
/// sets a alone is the best.
#[test]
fn all_sets_find_what_prefixes_miss() {
    check(
        "
        tenant ann
        app tag
        app sort
        kind person
        pool p serves tag
        pool q serves sort
        join y q person
        submit j ann sort 9
        hand y
        join b p person likes tag=1
        join a p person likes sort=0.9,tag=0.1
        ask b a
        set balance preference-aware,every=10s,omega=1,search=prefix
        at 10s
        set balance preference-aware,every=10s,omega=1,search=all
        at 20s
        ",
        expect![[r#"
            0s       y joins q
            0s       ann submits j: 9 tasks
            0s       handed: y j.0
            0s       b joins p
            0s       a joins p
            0s       b asks
            0s       b waits
            0s       a asks
            0s       a waits
            0s       balance is preference-aware
            10s      balance: 2 wait; no move makes the pools better off (error 0, output 0, 0 orders)
            10s      balance is preference-aware
            20s      balance: 1 of 2 who wait move: score 1.900 instead of 1.100 (error 0.8, output 1, 1 orders)
            20s      a is in q now
            20s      a gets j.1: lease 1 until 30min20s
        "#]],
    );
}

/// Only one of three pools has a backlog: the median of all is nought, so nothing can be gained; the other utilities see it.
/// Each is asked anew; nobody is moved to or from s.
#[test]
fn the_median_of_all_sees_nothing_when_most_are_idle() {
    check(
        "
        tenant ann
        app tag
        app sort
        app draw
        kind person
        pool p serves tag
        pool q serves sort
        pool s serves draw unbalanced
        pool t serves tag only ann
        join y q person
        join z s person
        submit j ann sort 12
        hand y
        submit k ann draw 50
        hand z
        join a b c d p person
        join e s person
        pause e
        ask a b c d
        set balance preference-aware,every=10s,omega=0,utility=median
        at 10s
        set balance preference-aware,every=10s,omega=0,utility=max,moves_most=1
        at 20s
        set balance preference-aware,every=10s,omega=0,utility=mean,moves_most=1
        at 30s
        set balance preference-aware,every=10s,omega=0,utility=median-of-busy,moves_most=1
        at 40s
        ",
        expect![[r#"
            0s       y joins q
            0s       z joins s
            0s       ann submits j: 12 tasks
            0s       handed: y j.0
            0s       ann submits k: 50 tasks
            0s       handed: z k.0
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins s
            0s       e pauses
            0s       a asks
            0s       a waits
            0s       b asks
            0s       b waits
            0s       c asks
            0s       c waits
            0s       d asks
            0s       d waits
            0s       balance is preference-aware
            10s      balance: 4 wait; no move makes the pools better off (error 0, output 0, 0 orders)
            10s      balance is preference-aware
            20s      balance: 1 of 4 who wait move: score 0.182 instead of 0.091 (error 0.091, output 1, 1 orders)
            20s      a is in q now
            20s      a gets j.1: lease 2 until 30min20s
            20s      balance is preference-aware
            30s      balance: 1 of 3 who wait move: score 0.900 instead of 0.600 (error 0.3, output 1, 1 orders)
            30s      b is in q now
            30s      b gets j.2: lease 3 until 30min30s
            30s      balance is preference-aware
            40s      balance: 1 of 2 who wait move: score 0.444 instead of 0.333 (error 0.111, output 1, 1 orders)
            40s      c is in q now
            40s      c gets j.3: lease 4 until 30min40s
        "#]],
    );
}

/// Who moves has to learn first, and only then gets a task.
#[test]
fn who_moves_learns_first() {
    check(
        "
        tenant ann
        app tag
        app sort training 30s
        kind person
        pool p serves tag
        pool q serves sort
        join y q person trained sort
        submit j ann sort 99
        hand y
        join a p person
        ask a
        set balance preference-aware,every=10s,omega=0
        at 10s
        at 15s trained a
        ",
        expect![[r#"
            0s       y joins q
            0s       ann submits j: 99 tasks
            0s       handed: y j.0
            0s       a joins p
            0s       a asks
            0s       a waits
            0s       balance is preference-aware
            10s      balance: 1 of 1 who wait move: score 0.016 instead of 0.010 (error 0.005, output 1, 1 orders)
            10s      a is in q now
            10s      a learns sort
            15s      a has learned
            15s      a gets j.1: lease 1 until 30min15s
        "#]],
    );
}
