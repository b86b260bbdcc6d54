//! Idempotency keys: a request that comes twice is done once, and gets the same reply, also after a restart.
//!
//! The reply is a blob, put in the same transaction as what was done. Refused requests changed nothing and are not kept.
//! A reply never holds a secret. What a repeated request gets where the first reply had one: a new token's text is gone, so it
//! is said that the token was made and what its number is ([`made_already`]); the token of who joins by a link is derived from
//! link and key, and so comes out the same; a webhook's secret is kept with the hook anyway.

use muster_engine::{Span, Time};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::access::{Caller, Hash, digest};
use crate::keeper::turn::Turn;
use crate::keys::{self, Sort};
use crate::problem::{Answer, Problem};

/// Replies are kept so long.
const KEPT: Span = Span::from_hours(48);
/// So many old replies are deleted with each new one, at most.
const DELETED_MOST: usize = 4;
/// The longest key.
const KEY_MOST: usize = 200;

/// A request that must be done once only.
#[derive(Clone, Copy, Debug)]
pub struct Once {
    name: Hash,
    request: Hash,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    at: Time,
    request: Hash,
    reply: Vec<u8>,
}

impl Once {
    /// A request with an idempotency key: its path and body say what it was.
    pub fn new(caller: &Caller, key: &str, path: &str, body: &[u8]) -> Answer<Self> {
        Self::of(&caller.id.0.to_be_bytes(), key, path, body)
    }

    /// The same for a request that needs no token: what is shown instead says whose the key is.
    pub fn shown(shown: &str, key: &str, path: &str, body: &[u8]) -> Answer<Self> {
        Self::of(shown.as_bytes(), key, path, body)
    }

    fn of(whose: &[u8], key: &str, path: &str, body: &[u8]) -> Answer<Self> {
        if key.is_empty() || key.len() > KEY_MOST {
            return Err(Problem::field("Idempotency-Key", format!("'{key}'"), "1 to 200 characters"));
        }
        let name = digest(&[whose, key.as_bytes()]);
        Ok(Self { name, request: digest(&[path.as_bytes(), body]) })
    }
}

/// What a repeated request gets whose first reply had a text that is not kept.
#[must_use]
pub fn made_already(what: impl std::fmt::Display) -> Problem {
    Problem::conflict(format!(
        "this was done already, and made {what}; its text was shown then and is not kept. If it is lost, revoke it and make another with a new key"
    ))
}

/// Does something once: the second time the first reply is given again.
pub fn run<T: Serialize + DeserializeOwned>(
    turn: &mut Turn<'_>,
    once: Option<Once>,
    work: impl FnOnce(&mut Turn<'_>) -> Answer<T>,
) -> Answer<T> {
    first(turn, once, work).map(|(reply, _)| reply)
}

/// The same, and whether this was the first time.
pub fn first<T: Serialize + DeserializeOwned>(
    turn: &mut Turn<'_>,
    once: Option<Once>,
    work: impl FnOnce(&mut Turn<'_>) -> Answer<T>,
) -> Answer<(T, bool)> {
    let Some(once) = once else { return Ok((work(turn)?, true)) };
    let key = keys::named(Sort::Reply, &once.name);
    if let Some(bytes) = turn.get(&key)? {
        return Ok((again(&bytes, once)?, false));
    }
    let reply = work(turn)?;
    let json = serde_json::to_vec(&reply).map_err(|_| damaged())?;
    turn.put_record(key, &Kept { at: turn.now(), request: once.request, reply: json });
    turn.put(by_age(turn.now(), &once.name), Vec::new());
    forget_old(turn)?;
    Ok((reply, true))
}

fn again<T: DeserializeOwned>(bytes: &[u8], once: Once) -> Answer<T> {
    let kept: Kept = postcard::from_bytes(bytes).map_err(|_| damaged())?;
    if kept.request != once.request {
        return Err(Problem::conflict("this idempotency key was used for another request before"));
    }
    serde_json::from_slice(&kept.reply).map_err(|_| damaged())
}

fn damaged() -> Problem {
    Problem::from(crate::journal::JournalError::Failed("a kept reply is damaged".to_owned()))
}

fn by_age(at: Time, name: &Hash) -> Vec<u8> {
    let mut key = keys::named(Sort::ReplyAge, &at.0.to_be_bytes());
    key.extend_from_slice(name);
    key
}

fn forget_old(turn: &mut Turn<'_>) -> Answer<()> {
    let (from, to) = (keys::only(Sort::ReplyAge), by_age(turn.now() - KEPT, &[0; 32]));
    for (key, _) in turn.shared().reader.range(&from, &to, DELETED_MOST)? {
        turn.delete(keys::named(Sort::Reply, &key[key.len() - 32..]));
        turn.delete(key);
    }
    Ok(())
}
