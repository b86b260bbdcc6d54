//! Programs that a suite needs beside Rust, and how to get them from Debian's packages.
//! Invariant: packages are installed only as root, after one refresh of the package lists. Start at [`Provider::provide`].

use std::env;
use std::process::{Command, Stdio};

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

/// What the provider may do to the machine; the tests put a paper one in its place.
pub(crate) trait Machine {
    fn meets(&self, need: &Need) -> bool;
    fn is_root(&self) -> bool;
    /// Runs `apt-get` with these words; true if it succeeded.
    fn apt(&mut self, words: &[&str]) -> bool;
}

/// Brings absent programs, and remembers whether the package lists are fresh.
pub(crate) struct Provider<M> {
    machine: M,
    lists_are_fresh: bool,
}

impl<M: Machine> Provider<M> {
    pub(crate) fn new(machine: M) -> Self {
        Self { machine, lists_are_fresh: false }
    }

    /// Sees to it that every need is met; `Err` says what is missing and why it stayed so.
    pub(crate) fn provide(&mut self, needs: &[Need]) -> Result<(), String> {
        needs.iter().try_for_each(|need| self.bring(need))
    }

    fn bring(&mut self, need: &Need) -> Result<(), String> {
        let Need { program, package } = need;
        if self.machine.meets(need) {
            return Ok(());
        }
        if !self.machine.is_root() {
            return Err(format!("needs {program}: apt-get install {package}"));
        }
        // A refresh may fail for one source and still be enough, so the install decides.
        if !self.lists_are_fresh {
            self.machine.apt(&["update"]);
            self.lists_are_fresh = true;
        }
        if self.machine.apt(&["install", "-y", package]) && self.machine.meets(need) {
            return Ok(());
        }
        Err(format!("needs {program}: apt-get could not install {package}"))
    }
}

/// The machine we run on.
pub(crate) struct Here;

impl Machine for Here {
    fn meets(&self, need: &Need) -> bool {
        need.is_met()
    }

    fn is_root(&self) -> bool {
        let out = Command::new("id").arg("-u").output();
        out.is_ok_and(|out| out.stdout.trim_ascii() == b"0")
    }

    fn apt(&mut self, words: &[&str]) -> bool {
        let mut command = Command::new("apt-get");
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROWSER: Need = Need { program: "chromium", package: "chromium" };
    const SERVER: Need = Need { program: "psql", package: "postgresql" };

    /// A machine on paper: which programs it has, and what apt-get was asked.
    #[derive(Default)]
    struct Paper {
        root: bool,
        offline: bool,
        programs: Vec<&'static str>,
        asked: Vec<String>,
    }

    impl Machine for Paper {
        fn meets(&self, need: &Need) -> bool {
            self.programs.contains(&need.program)
        }

        fn is_root(&self) -> bool {
            self.root
        }

        fn apt(&mut self, words: &[&str]) -> bool {
            self.asked.push(words.join(" "));
            if let (["install", "-y", package], false) = (words, self.offline) {
                let brought = [BROWSER, SERVER].into_iter().filter(|need| need.package == *package);
                self.programs.extend(brought.map(|need| need.program));
            }
            !self.offline
        }
    }

    #[test]
    fn what_is_there_is_not_installed() {
        let mut provider =
            Provider::new(Paper { root: true, programs: vec!["chromium"], ..Paper::default() });
        assert_eq!(provider.provide(&[BROWSER]), Ok(()));
        assert!(provider.machine.asked.is_empty());
    }

    #[test]
    fn root_installs_after_one_refresh() {
        let mut provider = Provider::new(Paper { root: true, ..Paper::default() });
        assert_eq!(provider.provide(&[BROWSER]), Ok(()));
        assert_eq!(provider.provide(&[SERVER]), Ok(()));
        assert_eq!(provider.machine.asked, ["update", "install -y chromium", "install -y postgresql"]);
    }

    #[test]
    fn others_are_told_what_to_install() {
        let mut provider = Provider::new(Paper::default());
        let refusal = Err("needs psql: apt-get install postgresql".to_owned());
        assert_eq!(provider.provide(&[SERVER]), refusal);
        assert!(provider.machine.asked.is_empty());
    }

    #[test]
    fn a_failed_install_is_said() {
        let mut provider = Provider::new(Paper { root: true, offline: true, ..Paper::default() });
        let refusal = Err("needs chromium: apt-get could not install chromium".to_owned());
        assert_eq!(provider.provide(&[BROWSER]), refusal);
    }

    #[test]
    fn a_program_is_looked_for_on_the_path() {
        assert!(Need { program: "sh", package: "dash" }.is_met());
        assert!(!Need { program: "no-such-program", package: "none" }.is_met());
    }
}
