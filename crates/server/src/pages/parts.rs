//! Parts of pages: tiles, tables, times, fields, buttons, notices, questions. Pure: values in, markup out.

use maud::{Markup, Render, html};
use muster_engine::money::Money;
use muster_engine::{Span, Time};
use muster_report::number;

use super::form::{Notice, hidden};
use super::session::Visitor;
use crate::wire::Moment;

/// A figure with what it counts.
#[derive(Clone, Debug)]
pub struct Tile {
    label: String,
    value: Markup,
    note: Option<Markup>,
    id: Option<String>,
}

impl Tile {
    /// A tile.
    pub fn new(label: &str, value: impl Render) -> Self {
        Self { label: label.to_owned(), value: value.render(), note: None, id: None }
    }

    /// A smaller line below.
    #[must_use]
    pub fn note(mut self, note: impl Render) -> Self {
        self.note = Some(note.render());
        self
    }

    /// The id of the element that holds the value, for what is live.
    #[must_use]
    pub fn id(mut self, id: &str) -> Self {
        self.id = Some(id.to_owned());
        self
    }
}

/// Figures side by side.
#[must_use]
pub fn tiles(tiles: &[Tile]) -> Markup {
    html! {
        dl .m-tiles {
            @for tile in tiles {
                div {
                    dt { (tile.label) }
                    dd { span id=[tile.id.as_ref()] { (tile.value) } }
                    @if let Some(note) = &tile.note { dd .m-note { (note) } }
                }
            }
        }
    }
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    title: &'static str,
    is_number: bool,
}

impl Column {
    /// Of words.
    #[must_use]
    pub const fn text(title: &'static str) -> Self {
        Self { title, is_number: false }
    }

    /// Of numbers, to the right.
    #[must_use]
    pub const fn number(title: &'static str) -> Self {
        Self { title, is_number: true }
    }
}

/// A table; the first cell of a row names it.
#[must_use]
pub fn table(caption: &str, columns: &[Column], rows: impl IntoIterator<Item = Vec<Markup>>) -> Markup {
    table_around(None, caption, columns, &rows_of(columns, rows))
}

/// A table whose rows are live: `rows` are what [`rows_of`] makes, and `id` is the element that holds them.
#[must_use]
pub fn live_table(id: &str, caption: &str, columns: &[Column], rows: &Markup) -> Markup {
    table_around(Some(id), caption, columns, rows)
}

fn table_around(id: Option<&str>, caption: &str, columns: &[Column], rows: &Markup) -> Markup {
    html! {
        div .m-scroll tabindex="0" role="region" aria-label=(caption) {
            table {
                caption { span { (caption) } }
                thead { tr { @for column in columns { th scope="col" .m-n[column.is_number] { (column.title) } } } }
                tbody id=[id] { (rows) }
            }
        }
    }
}

/// Rows alone, for what is live in a table.
#[must_use]
pub fn rows_of(columns: &[Column], rows: impl IntoIterator<Item = Vec<Markup>>) -> Markup {
    html! {
        @for row in rows {
            tr {
                @for (i, (cell, column)) in row.iter().zip(columns).enumerate() {
                    @if i == 0 { th scope="row" .m-n[column.is_number] { (cell) } }
                    @else { td .m-n[column.is_number] { (cell) } }
                }
            }
        }
    }
}

/// A moment as "3 min ago", with the exact time on hover; kept up to date by `live.js`.
#[must_use]
pub fn ago(at: Time, now: Time) -> Markup {
    let exact = Moment(at).to_string();
    html! { time datetime=(exact) title=(exact) data-ago { (ago_in_words(now.since(at))) } }
}

