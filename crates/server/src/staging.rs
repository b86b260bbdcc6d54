//! Staging: the payloads of an upload go to disk piece by piece while it is read, and belong to a job only at its end.
//!
//! An upload that ends badly, or whose client goes away, leaves nothing behind; what a crash left behind is deleted at the next
//! start. Invariant: staged payloads that a job or a draft points to are never deleted here.

use crate::http::Server;
use crate::journal::{JournalError, Key, Reader};
use crate::keeper::turn::Turn;
use crate::keys::{self, Sort};
use crate::payload;
use crate::problem::{Answer, Problem};

/// What is held in memory before it is staged, in bytes.
const HELD_MOST: usize = 1 << 20;
/// So many blobs are deleted at a time.
const DELETED_AT_ONCE: usize = 256;

/// An upload's payloads: the last ones in memory, the others staged.
pub struct Stage {
    server: Server,
    upload: u64,
    held: Vec<Vec<u8>>,
    held_bytes: usize,
    staged: u32,
    /// Whether they belong to a job.
    kept: bool,
}

impl Stage {
    /// Nothing yet.
    pub fn new(server: &Server) -> Answer<Self> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|error| JournalError::Failed(error.to_string()))?;
        let upload = u64::from_ne_bytes(bytes);
        Ok(Self { server: server.clone(), upload, held: Vec::new(), held_bytes: 0, staged: 0, kept: false })
    }

    /// One more payload.
    pub fn push(&mut self, payload: Vec<u8>) {
        self.held_bytes += payload.len();
        self.held.push(payload);
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.staged.saturating_add(u32::try_from(self.held.len()).unwrap_or(u32::MAX))
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Stages what is held, if it is much.
    pub async fn relieve(&mut self) -> Answer<()> {
        if self.held_bytes < HELD_MOST {
            return Ok(());
        }
        self.put().await
    }

    async fn put(&mut self) -> Answer<()> {
        let next = self.len();
        let held = std::mem::take(&mut self.held);
        let (upload, first) = (self.upload, std::mem::replace(&mut self.staged, next));
        self.held_bytes = 0;
        let put = move |turn: &mut Turn<'_>| {
            let slices: Vec<&[u8]> = held.iter().map(Vec::as_slice).collect();
            for (place, chunk) in payload::chunks(&slices) {
                turn.put(keys::staged(upload, first + place), chunk.bytes().to_vec());
            }
            Ok(())
        };
        self.server.turn(put).await
    }

    /// All of them, ready to belong to a job: in chunks if they are few, else as an upload that is staged whole.
    pub async fn finish(&mut self) -> Answer<(Vec<(u32, payload::Chunk)>, Option<u64>)> {
        if self.staged == 0 {
            let slices: Vec<&[u8]> = self.held.iter().map(Vec::as_slice).collect();
            return Ok((payload::chunks(&slices), None));
        }
        self.put().await?;
        Ok((Vec::new(), Some(self.upload)))
    }

    /// All of them on disk, however few; the upload that they are.
    pub async fn settle(&mut self) -> Answer<u64> {
        self.put().await?;
        Ok(self.upload)
    }

    /// They belong to a job now, or to a draft.
    pub fn keep(&mut self) {
        self.kept = true;
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if !self.kept && self.staged > 0 {
            let (server, upload) = (self.server.clone(), self.upload);
            // If the server stops first, the next start deletes them.
            runtime.spawn(async move { discard(&server, upload).await.unwrap_or_default() });
        }
    }
}

/// Deletes what was staged as an upload.
pub async fn discard(server: &Server, upload: u64) -> Answer<()> {
    let prefix = keys::named(Sort::Staged, &upload.to_be_bytes());
    loop {
        let (from, to) = (prefix.clone(), keys::after(&prefix));
        let names = move |reader: &dyn Reader| {
            let blobs = reader.range(&from, &to, DELETED_AT_ONCE)?;
            Ok(blobs.into_iter().map(|(key, _)| key).collect::<Vec<Key>>())
        };
        let names = server.read(names).await?;
        if names.is_empty() {
            return Ok(());
        }
        server
            .turn(move |turn| {
                names.into_iter().for_each(|key| turn.delete(key));
                Ok(())
            })
            .await?;
    }
}

/// Deletes what uploads left behind that never became jobs. Only before requests are taken.
pub async fn tidy(server: &Server) -> Answer<()> {
    crate::drafts::sweep(server).await?;
    for upload in server.read(left_behind).await? {
        discard(server, upload).await?;
    }
    Ok(())
}

/// Uploads that are staged and that no job and no draft points to.
fn left_behind(reader: &dyn Reader) -> Answer<Vec<u64>> {
    let pointers = crate::keeper::recover::all(reader, Sort::StagedAs).map_err(Problem::from)?;
    let drafts = crate::keeper::recover::all(reader, Sort::Draft).map_err(Problem::from)?;
    let of_jobs = pointers.iter().filter_map(|(_, value)| keys::large_number(value));
    let of_drafts = drafts.iter().filter_map(|(key, _)| keys::large_number(key));
    let kept: std::collections::BTreeSet<u64> = of_jobs.chain(of_drafts).collect();
    let (mut from, to) = (keys::only(Sort::Staged), keys::after(&keys::only(Sort::Staged)));
    let mut left = Vec::new();
    while let Some((key, _)) = reader.range(&from, &to, 1)?.into_iter().next() {
        let Some(bytes) = key.get(1..9) else { break };
        let upload = keys::large_number(bytes).unwrap_or_default();
        if !kept.contains(&upload) {
            left.push(upload);
        }
        from = keys::after(&keys::named(Sort::Staged, bytes));
    }
    Ok(left)
}
