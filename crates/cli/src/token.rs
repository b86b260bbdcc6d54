//! `muster token`: tokens of a running server, made, listed and revoked over its API.

use clap::{Args, Subcommand};
use muster_engine::Span;
use muster_report::table::{Align, Table};
use serde_json::{Map, Value, json};

use crate::client::Remote;
use crate::output::Console;
use crate::refusal::{Failure, Refusal};

/// What to do with tokens.
#[derive(Debug, Subcommand)]
pub(crate) enum Token {
    /// Makes a token; its text is shown only once.
    #[command(
        after_help = "Example: muster token make tenant --tenant acme --label 'acme, uploads' --expires '30 d'"
    )]
    Make(Make),
    /// All tokens, without their texts.
    List(List),
    /// Revokes a token, from now on.
    #[command(after_help = "Example: muster token revoke 3")]
    Revoke(Revoke),
}

#[derive(Args, Debug)]
pub(crate) struct Make {
    #[command(flatten)]
    remote: Remote,
    /// What it allows: admin, tenant, worker or read
    scope: String,
    /// Whose, for the scopes tenant and read
    #[arg(long)]
    tenant: Option<String>,
    /// Where workers may join, for the scope worker
    #[arg(long)]
    pool: Option<String>,
    /// What it is for
    #[arg(long)]
    label: Option<String>,
    /// It is good for so long, such as '30 d'; for ever unless said
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct List {
    #[command(flatten)]
    remote: Remote,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Revoke {
    #[command(flatten)]
    remote: Remote,
    /// Its number, as listed
    id: u32,
}

impl Token {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        match self {
            Self::Make(make) => make.run(console),
            Self::List(list) => list.run(console),
            Self::Revoke(revoke) => {
                revoke.remote.ask("DELETE", &format!("/api/tokens/{}", revoke.id), None)?;
                console.print(&format!("token {} is revoked\n", revoke.id))
            }
        }
    }
}

impl Make {
    fn run(&self, console: &Console) -> Result<(), Failure> {
        let made = self.remote.ask("POST", "/api/tokens", Some(&self.body()?))?;
        console.print(&format!("{}\n", made["token"].as_str().unwrap_or_default()))
    }

    fn body(&self) -> Result<Value, Refusal> {
        let scopes = ["admin", "tenant", "worker", "read"];
        if !scopes.contains(&self.scope.as_str()) {
            return Err(Refusal::value("scope", &self.scope, "admin, tenant, worker or read"));
        }
        if self.scope == "tenant" && self.tenant.is_none() {
            let allowed = "the tenant's name or number".to_owned();
            return Err(Refusal::Missing { field: "--tenant".to_owned(), allowed });
        }
        let mut body = Map::from_iter([("scope".to_owned(), json!(self.scope))]);
        let given = [("tenant", &self.tenant), ("pool", &self.pool), ("label", &self.label)];
        body.extend(
            given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value.as_ref()?)))),
        );
        if let Some(text) = &self.expires {
            let span: Span = text
                .parse()
                .map_err(|_| Refusal::value("--expires", text, "a length of time such as '30 d'"))?;
            body.insert("expires_in".to_owned(), json!(span.as_secs_f64()));
        }
        Ok(Value::Object(body))
    }
}

impl List {
    fn run(&self, console: &Console) -> Result<(), Failure> {
        let found = self.remote.ask("GET", "/api/tokens", None)?;
        if self.json {
            return console.print(&format!("{found:#}\n"));
        }
        let mut table = Table::new().column("id", Align::Number);
        for title in ["scope", "tenant", "pool", "label", "made", "expires"] {
            table = table.column(title, Align::Left);
        }
        for token in found["tokens"].as_array().into_iter().flatten() {
            let text = |name: &str| token[name].as_str().unwrap_or_default().to_owned();
            table.row([
                token["id"].to_string(),
                text("scope"),
                text("tenant"),
                text("pool"),
                text("label"),
                text("made"),
                text("expires"),
            ]);
        }
        console.print(&table.render(0, console.out))
    }
}
