//! People by join link: for each order a link that is good for as many as are wanted, until the order is given up.
//!
//! The link stands beside "2 more people wanted" in the API, and in what webhooks tell. If there is a good link for the pool
//! and kind already, made by hand for instance, it serves.

use muster_engine::spec::Role;

use super::{News, Order, Recruiter};
use crate::http::{Server, links};

/// Makes join links for people who are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByLink;

impl Recruiter for ByLink {
    fn name(&self) -> String {
        "link".to_owned()
    }

    fn takes(&self, _server: &Server, _order: &Order) -> bool {
        true
    }

    async fn hear(&self, server: &Server, news: News) {
        let News::Wanted(order) = news else { return };
        let person = server.look(move |look| {
            let kind = look.state().kind(order.kind);
            Ok(kind.is_some_and(|kind| matches!(kind.role, Role::Person { .. })))
        });
        if person.await != Ok(true) {
            return;
        }
        // If that fails nobody comes by it, and the engine gives the order up at its deadline.
        let _ = links::make_for(server, &order).await;
    }
}
