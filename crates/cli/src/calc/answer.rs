//! What a calculator answers, and how it is shown: as text for people, as JSON for programs, as a picture.

use muster_report::chart::terminal::{Size, draw};
use muster_report::chart::{Chart, svg};
use muster_report::number::Unit;
use muster_report::paint::Paint;
use muster_report::table::{Align, Table};
use serde_json::{Map, Value, json};

use super::inputs::Inputs;
use crate::json;

/// How wide text is; charts in it as well.
const COLUMNS: usize = 80;
const ROWS: usize = 12;

/// One figure.
#[derive(Clone, Debug)]
struct Figure {
    key: String,
    label: String,
    value: Option<f64>,
    unit: Unit,
    note: String,
}

/// Figures in rows: for lists.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    key: &'static str,
    /// Key, title and unit of each column.
    columns: Vec<(&'static str, String, Unit)>,
    rows: Vec<Vec<Cell>>,
}

/// A cell of a listing.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Number(f64),
    Text(String),
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}
impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Listing {
    pub(crate) fn new(key: &'static str) -> Self {
        Self { key, columns: Vec::new(), rows: Vec::new() }
    }

    pub(crate) fn column(mut self, key: &'static str, title: &str, unit: Unit) -> Self {
        self.columns.push((key, title.to_owned(), unit));
        self
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    fn text(&self, paint: Paint) -> String {
        let is_text = |i: usize| self.rows.iter().any(|row| matches!(row[i], Cell::Text(_)));
        let align = |i: usize| if is_text(i) { Align::Left } else { Align::Number };
        let columns = self.columns.iter().enumerate();
        let mut table = columns.fold(Table::new(), |table, (i, (_, title, _))| table.column(title, align(i)));
        for row in &self.rows {
            table.row(row.iter().zip(&self.columns).map(|(cell, (_, _, unit))| match cell {
                Cell::Number(number) => unit.write(*number),
                Cell::Text(text) => text.clone(),
            }));
        }
        table.render(0, paint)
    }

    fn json(&self) -> Value {
        let cell = |(cell, (key, _, unit)): (&Cell, &(&'static str, String, Unit))| match cell {
            Cell::Number(value) => (keyed(key, unit), number(Some(*value), unit)),
            Cell::Text(text) => ((*key).to_owned(), json!(text)),
        };
        let rows = self.rows.iter();
        rows.map(|row| Value::Object(row.iter().zip(&self.columns).map(cell).collect())).collect()
    }
}

/// What a calculator answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    figures: Vec<Figure>,
    listing: Option<Listing>,
    charts: Vec<Chart>,
    notes: Vec<String>,
}

impl Answer {
    /// A figure, with a few words about it.
    pub(crate) fn figure(&mut self, key: &str, label: &str, value: f64, unit: Unit, note: &str) {
        self.maybe(key, label, Some(value), unit, note);
    }

    /// A figure that may not exist.
    pub(crate) fn maybe(&mut self, key: &str, label: &str, value: Option<f64>, unit: Unit, note: &str) {
        let (key, label, note) = (key.to_owned(), label.to_owned(), note.to_owned());
        self.figures.push(Figure { key, label, value, unit, note });
    }

    /// A sentence below the figures.
    pub(crate) fn note(&mut self, sentence: impl Into<String>) {
        self.notes.push(sentence.into());
    }

    pub(crate) fn list(&mut self, listing: Listing) {
        self.listing = Some(listing);
    }

    pub(crate) fn chart(&mut self, chart: Chart) {
        self.charts.push(chart);
    }

    /// The charts as one SVG.
    pub(crate) fn picture(&self) -> String {
        svg::picture(&self.charts)
    }

    /// For people.
    pub(crate) fn text(&self, paint: Paint) -> String {
        let mut table =
            Table::new().column("", Align::Left).column("", Align::Number).column("", Align::Left);
        for figure in &self.figures {
            let value = figure.value.map_or_else(|| "none".to_owned(), |value| figure.unit.write(value));
            table.row([figure.label.clone(), value, figure.note.clone()]);
        }
        let mut parts = vec![table.render(0, paint)];
        parts.extend(self.notes.iter().map(|note| format!("{note}\n")));
        parts.extend(self.listing.iter().map(|listing| listing.text(paint)));
        let size = Size { columns: COLUMNS, rows: ROWS };
        parts.extend(self.charts.iter().map(|chart| draw(chart, size, paint)));
        parts.retain(|part| !part.is_empty());
        parts.join("\n")
    }

    /// For programs: what was given, what came out, and the curves.
    pub(crate) fn json(&self, name: &str, inputs: &Inputs) -> String {
        let figure = |it: &Figure| (keyed(&it.key, &it.unit), number(it.value, &it.unit));
        let mut result: Map<String, Value> = self.figures.iter().map(figure).collect();
        if let Some(listing) = &self.listing {
            result.insert(listing.key.to_owned(), listing.json());
        }
        let mut parts = vec![
            ("calculator", json!(name)),
            ("input", Value::Object(inputs.written())),
            ("result", Value::Object(result)),
        ];
        if !self.notes.is_empty() {
            parts.push(("notes", json!(self.notes)));
        }
        if !self.charts.is_empty() {
            parts.push(("curves", self.charts.iter().map(curve).collect()));
        }
        json::object(&parts)
    }
}

fn curve(chart: &Chart) -> Value {
    let point =
        |(x, y): &(f64, f64)| json!([number(Some(*x), &chart.x.unit), number(Some(*y), &chart.y.unit)]);
    let line = |series: &muster_report::chart::Series| json!({"name": series.name, "points": series.points.iter().map(point).collect::<Vec<_>>()});
    json!({
        "x": keyed(&chart.x.title, &chart.x.unit),
        "y": keyed(&chart.y.title, &chart.y.unit),
        "series": chart.series.iter().map(line).collect::<Vec<_>>(),
    })
}

/// A key that says its unit: `mean_wait_s`, `cost_usd_per_h`.
fn keyed(key: &str, unit: &Unit) -> String {
    let key = key.replace([' ', '-'], "_");
    match unit {
        Unit::Seconds => format!("{key}_s"),
        Unit::Of(sign) => {
            format!("{key}_{}", sign.to_lowercase().replace('/', "_per_").trim_start_matches("_"))
        }
        Unit::Plain | Unit::Count | Unit::Share => key,
    }
}

/// Infinity is the text "inf", since JSON has no number for it; what does not exist is null.
fn number(value: Option<f64>, unit: &Unit) -> Value {
    match value {
        None => Value::Null,
        Some(value) if value.is_infinite() => json!(if value > 0.0 { "inf" } else { "-inf" }),
        Some(value) if *unit == Unit::Count && value.fract() == 0.0 => json!(value as i64),
        Some(value) => json!(value),
    }
}
