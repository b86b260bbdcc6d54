//! A pool's settings while it runs, and what its recommended size should achieve.

use axum::extract::State;
use muster_engine::Command;
use muster_engine::spec::{Aim, Payer, PoolSpec, Recommend};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::{Body, By, Json, Word};
use super::pools::{Pool, pool};
use crate::directory::{Directory, PoolRecord};
use crate::problem::{Answer, Problem};
use crate::wire::Seconds;

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(change))
}

/// What a recommended size should achieve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "aim", rename_all = "kebab-case", deny_unknown_fields)]
pub enum AimSaid {
    /// Waiting and cost together are least, as in the Cioppino paper.
    Objective {
        /// How much waiting weighs against cost, from 0 to 1.
        eta: f64,
        /// What a waiting worker costs per hour.
        cost_per_hour: f64,
    },
    /// The mean wait is at most this.
    Wait {
        /// So long.
        wait: Seconds,
    },
    /// At least this share begins within this time.
    Within {
        /// So long.
        within: Seconds,
        /// The share, between 0 and 1.
        share: f64,
    },
    /// Workers are busy for at most this share of their time.
    Occupancy {
        /// The share, between 0 and 1.
        share: f64,
    },
    /// Waiting and workers together cost least.
    Money {
        /// What a minute less of waiting is worth.
        waiting_minute: f64,
        /// What a worker costs per hour.
        worker_hour: f64,
    },
}

/// How the recommended size of a pool is found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecommendSaid {
    /// What the size should achieve.
    pub to: AimSaid,
    /// The mean time a task takes until the pool has seen completions of its own.
    pub service_prior: Option<Seconds>,
    /// If given, workers who leave while others are being recruited, which takes so long, are added.
    pub recruitment_delay: Option<Seconds>,
    /// No recommendation above this; 100000 unless said.
    pub size_most: Option<u32>,
}

impl From<RecommendSaid> for Recommend {
    fn from(said: RecommendSaid) -> Self {
        let aim = match said.to {
            AimSaid::Objective { eta, cost_per_hour } => {
                Aim::Objective { eta, cost_per_second: cost_per_hour / 3600.0, cost_of_idle: true }
            }
            AimSaid::Wait { wait } => Aim::Wait(wait.0),
            AimSaid::Within { within, share } => Aim::Within(within.0, share),
            AimSaid::Occupancy { share } => Aim::Occupancy(share),
            AimSaid::Money { waiting_minute, worker_hour } => Aim::Money { waiting_minute, worker_hour },
        };
        Self {
            aim,
            service_prior: said.service_prior.map(|span| span.0),
            recruitment_delay: said.recruitment_delay.map(|span| span.0),
            size_most: said.size_most.unwrap_or(Self::default().size_most),
        }
    }
}

impl From<&Recommend> for RecommendSaid {
    fn from(rule: &Recommend) -> Self {
        let to = match rule.aim {
            Aim::Objective { eta, cost_per_second, .. } => {
                AimSaid::Objective { eta, cost_per_hour: cost_per_second * 3600.0 }
            }
            Aim::Wait(span) => AimSaid::Wait { wait: Seconds(span) },
            Aim::Within(span, share) => AimSaid::Within { within: Seconds(span), share },
            Aim::Occupancy(share) => AimSaid::Occupancy { share },
            Aim::Money { waiting_minute, worker_hour } => AimSaid::Money { waiting_minute, worker_hour },
        };
        Self {
            to,
            service_prior: rule.service_prior.map(Seconds),
            recruitment_delay: rule.recruitment_delay.map(Seconds),
            size_most: Some(rule.size_most),
        }
    }
}

/// What changes in a pool; what is left out stays as it is. Policies are changed one by one.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PoolChange {
    /// What it is called.
    pub name: Option<String>,
    /// Apps that its workers do as well, by name or number.
    #[serde(default)]
    pub more_apps: Vec<String>,
    /// Who pays for waiting, training and machines: a tenant, or null for all by their shares.
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<String>)]
    pub payer: Option<Option<String>>,
    /// How often waiting and training are paid and charged.
    pub settle_every: Option<Seconds>,
    /// Over how long rates are measured.
    pub window: Option<Seconds>,
    /// A worker not heard of for so long has left; null for nobody.
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<f64>)]
    pub presence: Option<Option<Seconds>>,
    /// A recruit that has not come so long after the order is lost.
    pub recruit_within: Option<Seconds>,
    /// Whether workers may be moved out of and into this pool.
    pub balanced: Option<bool>,
    /// How the recommended size is found.
    pub recommend: Option<RecommendSaid>,
}

/// Tells null from what was left out.
pub(super) fn said<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl PoolChange {
    fn apply(&self, spec: &mut PoolSpec, names: &Directory) -> Answer<()> {
        for app in &self.more_apps {
            spec.apps.push(names.app(app)?);
        }
        if let Some(payer) = &self.payer {
            let payer = payer.as_deref().map(|word| names.tenant(word)).transpose()?;
            spec.payer = payer.map_or(Payer::Shared, Payer::Tenant);
        }
        let take = |said: Option<Seconds>, field: &mut _| said.into_iter().for_each(|span| *field = span.0);
        take(self.settle_every, &mut spec.settle_every);
        take(self.window, &mut spec.window);
        take(self.recruit_within, &mut spec.recruit_within);
        if let Some(presence) = self.presence {
            spec.presence = presence.map(|span| span.0);
        }
        spec.balanced = self.balanced.unwrap_or(spec.balanced);
        spec.recommend = self.recommend.map_or(spec.recommend, Recommend::from);
        Ok(())
    }
}

/// Other settings for a pool, from now on. Needs an admin's token.
#[utoipa::path(patch, path = "/api/pools/{pool}", tag = "pools", request_body = PoolChange, params(("pool" = String, Path, description = "Name or number")),
    responses((status = 200, body = Pool), (status = "default", body = Problem, content_type = "application/problem+json")))]
async fn change(State(server): State<Server>, by: By, word: Word, body: Body<PoolChange>) -> Answer<Json<Pool>> {
    if !by.is_admin() {
        return Err(Problem::forbidden("change pools"));
    }
    let said = body.said;
    let changed = server.turn(move |turn| {
        let id = turn.directory().pool(&word.0)?;
        let renamed = said.name.as_ref().filter(|name| turn.directory().pools.name(id.0) != name.as_str()).cloned();
        if let Some(name) = &renamed {
            turn.directory().pools.check_new(name)?;
        }
        let mut spec = turn.state().pool(id).ok_or_else(|| Problem::not_found(id))?.spec.clone();
        said.apply(&mut spec, turn.directory())?;
        turn.command(Command::SetPool(id, Box::new(spec)))?;
        if let Some(name) = renamed {
            let blob = turn.directory_mut().pools.set(id.0, PoolRecord { name });
            blob.into_iter().for_each(|(key, value)| turn.put(key, value));
        }
        pool(turn.engine(), turn.directory(), id)
    });
    changed.await.map(Json)
}
