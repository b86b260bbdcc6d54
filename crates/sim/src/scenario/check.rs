//! What the engine does not take, said at the place where it stands in the file. Decides nothing itself.

use muster_engine::Refusal;
use muster_engine::policy::settings::SettingError;
use muster_formats::document::Table;
use muster_formats::policy::FAMILIES;

use super::{Context, Names, Placed, Places};
use crate::drive::{self, RunError};
use crate::model::{Kind, Pool};

/// Lets the engine say whether it takes a set-up.
pub(super) fn with_engine(placed: &Placed<'_>, top: Table<'_>, cx: &Context<'_>) {
    let Err(RunError::Refused { what, refusal }) = drive::check(&placed.setup, cx.registry) else { return };
    let table = placed.places.of(&what);
    let key = table.and_then(|table| key_of(&refusal, table)).unwrap_or_else(|| "name".to_owned());
    let sentence = said(&refusal, &placed.names);
    match table {
        Some(table) => table.complain(&key, sentence),
        None => top.complain("app", format!("{what}: {sentence}")),
    }
}

/// The key under which stands what was refused, if there is one.
fn key_of(refusal: &Refusal, table: Table<'_>) -> Option<String> {
    let keys: Vec<String> = match refusal {
        Refusal::Field { field, .. } => vec![match *field {
            "billing period" | "cost" | "boot" => "machine".to_owned(),
            "apps" => "serves".to_owned(),
            field if field.contains("lease") => "lease".to_owned(),
            "alpha_gain" | "alpha_loss" | "threshold" | "patience" | "tolerance" | "ideal" => {
                "clients".to_owned()
            }
            "eta" | "cost_per_second" | "wait" | "within" | "share served" | "occupancy"
            | "waiting_minute" | "worker_hour" | "recruitment_delay" | "service_prior" | "size_most" => {
                "recommend".to_owned()
            }
            field => field.to_owned(),
        }],
        Refusal::ServedTwice { .. } => vec!["serves".to_owned()],
        Refusal::NoPool(..) => vec!["app".to_owned(), "steps".to_owned()],
        Refusal::Policy(error) => policy_keys(error),
        _ => Vec::new(),
    };
    keys.into_iter().find(|key| table.has(key))
}

/// In a pool the policies stand in a table of their own, in the file as a whole in one by family.
fn policy_keys(error: &SettingError) -> Vec<String> {
    let family = match error {
        SettingError::UnknownPolicy { family, .. } => Some(*family),
        _ => None,
    };
    let families =
        FAMILIES.iter().map(|family| family.name()).filter(|name| family.is_none_or(|of| of == *name));
    std::iter::once("policy").chain(families).map(str::to_owned).collect()
}

/// The refusal with names for numbers.
fn said(refusal: &Refusal, names: &Names) -> String {
    let name = |names: &[String], place: usize| names.get(place).cloned().unwrap_or_default();
    match refusal {
        Refusal::NoPool(tenant, app) => {
            let (app, tenant) = (name(&names.apps, app.index()), name(&names.tenants, tenant.index()));
            format!("no pool serves '{app}' for '{tenant}'")
        }
        Refusal::ServedTwice { app, pool } => {
            let (app, pool) = (name(&names.apps, app.index()), name(&names.pools, pool.index()));
            format!("'{app}' is served by the pool '{pool}' already")
        }
        other => other.to_string(),
    }
}

/// Those who are there by the scenario must not be more than there are of their kind.
pub(super) fn room(pools: &[Pool], kinds: &[Kind], places: &Places<'_>) {
    for (place, kind) in kinds.iter().enumerate() {
        let Some(most) = kind.spec.most else { continue };
        let at_start = pools.iter().flat_map(|pool| &pool.workers).filter(|(of, _)| *of == place);
        let in_shifts = pools.iter().flat_map(|pool| &pool.shifts).filter(|shift| shift.kind == place);
        let all = at_start.map(|(_, n)| u64::from(*n)).sum::<u64>()
            + in_shifts.map(|shift| u64::from(shift.workers)).sum::<u64>();
        if all > u64::from(most)
            && let Some(table) = places.of(&format!("kind '{}'", kind.name))
        {
            let sentence = format!(
                "the pools have {all} of '{}' at the beginning and in shifts, and there are {most}",
                kind.name
            );
            table.complain("most", sentence);
        }
    }
}
