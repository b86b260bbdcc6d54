//! Pay for waiting and training: exact to the micro-unit, charged to the payer or shared by use.

use expect_test::expect;

use crate::story::check;

/// At 1.00 an hour, 10 s are 2777.7 micro-units: each settlement pays whole ones, and an hour of waiting comes to
/// exactly 1.00.
#[test]
fn waiting_is_paid_to_the_micro_unit_and_remainders_are_carried() {
    check(
        "
        tenant ann
        app tag
        kind person wage 1.00
        pool p serves tag settle 20min payer ann
        join a p person
        ask a
        at 10s pause a
        at 20s ask a
        at 20min
        at 40min
        at 1h
        at 1h10s leave a
        show books
        at 80min
        show books
        ",
        expect![[r#"
            0s       a joins p
            0s       a asks
            0s       a waits
            10s      a pauses
            20s      a asks
            20s      a waits
            20min    p settles: a gets, for waiting 0.330555; ann pays 0.330555; carried 0.00
            40min    p settles: a gets, for waiting 0.333333; ann pays 0.333333; carried 0.00
            1h       p settles: a gets, for waiting 0.333334; ann pays 0.333334; carried 0.00
            1h10s    a leaves
            1h10s    a is gone: left, for waiting 0.002778
            1h10s    books: answers 0.00, waiting 1.00, training 0.00, machines 0.00; charged 0.997222, due 0.002778
            1h20min  p settles: ann pays 0.002778; carried 0.00
            1h20min  books: answers 0.00, waiting 1.00, training 0.00, machines 0.00; charged 1.00, due 0.00
        "#]],
    );
}

/// Whoever's tasks are done there.
#[test]
fn a_single_payer_pays_for_everybody_who_waits() {
    check(
        "
        tenant ann
        tenant bob
        app tag
        kind person wage 3.60
        pool p serves tag settle 1min payer ann
        submit j bob tag 1 price 0.01
        join a b p person
        ask a b
        at 30s answer a
        ask a
        at 1min
        show tenant bob
        ",
        expect![[r#"
            0s       bob submits j: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min, set aside 0.01
            0s       b asks
            0s       b waits
            30s      a answers lease 0 (j.0)
            30s      j.0 by a counts, paid 0.01
            30s      j is done
            30s      a asks
            30s      a waits
            1min     p settles: a gets, for waiting 0.03; b gets, for waiting 0.06; ann pays 0.09; carried 0.00
            1min     bob: charged 0.01, set aside 0.00, no limit
        "#]],
    );
}

/// Ann had 30 s and bob 10 s of worker-time, so of 0.05 for waiting ann pays three quarters. A lease that runs on
/// counts for what it had so far, and for the rest in the next interval.
#[test]
fn shared_wages_are_split_by_the_worker_time_of_the_interval() {
    check(
        "
        tenant ann
        tenant bob
        app tag
        kind person wage 3.60
        pool p serves tag settle 1min
        submit j ann tag 1 takes 30s
        join a b p person
        at 0s ask a b
        at 30s answer a
        at 50s submit k bob tag 1
        at 1min
        ask a
        at 90s answer b
        at 2min
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min
            0s       b asks
            0s       b waits
            30s      a answers lease 0 (j.0)
            30s      j.0 by a counts
            30s      j is done
            50s      bob submits k: 1 tasks
            50s      b gets k.0: lease 1 until 30min50s
            1min     p settles: b gets, for waiting 0.05; ann pays 0.0375; bob pays 0.0125; carried 0.00
            1min     a asks
            1min     a waits
            1min30s  b answers lease 1 (k.0)
            1min30s  k.0 by b counts
            1min30s  k is done
            2min     p settles: a gets, for waiting 0.06; bob pays 0.06; carried 0.00
        "#]],
    );
}

/// Nothing was worked on in the first interval. What is due is charged in the second, all to the one who used the pool.
#[test]
fn wages_that_nobody_can_be_charged_for_are_carried() {
    check(
        "
        tenant ann
        app tag
        kind person wage 3.60
        pool p serves tag settle 1min
        join a p person
        ask a
        at 1min show books
        at 70s submit j ann tag 1
        at 80s answer a
        at 2min
        show books
        ",
        expect![[r#"
            0s       a joins p
            0s       a asks
            0s       a waits
            1min     p settles: a gets, for waiting 0.06; carried 0.06
            1min     books: answers 0.00, waiting 0.06, training 0.00, machines 0.00; charged 0.00, due 0.06
            1min10s  ann submits j: 1 tasks
            1min10s  a gets j.0: lease 0 until 31min10s
            1min20s  a answers lease 0 (j.0)
            1min20s  j.0 by a counts
            1min20s  j is done
            2min     p settles: a gets, for waiting 0.01; ann pays 0.07; carried 0.00
            2min     books: answers 0.00, waiting 0.07, training 0.00, machines 0.00; charged 0.07, due 0.00
        "#]],
    );
}

/// What a worker gets on leaving stands in the fact.
#[test]
fn a_worker_who_goes_is_paid_at_once_and_the_pool_charges_later() {
    check(
        "
        usual
        submit j ann tag 1
        join a b p person
        ask a b
        at 1min answer a
        leave b
        show books
        at 15min
        show books
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            0s       b asks
            0s       b waits
            1min     a answers lease 0 (j.0)
            1min     j.0 by a counts
            1min     j is done
            1min     b leaves
            1min     b is gone: left, for waiting 0.06
            1min     books: answers 0.00, waiting 0.06, training 0.00, machines 0.00; charged 0.00, due 0.06
            15min    p settles: ann pays 0.06; carried 0.00
            15min    books: answers 0.00, waiting 0.06, training 0.00, machines 0.00; charged 0.06, due 0.00
        "#]],
    );
}
