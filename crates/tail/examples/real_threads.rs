//! Runs the same requests on real threads and in virtual time, and shows the percentiles side by side.
//!
//! `cargo run --release -p muster-tail --example real_threads -- [REQUESTS]`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use muster_tail::study::real::{sixteen_emulated, two_threads};

fn main() {
    let requests = match std::env::args().nth(1).map(|arg| arg.parse()) {
        None => 3000,
        Some(Ok(requests)) => requests,
        Some(Err(_)) => {
            eprintln!("usage: real_threads [REQUESTS]\nExample: real_threads 1000");
            std::process::exit(2);
        }
    };
    println!("{}", two_threads(requests));
    println!("{}", sixteen_emulated(requests));
}
