//! SimPy and Ciw, installed from PyPI into a folder of the build's. Where that cannot be, it is said and they are left
//! out. They simulate the bare queue; fewer customers than ours, and all figures are per customer.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::figure::{in_turns, print};
use crate::model::{M1, M2S, Queue, mean_wait, simulate};

struct Peer {
    name: &'static str,
    package: &'static str,
    script: &'static str,
    customers: u64,
}

const PEERS: [Peer; 2] = [
    Peer { name: "SimPy 4.1.2", package: "simpy==4.1.2", script: "simpy_queue.py", customers: 100_000 },
    Peer { name: "Ciw 3.2.7", package: "ciw==3.2.7", script: "ciw_queue.py", customers: 50_000 },
];
const ROUNDS: usize = 3;

pub(crate) fn measure() {
    let python = match install() {
        Ok(python) => python,
        Err(why) => return eprintln!("SimPy and Ciw are left out: {why}"),
    };
    for queue in [M1, M2S] {
        for peer in &PEERS {
            beside(queue, peer, &python);
        }
    }
}

/// Ours with as many customers as theirs, in turns.
fn beside(queue: Queue, peer: &Peer, python: &Path) {
    let (setup, mut theirs) = (queue.setup(), Vec::new());
    let (ours, _) = in_turns(
        ROUNDS,
        peer.customers,
        |n| assert!(mean_wait(&simulate(&setup, 1, n)) > 0.0),
        |n| theirs.push(peer.run(queue, python, n)),
    );
    match theirs.into_iter().collect::<Result<Vec<f64>, String>>() {
        Ok(theirs) => {
            let name = format!("{}, a customer of {}", queue.name, peer.customers);
            print(&name, ours, "ns", Some((peer.name, crate::figure::median(theirs))));
        }
        Err(why) => eprintln!("{} is left out: {why}", peer.name),
    }
}

impl Peer {
    /// The nanoseconds a customer takes, as the script measures them: without starting Python.
    fn run(&self, queue: Queue, python: &Path, customers: u64) -> Result<f64, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers").join(self.script);
        let numbers = [queue.rate, queue.work, queue.leaving, queue.away].map(|number| number.to_string());
        let out = Command::new(python)
            .arg(script)
            .args(numbers)
            .arg(customers.to_string())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [seconds, wait] = numbers[..] else { return Err(format!("it said '{}'", text.trim())) };
        // So few customers tell little of the wait, but a wrong model would be far off.
        if !(0.2..5.0).contains(&(wait / queue.wait)) {
            return Err(format!("its mean wait is {wait} s, theory says {} s", queue.wait));
        }
        Ok(seconds * 1e9 / customers as f64)
    }
}

/// A Python with both of them.
fn install() -> Result<PathBuf, String> {
    let itself = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = itself.ancestors().find(|folder| folder.ends_with("target"));
    let folder = target.ok_or("the build's folder is not called target")?.join("sim-peers");
    let python = folder.join("bin/python");
    if !python.exists() {
        run("python3", &["-m", "venv", &folder.to_string_lossy()])?;
    }
    let mut words = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    words.extend(PEERS.iter().map(|peer| peer.package));
    run(&python.to_string_lossy(), &words)?;
    Ok(python)
}

fn run(program: &str, words: &[&str]) -> Result<(), String> {
    let out = Command::new(program).args(words).output().map_err(|error| format!("{program}: {error}"))?;
    if out.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&out.stderr);
    Err(format!("{program} {}: {}", words[1], text.lines().last().unwrap_or("failed")))
}
