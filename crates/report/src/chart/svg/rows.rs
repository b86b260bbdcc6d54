//! Rows of bars or of intervals: a name at the left, the value in words at the right, the picture between.
//! In a narrow room the name stands above its row instead.

use super::pen::{Anchor, Pen, colour};
use super::plot::centred;
use super::{Drawn, Room, head};
use crate::chart::frame::ends;
use crate::chart::rows::Shape;
use crate::chart::scale::Scale;
use crate::chart::text::{LINE, SIZE, widest, width, wrap};
use crate::chart::{Row, Rows};
use crate::interval::{Interval, decimals, largest};

/// Rooms narrower than this have the names above their rows.
const NARROW: f64 = 450.0;
const ROW: f64 = 24.0;

/// Where everything stands.
struct Plan<'a> {
    rows: &'a Rows,
    scale: Scale,
    /// What stands at the right, for each row.
    values: Vec<String>,
    left: f64,
    right: f64,
    /// Where values in words end.
    edge: f64,
    pad: f64,
    /// Names stand above their rows.
    stacked: bool,
}

impl Plan<'_> {
    fn x(&self, value: f64) -> f64 {
        self.left + self.scale.place(value) * (self.right - self.left)
    }

    fn name_lines(&self, row: &Row) -> Vec<String> {
        let room = if self.stacked { self.edge - self.pad } else { self.left - self.pad - 10.0 };
        wrap(&row.name, SIZE, room)
    }

    /// How tall a row is, without its heading.
    fn height(&self, row: &Row) -> f64 {
        let names = self.name_lines(row).len() as f64 * LINE;
        if self.stacked { names + ROW } else { ROW.max(names + 6.0) }
    }
}

/// The values in words, all in one unit with the same decimals. A plus stands before a difference that is more than zero.
fn written(rows: &Rows) -> Vec<String> {
    let values: Vec<Interval> = rows.rows.iter().map(|row| row.value).collect();
    let shown = rows.axis.unit.shown(largest(&values));
    let scaled: Vec<Interval> = values.iter().map(|value| value.scaled(shown.factor)).collect();
    let decimals = decimals(&scaled);
    let write = |value: &Interval| {
        let plus = if rows.shape == Shape::Point && value.mean > 0.0 { "+" } else { "" };
        format!("{plus}{} {}", value.digits(Some(decimals)).join(), shown.sign).trim_end().to_owned()
    };
    scaled.iter().map(write).collect()
}

pub(super) fn draw(rows: &Rows, room: &Room) -> Drawn {
    let mut pen = Pen::default();
    let plan = plan(rows, room);
    let top = head::title(&mut pen, &rows.title, room);
    let top = legend(&mut pen, &plan, top, room) + 4.0;
    let needed: f64 = rows.rows.iter().map(|row| plan.height(row) + heading_height(row, room.width)).sum();
    let bottom = top + needed.max(2.0 * ROW);
    draw_grid(&mut pen, &plan, (top, bottom));
    if rows.rows.is_empty() {
        head::nothing(&mut pen, (plan.left, plan.right), top + ROW);
    }
    let mut y = top;
    for (row, value) in rows.rows.iter().zip(&plan.values) {
        if let Some(heading) = &row.heading {
            let lines = heading_lines(heading, room.width);
            let height = heading_height(row, room.width);
            pen.lines((room.pad, y + height / 2.0 + 2.0), "mc-head", Anchor::Start, &lines);
            y += height;
        }
        draw_row(&mut pen, &plan, (row, value), y);
        y += plan.height(row);
    }
    let height =
        centred(&mut pen, &plan.scale.title, (plan.left, plan.right), bottom + 20.0, room) + room.pad;
    Drawn { elements: pen.done(), width: room.width, height }
}

/// A heading in lines that fit; its letters are bold, and so wider.
fn heading_lines(heading: &str, width: f64) -> Vec<String> {
    wrap(heading, SIZE * 1.12, width - 16.0)
}

fn heading_height(row: &Row, width: f64) -> f64 {
    let lines = row.heading.as_ref().map_or(0, |heading| heading_lines(heading, width).len());
    if lines == 0 { 0.0 } else { 10.0 + lines as f64 * LINE }
}

