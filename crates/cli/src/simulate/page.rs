//! A study as a page: self-contained HTML with tables and charts.

use hdrhistogram::Histogram;
use muster_report::chart::{Axis, Chart, Figure, Panels, Rows, Series, Spot};
use muster_report::html::{Page, Section, Tile};
use muster_report::number::Unit;
use muster_sim::measure::{Measure, Scope};
use muster_sim::model::Scenario;
use muster_sim::scenario;
use muster_sim::study::{Point, Study, Together};

use super::tables;

/// Panels beyond these would be too small to read.
const PANELS_MOST: usize = 12;

pub(super) fn page(scenario: &Scenario, made: &Study, text: &str) -> String {
    let mut page = Page::new(&scenario.name).subtitle(&tables::how(scenario, made));
    if !scenario.about.is_empty() {
        page = page.lead(&scenario.about);
    }
    page = page
        .section(at_a_glance(scenario, made))
        .section(over_time(scenario, made))
        .section(waiting(scenario, made));
    for section in numbers(scenario, made) {
        page = page.section(section);
    }
    page.section(what_was_simulated(scenario, text))
        .footer(&format!("muster {}, seed {}", env!("CARGO_PKG_VERSION"), scenario.plan.seed))
        .render()
}

fn at_a_glance(scenario: &Scenario, made: &Study) -> Section {
    let mut section = Section::new("At a glance");
    let first = &made.variants[0];
    let tile = |measure: Measure| {
        let found = first.interval(Scope::All, measure)?;
        let value = tables::shown(found).write(&tables::unit(measure, &scenario.currency));
        Some(Tile::new(measure.label(), &value))
    };
    let wanted =
        [Measure::Throughput, Measure::WaitMean, Measure::WaitP95, Measure::Cost, Measure::IdleShare];
    section = section.text(&format!("The variant '{}':", scenario.variants[0].name));
    section = section.tiles(wanted.into_iter().filter_map(tile));
    if let Some(chart) = trade_off(scenario, made) {
        section = section.figure(chart, "Each point is a variant; the lines are 95 % intervals.");
    }
    for rows in differences(scenario, made) {
        section = section.figure(rows, "Run by run, with the same people and the same work; 95 % intervals.");
    }
    section.list(tables::edge_sentences(scenario, made))
}

/// Cost against waiting, a point for each variant.
fn trade_off(scenario: &Scenario, made: &Study) -> Option<Chart> {
    let x = Axis::new("waiting, mean", Unit::Seconds);
    let y = Axis::new("cost", tables::unit(Measure::Cost, &scenario.currency));
    let mut chart = Chart::new("What does less waiting cost?", x, y);
    for (variant, together) in scenario.variants.iter().zip(&made.variants) {
        let wait = tables::shown(together.interval(Scope::All, Measure::WaitMean)?);
        let cost = tables::shown(together.interval(Scope::All, Measure::Cost)?);
        let spot = Spot::new(&variant.name, wait.mean, cost.mean)
            .x_within(wait.low(), wait.high())
            .y_within(cost.low(), cost.high());
        chart = chart.spot(spot);
    }
    (made.variants.len() > 1).then_some(chart)
}

fn differences(scenario: &Scenario, made: &Study) -> Vec<Rows> {
    let Some((base, others)) = made.variants.split_first() else { return Vec::new() };
    if others.is_empty() || made.replications < 2 {
        return Vec::new();
    }
    let wanted = [(Measure::WaitMean, "Who waits less"), (Measure::Cost, "Who costs less")];
    let rows = |(measure, question): (Measure, &str)| {
        let title = format!("{question} than '{}'?", scenario.variants[0].name);
        let axis = Axis::new(measure.label(), tables::unit(measure, &scenario.currency));
        let mut rows = Rows::differences(&title, axis);
        for (variant, other) in scenario.variants.iter().skip(1).zip(others) {
            rows = rows.row(&variant.name, tables::shown(other.against(base, Scope::All, measure)?.interval));
        }
        Some(rows)
    };
    wanted.into_iter().filter_map(rows).collect()
}

fn line(name: &str, points: &[Point]) -> Series {
    let band = points.iter().map(|point| (point.at, point.low, point.high)).collect();
    Series::new(name, points.iter().map(|point| (point.at, point.mean)).collect()).with_band(band)
}

