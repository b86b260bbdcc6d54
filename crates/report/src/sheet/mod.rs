//! Tables of figures with units and intervals, for the terminal and for pages alike. All figures of a column have one unit
//! and one number of decimals, as many as their intervals are worth; the best one is marked if the column says what is good and its interval is clear of the others.
//!
//! How figures are written is in `written`.

mod written;

use self::written::{Written, write};
use crate::interval::Interval;
use crate::markup::escape;
use crate::number::Unit;
use crate::paint::Paint;
use crate::table::{Align, Table};

/// What is good in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Best {
    /// Less: waiting, cost.
    Low,
    /// More: throughput, fairness.
    High,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A figure.
    Number(Interval),
    /// Nothing is known.
    Missing,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(Interval::exact(number))
    }
}

impl From<Interval> for Cell {
    fn from(interval: Interval) -> Self {
        Self::Number(interval)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(known: Option<T>) -> Self {
        known.map_or(Self::Missing, Into::into)
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Column {
    title: String,
    unit: Unit,
    best: Option<Best>,
    signed: bool,
}

/// Rows with names, columns with units.
///
/// ```
/// use muster_report::interval::Interval;
/// use muster_report::number::Unit;
/// use muster_report::paint::Paint;
/// use muster_report::sheet::{Best, Sheet};
///
/// let sheet = Sheet::new("variant")
///     .column("mean wait", Unit::Seconds)
///     .best(Best::Low)
///     .row("fifo", [Interval::new(12.34, 0.41)])
///     .row("fair", [Interval::new(9.87, 0.39)]);
/// assert!(sheet.text(Paint::Plain).contains("9.9 ± 0.4 *"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    names: String,
    caption: String,
    columns: Vec<Column>,
    rows: Vec<(String, Vec<Cell>)>,
}

impl Sheet {
    /// A table whose rows are named; `names` says what they are.
    #[must_use]
    pub fn new(names: &str) -> Self {
        Self { names: names.to_owned(), caption: String::new(), columns: Vec::new(), rows: Vec::new() }
    }

    /// What the table shows, above it in a page.
    #[must_use]
    pub fn caption(mut self, text: &str) -> Self {
        text.clone_into(&mut self.caption);
        self
    }

    /// One more column. Words can stand in any column; the unit is that of its figures.
    #[must_use]
    pub fn column(mut self, title: &str, unit: Unit) -> Self {
        self.columns.push(Column { title: title.to_owned(), unit, best: None, signed: false });
        self
    }

    /// Marks the best figure of the last column.
    #[must_use]
    pub fn best(mut self, best: Best) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.best = Some(best);
        }
        self
    }

    /// Puts a plus before figures of the last column that are more than zero: they are differences.
    #[must_use]
    pub fn signed(mut self) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.signed = true;
        }
        self
    }

    /// One more row; cells that are missing are empty, those too many are dropped.
    #[must_use]
    pub fn row<I: IntoIterator<Item = C>, C: Into<Cell>>(mut self, name: &str, cells: I) -> Self {
        let mut cells: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.columns.len(), Cell::Missing);
        self.rows.push((name.to_owned(), cells));
        self
    }

    /// For the terminal. The best figures have a star.
    #[must_use]
    pub fn text(&self, paint: Paint) -> String {
        let columns = self.written();
        let align = |column: &Written| if column.is_words { Align::Left } else { Align::Number };
        let start = Table::new().column(&self.names, Align::Left);
        let mut table =
            columns.iter().fold(start, |table, column| table.column(&column.title, align(column)));
        for (i, (name, _)) in self.rows.iter().enumerate() {
            let cells = columns.iter().map(|column| column.cells[i].text());
            table.row(std::iter::once(name.clone()).chain(cells));
        }
        let starred = columns.iter().flat_map(|column| &column.cells).any(|cell| cell.best);
        let note = if starred {
            format!("{}\n", paint.faint("* clearly the best of its column"))
        } else {
            String::new()
        };
        table.render(0, paint) + &note
    }

    /// As a table of a page, in a box in which it scrolls if it is too wide.
    #[must_use]
    pub fn html(&self) -> String {
        let columns = self.written();
        let mut head = format!("<th scope=\"col\">{}</th>", escape(&self.names));
        for column in &columns {
            let class = if column.is_words { "" } else { " class=\"m-n\"" };
            head += &format!("<th scope=\"col\"{class}>{}</th>", escape(&column.title));
        }
        let mut body = String::new();
        for (i, (name, _)) in self.rows.iter().enumerate() {
            let cells: String = columns.iter().map(|column| column.html(i)).collect();
            body += &format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", escape(name));
        }
        let caption = escape(&self.caption);
        let shown = if caption.is_empty() {
            String::new()
        } else {
            format!("<caption><span>{caption}</span></caption>\n")
        };
        let label = if caption.is_empty() { "Table".to_owned() } else { caption };
        format!(
            "<div class=\"m-scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{label}\">\n<table>\n{shown}\
             <thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n"
        )
    }

    fn written(&self) -> Vec<Written> {
        let cells = |index: usize| self.rows.iter().map(move |(_, cells)| &cells[index]).collect::<Vec<_>>();
        self.columns.iter().enumerate().map(|(index, column)| write(column, &cells(index))).collect()
    }
}