fn plan<'a>(rows: &'a Rows, room: &Room) -> Plan<'a> {
    let stacked = room.width < NARROW;
    let names: Vec<String> =
        rows.rows.iter().flat_map(|row| wrap(&row.name, SIZE, room.width * 0.32)).collect();
    let names = widest(names.iter().map(String::as_str), SIZE);
    let values = written(rows);
    let values_width = widest(values.iter().map(String::as_str), SIZE).min(room.width * 0.45);
    let left = room.pad + if stacked { 6.0 } else { names + 10.0 };
    let edge = room.width - room.pad;
    let right = (edge - values_width - 18.0).max(left + 40.0);
    let finite = |row: &Row| row.value.mean.is_finite();
    let all = rows.rows.iter().filter(|row| finite(row));
    let all =
        all.flat_map(|row| [row.value.mean, row.value.low(), row.value.high(), row.target.unwrap_or(0.0)]);
    let range = ends(all.chain([0.0]), false, None);
    let axis = crate::chart::Axis { log: false, clock: None, ..rows.axis.clone() };
    let fits = |scale: &Scale| {
        let step = (right - left) / (scale.ticks.len().max(2) - 1) as f64;
        scale.ticks.iter().all(|tick| width(&tick.text, SIZE) + 10.0 < step)
    };
    let of = |n: usize| Scale::new(&axis, range, n, true);
    let scale = (2..=6).rev().map(of).find(fits).unwrap_or_else(|| of(1));
    Plan { rows, scale, values, left, right, edge, pad: room.pad, stacked }
}

/// Says what the thin lines are, if there are any.
fn legend(pen: &mut Pen, plan: &Plan<'_>, y: f64, room: &Room) -> f64 {
    if plan.rows.target_name.is_empty() || plan.rows.rows.iter().all(|row| row.target.is_none()) {
        return y;
    }
    let lines = wrap(&plan.rows.target_name, SIZE, room.width - 2.0 * room.pad - 12.0);
    let height = lines.len() as f64 * LINE;
    pen.line("mc-target", (room.pad + 3.0, y), (room.pad + 3.0, y + LINE));
    pen.lines((room.pad + 12.0, y + height / 2.0), "mc-soft", Anchor::Start, &lines);
    y + height + 6.0
}

fn draw_grid(pen: &mut Pen, plan: &Plan<'_>, (top, bottom): (f64, f64)) {
    let mut free = 0.0;
    for tick in &plan.scale.ticks {
        let x = plan.x(tick.value);
        pen.line("mc-grid", (x, top), (x, bottom));
        let half = width(&tick.text, SIZE) / 2.0;
        let middle = x.max(half + 1.0);
        if middle - half >= free {
            pen.text((middle, bottom + 12.0), "mc-soft", Anchor::Middle, &tick.text);
            free = middle + half + 6.0;
        }
    }
    pen.line("mc-axis", (plan.x(0.0), top), (plan.x(0.0), bottom));
}

fn draw_row(pen: &mut Pen, plan: &Plan<'_>, (row, value): (&Row, &str), top: f64) {
    let names = plan.name_lines(row);
    let middle = if plan.stacked {
        let height = names.len() as f64 * LINE;
        pen.lines((plan.pad, top + height / 2.0 + 2.0), "mc-name", Anchor::Start, &names);
        top + height + ROW / 2.0
    } else {
        let middle = top + plan.height(row) / 2.0;
        pen.lines((plan.left - 10.0, middle), "mc-name", Anchor::End, &names);
        middle
    };
    pen.text((plan.edge, middle), "mc-name", Anchor::End, value);
    if !row.value.mean.is_finite() {
        return;
    }
    match plan.rows.shape {
        Shape::Bar => draw_bar(pen, plan, row, middle),
        Shape::Point => draw_point(pen, plan, row, middle),
    }
    if let Some(target) = row.target.filter(|target| target.is_finite()) {
        pen.line("mc-target", (plan.x(target), middle - 11.0), (plan.x(target), middle + 11.0));
    }
}

fn draw_bar(pen: &mut Pen, plan: &Plan<'_>, row: &Row, middle: f64) {
    let (zero, end) = (plan.x(0.0), plan.x(row.value.mean));
    let class = format!("mc-bar {}", colour(0));
    pen.rect(&class, (zero.min(end), middle - 7.0), ((end - zero).abs(), 14.0));
    whisker(pen, plan, row, middle, "mc-over");
}

fn draw_point(pen: &mut Pen, plan: &Plan<'_>, row: &Row, middle: f64) {
    let class = format!("mc-whisker {}", colour(0));
    whisker(pen, plan, row, middle, &class);
    let hollow = if row.value.holds(0.0) { " mc-hollow" } else { "" };
    pen.circle(&format!("{}{hollow}", colour(0)), (plan.x(row.value.mean), middle), 4.5);
}

fn whisker(pen: &mut Pen, plan: &Plan<'_>, row: &Row, middle: f64, class: &str) {
    if !(row.value.half > 0.0 && row.value.half.is_finite()) {
        return;
    }
    let (low, high) = (plan.x(row.value.low()), plan.x(row.value.high()));
    pen.line(class, (low, middle), (high, middle));
    [low, high].into_iter().for_each(|end| pen.line(class, (end, middle - 3.0), (end, middle + 3.0)));
}
