//! Programs that are needed beside Rust, and the Debian packages that bring them.

use std::env;

/// A program, and the Debian package that brings it.
pub(crate) struct Need {
    pub(crate) program: &'static str,
    pub(crate) package: &'static str,
}

impl Need {
    pub(crate) fn is_met(&self) -> bool {
        let folders = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&folders).any(|folder| folder.join(self.program).is_file())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_looked_for_on_the_path() {
        assert!(Need { program: "sh", package: "dash" }.is_met());
        assert!(!Need { program: "no-such-program", package: "none" }.is_met());
    }
}
