//! What is read from tables of many makes, and that no row is lost without a word.

use super::*;
use crate::upload::Failure;
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn read(text: &str, map: &str) -> Result<Trace, String> {
    let map = ColumnMap::parse(map)?;
    Trace::read_table("t.csv", text.as_bytes(), &map).map_err(|failure| match failure {
        Failure::Refused(refusals) => refusals.to_string(),
        Failure::Reading(error) => error.to_string(),
    })
}

fn show(trace: &Trace) -> String {
    let mut out = format!("{:?}, {} rows\n", trace.shape, trace.rows);
    let name = |names: &Names, at: Option<usize>| at.map_or("-".to_owned(), |at| names.list()[at].clone());
    for it in &trace.assignments {
        let (job, app) = (name(&trace.jobs, it.job), name(&trace.apps, it.app));
        let (start, work) = (it.start.map(|at| at.0 / 1_000_000_000), it.work.map(|work| work.to_string()));
        let worker = &trace.workers.list()[it.worker];
        out += &format!("{}: {worker} {job} {app} {start:?} {work:?} {:?}\n", it.line, it.outcome);
    }
    trace
        .arrivals
        .iter()
        .for_each(|it| out += &format!("{}: {} tasks for {} at {}\n", it.line, it.tasks, it.slots, it.at));
    trace
        .calls
        .iter()
        .for_each(|it| out += &format!("{}: {} waits {} then {:?}\n", it.line, it.at, it.wait, it.service));
    trace.sessions.iter().for_each(|it| out += &format!("{}: {} for {}\n", it.line, it.start, it.length));
    trace.odd.iter().for_each(|odd| {
        out += &format!("odd {}: {} ({})\n", odd.line, odd.what, if odd.kept { "kept" } else { "left out" });
    });
    out
}

fn check(text: &str, map: &str, expect: &Expect) {
    expect.assert_eq(&read(text, map).map_or_else(|refused| refused, |trace| show(&trace)));
}

