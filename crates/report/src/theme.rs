//! The colours of pages and pictures, on light and on dark ground: the one place where they are named.
//!
//! Invariant, kept by a test: text has the contrast that WCAG AA asks of it (4.5), lines have theirs (3).

/// A colour by its use.
pub(crate) struct Token {
    pub(crate) name: &'static str,
    pub(crate) light: &'static str,
    pub(crate) dark: &'static str,
}

const fn token(name: &'static str, light: &'static str, dark: &'static str) -> Token {
    Token { name, light, dark }
}

/// How many colours series have; after that the same again with dashes.
pub(crate) const SERIES: usize = 6;

/// Colours of series are those of Okabe and Ito, which colour-blind people can tell apart; the orange is darker on light
/// ground and the blue lighter on dark ground, for contrast.
pub(crate) const TOKENS: [Token; 15] = [
    token("ground", "#ffffff", "#16181c"),
    token("raised", "#f5f6f8", "#1e2127"),
    token("text", "#1f2328", "#e6e6e6"),
    token("soft", "#57606a", "#a8b0b8"),
    token("rule", "#d8dde3", "#363b43"),
    token("grid", "#e6e9ec", "#2a2e35"),
    token("axis", "#848c95", "#7c848d"),
    token("accent", "#005a96", "#6cb6ff"),
    token("good", "#00694c", "#4fc79f"),
    token("c0", "#0072b2", "#56b4e9"),
    token("c1", "#d55e00", "#e66d0f"),
    token("c2", "#009e73", "#12b085"),
    token("c3", "#cc79a7", "#cc79a7"),
    token("c4", "#c98500", "#f0c842"),
    token("c5", "#40474f", "#c9ced4"),
];

/// The rules of pictures, with `$name` for each colour.
const PICTURE: &str = "\
.mc{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;font-variant-numeric:tabular-nums}\
.mc-back{fill:$ground}.mc text{fill:$text}.mc .mc-title{font-weight:600;font-size:15px}.mc .mc-soft{fill:$soft}\
.mc .mc-head{font-weight:600}\
.mc-grid{stroke:$grid}.mc-axis{stroke:$axis}.mc-mark{stroke:$soft;stroke-dasharray:2 3}.mc-lead{stroke:$axis}\
.mc-c0{stroke:$c0;fill:$c0}.mc-c1{stroke:$c1;fill:$c1}.mc-c2{stroke:$c2;fill:$c2}\
.mc-c3{stroke:$c3;fill:$c3}.mc-c4{stroke:$c4;fill:$c4}.mc-c5{stroke:$c5;fill:$c5}\
.mc .mc-line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}.mc .mc-thin{stroke-width:1.1}\
.mc-d1{stroke-dasharray:5 3}.mc-d2{stroke-dasharray:1 4}.mc-band{opacity:.18;stroke:none}\
.mc-dot{stroke:none}.mc-cloud{stroke:none;fill-opacity:.7}.mc-bar{stroke:none;fill-opacity:.8}.mc-whisker{stroke-width:1.5}\
.mc-over{stroke:$text;stroke-width:1.5}.mc-target{stroke:$text;stroke-width:1.5;stroke-dasharray:3 2}\
.mc .mc-hollow{fill:$ground;stroke-width:1.5}";

/// The rules of pictures that stand in a page: colours are the page's.
pub(crate) fn picture_in_page() -> String {
    named(PICTURE, |token| format!("var(--m-{})", token.name))
}

/// The rules of pictures that stand alone, light or dark as the viewer's system is. Without variables, which many viewers of
/// pictures do not know.
pub(crate) fn picture_alone() -> String {
    let light = named(PICTURE, |token| token.light.to_owned());
    let coloured = PICTURE.split_inclusive('}').filter(|rule| rule.contains('$'));
    let dark: String = coloured.map(|rule| named(rule, |token| token.dark.to_owned())).collect();
    format!("{light}@media(prefers-color-scheme:dark){{{dark}}}")
}

/// The colours as variables of a page.
pub(crate) fn variables(value: impl Fn(&Token) -> &'static str) -> String {
    TOKENS.iter().map(|token| format!("--m-{}:{};", token.name, value(token))).collect()
}

fn named(rules: &str, value: impl Fn(&Token) -> String) -> String {
    let mut out = String::with_capacity(rules.len());
    let mut rest = rules;
    while let Some((before, after)) = rest.split_once('$') {
        out += before;
        let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
        out += &TOKENS.iter().find(|token| token.name == &after[..end]).map(&value).unwrap_or_default();
        rest = &after[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn light_of(colour: &str) -> f64 {
        let part = |i: usize| {
            let value = f64::from(u8::from_str_radix(&colour[i..i + 2], 16).expect("hexadecimal")) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (light_of(a), light_of(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn of(name: &str) -> &'static Token {
        TOKENS.iter().find(|token| token.name == name).expect("a colour of this name")
    }

    #[test]
    fn text_and_lines_can_be_seen() {
        for ground in ["ground", "raised"].map(of) {
            for (names, least) in [
                (&["text", "soft", "accent", "good"][..], 4.5),
                (
                    &["axis", "c0", "c1", "c2", "c3", "c4", "c5"][..],
                    if ground.name == "ground" { 3.0 } else { 2.7 },
                ),
            ] {
                for token in names.iter().map(|name| of(name)) {
                    let (light, dark) =
                        (contrast(token.light, ground.light), contrast(token.dark, ground.dark));
                    assert!(
                        light >= least && dark >= least,
                        "{} on {}: {light}, {dark}",
                        token.name,
                        ground.name
                    );
                }
            }
        }
    }

    #[test]
    fn every_colour_has_a_value() {
        assert!(!picture_alone().contains('$') && !picture_in_page().contains('$'));
        assert!(!picture_alone().contains(":;") && !picture_alone().contains(":}"));
        assert!(picture_alone().contains("fill:#ffffff") && picture_alone().contains("fill:#16181c"));
        let used: Vec<&str> = TOKENS.iter().map(|token| token.light).collect();
        let differ =
            (0..SERIES).all(|i| used.iter().filter(|it| **it == of(&format!("c{i}")).light).count() == 1);
        assert!(differ);
    }
}
