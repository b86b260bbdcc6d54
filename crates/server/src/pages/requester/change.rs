//! Another budget or priority for a job that runs, by two small forms: each is one change, as in the API.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::post;
use maud::{Markup, html};

use super::super::form::{self, Fields, Form, hidden};
use super::super::parts::{self, Field};
use super::super::session::Visitor;
use super::wishes::{PRIORITY_MOST, amount, whole};
use crate::http::Server;
use crate::http::extract::Word;
use crate::http::progress::{JobChange, Progress, changed};
use crate::problem::Answer;
use crate::wire::Amount;

/// The acts.
pub(super) fn router() -> Router<Server> {
    Router::new().route("/jobs/{job}/change", post(change))
}

/// The two forms.
pub(super) fn view(visitor: &Visitor, progress: &Progress, job: u64) -> Markup {
    let budget = progress.budget.map(|budget| budget.0.as_units_f64().to_string()).unwrap_or_default();
    let priority = progress.priority.unwrap_or(1);
    let action = format!("/jobs/{job}/change");
    html! {
        h2 { "Change" }
        div .changes {
            form method="post" action=(action) {
                (hidden(visitor))
                (Field::new("budget", "Budget").hint("What the whole job may cost; empty for no limit but the tenant's.")
                    .number("any", Some(0.0), None).value(budget))
                button { "Set the budget" }
            }
            form method="post" action=(action) {
                (hidden(visitor))
                (Field::new("priority", "Priority").hint("Its share against your other jobs: 2 gets twice as much as 1.")
                    .number("1", Some(1.0), None).value(priority).required())
                button { "Set the priority" }
            }
        }
    }
}

fn read(fields: &Fields) -> Answer<JobChange> {
    let has = |name: &str| fields.0.iter().any(|(key, _)| key == name);
    let priority = has("priority")
        .then(|| whole("priority", "priority", fields.get("priority"), PRIORITY_MOST))
        .transpose()?;
    let budget = match fields.get("budget") {
        "" => has("budget").then_some(None),
        said => Some(Some(Amount(amount("budget", said)?))),
    };
    Ok(JobChange { priority, budget })
}

async fn change(State(server): State<Server>, Path(job): Path<String>, form: Form<Fields>) -> Response {
    let (word, path) = (Word(job.clone()), format!("/jobs/{job}"));
    let done = async {
        let said = read(&form.fields)?;
        changed(&server, &form.visitor.by(), &word, said).await?;
        Ok(said)
    };
    match done.await {
        Ok(JobChange { priority: Some(priority), .. }) => {
            form::done(&path, &format!("The priority is {priority} now."))
        }
        Ok(JobChange { budget: Some(Some(budget)), .. }) => {
            form::done(&path, &format!("The budget is {} now.", parts::money(budget.0)))
        }
        Ok(_) => form::done(&path, "The job has no budget of its own now."),
        Err(problem) => form::not_done(&path, &problem),
    }
}
