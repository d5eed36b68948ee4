//! The `playscript` binary.

fn main() {}
