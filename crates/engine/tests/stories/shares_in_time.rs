//! Fair shares of worker-time: charged by expectation at the lease, corrected at the answer, fading.

use expect_test::expect;

use crate::story::check;

/// 600 jobs with tasks of 100 ms against one job with tasks of 60 s, on two workers: the same worker-time, within one
/// long task.
#[test]
fn shares_in_time_are_equal_however_long_tasks_take() {
    check(
        "
        tenant ann
        tenant bob
        app tag
        kind person
        pool p serves tag dispatch fair,share=time
        submit j ann tag 100 takes 100ms times 600
        submit k bob tag 1000 takes 60s
        join a b p person
        work 40min
        ",
        expect![[r#"
            0s       ann submits 600 jobs
            0s       bob submits k: 1000 tasks
            0s       a joins p
            0s       b joins p
            40min    worked: ann 23930 in 39min53s, bob 40 in 40min7s
        "#]],
    );
}

/// The mirror of the story before, with one worker: turn by turn, and so bob has nearly all of the time.
#[test]
fn in_slots_the_same_two_share_workers_not_time_when_there_is_one() {
    check(
        "
        tenant ann
        tenant bob
        app tag
        kind person
        pool p serves tag dispatch fair
        submit j ann tag 100 takes 100ms times 600
        submit k bob tag 1000 takes 60s
        join a p person
        work 40min
        ",
        expect![[r#"
            0s       ann submits 600 jobs
            0s       bob submits k: 1000 tasks
            0s       a joins p
            40min    worked: ann 40 in 4s, bob 39 in 39min56s
        "#]],
    );
}

/// Both are said to take a second, and bob's take four: what they took beyond that is charged at the answer.
#[test]
fn time_that_was_not_expected_is_corrected_at_the_answer() {
    check(
        "
        usual
        set p dispatch fair,share=time
        submit j ann tag 1000 expected 1s takes 1s
        submit k bob tag 1000 expected 1s takes 4s
        join a b c p person
        work 10min
        ",
        expect![[r#"
            0s       p has dispatch fair
            0s       ann submits j: 1000 tasks
            0s       bob submits k: 1000 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            10min    worked: ann 900 in 15min, bob 225 in 15min
        "#]],
    );
}

/// Ann had the pool for ten minutes. With a half-life of one minute, 87 s of that are left when bob comes, and fade on:
/// he catches up within a minute, and then they share.
#[test]
fn past_time_fades() {
    check(
        "
        usual
        set p dispatch fair,share=time,half_life=1min
        submit j ann tag 10000 takes 1s
        join a p person
        work 10min
        leave a
        join b p person
        submit k bob tag 10000 takes 1s
        work 11min
        leave b
        join c p person
        work 12min
        ",
        expect![[r#"
            0s       p has dispatch fair
            0s       ann submits j: 10000 tasks
            0s       a joins p
            10min    worked: ann 600 in 10min
            10min    a leaves
            10min    a is gone: left
            10min    b joins p
            10min    bob submits k: 10000 tasks
            11min    worked: ann 0 in 0s, bob 60 in 1min
            11min    b leaves
            11min    b is gone: left
            11min    c joins p
            12min    worked: ann 30 in 30s, bob 30 in 30s
        "#]],
    );
}
