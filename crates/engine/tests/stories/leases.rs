//! Leases: deadlines, signs of life, tokens, and answers that come late.

use expect_test::expect;

use crate::story::check;

/// At its deadline, neither before nor after; the one who waits gets the slot at once.
#[test]
fn a_lease_expires_and_the_task_goes_to_another() {
    check(
        "
        usual
        submit j ann tag 1 price 0.05
        join a b p person
        at 1s ask a
        ask b
        show next
        at 5min
        at 5min1s
        show tenant ann
        at 6min answer b
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       b joins p
            1s       a asks
            1s       a gets j.0: lease 0 until 5min1s, set aside 0.05
            1s       b asks
            1s       b waits
            1s       next due 5min1s
            5min1s   lease 0 (j.0) of a expires
            5min1s   b gets j.0: lease 1 until 10min1s, set aside 0.05
            5min1s   ann: charged 0.00, set aside 0.05, no limit
            6min     b answers lease 1 (j.0)
            6min     j.0 by b counts, paid 0.05
            6min     j is done
        "#]],
    );
}

/// It is accepted as late, counts, and is paid from what is there.
#[test]
fn a_late_answer_fills_its_slot_if_that_is_open_again() {
    check(
        "
        usual
        submit j ann tag 1 price 0.05
        join a p person
        ask a
        at 6min show pool p
        answer a
        show tenant ann
        show memory
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            5min     lease 0 (j.0) of a expires
            6min     p: 1 waiting; 0 training, 0 idle, 0 busy, 1 paused, 0 coming; recommended none
            6min     a answers lease 0 (j.0)
            6min     j.0 by a counts, late, paid 0.05
            6min     j is done
            6min     ann: charged 0.05, set aside 0.00, no limit
            6min     0 jobs, 1 workers live
        "#]],
    );
}

/// The other worker holds the slot; the late answer does not count and is not paid, and cannot come twice.
#[test]
fn a_late_answer_is_kept_uncounted_if_the_slot_is_taken() {
    check(
        "
        usual
        submit j ann tag 1 price 0.05
        join a b p person
        ask a
        at 5min ask b
        at 6min answer a
        answer a
        at 7min answer b
        show tenant ann
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            5min     lease 0 (j.0) of a expires
            5min     b asks
            5min     b gets j.0: lease 1 until 10min, set aside 0.05
            6min     a answers lease 0 (j.0)
            6min     j.0 by a is kept, late, uncounted
            6min     refused: worker 0 does not hold lease 0; it may have been answered or returned already
            7min     b answers lease 1 (j.0)
            7min     j.0 by b counts, paid 0.05
            7min     j is done
            7min     ann: charged 0.05, set aside 0.00, no limit
        "#]],
    );
}

/// Of two slots one is answered and one open: the late answer fills it. Then no more count.
#[test]
fn a_late_answer_takes_the_last_open_slot_of_two() {
    check(
        "
        usual
        submit j ann tag 1 price 0.05 slots 2
        join a b c p person
        ask a
        at 5min ask b
        at 6min answer b
        at 7min answer a
        show memory
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks, 2 answers each
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min, set aside 0.05
            5min     lease 0 (j.0) of a expires
            5min     b asks
            5min     b gets j.0: lease 1 until 10min, set aside 0.05
            6min     b answers lease 1 (j.0)
            6min     j.0 by b counts, paid 0.05
            7min     a answers lease 0 (j.0)
            7min     j.0 by a counts, late, paid 0.05
            7min     j is done
            7min     0 jobs, 3 workers live
        "#]],
    );
}

