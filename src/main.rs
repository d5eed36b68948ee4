//! The `playscript` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    playscript::cli::run(std::env::args_os())
}
