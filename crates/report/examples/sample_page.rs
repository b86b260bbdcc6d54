//! Writes a page with a figure of every kind, to look at: `cargo run -p muster-report --example sample_page > page.html`.
//! With `odd` the figures are odd ones: empty, single, huge, tiny, constant, not numbers, long names, many lines. With the name
//! of a figure, such as `cdf`, it writes that one as a picture.

use std::io::Write as _;

use muster_report::chart::svg;

#[path = "../tests/report/samples/mod.rs"]
mod samples;

fn main() -> std::io::Result<()> {
    let text = match std::env::args().nth(1).as_deref() {
        None => samples::page().render(),
        Some("odd") => samples::odd_page().render(),
        Some(wanted) => {
            let mut all = samples::figures().into_iter().chain(samples::odd_figures());
            let found = all.find(|(name, _)| *name == wanted);
            found
                .map(|(_, figure)| svg::figure(&figure))
                .unwrap_or_else(|| format!("no figure is named {wanted}\n"))
        }
    };
    std::io::stdout().write_all(text.as_bytes())
}
