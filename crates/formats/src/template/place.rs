//! Where in a page something stands: in a text, a tag, an attribute, a script. Follows HTML as browsers read it, as far as
//! places go; does not know variables beyond that they stand somewhere.
//!
//! Start at [`Scanner::literal`] and [`Scanner::variable`].

/// Where a variable stands, as far as it matters for how its value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a text, or an attribute in quotes.
    Text,
    /// In a comment.
    Comment,
    /// In an address whose scheme is not decided yet: at its very beginning, or after something.
    Address { first: bool },
    /// In a script.
    Script,
    /// In a style sheet.
    Style,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Text,
    /// After `<`: what has been read of the tag's name, with `/` in front if it closes.
    TagName(String),
    /// Between attributes.
    InTag,
    AttributeName(String),
    /// After a name; a `=` may follow.
    AfterName(String),
    /// After `=`.
    BeforeValue(String),
    /// In a value, after `"` or `'` or without quotes, with what has been read of it.
    Value(String, Option<char>, String),
    /// In `<!-- -->`, with its last two letters.
    Comment(String),
    /// In `<!DOCTYPE ...>` and the like.
    Declaration(String),
    /// In an element whose text holds no tags but its own end.
    Raw(String),
}

/// Reads a page letter by letter, and knows where it is.
#[derive(Clone, Debug)]
pub(super) struct Scanner {
    state: State,
    /// The tag being read, in small letters.
    tag: String,
    /// What may be the beginning of a raw element's end.
    tail: String,
}

/// Elements whose text holds no tags.
const RAW: [&str; 9] =
    ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"];

/// Attributes that hold an address.
const ADDRESSES: [&str; 13] = [
    "href",
    "src",
    "action",
    "formaction",
    "poster",
    "cite",
    "background",
    "data",
    "xlink:href",
    "ping",
    "manifest",
    "longdesc",
    "codebase",
];

/// Elements that run what their address names.
const RUNNING: [&str; 4] = ["script", "embed", "object", "base"];

/// So much of a value is remembered, in bytes: a scheme not decided by then counts as open.
const VALUE_KEPT: usize = 256;

/// Stands for a variable in what was read of a value.
const VARIABLE: char = '\0';

impl Scanner {
    pub(super) fn new() -> Self {
        Self { state: State::Text, tag: String::new(), tail: String::new() }
    }

    /// A part of the page as it is.
    pub(super) fn literal(&mut self, text: &str) {
        text.chars().for_each(|letter| self.step(letter));
    }

