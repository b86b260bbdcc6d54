//! tail-control: a request that has done more work than the table allows at this load is given up, so that the
//! others meet the target. The tables come from a [`Model`], given or learned while running.
//! Does not know how a request is brought down to one core. Start at `is_large`.

use super::{Finished, Goal, Load, Progress, Serialise, TailPolicy};
use crate::profile::Profile;
use crate::table::{Model, Table, TableError, active_max_generous};
use std::sync::{Mutex, PoisonError, RwLock};

/// Distinct targets that get a table of their own; later ones use the table of the nearest target.
const TARGETS_MAX: usize = 32;

/// The paper's policy; prompt unless told otherwise.
#[derive(Debug)]
pub struct TailControl {
    target: f64,
    serialise: Serialise,
    crowded_only: bool,
    /// The usual table, if it will never change: most questions need no lock then.
    fixed: Option<Table>,
    tables: RwLock<Tables>,
    profile: Option<Mutex<Profile>>,
}

/// The tables in force: one for the usual target, one for each other target that has been asked for.
#[derive(Debug, Default)]
struct Tables {
    model: Option<Model>,
    active_max: usize,
    usual: Option<Table>,
    others: Vec<(f64, Table)>,
}

impl TailControl {
    /// A policy with the table of this model, with generously many rows.
    ///
    /// # Errors
    /// If the model has an input out of range or is overloaded.
    pub fn new(model: Model) -> Result<Self, TableError> {
        let active_max = active_max_generous(model.cores, 0);
        Self::with_rows(model, active_max)
    }

    /// The same with so many rows. Few rows switch the policy off: beyond the last, the last one holds.
    ///
    /// # Errors
    /// If the model has an input out of range or is overloaded.
    pub fn with_rows(model: Model, active_max: usize) -> Result<Self, TableError> {
        let target = model.target;
        Ok(Self::of(target, Tables::build(model, active_max)?, None))
    }

    /// A policy with a table of your own.
    pub fn with_table(target: f64, table: Table) -> Self {
        Self::of(target, Tables { usual: Some(table), ..Tables::default() }, None)
    }

    /// A policy that starts without a table (as steal-first), profiles what it runs and builds its own; and builds
    /// it anew when work, rate or the number of active requests have drifted.
    pub fn learned(target: f64, cores: usize) -> Self {
        Self::of(target, Tables::default(), Some(Mutex::new(Profile::new(cores))))
    }

    fn of(target: f64, tables: Tables, profile: Option<Mutex<Profile>>) -> Self {
        let fixed = tables.usual.clone().filter(|_| profile.is_none());
        Self {
            target,
            serialise: Serialise::Prompt,
            crowded_only: false,
            fixed,
            tables: RwLock::new(tables),
            profile,
        }
    }

    /// The same policy, marking lazily as the paper prints it.
    #[must_use]
    pub fn lazy(self) -> Self {
        Self { serialise: Serialise::Lazy, ..self }
    }

    /// The same policy, giving nothing up while there is a core for each active request. Where work varies little
    /// and the load is light, the table gives up more than it should; this avoids that harm, at the price of what
    /// the policy gains at light load where work varies much.
    #[must_use]
    pub fn only_when_crowded(self) -> Self {
        Self { crowded_only: true, ..self }
    }

    /// The same policy, learning from what it runs; the given table holds until enough has been seen.
    #[must_use]
    pub fn learning(self, cores: usize) -> Self {
        Self { profile: Some(Mutex::new(Profile::new(cores))), fixed: None, ..self }
    }

    /// The table for the usual target, if there is one yet.
    pub fn table(&self) -> Option<Table> {
        self.read(|tables| tables.usual.clone())
    }

    /// How often the table was built from what was learned, and why the last try failed, if it did.
    pub fn learned_so_far(&self) -> (usize, Option<TableError>) {
        let Some(profile) = &self.profile else { return (0, None) };
        let profile = profile.lock().unwrap_or_else(PoisonError::into_inner);
        (profile.builds(), profile.refusal().cloned())
    }