/// "3 min ago". The same steps are in `live.js`.
#[must_use]
pub fn ago_in_words(span: Span) -> String {
    let seconds = span.0 / 1_000_000_000;
    match seconds {
        0..10 => "just now".to_owned(),
        10..60 => format!("{} s ago", seconds / 10 * 10),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

/// A length of time as a person reads it: "43 s", "1 h 20 min".
#[must_use]
pub fn span(span: Span) -> String {
    let seconds = span.0.div_ceil(1_000_000_000);
    match (seconds, seconds / 60 % 60, seconds % 60) {
        (0..60, ..) => format!("{seconds} s"),
        (60..3600, minutes, 0) => format!("{minutes} min"),
        (60..3600, minutes, rest) => format!("{minutes} min {rest} s"),
        (_, 0, _) => format!("{} h", seconds / 3600),
        (_, minutes, _) => format!("{} h {minutes} min", seconds / 3600),
    }
}

/// An amount of money in the currency's unit: two decimals, and as many more as it takes.
#[must_use]
pub fn money(amount: Money) -> String {
    let fine = amount.0 % 10_000 != 0;
    if fine { number::significant(amount.as_units_f64(), 6) } else { number::fixed(amount.as_units_f64(), 2) }
}

/// A count, thousands apart.
#[must_use]
pub fn count(n: impl Into<u64>) -> String {
    number::fixed(n.into() as f64, 0)
}

/// What stands where nothing is yet: what it would be, and what to do next.
#[must_use]
pub fn empty(title: &str, next: impl Render) -> Markup {
    html! { div .empty { p { strong { (title) } } p { (next) } } }
}

/// What came of an act.
#[must_use]
pub fn notice(notice: &Notice) -> Markup {
    if notice.is_problem {
        problem(&notice.text)
    } else {
        html! { p .notice.done role="status" { (notice.text) } }
    }
}

/// Why something was not done.
#[must_use]
pub fn problem(text: &str) -> Markup {
    html! { p .notice.problem role="alert" { (text) } }
}

/// With a capital letter and a full stop.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

/// The button that sends a form; it says what it does.
#[must_use]
pub fn submit(label: &str) -> Markup {
    html! { button .main { (label) } }
}

/// A form that is one button.
#[must_use]
pub fn act(visitor: &Visitor, action: &str, label: &str) -> Markup {
    html! { form .inline method="post" action=(action) { (hidden(visitor)) button { (label) } } }
}

/// A destructive act: the button opens a question, whose button does it. `more` may hold fields.
#[must_use]
pub fn confirm(
    visitor: &Visitor,
    action: &str,
    label: &str,
    question: &str,
    yes: &str,
    more: &Markup,
) -> Markup {
    html! {
        details .confirm {
            summary .button { (label) }
            form method="post" action=(action) {
                (hidden(visitor))
                p { (question) }
                (more)
                button .danger { (yes) }
            }
        }
    }
}

/// A field of a form, with its label, a hint and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Field {
    name: String,
    label: String,
    hint: Option<String>,
    error: Option<String>,
    value: String,
    input: Input,
    is_required: bool,
}

#[derive(Clone, Debug)]
enum Input {
    Text,
    Secret,
    Number { step: String, least: Option<String>, most: Option<String> },
    Area { rows: u32 },
    Choice(Vec<(String, String)>),
    Tick,
}

impl Field {
    /// A line of text.
    #[must_use]
    pub fn new(name: &str, label: &str) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            hint: None,
            error: None,
            value: String::new(),
            input: Input::Text,
            is_required: false,
        }
    }

    /// What helps to fill it in.
    #[must_use]
    pub fn hint(mut self, hint: &str) -> Self {
        self.hint = Some(hint.to_owned());
        self
    }

    /// What is wrong with it.
    #[must_use]
    pub fn error(mut self, error: Option<&str>) -> Self {
        self.error = error.map(str::to_owned);
        self
    }

    /// What it holds; for a tick "on" if it is set.
    #[must_use]
    pub fn value(mut self, value: impl std::fmt::Display) -> Self {
        self.value = value.to_string();
        self
    }

    /// It must be filled in.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    /// Shown as dots.
    #[must_use]
    pub fn secret(mut self) -> Self {
        self.input = Input::Secret;
        self
    }

    /// A number in these steps ("any", "1", "0.01"), between these.
    #[must_use]
    pub fn number(mut self, step: &str, least: Option<f64>, most: Option<f64>) -> Self {
        let text = |bound: Option<f64>| bound.map(|bound| bound.to_string());
        self.input = Input::Number { step: step.to_owned(), least: text(least), most: text(most) };
        self
    }

    /// Several lines.
    #[must_use]
    pub fn area(mut self, rows: u32) -> Self {
        self.input = Input::Area { rows };
        self
    }

    /// One of these: value and label.
    #[must_use]
    pub fn choice<V: Into<String>, L: Into<String>>(
        mut self,
        options: impl IntoIterator<Item = (V, L)>,
    ) -> Self {
        self.input =
            Input::Choice(options.into_iter().map(|(value, label)| (value.into(), label.into())).collect());
        self
    }

    /// Yes or no.
    #[must_use]
    pub fn tick(mut self) -> Self {
        self.input = Input::Tick;
        self
    }

    fn control(&self) -> Markup {
        let (id, name, value) = (format!("f-{}", self.name), &self.name, &self.value);
        let hint = self.hint.as_ref().map(|_| format!("h-{}", self.name));
        let error = self.error.as_ref().map(|_| format!("e-{}", self.name));
        let told: Vec<String> = hint.into_iter().chain(error).collect();
        let told = (!told.is_empty()).then(|| told.join(" "));
        let (required, wrong) = (self.is_required, self.error.as_ref().map(|_| "true"));
        match &self.input {
            Input::Text => html! {
                input id=(id) name=(name) value=(value) required[required] aria-describedby=[told] aria-invalid=[wrong];
            },
            Input::Secret => html! {
                input id=(id) name=(name) type="password" autocomplete="off" required aria-describedby=[told] aria-invalid=[wrong];
            },
            Input::Number { step, least, most } => html! {
                input id=(id) name=(name) type="number" inputmode="decimal" value=(value) step=(step) min=[least] max=[most]
                    required[required] aria-describedby=[told] aria-invalid=[wrong];
            },
            Input::Area { rows } => html! {
                textarea id=(id) name=(name) rows=(rows) required[required] aria-describedby=[told] aria-invalid=[wrong] { (value) }
            },
            Input::Choice(options) => html! {
                select id=(id) name=(name) required[required] aria-describedby=[told] aria-invalid=[wrong] {
                    @for (option, label) in options {
                        option value=(option) selected[option == value] { (label) }
                    }
                }
            },
            Input::Tick => html! {
                input id=(id) name=(name) type="checkbox" value="on" checked[value == "on"] aria-describedby=[told] aria-invalid=[wrong];
            },
        }
    }
}

