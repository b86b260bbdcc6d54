//! What a journal holds, checked from the file alone: every answer once, never more than wanted, paid as the ledger says, and
//! every decision as a fresh engine would make it again.

use std::collections::BTreeMap;
use std::path::Path;

use muster_engine::fact::{Body, Decision, Fact, Input, Verdict};
use muster_engine::ids::{JobId, TaskId, Token, WorkerId};
use muster_engine::money::Money;
use muster_engine::{Command, Engine};
use muster_server::journal::sqlite::SqliteJournal;
use muster_server::journal::{Journal, Reader};
use muster_server::keeper::{Limits, recover};
use muster_server::payload::{self, Answer};
use muster_server::{follow, keys};

/// An answer that was judged: who, what, whether it counts, what it was paid.
type Judged = (WorkerId, TaskId, Verdict, Money);

/// What a journal holds.
pub(crate) struct Books {
    pub(crate) facts: Vec<Fact>,
    /// By lease.
    pub(crate) answers: BTreeMap<u64, Answer>,
    /// Slots of each task, by job.
    pub(crate) jobs: BTreeMap<JobId, u8>,
    judged: BTreeMap<u64, Judged>,
    paid: Money,
    seed: u64,
}

impl Books {
    /// Reads a file that no server has.
    pub(crate) fn read(data: &Path) -> Self {
        let journal = SqliteJournal::open(data, 0).expect("a journal");
        assert_eq!(journal.mended(), None, "a killed process damages nothing");
        let reader = journal.reader();
        let facts = follow::some(&*reader, 0, usize::MAX).expect("facts");
        let facts: Vec<Fact> = facts.into_iter().map(|(_, fact)| fact).collect();
        let engine = recover::engine(&*reader, journal.seed()).expect("an engine");
        let paid = engine.state().books().answers;
        let (jobs, judged) = (jobs(&facts), judged(&facts));
        Self { facts, answers: answers(&*reader), jobs, judged, paid, seed: journal.seed() }
    }

    /// Answers and facts are of the same things, no task has more than it wants, and the ledger is their sum.
    pub(crate) fn check(&self) {
        assert_eq!(self.answers.len(), self.judged.len(), "an answer for each judgement");
        let mut accepted: BTreeMap<TaskId, u8> = BTreeMap::new();
        let mut paid = Money::ZERO;
        for (lease, (worker, task, verdict, pay)) in &self.judged {
            let kept = self.answers.get(lease).expect("what was judged is kept");
            assert_eq!(
                (kept.worker, kept.task, kept.verdict, kept.pay),
                (*worker, task.index, *verdict, *pay)
            );
            if *verdict != Verdict::LateKept {
                *accepted.entry(*task).or_default() += 1;
            }
            paid += *pay;
        }
        for (task, n) in accepted {
            assert!(n <= self.jobs[&task.job], "{task} has {n} answers");
        }
        assert_eq!(self.paid, paid, "the ledger is the sum of the answers");
    }

    /// The inputs, fed to a fresh engine, lead to the same decisions, fact for fact. Returns how many decisions there were.
    pub(crate) fn audit(&self) -> usize {
        let mut engine = Engine::new(self.seed);
        engine.limit_tasks_per_job(Limits::default().tasks_per_job);
        let mut again: Vec<Fact> = Vec::with_capacity(self.facts.len());
        for fact in &self.facts {
            let Body::Input(input) = &fact.body else { continue };
            let command = Command::recorded_as(input, engine.state());
            let begun = again.len();
            assert_eq!(self.facts.get(begun), Some(fact), "fact {begun} is the input that comes next");
            engine.handle(fact.at, command, &mut again).expect("what was accepted is accepted again");
            for (number, fact) in again.iter().enumerate().skip(begun) {
                assert_eq!(Some(fact), self.facts.get(number), "fact {number}");
            }
        }
        assert_eq!(again.len(), self.facts.len());
        again.iter().filter(|fact| matches!(fact.body, Body::Decision(_))).count()
    }
}

fn jobs(facts: &[Fact]) -> BTreeMap<JobId, u8> {
    let submitted = |fact: &Fact| match &fact.body {
        Body::Input(Input::JobSubmitted(job, spec)) => Some((*job, spec.slots)),
        _ => None,
    };
    facts.iter().filter_map(submitted).collect()
}

fn judged(facts: &[Fact]) -> BTreeMap<u64, Judged> {
    let mut found = BTreeMap::new();
    for fact in facts {
        if let Body::Decision(Decision::Judged { worker, token: Token(lease), task, verdict, pay }) =
            &fact.body
        {
            let before = found.insert(*lease, (*worker, *task, *verdict, *pay));
            assert_eq!(before, None, "lease {lease} is judged once");
        }
    }
    found
}

fn answers(reader: &dyn Reader) -> BTreeMap<u64, Answer> {
    let prefix = keys::only(keys::Sort::Answers);
    let blobs = reader.range(&prefix, &keys::after(&prefix), usize::MAX).expect("blobs");
    let mut found = BTreeMap::new();
    for answer in blobs.iter().flat_map(|(_, bytes)| payload::answers(bytes).expect("answers")) {
        assert!(found.insert(answer.token.0, answer).is_none(), "an answer is kept once");
    }
    found
}
