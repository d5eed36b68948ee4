//! `playscript completions`: what a shell needs to complete commands and flags.

use clap::Args;
use clap_complete::{Shell, generate};

use super::failure::Failure;
use super::outcome::Outcome;
use super::say;

/// Print what a shell needs to complete commands and flags
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript completions bash > ~/.local/share/bash-completion/completions/playscript
  playscript completions zsh > ~/.zfunc/_playscript
  playscript completions fish > ~/.config/fish/completions/playscript.fish")]
pub(super) struct Flags {
    /// The shell
    shell: Shell,
}

pub(super) fn run(flags: &Flags, command: &mut clap::Command) -> Result<Outcome, Failure> {
    let mut text = Vec::new();
    generate(flags.shell, command, "playscript", &mut text);
    say::out_bytes(&text)?;
    Ok(Outcome::Passed)
}
