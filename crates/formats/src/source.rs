//! A text with a name, and where in it something stands. Does not know what the text means.

use std::ops::Range;

use crate::refusal::At;

/// How much of a long line is shown, in characters.
const SHOWN_MOST: usize = 120;

/// A text by name, with the beginnings of its lines.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
    starts: Vec<usize>,
}

impl Source {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let after = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(after).collect();
        Self { name: name.to_owned(), text: text.to_owned(), starts }
    }

    /// Where a range of bytes stands; only its first line is marked.
    pub(crate) fn at(&self, range: &Range<usize>) -> At {
        let from = self.on_a_letter(range.start);
        let line = self.starts.partition_point(|start| *start <= from) - 1;
        let begin = self.starts[line];
        let end = self.text[begin..].find('\n').map_or(self.text.len(), |length| begin + length);
        let to = self.on_a_letter(range.end).clamp(from, end.max(from));
        let text = self.text[begin..end].trim_end_matches('\r');
        let column = self.text[begin..from].chars().count();
        At::new(line + 1, column + 1, self.text[from..to].chars().count(), &shown(text, column), column)
    }

    /// The byte at which the letter around `at` begins, within the text.
    fn on_a_letter(&self, at: usize) -> usize {
        self.text.floor_char_boundary(at.min(self.text.len()))
    }
}

/// How much of a value a refusal repeats, in letters.
const REPEATED_MOST: usize = 60;

/// A value as a refusal repeats it: on one line, and not too much of it.
pub(crate) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(REPEATED_MOST).map(plain).collect();
    if text.chars().nth(REPEATED_MOST).is_some() {
        short.push_str("...");
    }
    short
}

fn plain(letter: char) -> char {
    if letter.is_control() { ' ' } else { letter }
}

/// The part of a line around a column, and how many letters before it are left out.
fn shown(line: &str, column: usize) -> (String, usize) {
    let is_long = line.chars().nth(SHOWN_MOST).is_some();
    let skipped = if is_long { column.saturating_sub(SHOWN_MOST / 2) } else { 0 };
    (line.chars().skip(skipped).take(SHOWN_MOST).map(plain).collect(), skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_letters_from_one() {
        let source = Source::new("a.toml", "x = 1\r\nmüde = \"ja\"\n");
        let at = source.at(&(15..19));
        assert_eq!((at.line, at.column, at.width), (2, 8, 4));
        assert_eq!(at.text, "müde = \"ja\"");
        let end = source.at(&(1000..2000));
        assert_eq!((end.line, end.column), (3, 1));
        assert_eq!(source.at(&(9..9)).column, 2, "inside a letter is at its beginning");
    }

    #[test]
    fn of_a_long_line_the_place_is_shown() {
        let source = Source::new("a.toml", &format!("{}here", "é".repeat(5000)));
        let at = source.at(&(10_000..10_004));
        assert_eq!(at.column, 5001);
        assert_eq!(at.text.chars().nth(at.mark_from).unwrap(), 'h');
        assert!(at.text.chars().count() <= SHOWN_MOST);
    }
}
