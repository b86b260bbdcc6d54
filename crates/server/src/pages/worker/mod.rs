//! The worker's pages.

use axum::Router;

use crate::http::Server;

/// Where the navigation leads.
pub const PLACES: &[(&str, &str)] = &[("/work", "Work")];

/// The pages.
pub fn router() -> Router<Server> {
    Router::new()
}
