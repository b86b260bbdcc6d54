//! Facts come back as they were, and damaged lines are named.

use super::*;
use expect_test::{Expect, expect};
use muster_engine::fact::{Assessment, Decision};
use muster_engine::ids::{AppId, JobId, PoolId, TaskId, TenantId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::policy::Family;
use muster_engine::spec::{AppSpec, JobSpec, KindSpec, PoolSpec, TenantSpec, WorkerSpec};
use muster_engine::{Command, Engine};
use proptest::prelude::*;

/// The facts of a small day.
fn day() -> Vec<Fact> {
    let mut engine = Engine::new(7);
    let mut facts: Vec<Fact> = Vec::new();
    let commands = [
        Command::AddTenant(TenantSpec::default()),
        Command::AddApp(AppSpec::default()),
        Command::AddKind(KindSpec::person(Money::units(3))),
        Command::AddPool(Box::new(PoolSpec::serving(&[AppId(0)]))),
        Command::Submit(Box::new(JobSpec::batch(TenantId(0), AppId(0), 2))),
        Command::Join(Box::new(WorkerSpec::of(PoolId(0), muster_engine::ids::KindId(0)))),
        Command::Ask(WorkerId(0)),
        Command::Answer(WorkerId(0), Token(0)),
        Command::Wake,
        Command::Leave(WorkerId(0)),
    ];
    for (second, command) in (0..).zip(commands) {
        engine.handle(Time(second * 1_000_000_000), command, &mut facts).unwrap();
    }
    facts
}

fn text(facts: &[Fact]) -> String {
    (0..).zip(facts).map(|(number, fact)| line(number, fact) + "\n").collect()
}

fn read_all(text: &[u8], chunk: usize) -> Result<Vec<(u64, Fact)>, Refusals> {
    let (mut facts, mut all) = (Facts::new("facts.jsonl"), Vec::new());
    for part in text.chunks(chunk) {
        facts.feed(part, &mut |number, fact| all.push((number, fact)))?;
    }
    facts.finish(&mut |number, fact| all.push((number, fact)))?;
    Ok(all)
}

fn refused(text: &str, expect: &Expect) {
    expect.assert_eq(&read_all(text.as_bytes(), 5).unwrap_err().to_string());
}

#[test]
fn a_day_comes_back_and_rebuilds_the_engine() {
    let facts = day();
    let read = read_all(text(&facts).as_bytes(), 11).unwrap();
    assert_eq!(read, (0..).zip(facts.clone()).collect::<Vec<_>>());
    let rebuild = |facts: &mut dyn Iterator<Item = &Fact>| {
        let mut engine = Engine::new(7);
        facts.for_each(|fact| engine.apply(fact));
        engine.snapshot()
    };
    assert_eq!(rebuild(&mut read.iter().map(|(_, fact)| fact)), rebuild(&mut facts.iter()));
}

#[test]
fn a_line_reads_well() {
    let fact = Fact { at: Time(90_000_000_000), body: day()[6].body.clone() };
    expect![[r#"{"v":1,"number":12,"at":90000000000,"body":{"Input":{"Asked":0}}}"#]]
        .assert_eq(&line(12, &fact));
}

#[test]
fn damaged_lines_are_named() {
    let good = text(&day()[..2]);
    refused(
        &format!("{good}{}", &good[..40]),
        &expect![[r#"
        the line is cut off: EOF while parsing an object
         --> facts.jsonl:3:40
          |
        3 | {"v":1,"number":0,"at":0,"body":{"Input"
          |                                        ^"#]],
    );
    refused(
        &format!("{good}\n{{\"v\":1,\"number\":2,\"at\":0,\"body\":{{\"Input\":\"Sung\"}}}}\n"),
        &expect![[r#"
            this is not a fact: unknown variant `Sung`, expected one of `TenantSet`, `AppSet`, `KindSet`, `PoolSet`, `PolicySet`, `BalanceSet`, `ClientSet`, `ClientRemoved`, `JobSubmitted`, `JobCancelled`, `JobBudgetSet`, `JobPrioritySet`, `Joined`, `Asked`, `Answered`, `Returned`, `TaskSkipped`, `JobSkipped`, `Heard`, `Paused`, `Trained`, `Left`, `DrainAsked`, `RecruitAsked`, `RecruitFailed`, `MoveAsked`, `Woken`, `Resumed`
             --> facts.jsonl:4:47
              |
            4 | {"v":1,"number":2,"at":0,"body":{"Input":"Sung"}}
              |                                               ^"#]],
    );
    refused(
        &format!("{good}{{\"v\":2,\"number\":2,\"what\":1}}\n"),
        &expect![[r#"
        v is 2; allowed is 1: the line was written by a later release
         --> facts.jsonl:3:1
          |
        3 | {"v":2,"number":2,"what":1}
          | ^"#]],
    );
    refused(
        &format!("{good}{good}"),
        &expect![[r#"
        number is 0; allowed is 2, the one after the line before
         --> facts.jsonl:3"#]],
    );
    refused(
        "{\"v\":1,\"number\":0,\"at\":0,\"exact\":\"0x\"}",
        &expect![[r#"
        exact is not in hexadecimal digits
         --> facts.jsonl:1:1
          |
        1 | {"v":1,"number":0,"at":0,"exact":"0x"}
          | ^"#]],
    );
    refused(
        "{\"v\":1,\"number\":0,\"at\":0}",
        &expect![[r#"
        a fact stands either in body or in exact
         --> facts.jsonl:1:1
          |
        1 | {"v":1,"number":0,"at":0}
          | ^"#]],
    );
    assert!(read_all(b"\xff\n", 9).is_err());
}

fn evaluated(at: u64, numbers: [f64; 3], reason: &str) -> Fact {
    let [error, output, signal] = numbers;
    let assessment =
        Assessment { error, output, signals: vec![signal], reason: reason.to_owned(), draws: 1, orders: 0 };
    let body = Decision::Evaluated(PoolId(1), Family::Scaling, Box::new(assessment));
    Fact { at: Time(at), body: Body::Decision(body) }
}

#[test]
fn numbers_without_a_word_in_json_come_back() {
    let fact = evaluated(5, [f64::NAN, f64::NEG_INFINITY, -0.0], "null");
    let read = read_all(line(3, &fact).as_bytes(), 100).unwrap();
    assert_eq!(read[0].1.encode(), fact.encode());
}

proptest! {
    #[test]
    fn every_number_comes_back(at: u64, bits: [u64; 3], reason in "\\PC{0,9}") {
        let fact = evaluated(at, bits.map(f64::from_bits), &reason);
        let read = read_all(line(at, &fact).as_bytes(), 7).unwrap();
        prop_assert_eq!(read[0].0, at);
        prop_assert_eq!(read[0].1.encode(), fact.encode());
    }

    #[test]
    fn every_amount_comes_back(pay: i64, job: u64, index: u32, token: u64) {
        let body = Body::Decision(Decision::Judged {
            worker: WorkerId(index),
            token: Token(token),
            task: TaskId { job: JobId(job), index },
            verdict: muster_engine::fact::Verdict::LateKept,
            pay: Money(pay),
        });
        let fact = Fact { at: Time(token), body };
        prop_assert_eq!(&read_all(line(0, &fact).as_bytes(), 9).unwrap()[0].1, &fact);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), cut in 0_usize..200) {
        let _ = read_all(&bytes, 7);
        let text = text(&day()[..1]);
        let mut damaged = text.into_bytes();
        let at = cut % damaged.len();
        damaged[at] = damaged[at].wrapping_add(1);
        let _ = read_all(&damaged, 50);
    }
}
