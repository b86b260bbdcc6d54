//! Recruits: called for, coming, lost, late and failed.

use expect_test::expect;

use crate::story::check;

/// Those on their way are counted until they are there.
#[test]
fn recruits_come_one_by_one() {
    check(
        "
        usual
        recruit p person 2
        show pool p
        at 10s join a p person of r0
        show pool p
        at 20s join b p person of r0
        show pool p
        failed r0 1
        at 30s join c p person of r0
        ",
        expect![[r#"
            0s       2 wanted in p
            0s       r0: 2 person for p by 10min
            0s       p: 0 waiting; 0 training, 0 idle, 0 busy, 0 paused, 2 coming; recommended none
            10s      a joins p, of r0
            10s      p: 0 waiting; 0 training, 0 idle, 0 busy, 1 paused, 1 coming; recommended none
            20s      b joins p, of r0
            20s      p: 0 waiting; 0 training, 0 idle, 0 busy, 2 paused, 0 coming; recommended none
            20s      refused: there is no recruit order 0, or all of it has come
            30s      c joins p
        "#]],
    );
}

/// Ten minutes and the kind's boot time after the order.
#[test]
fn those_who_have_not_come_by_the_deadline_are_lost_and_welcome_all_the_same() {
    check(
        "
        tenant ann
        app tag
        kind person boot 1min
        pool p serves tag recruits 10min
        recruit p person 3
        at 1min join a p person of r0
        at 11min
        show pool p
        at 12min join b p person of r0
        show pool p
        ",
        expect![[r#"
            0s       3 wanted in p
            0s       r0: 3 person for p by 11min
            1min     a joins p, of r0
            11min    r0: 2 lost
            11min    p: 0 waiting; 0 training, 0 idle, 0 busy, 1 paused, 0 coming; recommended none
            12min    b joins p
            12min    p: 0 waiting; 0 training, 0 idle, 0 busy, 2 paused, 0 coming; recommended none
        "#]],
    );
}

/// No more can fail than are on their way, and an order is for one pool and kind.
#[test]
fn recruits_that_failed_are_no_longer_coming() {
    check(
        "
        usual
        app sort
        pool q serves sort
        recruit p person 2
        failed r0 3
        join a q person of r0
        at 1min failed r0 1
        show pool p
        at 2min failed r0 1
        failed r0 1
        ",
        expect![[r#"
            0s       2 wanted in p
            0s       r0: 2 person for p by 10min
            0s       refused: n is 3; allowed is a whole number from 1 to 2, as many as are on their way
            0s       refused: recruit is recruit order 0; allowed is an order for this pool and kind
            1min     r0: 1 failed
            1min     p: 0 waiting; 0 training, 0 idle, 0 busy, 0 paused, 1 coming; recommended none
            2min     r0: 1 failed
            2min     refused: there is no recruit order 0, or all of it has come
        "#]],
    );
}

/// Two are called for once, not every ten seconds; a lost one is called for again.
#[test]
fn a_pool_is_kept_at_its_size_with_those_on_their_way_counted() {
    check(
        "
        tenant ann
        app tag
        kind person
        pool p serves tag recruits 25s scaling static,size=2,every=10s
        at 10s
        at 15s join a p person of r0
        at 20s
        at 35s
        at 40s
        ",
        expect![[r#"
            10s      p scaling: to keep 2, have 0 (error 2, output 2, 1 orders)
            10s      r0: 2 person for p by 35s
            15s      a joins p, of r0
            20s      p scaling: to keep 2, have 2 (error 0, output 0, 0 orders)
            30s      p scaling: to keep 2, have 2 (error 0, output 0, 0 orders)
            35s      r0: 1 lost
            40s      p scaling: to keep 2, have 1 (error 1, output 1, 1 orders)
            40s      r1: 1 person for p by 1min5s
        "#]],
    );
}
