//! Whether the server lives, and whether it can take work.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Server;
use super::extract::Json;
use crate::keeper::Condition;

/// The endpoints.
pub fn router() -> OpenApiRouter<Server> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(ready))
}

/// How the server is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Health {
    /// In a word: running, disk-full or stopped.
    pub condition: &'static str,
}

fn health_of(server: &Server) -> Health {
    let condition = match server.keeper.shared.condition() {
        Condition::Running => "running",
        Condition::Full => "disk-full",
        Condition::Stopped => "stopped",
    };
    Health { condition }
}

/// Whether the server lives.
#[utoipa::path(get, path = "/health", tag = "health", security(()), responses((status = 200, body = Health), (status = 503, body = Health)))]
async fn health(State(server): State<Server>) -> (StatusCode, Json<Health>) {
    let stopped = server.keeper.shared.condition() == Condition::Stopped;
    (if stopped { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK }, Json(health_of(&server)))
}

/// Whether the server can take work.
#[utoipa::path(get, path = "/ready", tag = "health", security(()), responses((status = 200, body = Health), (status = 503, body = Health)))]
async fn ready(State(server): State<Server>) -> (StatusCode, Json<Health>) {
    let ready = server.keeper.shared.condition() == Condition::Running;
    (if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }, Json(health_of(&server)))
}