    fn read<T>(&self, look: impl FnOnce(&Tables) -> T) -> T {
        look(&self.tables.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn install(&self, tables: Tables) {
        *self.tables.write().unwrap_or_else(PoisonError::into_inner) = tables;
    }

    /// A target of its own needs a table of its own, once.
    fn prepare(&self, target: f64) {
        let known = self.read(|tables| {
            tables.others.len() >= TARGETS_MAX || tables.others.iter().any(|(other, _)| *other == target)
        });
        if !known && target != self.target {
            self.tables.write().unwrap_or_else(PoisonError::into_inner).add(target);
        }
    }
}

impl Tables {
    fn build(model: Model, active_max: usize) -> Result<Self, TableError> {
        let usual = Some(Table::build(&model, active_max)?);
        Ok(Self { model: Some(model), active_max, usual, others: Vec::new() })
    }

    fn add(&mut self, target: f64) {
        let Some(model) = &self.model else { return };
        if let Ok(table) = Table::build(&Model { target, ..model.clone() }, self.active_max) {
            self.others.push((target, table));
        }
    }

    /// The work that a request may do before it is given up.
    fn allowance(&self, load: &Load, goal: Goal, usual_target: f64) -> Option<f64> {
        let usual = self.usual.as_ref()?;
        match goal {
            Goal::Usual => Some(usual.threshold(load.active)),
            Goal::Within(target) => Some(self.nearest(target, usual_target, usual).threshold(load.active)),
            Goal::Batch if load.active > load.cores => Some(usual.strictest()),
            Goal::Batch => None,
        }
    }

    fn nearest<'t>(&'t self, target: f64, usual_target: f64, usual: &'t Table) -> &'t Table {
        let mut nearest = ((usual_target - target).abs(), usual);
        for (other, table) in &self.others {
            let distance = (other - target).abs();
            if distance < nearest.0 {
                nearest = (distance, table);
            }
        }
        nearest.1
    }
}

impl TailPolicy for TailControl {
    fn name(&self) -> &str {
        "tail-control"
    }
    fn serialise(&self) -> Serialise {
        self.serialise
    }
    fn watches(&self) -> bool {
        true
    }
    fn is_large(&self, load: &Load, request: &Progress) -> bool {
        if self.crowded_only && load.active <= load.cores {
            return false;
        }
        let allowed = match &self.fixed {
            Some(table) if request.goal == Goal::Usual => Some(table.threshold(load.active)),
            _ => self.read(|tables| tables.allowance(load, request.goal, self.target)),
        };
        allowed.is_some_and(|allowed| request.processed > allowed * request.weight)
    }
    fn latency_expected(&self, load: &Load) -> Option<f64> {
        let mean = self.read(|tables| tables.model.as_ref().map(|model| model.work.mean()))?;
        // Those that wait go first, each on all cores; then the request itself, on all cores at best.
        Some((load.waiting as f64 + 1.0) * mean / load.cores as f64)
    }
    fn target(&self, goal: Goal) -> Option<f64> {
        match goal {
            Goal::Usual => Some(self.target),
            Goal::Within(target) => Some(target),
            Goal::Batch => None,
        }
    }
    fn arrived(&self, now: f64, load: &Load, goal: Goal) {
        if let Goal::Within(target) = goal {
            self.prepare(target);
        }
        if let Some(profile) = &self.profile {
            profile.lock().unwrap_or_else(PoisonError::into_inner).arrived(now, load.active);
        }
    }
    fn finished(&self, finished: &Finished) {
        let Some(profile) = &self.profile else { return };
        let mut profile = profile.lock().unwrap_or_else(PoisonError::into_inner);
        profile.finished(finished.work);
        if let Some((model, active_max)) = profile.drifted(self.target) {
            let built = Tables::build(model, active_max);
            profile.built(built.as_ref().err().cloned());
            if let Ok(tables) = built {
                self.install(tables);
            }
        }
    }
}
