//! Whole pages: complete, well-formed, and without anything that was not meant.

use expect_test::expect_file;
use muster_report::chart::{At, Axis, Chart, Panels, Rows, Series, Spot};
use muster_report::html::{Page, Section, Tile, document, style};
use muster_report::interval::Interval;
use muster_report::number::Unit;
use muster_report::sheet::{Cell, Sheet};

use crate::{markup, samples};

#[test]
fn a_small_page() {
    let sheet = Sheet::new("variant").caption("Waiting").column("wait", Unit::Seconds);
    let page = Page::new("Night shift")
        .subtitle("8 h, 20 replications")
        .lead("Fair sharing halves the wait.")
        .section(
            Section::new("Waiting")
                .text("Half of the tasks wait less.")
                .list(["one", "two"])
                .tiles([Tile::new("mean wait", "12.3 ± 0.4 s").note("of 20 runs")])
                .table(sheet.row("fifo", [Interval::new(12.34, 0.41)]))
                .folded("The scenario", "name = \"night\"\n"),
        )
        .footer("muster simulate night.toml");
    let page = page.render();
    let without_style = page.replace(&style(), "...\n");
    expect_file!["../golden/page.html"].assert_eq(&without_style);
}

#[test]
fn pages_are_well_formed() {
    for page in [samples::page(), samples::odd_page(), Page::new("")] {
        markup::balanced(&page.render()).expect("well-formed");
    }
}

#[test]
fn pages_are_complete_in_themselves() {
    let page = samples::page().render();
    let rest = page.replace("http://www.w3.org/2000/svg", "");
    for never in ["<script", "http:", "https:", "url(", "@import", " src=", "<link", " on", "javascript:"] {
        let found = rest
            .split('<')
            .skip(1)
            .filter(|tag| tag.split('>').next().is_some_and(|tag| format!("<{tag}").contains(never)));
        assert_eq!(found.count(), 0, "{never}");
    }
    for kind in samples::figures() {
        assert!(page.contains(&format!("<strong>{}</strong>", kind.1.title())), "{}", kind.0);
    }
}

#[test]
fn nothing_that_is_given_becomes_markup() {
    let bad = "\"'><script>alert(1)</script>&";
    let axis = || Axis::new(bad, Unit::Of(bad.to_owned()));
    let chart = Chart::new(bad, axis(), axis())
        .with(Series::new(bad, vec![(0.0, 1.0), (1.0, 2.0)]))
        .spot(Spot::new(bad, 0.5, 1.5))
        .mark(bad, At::X(0.5))
        .mark(bad, At::Y(1.0));
    let rows =
        Rows::bars(bad, axis()).heading(bad).row(bad, Interval::exact(1.0)).target(1.0).targets_are(bad);
    let sheet = Sheet::new(bad).caption(bad).column(bad, Unit::Of(bad.to_owned()));
    let section = Section::new(bad)
        .text(bad)
        .list([bad])
        .tiles([Tile::new(bad, bad).note(bad)])
        .table(sheet.row(bad, [Cell::from(bad)]).row(bad, [Cell::from(1.0)]))
        .figure(chart.clone(), bad)
        .figure(rows, bad)
        .figure(Panels::new(bad, vec![chart]), bad)
        .folded(bad, bad);
    let sections = (0..4)
        .fold(Page::new(bad).subtitle(bad).lead(bad).footer(bad), |page, _| page.section(section.clone()));
    let page = sections.render();
    assert!(!page.contains("<script") && !page.contains("\"'>"), "{page}");
    markup::balanced(&page).expect("well-formed");
}

#[test]
fn other_pages_can_have_the_same_look() {
    let page = document(
        "Pools",
        "<link rel=\"icon\" href=\"/icon.svg\">\n",
        &Section::new("Pools").text("None yet.").render(),
    );
    assert!(
        page.contains(&style())
            && page.contains("<h2>Pools</h2>")
            && !page.contains("Content-Security-Policy")
    );
}
