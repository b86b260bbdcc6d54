//! How much room words need. No font is asked: letters are taken as wide as in a wide font (DejaVu Sans), so that words fit
//! whatever font the viewer has.

/// How tall plain letters are.
pub(super) const SIZE: f64 = 13.0;
/// From one line of plain letters to the next.
pub(super) const LINE: f64 = 16.0;
/// How tall the letters of titles are; they are bold, and so wider.
pub(super) const TITLE: f64 = 16.5;

/// How wide text is at most, at a size of letters.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

/// How wide a letter is, in parts of its size.
fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | '·' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | '"' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '—' | '…' => 1.0,
        '±' | '+' | '=' | '<' | '>' | '−' | '~' | '→' | '∞' => 0.84,
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' => 0.0,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => 1.05,
        '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{1f000}'..='\u{1faff}' => 1.35,
        letter if letter.is_uppercase() => 0.74,
        _ => 0.645,
    }
}

/// The widest of some texts.
pub(super) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>, size: f64) -> f64 {
    texts.into_iter().map(|text| width(text, size)).fold(0.0, f64::max)
}

/// Text in lines of at most a width: broken between words, and within a word only if it alone is too wide.
pub(super) fn wrap(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let fits = lines.last().is_some_and(|line| width(&format!("{line} {word}"), size) <= most);
        match lines.last_mut().filter(|_| fits) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.extend(broken(word, size, most)),
        }
    }
    lines
}

/// A word in pieces that fit; one letter at least in each.
fn broken(word: &str, size: f64, most: f64) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for letter in word.chars() {
        let last = pieces.last_mut().expect("one at least");
        if !last.is_empty() && width(last, size) + em(letter) * size > most {
            pieces.push(letter.to_string());
        } else {
            last.push(letter);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit() {
        assert_eq!(wrap("does one more help?", SIZE, 80.0), ["does one", "more help?"]);
        assert_eq!(wrap("  a \n b ", SIZE, 80.0), ["a b"]);
        assert_eq!(wrap("", SIZE, 80.0), [""; 0]);
        for line in wrap("Donaudampfschifffahrtsgesellschaftskapitän at work", SIZE, 100.0) {
            assert!(width(&line, SIZE) <= 100.0, "{line}");
        }
    }

    #[test]
    fn a_letter_stands_alone_if_it_must() {
        assert_eq!(wrap("mm", SIZE, 1.0), ["m", "m"]);
    }
}
