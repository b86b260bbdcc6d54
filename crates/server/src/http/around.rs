//! What happens around every request: its body must come at a pace, and how long it took and how it ended is counted.

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

use super::{Server, pace};

/// Where requests are counted that no route takes.
const NOWHERE: &str = "none";

/// Around a request.
pub(super) async fn around(State(server): State<Server>, request: Request, next: Next) -> Response {
    let clock = &server.keeper.shared.clock;
    let began = clock.now();
    let route = request.extensions().get::<MatchedPath>().map_or(NOWHERE, MatchedPath::as_str);
    let taken = server.counts.taken(request.method().as_str(), route);
    let request = request.map(|body| pace::paced(body, &server.limits));
    let response = next.run(request).await;
    taken.count(clock.now().since(began).0);
    server.counts.count(response.status().as_u16());
    response
}
