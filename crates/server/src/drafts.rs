//! Drafts: uploads that were read and staged whole, and wait until somebody submits or discards them.
//!
//! Between the two a requester looks at the rows, writes the page that workers see, and says what an answer is worth. A draft is
//! deleted when it is submitted, discarded, or too old; then its payloads belong to a job or are deleted too. Does not know HTTP.
//! Start at [`keep`] and [`submit`].

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use muster_engine::Span;
use muster_engine::Time;
use muster_engine::ids::{AppId, JobId, TenantId};
use muster_formats::template::Template;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::http::Server;
use crate::jobs::{self, Submission};
use crate::journal::Reader;
use crate::keeper::recover;
use crate::keeper::turn::Turn;
use crate::keys::{self, Sort};
use crate::once::{self, Once};
use crate::payload;
use crate::problem::{Answer, Problem};
use crate::staging::{self, Stage};

/// A draft that nobody submitted is deleted after so long.
pub const KEPT: Span = Span::from_hours(72);
/// So many drafts a tenant may have.
pub const DRAFTS_MOST: usize = 20;
/// After so many rows that a page does not fit, the others are not looked at.
const MISFITS_MOST: usize = 100;

/// An upload that waits to be submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Whose it is.
    pub tenant: TenantId,
    /// The type of its tasks.
    pub app: AppId,
    /// What the job will be called.
    pub name: String,
    /// What the file was called.
    pub file: String,
    /// When it was uploaded.
    pub made: Time,
    /// How many tasks there are.
    pub tasks: u32,
    /// The inputs that some task has, in the order in which they were first seen.
    pub inputs: Vec<String>,
    /// The inputs that every task has.
    pub always: Vec<String>,
    /// Columns that were ignored, and why.
    pub ignored: Vec<String>,
}

/// The inputs that every row has, while rows are read.
#[derive(Clone, Debug, Default)]
pub struct Always(Option<BTreeSet<String>>);

impl Always {
    /// One more row.
    pub fn see(&mut self, payload: &[u8]) {
        let row: std::collections::BTreeMap<String, IgnoredAny> =
            serde_json::from_slice(payload).unwrap_or_default();
        match &mut self.0 {
            None => self.0 = Some(row.into_keys().collect()),
            Some(all) => all.retain(|name| row.contains_key(name)),
        }
    }

    /// Those of them, in the order of `inputs`.
    #[must_use]
    pub fn of(&self, inputs: &[String]) -> Vec<String> {
        let has = |name: &&String| self.0.as_ref().is_some_and(|all| all.contains(*name));
        inputs.iter().filter(has).cloned().collect()
    }
}

/// Refuses one more draft than there may be; also deletes those that are too old.
pub async fn check_room(server: &Server, tenant: TenantId) -> Answer<()> {
    sweep(server).await?;
    let n = server.read(move |reader| list(reader, |draft| draft.tenant == tenant)).await?.len();
    if n < DRAFTS_MOST {
        return Ok(());
    }
    let detail = format!(
        "{n} uploads wait to be submitted, and there may be {DRAFTS_MOST}; submit or discard one first"
    );
    Err(Problem::conflict(detail))
}

/// Keeps a staged upload as a draft; its number.
pub async fn keep(server: &Server, mut stage: Stage, draft: Draft) -> Answer<u64> {
    let upload = stage.settle().await?;
    let put = move |turn: &mut Turn<'_>| {
        turn.put_record(keys::draft(upload), &draft);
        Ok(upload)
    };
    let kept = server.turn(put).await?;
    stage.keep();
    Ok(kept)
}

/// A draft, if it is there.
pub fn find(reader: &dyn Reader, upload: u64) -> Answer<Option<Draft>> {
    let key = keys::draft(upload);
    let bytes = reader.get(&key)?;
    Ok(bytes.map(|bytes| recover::record(&key, &bytes)).transpose()?)
}

