//! A chart with two axes: where everything stands. What is drawn within the axes is in `ink` and `spots`.

use super::pen::{Anchor, Pen, colour};
use super::{Drawn, Room, head, ink, spots};
use crate::chart::frame::{Extent, Frame};
use crate::chart::labels::spread_boxes;
use crate::chart::scale::Scale;
use crate::chart::text::{LINE, SIZE, widest, width, wrap};
use crate::chart::ticks::Tick;
use crate::chart::{At, Chart, Look, Series};

/// From the end of a line to its name.
const NAME_GAP: f64 = 26.0;

const PLOT_WIDTH_MIN: f64 = 115.0;

/// A chart, and where its frame lies.
pub(super) struct Plot<'a> {
    pub(super) chart: &'a Chart,
    pub(super) frame: Frame,
    pub(super) colours: Vec<usize>,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Plot<'_> {
    pub(super) fn x(&self, x: f64) -> f64 {
        self.left + self.frame.x.place(x) * (self.right - self.left)
    }

    fn is_empty(&self) -> bool {
        self.frame.lines.iter().all(Vec::is_empty) && self.chart.spots_shown().next().is_none()
    }

    pub(super) fn y(&self, y: f64) -> f64 {
        self.bottom - self.frame.y.place(y) * (self.bottom - self.top)
    }
}

/// A name at the right: its lines, the value it belongs to, its colour if it is of a series.
struct Name {
    lines: Vec<String>,
    y: f64,
    colour: Option<usize>,
    look: Look,
    thin: bool,
}

/// The chart within a room.
pub(super) fn draw(chart: &Chart, extent: Extent, room: &Room) -> Drawn {
    let mut pen = Pen::default();
    let most = room.width * 0.3;
    let y = Scale::new(&chart.y, extent.y, if room.plot < 150.0 { 3 } else { 5 }, !chart.y.log);
    let left = room.pad + 8.0 + widest(y.ticks.iter().map(|tick| tick.text.as_str()), SIZE);
    let names_width = names_width(chart, most);
    let beside = room.pad + if names_width > 0.0 { names_width + NAME_GAP } else { 4.0 };
    // Very long numbers at the left make the picture wider rather than the plot nothing.
    let room = &Room { width: room.width.max(left + PLOT_WIDTH_MIN + beside), ..*room };
    let right = room.width - beside;
    let (x, right) = x_scale(chart, extent.x, left, right, room);
    let frame = Frame::with(chart, x, y);
    let names = names(chart, &frame, most);
    let needed: f64 = names.iter().map(|name| name.lines.len() as f64 * LINE).sum();

    let mut plot = Plot { chart, frame, colours: chart.colours(), left, right, top: 0.0, bottom: 0.0 };
    let mut top = head::title(&mut pen, &chart.title, room);
    if room.axes_titled {
        top = head::note(&mut pen, &plot.frame.y.title, top, room);
    }
    plot.top = draw_tags(&mut pen, &plot, top, room) + 10.0;
    plot.bottom = plot.top + room.plot.max(needed);
    let height = draw_axes(&mut pen, &plot, room);
    if plot.is_empty() {
        head::nothing(&mut pen, (left, right), f64::midpoint(plot.top, plot.bottom));
    }
    ink::draw(&mut pen, &plot);
    spots::draw(&mut pen, &plot);
    draw_names(&mut pen, &plot, &names);
    Drawn { elements: pen.done(), width: room.width, height }
}

/// How wide the names at the right are, wrapped.
fn names_width(chart: &Chart, most: f64) -> f64 {
    let levels = chart.markers_shown().filter(|it| matches!(it.at, At::Y(_)));
    let names = chart.series.iter().map(|series| &series.name).chain(levels.map(|it| &it.name));
    let lines: Vec<String> = names.flat_map(|name| wrap(name, SIZE, most)).collect();
    widest(lines.iter().map(String::as_str), SIZE)
}

/// The x axis with as many ticks as can be written without touching; and where it ends, so that the last can be.
fn x_scale(chart: &Chart, ends: (f64, f64), left: f64, right: f64, room: &Room) -> (Scale, f64) {
    // Points need some room around them, lines do not.
    let round = !chart.spots.is_empty();
    let fitting = |right: f64| {
        let made = (2..=8).rev().map(|n| Scale::new(&chart.x, ends, n, round));
        let mut made = made.skip_while(|scale| overlap(scale, left, right));
        made.next().unwrap_or_else(|| Scale::new(&chart.x, ends, 1, round))
    };
    let first = fitting(right);
    let over = first.ticks.iter().map(|tick| {
        left + first.place(tick.value) * (right - left) + width(&tick.text, SIZE) / 2.0
            - (room.width - room.pad)
    });
    let right = right - over.fold(0.0, f64::max);
    let mut scale = fitting(right);
    thin_texts(&mut scale, left, right, room);
    (scale, right)
}

/// Where each tick's text begins and ends.
fn span(scale: &Scale, tick: &Tick, left: f64, right: f64) -> (f64, f64) {
    let (middle, half) = (left + scale.place(tick.value) * (right - left), width(&tick.text, SIZE) / 2.0);
    (middle - half, middle + half)
}

fn overlap(scale: &Scale, left: f64, right: f64) -> bool {
    let spans: Vec<(f64, f64)> = scale.ticks.iter().map(|tick| span(scale, tick, left, right)).collect();
    spans.windows(2).any(|pair| pair[0].1 + 8.0 > pair[1].0)
}

