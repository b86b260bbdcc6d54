//! A little colour in the terminal, or none: the caller says which, since only it knows where the text goes.

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Plain text.
    Plain,
    /// With the escape codes of terminals.
    Colour,
}

/// The colours of series in terminals: the nearest to the palette of the pictures in the 256-colour table.
const SERIES: [u8; 6] = [32, 166, 36, 175, 214, 74];

impl Paint {
    /// What matters most.
    #[must_use]
    pub fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// What matters less.
    #[must_use]
    pub fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// In the colour of a series.
    #[must_use]
    pub fn series(self, index: usize, text: &str) -> String {
        self.wrap(&format!("38;5;{}", SERIES[index % SERIES.len()]), text)
    }

    /// What is wrong.
    #[must_use]
    pub fn wrong(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        match self {
            Self::Colour if !text.is_empty() => format!("\x1b[{code}m{text}\x1b[0m"),
            _ => text.to_owned(),
        }
    }
}
