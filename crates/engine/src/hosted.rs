//! The policies of a pool, at work: starting them, switching one, writing down what they remember.

use serde::{Deserialize, Serialize};

use crate::policy::dispatch::Dispatch;
use crate::policy::matching::Matching;
use crate::policy::settings::{PolicySpec, SettingError};
use crate::policy::{Controller, Entry, Family, Registry, Start, find};
use crate::spec::PoolPolicies;
use crate::state::State;
use crate::view::View;

/// The families of which every pool has a policy of its own.
pub(crate) const OF_A_POOL: [Family; 4] =
    [Family::Dispatch, Family::Matching, Family::Scaling, Family::Replacement];

/// The policies of a pool.
#[derive(Debug)]
pub(crate) struct Hosted {
    pub(crate) dispatch: Box<dyn Dispatch>,
    pub(crate) matching: Box<dyn Matching>,
    pub(crate) scaling: Box<dyn Controller>,
    pub(crate) replacement: Box<dyn Controller>,
}

/// What a policy remembered, and under which version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Memory {
    version: u16,
    bytes: Vec<u8>,
}

impl Hosted {
    /// Starts a pool's policies anew.
    pub(crate) fn start(
        registry: &Registry,
        view: View<'_>,
        specs: &PoolPolicies,
    ) -> Result<Self, SettingError> {
        let hosted = Self {
            dispatch: start(&registry.dispatch, Family::Dispatch, &specs.dispatch, view, None)?,
            matching: start(&registry.matching, Family::Matching, &specs.matching, view, None)?,
            scaling: start(&registry.scaling, Family::Scaling, &specs.scaling, view, None)?,
            replacement: start(&registry.replacement, Family::Replacement, &specs.replacement, view, None)?,
        };
        if hosted.dispatch.follows_plans() && !hosted.scaling.plans() {
            return Err(SettingError::Needs {
                policy: specs.dispatch.name.clone(),
                needs: "a scaling policy that makes plans".to_owned(),
            });
        }
        Ok(hosted)
    }

    /// Starts one of them in place of what was there.
    fn set(
        &mut self,
        registry: &Registry,
        family: Family,
        spec: &PolicySpec,
        view: View<'_>,
        memory: Option<&[u8]>,
    ) -> Result<(), SettingError> {
        match family {
            Family::Dispatch => self.dispatch = start(&registry.dispatch, family, spec, view, memory)?,
            Family::Matching => self.matching = start(&registry.matching, family, spec, view, memory)?,
            Family::Scaling => self.scaling = start(&registry.scaling, family, spec, view, memory)?,
            Family::Replacement => {
                self.replacement = start(&registry.replacement, family, spec, view, memory)?;
            }
            Family::Balance => unreachable!("a pool has no balance policy of its own"),
        }
        Ok(())
    }

    /// Switches one policy; one that is no longer known or refuses its settings gives way to the default. Whether it did.
    pub(crate) fn switch(
        &mut self,
        registry: &Registry,
        family: Family,
        spec: &PolicySpec,
        view: View<'_>,
    ) -> bool {
        let started = self.set(registry, family, spec, view, None).is_ok();
        if !started {
            let mut default = PoolPolicies::default();
            self.set(registry, family, default.of(family), view, None)
                .expect("a registry holds the defaults");
        }
        !started
    }

    /// The policies of a snapshot, each with its memory. Also the families that had to start anew.
    pub(crate) fn revive(
        registry: &Registry,
        view: View<'_>,
        specs: &PoolPolicies,
        memories: &[Memory; 4],
    ) -> (Self, Vec<Family>) {
        let defaults = PoolPolicies::default();
        let mut hosted = Self::start(registry, view, &defaults).expect("a registry holds the defaults");
        let mut anew = Vec::new();
        let mut specs = specs.clone();
        for (family, memory) in OF_A_POOL.into_iter().zip(memories) {
            let spec = specs.of(family);
            let fits = memory.version == version(registry, family, spec);
            let bytes = (!memory.bytes.is_empty()).then_some(&memory.bytes[..]);
            if !fits || hosted.set(registry, family, spec, view, bytes).is_err() {
                hosted.switch(registry, family, spec, view);
                anew.push(family);
            }
        }
        (hosted, anew)
    }

    /// What they remember, in the order of [`OF_A_POOL`].
    pub(crate) fn memories(&self, registry: &Registry, view: View<'_>, specs: &PoolPolicies) -> [Memory; 4] {
        let mut specs = specs.clone();
        OF_A_POOL.map(|family| Memory {
            version: version(registry, family, specs.of(family)),
            bytes: match family {
                Family::Dispatch => self.dispatch.memory(view),
                Family::Matching => self.matching.memory(),
                Family::Scaling => self.scaling.memory(),
                Family::Replacement | Family::Balance => self.replacement.memory(),
            },
        })
    }
}

/// What a balance policy remembers.
pub(crate) fn balance_memory(registry: &Registry, spec: &PolicySpec, balance: &dyn Controller) -> Memory {
    Memory { version: version(registry, Family::Balance, spec), bytes: balance.memory() }
}

/// Starts the balance policy of a snapshot, and says whether it had to start anew.
pub(crate) fn revive_balance(
    registry: &Registry,
    state: &State,
    memory: &Memory,
) -> (Box<dyn Controller>, bool) {
    let spec = &state.balance;
    let bytes = (!memory.bytes.is_empty()).then_some(&memory.bytes[..]);
    if memory.version == version(registry, Family::Balance, spec)
        && let Ok(balance) = start_balance(registry, state, spec, bytes)
    {
        return (balance, false);
    }
    let anew = start_balance(registry, state, spec, None);
    (anew.unwrap_or_else(|_| no_balance(registry, state)), true)
}

/// Starts a balance policy. It sees all pools; the pool in its view means nothing.
pub(crate) fn start_balance(
    registry: &Registry,
    state: &State,
    spec: &PolicySpec,
    memory: Option<&[u8]>,
) -> Result<Box<dyn Controller>, SettingError> {
    start(&registry.balance, Family::Balance, spec, View { state, id: crate::engine::BALANCE_VIEW }, memory)
}

/// The balance policy that moves nobody.
pub(crate) fn no_balance(registry: &Registry, state: &State) -> Box<dyn Controller> {
    let none = PolicySpec::named("none");
    start_balance(registry, state, &none, None).expect("a registry holds the defaults")
}

fn start<T: ?Sized>(
    entries: &[Entry<T>],
    family: Family,
    spec: &PolicySpec,
    view: View<'_>,
    memory: Option<&[u8]>,
) -> Result<Box<T>, SettingError> {
    (find(entries, family, spec)?.start)(Start { spec, view, memory })
}

fn version(registry: &Registry, family: Family, spec: &PolicySpec) -> u16 {
    fn of<T: ?Sized>(entries: &[Entry<T>], spec: &PolicySpec) -> u16 {
        entries.iter().find(|entry| entry.name == spec.name).map_or(0, |entry| entry.version)
    }
    match family {
        Family::Dispatch => of(&registry.dispatch, spec),
        Family::Matching => of(&registry.matching, spec),
        Family::Scaling => of(&registry.scaling, spec),
        Family::Replacement => of(&registry.replacement, spec),
        Family::Balance => of(&registry.balance, spec),
    }
}
