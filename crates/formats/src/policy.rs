//! The `[policy]` table: which policies a pool has, and how they are set. The same for simulated and for live pools.
//!
//! ```toml
//! [policy]
//! dispatch = { name = "worker-conscious", concessions = 3 }
//! scaling = { name = "pid-size", kp = 0.5, every = "30 s", kind = "person" }
//! replacement = "hybrid"
//! ```
//!
//! Does not know any policy: names, settings and what they may be are asked of the engine, which starts each policy once on
//! trial. Kinds of workers are named by words here and numbered in the engine. Shares may be written as `5 %`, lengths of time
//! as always. Start at [`read`].

use std::collections::BTreeMap;

use muster_engine::fact::NoRecorder;
use muster_engine::ids::{AppId, KindId};
use muster_engine::money::Money;
use muster_engine::policy::settings::{PolicySpec, Setting, SettingError, Value as Set};
use muster_engine::policy::{Family, Registry};
use muster_engine::refusal::Refusal;
use muster_engine::spec::{AppSpec, KindSpec, PoolPolicies, PoolSpec};
use muster_engine::{Command, Engine, Time};

use crate::document::{Named, Table, Value};
use crate::quantity;

/// All families, in the order of their questions.
pub const FAMILIES: [Family; 5] =
    [Family::Dispatch, Family::Matching, Family::Scaling, Family::Replacement, Family::Balance];

/// What names in a policy table may stand for.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The policies.
    pub registry: &'a Registry,
    /// The kinds of workers.
    pub kinds: &'a BTreeMap<String, KindId>,
}

/// What a policy table says; families that it does not name are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policies {
    /// By family.
    pub named: BTreeMap<Family, PolicySpec>,
}

impl Policies {
    /// Those of a pool, as the engine wants them: with its defaults for what was not named.
    #[must_use]
    pub fn of_pool(&self) -> PoolPolicies {
        let mut policies = PoolPolicies::default();
        for (family, spec) in &self.named {
            *match family {
                Family::Dispatch => &mut policies.dispatch,
                Family::Matching => &mut policies.matching,
                Family::Scaling => &mut policies.scaling,
                Family::Replacement => &mut policies.replacement,
                Family::Balance => continue,
            } = spec.clone();
        }
        policies
    }

    /// The one that moves workers between pools, if it was named.
    #[must_use]
    pub fn balance(&self) -> Option<&PolicySpec> {
        self.named.get(&Family::Balance)
    }
}

/// Reads a policy table. Each policy is checked by itself, since a table may leave some of them to another; what must go
/// together is checked by [`check_together`].
#[must_use]
pub fn read(table: Table<'_>, known: Known<'_>) -> Policies {
    let mut policies = Policies::default();
    for family in FAMILIES {
        let named = table.named(family.name(), "name").optional();
        if let Some(spec) = named.and_then(|named| read_one(&named, family, known)) {
            policies.named.insert(family, spec);
        }
    }
    policies
}

/// Refuses policies of a pool that do not go together, such as a dispatch policy that follows plans without one that makes
/// them. `table` is the one they were read from.
pub fn check_together(table: Table<'_>, policies: &Policies, known: Known<'_>) {
    let Err(SettingError::Needs { policy, needs }) = Trial::new(known).start(policies.of_pool()) else {
        return;
    };
    let of_that_name = |family: &&Family| policies.named.get(family).is_some_and(|spec| spec.name == policy);
    let key = FAMILIES.iter().find(of_that_name).map_or("", |family| family.name());
    table.complain(key, format!("{policy} needs {needs}"));
}

/// One policy, if nothing about it was refused.
fn read_one(named: &Named<'_>, family: Family, known: Known<'_>) -> Option<PolicySpec> {
    let entries = known.registry.describe(family);
    let Some((_, _, settings)) = entries.iter().find(|(name, ..)| *name == named.name) else {
        let names: Vec<&str> = entries.iter().map(|(name, ..)| *name).collect();
        named.word.refuse_word(&names);
        named.settings.into_iter().for_each(Table::leave);
        return None;
    };
    let mut spec = PolicySpec::named(&named.name);
    let mut is_right = true;
    for setting in settings.iter().filter(|_| named.settings.is_some()) {
        match read_setting(named, setting, known) {
            Some(Ok(value)) => spec = with(spec, setting.name, value),
            Some(Err(())) => is_right = false,
            None => {}
        }
    }
    is_right &= try_out(&mut spec, named, family, known);
    is_right.then_some(spec)
}

fn with(mut spec: PolicySpec, name: &str, value: Set) -> PolicySpec {
    spec.settings.insert(name.to_owned(), value);
    spec
}

/// `None`: not set. An error has been refused.
fn read_setting(named: &Named<'_>, setting: &Setting, known: Known<'_>) -> Option<Result<Set, ()>> {
    let value = named.settings?.value(setting.name)?;
    let names_kinds = ["kind", "kinds"].iter().any(|word| setting.name.rsplit('_').next() == Some(word));
    let read = if names_kinds { kinds(&value, known.kinds) } else { plain(&value) };
    Some(read.ok_or(()))
}

