//! Budgets of tenants and jobs: what is set aside, what stops, and what comes back.

use expect_test::expect;

use crate::story::check;

/// 0.10 an hour is two tasks of 0.05: what is set aside counts. Bob's work goes on. The one who waits gets ann's third
/// task when the hour is over.
#[test]
fn a_tenant_out_of_budget_is_not_dispatched_until_its_next_interval() {
    check(
        "
        tenant ann budget 0.10 every 1h
        tenant bob
        app tag
        kind person wage 0
        pool p serves tag
        submit j ann tag 3 price 0.05
        submit k bob tag 1
        join a b c p person
        ask a b
        show tenant ann
        ask c
        at 10s answer a b c
        ask a b
        show pool p
        at 1h
        ",
        expect![[r#"
            0s       ann submits j: 3 tasks
            0s       bob submits k: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min, set aside 0.05
            0s       b asks
            0s       b gets j.1: lease 1 until 30min, set aside 0.05
            0s       ann is out of budget, 0.00 left
            0s       ann: charged 0.00, set aside 0.10, 0.00 left
            0s       c asks
            0s       c gets k.0: lease 2 until 30min
            10s      a answers lease 0 (j.0)
            10s      j.0 by a counts, paid 0.05
            10s      b answers lease 1 (j.1)
            10s      j.1 by b counts, paid 0.05
            10s      c answers lease 2 (k.0)
            10s      k.0 by c counts
            10s      k is done
            10s      a asks
            10s      a waits
            10s      b asks
            10s      b waits
            10s      p: 0 waiting; 0 training, 2 idle, 0 busy, 1 paused, 0 coming; recommended 13
            1h       ann has a new interval
            1h       a gets j.2: lease 3 until 1h30min, set aside 0.05
            1h       ann is back in budget
        "#]],
    );
}

/// The second task was out of reach while the first was leased.
#[test]
fn what_a_returned_lease_sets_free_can_be_spent() {
    check(
        "
        tenant ann budget 0.05 every 1h
        app tag
        kind person wage 0
        pool p serves tag
        submit j ann tag 2 price 0.05
        join a b p person
        ask a b
        at 10s return a
        at 20s answer b
        ",
        expect![[r#"
            0s       ann submits j: 2 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min, set aside 0.05
            0s       ann is out of budget, 0.00 left
            0s       b asks
            0s       b waits
            10s      a returns lease 0 (j.0)
            10s      b gets j.0: lease 1 until 30min10s, set aside 0.05
            20s      b answers lease 1 (j.0)
            20s      j.0 by b counts, paid 0.05
        "#]],
    );
}

/// It is said that money is short as long as some open work is out of reach.
#[test]
fn cheaper_work_goes_on_when_the_dear_is_out_of_reach() {
    check(
        "
        tenant ann budget 0.10 every 1h
        app tag
        kind person wage 0
        pool p serves tag
        submit dear ann tag 2 price 0.08
        submit cheap ann tag 2 price 0.01
        join a b p person
        ask a b
        at 10s answer a b
        ask a
        ",
        expect![[r#"
            0s       ann submits dear: 2 tasks
            0s       ann submits cheap: 2 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets dear.0: lease 0 until 30min, set aside 0.08
            0s       ann is out of budget, 0.02 left
            0s       b asks
            0s       b gets cheap.0: lease 1 until 30min, set aside 0.01
            10s      a answers lease 0 (dear.0)
            10s      dear.0 by a counts, paid 0.08
            10s      b answers lease 1 (cheap.0)
            10s      cheap.0 by b counts, paid 0.01
            10s      a asks
            10s      a gets cheap.1: lease 2 until 30min10s, set aside 0.01
        "#]],
    );
}

/// First more, then less: the third task is leased at once; from the second hour on only one fits.
#[test]
fn a_raised_budget_acts_at_once_and_a_lowered_one_from_the_next_interval() {
    check(
        "
        tenant ann budget 0.10 every 1h
        app tag
        kind person wage 0
        pool p serves tag
        submit j ann tag 6 price 0.05
        join a b c p person
        ask a b c
        at 10s set tenant ann budget 0.20 every 1h
        at 20s set tenant ann budget 0.05 every 1h
        show tenant ann
        ask a
        answer a b c
        ask a
        show tenant ann
        at 30s answer a
        at 1h show tenant ann
        ask a b
        ",
        expect![[r#"
            0s       ann submits j: 6 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min, set aside 0.05
            0s       b asks
            0s       b gets j.1: lease 1 until 30min, set aside 0.05
            0s       ann is out of budget, 0.00 left
            0s       c asks
            0s       c waits
            10s      c gets j.2: lease 2 until 30min10s, set aside 0.05
            10s      ann is back in budget
            20s      ann: charged 0.00, set aside 0.15, 0.05 left
            20s      refused: worker 0 is leased and cannot ask for a task
            20s      a answers lease 0 (j.0)
            20s      j.0 by a counts, paid 0.05
            20s      b answers lease 1 (j.1)
            20s      j.1 by b counts, paid 0.05
            20s      c answers lease 2 (j.2)
            20s      j.2 by c counts, paid 0.05
            20s      a asks
            20s      a gets j.3: lease 3 until 30min20s, set aside 0.05
            20s      ann is out of budget, 0.00 left
            20s      ann: charged 0.15, set aside 0.05, 0.00 left
            30s      a answers lease 3 (j.3)
            30s      j.3 by a counts, paid 0.05
            1h       ann has a new interval
            1h       ann is back in budget
            1h       ann: charged 0.20, set aside 0.00, 0.05 left
            1h       a asks
            1h       a gets j.4: lease 4 until 1h30min, set aside 0.05
            1h       ann is out of budget, 0.00 left
            1h       b asks
            1h       b waits
        "#]],
    );
}

/// And one that is given anew begins an interval now.
#[test]
fn a_budget_that_is_taken_away_is_no_limit() {
    check(
        "
        tenant ann budget 0.05 every 1h
        app tag
        kind person wage 0
        pool p serves tag
        submit j ann tag 4 price 0.05
        join a b c p person
        ask a b
        at 10min set tenant ann
        show tenant ann
        at 20min answer a b
        set tenant ann budget 0.05 every 1h
        show tenant ann
        ask a b
        at 80min show tenant ann
        ",
        expect![[r#"
            0s       ann submits j: 4 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min, set aside 0.05
            0s       ann is out of budget, 0.00 left
            0s       b asks
            0s       b waits
            10min    b gets j.1: lease 1 until 40min, set aside 0.05
            10min    ann is back in budget
            10min    ann: charged 0.00, set aside 0.10, no limit
            20min    a answers lease 0 (j.0)
            20min    j.0 by a counts, paid 0.05
            20min    b answers lease 1 (j.1)
            20min    j.1 by b counts, paid 0.05
            20min    ann: charged 0.10, set aside 0.00, 0.05 left
            20min    a asks
            20min    a gets j.2: lease 2 until 50min, set aside 0.05
            20min    ann is out of budget, 0.00 left
            20min    b asks
            20min    b waits
            50min    lease 2 (j.2) of a expires
            50min    b gets j.2: lease 3 until 1h20min, set aside 0.05
            1h20min  lease 3 (j.2) of b expires
            1h20min  ann is back in budget
            1h20min  ann has a new interval
            1h20min  ann: charged 0.10, set aside 0.00, 0.05 left
        "#]],
    );
}

/// The tenant's other job goes on.
#[test]
fn a_job_out_of_budget_stops_until_it_gets_more() {
    check(
        "
        usual
        submit j ann tag 3 price 0.05 budget 0.07
        submit k ann tag 1 price 0.05
        join a b c p person
        ask a b c
        at 10s budget j 0.10
        at 20s answer a c
        at 30s budget j none
        at 40s budget j 0.01
        ask a
        ",
        expect![[r#"
            0s       ann submits j: 3 tasks
            0s       ann submits k: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            0s       j is out of budget, 0.02 left
            0s       b asks
            0s       b gets k.0: lease 1 until 5min, set aside 0.05
            0s       c asks
            0s       c waits
            10s      j has budget 0.10
            10s      c gets j.1: lease 2 until 5min10s, set aside 0.05
            20s      a answers lease 0 (j.0)
            20s      j.0 by a counts, paid 0.05
            20s      c answers lease 2 (j.1)
            20s      j.1 by c counts, paid 0.05
            30s      j has budget none
            30s      j is back in budget
            40s      j has budget 0.01
            40s      j is out of budget, -0.09 left
            40s      a asks
            40s      a waits
        "#]],
    );
}

/// Its price was set aside once, but free again when the lease expired, and another lease took it: the tenant goes
/// below zero, and nothing more is dispatched in this interval.
#[test]
fn a_late_answer_that_counts_is_paid_although_the_budget_is_used_up() {
    check(
        "
        tenant ann budget 0.05 every 1h
        app tag lease 5min
        kind person wage 0
        pool p serves tag
        submit j ann tag 1 price 0.05
        submit k ann tag 2 price 0.05
        join a b p person
        ask a
        at 5min ask b
        skip b
        ask b
        show tenant ann
        at 6min answer a
        show tenant ann
        at 7min answer b
        ask b
        show tenant ann
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       ann submits k: 2 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            0s       ann is out of budget, 0.00 left
            5min     lease 0 (j.0) of a expires
            5min     ann is back in budget
            5min     b asks
            5min     b gets j.0: lease 1 until 10min, set aside 0.05
            5min     ann is out of budget, 0.00 left
            5min     b skips lease 1 (j.0)
            5min     ann is back in budget
            5min     b asks
            5min     b gets k.0: lease 2 until 10min, set aside 0.05
            5min     ann is out of budget, 0.00 left
            5min     ann: charged 0.00, set aside 0.05, 0.00 left
            6min     a answers lease 0 (j.0)
            6min     j.0 by a counts, late, paid 0.05
            6min     j is done
            6min     ann: charged 0.05, set aside 0.05, -0.05 left
            7min     b answers lease 2 (k.0)
            7min     k.0 by b counts, paid 0.05
            7min     b asks
            7min     b waits
            7min     ann: charged 0.10, set aside 0.00, -0.05 left
        "#]],
    );
}

/// The reservation goes on; the new interval has that much less.
#[test]
fn what_is_leased_when_an_interval_ends_is_charged_to_the_next() {
    check(
        "
        tenant ann budget 0.10 every 1h
        app tag lease 2h
        kind person wage 0
        pool p serves tag
        submit j ann tag 5 price 0.05
        join a b c p person
        ask a b c
        at 1h show tenant ann
        at 61min answer a b
        show tenant ann
        ",
        expect![[r#"
            0s       ann submits j: 5 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 2h, set aside 0.05
            0s       b asks
            0s       b gets j.1: lease 1 until 2h, set aside 0.05
            0s       ann is out of budget, 0.00 left
            0s       c asks
            0s       c waits
            1h       ann has a new interval
            1h       ann: charged 0.00, set aside 0.10, 0.00 left
            1h1min   a answers lease 0 (j.0)
            1h1min   j.0 by a counts, paid 0.05
            1h1min   b answers lease 1 (j.1)
            1h1min   j.1 by b counts, paid 0.05
            1h1min   ann: charged 0.10, set aside 0.00, 0.00 left
        "#]],
    );
}
