//! The columns of a sheet, as they are shown: one unit, one number of decimals, the best figure marked. Does not know tables.
//!
//! Start at [`write`].

use super::{Best, Cell, Column};
use crate::interval::{Interval, decimals, largest};
use crate::markup::escape;
use crate::number::{Unit, fixed, significant};

/// A column with these cells, as it is shown.
pub(super) fn write(column: &Column, cells: &[&Cell]) -> Written {
    let numbers: Vec<Interval> = cells.iter().filter_map(|cell| cell.number()).collect();
    let best = best(&numbers, column.best);
    if column.unit == Unit::Seconds && spread(&numbers) >= APART {
        return write_apart(column, cells, best);
    }
    let shown = column.unit.shown(largest(&numbers));
    let scaled: Vec<Interval> = numbers.iter().map(|number| number.scaled(shown.factor)).collect();
    let form = Form { factor: shown.factor, decimals: decimals(&scaled), best, signed: column.signed };
    let is_words = numbers.is_empty() && cells.iter().any(|cell| **cell != Cell::Missing);
    let sign = if shown.sign.is_empty() || is_words { String::new() } else { format!(" ({})", shown.sign) };
    let cells = cells.iter().map(|cell| WrittenCell::of(cell, |number| form.write(number))).collect();
    Written { title: format!("{}{sign}", column.title), cells, is_words }
}

/// A column of times so different that each is in a unit of its own: `46 ± 3 min` above `23 ± 4 ms`.
fn write_apart(column: &Column, cells: &[&Cell], best: Option<f64>) -> Written {
    let write = |number: Interval| {
        let unit = &column.unit;
        let text = if column.signed { number.write_signed(unit) } else { number.write(unit) };
        WrittenCell { mean: text, half: None, best: best == Some(number.mean) }
    };
    let cells = cells.iter().map(|cell| WrittenCell::of(cell, write)).collect();
    Written { title: column.title.clone(), cells, is_words: false }
}

/// Times that differ by more than this factor are written in units of their own.
const APART: f64 = 200.0;

/// How many times the least figure above zero the largest is.
fn spread(numbers: &[Interval]) -> f64 {
    let sizes =
        || numbers.iter().map(|number| number.mean.abs()).filter(|size| size.is_finite() && *size > 0.0);
    sizes().fold(0.0, f64::max) / sizes().fold(f64::INFINITY, f64::min)
}

/// The mean that is marked: the best one, if its interval is clear of those of all other means.
fn best(numbers: &[Interval], best: Option<Best>) -> Option<f64> {
    let known = || numbers.iter().filter(|number| number.mean.is_finite());
    let by_mean = |a: &&Interval, b: &&Interval| a.mean.total_cmp(&b.mean);
    let found = match best? {
        Best::Low => known().min_by(by_mean)?,
        Best::High => known().max_by(by_mean)?,
    };
    let mut others = known().filter(|other| other.mean != found.mean).peekable();
    others.peek()?;
    let clear = |other: &Interval| (other.mean - found.mean).abs() > other.half + found.half;
    others.all(clear).then_some(found.mean)
}

/// How the cells of a column are written.
struct Form {
    factor: f64,
    decimals: usize,
    /// The mean that is marked.
    best: Option<f64>,
    signed: bool,
}

impl Form {
    fn write(&self, number: Interval) -> WrittenCell {
        let scaled = number.scaled(self.factor);
        let digits = scaled.digits(Some(self.decimals));
        // An exact figure must not become nothing only because others are large.
        let lost = scaled.half == 0.0 && scaled.mean != 0.0 && digits.mean == fixed(0.0, self.decimals);
        let mean = if lost { significant(scaled.mean, 2) } else { digits.mean };
        let plus = if self.signed && number.mean > 0.0 { "+" } else { "" };
        WrittenCell { mean: format!("{plus}{mean}"), half: digits.half, best: self.best == Some(number.mean) }
    }
}

/// A column as it is shown.
pub(super) struct Written {
    pub(super) title: String,
    pub(super) cells: Vec<WrittenCell>,
    pub(super) is_words: bool,
}

/// A cell as it is shown.
pub(super) struct WrittenCell {
    mean: String,
    half: Option<String>,
    pub(super) best: bool,
}

impl WrittenCell {
    fn of(cell: &Cell, write: impl FnOnce(Interval) -> Self) -> Self {
        match cell {
            Cell::Missing => Self::words("–"),
            Cell::Text(text) => Self::words(text),
            Cell::Number(number) => write(*number),
        }
    }

    fn words(text: &str) -> Self {
        Self { mean: text.to_owned(), half: None, best: false }
    }

    pub(super) fn text(&self) -> String {
        let half = self.half.as_ref().map(|half| format!(" ± {half}")).unwrap_or_default();
        format!("{}{half}{}", self.mean, if self.best { " *" } else { "" })
    }
}

impl Written {
    /// A cell of a page. Half-widths are filled up with spaces as wide as a digit, so that the means end in one place.
    pub(super) fn html(&self, row: usize) -> String {
        let cell = &self.cells[row];
        let mean = escape(&cell.mean);
        if self.is_words {
            return format!("<td>{mean}</td>");
        }
        let longest =
            self.cells.iter().filter_map(|cell| cell.half.as_ref()).map(|half| half.chars().count()).max();
        let half = cell.half.as_ref().map(|half| {
            let fill = "\u{2007}".repeat(longest.unwrap_or(0) - half.chars().count());
            format!(" <span class=\"m-pm\">± {fill}{}</span>", escape(half))
        });
        let half = half.unwrap_or_default();
        match cell.best {
            true => format!(
                "<td class=\"m-n m-best\"><strong>{mean}</strong>{half}<span class=\"m-unseen\"> (best)</span></td>"
            ),
            false => format!("<td class=\"m-n\">{mean}{half}</td>"),
        }
    }
}
