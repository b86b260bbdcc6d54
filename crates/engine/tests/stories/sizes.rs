//! How large a pool should be, and who makes it so: rules, PID on tasks, a fixed size, and the aims of a recommendation.

use expect_test::expect;

use crate::story::check;

/// The paper's rules, by default: more than ten wait, so one is recruited each time; below that no rule holds.
#[test]
fn the_rules_of_the_paper() {
    check(
        "
        usual
        set p scaling rules,every=10s
        submit j ann tag 12
        at 10s
        at 11s join a of r0 p person
        join b p person
        hand a b
        at 20s
        ",
        expect![[r#"
            0s       p has scaling rules
            0s       ann submits j: 12 tasks
            10s      p scaling: if queue > 10 or recommended - size > 5 then recruit 1 (error 1, output 1, 1 orders)
            10s      r0: 1 person for p by 10min10s
            11s      a joins p, of r0
            11s      b joins p
            11s      handed: a j.0, b j.1
            20s      p scaling: no rule holds (error 0, output 0, 0 orders)
        "#]],
    );
}

/// All rules that hold act together. Cut to the most, at most a step at once, and no change while cooling down.
#[test]
fn rules_add_up_and_keep_to_the_limits() {
    check(
        "
        usual
        set p scaling rules,every=10s,most=6,step_most=4,cooldown=20s,rules='if queue > 2 then recruit 3; if queue > 3 then recruit queue / 2; if idle > 0 then release 1'
        submit j ann tag 8
        at 10s
        at 20s
        at 30s
        ",
        expect![[r#"
            0s       p has scaling rules
            0s       ann submits j: 8 tasks
            10s      p scaling: if queue > 2 then recruit 3; if queue > 3 then recruit queue / 2; cut to the limits (error 7, output 7, 1 orders)
            10s      r0: 4 person for p by 10min10s
            20s      p scaling: if queue > 2 then recruit 3; if queue > 3 then recruit queue / 2; cooling down (error 7, output 7, 0 orders)
            30s      p scaling: if queue > 2 then recruit 3; if queue > 3 then recruit queue / 2; cut to the limits (error 7, output 7, 1 orders)
            30s      r1: 2 person for p by 10min30s
        "#]],
    );
}

/// The pool is brought to its least size although no rule holds, and never below it.
#[test]
fn the_least_size_holds_whatever_the_rules_want() {
    check(
        "
        usual
        set p scaling rules,every=10s,least=2,rules='if idle > 0 then release idle'
        at 10s
        join a b of r0 p person
        join c p person
        ask a b c
        at 20s
        at 30s
        ",
        expect![[r#"
            0s       p has scaling rules
            10s      p scaling: no rule holds; up to the least size (error 0, output 0, 1 orders)
            10s      r0: 2 person for p by 10min10s
            10s      a joins p, of r0
            10s      b joins p, of r0
            10s      c joins p
            10s      a asks
            10s      a waits
            10s      b asks
            10s      b waits
            10s      c asks
            10s      c waits
            20s      p scaling: if idle > 0 then release idle; cut to the limits (error -3, output -3, 1 orders)
            20s      a is gone: released, for waiting 0.01
            30s      p scaling: if idle > 0 then release idle; the limits allow no change (error -2, output -2, 0 orders)
        "#]],
    );
}

/// Two of four left within 10 s: 0.2 a second. Ten seconds later it is half of that.
#[test]
fn the_departure_rate_is_a_metric() {
    check(
        "
        usual
        set p scaling rules,every=10s,rules='if departure_rate >= 0.2 and not size > 2 then recruit departures * 2'
        join a b c d p person
        at 5s leave a
        at 9s leave b
        at 10s
        at 20s
        ",
        expect![[r#"
            0s       p has scaling rules
            0s       a joins p
            0s       b joins p
            0s       c joins p
            0s       d joins p
            5s       a leaves
            5s       a is gone: left
            9s       b leaves
            9s       b is gone: left
            10s      p scaling: if departure_rate >= 0.2 and not size > 2 then recruit departures * 2 (error 4, output 4, 1 orders)
            10s      r0: 4 person for p by 10min10s
            20s      p scaling: no rule holds (error 0, output 0, 0 orders)
        "#]],
    );
}

/// The old rules stay in force.
#[test]
fn a_wrong_rule_is_refused_with_the_place_and_the_nearest_name() {
    check(
        "
        usual
        set p scaling rules,every=10s,rules='if queue > 100 then recruit 1'
        set p scaling rules,rules='if quue > 10 then recruit 1'
        set p scaling rules,rules='if queue > 10 then hire 1'
        set p replacement rules,rules='if (size > 10 then recruit 1'
        at 10s
        ",
        expect![[r#"
            0s       p has scaling rules
            0s       refused: rules: 'quue' is not known (did you mean 'queue'?)
              if quue > 10 then recruit 1
                 ^^^^
            0s       refused: rules: 'recruit' or 'release' is expected here
              if queue > 10 then hire 1
                                 ^^^^
            0s       refused: rules: ')' is expected here
              if (size > 10 then recruit 1
                            ^^^^
            10s      p scaling: no rule holds (error 0, output 0, 0 orders)
        "#]],
    );
}

/// Eight came and none was done: with kp = 0.5 four are recruited. Then one came and three were done: one should go, but
/// nobody is idle. Afterwards as many came as were done, and nothing happens, whatever waits.
#[test]
fn pid_on_tasks_follows_what_came_and_was_done() {
    check(
        "
        usual
        set p scaling pid-throughput,every=10s,kp=0.5
        submit j ann tag 8
        at 10s
        at 11s join a b c d of r0 p person
        hand a b c
        at 12s answer a b c
        ask d
        submit k bob tag 1
        at 13s join e p person
        at 20s
        at 30s
        ",
        expect![[r#"
            0s       p has scaling pid-throughput
            0s       ann submits j: 8 tasks
            10s      p scaling: 8 more came than were done, have 0 (error 8, output 4, 1 orders)
            10s      r0: 4 person for p by 10min10s
            11s      a joins p, of r0
            11s      b joins p, of r0
            11s      c joins p, of r0
            11s      d joins p, of r0
            11s      handed: a j.0, b j.1, c j.2
            12s      a answers lease 0 (j.0)
            12s      j.0 by a counts
            12s      b answers lease 1 (j.1)
            12s      j.1 by b counts
            12s      c answers lease 2 (j.2)
            12s      j.2 by c counts
            12s      d asks
            12s      d gets j.3: lease 3 until 5min12s
            12s      bob submits k: 1 tasks
            13s      e joins p
            20s      p scaling: 2 fewer came than were done, have 5; only idle workers go (error -2, output -1, 0 orders)
            30s      p scaling: 0 more came than were done, have 5 (error 0, output 0, 0 orders)
        "#]],
    );
}

/// The same limits as everywhere: the first step is cut to 2 of 4, the next has to wait for the cooldown, and most is 3.
#[test]
fn pid_on_tasks_keeps_to_the_limits() {
    check(
        "
        usual
        set p scaling pid-throughput,every=10s,kp=0.5,step_most=2,cooldown=15s,most=3,count_in_flight=false
        submit j ann tag 8
        at 10s
        join a b of r0 p person
        submit k ann tag 8
        at 20s
        submit l ann tag 8
        at 30s
        ",
        expect![[r#"
            0s       p has scaling pid-throughput
            0s       ann submits j: 8 tasks
            10s      p scaling: 8 more came than were done, have 0; cut to the limits (error 8, output 4, 1 orders)
            10s      r0: 2 person for p by 10min10s
            10s      a joins p, of r0
            10s      b joins p, of r0
            10s      ann submits k: 8 tasks
            20s      p scaling: 8 more came than were done, have 2; cooling down (error 8, output 4, 0 orders)
            20s      ann submits l: 8 tasks
            30s      p scaling: 8 more came than were done, have 2; cut to the limits (error 8, output 4, 1 orders)
            30s      r1: 1 person for p by 10min30s
        "#]],
    );
}

/// A size that was given is kept: what is missing is recruited, idle workers too many are released. Without one nothing happens.
#[test]
fn a_fixed_size_is_kept() {
    check(
        "
        usual
        set p scaling static,size=2,every=10s
        join a p person
        at 10s
        at 11s join b of r0 p person
        join c p person
        ask b a c
        at 20s
        set p scaling static
        leave a
        at 60s
        show next
        ",
        expect![[r#"
            0s       p has scaling static
            0s       a joins p
            10s      p scaling: to keep 2, have 1 (error 1, output 1, 1 orders)
            10s      r0: 1 person for p by 10min10s
            11s      b joins p, of r0
            11s      c joins p
            11s      b asks
            11s      b waits
            11s      a asks
            11s      a waits
            11s      c asks
            11s      c waits
            20s      p scaling: to keep 2, have 3 (error -1, output -1, 1 orders)
            20s      b is gone: released, for waiting 0.009
            20s      p has scaling static
            20s      a leaves
            20s      a is gone: left, for waiting 0.009
            1min     next due 15min
        "#]],
    );
}

/// Nothing can be recommended before a task was done; yet the least size holds, or nobody would ever do one.
#[test]
fn pid_on_size_begins_with_the_least_size() {
    check(
        "
        usual
        set p scaling pid-size,every=10s,least=2
        submit j ann tag 3
        at 10s
        at 20s
        ",
        expect![[r#"
            0s       p has scaling pid-size
            0s       ann submits j: 3 tasks
            10s      p scaling: nothing recommended yet: no task has been done; up to the least size (error 0, output 0, 1 orders)
            10s      r0: 2 person for p by 10min10s
            20s      p scaling: nothing recommended yet: no task has been done (error 0, output 0, 0 orders)
        "#]],
    );
}

/// 40 tasks of 5 s in 100 s keep two workers busy. The mean wait of 3, 4 and 5 workers is 2.22 s, 0.43 s and 0.10 s; of 3 and 4
/// workers 0.836 and 0.976 begin within 5 s. A minute of waiting worth 1 and a worker at 6 an hour cost least with 5. The
/// objective with cost 0.5 is 1.64, 1.17, 1.29 as printed and 1.36, 0.72, 0.80 with the cost of idle workers.
#[test]
fn what_is_recommended_depends_on_the_aim() {
    check(
        "
        usual
        pool q serves tag only ann prior 5s window 100s
        at 1s submit j ann tag 40
        at 100s wake
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim occupancy=0.5
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim occupancy=0.95
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim wait=3s
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim wait=1s
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim within=5s:0.9
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim within=5s:0.99
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim money=0:6
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim money=1:6
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim objective=0:0.001:printed
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim objective=0.5:0.5:printed
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim objective=0.5:0.5
        show pool q
        set pool q serves tag only ann prior 5s window 100s aim objective=1:0.5 size-most 30
        show pool q
        ",
        expect![[r#"
            1s       ann submits j: 40 tasks
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 8
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 4
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 3
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 3
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 4
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 4
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 5
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 3
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 5
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 3
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 4
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 4
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended 30
        "#]],
    );
}

/// Of four workers two leave in 100 s: each leaves at 0.01 a second now that two are there. Recruiting takes 50 s, in which
/// half of the four that are needed would leave: two more.
#[test]
fn those_who_leave_while_others_come_are_recommended_too() {
    check(
        "
        usual
        pool q serves tag only ann prior 5s window 100s aim occupancy=0.5 delay 50s
        join a b c d q person
        at 1s submit j ann tag 40
        at 100s wake
        show pool q
        leave a b
        show pool q
        ",
        expect![[r#"
            0s       a joins q
            0s       b joins q
            0s       c joins q
            0s       d joins q
            1s       ann submits j: 40 tasks
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 4 paused, 0 coming; recommended 4
            1min40s  a leaves
            1min40s  a is gone: left
            1min40s  b leaves
            1min40s  b is gone: left
            1min40s  q: 40 waiting; 0 training, 0 idle, 0 busy, 2 paused, 0 coming; recommended 6
        "#]],
    );
}
