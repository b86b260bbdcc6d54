//! Makes what a scenario names and the server does not have: tenants, apps, kinds and pools, with their policies. What is there
//! already, by its name, is left as it is.

use muster_sim::model::{App, Kind, Pool, Setup};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::http::{Client, Trouble};

/// Makes what is not there yet; needs an admin's token.
pub async fn make(client: &Client, setup: &Setup) -> Result<(), Trouble> {
    for tenant in &setup.tenants {
        let budget = plain(&tenant.spec.budget);
        let every = |key: &str| budget.get(key).and_then(Value::as_f64);
        let budget = match (every("amount"), every("every")) {
            (Some(amount), Some(every)) => json!({"amount": amount / 1e6, "every": every / 1e9}),
            _ => Value::Null,
        };
        let body = json!({"name": tenant.name, "weight": tenant.spec.weight, "budget": budget});
        put(client, "/api/tenants", &body).await?;
    }
    for app in &setup.apps {
        put(client, "/api/apps", &described_app(app)).await?;
    }
    for kind in &setup.kinds {
        put(client, "/api/kinds", &described_kind(kind)).await?;
    }
    for pool in &setup.pools {
        put(client, "/api/pools", &described_pool(pool, setup)).await?;
    }
    Ok(())
}

/// Makes something; that it is there already is no trouble.
async fn put(client: &Client, path: &str, body: &Value) -> Result<(), Trouble> {
    match client.post(path, body).await {
        Err(Trouble::Refused { status: 409, .. }) => Ok(()),
        Err(Trouble::Refused { status, words }) => {
            Err(Trouble::Refused { status, words: format!("{path} {}: {words}", body["name"]) })
        }
        reply => reply.map(drop),
    }
}

fn plain(it: &impl Serialize) -> Value {
    serde_json::to_value(it).unwrap_or(Value::Null)
}

/// Spans are nanoseconds in the model, and seconds at the server.
fn seconds(nanos: &Value) -> Value {
    nanos.as_f64().map_or(Value::Null, |nanos| (nanos / 1e9).into())
}

/// Money is micro-units in the model, and units at the server.
fn units(micros: &Value) -> Value {
    micros.as_f64().map_or(Value::Null, |micros| (micros / 1e6).into())
}

fn lease(said: &Value) -> Value {
    match said.get("Learned") {
        Some(learned) => {
            json!({"factor": learned["factor"], "least": seconds(&learned["least"]), "most": seconds(&learned["most"])})
        }
        None => seconds(&said["Fixed"]),
    }
}

/// An app as it is made at the server, without what workers are told.
#[must_use]
pub fn described_app(app: &App) -> Value {
    json!({
        "name": app.name, "training": app.spec.training.as_secs_f64(), "lease": lease(&plain(&app.spec.lease)),
        "heartbeat": app.spec.heartbeat.map(|span| span.as_secs_f64()),
        "expected": app.spec.expected.map(|span| span.as_secs_f64()),
    })
}

fn described_kind(kind: &Kind) -> Value {
    let role = plain(&kind.spec.role);
    let role = match role.get("Machine") {
        Some(machine) => {
            json!({"is": "machine", "period": seconds(&machine["period"]), "cost": units(&machine["cost"])})
        }
        None => {
            let person = &role["Person"];
            json!({"is": "person", "wage_waiting": units(&person["wage_waiting"]), "wage_training": units(&person["wage_training"])})
        }
    };
    json!({"name": kind.name, "role": role, "speed": kind.spec.speed, "boot": kind.spec.boot.as_secs_f64(), "most": kind.spec.most})
}

/// A policy with its settings as plain values; kinds, which the model knows by number, by name.
fn policy(spec: &impl Serialize, kinds: &[Kind]) -> Value {
    fn value(tagged: &Value, name: &dyn Fn(&Value) -> Option<Value>) -> Value {
        let inner = tagged.as_object().and_then(|tagged| tagged.values().next()).unwrap_or(tagged);
        match inner {
            Value::Array(list) => list.iter().map(|it| value(it, name)).collect(),
            other => name(other).unwrap_or_else(|| other.clone()),
        }
    }
    let kind = |number: &Value| {
        let place = number.as_f64().filter(|number| *number >= 0.0)? as usize;
        Some(kinds.get(place)?.name.clone().into())
    };
    let spec = plain(spec);
    let mut words = Map::new();
    words.insert("name".to_owned(), spec["name"].clone());
    for (name, tagged) in spec["settings"].as_object().into_iter().flatten() {
        let is_kind = matches!(name.rsplit('_').next(), Some("kind" | "kinds"));
        let plain = if is_kind { value(tagged, &kind) } else { value(tagged, &|_| None) };
        words.insert(name.clone(), plain);
    }
    Value::Object(words)
}

fn described_pool(pool: &Pool, setup: &Setup) -> Value {
    let spec = &pool.spec;
    let apps: Vec<&str> = spec.apps.iter().map(|app| setup.apps[app.index()].name.as_str()).collect();
    let tenant = |place: usize| setup.tenants[place].name.clone();
    let payer = plain(&spec.payer)["Tenant"].as_u64().map(|place| tenant(place as usize));
    let policies = &spec.policies;
    json!({
        "name": pool.name, "apps": apps, "tenant": spec.tenant.map(|id| tenant(id.index())), "payer": payer,
        "settle_every": spec.settle_every.as_secs_f64(), "window": spec.window.as_secs_f64(),
        "recruit_within": spec.recruit_within.as_secs_f64(), "presence": spec.presence.map(|span| span.as_secs_f64()), "balanced": spec.balanced,
        "recommend": recommend(&plain(&spec.recommend)),
        "policies": {
            "dispatch": policy(&policies.dispatch, &setup.kinds), "matching": policy(&policies.matching, &setup.kinds),
            "scaling": policy(&policies.scaling, &setup.kinds), "replacement": policy(&policies.replacement, &setup.kinds),
        },
    })
}

fn recommend(said: &Value) -> Value {
    let aim = &said["aim"];
    let aim = match aim.as_object().and_then(|aim| aim.iter().next()) {
        Some((name, it)) => match name.as_str() {
            "Objective" => json!({"aim": "objective", "eta": it["eta"],
                "cost_per_hour": it["cost_per_second"].as_f64().unwrap_or(0.0) * 3600.0}),
            "Wait" => json!({"aim": "wait", "wait": seconds(it)}),
            "Within" => json!({"aim": "within", "within": seconds(&it[0]), "share": it[1]}),
            "Occupancy" => json!({"aim": "occupancy", "share": it}),
            _ => {
                json!({"aim": "money", "waiting_minute": it["waiting_minute"], "worker_hour": it["worker_hour"]})
            }
        },
        None => return Value::Null,
    };
    json!({"to": aim, "service_prior": seconds(&said["service_prior"]),
        "recruitment_delay": seconds(&said["recruitment_delay"]), "size_most": said["size_most"]})
}
