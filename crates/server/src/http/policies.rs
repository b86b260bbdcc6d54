//! Policies: which there are, which a pool has, and how they are written: by the words of the `[policy]` table.

use std::collections::BTreeMap;

use axum::extract::State;
use muster_engine::Command;
use muster_engine::ids::KindId;
use muster_engine::policy::rule::METRICS;
use muster_engine::policy::settings::PolicySpec;
use muster_engine::policy::{Family, Registry};
use muster_formats::document::Document;
use muster_formats::policy::{FAMILIES, Known, Policies, check_together, read};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Json};
use crate::directory::Directory;
use crate::problem::{Answer, Problem};
use crate::wire::{Policy, Setting};

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(balance, set_balance))
}

/// The policies of a pool; what is left out is as it is by default.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PoliciesSaid {
    /// Which slot does this worker get?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatch: Option<Policy>,
    /// Which idle worker gets an arriving task?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matching: Option<Policy>,
    /// How many workers, of which kind?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaling: Option<Policy>,
    /// How do we make up for people who leave?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<Policy>,
}

fn kinds(directory: &Directory) -> BTreeMap<String, KindId> {
    directory.kinds.iter().map(|(id, record)| (record.name.clone(), KindId(id))).collect()
}

/// Checks policies as they were said, all of them at once.
fn checked(said: &serde_json::Value, directory: &Directory, whole: bool) -> Answer<Policies> {
    let empty = serde_json::Map::new();
    let document = Document::of_json("policies", said.as_object().unwrap_or(&empty));
    let (registry, kinds) = (Registry::default(), kinds(directory));
    let known = Known { registry: &registry, kinds: &kinds };
    let policies = read(document.top(), known);
    if whole {
        check_together(document.top(), &policies, known);
    }
    Ok(document.finish_with(Some(policies))?)
}

/// The policies of a new pool.
pub fn of_pool(said: &PoliciesSaid, directory: &Directory) -> Answer<muster_engine::spec::PoolPolicies> {
    let said = serde_json::to_value(said).unwrap_or_default();
    Ok(checked(&said, directory, true)?.of_pool())
}

/// One policy of a family.
pub fn one(family: Family, said: &Policy, directory: &Directory) -> Answer<PolicySpec> {
    let said = serde_json::json!({ family.name(): said });
    let found = checked(&said, directory, false)?.named.remove(&family);
    found.ok_or_else(|| Problem::field(family.name(), "missing", "a policy's name, or its name and settings"))
}

/// A policy as it would be written: kinds by name.
#[must_use]
pub fn shown(spec: &PolicySpec, directory: &Directory) -> Policy {
    let mut policy = Policy::from(spec);
    if let Policy::Set { settings, .. } = &mut policy {
        let kinds =
            settings.iter_mut().filter(|(name, _)| matches!(name.rsplit('_').next(), Some("kind" | "kinds")));
        kinds.for_each(|(_, value)| name_kinds(value, directory));
    }
    policy
}

fn name_kinds(value: &mut Setting, directory: &Directory) {
    match value {
        Setting::Number(number) => {
            let name = directory.kinds.iter().find(|(id, _)| f64::from(*id) == *number);
            if let Some((_, record)) = name {
                *value = Setting::Text(record.name.clone());
            }
        }
        Setting::List(values) => values.iter_mut().for_each(|value| name_kinds(value, directory)),
        Setting::Flag(_) | Setting::Text(_) => {}
    }
}

/// A family by its word.
pub fn family(word: &str, of_pool: bool) -> Answer<Family> {
    let families = FAMILIES.into_iter().filter(|family| !of_pool || *family != Family::Balance);
    let found = families.clone().find(|family| family.name() == word);
    let allowed = || families.map(Family::name).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| Problem::field("family", format!("'{word}'"), &allowed()))
}

/// A setting that a policy has.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SettingTold {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What it is if nothing is said.
    pub default: &'static str,
}

/// A policy that can be chosen.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PolicyTold {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What can be set.
    pub settings: Vec<SettingTold>,
}

/// The policies that answer one question.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FamilyTold {
    /// Its name.
    pub family: &'static str,
    /// What can be chosen.
    pub policies: Vec<PolicyTold>,
}

/// A metric that rules may use.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MetricTold {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// All policies that can be chosen.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AllPolicies {
    /// Question by question.
    pub families: Vec<FamilyTold>,
    /// Metrics that the policies called `rules` may use.
    pub metrics: Vec<MetricTold>,
}

/// All policies that can be chosen, with their settings.
#[utoipa::path(get, path = "/api/policies", tag = "policies",
    responses((status = 200, body = AllPolicies), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn list(_by: By) -> Json<AllPolicies> {
    let registry = Registry::default();
    let setting = |it: &muster_engine::policy::settings::Setting| SettingTold {
        name: it.name,
        meaning: it.meaning,
        default: it.default,
    };
    let families = FAMILIES.map(|family| {
        let policies = registry.describe(family).into_iter().map(|(name, about, settings)| PolicyTold {
            name,
            about,
            settings: settings.iter().map(setting).collect(),
        });
        FamilyTold { family: family.name(), policies: policies.collect() }
    });
    let metrics = METRICS.iter().map(|it| MetricTold { name: it.name, meaning: it.meaning });
    Json(AllPolicies { families: families.into(), metrics: metrics.collect() })
}

/// The policy that moves workers between pools.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Balance {
    /// Which.
    pub balance: Policy,
}

/// The policy that moves idle workers between pools.
#[utoipa::path(get, path = "/api/balance", tag = "policies",
    responses((status = 200, body = Balance), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn balance(State(server): State<Server>, by: By) -> Answer<Json<Balance>> {
    if !by.may_read_all() {
        return Err(Problem::forbidden("see how pools are balanced"));
    }
    server
        .look(|look| Ok(Json(Balance { balance: shown(look.state().balance(), &look.desk.directory) })))
        .await
}

/// Another policy that moves idle workers between pools, from now on. Needs an admin's token.
#[utoipa::path(put, path = "/api/balance", tag = "policies", request_body = Policy,
    responses((status = 200, body = Balance), (status = "default", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn set_balance(
    State(server): State<Server>,
    by: By,
    body: Body<Policy>,
) -> Answer<Json<Balance>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("change policies"));
    }
    let said = body.said;
    server
        .turn(move |turn| {
            let spec = one(Family::Balance, &said, turn.directory())?;
            turn.command(Command::SetBalance(spec))?;
            Ok(Json(Balance { balance: shown(turn.state().balance(), turn.directory()) }))
        })
        .await
}
