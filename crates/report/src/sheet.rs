//! Tables of figures with units and intervals, for the terminal and for pages alike. All figures of a column have one unit
//! and one number of decimals, as many as their intervals are worth; the best one is marked if the column says what is good.

use crate::interval::{Interval, decimals, largest};
use crate::markup::escape;
use crate::number::{Unit, fixed, significant};
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
        let note =
            if starred { format!("{}\n", paint.faint("* the best of its column")) } else { String::new() };
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
        (0..self.columns.len()).map(|i| self.written_column(i)).collect()
    }

    fn written_column(&self, index: usize) -> Written {
        let column = &self.columns[index];
        let cells: Vec<&Cell> = self.rows.iter().map(|(_, cells)| &cells[index]).collect();
        let numbers: Vec<Interval> = cells.iter().filter_map(|cell| cell.number()).collect();
        if column.unit == Unit::Seconds && spread(&numbers) >= APART {
            return self.written_apart(index);
        }
        let shown = column.unit.shown(largest(&numbers));
        let scaled: Vec<Interval> = numbers.iter().map(|number| number.scaled(shown.factor)).collect();
        let best = best(&numbers, column.best);
        let form = Form { factor: shown.factor, decimals: decimals(&scaled), best, signed: column.signed };
        let cells = cells.into_iter().map(|cell| form.write(cell)).collect();
        let is_words = numbers.is_empty() && self.rows.iter().any(|(_, row)| row[index] != Cell::Missing);
        let sign =
            if shown.sign.is_empty() || is_words { String::new() } else { format!(" ({})", shown.sign) };
        Written { title: format!("{}{sign}", column.title), cells, is_words }
    }
}

impl Sheet {
    /// A column of times so different that each is in a unit of its own: `46 ± 3 min` above `23 ± 4 ms`.
    fn written_apart(&self, index: usize) -> Written {
        let column = &self.columns[index];
        let cells: Vec<&Cell> = self.rows.iter().map(|(_, cells)| &cells[index]).collect();
        let numbers: Vec<Interval> = cells.iter().filter_map(|cell| cell.number()).collect();
        let best = best(&numbers, column.best);
        let write = |cell: &Cell| match cell {
            Cell::Missing => WrittenCell::words("–"),
            Cell::Text(text) => WrittenCell::words(text),
            Cell::Number(number) => {
                let text = if column.signed {
                    number.write_signed(&column.unit)
                } else {
                    number.write(&column.unit)
                };
                WrittenCell { mean: text, half: None, best: best == Some(number.mean) }
            }
        };
        Written {
            title: column.title.clone(),
            cells: cells.into_iter().map(write).collect(),
            is_words: false,
        }
    }
}

impl Cell {
    fn number(&self) -> Option<Interval> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

/// Times that differ by more than this factor are written in units of their own.
const APART: f64 = 200.0;

/// How many times the least figure above zero the largest is.
fn spread(numbers: &[Interval]) -> f64 {
    let sizes =
        || numbers.iter().map(|number| number.mean.abs()).filter(|size| size.is_finite() && *size > 0.0);
    sizes().fold(0.0, f64::max) / sizes().fold(f64::INFINITY, f64::min)
}

/// The mean that is marked: one that differs from another.
fn best(numbers: &[Interval], best: Option<Best>) -> Option<f64> {
    let means = || numbers.iter().map(|number| number.mean).filter(|mean| mean.is_finite());
    let low = means().min_by(f64::total_cmp)?;
    let high = means().max_by(f64::total_cmp)?;
    let found = match best? {
        Best::Low => low,
        Best::High => high,
    };
    (low < high).then_some(found)
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
    fn write(&self, cell: &Cell) -> WrittenCell {
        match cell {
            Cell::Missing => WrittenCell::words("–"),
            Cell::Text(text) => WrittenCell::words(text),
            Cell::Number(number) => self.write_number(*number),
        }
    }

    fn write_number(&self, number: Interval) -> WrittenCell {
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
struct Written {
    title: String,
    cells: Vec<WrittenCell>,
    is_words: bool,
}

struct WrittenCell {
    mean: String,
    half: Option<String>,
    best: bool,
}

impl WrittenCell {
    fn words(text: &str) -> Self {
        Self { mean: text.to_owned(), half: None, best: false }
    }

    fn text(&self) -> String {
        let half = self.half.as_ref().map(|half| format!(" ± {half}")).unwrap_or_default();
        format!("{}{half}{}", self.mean, if self.best { " *" } else { "" })
    }
}

impl Written {
    /// A cell of a page. Half-widths are filled up with spaces as wide as a digit, so that the means end in one place.
    fn html(&self, row: usize) -> String {
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
            * the best of its column
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
            sheet.written()[0].cells.iter().map(WrittenCell::text).collect::<Vec<_>>()
        };
        assert_eq!(column(&[1.0, f64::NAN, f64::INFINITY]), ["1", "?", "∞"]);
        assert_eq!(column(&[0.0, 0.0]), ["0", "0"]);
        assert_eq!(column(&[0.001_234, 0.02]), ["0.0012 *", "0.0200"]);
        assert_eq!(column(&[12_345.6, 0.004]), ["12,346", "0.004 *"]);
        assert_eq!(column(&[]), [""; 0]);
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
