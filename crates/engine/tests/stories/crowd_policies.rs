//! Policies for crowds: a worker stays with its job, the least patient client goes first, idle workers move where they like
//! the work.

use expect_test::expect;
use muster_engine::policy::Registry;

use crate::story::tell;

/// C holds a task of j, so k has the lesser share; it concedes twice to a, who stays with j, and is served the third time.
#[test]
fn a_worker_stays_with_its_job_until_others_have_conceded_often_enough() {
    let script = "
        usual
        submit j ann tag 9
        join a c p person
        ask c a
        submit k bob tag 9
        set p dispatch worker-conscious,concessions=2
        at 1s answer a
        ask a
        at 2s answer a
        ask a
        at 3s answer a
        ask a
        at 4s answer a
        ask a
    ";
    expect![[r#"
        0s       ann submits j: 9 tasks
        0s       a joins p
        0s       c joins p
        0s       c asks
        0s       c gets j.0: lease 0 until 5min
        0s       a asks
        0s       a gets j.1: lease 1 until 5min
        0s       bob submits k: 9 tasks
        0s       p has dispatch worker-conscious
        1s       a answers lease 1 (j.1)
        1s       j.1 by a counts
        1s       a asks
        1s       a gets j.2: lease 2 until 5min1s (stays with the job it knows; the others concede)
        2s       a answers lease 2 (j.2)
        2s       j.2 by a counts
        2s       a asks
        2s       a gets j.3: lease 3 until 5min2s (stays with the job it knows; the others concede)
        3s       a answers lease 3 (j.3)
        3s       j.3 by a counts
        3s       a asks
        3s       a gets k.0: lease 4 until 5min3s (another tenant was due: it had let workers stay often enough)
        4s       a answers lease 4 (k.0)
        4s       k.0 by a counts
        4s       a asks
        4s       a gets k.1: lease 5 until 5min4s (stays with the job it knows; the others concede)
    "#]]
    .assert_eq(&tell(script, Registry::default()));
}

/// The price of a's task puts k out of reach with the very lease for which it conceded; the concession is counted all the
/// same: when k can be paid for again it concedes once more, and is served then.
#[test]
fn a_concession_counts_although_the_lease_takes_the_money() {
    let script = "
        tenant ann budget 0.10 every 1min
        app tag
        kind person
        pool p serves tag
        submit j ann tag 9 price 0.05
        join a c p person
        ask c a
        submit k ann tag 9 price 0.05
        set p dispatch worker-conscious,concessions=2
        at 1s return a
        ask a
        at 2s set tenant ann budget 1.00 every 1min
        answer a
        ask a
        at 3s answer a
        ask a
    ";
    expect![[r#"
        0s       ann submits j: 9 tasks
        0s       a joins p
        0s       c joins p
        0s       c asks
        0s       c gets j.0: lease 0 until 30min, set aside 0.05
        0s       a asks
        0s       a gets j.1: lease 1 until 30min, set aside 0.05
        0s       ann is out of budget, 0.00 left
        0s       ann submits k: 9 tasks
        0s       p has dispatch worker-conscious
        1s       a returns lease 1 (j.1)
        1s       ann is back in budget
        1s       a asks
        1s       a gets j.1: lease 2 until 30min1s, set aside 0.05 (stays with the job it knows; the others concede)
        1s       ann is out of budget, 0.00 left
        2s       ann is back in budget
        2s       a answers lease 2 (j.1)
        2s       j.1 by a counts, paid 0.05
        2s       a asks
        2s       a gets j.2: lease 3 until 30min2s, set aside 0.05 (stays with the job it knows; the others concede)
        3s       a answers lease 3 (j.2)
        3s       j.2 by a counts, paid 0.05
        3s       a asks
        3s       a gets k.0: lease 4 until 30min3s, set aside 0.05 (another job was due: it had let workers stay 2 times)
    "#]]
    .assert_eq(&tell(script, Registry::default()));
}

/// The cross client goes before the calm one, who came first; a quick answer makes it patient, and the calm one is next. The mean
/// response is about 5 s: at 12 s the job without a client has waited more than twice that, and goes before the fourth.
#[test]
fn the_least_patient_goes_first_until_somebody_has_waited_too_long() {
    let script = "
        usual
        set p dispatch least-patience
        client calm patience 0.9
        client cross patience 0.55
        submit anybody ann tag 1
        submit first ann tag 1 client calm
        submit second ann tag 1 client cross
        join a p person
        at 1s ask a
        at 5s answer a
        submit third ann tag 1 client cross
        ask a
        at 6s answer a
        ask a
        at 10s answer a
        at 12s submit fourth ann tag 1 client cross
        ask a
    ";
    expect![[r#"
        0s       p has dispatch least-patience
        0s       ann submits anybody: 1 tasks
        0s       ann submits first: 1 tasks
        0s       ann submits second: 1 tasks
        0s       a joins p
        1s       a asks
        1s       a gets second.0: lease 0 until 5min1s
        5s       a answers lease 0 (second.0)
        5s       second.0 by a counts
        5s       second is done
        5s       ann submits third: 1 tasks
        5s       a asks
        5s       a gets first.0: lease 1 until 5min5s
        6s       a answers lease 1 (first.0)
        6s       first.0 by a counts
        6s       first is done
        6s       a asks
        6s       a gets third.0: lease 2 until 5min6s
        10s      a answers lease 2 (third.0)
        10s      third.0 by a counts
        10s      third is done
        12s      ann submits fourth: 1 tasks
        12s      a asks
        12s      a gets anybody.0: lease 3 until 5min12s (it had waited 12 s, too long)
    "#]]
    .assert_eq(&tell(script, Registry::default()));
}

/// As much waits in q as in r. A likes drawing, b and c have no preference: they go where fewer have gone.
#[test]
fn idle_workers_go_where_they_like_the_work_and_it_waits() {
    let script = "
        usual
        app sort
        app draw
        pool q serves sort
        pool r serves draw
        join x q person
        join y r person
        submit j ann sort 3
        submit k bob draw 3
        ask x y
        join a p person likes draw=1,sort=0.1
        join b c p person
        ask a b c
        set balance preference-aware,every=10s,omega=0.5
        at 10s
        show pool p
        at 20s
    ";
    expect![[r#"
        0s       x joins q
        0s       y joins r
        0s       ann submits j: 3 tasks
        0s       bob submits k: 3 tasks
        0s       x asks
        0s       x gets j.0: lease 0 until 30min
        0s       y asks
        0s       y gets k.0: lease 1 until 30min
        0s       a joins p
        0s       b joins p
        0s       c joins p
        0s       a asks
        0s       a waits
        0s       b asks
        0s       b waits
        0s       c asks
        0s       c waits
        0s       balance is preference-aware
        10s      balance: 3 of 3 who wait move: score 1.100 instead of 0.250 (error 0.85, output 3, 3 orders)
        10s      a is in r now, for waiting 0.01
        10s      a gets k.1: lease 2 until 30min10s
        10s      b is in q now, for waiting 0.01
        10s      b gets j.1: lease 3 until 30min10s
        10s      c is in q now, for waiting 0.01
        10s      c gets j.2: lease 4 until 30min10s
        10s      p: 0 waiting; 0 training, 0 idle, 0 busy, 0 paused, 0 coming; recommended none
        20s      balance: nobody waits who could move (error 0, output 0, 0 orders)
    "#]]
    .assert_eq(&tell(script, Registry::default()));
}
