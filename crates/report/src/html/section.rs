//! A section of a page: a heading, and below it text, tiles, tables, figures and folded text, in the order given.

use crate::chart::{Figure, svg};
use crate::markup::escape;
use crate::sheet::Sheet;

/// A key figure: what it is, its value, and perhaps a few words on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    label: String,
    value: String,
    note: String,
}

impl Tile {
    /// A value with what it is. The value has its unit: `12.3 ± 0.4 s`.
    #[must_use]
    pub fn new(label: &str, value: &str) -> Self {
        Self { label: label.to_owned(), value: value.to_owned(), note: String::new() }
    }

    /// A few words below the value.
    #[must_use]
    pub fn note(mut self, text: &str) -> Self {
        text.clone_into(&mut self.note);
        self
    }

    fn render(&self) -> String {
        let (label, value) = (escape(&self.label), escape(&self.value));
        let note = if self.note.is_empty() {
            String::new()
        } else {
            format!("<dd class=\"m-note\">{}</dd>", escape(&self.note))
        };
        format!("<div><dt>{label}</dt><dd>{value}</dd>{note}</div>\n")
    }
}

/// Key figures side by side.
#[must_use]
pub fn tiles(tiles: &[Tile]) -> String {
    let all: String = tiles.iter().map(Tile::render).collect();
    format!("<dl class=\"m-tiles\">\n{all}</dl>\n")
}

/// A figure with its title and a caption, which may be empty.
#[must_use]
pub fn figure(figure: &Figure, caption: &str) -> String {
    let wide = if matches!(figure, Figure::Panels(_)) { " class=\"m-full\"" } else { "" };
    let nothing = matches!(figure, Figure::Panels(panels) if panels.panels.is_empty());
    let nothing = if nothing { "Nothing to show" } else { "" };
    let about = [nothing.to_owned(), svg::axes_in_words(figure), caption.to_owned()];
    let about: Vec<String> = about.iter().filter(|text| !text.is_empty()).map(|text| escape(text)).collect();
    let about = if about.is_empty() { String::new() } else { format!("<span>{}</span>", about.join(". ")) };
    format!(
        "<figure{wide}>\n<figcaption><strong>{}</strong>{about}</figcaption>\n{}</figure>\n",
        escape(figure.title()),
        svg::in_page(figure)
    )
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    List(Vec<String>),
    Tiles(Vec<Tile>),
    Table(Sheet),
    Figure(Figure, String),
    Folded(String, String),
}

/// A section in the making.
#[derive(Clone, Debug)]
pub struct Section {
    title: String,
    parts: Vec<Part>,
}

impl Section {
    /// A section with nothing but its heading.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), parts: Vec::new() }
    }

    /// A paragraph.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.part(Part::Text(text.to_owned()))
    }

    /// A list of short sentences.
    #[must_use]
    pub fn list<S: Into<String>>(self, items: impl IntoIterator<Item = S>) -> Self {
        self.part(Part::List(items.into_iter().map(Into::into).collect()))
    }

    /// Key figures side by side.
    #[must_use]
    pub fn tiles(self, tiles: impl IntoIterator<Item = Tile>) -> Self {
        self.part(Part::Tiles(tiles.into_iter().collect()))
    }

    /// A table.
    #[must_use]
    pub fn table(self, sheet: Sheet) -> Self {
        self.part(Part::Table(sheet))
    }

    /// A figure with a caption, which may be empty. Figures that follow each other stand side by side where there is room.
    #[must_use]
    pub fn figure(self, figure: impl Into<Figure>, caption: &str) -> Self {
        self.part(Part::Figure(figure.into(), caption.to_owned()))
    }

    /// Text as it is (a scenario, a log), folded until someone opens it; printed in full.
    #[must_use]
    pub fn folded(self, summary: &str, text: &str) -> Self {
        self.part(Part::Folded(summary.to_owned(), text.to_owned()))
    }

    fn part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    pub(super) fn title(&self) -> &str {
        &self.title
    }

    /// The section as an element of a page.
    #[must_use]
    pub fn render(&self) -> String {
        self.render_with("")
    }

    pub(super) fn render_with(&self, anchor: &str) -> String {
        let id = if anchor.is_empty() { String::new() } else { format!(" id=\"{anchor}\"") };
        let is_figure = |part: &Part| matches!(part, Part::Figure(..));
        let runs = self.parts.chunk_by(|a, b| is_figure(a) && is_figure(b));
        let parts: String =
            runs.map(|run| if is_figure(&run[0]) { figures(run) } else { render(&run[0]) }).collect();
        format!("<section{id}>\n<h2>{}</h2>\n{parts}</section>\n", escape(&self.title))
    }
}

fn figures(run: &[Part]) -> String {
    let all: String = run.iter().map(render).collect();
    format!("<div class=\"m-figures\">\n{all}</div>\n")
}

fn render(part: &Part) -> String {
    match part {
        Part::Text(text) => format!("<p>{}</p>\n", escape(text)),
        Part::List(items) => {
            let items: String = items.iter().map(|item| format!("<li>{}</li>\n", escape(item))).collect();
            format!("<ul>\n{items}</ul>\n")
        }
        Part::Tiles(all) => tiles(all),
        Part::Table(sheet) => sheet.html(),
        Part::Figure(drawn, caption) => figure(drawn, caption),
        Part::Folded(summary, text) => {
            let (summary, text) = (escape(summary), escape(text));
            format!("<details>\n<summary>{summary}</summary>\n<pre><code>{text}</code></pre>\n</details>\n")
        }
    }
}
