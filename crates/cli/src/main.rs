//! `muster`: the one program. Parses what the user typed and calls the crate that does it.

fn main() {}
