//! A grid of characters with eight dots each (braille), for drawing lines in a terminal.

/// One character's place.
#[derive(Clone, Copy, Default)]
struct Cell {
    dots: u8,
    /// Whose dots: the last to draw.
    series: usize,
    /// Shown if there are no dots.
    under: Option<char>,
}

/// What a place shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Nothing,
    /// Something thin, behind the lines.
    Under(char),
    /// A piece of a series' line.
    Line(char, usize),
}

/// The grid; rows and columns count from the top left.
pub(super) struct Canvas {
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
}

/// The bit of each dot in a braille character: by column, then by row.
const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

impl Canvas {
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, cells: vec![Cell::default(); columns * rows] }
    }

    /// The dot for a place, both from 0 to 1, upwards.
    pub(super) fn dot(&self, x: f64, y: f64) -> (i64, i64) {
        let (width, height) = ((self.columns * 2 - 1) as f64, (self.rows * 4 - 1) as f64);
        ((x * width).round() as i64, ((1.0 - y) * height).round() as i64)
    }

    /// A straight line between two dots, both included (Bresenham).
    pub(super) fn line(&mut self, (mut x, mut y): (i64, i64), to: (i64, i64), series: usize) {
        let (dx, dy) = ((to.0 - x).abs(), -(to.1 - y).abs());
        let (sx, sy) = ((to.0 - x).signum(), (to.1 - y).signum());
        let mut error = dx + dy;
        loop {
            self.set(x, y, series);
            if (x, y) == to {
                return;
            }
            let twice = 2 * error;
            if twice >= dy {
                error += dy;
                x += sx;
            }
            if twice <= dx {
                error += dx;
                y += sy;
            }
        }
    }

    fn set(&mut self, x: i64, y: i64, series: usize) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x / 2 < self.columns && y / 4 < self.rows {
            let cell = &mut self.cells[y / 4 * self.columns + x / 2];
            cell.dots |= BITS[x % 2][y % 4];
            cell.series = series;
        }
    }

    /// A character behind the lines.
    pub(super) fn under(&mut self, column: usize, row: usize, shown: char) {
        if column < self.columns && row < self.rows {
            self.cells[row * self.columns + column].under = Some(shown);
        }
    }

    /// What each place of a row shows.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = Seen> {
        self.cells[row * self.columns..(row + 1) * self.columns].iter().map(|cell| match cell {
            Cell { dots: 0, under: None, .. } => Seen::Nothing,
            Cell { dots: 0, under: Some(under), .. } => Seen::Under(*under),
            cell => {
                let shown = char::from_u32(0x2800 + u32::from(cell.dots)).unwrap_or('*');
                Seen::Line(shown, cell.series)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reaches_both_ends() {
        let mut canvas = Canvas::new(2, 1);
        canvas.line(canvas.dot(0.0, 1.0), canvas.dot(1.0, 0.0), 3);
        canvas.under(0, 0, '|');
        let seen: Vec<Seen> = canvas.row(0).collect();
        assert_eq!(seen, [Seen::Line('⠑', 3), Seen::Line('⢄', 3)]);
    }
}
