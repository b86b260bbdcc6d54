//! Where text goes: the terminal with a little colour, or a pipe without.

use std::io::{ErrorKind, IsTerminal, Write};

use muster_report::paint::Paint;

use crate::refusal::Failure;

/// The two streams of the program, and whether they take colour.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    pub(crate) out: Paint,
    err: Paint,
}

impl Console {
    /// Colour for people, unless NO_COLOR is set; none for pipes.
    pub(crate) fn of_process() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let paint = |is_terminal: bool| if wanted && is_terminal { Paint::Colour } else { Paint::Plain };
        Self { out: paint(std::io::stdout().is_terminal()), err: paint(std::io::stderr().is_terminal()) }
    }

    /// Whether somebody looks at the messages, so that progress is worth showing.
    pub(crate) fn shows_progress(self) -> bool {
        std::io::stderr().is_terminal()
    }

    /// Prints; a reader who has seen enough is no failure.
    pub(crate) fn print(self, text: &str) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::File("standard output".to_owned(), error))
            }
            _ => Ok(()),
        }
    }

    /// Says what went wrong. If even that fails there is nobody to tell.
    pub(crate) fn complain(self, failure: &Failure) {
        let _ = writeln!(std::io::stderr(), "{} {failure}", self.err.wrong("error:"));
    }
}
