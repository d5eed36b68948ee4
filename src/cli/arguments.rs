//! What was typed, and the one place where a command is chosen and its end becomes an exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::builder::styling::{AnsiColor, Style, Styles};
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::report::visible_line;

use super::failure::Failure;
use super::outcome::Outcome;
use super::{browser, check, completions, config, fmt, init, look, read, review, run, say, schema, serve};

const STYLES: Styles = Styles::styled()
    .header(Style::new().bold())
    .usage(Style::new().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(Style::new());

/// Plays YAML scenarios in a real browser, and says what came of it.
#[derive(Parser)]
#[command(
    name = "playscript",
    version,
    styles = STYLES,
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = "\
Examples:
  playscript read example.com           what a page says, as a screen reader meets it
  playscript run                        every scenario in scenarios/
  playscript run login.yaml --headed    one scenario, in a window to look at
  playscript check                      what is wrong with the files, without a browser

Exit codes:
  0  all passed
  1  a scenario failed
  2  what was written is wrong: a file, a flag
  3  the world is wrong: no browser, no port, a full disk, an application that does not start
  130  interrupted"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Flags),
    Check(check::Flags),
    Read(read::Flags),
    Look(look::Flags),
    Serve(serve::Flags),
    Review(review::Flags),
    Fmt(fmt::Flags),
    Init(init::Flags),
    Config(config::Flags),
    Schema(schema::Flags),
    Completions(completions::Flags),
    Browser(browser::Flags),
}

/// Runs the program with these arguments, the program's own name first.
pub fn perform(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let matches = Arguments::command().try_get_matches_from(arguments);
    let parsed = matches.and_then(|matches| Ok((Arguments::from_arg_matches(&matches)?, matches)));
    let (arguments, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version come this way too; `exit_code` is 2 only for what is wrong. A reader that
            // went away changes nothing.
            let _ = error.print();
            if let Some(next) = forgotten_command(&error) {
                say::note(&format!("next: {next}"));
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Outcome::Wrong.code()));
        }
    };
    // Where a flag came from, the command line or the environment, only the matches know.
    let of_command = matches.subcommand().map_or(&matches, |(_, matches)| matches);
    let ended = match arguments.command {
        Command::Run(flags) => run::run(&flags, of_command),
        Command::Check(flags) => check::run(flags),
        Command::Read(flags) => read::run(flags),
        Command::Look(flags) => look::run(flags),
        Command::Serve(flags) => serve::run(&flags),
        Command::Review(flags) => review::run(&flags),
        Command::Fmt(flags) => fmt::run(&flags),
        Command::Init(flags) => init::run(&flags),
        Command::Config(flags) => config::run(&flags, of_command),
        Command::Schema(flags) => schema::run(&flags),
        Command::Completions(flags) => completions::run(&flags, &mut Arguments::command()),
        Command::Browser(flags) => browser::run(flags),
    };
    let outcome = ended.unwrap_or_else(|Failure { outcome, diagnostics }| {
        say::wrong(&diagnostics);
        outcome
    });
    outcome.into()
}

/// The command for a word that stands where a command should, if it is plain what was meant.
fn forgotten_command(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let word = visible_line(word);
    if word.ends_with(".yaml") || word.ends_with(".yml") {
        return Some(format!("playscript run {word}"));
    }
    (word.contains("://") || word.ends_with(".html")).then(|| format!("playscript read {word}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