impl Cell {
    fn number(&self) -> Option<Interval> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn sheet() -> Sheet {
        Sheet::new("variant")
            .caption("Waiting <and> cost")
            .column("policy", Unit::Plain)
            .column("mean wait", Unit::Seconds)
            .best(Best::Low)
            .column("cost", Unit::Of("USD/h".to_owned()))
            .column("done", Unit::Count)
            .best(Best::High)
            .row(
                "as it is",
                [
                    Cell::from("fifo"),
                    Interval::new(312.4, 12.2).into(),
                    Interval::new(8.123, 0.04).into(),
                    1_200.0.into(),
                ],
            )
            .row(
                "shared & fair",
                [Cell::from("weighted-fair"), Interval::new(95.2, 4.1).into(), Cell::Missing, 1_250.0.into()],
            )
    }

    #[test]
    fn in_the_terminal() {
        expect![[r#"
            variant        policy         mean wait (min)  cost (USD/h)     done
            as it is       fifo             5.21 ± 0.20     8.12 ± 0.04  1,200
            shared & fair  weighted-fair    1.59 ± 0.07 *      –         1,250 *
            * clearly the best of its column
        "#]]
        .assert_eq(&sheet().text(Paint::Plain));
    }

    #[test]
    fn in_a_page() {
        expect![[r#"
            <div class="m-scroll" role="region" tabindex="0" aria-label="Waiting &lt;and&gt; cost">
            <table>
            <caption><span>Waiting &lt;and&gt; cost</span></caption>
            <thead><tr><th scope="col">variant</th><th scope="col">policy</th><th scope="col" class="m-n">mean wait (min)</th><th scope="col" class="m-n">cost (USD/h)</th><th scope="col" class="m-n">done</th></tr></thead>
            <tbody>
            <tr><th scope="row">as it is</th><td>fifo</td><td class="m-n">5.21 <span class="m-pm">± 0.20</span></td><td class="m-n">8.12 <span class="m-pm">± 0.04</span></td><td class="m-n">1,200</td></tr>
            <tr><th scope="row">shared &amp; fair</th><td>weighted-fair</td><td class="m-n m-best"><strong>1.59</strong> <span class="m-pm">± 0.07</span><span class="m-unseen"> (best)</span></td><td class="m-n">–</td><td class="m-n m-best"><strong>1,250</strong><span class="m-unseen"> (best)</span></td></tr>
            </tbody>
            </table>
            </div>
        "#]].assert_eq(&sheet().html());
    }

    #[test]
    fn differences_have_signs() {
        let sheet = Sheet::new("to fifo").column("mean wait", Unit::Seconds).signed();
        let sheet =
            sheet.row("fair", [Interval::new(1.72, 2.2)]).row("patience", [Interval::new(-14.21, 2.1)]);
        expect![[r#"
            to fifo   mean wait (s)
            fair         +1.7 ± 2.2
            patience    -14.2 ± 2.1
        "#]]
        .assert_eq(&sheet.text(Paint::Plain));
    }

    #[test]
    fn odd_figures() {
        let column = |numbers: &[f64]| {
            let start = Sheet::new("").column("x", Unit::Plain).best(Best::Low);
            let sheet = numbers.iter().fold(start, |sheet, number| sheet.row("", [*number]));
            sheet.written()[0].cells.iter().map(written::WrittenCell::text).collect::<Vec<_>>()
        };
        assert_eq!(column(&[1.0, f64::NAN, f64::INFINITY]), ["1", "?", "∞"]);
        assert_eq!(column(&[0.0, 0.0]), ["0", "0"]);
        assert_eq!(column(&[0.001_234, 0.02]), ["0.0012 *", "0.0200"]);
        assert_eq!(column(&[12_345.6, 0.004]), ["12,346", "0.004 *"]);
        assert_eq!(column(&[]), [""; 0]);
    }

    #[test]
    fn the_best_is_marked_if_it_is_clear_of_all_others() {
        let marked = |numbers: &[(f64, f64)]| {
            let start = Sheet::new("").column("x", Unit::Plain).best(Best::Low);
            let row = |sheet: Sheet, &(mean, half): &(f64, f64)| sheet.row("", [Interval::new(mean, half)]);
            let cells = numbers.iter().fold(start, row).written().remove(0).cells;
            cells.iter().map(|cell| cell.best).collect::<Vec<_>>()
        };
        assert_eq!(marked(&[(9.0, 1.0), (12.0, 1.0), (30.0, 1.0)]), [true, false, false]);
        assert_eq!(marked(&[(9.0, 2.0), (12.0, 1.0), (30.0, 1.0)]), [false; 3]);
        assert_eq!(marked(&[(9.0, 0.0), (9.0, 0.0), (10.0, 0.5)]), [true, true, false]);
        assert_eq!(marked(&[(9.0, f64::NAN), (12.0, f64::NAN)]), [false; 2]);
    }

    #[test]
    fn times_far_apart_have_units_of_their_own() {
        let sheet = Sheet::new("variant")
            .column("mean wait", Unit::Seconds)
            .best(Best::Low)
            .row("as today", [Interval::new(2790.0, 190.0)])
            .row("pid-size", [Interval::new(0.0228, 0.0031)]);
        let text = sheet.text(Paint::Plain);
        assert!(text.contains("46 ± 3 min") && text.contains("23 ± 3 ms *"), "{text}");
    }
}
