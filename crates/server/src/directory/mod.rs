//! The directory: what tenants, apps, kinds and pools are called, and what people are told about them.
//!
//! The engine knows them by number only. Each record is a blob, put in the same transaction as the fact that made the number;
//! the whole directory is in memory, as there are few. Does not know workers and jobs, of which there are many.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_engine::ids::{AppId, KindId, PoolId, TenantId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::journal::{JournalError, Key, Reader};
use crate::keeper::recover::{all, record};
use crate::keys::{self, Sort};
use crate::problem::Problem;

/// A tenant's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TenantRecord {
    /// What it is called.
    pub name: String,
}

/// An app's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppRecord {
    /// What it is called.
    pub name: String,
    /// What workers are told.
    pub instructions: Arc<str>,
    /// The page of a task, with `${var}` where its values go.
    pub template: Option<Arc<str>>,
    /// What a task shows and asks, in JSON (see `muster_formats::form`).
    pub form: Option<Arc<str>>,
}

/// A kind's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindRecord {
    /// What it is called.
    pub name: String,
}

/// A pool's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolRecord {
    /// What it is called.
    pub name: String,
}

/// Something with a name.
pub trait Named {
    /// What it is called.
    fn name(&self) -> &str;
    /// What it is, in a word.
    const WORD: &'static str;
    /// What its blobs are.
    const SORT: Sort;
}

macro_rules! named {
    ($($record:ty, $word:literal, $sort:expr;)*) => {
        $(impl Named for $record {
            fn name(&self) -> &str {
                &self.name
            }
            const WORD: &'static str = $word;
            const SORT: Sort = $sort;
        })*
    };
}
named! {
    TenantRecord, "tenant", Sort::Tenant;
    AppRecord, "app", Sort::App;
    KindRecord, "kind", Sort::Kind;
    PoolRecord, "pool", Sort::Pool;
}

/// Records by number and by name.
#[derive(Clone, Debug)]
pub struct Register<T> {
    records: Vec<T>,
    numbers: BTreeMap<String, u32>,
}

impl<T> Default for Register<T> {
    fn default() -> Self {
        Self { records: Vec::new(), numbers: BTreeMap::new() }
    }
}

const NAME_MOST: usize = 100;

/// A name that may be given: not empty, not long, no number (numbers are ids), nothing that a path cannot hold.
pub fn check_name(name: &str) -> Result<(), Problem> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    let ok = (1..=NAME_MOST).contains(&name.len())
        && name.chars().all(fits)
        && !name.chars().all(|c| c.is_ascii_digit())
        && name.trim() == name
        && !name.chars().all(|c| c == '.');
    let allowed = "1 to 100 letters, digits, spaces, '-', '_' and '.', and not a number";
    if ok { Ok(()) } else { Err(Problem::field("name", format!("'{name}'"), allowed)) }
}

impl<T: Named + Serialize + DeserializeOwned> Register<T> {
    fn load(reader: &dyn Reader) -> Result<Self, JournalError> {
        let mut register = Self::default();
        for (key, bytes) in all(reader, T::SORT)? {
            register.insert(record(&key, &bytes)?);
        }
        Ok(register)
    }

    fn insert(&mut self, record: T) -> u32 {
        let id = u32::try_from(self.records.len()).expect("ids have 32 bits");
        self.numbers.insert(record.name().to_owned(), id);
        self.records.push(record);
        id
    }

    /// Whether a new record may have this name.
    pub fn check_new(&self, name: &str) -> Result<(), Problem> {
        check_name(name)?;
        match self.numbers.get(name) {
            Some(_) => Err(Problem::conflict(format!("there is a {} called '{name}' already", T::WORD))),
            None => Ok(()),
        }
    }

    /// A new record under the number that the engine gave; returns its blob.
    pub fn add(&mut self, id: u32, record: T) -> (Key, Vec<u8>) {
        let blob = blob(id, &record);
        let next = self.insert(record);
        assert_eq!(next, id, "engine and directory count alike");
        blob
    }

    /// Another record under a number that is there; the name may change. Returns its blob.
    pub fn set(&mut self, id: u32, record: T) -> Option<(Key, Vec<u8>)> {
        let kept = self.records.get_mut(id as usize)?;
        self.numbers.remove(kept.name());
        self.numbers.insert(record.name().to_owned(), id);
        let blob = blob(id, &record);
        *kept = record;
        Some(blob)
    }

    /// By number.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<&T> {
        self.records.get(id as usize)
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self, id: u32) -> &str {
        self.get(id).map_or("?", Named::name)
    }

    /// By name, or by number if it is one.
    pub fn find(&self, word: &str) -> Result<u32, Problem> {
        let number = word.parse().ok().filter(|id| self.get(*id).is_some());
        let found = number.or_else(|| self.numbers.get(word).copied());
        found.ok_or_else(|| Problem::not_found(format_args!("{} '{word}'", T::WORD)))
    }

    /// All, by number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.records)
    }
}

fn blob<T: Named + Serialize>(id: u32, record: &T) -> (Key, Vec<u8>) {
    let bytes = postcard::to_extend(record, Vec::new()).expect("records are plain data");
    (keys::one(T::SORT, id), bytes)
}

/// All names and descriptions.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    /// Tenants.
    pub tenants: Register<TenantRecord>,
    /// Apps.
    pub apps: Register<AppRecord>,
    /// Kinds.
    pub kinds: Register<KindRecord>,
    /// Pools.
    pub pools: Register<PoolRecord>,
}

impl Directory {
    /// As it is on disk.
    pub fn load(reader: &dyn Reader) -> Result<Self, JournalError> {
        Ok(Self {
            tenants: Register::load(reader)?,
            apps: Register::load(reader)?,
            kinds: Register::load(reader)?,
            pools: Register::load(reader)?,
        })
    }

    /// A tenant by name or number.
    pub fn tenant(&self, word: &str) -> Result<TenantId, Problem> {
        self.tenants.find(word).map(TenantId)
    }

    /// An app by name or number.
    pub fn app(&self, word: &str) -> Result<AppId, Problem> {
        self.apps.find(word).map(AppId)
    }

    /// A kind by name or number.
    pub fn kind(&self, word: &str) -> Result<KindId, Problem> {
        self.kinds.find(word).map(KindId)
    }

    /// A pool by name or number.
    pub fn pool(&self, word: &str) -> Result<PoolId, Problem> {
        self.pools.find(word).map(PoolId)
    }
}
