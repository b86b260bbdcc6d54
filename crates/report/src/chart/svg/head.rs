//! What stands above a plot: the title, what goes upwards, and the names of vertical markers, each in lines that fit.

use super::Room;
use super::pen::{Anchor, Pen};
use crate::chart::text::{LINE, SIZE, TITLE, width, wrap};

/// From one line of a title to the next.
const TITLE_LINE: f64 = 20.0;

/// Draws the title if the room has one, and gives the height below it.
pub(super) fn title(pen: &mut Pen, title: &str, room: &Room) -> f64 {
    let mut y = room.pad;
    if room.titled {
        for line in wrap(title, TITLE, room.width - 2.0 * room.pad) {
            pen.text((room.pad, y + 8.0), "mc-title", Anchor::Start, &line);
            y += TITLE_LINE;
        }
    }
    y
}

/// Draws lines of soft text from a height on, and gives the height below them.
pub(super) fn note(pen: &mut Pen, text: &str, y: f64, room: &Room) -> f64 {
    let lines = wrap(text, SIZE, room.width - 2.0 * room.pad);
    for (i, line) in lines.iter().enumerate() {
        pen.text((room.pad, y + 8.0 + i as f64 * LINE), "mc-soft", Anchor::Start, line);
    }
    y + lines.len() as f64 * LINE
}

/// Says that there is nothing, rather than leave a reader to wonder.
pub(super) fn nothing(pen: &mut Pen, (left, right): (f64, f64), y: f64) {
    pen.text((f64::midpoint(left, right), y), "mc-soft", Anchor::Middle, "nothing to show");
}

/// Where the name of a vertical marker stands: in which row above the plot (0 is the lowest), and from where on.
pub(super) struct Tag {
    pub(super) row: usize,
    pub(super) x: f64,
    pub(super) line: String,
}

/// Names beside their markers, in as few rows as they need to leave each other alone. `names` has each marker's place.
pub(super) fn tags(mut names: Vec<(f64, &str)>, room: &Room) -> Vec<Tag> {
    let (least, most) = (room.pad, room.width - room.pad);
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut taken: Vec<f64> = Vec::new();
    let mut tags = Vec::new();
    for (x, name) in names {
        let lines = wrap(name, SIZE, most - least);
        let free =
            (0..taken.len()).find(|row| lines.len() == 1 && taken[*row] < start(x, &lines[0], least, most));
        let first = free.unwrap_or(taken.len());
        let rows = lines.len();
        for (i, line) in lines.into_iter().enumerate() {
            let (row, x) = (first + rows - 1 - i, start(x, &line, least, most));
            taken.resize(taken.len().max(row + 1), f64::NEG_INFINITY);
            taken[row] = x + width(&line, SIZE) + 8.0;
            tags.push(Tag { row, x, line });
        }
    }
    tags
}

/// From where on a name is written: at its marker, moved left if it would leave the picture.
fn start(x: f64, line: &str, least: f64, most: f64) -> f64 {
    (x - 4.0).min(most - width(line, SIZE)).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::svg::ALONE;

    #[test]
    fn names_of_markers_leave_each_other_alone() {
        let names = vec![(100.0, "eighteen recommended"), (110.0, "twenty now"), (400.0, "far away")];
        let tags = tags(names, &ALONE);
        assert_eq!(tags.iter().map(|tag| tag.row).collect::<Vec<_>>(), [0, 1, 0]);
        for tag in super::tags(vec![(550.0, "a name at the very right end of the picture")], &ALONE) {
            assert!(tag.x >= ALONE.pad && tag.x + width(&tag.line, SIZE) <= ALONE.width - ALONE.pad + 0.1);
        }
    }
}
