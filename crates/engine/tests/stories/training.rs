//! Learning an app that is new to the worker.

use expect_test::expect;

use crate::story::check;

/// Asking finds work that it cannot do yet: it learns, paid by the training wage, then gets the task.
#[test]
fn a_worker_learns_an_app_that_is_new() {
    check(
        "
        tenant ann
        app tag training 90s
        kind person wage 3.60 training-wage 1.80
        pool p serves tag settle 2min
        submit j ann tag 1
        join a p person
        ask a
        ask a
        at 90s trained a
        trained a
        at 100s answer a
        ask a
        at 2min
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       a asks
            0s       a learns tag
            0s       refused: worker 0 is in training and cannot ask for a task
            1min30s  a has learned
            1min30s  a gets j.0: lease 0 until 31min30s
            1min30s  refused: worker 0 is leased and cannot finish a training
            1min40s  a answers lease 0 (j.0)
            1min40s  j.0 by a counts
            1min40s  j is done
            1min40s  a asks
            1min40s  a waits
            2min     p settles: a gets, for waiting 0.02, for training 0.045; ann pays 0.065; carried 0.00
        "#]],
    );
}

/// Trained elsewhere, or an app that needs no training.
#[test]
fn a_worker_who_knows_it_already_does_not_learn() {
    check(
        "
        tenant ann
        app tag training 90s
        app easy
        kind person
        pool p serves tag,easy
        submit j ann tag 1
        submit k ann easy 1
        join a p person trained tag
        ask a
        join b p person
        ask b
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       ann submits k: 1 tasks
            0s       a joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 30min
            0s       b joins p
            0s       b asks
            0s       b gets k.0: lease 1 until 30min
        "#]],
    );
}

/// Three wait, two tasks come: two learn. The third learns only when there is more.
#[test]
fn learners_are_limited_by_the_work_that_is_open() {
    check(
        "
        tenant ann
        app easy
        app tag training 90s
        kind person
        pool p serves easy,tag
        join a b c p person
        ask a b c
        at 10s submit j ann tag 2
        show pool p
        at 20s submit k ann tag 1
        at 100s trained b
        at 101s trained a
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       a asks
            0s       a waits
            0s       b asks
            0s       b waits
            0s       c asks
            0s       c waits
            10s      ann submits j: 2 tasks
            10s      a learns tag
            10s      b learns tag
            10s      p: 2 waiting; 2 training, 1 idle, 0 busy, 0 paused, 0 coming; recommended none
            20s      ann submits k: 1 tasks
            20s      c learns tag
            1min40s  b has learned
            1min40s  b gets j.0: lease 0 until 31min40s
            1min41s  a has learned
            1min41s  a gets j.1: lease 1 until 31min41s
        "#]],
    );
}

/// Although there is no work yet; one who can do something waits.
#[test]
fn one_who_can_do_nothing_here_learns_what_it_likes_best() {
    check(
        "
        tenant ann
        app tag training 90s
        app sort training 60s
        kind person
        pool p serves tag,sort
        join a p person likes tag=0.2,sort=0.8
        ask a
        join b p person trained tag likes sort=1
        ask b
        ",
        expect![[r#"
            0s       a joins p
            0s       a asks
            0s       a learns sort
            0s       b joins p
            0s       b asks
            0s       b waits
        "#]],
    );
}

/// The task goes to b, who waited less long but can do it.
#[test]
fn a_trained_worker_goes_before_one_who_would_have_to_learn() {
    check(
        "
        tenant ann
        app easy
        app tag training 90s
        kind person
        pool p serves easy,tag
        join a p person
        join b p person trained tag
        at 1s ask a
        at 2s ask b
        at 3s submit j ann tag 1
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            1s       a asks
            1s       a waits
            2s       b asks
            2s       b waits
            3s       ann submits j: 1 tasks
            3s       b gets j.0: lease 0 until 30min3s
        "#]],
    );
}

/// Pausing or leaving ends it without having learned.
#[test]
fn training_can_be_broken_off() {
    check(
        "
        tenant ann
        app tag training 90s
        kind person wage 3.60
        pool p serves tag
        submit j ann tag 2
        join a b p person
        ask a b
        at 10s pause a
        at 20s leave b
        at 30s ask a
        ",
        expect![[r#"
            0s       ann submits j: 2 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a learns tag
            0s       b asks
            0s       b learns tag
            10s      a pauses
            20s      b leaves
            20s      b is gone: left, for training 0.02
            30s      a asks
            30s      a learns tag
        "#]],
    );
}

/// Idle in the old pool; in the new one the app is new.
#[test]
fn a_worker_moved_to_another_pool_learns_what_is_done_there() {
    check(
        "
        tenant ann
        app tag
        app sort training 60s
        kind person wage 3.60
        pool p serves tag
        pool q serves sort
        submit j ann sort 1
        join a p person
        ask a
        at 10s move a q
        at 70s trained a
        at 80s answer a
        ask a
        at 90s move a p
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       a asks
            0s       a waits
            10s      a is sent to q
            10s      a is in q now, for waiting 0.01
            10s      a learns sort
            1min10s  a has learned
            1min10s  a gets j.0: lease 0 until 31min10s
            1min20s  a answers lease 0 (j.0)
            1min20s  j.0 by a counts
            1min20s  j is done
            1min20s  a asks
            1min20s  a waits
            1min30s  a is sent to p
            1min30s  a is in p now, for waiting 0.01, for training 0.06
            1min30s  a waits
        "#]],
    );
}

/// By leaving or pausing: the work is still open, and somebody waits.
#[test]
fn when_a_learner_gives_up_another_learns_instead() {
    check(
        "
        tenant ann
        app easy
        app tag training 90s
        kind person
        pool p serves easy,tag
        join a b p person
        ask a b
        submit j ann tag 1
        at 10s leave a
        join c p person
        ask c
        at 20s pause b
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a waits
            0s       b asks
            0s       b waits
            0s       ann submits j: 1 tasks
            0s       a learns tag
            10s      a leaves
            10s      a is gone: left
            10s      b learns tag
            10s      c joins p
            10s      c asks
            10s      c waits
            20s      b pauses
            20s      c learns tag
        "#]],
    );
}

/// B waits because a learns; then nobody needs to.
#[test]
fn work_that_needs_no_training_any_more_goes_to_those_who_wait() {
    check(
        "
        tenant ann
        app easy
        app tag training 90s
        kind person
        pool p serves easy,tag
        join a b p person
        ask a b
        submit j ann tag 1
        at 10s set app tag
        ",
        expect![[r#"
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a waits
            0s       b asks
            0s       b waits
            0s       ann submits j: 1 tasks
            0s       a learns tag
            10s      b gets j.0: lease 0 until 30min10s
        "#]],
    );
}