/// The drafts that are wanted, with their numbers, the latest first.
pub fn list(reader: &dyn Reader, wanted: impl Fn(&Draft) -> bool) -> Answer<Vec<(u64, Draft)>> {
    let mut found = Vec::new();
    for (key, bytes) in recover::all(reader, Sort::Draft)? {
        let draft: Draft = recover::record(&key, &bytes)?;
        if wanted(&draft) {
            found.push((keys::large_number(&key).unwrap_or_default(), draft));
        }
    }
    found.sort_by_key(|(upload, draft)| (std::cmp::Reverse(draft.made), *upload));
    Ok(found)
}

/// Tasks of a draft, from a place on.
pub fn rows(reader: &dyn Reader, upload: u64, from: u32, most: usize) -> Answer<Vec<Map<String, Value>>> {
    let mut found = Vec::new();
    payload::each_staged(reader, upload, from, |_, payload| {
        if found.len() < most {
            found.push(serde_json::from_slice(payload).unwrap_or_default());
        }
        if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(found)
}

/// What a page shows that tasks do not have, in words: by row where only some rows lack it. Empty if it fits.
pub fn misfits(reader: &dyn Reader, upload: u64, draft: &Draft, template: &Template) -> Answer<Vec<String>> {
    let fit = template.fit(&draft.inputs);
    let near = |near: &Option<String>| {
        near.as_ref().map(|near| format!(" ('{near}' comes near)")).unwrap_or_default()
    };
    let mut found: Vec<String> = fit
        .missing
        .iter()
        .map(|(name, nearest)| {
            format!("the page shows ${{{name}}}, and no row has '{name}'{}", near(nearest))
        })
        .collect();
    let some: Vec<&String> = template
        .variables()
        .iter()
        .filter(|name| draft.inputs.contains(name) && !draft.always.contains(name))
        .collect();
    if some.is_empty() {
        return Ok(found);
    }
    payload::each_staged(reader, upload, 0, |index, payload| {
        let row: Map<String, Value> = serde_json::from_slice(payload).unwrap_or_default();
        let lacks = some.iter().filter(|name| !row.contains_key(**name));
        found.extend(
            lacks.map(|name| {
                format!("row {}: '{name}' is missing, and the page shows it", u64::from(index) + 1)
            }),
        );
        if found.len() < MISFITS_MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    found.truncate(MISFITS_MOST);
    Ok(found)
}

/// Submits a draft, whole and once; it is a draft no longer.
pub async fn submit(server: &Server, upload: u64, submission: Submission, once: Once) -> Answer<JobId> {
    let work = move |turn: &mut Turn<'_>| {
        once::run(turn, Some(once), |turn| {
            if turn.get(&keys::draft(upload))?.is_none() {
                return Err(gone());
            }
            let job = jobs::submit(turn, submission)?;
            turn.delete(keys::draft(upload));
            Ok(job.0)
        })
    };
    server.turn(work).await.map(JobId)
}

/// What is said of a draft that is no longer there.
#[must_use]
pub fn gone() -> Problem {
    Problem::not_found("such upload; it was submitted, discarded, or waited for too long")
}

/// Deletes a draft and its payloads.
pub async fn discard(server: &Server, upload: u64) -> Answer<()> {
    let delete = move |turn: &mut Turn<'_>| {
        let was_there = turn.get(&keys::draft(upload))?.is_some();
        turn.delete(keys::draft(upload));
        Ok(was_there)
    };
    // Of two who discard, or one who submits meanwhile, only the first finds the draft: payloads of a job are never deleted.
    if server.turn(delete).await? { staging::discard(server, upload).await } else { Ok(()) }
}

/// Deletes drafts that are too old.
pub async fn sweep(server: &Server) -> Answer<()> {
    let now = server.keeper.shared.clock.now();
    let old = move |reader: &dyn Reader| list(reader, |draft| draft.made + KEPT < now);
    for (upload, _) in server.read(old).await? {
        discard(server, upload).await?;
    }
    Ok(())
}