impl Render for Field {
    fn render(&self) -> Markup {
        let is_tick = matches!(self.input, Input::Tick);
        html! {
            div .field.tick[is_tick] {
                @if is_tick { (self.control()) }
                label for=(format!("f-{}", self.name)) { (self.label) }
                @if let Some(hint) = &self.hint { p .hint id=(format!("h-{}", self.name)) { (hint) } }
                @if !is_tick { (self.control()) }
                @if let Some(error) = &self.error { p .error id=(format!("e-{}", self.name)) { (error) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_amounts_are_short() {
        let words = |seconds: u64| ago_in_words(Span::from_secs(seconds));
        assert_eq!(
            [words(3), words(59), words(200), words(7300), words(200_000)],
            ["just now", "50 s ago", "3 min ago", "2 h ago", "2 d ago"]
        );
        let length = |seconds: u64| span(Span::from_secs(seconds));
        assert_eq!(
            [length(43), length(90), length(600), length(4800), length(7200)],
            ["43 s", "1 min 30 s", "10 min", "1 h 20 min", "2 h"]
        );
        assert_eq!(
            [money(Money(50_000)), money(Money(12_345)), money(Money(1_234_500_000))],
            ["0.05", "0.012345", "1,234.50"]
        );
    }

    #[test]
    fn what_people_wrote_stays_text() {
        let field = Field::new("a", "<b>").value("\"><script>").hint("&").error(Some("<i>"));
        let text = field.render().into_string();
        assert!(!text.contains("<script") && !text.contains("<b>") && !text.contains("<i>"), "{text}");
        assert!(
            text.contains(r#"aria-describedby="h-a e-a""#) && text.contains(r#"aria-invalid="true""#),
            "{text}"
        );
    }
}
