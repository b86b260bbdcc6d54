//! The names of blobs: one letter for what it is, then numbers that sort as bytes do. Knows nothing of what is in a blob.

use muster_engine::ids::{JobId, PoolId, TenantId, WorkerId};

use crate::journal::Key;

/// What a blob is. A letter is never used for something else later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Sort {
    /// A job's answers, by job and number of the first answer's fact.
    Answers = b'A',
    /// How a job ended, by job.
    Closing = b'C',
    /// What the directory says of an app.
    App = b'a',
    /// What the directory says of a tenant.
    Tenant = b't',
    /// What the directory says of a pool.
    Pool = b'p',
    /// What the directory says of a kind.
    Kind = b'k',
    /// A reply to a request with an idempotency key, by that key's hash.
    Reply = b'I',
    /// The same replies by age.
    ReplyAge = b'i',
    /// A job's description, by tenant and job.
    Job = b'J',
    /// A join link.
    Link = b'L',
    /// The hash of the one-time link of the first start.
    Claim = b'l',
    /// Payloads of tasks, by job and first task.
    Payload = b'P',
    /// A piece of a snapshot, by position.
    Snapshot = b'S',
    /// A token.
    Token = b'T',
    /// A webhook, with its cursor.
    Hook = b'H',
    /// Where a follower of the facts stands.
    Cursor = b'c',
    /// What the server says of a worker.
    Worker = b'W',
    /// What the server says of a worker who is gone.
    Gone = b'w',
    /// Payloads of an upload that is staged, by upload and first task.
    Staged = b's',
    /// The upload that a job's payloads were staged as.
    StagedAs = b'U',
    /// Whose a client is.
    Client = b'n',
    /// Why a worker skipped something, by job and fact number.
    Skip = b'K',
    /// The dispatch policy that a pool has had since a fact number.
    PolicySince = b'y',
    /// A recruit order that a recruiter has seen to, by recruiter and fact number.
    SeenTo = b'x',
    /// The page that a job's workers see in place of their app's, by job.
    Template = b'M',
    /// An upload that waits to be submitted, by upload.
    Draft = b'D',
    /// A process that a recruiter started, by its token.
    Process = b'R',
    /// The number that the next token gets: a number is never used again, also after its token was revoked.
    NextToken = b'N',
}

/// The name of a blob that is the only one of its sort.
#[must_use]
pub fn only(sort: Sort) -> Key {
    vec![sort as u8]
}

/// A name with a number.
#[must_use]
pub fn one(sort: Sort, number: u32) -> Key {
    let mut key = only(sort);
    key.extend_from_slice(&number.to_be_bytes());
    key
}

/// A name with bytes.
#[must_use]
pub fn named(sort: Sort, name: &[u8]) -> Key {
    let mut key = only(sort);
    key.extend_from_slice(name);
    key
}

/// A job's description.
#[must_use]
pub fn job(tenant: TenantId, job: JobId) -> Key {
    let mut key = one(Sort::Job, tenant.0);
    key.extend_from_slice(&job.0.to_be_bytes());
    key
}

/// How a job ended.
#[must_use]
pub fn closing(job: JobId) -> Key {
    named(Sort::Closing, &job.0.to_be_bytes())
}

/// The page that a job's workers see.
#[must_use]
pub fn template(job: JobId) -> Key {
    named(Sort::Template, &job.0.to_be_bytes())
}

/// An upload that waits to be submitted.
#[must_use]
pub fn draft(upload: u64) -> Key {
    named(Sort::Draft, &upload.to_be_bytes())
}

/// What the server says of a worker.
#[must_use]
pub fn worker(worker: WorkerId) -> Key {
    one(Sort::Worker, worker.0)
}

/// Payloads of a job's tasks, from this one on.
#[must_use]
pub fn payload(job: JobId, first: u32) -> Key {
    let mut key = named(Sort::Payload, &job.0.to_be_bytes());
    key.extend_from_slice(&first.to_be_bytes());
    key
}

/// A job's answers, the first of them in this fact.
#[must_use]
pub fn answers(job: JobId, number: u64) -> Key {
    let mut key = named(Sort::Answers, &job.0.to_be_bytes());
    key.extend_from_slice(&number.to_be_bytes());
    key
}

/// Payloads of an upload, from this task on.
#[must_use]
pub fn staged(upload: u64, first: u32) -> Key {
    let mut key = named(Sort::Staged, &upload.to_be_bytes());
    key.extend_from_slice(&first.to_be_bytes());
    key
}

/// Why something of a job was skipped, as said with this fact.
#[must_use]
pub fn skip(job: JobId, number: u64) -> Key {
    let mut key = named(Sort::Skip, &job.0.to_be_bytes());
    key.extend_from_slice(&number.to_be_bytes());
    key
}

/// The dispatch policy of a pool since a fact.
#[must_use]
pub fn policy_since(pool: PoolId, number: u64) -> Key {
    let mut key = one(Sort::PolicySince, pool.0);
    key.extend_from_slice(&number.to_be_bytes());
    key
}

/// The range of all names that begin with `prefix`: from it, up to what is returned.
#[must_use]
pub fn after(prefix: &[u8]) -> Key {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < u8::MAX {
            end.push(last + 1);
            return end;
        }
    }
    vec![u8::MAX; 64]
}

/// The number at the end of a name.
#[must_use]
pub fn number(key: &[u8]) -> Option<u32> {
    key.last_chunk::<4>().map(|bytes| u32::from_be_bytes(*bytes))
}

/// The large number at the end of a name.
#[must_use]
pub fn large_number(key: &[u8]) -> Option<u64> {
    key.last_chunk::<8>().map(|bytes| u64::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_their_numbers_do() {
        assert!(payload(JobId(1), 300) < payload(JobId(1), 70_000));
        assert!(payload(JobId(1), 70_000) < payload(JobId(2), 0));
        assert!(payload(JobId(2), 9) < after(&only(Sort::Payload)));
        assert_eq!(after(&[1, 255]), [2]);
        assert_eq!(number(&payload(JobId(2), 9)), Some(9));
        assert_eq!(large_number(&answers(JobId(2), 9)), Some(9));
    }
}