fn over_time(scenario: &Scenario, made: &Study) -> Section {
    let mut section = Section::new("Over time");
    let runs =
        if made.replications > 1 { "Means over all runs; the bands hold nine of ten runs. " } else { "" };
    let pools = &scenario.variants[0].setup.pools;
    for (place, pool) in pools.iter().enumerate().take(PANELS_MOST) {
        let of = if pools.len() > 1 { format!(" in '{}'", pool.name) } else { String::new() };
        let x = || Axis::new("time", Unit::Seconds);
        let queue = Chart::new("queue", x(), Axis::new("tasks waiting", Unit::Count));
        let queues = scenario.variants.iter().zip(&made.variants);
        let queue = queues.fold(queue, |chart, (variant, together)| {
            chart.with(line(&variant.name, &together.queue(place)))
        });
        let title = format!("How long is the queue{of}?");
        section = section.figure(Chart { title, ..queue }, runs);
        let panel = |(variant, together): (&muster_sim::model::Variant, &Together)| {
            let chart = Chart::new(&variant.name, x(), Axis::new("workers", Unit::Count));
            let chart = chart.with(line("there", &together.size(place)));
            let recommended = together.recommended(place);
            let chart = if recommended.len() > 1 {
                let points = recommended.iter().map(|point| (point.at, point.mean)).collect();
                chart.with(Series::new("should be", points).thin())
            } else {
                chart
            };
            chart.with(line("busy", &together.busy(place)))
        };
        let panels: Vec<Chart> =
            scenario.variants.iter().zip(&made.variants).take(PANELS_MOST).map(panel).collect();
        let title = format!("How many workers are there{of}, and how many should there be?");
        section = section.figure(Figure::from(Panels::new(&title, panels)), runs);
    }
    section
}

/// Points of a distribution of waiting times.
fn distribution(waits: &Histogram<u64>) -> Vec<(f64, f64)> {
    if waits.is_empty() {
        return Vec::new();
    }
    let shares = (0..=200).map(|i| f64::from(i) / 200.0);
    shares.map(|share| (waits.value_at_quantile(share) as f64 / 1e6, share)).collect()
}

fn waiting(scenario: &Scenario, made: &Study) -> Section {
    let mut section = Section::new("How long tasks wait");
    let axes = || (Axis::new("waiting", Unit::Seconds), Axis::new("share of tasks", Unit::Share).up_to(1.0));
    let (x, y) = axes();
    let mut chart = Chart::new("How many tasks have been begun after so long?", x, y);
    for (variant, together) in scenario.variants.iter().zip(&made.variants) {
        if let Some(all) = merged(&together.waits) {
            chart = chart.with(Series::new(&variant.name, distribution(&all)));
        }
    }
    section = section.figure(chart, "All tenants together.");
    let tenants = &scenario.variants[0].setup.tenants;
    if tenants.len() < 2 {
        return section;
    }
    let panel = |(variant, together): (&muster_sim::model::Variant, &Together)| {
        let (x, y) = axes();
        let of = tenants.iter().zip(&together.waits);
        of.fold(Chart::new(&variant.name, x, y), |chart, (tenant, waits)| {
            chart.with(Series::new(&tenant.name, distribution(waits)))
        })
    };
    let panels = scenario.variants.iter().zip(&made.variants).take(PANELS_MOST).map(panel).collect();
    section.figure(Figure::from(Panels::new("Does any tenant wait longer than others?", panels)), "")
}

fn merged(waits: &[Histogram<u64>]) -> Option<Histogram<u64>> {
    let (first, rest) = waits.split_first()?;
    rest.iter().try_fold(first.clone(), |mut all, one| all.add(one).is_ok().then_some(all))
}

fn numbers(scenario: &Scenario, made: &Study) -> Vec<Section> {
    let sheets = tables::sheets(scenario, made).into_iter();
    sheets.map(|(heading, sheet)| Section::new(&heading).table(sheet)).collect()
}

fn what_was_simulated(scenario: &Scenario, text: &str) -> Section {
    let understood = scenario::explain(scenario);
    Section::new("What was simulated")
        .folded("In words", &understood)
        .folded("The scenario as it was written", text)
}
