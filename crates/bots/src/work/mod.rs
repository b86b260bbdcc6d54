//! `muster work`: any program as a machine worker. The task's JSON comes on its standard input, and what it prints is the answer.
//!
//! Several at once, each a worker of its own. A program that fails has its task skipped, with the reason; one that fails again
//! and again is not started any more. Told to stop, each finishes what is in hand, then leaves. Start at [`run`].

mod child;
mod hand;
mod moment;

use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::http::{Client, Trouble};
use crate::{Stop, Tell};

/// What is run, and as what.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program and its words.
    pub command: Vec<String>,
    /// The apps whose tasks it does; at least one.
    pub apps: Vec<String>,
    /// The pool to join; the one that serves the apps unless said.
    pub pool: Option<String>,
    /// The kind to join as; the only kind of machine unless said.
    pub kind: Option<String>,
    /// The recruit order that is filled.
    pub recruit: Option<u32>,
    /// So many at once.
    pub at_once: u32,
    /// A run may take so long; as long as the lease unless said.
    pub time_limit: Option<Duration>,
    /// After so many failures in a row a worker leaves.
    pub failures_most: u32,
    /// What makes this process's joins different from any other's.
    pub unique: String,
}

/// Where all of them join, and as what.
#[derive(Clone, Debug)]
struct Place {
    pool: String,
    kind: String,
    apps: Vec<String>,
}

/// What was done in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Answers that the server took.
    pub answers: u64,
    /// Runs that failed.
    pub failures: u64,
    /// Workers who left because too much failed.
    pub gave_up: u32,
}

/// Works until it is told to stop, or all workers have given up.
pub async fn run(
    client: Client,
    program: Program,
    stop: watch::Receiver<Stop>,
    tell: Tell,
) -> Result<Tally, Trouble> {
    let place = find(&client, &program).await?;
    tell(format!("{} at once for {} in pool '{}'", program.at_once, place.apps.join(", "), place.pool));
    let mut hands = JoinSet::new();
    for number in 0..program.at_once {
        let hand = hand::Hand::new(number, client.clone(), program.clone(), place.clone(), tell.clone());
        hands.spawn(hand.run(stop.clone()));
    }
    let mut tally = Tally::default();
    while let Some(ended) = hands.join_next().await {
        let one = ended.map_err(|error| Trouble::Weather(error.to_string()))??;
        tally.answers += one.answers;
        tally.failures += one.failures;
        tally.gave_up += one.gave_up;
    }
    Ok(tally)
}

fn refused(words: String) -> Trouble {
    Trouble::Refused { status: 422, words }
}

fn names<'a>(list: &'a Value, key: &str) -> Vec<&'a Value> {
    list[key].as_array().map(|list| list.iter().collect()).unwrap_or_default()
}

fn texts(list: &Value) -> Vec<String> {
    let texts = list.as_array().map(Vec::as_slice).unwrap_or_default().iter();
    texts.filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// The pool that serves the apps, and the kind of machine.
async fn find(client: &Client, program: &Program) -> Result<Place, Trouble> {
    let (pools, kinds) = (client.get("/api/pools").await?, client.get("/api/kinds").await?);
    let pool = choose_pool(&names(&pools, "pools"), program).map_err(refused)?;
    let kind = choose_kind(&names(&kinds, "kinds"), program).map_err(refused)?;
    Ok(Place { pool: pool["name"].as_str().unwrap_or_default().to_owned(), kind, apps: texts(&pool["apps"]) })
}

fn choose_pool<'a>(pools: &[&'a Value], program: &Program) -> Result<&'a Value, String> {
    let wanted = |pool: &&&Value| match &program.pool {
        Some(name) => pool["name"] == **name,
        None => program.apps.iter().all(|app| texts(&pool["apps"]).contains(app)),
    };
    let found: Vec<&&Value> = pools.iter().filter(wanted).collect();
    let named = |pools: &[&&Value]| {
        pools.iter().filter_map(|pool| pool["name"].as_str()).collect::<Vec<_>>().join("', '")
    };
    let pool = match found.as_slice() {
        [pool] => **pool,
        [] => return Err(format!("no pool that this token may join serves {}", program.apps.join(", "))),
        several => {
            return Err(format!("pools '{}' serve {}; say --pool", named(several), program.apps.join(", ")));
        }
    };
    let others: Vec<String> =
        texts(&pool["apps"]).into_iter().filter(|app| !program.apps.contains(app)).collect();
    if others.is_empty() {
        return Ok(pool);
    }
    Err(format!(
        "pool {} also serves {}: name these with --app as well, or give this program a pool of its own",
        pool["name"],
        others.join(", ")
    ))
}

fn choose_kind(kinds: &[&Value], program: &Program) -> Result<String, String> {
    if let Some(kind) = &program.kind {
        return Ok(kind.clone());
    }
    let machines = kinds.iter().filter(|kind| kind["role"]["is"] == "machine");
    let machines: Vec<&str> = machines.filter_map(|kind| kind["name"].as_str()).collect();
    match machines.as_slice() {
        [kind] => Ok((*kind).to_owned()),
        [] => Err("there is no kind of machine; make one, or say --kind".to_owned()),
        several => Err(format!("there are several kinds of machine ({}); say --kind", several.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn program(apps: &[&str]) -> Program {
        Program {
            command: vec!["true".to_owned()],
            apps: apps.iter().map(|app| (*app).to_owned()).collect(),
            pool: None,
            kind: None,
            recruit: None,
            at_once: 1,
            time_limit: None,
            failures_most: 10,
            unique: String::new(),
        }
    }

    #[test]
    fn the_pool_is_the_one_that_serves_the_apps_and_nothing_else() {
        let pools = json!([{"name": "day", "apps": ["look"]}, {"name": "mixed", "apps": ["read", "hear"]}]);
        let pools: Vec<&Value> = pools.as_array().unwrap().iter().collect();
        assert_eq!(choose_pool(&pools, &program(&["look"])).unwrap()["name"], "day");
        assert_eq!(choose_pool(&pools, &program(&["hear", "read"])).unwrap()["name"], "mixed");
        assert!(choose_pool(&pools, &program(&["read"])).unwrap_err().contains("also serves hear"));
        assert!(choose_pool(&pools, &program(&["taste"])).unwrap_err().contains("no pool"));
        let twice = [pools[0], pools[0]];
        assert!(choose_pool(&twice, &program(&["look"])).unwrap_err().contains("say --pool"));
    }

    #[test]
    fn the_kind_is_the_only_machine() {
        let (ann, robot) = (
            json!({"name": "person", "role": {"is": "person"}}),
            json!({"name": "m1", "role": {"is": "machine"}}),
        );
        assert_eq!(choose_kind(&[&ann, &robot], &program(&["look"])).unwrap(), "m1");
        assert!(choose_kind(&[&ann], &program(&["look"])).is_err());
        assert!(choose_kind(&[&robot, &robot], &program(&["look"])).unwrap_err().contains("several"));
    }
}
