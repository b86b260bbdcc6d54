//! How a value is written so that it stays a value. Knows the places, not the templates.

use std::fmt::Write;

use super::place::Place;

/// Schemes that an address in a task may have.
const SCHEMES: [&str; 6] = ["http", "https", "ftp", "mailto", "tel", "blob"];

/// What stands in place of an address that is not allowed.
const REFUSED: &str = "about:invalid";

/// Writes a value in the way of its place.
pub(super) fn write(value: &str, place: Place, out: &mut String) {
    match place {
        Place::Text => references(value, out),
        // Nothing that ends a comment can be made of what is left.
        Place::Comment => references(&value.replace('-', "\u{2010}"), out),
        Place::Address { first } if is_harmless(value, first) => references(value, out),
        Place::Address { .. } => out.push_str(REFUSED),
        Place::Script => units(value, out),
        Place::Style => hex(value, out),
    }
}

/// Character references, as in `&lt;`.
fn references(value: &str, out: &mut String) {
    for letter in value.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            '\0' => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
}

/// Whether an address runs no script. Browsers skip control characters and spaces in front, and tabs and line ends anywhere.
fn is_harmless(value: &str, first: bool) -> bool {
    let visible: String = value.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect();
    let end = visible.find(['/', '?', '#']).unwrap_or(visible.len());
    let Some(colon) = visible[..end].find(':') else { return true };
    let scheme = visible[..colon].to_ascii_lowercase();
    let is_picture = scheme == "data" && visible[colon + 1..].to_ascii_lowercase().starts_with("image/");
    let is_svg = visible.to_ascii_lowercase().contains("svg");
    first && (SCHEMES.contains(&scheme.as_str()) || (is_picture && !is_svg))
}

/// Escapes as JavaScript and JSON have them, as in `\u0022`.
fn units(value: &str, out: &mut String) {
    for letter in value.chars() {
        if letter.is_alphanumeric() {
            out.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}").expect("a text can be written to");
        }
    }
}

/// Escapes as style sheets have them, as in `\000022`.
fn hex(value: &str, out: &mut String) {
    for letter in value.chars() {
        if letter.is_ascii_alphanumeric() {
            out.push(letter);
        } else {
            write!(out, "\\{:06x}", u32::from(letter)).expect("a text can be written to");
        }
    }
}
