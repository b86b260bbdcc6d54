//! Recovery: engine and directory as they were, from snapshot, facts and blobs. Decides nothing anew.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use muster_engine::engine::Engine;
use muster_engine::ids::WorkerId;
use muster_engine::policy::Registry;

use super::desk::{Desk, WorkerRecord};
use crate::access::{TokenId, TokenRecord};
use crate::directory::Directory;
use crate::frame;
use crate::journal::{JournalError, Key, Reader};
use crate::keys::{self, Sort};
use crate::snapshot;

/// The engine of everything durable.
pub fn engine(reader: &dyn Reader, seed: u64) -> Result<Engine, JournalError> {
    let restored =
        snapshot::load(reader)?.and_then(|bytes| Engine::restore(&bytes, Registry::default()).ok());
    let mut engine = restored.unwrap_or_else(|| Engine::new(seed));
    apply(reader, &mut engine)?;
    Ok(engine)
}

/// Applies the durable facts that the engine has not seen.
pub fn apply(reader: &dyn Reader, engine: &mut Engine) -> Result<(), JournalError> {
    let mut outcome = Ok(());
    reader.frames(engine.state().facts(), &mut |first, count, bytes| {
        let from = engine.state().facts();
        if first > from {
            outcome = Err(JournalError::Damaged { at: from, resumes: first });
            return ControlFlow::Break(());
        }
        outcome = frame::each(first, count, bytes, |number, fact| {
            if number >= from {
                engine.apply(&fact);
            }
        });
        if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    outcome
}

/// All blobs of a sort.
pub fn all(reader: &dyn Reader, sort: Sort) -> Result<Vec<(Key, Vec<u8>)>, JournalError> {
    let prefix = keys::only(sort);
    reader.range(&prefix, &keys::after(&prefix), usize::MAX)
}

/// A record in the server's own encoding.
pub fn record<T: serde::de::DeserializeOwned>(key: &[u8], bytes: &[u8]) -> Result<T, JournalError> {
    postcard::from_bytes(bytes)
        .map_err(|_| JournalError::Failed(format!("the record {} on disk is damaged", key.escape_ascii())))
}

/// A worker's record; one of before it was kept when a worker joined counts from the first fact.
pub fn worker(key: &[u8], bytes: &[u8]) -> Result<WorkerRecord, JournalError> {
    let of_before = |(token, name)| WorkerRecord { token, name, joined: 0 };
    record(key, bytes).or_else(|_| record::<(TokenId, String)>(key, bytes).map(of_before))
}

/// What the server says of a worker, there or gone.
pub fn there_or_gone(reader: &dyn Reader, id: WorkerId) -> Result<Option<WorkerRecord>, JournalError> {
    for key in [keys::worker(id), keys::one(Sort::Gone, id.0)] {
        if let Some(bytes) = reader.get(&key)? {
            return Ok(Some(worker(&key, &bytes)?));
        }
    }
    Ok(None)
}

/// What the keeper knew beside the engine, and the tokens there are.
pub fn desk(reader: &dyn Reader) -> Result<(Desk, Vec<(TokenId, TokenRecord)>), JournalError> {
    let mut workers = HashMap::new();
    for (key, bytes) in all(reader, Sort::Worker)? {
        let kept = worker(&key, &bytes)?;
        workers.extend(keys::number(&key).map(|id| (WorkerId(id), kept.token)));
    }
    let mut tokens = Vec::new();
    for (key, bytes) in all(reader, Sort::Token)? {
        let kept: TokenRecord = record(&key, &bytes)?;
        tokens.extend(keys::number(&key).map(|id| (TokenId(id), kept)));
    }
    // Workers and kept replies belong to tokens by number: one that was revoked must not come back as another.
    let kept =
        reader.get(&keys::one(Sort::NextToken, 0))?.and_then(|bytes| keys::number(&bytes)).unwrap_or(0);
    let next_token = TokenId(tokens.last().map_or(0, |(id, _)| id.0 + 1).max(kept));
    let directory = Arc::new(Directory::load(reader)?);
    let desk = Desk {
        directory,
        workers,
        next_token,
        waiting: HashMap::new(),
        watching: HashMap::new(),
        room: BTreeMap::new(),
    };
    Ok((desk, tokens))
}