    /// A variable stands here: how it must be written, or why it cannot stand here.
    pub(super) fn variable(&mut self) -> Result<Place, &'static str> {
        if let State::BeforeValue(name) = &self.state {
            self.state = State::Value(name.clone(), None, String::new());
        }
        match &mut self.state {
            State::Text => Ok(Place::Text),
            State::Comment(_) => Ok(Place::Comment),
            State::Raw(element) => match element.as_str() {
                "script" => Ok(Place::Script),
                "style" => Ok(Place::Style),
                "textarea" | "title" => Ok(Place::Text),
                _ => Err("a variable cannot stand in this element"),
            },
            State::Value(_, None, _) => Err("put the value of the attribute in quotes: name=\"${variable}\""),
            State::Value(name, Some(_), value) => {
                let place = in_attribute(name, value, &self.tag);
                if value.len() < VALUE_KEPT {
                    value.push(VARIABLE);
                }
                place
            }
            State::TagName(_)
            | State::InTag
            | State::AttributeName(_)
            | State::AfterName(_)
            | State::BeforeValue(_) => Err(
                "a variable cannot be the name of a tag or attribute; it may stand in an attribute's value",
            ),
            State::Declaration(_) => Err("a variable cannot stand in a declaration"),
        }
    }

    /// Where the page ends, for tests: the state and the tag.
    #[cfg(test)]
    pub(super) fn after_page(&self) -> String {
        let state = format!("{:?}", self.state);
        format!("{} {}", state.split('(').next().unwrap_or_default(), self.tag)
    }

    fn step(&mut self, letter: char) {
        self.state = match std::mem::replace(&mut self.state, State::Text) {
            State::Text if letter == '<' => State::TagName(String::new()),
            State::Text => State::Text,
            State::TagName(name) => self.tag_name(name, letter),
            State::InTag => self.in_tag(letter),
            State::AttributeName(name) => self.attribute_name(name, letter),
            State::AfterName(name) if letter == '=' => State::BeforeValue(name),
            State::AfterName(name) if letter.is_whitespace() => State::AfterName(name),
            State::AfterName(_) => self.in_tag(letter),
            State::BeforeValue(name) => self.before_value(name, letter),
            State::Value(name, quote, value) => self.value(name, quote, value, letter),
            State::Comment(last) => comment(last, letter),
            State::Declaration(read) => declaration(read, letter),
            State::Raw(element) => self.raw(element, letter),
        }
    }

    fn tag_name(&mut self, mut name: String, letter: char) -> State {
        let is_first = name.is_empty() || name == "/";
        match letter {
            '!' | '?' if name.is_empty() => State::Declaration(String::new()),
            '/' if name.is_empty() => State::TagName("/".to_owned()),
            letter if is_first && !letter.is_ascii_alphabetic() => {
                // Not a tag after all; but `</3` is a comment to browsers, up to the next `>`.
                if name == "/" { declaration("x".to_owned(), letter) } else { text(letter) }
            }
            letter if letter.is_whitespace() || matches!(letter, '>' | '/') => {
                self.tag = name;
                self.in_tag(letter)
            }
            letter => {
                name.push(letter.to_ascii_lowercase());
                State::TagName(name)
            }
        }
    }

    fn in_tag(&mut self, letter: char) -> State {
        match letter {
            '>' if RAW.contains(&self.tag.as_str()) => {
                self.tail.clear();
                State::Raw(self.tag.clone())
            }
            '>' => State::Text,
            letter if letter.is_whitespace() || letter == '/' => State::InTag,
            letter => State::AttributeName(letter.to_ascii_lowercase().to_string()),
        }
    }

    fn attribute_name(&mut self, mut name: String, letter: char) -> State {
        match letter {
            '=' => State::BeforeValue(name),
            letter if letter.is_whitespace() => State::AfterName(name),
            '>' | '/' => self.in_tag(letter),
            letter => {
                name.push(letter.to_ascii_lowercase());
                State::AttributeName(name)
            }
        }
    }

    fn before_value(&mut self, name: String, letter: char) -> State {
        match letter {
            '"' | '\'' => State::Value(name, Some(letter), String::new()),
            '>' => self.in_tag(letter),
            letter if letter.is_whitespace() => State::BeforeValue(name),
            letter => State::Value(name, None, letter.to_string()),
        }
    }

    fn value(&mut self, name: String, quote: Option<char>, mut value: String, letter: char) -> State {
        let ends = quote.map_or(letter.is_whitespace() || letter == '>', |quote| letter == quote);
        if ends {
            return if quote.is_some() { State::InTag } else { self.in_tag(letter) };
        }
        if value.len() < VALUE_KEPT {
            value.push(letter);
        }
        State::Value(name, quote, value)
    }

    /// Ends at `</element` with a space, `/` or `>` after it.
    fn raw(&mut self, element: String, letter: char) -> State {
        let end = format!("</{element}");
        if self.tail == end && (letter.is_whitespace() || matches!(letter, '/' | '>')) {
            self.tag = format!("/{element}");
            return self.in_tag(letter);
        }
        self.tail.push(letter.to_ascii_lowercase());
        if !end.starts_with(&self.tail) {
            self.tail.clear();
            if letter == '<' {
                self.tail.push('<');
            }
        }
        State::Raw(element)
    }
}

fn text(letter: char) -> State {
    if letter == '<' { State::TagName(String::new()) } else { State::Text }
}

/// Ends at `-->`, which may begin right after `<!--`.
fn comment(mut last: String, letter: char) -> State {
    if letter == '>' && (last.ends_with("--") || last.ends_with("--!")) {
        return State::Text;
    }
    last.push(letter);
    let kept = last.chars().rev().take(3).collect::<Vec<_>>();
    State::Comment(kept.into_iter().rev().collect())
}

/// Ends at `>`, unless it is a comment.
fn declaration(mut read: String, letter: char) -> State {
    if letter == '>' {
        return State::Text;
    }
    if read.len() < 2 {
        read.push(letter);
    }
    if read == "--" { State::Comment("--".to_owned()) } else { State::Declaration(read) }
}

/// How a variable is written after `value`, which has been read of an attribute in quotes so far.
fn in_attribute(name: &str, value: &str, tag: &str) -> Result<Place, &'static str> {
    if name.starts_with("on") {
        return Ok(Place::Script);
    }
    match name {
        "style" => return Ok(Place::Style),
        "srcdoc" => return Err("a variable cannot stand in srcdoc, which is a page of its own"),
        _ if !ADDRESSES.contains(&name) => return Ok(Place::Text),
        _ if RUNNING.contains(&tag) => return Err("the address of what a page runs cannot hold a variable"),
        _ => {}
    }
    let is_seen = |c: &char| *c == VARIABLE || (!c.is_control() && !c.is_whitespace());
    let read: String = value.chars().filter(is_seen).map(|c| c.to_ascii_lowercase()).collect();
    if ["javascript:", "vbscript:", "data:"].iter().any(|scheme| read.starts_with(scheme)) {
        return Err("a variable cannot stand in an address that is a script or data");
    }
    let is_decided = read.contains([':', '/', '?', '#']);
    Ok(if is_decided { Place::Text } else { Place::Address { first: read.is_empty() } })
}

/// Whether what follows a variable in an address makes it a scheme, which nobody could check.
pub(super) fn makes_scheme(place: Place, after: &str) -> bool {
    // What follows the next variable is for that one to look at.
    let after = &after[..after.find("${").unwrap_or(after.len())];
    let end = after.find([':', '/', '?', '#', '"', '\'']);
    matches!(place, Place::Address { .. }) && end.is_some_and(|end| after[end..].starts_with(':'))
}
