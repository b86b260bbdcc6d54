//! The HTTP API: one file for each resource. Reads requests, asks the keeper, writes replies; decides nothing.
//!
//! Start at [`router`]. How to add an endpoint is told in the crate's head.

#![allow(unused_qualifications, reason = "utoipa writes the paths of parameters in full")]

pub mod apps;
mod around;
pub mod clients;
pub mod decisions;
pub mod events;
pub mod extract;
pub mod facts;
pub mod forecast;
pub mod health;
pub mod hooks;
pub mod jobs;
pub mod kinds;
pub mod ledger;
pub mod links;
pub mod metrics;
pub mod operations;
mod pace;
pub mod policies;
pub mod pool_settings;
pub mod pools;
pub mod progress;
pub mod results;
pub mod skips;
pub mod stream;
pub mod submit;
pub mod tasks;
pub mod tenants;
pub mod tokens;
pub mod uploads;
pub mod work;
pub mod workers;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use muster_engine::Span;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

use crate::keeper::Keeper;
use crate::problem::Problem;

/// What one request, and one token, may want.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body: usize,
    /// Bytes of one task's payload, or of one answer.
    pub payload: usize,
    /// Bytes of the reason why something is skipped.
    pub reason: usize,
    /// Bytes of an upload.
    pub upload: u64,
    /// Operations in one request.
    pub operations: usize,
    /// The longest that a request waits for a task.
    pub wait: Span,
    /// Requests per second of one token, in the long run.
    pub rate: u32,
    /// Requests of one token at once.
    pub burst: u32,
    /// Connections at once.
    pub connections: usize,
    /// A client has so long to send the head of a request.
    pub head_within: Span,
    /// A client has so long to send the body of a request ...
    pub body_within: Span,
    /// ... and a second more for so many bytes of it that have come.
    pub body_pace: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 64 * 1024 * 1024,
            payload: 256 * 1024,
            reason: 1000,
            upload: 4 * 1024 * 1024 * 1024,
            operations: 1000,
            wait: Span::from_secs(60),
            rate: 5_000,
            burst: 10_000,
            connections: 16_384,
            head_within: Span::from_secs(30),
            body_within: Span::from_secs(30),
            body_pace: 1_000,
        }
    }
}

/// What every handler has.
#[derive(Clone)]
pub struct Server {
    /// The keeper.
    pub keeper: Keeper,
    /// Limits.
    pub limits: Arc<Limits>,
    /// Counts of requests.
    pub counts: Arc<metrics::Counts>,
    /// How webhooks go.
    pub hooks: crate::webhook::Shared,
    /// What viewers of pages share.
    pub boards: Arc<crate::pages::live::Boards>,
    /// Which workers have a page open.
    pub presences: Arc<crate::pages::worker::presence::Presences>,
    /// What the operations pages remember.
    pub watch: crate::pages::operations::watch::Shared,
}

impl Server {
    /// A server around a keeper.
    #[must_use]
    pub fn new(keeper: Keeper, limits: Limits) -> Self {
        Self {
            keeper,
            limits: Arc::new(limits),
            counts: Arc::default(),
            hooks: Arc::default(),
            boards: Arc::default(),
            presences: Arc::default(),
            watch: Arc::default(),
        }
    }

    /// Does something in the keeper's thread; a refusal in there, or that it could not be done, is a problem.
    pub async fn turn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut crate::keeper::turn::Turn<'_>) -> crate::problem::Answer<T> + Send + 'static,
    ) -> crate::problem::Answer<T> {
        self.keeper.turn(work).await?
    }

    /// Looks at something in the keeper's thread.
    pub async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&crate::keeper::turn::Look<'_>) -> crate::problem::Answer<T> + Send + 'static,
    ) -> crate::problem::Answer<T> {
        self.keeper.look(look).await?
    }

    /// Reads blobs in a thread that may wait for the disk.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&dyn crate::journal::Reader) -> crate::problem::Answer<T> + Send + 'static,
    ) -> crate::problem::Answer<T> {
        let reader = Arc::clone(&self.keeper.shared.reader);
        let read = tokio::task::spawn_blocking(move || read(&*reader)).await;
        read.unwrap_or_else(|_| Err(Problem::from(crate::keeper::Unavailable::Stopped)))
    }

    /// Waits until the server is about to stop.
    pub async fn stopped(&self) {
        // The sender is in `self`, so it cannot be gone.
        let _ = self.keeper.shared.closing.subscribe().wait_for(|closing| *closing).await;
    }

    /// Names and descriptions, as they are.
    #[must_use]
    pub fn directory(&self) -> Arc<crate::directory::Directory> {
        self.keeper.shared.directory()
    }
}

#[derive(OpenApi)]
#[openapi(
    info(title = "Muster", description = "Shared work on elastic pools of people and machines."),
    modifiers(&Bearer),
    security(("token" = []))
)]
struct Api;

struct Bearer;

impl utoipa::Modify for Bearer {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = api.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// The API's resources, and the document that describes them.
fn resources() -> OpenApiRouter<Server> {
    OpenApiRouter::with_openapi(Api::openapi())
        .merge(tenants::router())
        .merge(apps::router())
        .merge(kinds::router())
        .merge(pools::router())
        .merge(pool_settings::router())
        .merge(jobs::router())
        .merge(submit::router())
        .merge(forecast::router())
        .merge(uploads::router())
        .merge(tasks::router())
        .merge(clients::router())
        .merge(results::router())
        .merge(workers::router())
        .merge(work::router())
        .merge(tokens::router())
        .merge(facts::router())
        .merge(policies::router())
        .merge(decisions::router())
        .merge(ledger::router())
        .merge(operations::router())
        .merge(links::router())
        .merge(hooks::router())
        .merge(events::router())
        .merge(skips::router())
        .merge(progress::router())
        .merge(health::router())
}

/// The OpenAPI document.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    resources().split_for_parts().1
}

/// What is nowhere: a page for those who read pages.
async fn nowhere(headers: axum::http::HeaderMap) -> axum::response::Response {
    let problem = Problem::not_found("such address");
    if crate::pages::wants_page(&headers) {
        return crate::pages::guarded(crate::pages::Failed(problem).into_response(), false);
    }
    problem.into_response()
}

/// Everything that can be asked for.
pub fn router(server: Server) -> Router {
    let (router, api) = resources().split_for_parts();
    let document: Arc<str> = api.to_json().unwrap_or_default().into();
    let body = server.limits.body;
    router
        .route("/api/openapi.json", get(move || async move { extract::json_text(&document) }))
        .route("/metrics", get(metrics::metrics))
        .merge(crate::pages::router())
        .fallback(nowhere)
        .method_not_allowed_fallback(|| async {
            let status = axum::http::StatusCode::METHOD_NOT_ALLOWED;
            Problem::new(status, "method", "Not that method", "this address does not take that method")
        })
        .layer(DefaultBodyLimit::max(body))
        .layer(from_fn_with_state(server.clone(), around::around))
        .with_state(server)
}
