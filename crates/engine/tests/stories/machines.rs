//! Machines: billed by the period begun, started only if that fits the budget.

use expect_test::expect;

use crate::story::check;

/// The first period at once, the next when it ends; whatever it does. It gets no price for answers.
#[test]
fn a_machine_is_billed_when_it_joins_and_at_every_period() {
    check(
        "
        tenant ann
        app tag
        kind small costs 0.10 per 1h
        pool p serves tag payer ann
        submit j ann tag 1 price 0.05
        join m p small
        ask m
        at 20min answer m
        show tenant ann
        at 2h
        at 150min leave m
        at 5h show tenant ann
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       m joins p
            0s       m is billed 0.10 until 1h
            0s       m asks
            0s       m gets j.0: lease 0 until 30min
            20min    m answers lease 0 (j.0)
            20min    j.0 by m counts
            20min    j is done
            20min    ann: charged 0.10, set aside 0.00, no limit
            1h       m is billed 0.10 until 2h
            2h       m is billed 0.10 until 3h
            2h30min  m leaves
            2h30min  m is gone: left
            5h       ann: charged 0.30, set aside 0.00, no limit
        "#]],
    );
}

/// The budget is for two periods.
#[test]
fn a_machine_that_cannot_be_paid_for_does_not_start() {
    check(
        "
        tenant ann budget 0.25 every 1h
        app tag
        kind small costs 0.10 per 1h
        pool p serves tag payer ann
        join m n o p small
        show tenant ann
        ",
        expect![[r#"
            0s       m joins p
            0s       m is billed 0.10 until 1h
            0s       n joins p
            0s       n is billed 0.10 until 1h
            0s       refused: tenant 0 has 0.05 left in this interval, and 0.10 would be needed
            0s       ann: charged 0.20, set aside 0.00, 0.05 left
        "#]],
    );
}

/// Idle: at the end of its period. The interval is longer than the period here.
#[test]
fn a_machine_whose_next_period_does_not_fit_goes() {
    check(
        "
        tenant ann budget 0.25 every 1d
        app tag
        kind small costs 0.10 per 1h
        pool p serves tag payer ann
        join m p small
        ask m
        at 1h
        at 2h
        at 3h show memory
        ",
        expect![[r#"
            0s       m joins p
            0s       m is billed 0.10 until 1h
            0s       m asks
            0s       m waits
            1h       m is billed 0.10 until 2h
            2h       m is gone: unaffordable
            3h       0 jobs, 0 workers live
        "#]],
    );
}

/// It costs on until then, even beyond the budget, and drains.
#[test]
fn a_busy_machine_that_cannot_be_paid_for_finishes_what_it_has() {
    check(
        "
        tenant ann budget 0.15 every 1d
        app tag lease 5h
        kind small costs 0.10 per 1h
        pool p serves tag payer ann
        submit j ann tag 2
        join m p small
        ask m
        at 1h show tenant ann
        at 2h
        at 130min answer m
        at 5h show tenant ann
        ",
        expect![[r#"
            0s       ann submits j: 2 tasks
            0s       m joins p
            0s       m is billed 0.10 until 1h
            0s       m asks
            0s       m gets j.0: lease 0 until 5h
            1h       m is billed 0.10 until 2h
            1h       m drains
            1h       ann: charged 0.20, set aside 0.00, -0.05 left
            2h       m is billed 0.10 until 3h
            2h10min  m answers lease 0 (j.0)
            2h10min  j.0 by m counts
            2h10min  m is gone: drained
            5h       ann: charged 0.30, set aside 0.00, -0.15 left
        "#]],
    );
}

/// A machine released after ten minutes has cost an hour; nothing comes after.
#[test]
fn the_last_period_begun_is_charged_in_full() {
    check(
        "
        tenant ann
        app tag
        kind small costs 0.10 per 1h
        pool p serves tag payer ann
        join m p small
        at 10min drain m
        at 3h show tenant ann
        ",
        expect![[r#"
            0s       m joins p
            0s       m is billed 0.10 until 1h
            10min    m shall go
            10min    m is gone: drained
            3h       ann: charged 0.10, set aside 0.00, no limit
        "#]],
    );
}

/// Bob had 15 min of the machine, ann 5 min.
#[test]
fn shared_machines_are_charged_by_use_when_wages_are_settled() {
    check(
        "
        tenant ann
        tenant bob
        app tag
        kind small costs 0.10 per 1h
        pool p serves tag settle 20min
        submit j bob tag 1
        submit k ann tag 1
        join m p small
        ask m
        at 15min answer m
        ask m
        at 20min
        at 40min
        ",
        expect![[r#"
            0s       bob submits j: 1 tasks
            0s       ann submits k: 1 tasks
            0s       m joins p
            0s       m is billed 0.10 until 1h
            0s       m asks
            0s       m gets j.0: lease 0 until 30min
            15min    m answers lease 0 (j.0)
            15min    j.0 by m counts
            15min    j is done
            15min    m asks
            15min    m gets k.0: lease 1 until 45min
            20min    p settles: ann pays 0.025; bob pays 0.075; carried 0.00
        "#]],
    );
}

/// So what is on its way can be paid for when it comes. What fails or is lost is free again.
#[test]
fn recruiting_machines_sets_their_first_period_aside() {
    check(
        "
        tenant ann budget 0.35 every 1d
        app tag
        kind small costs 0.10 per 1h boot 1min
        pool p serves tag payer ann recruits 10min
        recruit p small 4
        recruit p small 3
        show tenant ann
        recruit p small 1
        at 1min join m p small of r0
        show tenant ann
        at 2min failed r0 1
        show tenant ann
        at 11min
        show tenant ann
        at 12min join late p small of r0
        ",
        expect![[r#"
            0s       refused: tenant 0 has 0.35 left in this interval, and 0.40 would be needed
            0s       3 wanted in p
            0s       r0: 3 small for p by 11min
            0s       ann: charged 0.00, set aside 0.30, 0.05 left
            0s       refused: tenant 0 has 0.05 left in this interval, and 0.10 would be needed
            1min     m joins p, of r0
            1min     m is billed 0.10 until 1h1min
            1min     ann: charged 0.10, set aside 0.20, 0.05 left
            2min     r0: 1 failed
            2min     ann: charged 0.10, set aside 0.10, 0.15 left
            11min    r0: 1 lost
            11min    ann: charged 0.10, set aside 0.00, 0.25 left
            12min    late joins p
            12min    late is billed 0.10 until 1h12min
        "#]],
    );
}

/// Wanted are five; the budget is for three.
#[test]
fn scaling_recruits_as_many_machines_as_there_is_money_for() {
    check(
        "
        tenant ann budget 0.35 every 1d
        app tag
        kind small costs 0.10 per 1h
        pool p serves tag payer ann scaling static,size=5,every=10s
        at 10s
        at 20s
        ",
        expect![[r#"
            10s      p scaling: to keep 5, have 0; cut to what there is money and room for (error 5, output 5, 1 orders)
            10s      r0: 3 small for p by 10min10s
            20s      p scaling: to keep 5, have 3; cut to what there is money and room for (error 2, output 2, 0 orders)
        "#]],
    );
}

/// Both are due at 1 h: the machine is released, not billed.
#[test]
fn at_the_end_of_a_period_scaling_looks_first_so_that_a_release_saves_the_next() {
    check(
        "
        tenant ann
        app tag
        kind small costs 0.10 per 1h
        pool p serves tag payer ann scaling static,size=1,every=1h
        join m n p small
        ask m n
        at 1h
        show tenant ann
        ",
        expect![[r#"
            0s       m joins p
            0s       m is billed 0.10 until 1h
            0s       n joins p
            0s       n is billed 0.10 until 1h
            0s       m asks
            0s       m waits
            0s       n asks
            0s       n waits
            1h       p scaling: to keep 1, have 2 (error -1, output -1, 1 orders)
            1h       m is gone: released
            1h       n is billed 0.10 until 2h
            1h       ann: charged 0.30, set aside 0.00, no limit
        "#]],
    );
}
