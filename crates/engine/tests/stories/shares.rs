//! Fair shares between tenants and between jobs, in slots and dispatches.

use expect_test::expect;

use crate::story::check;

/// Ann came first: bob waits until she has nothing open.
#[test]
fn fifo_serves_the_oldest_job_first() {
    check(
        "
        usual
        submit j ann tag 3
        submit k bob tag 3
        join a b c d p person
        ask a b c d
        ",
        expect![[r#"
            0s       ann submits j: 3 tasks
            0s       bob submits k: 3 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            0s       b asks
            0s       b gets j.1: lease 1 until 5min
            0s       c asks
            0s       c gets j.2: lease 2 until 5min
            0s       d asks
            0s       d gets k.0: lease 3 until 5min
        "#]],
    );
}

/// Ann has two jobs and bob one: he gets every second worker, and ann's jobs share hers. Weights and priorities do not
/// matter.
#[test]
fn fair_gives_each_tenant_as_many_running_slots() {
    check(
        "
        tenant ann weight 5
        tenant bob
        app tag
        kind person
        pool p serves tag dispatch fair
        submit j ann tag 9 priority 7
        submit k ann tag 9
        submit l bob tag 9
        join a b c d e f p person
        ask a b c d e f
        ",
        expect![[r#"
            0s       ann submits j: 9 tasks
            0s       ann submits k: 9 tasks
            0s       bob submits l: 9 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min
            0s       b asks
            0s       b gets l.0: lease 1 until 30min
            0s       c asks
            0s       c gets k.0: lease 2 until 30min
            0s       d asks
            0s       d gets l.1: lease 3 until 30min
            0s       e asks
            0s       e gets j.1: lease 4 until 30min
            0s       f asks
            0s       f gets l.2: lease 5 until 30min
        "#]],
    );
}

/// As in the papers: ann's two jobs get two of three workers, and ties go to the older job.
#[test]
fn fair_between_jobs_counts_every_job_alike() {
    check(
        "
        usual
        set p dispatch fair,between=jobs
        submit j ann tag 9
        submit k ann tag 9
        submit l bob tag 9
        join a b c d e f p person
        ask a b c d e f
        ",
        expect![[r#"
            0s       p has dispatch fair
            0s       ann submits j: 9 tasks
            0s       ann submits k: 9 tasks
            0s       bob submits l: 9 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            0s       b asks
            0s       b gets k.0: lease 1 until 5min
            0s       c asks
            0s       c gets l.0: lease 2 until 5min
            0s       d asks
            0s       d gets j.1: lease 3 until 5min
            0s       e asks
            0s       e gets k.1: lease 4 until 5min
            0s       f asks
            0s       f gets l.1: lease 5 until 5min
        "#]],
    );
}

/// Eight workers, four for each tenant.
#[test]
fn a_tenant_that_splits_a_job_in_sixty_gets_one_share() {
    check(
        "
        tenant ann
        tenant bob
        app tag
        kind person
        pool p serves tag dispatch fair
        submit j ann tag 5 takes 1s times 60
        submit m bob tag 300 takes 1s
        join a b c d e f g h p person
        work 20s
        ",
        expect![[r#"
            0s       ann submits 60 jobs
            0s       bob submits m: 300 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       g joins p
            0s       h joins p
            20s      worked: ann 80 in 1min20s, bob 80 in 1min20s
        "#]],
    );
}

/// All of the workers, as long as each of the sixty has less than bob's one job. This is why it is not the default.
#[test]
fn between_jobs_the_same_split_gets_sixty_shares() {
    check(
        "
        tenant ann
        tenant bob
        app tag
        kind person
        pool p serves tag dispatch fair,between=jobs
        submit j ann tag 5 takes 1s times 60
        submit m bob tag 300 takes 1s
        join a b c d e f g h p person
        work 20s
        ",
        expect![[r#"
            0s       ann submits 60 jobs
            0s       bob submits m: 300 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       g joins p
            0s       h joins p
            20s      worked: ann 160 in 2min40s
        "#]],
    );
}

/// Nobody has a running slot when the worker asks: who was served longest ago goes first.
#[test]
fn one_worker_alone_serves_everybody_in_turn() {
    check(
        "
        usual
        set p dispatch fair
        submit j ann tag 2
        submit k bob tag 2
        submit l ann tag 2
        join a p person
        ask a
        at 1s answer a
        ask a
        at 2s answer a
        ask a
        at 3s answer a
        ask a
        ",
        expect![[r#"
            0s       p has dispatch fair
            0s       ann submits j: 2 tasks
            0s       bob submits k: 2 tasks
            0s       ann submits l: 2 tasks
            0s       a joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            1s       a answers lease 0 (j.0)
            1s       j.0 by a counts
            1s       a asks
            1s       a gets k.0: lease 1 until 5min1s
            2s       a answers lease 1 (k.0)
            2s       k.0 by a counts
            2s       a asks
            2s       a gets l.0: lease 2 until 5min2s
            3s       a answers lease 2 (l.0)
            3s       l.0 by a counts
            3s       a asks
            3s       a gets k.1: lease 3 until 5min3s
        "#]],
    );
}

/// One worker: as many tasks of bob as of ann, so bob, whose tasks take ten times as long, has ten times the time.
#[test]
fn shares_in_dispatches_are_equal_however_long_tasks_take() {
    check(
        "
        usual
        set p dispatch fair,share=dispatches
        submit j ann tag 1000 takes 1s
        submit k bob tag 1000 takes 10s
        join a p person
        work 220s
        ",
        expect![[r#"
            0s       p has dispatch fair
            0s       ann submits j: 1000 tasks
            0s       bob submits k: 1000 tasks
            0s       a joins p
            3min40s  worked: ann 20 in 20s, bob 20 in 3min20s
        "#]],
    );
}

/// In dispatches: bob comes after ann has had 100, and gets every second task from then on, not the next 100.
#[test]
fn one_who_comes_late_has_no_claim_to_what_others_had_meanwhile() {
    check(
        "
        usual
        set p dispatch fair,share=dispatches
        submit j ann tag 1000 takes 1s
        join a p person
        work 100s
        leave a
        join b p person
        at 100s submit k bob tag 1000 takes 1s
        work 120s
        ",
        expect![[r#"
            0s       p has dispatch fair
            0s       ann submits j: 1000 tasks
            0s       a joins p
            1min40s  worked: ann 100 in 1min40s
            1min40s  a leaves
            1min40s  a is gone: left
            1min40s  b joins p
            1min40s  bob submits k: 1000 tasks
            2min     worked: ann 10 in 10s, bob 10 in 10s
        "#]],
    );
}

/// Bob has the lesser share when a asks again, but a has answered his only task already: it gets ann's.
#[test]
fn only_what_this_worker_may_do_takes_part() {
    check(
        "
        usual
        set p dispatch fair
        submit k bob tag 1 slots 2
        join a b p person
        ask a
        at 1s answer a
        submit j ann tag 3
        ask b
        ask a
        ",
        expect![[r#"
            0s       p has dispatch fair
            0s       bob submits k: 1 tasks, 2 answers each
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets k.0: lease 0 until 5min
            1s       a answers lease 0 (k.0)
            1s       k.0 by a counts
            1s       ann submits j: 3 tasks
            1s       b asks
            1s       b gets j.0: lease 1 until 5min1s
            1s       a asks
            1s       a gets j.1: lease 2 until 5min1s
        "#]],
    );
}
