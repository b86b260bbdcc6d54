//! Tables for the terminal: aligned, quiet, numbers to the right with their units in a column of their own.

use crate::paint::Paint;

/// How the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers, with or without a unit after a space: numbers end in one place, units begin in one.
    Number,
}

/// Rows of cells under titles.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Without columns yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more column. If all titles are empty, none are shown.
    #[must_use]
    pub fn column(mut self, title: &str, align: Align) -> Self {
        self.columns.push((title.to_owned(), align));
        self
    }

    /// One more row; cells that are missing are empty, those too many are dropped.
    pub fn row<I: IntoIterator<Item = S>, S: Into<String>>(&mut self, cells: I) {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// Each row a line, with `indent` spaces before it.
    #[must_use]
    pub fn render(&self, indent: usize, paint: Paint) -> String {
        let shapes: Vec<Shape> = (0..self.columns.len()).map(|i| self.shape(i)).collect();
        let line = |cells: Vec<String>| format!("{}{}\n", " ".repeat(indent), cells.join("  ").trim_end());
        let mut out = String::new();
        if self.columns.iter().any(|(title, _)| !title.is_empty()) {
            let titles = self.columns.iter().zip(&shapes).map(|((title, _), shape)| shape.title(title));
            out += &line(titles.map(|title| paint.faint(&title)).collect());
        }
        for row in &self.rows {
            out += &line(row.iter().zip(&shapes).map(|(cell, shape)| shape.cell(cell)).collect());
        }
        out
    }

    fn shape(&self, index: usize) -> Shape {
        let (title, align) = &self.columns[index];
        let cells = self.rows.iter().map(|row| row[index].as_str());
        let mut shape = Shape { align: *align, digits: 0, sign: 0, width: 0 };
        for cell in cells {
            let (digits, sign) = split(cell);
            shape.digits = shape.digits.max(width(digits));
            shape.sign = shape.sign.max(width(sign));
            shape.width = shape.width.max(width(cell));
        }
        if *align == Align::Number {
            shape.width = shape.digits + shape.sign;
        }
        shape.width = shape.width.max(width(title));
        shape
    }
}

/// How wide a column is, and where its numbers end.
struct Shape {
    align: Align,
    digits: usize,
    sign: usize,
    width: usize,
}

impl Shape {
    fn title(&self, title: &str) -> String {
        let gap = " ".repeat(self.width - width(title));
        if self.align == Align::Left { format!("{title}{gap}") } else { format!("{gap}{title}") }
    }

    fn cell(&self, cell: &str) -> String {
        if self.align == Align::Left {
            return format!("{cell}{}", " ".repeat(self.width - width(cell)));
        }
        let (digits, sign) = split(cell);
        let before = self.width - self.sign - width(digits);
        let after = self.sign - width(sign);
        format!("{}{digits}{sign}{}", " ".repeat(before), " ".repeat(after))
    }
}

/// A number, and its unit with the space before it.
fn split(cell: &str) -> (&str, &str) {
    cell.find(' ').map_or((cell, ""), |at| cell.split_at(at))
}

pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn numbers_and_units_line_up() {
        let mut table =
            Table::new().column("", Align::Left).column("", Align::Number).column("", Align::Left);
        table.row(["utilisation", "90 %", "of the workers' time"]);
        table.row(["mean wait", "43.39 ms"]);
        table.row(["waiting", "1,952.4", "tasks"]);
        expect![[r#"
              utilisation       90 %   of the workers' time
              mean wait      43.39 ms
              waiting      1,952.4     tasks
        "#]]
        .assert_eq(&table.render(0, Paint::Plain));
        assert!(table.render(2, Paint::Plain).starts_with("  utilisation"));
    }

    #[test]
    fn titles_stand_over_their_columns() {
        let mut table = Table::new().column("tenant", Align::Left).column("share", Align::Number);
        table.row(["a", "75 %"]);
        table.row(["a longer name", "5 %"]);
        expect![[r#"
            tenant         share
            a               75 %
            a longer name    5 %
        "#]]
        .assert_eq(&table.render(0, Paint::Plain));
        assert!(table.render(0, Paint::Colour).contains("\x1b[2mtenant"));
    }
}