/// Then the answer of the old lease is kept uncounted: a worker fills one slot of a task.
#[test]
fn a_worker_whose_lease_expired_may_get_the_task_again() {
    check(
        "
        usual
        submit j ann tag 1 slots 2
        join a p person
        ask a
        at 5min ask a
        at 6min answer a lease 0
        at 7min answer a lease 1
        show pool p
        ",
        expect![[r#"
            0s       ann submits j: 1 tasks, 2 answers each
            0s       a joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            5min     lease 0 (j.0) of a expires
            5min     a asks
            5min     a gets j.0: lease 1 until 10min
            6min     a answers lease 0 (j.0)
            6min     j.0 by a is kept, late, uncounted
            7min     a answers lease 1 (j.0)
            7min     j.0 by a counts
            7min     p: 1 waiting; 0 training, 0 idle, 0 busy, 1 paused, 0 coming; recommended 0
        "#]],
    );
}

/// The app wants one every 30 s; silence for 30 s loses the lease, and no sign of life extends the deadline.
#[test]
fn signs_of_life_keep_a_lease_up_to_its_deadline() {
    check(
        "
        tenant ann
        app tag lease 2min heartbeat 30s
        kind person
        pool p serves tag
        submit j ann tag 2
        join a b p person
        ask a b
        at 20s heartbeat a
        at 45s heartbeat a
        at 1min10s heartbeat a
        at 1min35s heartbeat a
        at 1min55s heartbeat a
        at 3min show pool p
        ",
        expect![[r#"
            0s       ann submits j: 2 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 2min
            0s       b asks
            0s       b gets j.1: lease 1 until 2min
            20s      a is heard
            30s      lease 1 (j.1) of b expires
            45s      a is heard
            1min10s  a is heard
            1min35s  a is heard
            1min55s  a is heard
            2min     lease 0 (j.0) of a expires
            3min     p: 2 waiting; 0 training, 0 idle, 0 busy, 2 paused, 0 coming; recommended none
        "#]],
    );
}

/// After the expiry the worker holds a newer lease; returning or skipping with the old token is refused.
#[test]
fn a_token_of_an_old_lease_gives_nothing_back() {
    check(
        "
        usual
        submit j ann tag 2
        join a p person
        ask a
        at 5min ask a
        return a lease 0
        skip a lease 0
        return a lease 1
        ask a
        ",
        expect![[r#"
            0s       ann submits j: 2 tasks
            0s       a joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            5min     lease 0 (j.0) of a expires
            5min     a asks
            5min     a gets j.0: lease 1 until 10min
            5min     refused: worker 0 does not hold lease 0; it may have been answered or returned already
            5min     refused: worker 0 does not hold lease 0; it may have been answered or returned already
            5min     a returns lease 1 (j.0)
            5min     a asks
            5min     a gets j.0: lease 2 until 10min
        "#]],
    );
}

/// Until 20 answers the longest, 10 min; then twice the 95th percentile of what answers took (4 s, measured in classes
/// a quarter of a power of two wide), at least 1 s.
#[test]
fn a_lease_length_is_learned_from_completions() {
    check(
        "
        tenant ann
        app tag learned 2 least 1s most 10min
        kind person
        pool p serves tag
        submit j ann tag 100 takes 4s
        join a p person
        ask a
        at 4s answer a
        work 80s
        at 100s show pool p
        join b p person
        ask b
        ",
        expect![[r#"
            0s       ann submits j: 100 tasks
            0s       a joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 10min
            4s       a answers lease 0 (j.0)
            4s       j.0 by a counts
            1min20s  worked: ann 19 in 1min16s
            1min28s589ms934592ns lease 20 (j.20) of a expires
            1min40s  p: 80 waiting; 0 training, 0 idle, 0 busy, 1 paused, 0 coming; recommended 13
            1min40s  b joins p
            1min40s  b asks
            1min40s  b gets j.20: lease 21 until 1min48s589ms934592ns
        "#]],
    );
}

/// A lease that was given keeps its deadline.
#[test]
fn other_settings_for_an_app_hold_for_leases_given_later() {
    check(
        "
        usual
        submit j ann tag 2
        join a b p person
        ask a
        at 1s set app tag lease 1min
        ask b
        ",
        expect![[r#"
            0s       ann submits j: 2 tasks
            0s       a joins p
            0s       b joins p
            0s       a asks
            0s       a gets j.0: lease 0 until 5min
            1s       b asks
            1s       b gets j.1: lease 1 until 1min1s
        "#]],
    );
}
