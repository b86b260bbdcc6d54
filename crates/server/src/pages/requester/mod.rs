//! The requester's pages: the list of jobs, a new job from an upload, and a job while it is worked on.
//!
//! A new job takes two steps. `upload` reads a file whole or not at all and keeps it as a draft; `draft` shows its rows, the page that
//! workers will see and what all of it will cost, and submits it. Everything is read and done through the functions of the API, so a
//! tenant sees nothing of another, and what a page submits is what the API would have submitted.

mod agreement;
mod answers;
mod change;
mod download;
mod draft;
mod draft_view;
mod estimate;
mod job;
mod list;
mod preview;
mod progress;
mod upload;
mod wishes;

use axum::Router;
use muster_engine::ids::TenantId;

use super::session::Visitor;
use crate::http::Server;
use crate::problem::{Answer, Problem};

/// Where the navigation leads.
pub const PLACES: &[(&str, &str)] = &[("/jobs", "Jobs")];

/// The navigation's item of all these pages.
const PLACE: &str = "/jobs";

/// The pages.
pub fn router() -> Router<Server> {
    Router::new()
        .merge(list::router())
        .merge(upload::router())
        .merge(draft::router())
        .merge(job::router())
        .merge(change::router())
        .merge(download::router())
}

/// The tenants whose jobs a visitor may see, with their names.
fn tenants(server: &Server, visitor: &Visitor) -> Answer<Vec<(TenantId, String)>> {
    let directory = server.directory();
    let all = directory.tenants.iter().map(|(id, record)| (TenantId(id), record.name.clone()));
    let seen: Vec<(TenantId, String)> = all.filter(|(id, _)| visitor.may_read(*id)).collect();
    if seen.is_empty() && !visitor.may_read_all() { Err(Problem::forbidden("see jobs")) } else { Ok(seen) }
}

/// Whether a visitor may submit anything.
fn may_submit(visitor: &Visitor) -> bool {
    use crate::access::Scope;
    matches!(visitor.scope, Scope::Admin | Scope::Tenant(_))
}
