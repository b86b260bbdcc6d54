//! Tokens: who calls, and what the token allows. Only hashes are kept; a token's text is shown once, when it is made.
//!
//! Does not know what a request wants; handlers ask the [`Caller`]. Start at [`Tokens::find`].

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use muster_engine::ids::{PoolId, TenantId};
use muster_engine::{Span, Time};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// The number of a token. Never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
pub struct TokenId(pub u32);

/// What a token allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// Everything.
    Admin,
    /// A tenant's jobs.
    Tenant(TenantId),
    /// Joining workers (to this pool only, if given) and acting for those it joined.
    Worker(Option<PoolId>),
    /// Reading (of this tenant only, if given).
    Read(Option<TenantId>),
}

/// The hash of a token's text.
pub type Hash = [u8; 32];

/// A token, as kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRecord {
    /// The hash of its text.
    pub hash: Hash,
    /// What it allows.
    pub scope: Scope,
    /// What it is for, in words.
    pub label: String,
    /// When it was made.
    pub made: Time,
    /// It is good until then.
    pub expires: Option<Time>,
    /// Whether it is good once only.
    pub once: bool,
}

/// The text of a new token: 32 random bytes.
pub fn new_secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(text(bytes))
}

/// The text of a token that comes out the same for the same parts, and is as hard to guess as they are together.
#[must_use]
pub fn derived_secret(parts: &[&str]) -> String {
    let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
    text(digest(&parts))
}

fn text(bytes: [u8; 32]) -> String {
    bytes.iter().fold("mst_".to_owned(), |mut text, byte| {
        use std::fmt::Write;
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The hash of several parts: where one ends matters.
#[must_use]
pub fn digest(parts: &[&[u8]]) -> Hash {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}

/// The hash of a token's text.
#[must_use]
pub fn hash(secret: &str) -> Hash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Who calls.
#[derive(Debug)]
pub struct Caller {
    /// The token's number.
    pub id: TokenId,
    /// What it allows.
    pub scope: Scope,
    /// It is good until then.
    pub expires: Option<Time>,
    pace: Pace,
}

impl Caller {
    fn of(id: TokenId, record: &TokenRecord) -> Self {
        Self { id, scope: record.scope, expires: record.expires, pace: Pace::default() }
    }

    /// Whether everything is allowed.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.scope == Scope::Admin
    }

    /// Whether a tenant's things may be seen.
    #[must_use]
    pub fn may_read(&self, tenant: TenantId) -> bool {
        match self.scope {
            Scope::Admin | Scope::Read(None) => true,
            Scope::Tenant(own) | Scope::Read(Some(own)) => own == tenant,
            Scope::Worker(_) => false,
        }
    }

    /// Whether things may be done in a tenant's name.
    #[must_use]
    pub fn may_submit(&self, tenant: TenantId) -> bool {
        match self.scope {
            Scope::Admin => true,
            Scope::Tenant(own) => own == tenant,
            Scope::Worker(_) | Scope::Read(_) => false,
        }
    }

    /// Whether what belongs to no tenant may be seen.
    #[must_use]
    pub fn may_read_all(&self) -> bool {
        matches!(self.scope, Scope::Admin | Scope::Read(None))
    }

    /// Whether workers may join a pool.
    #[must_use]
    pub fn may_join(&self, pool: PoolId) -> bool {
        match self.scope {
            Scope::Admin | Scope::Worker(None) => true,
            Scope::Worker(Some(own)) => own == pool,
            Scope::Tenant(_) | Scope::Read(_) => false,
        }
    }

    /// Counts a request; an error says how long to wait.
    pub fn count(&self, now: Time, each: Span, burst: Span) -> Result<(), Span> {
        self.pace.count(now, each, burst)
    }
}

/// How fast requests come: the time at which the next one would be in step.
#[derive(Debug, Default)]
struct Pace(AtomicU64);

impl Pace {
    fn count(&self, now: Time, each: Span, burst: Span) -> Result<(), Span> {
        let mut due = self.0.load(Ordering::Relaxed);
        loop {
            let ahead = Time(due).since(now);
            if ahead > burst {
                return Err(ahead.less(burst));
            }
            let next = due.max(now.0) + each.0;
            match self.0.compare_exchange_weak(due, next, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Ok(()),
                Err(seen) => due = seen,
            }
        }
    }
}

/// All tokens that are good. Changed only when the change is durable.
#[derive(Debug, Default)]
pub struct Tokens(RwLock<HashMap<Hash, Arc<Caller>>>);

impl Tokens {
    /// These.
    #[must_use]
    pub fn new(tokens: &[(TokenId, TokenRecord)]) -> Self {
        let callers = tokens.iter().map(|(id, record)| (record.hash, Arc::new(Caller::of(*id, record))));
        Self(RwLock::new(callers.collect()))
    }

    /// Who has a token with this text, if it is good now.
    #[must_use]
    pub fn find(&self, secret: &str, now: Time) -> Option<Arc<Caller>> {
        let callers = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let caller = callers.get(&hash(secret))?;
        caller.expires.is_none_or(|expires| now < expires).then(|| Arc::clone(caller))
    }

    /// One more.
    pub fn insert(&self, id: TokenId, record: &TokenRecord) {
        let mut callers = self.0.write().unwrap_or_else(PoisonError::into_inner);
        callers.insert(record.hash, Arc::new(Caller::of(id, record)));
    }

    /// One less.
    pub fn remove(&self, hash: &Hash) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(hash);
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_allows_a_burst_and_then_one_by_one() {
        let pace = Pace::default();
        let (each, burst) = (Span(10), Span(30));
        assert_eq!((0..4).map(|_| pace.count(Time(100), each, burst)).filter(Result::is_ok).count(), 4);
        assert_eq!(pace.count(Time(100), each, burst), Err(Span(10)));
        assert_eq!(pace.count(Time(110), each, burst), Ok(()));
        assert_eq!(pace.count(Time(110), each, burst), Err(Span(10)));
    }

    #[test]
    fn tokens_are_found_by_their_text_until_they_expire() {
        let secret = new_secret().unwrap();
        assert_ne!(secret, new_secret().unwrap());
        let record = TokenRecord {
            hash: hash(&secret),
            scope: Scope::Read(Some(TenantId(1))),
            label: String::new(),
            made: Time(0),
            expires: Some(Time(5)),
            once: false,
        };
        let tokens = Tokens::new(&[(TokenId(7), record)]);
        assert_eq!(tokens.find(&secret, Time(4)).unwrap().id, TokenId(7));
        assert!(tokens.find(&secret, Time(5)).is_none());
        assert!(tokens.find("mst_", Time(4)).is_none());
        let caller = tokens.find(&secret, Time(4)).unwrap();
        assert!(
            caller.may_read(TenantId(1)) && !caller.may_read(TenantId(2)) && !caller.may_submit(TenantId(1))
        );
    }
}
