//! A whole page: its head, its title, a list of its sections, and these.

use super::{Section, style};
use crate::markup::escape;

/// With this many sections and more, a page begins with a list of them.
const SECTIONS_LISTED_MIN: usize = 4;

/// A page in the making.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    subtitle: String,
    lead: String,
    sections: Vec<Section>,
    footer: Vec<String>,
}

impl Page {
    /// A page with nothing but its title.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            subtitle: String::new(),
            lead: String::new(),
            sections: Vec::new(),
            footer: Vec::new(),
        }
    }

    /// A line below the title: what was looked at, how long, how often.
    #[must_use]
    pub fn subtitle(mut self, text: &str) -> Self {
        text.clone_into(&mut self.subtitle);
        self
    }

    /// What was found, in a sentence or two.
    #[must_use]
    pub fn lead(mut self, text: &str) -> Self {
        text.clone_into(&mut self.lead);
        self
    }

    /// One more section.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// One more line at the end: how this was made, and how to make it again.
    #[must_use]
    pub fn footer(mut self, text: &str) -> Self {
        self.footer.push(text.to_owned());
        self
    }

    /// The page as text.
    #[must_use]
    pub fn render(&self) -> String {
        let mut head = format!("<h1>{}</h1>\n", escape(&self.title));
        head += &paragraph("m-sub", &self.subtitle);
        head += &paragraph("m-lead", &self.lead);
        let sections = self.sections.iter().enumerate();
        let sections: String = sections.map(|(i, section)| section.render_with(&anchor(i))).collect();
        let footer: String = self.footer.iter().map(|line| format!("<p>{}</p>\n", escape(line))).collect();
        let footer = if footer.is_empty() { footer } else { format!("<footer>\n{footer}</footer>\n") };
        let body = format!("<header>\n{head}</header>\n{}<main>\n{sections}</main>\n{footer}", self.list());
        document(&self.title, "", &body)
    }

    fn list(&self) -> String {
        if self.sections.len() < SECTIONS_LISTED_MIN {
            return String::new();
        }
        let item = |(i, section): (usize, &Section)| {
            format!("<li><a href=\"#{}\">{}</a></li>\n", anchor(i), escape(section.title()))
        };
        let items: String = self.sections.iter().enumerate().map(item).collect();
        format!("<nav aria-label=\"Sections\">\n<ul>\n{items}</ul>\n</nav>\n")
    }
}

/// Where links to a section lead.
fn anchor(index: usize) -> String {
    format!("section-{}", index + 1)
}

fn paragraph(class: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<p class=\"{class}\">{}</p>\n", escape(text)) }
}

/// A complete page around a body of HTML that its maker has escaped. `head` stands within the head element: a server puts
/// there what it needs beyond the style. A page without anything there forbids itself scripts and everything from elsewhere.
#[must_use]
pub fn document(title: &str, head: &str, body: &str) -> String {
    let policy = if head.is_empty() {
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    } else {
        ""
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{policy}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{}</style>\n{head}</head>\n\
         <body>\n{body}</body>\n</html>\n",
        escape(title),
        style()
    )
}
