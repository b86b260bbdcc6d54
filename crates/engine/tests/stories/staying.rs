//! `worker-conscious`: a worker is left with the job it knows while the others concede; and `least-patience`.

use expect_test::expect;

use crate::story::check;

/// C and d hold tasks of j, so k ranks first: it concedes twice to a, claims a the third time, and begins anew.
#[test]
fn between_jobs_a_job_concedes_and_then_claims() {
    check(
        "
        usual
        set p dispatch worker-conscious,between=jobs,concessions=2
        submit j ann tag 99
        join a c d p person
        hand c d
        turns a 1
        show why a
        submit k ann tag 99
        turns a 2
        show job k
        turns a 1
        show why a
        show job k
        turns a 1
        show why a
        ",
        expect![[r#"
            0s       p has dispatch worker-conscious
            0s       ann submits j: 99 tasks
            0s       a joins p
            0s       c joins p
            0s       d joins p
            0s       handed: c j.0, d j.1
            1s       a does j.2
            1s       a, because: new to what is open here: the least share for its weight
            1s       ann submits k: 99 tasks
            3s       a does j.3, j.4
            3s       k: share 0.000, concessions 2.000
            4s       a does k.0
            4s       a, because: another job was due: it had let workers stay 2 times
            4s       k: share 0.000, concessions 0.000
            5s       a does k.1
            5s       a, because: stays with the job it knows; the others concede
        "#]],
    );
}

/// Without a limit a worker never leaves a job that has something for it. One who is new goes to the least share.
#[test]
fn without_limit_nobody_is_taken_from_a_job() {
    check(
        "
        usual
        set p dispatch worker-conscious,between=jobs,concessions=unlimited
        submit j ann tag 7
        join a b c p person
        hand c
        turns a 1
        submit k ann tag 9
        turns a 4
        hand b
        show why b
        show job k
        turns a 3
        show job k
        ",
        expect![[r#"
            0s       p has dispatch worker-conscious
            0s       ann submits j: 7 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       handed: c j.0
            1s       a does j.1
            1s       ann submits k: 9 tasks
            5s       a does j.2, j.3, j.4, j.5
            5s       handed: b k.0
            5s       b, because: new to what is open here: the least share for its weight
            5s       k: share 1.000, concessions 0.000
            8s       a does j.6, k.1, k.2
            8s       k: share 1.000, concessions 0.000
        "#]],
    );
}

/// With no concession at all it is weighted-fair.
#[test]
fn without_concessions_the_least_share_claims_at_once() {
    check(
        "
        usual
        set p dispatch worker-conscious,between=jobs,concessions=0
        submit j ann tag 9
        join a c p person
        hand c
        turns a 1
        submit k ann tag 9
        turns a 2
        ",
        expect![[r#"
            0s       p has dispatch worker-conscious
            0s       ann submits j: 9 tasks
            0s       a joins p
            0s       c joins p
            0s       handed: c j.0
            1s       a does j.1
            1s       ann submits k: 9 tasks
            3s       a does k.0, k.1
        "#]],
    );
}

/// A can only tag: the drawing has nothing for a, ranks first all the time and yet neither concedes nor claims.
#[test]
fn what_the_worker_may_not_do_does_not_concede() {
    check(
        "
        tenant ann
        app tag
        app draw training 1min
        kind person
        pool p serves tag,draw dispatch worker-conscious,between=jobs,concessions=1
        submit d ann draw 9
        submit j ann tag 99
        join a c p person trained tag
        join b p person trained tag,draw
        hand c
        turns a 3
        show job d
        submit k ann tag 9
        turns a 1
        show job d
        show job k
        turns a 1
        show job k
        turns b 1
        show why b
        ",
        expect![[r#"
            0s       ann submits d: 9 tasks
            0s       ann submits j: 99 tasks
            0s       a joins p
            0s       c joins p
            0s       b joins p
            0s       handed: c j.0
            3s       a does j.1, j.2, j.3
            3s       d: share 0.000, concessions 0.000
            3s       ann submits k: 9 tasks
            4s       a does j.4
            4s       d: share 0.000, concessions 0.000
            4s       k: share 0.000, concessions 1.000
            5s       a does k.0
            5s       k: share 0.000, concessions 0.000
            6s       b does d.0
            6s       b, because: new to what is open here: the least share for its weight
        "#]],
    );
}

/// Two answers are wanted for x.0. A has given one: x, though open and of the least share, is nothing to a any more.
#[test]
fn a_job_that_has_nothing_left_for_this_worker_neither_concedes_nor_claims() {
    check(
        "
        usual
        set p dispatch worker-conscious,between=jobs,concessions=1
        submit j ann tag 99
        join a b c p person
        hand c
        submit x ann tag 1 slots 2
        turns a 1
        turns a 4
        show job x
        turns b 1
        ",
        expect![[r#"
            0s       p has dispatch worker-conscious
            0s       ann submits j: 99 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       handed: c j.0
            0s       ann submits x: 1 tasks, 2 answers each
            1s       a does x.0
            5s       a does j.1, j.2, j.3, j.4
            5s       x: share 0.000, concessions 0.000
            6s       b does x.0
        "#]],
    );
}

/// Bob concedes both in tagging and in drawing, since a could do either. When bob is served, both are settled: he
/// lets d stay twice before he claims again.
#[test]
fn a_tenant_that_was_served_has_settled_in_every_app() {
    check(
        "
        tenant ann
        tenant bob
        app tag
        app draw
        kind person
        pool p serves tag,draw dispatch worker-conscious,concessions=2
        submit j ann tag 99
        join a c d e p person
        hand c d e
        turns a 1
        submit k bob tag 99
        submit l bob draw 99
        turns a 3
        return d
        turns d 4
        ",
        expect![[r#"
            0s       ann submits j: 99 tasks
            0s       a joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       handed: c j.0, d j.1, e j.2
            1s       a does j.3
            1s       bob submits k: 99 tasks
            1s       bob submits l: 99 tasks
            4s       a does j.4, j.5, k.0
            4s       d returns lease 1 (j.1)
            8s       d does j.1, j.6, l.0, l.1
        "#]],
    );
}

/// Clients who bear less go first, of equals who came first; unhappy ones bear nothing. Who has no client bears anything.
#[test]
fn the_least_patient_and_why() {
    check(
        "
        usual
        set p dispatch least-patience
        client calm patience 0.95
        client cross patience 0.6
        client lost patience 0.3
        submit nobody ann tag 1
        submit first ann tag 1 client calm
        submit second ann tag 1 client cross
        submit third ann tag 1 client lost
        join a b c d p person
        show job nobody
        show job first
        show job third
        hand a b c d
        show why a
        show why b
        show why c
        show why d
        ",
        expect![[r#"
            0s       p has dispatch least-patience
            0s       ann submits nobody: 1 tasks
            0s       ann submits first: 1 tasks
            0s       ann submits second: 1 tasks
            0s       ann submits third: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       nobody: late answers borne inf
            0s       first: late answers borne 0.279
            0s       third: late answers borne 0.000
            0s       handed: a third.0, b second.0, c first.0, d nobody.0
            0s       a, because: the least patient client: 0.00 late answers from unhappy
            0s       b, because: the least patient client: 0.08 late answers from unhappy
            0s       c, because: the least patient client: 0.28 late answers from unhappy
            0s       d, because: no client waits
        "#]],
    );
}

/// The mean response is 4 s. With overdue=3 somebody who has waited 11 s is not yet overdue, at 12 s they are; of two the
/// older goes first.
#[test]
fn overdue_after_so_many_times_the_mean_response() {
    check(
        "
        usual
        set p dispatch least-patience,overdue=3
        client cross patience 0.55
        submit done ann tag 1
        join a b c p person
        hand a
        at 1s submit old ann tag 2
        at 2s submit young ann tag 1
        at 4s answer a
        at 12s submit x ann tag 1 client cross
        hand a
        at 13s submit y ann tag 1 client cross
        hand b
        show why b
        hand c
        show why c
        ",
        expect![[r#"
            0s       p has dispatch least-patience
            0s       ann submits done: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       handed: a done.0
            1s       ann submits old: 2 tasks
            2s       ann submits young: 1 tasks
            4s       a answers lease 0 (done.0)
            4s       done.0 by a counts
            4s       done is done
            12s      ann submits x: 1 tasks
            12s      handed: a x.0
            13s      ann submits y: 1 tasks
            13s      handed: b old.0
            13s      b, because: it had waited 12 s, too long
            13s      handed: c old.1
            13s      c, because: it had waited 12 s, too long
        "#]],
    );
}
