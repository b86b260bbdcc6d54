//! Orders in which jobs are served: by the length of their tasks, by all their open work, in turn, by priority.

use expect_test::expect;

use crate::story::check;

/// Long came first and short last. What nobody has said or seen counts as endless; of equals the older goes first.
#[test]
fn the_shortest_tasks_go_first() {
    check(
        "
        usual
        set p dispatch shortest-first
        submit unknown ann tag 2
        submit long ann tag 2 expected 60s
        submit short bob tag 2 expected 5s
        submit alike ann tag 2 expected 5s
        join a b c d e f g h p person
        hand a b c d
        show why a
        submit shorter ann tag 1 expected 4s
        return a
        hand e a f
        show job long
        hand g h
        ",
        expect![[r#"
            0s       p has dispatch shortest-first
            0s       ann submits unknown: 2 tasks
            0s       ann submits long: 2 tasks
            0s       bob submits short: 2 tasks
            0s       ann submits alike: 2 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       g joins p
            0s       h joins p
            0s       handed: a short.0, b short.1, c alike.0, d alike.1
            0s       a, because: the shortest tasks: 5 s each
            0s       ann submits shorter: 1 tasks
            0s       a returns lease 0 (short.0)
            0s       handed: e shorter.0, a short.0, f long.0
            0s       long: seconds per task 60.000
            0s       handed: g long.1, h unknown.0
        "#]],
    );
}

/// In total j has 3 * 10 s open, k 2 * 20 s: j is first until k is down to less. A task given back makes its job longer again.
#[test]
fn the_least_open_work_goes_first_and_changes_as_work_is_given_and_comes_back() {
    check(
        "
        usual
        set p dispatch shortest-first,per=total
        submit k ann tag 2 expected 20s
        submit j ann tag 3 expected 10s
        join a b c d e f p person
        show job k
        show job j
        hand a
        show why a
        show job j
        return a
        show job j
        submit i ann tag 1 expected 25s
        hand b c d e
        show job k
        ",
        expect![[r#"
            0s       p has dispatch shortest-first
            0s       ann submits k: 2 tasks
            0s       ann submits j: 3 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       k: seconds of open work 40.000
            0s       j: seconds of open work 30.000
            0s       handed: a j.0
            0s       a, because: the least open work: 30 s in total
            0s       j: seconds of open work 20.000
            0s       a returns lease 0 (j.0)
            0s       j: seconds of open work 30.000
            0s       ann submits i: 1 tasks
            0s       handed: b i.0, c j.0, d j.1, e j.2
            0s       k: seconds of open work 40.000
        "#]],
    );
}

/// Redundant slots count as work, and so does what a workflow has open: y.1 opens when y.0 is answered.
#[test]
fn open_work_in_total_counts_slots_and_what_has_opened() {
    check(
        "
        usual
        set p dispatch shortest-first,per=total
        submit x ann tag 1 expected 10s slots 3
        flow y ann expected 15s tag tag<0 tag<0
        join a b c d p person
        show job x
        show job y
        hand a
        at 1s answer a
        show job y
        hand b
        hand c
        hand d
        ",
        expect![[r#"
            0s       p has dispatch shortest-first
            0s       ann submits x: 1 tasks, 3 answers each
            0s       ann submits y: workflow of 3
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       x: seconds of open work 30.000
            0s       y: seconds of open work 15.000
            0s       handed: a y.0
            1s       a answers lease 0 (y.0)
            1s       y.0 by a counts
            1s       y: seconds of open work 30.000
            1s       handed: b x.0
            1s       handed: c x.0
            1s       handed: d x.0
        "#]],
    );
}

/// The first answers teach how long tasks of the app take, and every job that has not said so itself moves: k too.
#[test]
fn what_is_learned_of_an_app_moves_all_its_jobs() {
    check(
        "
        usual
        set p dispatch shortest-first
        submit m ann tag 3 expected 100s
        join a b p person
        hand a
        submit j ann tag 2
        submit k bob tag 2
        at 5s answer a
        show job j
        show job k
        hand a b
        ",
        expect![[r#"
            0s       p has dispatch shortest-first
            0s       ann submits m: 3 tasks
            0s       a joins p
            0s       b joins p
            0s       handed: a m.0
            0s       ann submits j: 2 tasks
            0s       bob submits k: 2 tasks
            5s       a answers lease 0 (m.0)
            5s       m.0 by a counts
            5s       j: seconds per task 5.000
            5s       k: seconds per task 5.000
            5s       handed: a j.0, b j.1
        "#]],
    );
}

/// After j comes k, after k l, after l j again. An empty job is passed over; one whose task came back takes part again.
#[test]
fn the_jobs_in_turn() {
    check(
        "
        usual
        set p dispatch round-robin
        submit j ann tag 3
        submit k ann tag 1
        submit l bob tag 3
        join a b c d e f g h p person
        hand a b c d
        show why a
        return b
        hand e b f g h
        ",
        expect![[r#"
            0s       p has dispatch round-robin
            0s       ann submits j: 3 tasks
            0s       ann submits k: 1 tasks
            0s       bob submits l: 3 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       g joins p
            0s       h joins p
            0s       handed: a j.0, b k.0, c l.0, d j.1
            0s       a, because: its turn, after the job served before
            0s       b returns lease 1 (k.0)
            0s       handed: e k.0, b l.1, f j.2, g l.2, h nothing
        "#]],
    );
}

/// The turn goes on where it was: l came last and is served after k, not first. A job that closes leaves its place.
#[test]
fn a_job_that_comes_later_waits_for_its_turn() {
    check(
        "
        usual
        set p dispatch round-robin
        submit j ann tag 9
        submit k ann tag 9
        join a p person
        turns a 1
        submit l bob tag 9
        turns a 4
        cancel k
        turns a 4
        ",
        expect![[r#"
            0s       p has dispatch round-robin
            0s       ann submits j: 9 tasks
            0s       ann submits k: 9 tasks
            0s       a joins p
            1s       a does j.0
            1s       bob submits l: 9 tasks
            5s       a does k.0, l.0, j.1, k.1
            5s       k is cancelled
            5s       k is over
            9s       a does l.1, j.2, l.2, j.3
        "#]],
    );
}

/// B may not draw: in b's turn the drawing is passed over, and the turn goes on after what b got.
#[test]
fn in_turn_only_what_this_worker_may_do_takes_part() {
    check(
        "
        tenant ann
        app tag
        app draw training 1min
        kind person
        pool q serves tag,draw dispatch round-robin
        submit j ann tag 9
        submit d ann draw 9
        submit k ann tag 9
        join a q person trained draw,tag
        join b q person trained tag
        turns b 1
        turns b 2
        turns a 3
        turns b 2
        ",
        expect![[r#"
            0s       ann submits j: 9 tasks
            0s       ann submits d: 9 tasks
            0s       ann submits k: 9 tasks
            0s       a joins q
            0s       b joins q
            1s       b does j.0
            3s       b does k.0, j.1
            6s       a does d.0, k.1, j.2
            8s       b does k.2, j.3
        "#]],
    );
}

/// The highest priority, whatever the others wait; the older of equals. A priority set while running counts from then on.
#[test]
fn the_highest_priority_goes_first() {
    check(
        "
        usual
        set p dispatch priority
        submit low ann tag 9
        submit high bob tag 2 priority 5
        submit same ann tag 9 priority 5
        join a b c d e f p person
        hand a b c
        show why a
        priority low 9
        hand d
        show why d
        show job low
        priority low 5
        hand e
        priority low 4
        hand f
        ",
        expect![[r#"
            0s       p has dispatch priority
            0s       ann submits low: 9 tasks
            0s       bob submits high: 2 tasks
            0s       ann submits same: 9 tasks
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            0s       e joins p
            0s       f joins p
            0s       handed: a high.0, b high.1, c same.0
            0s       a, because: the highest priority: 5
            0s       low has priority 9
            0s       handed: d low.0
            0s       d, because: the highest priority: 9
            0s       low: priority 9.000
            0s       low has priority 5
            0s       handed: e low.1
            0s       low has priority 4
            0s       handed: f same.1
        "#]],
    );
}
