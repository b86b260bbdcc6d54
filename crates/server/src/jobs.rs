//! Jobs as they are kept: a record for each, its payloads, how it ended. Does not know HTTP.
//!
//! The engine forgets a job when it is over; the record and the answers stay. Start at [`submit`].

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_engine::ids::{JobId, TenantId};
use muster_engine::money::Money;
use muster_engine::spec::JobSpec;
use muster_engine::{Command, Reply, Time};
use serde::{Deserialize, Serialize};

use crate::access::TokenId;
use crate::journal::Reader;
use crate::keeper::recover::record;
use crate::keeper::turn::Turn;
use crate::keys;
use crate::payload::{Chunk, Closing};
use crate::problem::{Answer, Problem};

/// A job's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRecord {
    /// What it is called.
    pub name: String,
    /// Who submitted it.
    pub by: TokenId,
    /// When.
    pub submitted: Time,
    /// How many tasks it has.
    pub tasks: u32,
    /// How many answers each needs.
    pub slots: u8,
    /// What an answer is worth.
    pub price: Money,
}

/// A job that is to be submitted: what the engine is told, and what it is not.
#[derive(Debug)]
pub struct Submission {
    /// What the engine is told.
    pub spec: JobSpec,
    /// What it is called.
    pub name: String,
    /// Who submits it.
    pub by: TokenId,
    /// The payloads, in chunks.
    pub chunks: Vec<(u32, Chunk)>,
    /// The upload that they were staged as, if they are not here.
    pub staged: Option<u64>,
    /// The page that workers see in place of their app's; it can be parsed, and the payloads have what it shows.
    pub template: Option<String>,
}

/// Submits a job whole or not at all.
pub fn submit(turn: &mut Turn<'_>, submission: Submission) -> Answer<JobId> {
    let Submission { spec, name, by, chunks, staged, template } = submission;
    let (tenant, tasks, slots, price) = (spec.tenant, spec.work.len(), spec.slots, spec.price);
    turn.check_room(tenant, tasks as u64).map_err(|room| {
        let most = turn.limits().tasks_per_tenant;
        Problem::too_many(
            format!("{tasks} tasks are too many: there may be {most} at once, and there is room for {room}"),
            10,
        )
    })?;
    let Reply::Job(job) = turn.command(Command::Submit(Box::new(spec)))? else {
        unreachable!("it makes a job")
    };
    turn.use_room(tenant, tasks as u64);
    let tasks = u32::try_from(tasks).unwrap_or(u32::MAX);
    let record = JobRecord { name, by, submitted: turn.now(), tasks, slots, price };
    turn.put_record(keys::job(tenant, job), &record);
    if let Some(upload) = staged {
        turn.put(keys::named(keys::Sort::StagedAs, &job.0.to_be_bytes()), upload.to_be_bytes().to_vec());
    }
    if let Some(template) = template {
        turn.put(keys::template(job), template.into_bytes());
    }
    for (first, chunk) in chunks {
        let (shared, chunk) = (Arc::clone(turn.shared()), Arc::new(chunk));
        turn.put(keys::payload(job, first), chunk.bytes().to_vec());
        turn.after(move || shared.cache.keep(job, first, chunk));
    }
    Ok(job)
}

/// A tenant's job, if there is one.
pub fn find(reader: &dyn Reader, tenant: TenantId, job: JobId) -> Answer<Option<JobRecord>> {
    let key = keys::job(tenant, job);
    let bytes = reader.get(&key)?;
    Ok(bytes.map(|bytes| record(&key, &bytes)).transpose()?)
}

/// How a job ended, if it has.
pub fn closing(reader: &dyn Reader, job: JobId) -> Answer<Option<Closing>> {
    let key = keys::closing(job);
    let bytes = reader.get(&key)?;
    Ok(bytes.map(|bytes| record(&key, &bytes)).transpose()?)
}

/// The page that a job's workers see in place of their app's, if it has one.
pub fn template(reader: &dyn Reader, job: JobId) -> Answer<Option<String>> {
    let bytes = reader.get(&keys::template(job))?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// A tenant's jobs from a number on, in order.
pub fn list(
    reader: &dyn Reader,
    tenant: TenantId,
    from: JobId,
    most: usize,
) -> Answer<Vec<(JobId, JobRecord)>> {
    let end = keys::after(&keys::one(keys::Sort::Job, tenant.0));
    let found = reader.range(&keys::job(tenant, from), &end, most)?;
    let read = |(key, bytes): (Vec<u8>, Vec<u8>)| {
        let id = JobId(keys::large_number(&key).unwrap_or_default());
        Ok((id, record(&key, &bytes)?))
    };
    found.into_iter().map(read).collect()
}

/// A job with whose it is.
pub type Found = (TenantId, JobId, JobRecord);

/// The latest jobs of these tenants with numbers below `before`, the last first.
pub fn latest(reader: &dyn Reader, tenants: &[TenantId], before: JobId, most: usize) -> Answer<Vec<Found>> {
    let last = |tenant: TenantId, before: JobId| -> Answer<Option<Found>> {
        let Some(until) = before.0.checked_sub(1) else { return Ok(None) };
        let Some((key, bytes)) =
            reader.last(&keys::job(tenant, JobId(0)), &keys::job(tenant, JobId(until)))?
        else {
            return Ok(None);
        };
        let id = JobId(keys::large_number(&key).unwrap_or_default());
        Ok(Some((tenant, id, record(&key, &bytes)?)))
    };
    // The last of each tenant; whichever is taken makes room for the one before it.
    let mut next: BTreeMap<JobId, Found> = BTreeMap::new();
    for tenant in tenants {
        next.extend(last(*tenant, before)?.map(|found| (found.1, found)));
    }
    let mut out = Vec::new();
    while let (true, Some((_, found))) = (out.len() < most, next.pop_last()) {
        next.extend(last(found.0, found.1)?.map(|found| (found.1, found)));
        out.push(found);
    }
    Ok(out)
}
