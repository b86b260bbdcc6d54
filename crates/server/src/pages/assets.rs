//! Styles and scripts: part of the program, served under names that change with what they hold, so browsers may keep them for ever.
//!
//! A new script: a file in `assets/` and a line in `SCRIPTS`; a page loads it with [`script`].

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};
use sha2::{Digest, Sha256};

use super::Page;
use crate::http::Server;
use crate::problem::Problem;

/// Where they are served.
pub fn router() -> Router<Server> {
    Router::new().route("/assets/{name}", get(show))
}

const SCRIPTS: &[(&str, &str)] = &[
    ("claim.js", include_str!("assets/claim.js")),
    ("draft.js", include_str!("assets/draft.js")),
    ("live.js", include_str!("assets/live.js")),
    ("work.js", include_str!("assets/work.js")),
];

struct Asset {
    kind: &'static str,
    text: String,
    /// Its name with the beginning of its hash.
    url: String,
}

impl Asset {
    fn new(name: &str, kind: &'static str, text: String) -> Self {
        let hash: String =
            Sha256::digest(text.as_bytes())[..6].iter().map(|byte| format!("{byte:02x}")).collect();
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        Self { kind, text, url: format!("/assets/{stem}-{hash}.{ending}") }
    }
}

/// All of them, by name.
static ALL: LazyLock<BTreeMap<&'static str, Asset>> = LazyLock::new(|| {
    let style = muster_report::html::style()
        + include_str!("assets/muster.css")
        + include_str!("assets/requester.css")
        + include_str!("assets/operations.css");
    let picture = include_str!("assets/muster.svg").to_owned();
    let scripts = SCRIPTS
        .iter()
        .map(|(name, text)| (*name, Asset::new(name, "text/javascript; charset=utf-8", (*text).to_owned())));
    let mut all: BTreeMap<&'static str, Asset> = scripts.collect();
    all.insert("muster.css", Asset::new("muster.css", "text/css; charset=utf-8", style));
    all.insert("muster.svg", Asset::new("muster.svg", "image/svg+xml", picture));
    all
});

/// Where an asset is, by its name.
#[must_use]
pub fn url(name: &str) -> &'static str {
    ALL.get(name).map_or("", |asset| asset.url.as_str())
}

/// A script, by its name; it runs when the page is there.
#[must_use]
pub fn script(name: &str) -> Markup {
    html! { script src=(url(name)) defer {} }
}

async fn show(Path(name): Path<String>) -> Page {
    let path = format!("/assets/{name}");
    let found = ALL.values().find(|asset| asset.url == path);
    let asset = found.ok_or_else(|| Problem::not_found(format_args!("asset '{name}'")))?;
    Ok(sent(asset))
}

fn sent(asset: &'static Asset) -> Response {
    let headers =
        [(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    (headers, asset.text.as_str()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_with_what_they_hold() {
        assert_ne!(Asset::new("a.js", "", "1".to_owned()).url, Asset::new("a.js", "", "2".to_owned()).url);
        assert!(url("live.js").starts_with("/assets/live-") && url("live.js").ends_with(".js"));
        assert_eq!(url("nothing.js"), "");
    }
}