#[test]
fn assignments_of_every_make() {
    check(
        "HITId,HITTypeId,Title,CreationTime,WorkerId,AcceptTime,SubmitTime,WorkTimeInSeconds,Input.x\n\
         h1,t1,Cats,Fri Sep 22 06:40:00 PDT 2017,W1,Fri Sep 22 06:40:57 PDT 2017,Fri Sep 22 06:41:57 PDT 2017,60,\"a,b\"\n",
        "",
        &expect![[r#"
            Assignments, 1 rows
            2: W1 t1 Cats Some(1506087657) Some("1 min") Answered
        "#]],
    );
    check(
        "_unit_id,_created_at,_started_at,_worker_id\n1,6/27/2014 14:49:50,6/27/2014 14:47:53,7\n",
        "",
        &expect![[r#"
            Assignments, 1 rows
            2: 7 - - Some(1403880473) Some("1 min 57 s") Answered
        "#]],
    );
    check(
        "run,seq,kind,worker,batch,task,work_s,submit_s\nr1,1,answer,w1,3,308,44,\nr1,2,batch_skip,w1,3,,,\n",
        "",
        &expect![[r#"
            Assignments, 2 rows
            2: w1 r1/3 - None Some("44 s") Answered
            3: w1 r1/3 - None None JobSkipped
        "#]],
    );
    check(
        "who,begin,end\nann,10,12.5\n",
        "worker=who, start=begin, submit=end",
        &expect![[r#"
        Assignments, 1 rows
        2: ann - - Some(10) Some("2.5 s") Answered
    "#]],
    );
}

#[test]
fn odd_rows_are_named() {
    check(
        "worker,job,start_s,submit_s,work_s\n\
         w1,j,100,90,5\n\
         ,j,1,2,1\n\
         w2,j,soon,2,1\n\
         w3,j\n\
         w4,j,100,110,50\n\
         w5,j,100,,\n\
         w6,j,1,2,\"1\n\
         w7,j,1,2,1\"\n\
         w8,j,5\" x,2,1\n",
        "",
        &expect![[r#"
            Assignments, 8 rows
            6: w4 j - Some(100) Some("50 s") Answered
            7: w5 j - Some(100) None Answered
            odd 2: submit is before start (left out)
            odd 3: worker is empty (left out)
            odd 4: start is 'soon'; allowed is seconds (also since 1970), 2014-01-13T20:40:03Z, 6/27/2014 14:49:50, or Fri Sep 22 06:40:57 PDT 2017 (left out)
            odd 5: the header has 5 columns, this row 2 (left out)
            odd 6: work is 50 s, and from start to submit it is 10 s (kept)
            odd 7: how long it took is not said (kept)
            odd 8: work is '1 w7,j,1,2,1'; allowed is seconds, such as 12.5, or a length of time, such as 2 min (left out)
            odd 10: row 8: a quote is not closed; a quote within a field is written twice, and the field in quotes (left out)
        "#]],
    );
}

#[test]
fn arrivals_calls_and_sessions() {
    check(
        "batch,task_class,num_tasks,repetition,gap_after_s,arrival_s\n1,tag,17,3,101,0\n2,tag,x,3,1,101\n",
        "",
        &expect![[r#"
            Arrivals, 2 rows
            2: 17 tasks for 3 at 0 s
            odd 3: tasks is 'x'; allowed is a whole number (left out)
        "#]],
    );
    check(
        "arrival,wait,outcome,service\n0,5,served,60\n1,9.5,HANG,\n2,1,agent,\n3,1,maybe,1\n",
        "",
        &expect![[r#"
            Calls, 4 rows
            2: 0 s waits 5 s then Some(Span(60000000000))
            3: 1 s waits 9.5 s then None
            odd 4: it was served, and for how long is not said (left out)
            odd 5: outcome is 'maybe'; allowed is served or abandoned (also agent or hang) (left out)
        "#]],
    );
    check(
        "arrival,wait,abandoned,service\n0,5,no,60\n1,9,1,0\n",
        "",
        &expect![[r#"
        Calls, 2 rows
        2: 0 s waits 5 s then Some(Span(60000000000))
        3: 1 s waits 9 s then None
    "#]],
    );
    check(
        "arrival,wait,service\n0,5,60\n1,9,\n",
        "",
        &expect![[r#"
        Calls, 2 rows
        2: 0 s waits 5 s then Some(Span(60000000000))
        3: 1 s waits 9 s then None
    "#]],
    );
    check(
        "run,worker,session_start_s,session_len_s\nr,w,10,20\n",
        "",
        &expect![[r#"
        Sessions, 1 rows
        2: 10 s for 20 s
    "#]],
    );
    check(
        "job,requester\nj,me\n",
        "",
        &expect![[r#"
        Side, 1 rows
    "#]],
    );
}

#[test]
fn wrong_maps_and_empty_files_are_refused() {
    check(
        "who,begin\na,1\n",
        "worker=whom",
        &expect![[r#"
        there is no column 'whom' for worker (did you mean 'who'?); there are who, begin
         --> t.csv:1"#]],
    );
    check(
        "who\n",
        "wroker=who",
        &expect![
            "there is no field 'wroker' (did you mean 'worker'?); there are worker, job, app, created, start, submit, work, outcome, abandoned, run, arrival, tasks, slots, wait, service, session_start, session_length"
        ],
    );
    check("who\n", "worker", &expect!["'worker' is not written as field=column, such as worker=WorkerId"]);
    check(
        "",
        "",
        &expect![[r#"
        there is no header in the file
         --> t.csv:1"#]],
    );
}

#[test]
fn stays_are_put_together_from_assignments() {
    let text = "worker,job,start,submit\nw,a,0,10\nw,a,12,20\nw,b,21,30\nv,a,5,6\nw,a,100,110\nw,a,105,108\n";
    let trace = read(text, "").unwrap();
    let shown = |sessions: Vec<Session>| -> Vec<(usize, Option<usize>, u64, u64, u32)> {
        let secs = |nanos: u64| nanos / 1_000_000_000;
        let one = |it: &Session| (it.worker, it.job, secs(it.start.0), secs(it.length.0), it.assignments);
        sessions.iter().map(one).collect()
    };
    assert_eq!(
        shown(trace.sessions_within(Span::from_secs(30))),
        [(0, Some(0), 0, 20, 2), (0, Some(0), 100, 10, 2), (0, Some(1), 21, 9, 1), (1, Some(0), 5, 1, 1)]
    );
    assert_eq!(
        shown(trace.stays_within(Span::from_secs(30))),
        [(0, None, 0, 30, 3), (0, None, 100, 10, 2), (1, None, 5, 1, 1)]
    );
}

#[test]
fn clamshell_s_lists() {
    let text = r#"{"recruitments": [65.5, 8], "task_lens": [1.5, -1, "x"], "pool_tenures": [], "more": 1}"#;
    let trace = Trace::read_clamshell("c.json", text).unwrap();
    assert_eq!((trace.recruitments.len(), trace.works.len(), trace.stays.len(), trace.rows), (2, 1, 0, 5));
    expect![[r#"
        Clamshell, 5 rows
        odd 0: task_lens[1] is -1, not a number of seconds from 0 to 3200000000 (left out)
        odd 0: task_lens[2] is "x", not a number of seconds from 0 to 3200000000 (left out)
        odd 0: 'more' is none of the three lists (left out)
    "#]]
    .assert_eq(&show(&trace));
    expect![[r#"
        recruitments is no list; allowed is a list of seconds that workers took to come
         --> c.json

        task_lens is missing; it is a list of seconds that tasks took
         --> c.json

        pool_tenures is missing; it is a list of seconds that workers stayed
         --> c.json"#]]
    .assert_eq(&Trace::read_clamshell("c.json", r#"{"recruitments": 3}"#).unwrap_err().to_string());
    expect![[r#"
        this is not an object of JSON: expected value
         --> c.json:2:6
          |
        2 | "a": }
          |      ^"#]]
    .assert_eq(&Trace::read_clamshell("c.json", "{\n\"a\": }").unwrap_err().to_string());
}

#[test]
fn our_own_facts() {
    use muster_engine::ids::{AppId, KindId, PoolId, TenantId, Token, WorkerId};
    use muster_engine::money::Money;
    use muster_engine::spec::{AppSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, WorkerSpec};
    use muster_engine::{Command, Engine, fact::Fact};
    let mut facts: Vec<Fact> = Vec::new();
    let mut engine = Engine::new(1);
    let worker = || Command::Join(Box::new(WorkerSpec::of(PoolId(0), KindId(0))));
    let commands = [
        Command::AddTenant(TenantSpec::default()),
        Command::AddApp(AppSpec::default()),
        Command::AddKind(KindSpec::person(Money::ZERO)),
        Command::AddPool(Box::new(PoolSpec::serving(&[AppId(0)]))),
        Command::Submit(Box::new(JobSpec::batch(TenantId(0), AppId(0), 3))),
        worker(),
        Command::Ask(WorkerId(0)),
        Command::Answer(WorkerId(0), Token(0)),
        Command::Ask(WorkerId(0)),
        Command::SkipTask(WorkerId(0), Token(1)),
        Command::Leave(WorkerId(0)),
        worker(),
        Command::Ask(WorkerId(1)),
        Command::Leave(WorkerId(1)),
        worker(),
        Command::Ask(WorkerId(2)),
        Command::CancelJob(muster_engine::ids::JobId(0)),
        Command::Submit(Box::new(JobSpec::batch(TenantId(0), AppId(0), 1))),
        Command::Ask(WorkerId(2)),
    ];
    for (second, command) in (0..).zip(commands) {
        engine.handle(Time(second * 1_000_000_000), command, &mut facts).unwrap();
    }
    let mut own = OwnFacts::new();
    (0..).zip(&facts).for_each(|(number, fact)| own.add(number, fact));
    let trace = own.finish();
    assert_eq!(trace.rows, facts.len() as u64);
    expect![[r#"
        Facts, 28 rows
        10: worker 0 job 0 app 0 Some(6) Some("1 s") Answered
        13: worker 0 job 0 app 0 Some(8) Some("1 s") TaskSkipped
        20: worker 1 job 0 app 0 Some(12) Some("1 s") Returned
        25: worker 2 job 0 app 0 Some(15) Some("1 s") Withdrawn
        5: 3 tasks for 1 at 4 s
        26: 1 tasks for 1 at 17 s
        6: 5 s for 5 s
        16: 11 s for 2 s
        odd 21: worker 2 is still there at the end (left out)
        odd 0: worker 2 still holds lease 4 at the end (left out)
    "#]]
    .assert_eq(&show(&trace));
}

proptest! {
    /// Every row is in the trace or among the odd ones, whatever stands in it.
    #[test]
    fn no_row_is_lost(rows in prop::collection::vec("(w1|w2|),(j|),(1|20|x|),(30|5|),(10|-|)(,x)?", 0..12)) {
        let text = format!("worker,job,start,submit,work\n{}\n", rows.join("\n"));
        let trace = read(&text, "").unwrap();
        let left_out = trace.odd.iter().filter(|odd| !odd.kept).count();
        prop_assert_eq!(trace.assignments.len() + left_out, rows.len());
        prop_assert_eq!(trace.rows, rows.len() as u64);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,60}|(worker|start|submit|wait|arrival|[,\n\"0-9])*") {
        let _ = read(&text, "");
        let _ = Trace::read_clamshell("x", &text);
    }
}