/// A value as the engine takes it. What cannot be one is refused.
fn plain(value: &Value<'_>) -> Option<Set> {
    let simple = value.as_flag().map(Set::Flag).or_else(|| value.as_number().map(Set::Number));
    let text = || value.as_text().map(|text| Set::Text(text.to_owned()));
    simple.or_else(text).or_else(|| match value.as_list() {
        Some(items) => items.iter().map(plain).collect::<Option<Vec<Set>>>().map(Set::List),
        None => {
            value.refuse("a text, a number, true or false, or a list of them");
            None
        }
    })
}

/// Kinds by their names, as numbers; each unknown one is refused.
fn kinds(value: &Value<'_>, known: &BTreeMap<String, KindId>) -> Option<Set> {
    if let Some(items) = value.as_list() {
        return items.iter().map(|item| kinds(item, known)).collect::<Option<Vec<Set>>>().map(Set::List);
    }
    let found = value.as_text().and_then(|name| known.get(name));
    if found.is_none() {
        value.refuse_word(&known.keys().map(String::as_str).collect::<Vec<_>>());
    }
    found.map(|kind| Set::Number(f64::from(kind.0)))
}

/// Starts the policy on trial until the engine takes it. What it does not take is refused at its place and left out for the
/// next trial, so that all of it is found. Whether nothing was.
fn try_out(spec: &mut PolicySpec, named: &Named<'_>, family: Family, known: Known<'_>) -> bool {
    let mut trial = Trial::new(known);
    let mut is_right = true;
    while let Err(error) = trial.start_one(family, spec) {
        let setting = match &error {
            SettingError::Value { name, .. } | SettingError::UnknownSetting { name, .. } => name.clone(),
            SettingError::Rule { .. } => "rules".to_owned(),
            // These are said where the name is unknown, and where all policies are known.
            SettingError::UnknownPolicy { .. } | SettingError::Needs { .. } => return is_right,
        };
        let Some(value) = spec.settings.remove(&setting) else {
            named.word.complain(error.to_string());
            return false;
        };
        if let Some(share) = as_share(&value) {
            spec.settings.insert(setting, share);
            continue;
        }
        is_right = false;
        say(&error, &setting, named);
    }
    is_right
}

/// `5 %` as a number, for settings that take no text.
fn as_share(value: &Set) -> Option<Set> {
    let Set::Text(text) = value else { return None };
    text.trim_end().ends_with('%').then(|| quantity::share(text).ok().map(Set::Number)).flatten()
}

fn say(error: &SettingError, setting: &str, named: &Named<'_>) {
    let Some(value) = named.settings.and_then(|settings| settings.value(setting)) else { return };
    match error {
        SettingError::Rule { error, .. } => {
            let mut rules = value.as_list().unwrap_or_else(|| vec![value.clone()]).into_iter();
            let rule = rules.find(|rule| rule.as_text() == Some(&error.rule)).unwrap_or(value);
            rule.complain_within(error.from, error.to, error.message.clone());
        }
        SettingError::Value { allowed, .. } => value.refuse(allowed.clone()),
        other => value.complain(other.to_string()),
    }
}

/// An engine with nothing in it but the kinds, on which policies are started to see whether they are taken.
struct Trial {
    engine: Engine,
}

impl Trial {
    fn new(known: Known<'_>) -> Self {
        let mut engine = Engine::with_registry(0, known.registry.clone());
        let kinds = known.kinds.values().map(|kind| kind.0.saturating_add(1)).max().unwrap_or(1);
        let setup = (0..kinds).map(|_| Command::AddKind(KindSpec::person(Money::ZERO)));
        for command in setup.chain([Command::AddApp(AppSpec::default())]) {
            engine.handle(Time::ZERO, command, &mut NoRecorder).expect("kinds and apps can always be added");
        }
        Self { engine }
    }

    fn start_one(&mut self, family: Family, spec: &PolicySpec) -> Result<(), SettingError> {
        if family == Family::Balance {
            return self.handle(Command::SetBalance(spec.clone()));
        }
        self.start(Policies { named: BTreeMap::from([(family, spec.clone())]) }.of_pool())
    }

    /// Starts them in a pool; once they have been taken, the trial is over.
    fn start(&mut self, policies: PoolPolicies) -> Result<(), SettingError> {
        let pool = PoolSpec { policies, ..PoolSpec::serving(&[AppId(0)]) };
        self.handle(Command::AddPool(Box::new(pool)))
    }

    fn handle(&mut self, command: Command) -> Result<(), SettingError> {
        match self.engine.handle(Time::ZERO, command, &mut NoRecorder) {
            Err(Refusal::Policy(error)) => Err(error),
            Ok(_) => Ok(()),
            Err(other) => unreachable!("a trial is of policies only: {other}"),
        }
    }
}

#[cfg(test)]
mod tests;