/// Empties the texts that would touch the one before or leave the picture, whatever the numbers are.
fn thin_texts(scale: &mut Scale, left: f64, right: f64, room: &Room) {
    let spans: Vec<(f64, f64)> = scale.ticks.iter().map(|tick| span(scale, tick, left, right)).collect();
    let mut free = 0.0;
    for (tick, (start, end)) in scale.ticks.iter_mut().zip(spans) {
        if start < free || end > room.width {
            tick.text.clear();
        } else {
            free = end + 8.0;
        }
    }
}

/// The names of vertical markers above the plot; gives the height below them.
fn draw_tags(pen: &mut Pen, plot: &Plot<'_>, top: f64, room: &Room) -> f64 {
    let named = plot.chart.markers_shown().filter_map(|marker| match marker.at {
        At::X(x) => Some((plot.x(x), marker.name.as_str())),
        At::Y(_) => None,
    });
    let tags = head::tags(named.collect(), room);
    let rows = tags.iter().map(|tag| tag.row + 1).max().unwrap_or(0);
    for tag in tags {
        let y = top + (rows - tag.row) as f64 * LINE - 6.0;
        pen.text((tag.x, y), "mc-soft", Anchor::Start, &tag.line);
    }
    top + rows as f64 * LINE
}

/// Axes, grid and their texts; gives the height of the whole picture.
fn draw_axes(pen: &mut Pen, plot: &Plot<'_>, room: &Room) -> f64 {
    for tick in &plot.frame.y.ticks {
        let y = plot.y(tick.value);
        pen.line("mc-grid", (plot.left, y), (plot.right, y));
        pen.text((plot.left - 6.0, y), "mc-soft", Anchor::End, &tick.text);
    }
    pen.line("mc-axis", (plot.left, plot.bottom), (plot.right, plot.bottom));
    for tick in &plot.frame.x.ticks {
        let x = plot.x(tick.value);
        pen.line("mc-axis", (x, plot.bottom), (x, plot.bottom + 4.0));
        if !tick.text.is_empty() {
            pen.text((x, plot.bottom + 15.0), "mc-soft", Anchor::Middle, &tick.text);
        }
    }
    let below = plot.bottom + 24.0;
    if !room.axes_titled {
        return below + room.pad;
    }
    centred(pen, &plot.frame.x.title, (plot.left, plot.right), below, room) + room.pad
}

/// The title of an axis below its middle, moved if it would leave the picture; gives the height below it.
pub(super) fn centred(pen: &mut Pen, text: &str, (left, right): (f64, f64), y: f64, room: &Room) -> f64 {
    let lines = wrap(text, SIZE, room.width - 2.0 * room.pad);
    for (i, line) in lines.iter().enumerate() {
        let half = width(line, SIZE) / 2.0;
        let (least, most) = (room.pad + half, room.width - room.pad - half);
        let middle = f64::midpoint(left, right).min(most).max(least);
        pen.text((middle, y + 9.0 + i as f64 * LINE), "mc-soft", Anchor::Middle, line);
    }
    y + 2.0 + lines.len() as f64 * LINE
}

/// The names at the right, from top to bottom as the lines come in.
fn names(chart: &Chart, frame: &Frame, most: f64) -> Vec<Name> {
    let colours = chart.colours();
    let mut order: Vec<usize> =
        (0..chart.series.len()).filter(|i| !chart.series[*i].name.is_empty()).collect();
    // Lines that end at one height are told apart by where they were before.
    let path = |i: usize| (0..=16).rev().map(move |k| frame.height(i, f64::from(k) / 16.0).unwrap_or(-1.0));
    order.sort_by(|a, b| path(*b).partial_cmp(path(*a)).unwrap_or(std::cmp::Ordering::Equal));
    let series = order.into_iter().filter_map(|i| {
        let (_, y) = frame.end(i)?;
        let lines = wrap(&chart.series[i].name, SIZE, most);
        let Series { look, thin, .. } = chart.series[i];
        Some(Name { lines, y, colour: Some(colours[i]), look, thin })
    });
    let levels = chart.markers_shown().filter_map(|marker| match marker.at {
        At::Y(y) => Some(Name {
            lines: wrap(&marker.name, SIZE, most),
            y,
            colour: None,
            look: Look::Line,
            thin: true,
        }),
        At::X(_) => None,
    });
    series.chain(levels).collect()
}

fn draw_names(pen: &mut Pen, plot: &Plot<'_>, names: &[Name]) {
    let wanted: Vec<f64> = names.iter().map(|name| plot.y(name.y)).collect();
    let heights: Vec<f64> = names.iter().map(|name| name.lines.len() as f64 * LINE).collect();
    let places = spread_boxes(&wanted, &heights, plot.top - LINE / 2.0, plot.bottom + LINE / 2.0);
    let x = plot.right + NAME_GAP;
    for ((name, wanted), y) in names.iter().zip(wanted).zip(places) {
        let x = if name.colour.is_some() { x } else { x - 12.0 };
        if (wanted - y).abs() > 3.0 {
            pen.line(
                "mc-lead",
                (plot.right + 2.0, wanted),
                (x - if name.colour.is_some() { 16.0 } else { 2.0 }, y),
            );
        }
        let class = if name.thin { "mc-soft" } else { "mc-name" };
        pen.lines((x, y), class, Anchor::Start, &name.lines);
        if let Some(index) = name.colour {
            draw_sample(pen, (x, y), name.look, name.thin, index);
        }
    }
}

/// A little of a line, or a dot of a cloud, before its name.
fn draw_sample(pen: &mut Pen, (x, y): (f64, f64), look: Look, thin: bool, index: usize) {
    if look == Look::Dots {
        pen.circle(&format!("mc-dot {}", colour(index)), (x - 7.0, y), 3.0);
        return;
    }
    let thin = if thin { " mc-thin" } else { "" };
    pen.line(&format!("mc-line{thin} {}", colour(index)), (x - 15.0, y), (x - 4.0, y));
}
