//! Processes as the system knows them, so that one can be found again after a crash: the number of a process is used again
//! after it, so the moment at which it started and the start of the machine belong to it. Needs `/proc`.

use std::fs::read_to_string;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A process, and no other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    /// Which start of the machine.
    boot: String,
    /// Its number.
    pid: u32,
    /// When it started, in ticks since that.
    started: u64,
}

/// Who was told to end has so long.
const PATIENCE: Duration = Duration::from_secs(10);
/// So often it is looked whether it has.
const LOOKS: u32 = 200;

impl Mark {
    /// Of a process that runs; `None` if there is none, or the system does not say.
    pub(super) fn of(pid: u32) -> Option<Self> {
        let boot = read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned();
        let started = started(&read_to_string(format!("/proc/{pid}/stat")).ok()?)?;
        Some(Self { boot, pid, started })
    }

    /// Whether it still runs.
    pub(super) fn lives(&self) -> bool {
        Self::of(self.pid).as_ref() == Some(self)
    }

    /// Its number.
    pub(super) fn pid(&self) -> u32 {
        self.pid
    }
}

/// Tells a process to end, and waits a while; one that does not is killed. Blocks. Nothing is sent to one that has ended: its
/// number may be another's.
pub(super) fn end(pid: u32, mut lives: impl FnMut() -> bool) {
    if !lives() {
        return;
    }
    signal(pid, "-TERM");
    for _ in 0..LOOKS {
        std::thread::sleep(PATIENCE / LOOKS);
        if !lives() {
            return;
        }
    }
    signal(pid, "-KILL");
}

fn signal(pid: u32, signal: &str) {
    // There is no safe call for a signal; every Unix has this program.
    let _ = Command::new("kill").args([signal, &pid.to_string()]).status();
}

/// When a process started, by its line in `/proc`; `None` if it has ended and only its parent has not heard of it.
fn started(stat: &str) -> Option<u64> {
    // The program's name is in brackets, and may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") { None } else { fields.nth(18)?.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_process_is_read_from_its_line() {
        let line = |state: &str| {
            format!(
                "7 (a) b) {state} 1 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 98765 2000 100 18446744073709551615"
            )
        };
        assert_eq!(started(&line("S")), Some(98765));
        assert_eq!(started(&line("Z")), None);
        assert_eq!(started("nonsense"), None);
    }

    #[test]
    fn a_process_is_known_until_it_has_ended() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        let Some(mark) = Mark::of(child.id()) else {
            // Without /proc there is nothing to find again.
            child.kill().unwrap();
            child.wait().unwrap();
            return;
        };
        assert!(mark.lives());
        let other = Mark { started: mark.started + 1, ..mark.clone() };
        assert!(!other.lives());
        end(other.pid, || other.lives());
        assert!(mark.lives());
        end(mark.pid, || mark.lives());
        assert!(!mark.lives());
        child.wait().unwrap();
    }
}
