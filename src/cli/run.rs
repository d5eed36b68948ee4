//! `playscript run`: performs scenarios and reports what came of them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{ArgMatches, Args};
use tokio::sync::mpsc::unbounded_channel;

use crate::report::terminal::{Commands, Look, Terminal, Verbosity};
use crate::run::{Case, Plan, RunEnded, RunError, RunSettings, Unreferenced, run as perform};
use crate::scenario::{Diagnostic, nearest, shell_word, shown};

use super::failure::Failure;
use super::outcome::Outcome;
use super::settings::SettingsFlags;
use super::{check, install, paths, say, signals, visit};

/// How many rows a message lists.
const ROWS_SHOWN: usize = 20;

/// Perform scenarios and tell what came of them
///
/// Each scenario has a browser context and a server of its own, so all of them run side by side. Nothing runs if any of
/// the files is wrong. Snapshots stand in `snapshots/`, pictures of failures in `playscript-report/`; both belong to the
/// nearest folder at or above the scenarios that holds a `playscript.yaml`, else to the working folder.
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript run                             every scenario in scenarios/
  playscript run login.yaml cart/            a file, and every scenario in a folder
  playscript run --tag smoke                 every scenario of that tag
  playscript run cart.yaml --row city=Oslo   of its examples the rows in which `city` is Oslo
  playscript run login.yaml --headed         in a window to look at
  playscript run --workers 1 --verbose       one after the other, each step and what it read
  playscript run --retries 2                 what failed gets up to two more attempts, at the end
  INSTA_UPDATE=always playscript run         store snapshots as they are now

Environment:
  PLAYSCRIPT_WORKERS, PLAYSCRIPT_CHROME, PLAYSCRIPT_TIMEOUT and so on stand for the flags of that
  name; a flag wins, and both win over playscript.yaml (`playscript config` prints what is in force). INSTA_UPDATE and CI mean for snapshots what they mean to insta; NO_COLOR, CI
  and a pipe make the output plain.

Exit codes:
  0 all passed, 1 a scenario failed, 2 a file or flag is wrong, 3 the world is wrong (no browser,
  a full disk, an application that does not start), 130 interrupted")]
pub(super) struct Flags {
    /// Scenario files, and folders that hold some [default: scenarios/ of the project]
    paths: Vec<PathBuf>,

    /// Only scenarios that have this tag, or one of these: `--tag smoke --tag login`
    #[arg(long = "tag", value_name = "WORD")]
    tags: Vec<String>,

    /// Only the row of `examples` of this label, or with these values: `--row city=Oslo`
    #[arg(long = "row", value_name = "NAME=VALUE")]
    rows: Vec<String>,

    /// Only failures and the summary
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,

    /// Also each step, and what `read`, `text` and `console` produced
    #[arg(long, short)]
    verbose: bool,

    #[command(flatten)]
    settings: SettingsFlags,
}

impl Flags {
    fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

pub(super) fn run(flags: &Flags, matches: &ArgMatches) -> Result<Outcome, Failure> {
    let wanted = paths::wanted(&flags.paths)?;
    let mut wanted = wanted;
    let (mut plan, file) = check::checked(&wanted, &flags.settings.variables)?;
    can_be_run(&plan)?;
    if !flags.tags.is_empty() {
        keep_tagged(&mut plan, &flags.tags)?;
        wanted.whole = false;
    }
    if !flags.rows.is_empty() {
        keep_rows(&mut plan, &flags.rows)?;
        wanted.whole = false;
    }
    let lacking = plan.lacking();
    if !lacking.is_empty() {
        return Err(Failure { outcome: Outcome::Wrong, diagnostics: lacking });
    }
    let settings = flags.settings.in_force(matches, &wanted, &file);
    if settings.install_browser {
        install::install_if_missing(&settings.run.launch)?;
    }
    let mut again = "playscript run".to_owned();
    for tag in &flags.tags {
        again.push_str(&format!(" --tag {}", shell_word(tag.as_ref())));
    }
    for row in &flags.rows {
        again.push_str(&format!(" --row {}", shell_word(row.as_ref())));
    }
    for path in &flags.paths {
        again.push(' ');
        again.push_str(&shell_word(path));
    }
    visit::runtime()?.block_on(reported(plan, settings.run, flags.verbosity(), Commands { again }))
}

/// Lists of steps, which were named or are all that there is, can't be run: a run of nothing would look like one that passed.
fn can_be_run(plan: &Plan) -> Result<(), Failure> {
    if let Some(part) = plan.named_parts.first() {
        let name = part.display().to_string();
        return Err(Failure::wrong(
            Diagnostic::new(format!("`{}` is a list of steps for scenarios to use, and none itself", shown(&name)))
                .next("name a scenario that has `use` with it, or write `name:` and `steps:` above the list"),
        ));
    }
    if plan.files == 0 {
        return Err(Failure::wrong(
            Diagnostic::new("there is no scenario here, only lists of steps for scenarios to use")
                .next("name a scenario, or a folder that holds some"),
        ));
    }
    Ok(())
}

/// Leaves the scenarios of these tags, and what they need. A tag that none has is a mistake, and not an empty run.
fn keep_tagged(plan: &mut Plan, tags: &[String]) -> Result<(), Failure> {
    let known: BTreeSet<&str> = plan.cases.iter().flat_map(|case| &case.scenario.tags).map(String::as_str).collect();
    if let Some(tag) = tags.iter().find(|tag| !known.contains(tag.as_str())) {
        let diagnostic = Diagnostic::new(format!("no scenario has the tag `{}`", shown(tag)));
        let all: Vec<&str> = known.iter().copied().collect();
        return Err(Failure::wrong(match nearest(tag, known) {
            Some(near) => diagnostic.next(format!("did you mean `--tag {near}`?")),
            None if all.is_empty() => diagnostic.next("give a scenario one: `tags: [smoke]`"),
            None => diagnostic.next(format!("there are: {}", all.join(", "))),
        }));
    }
    plan.keep(|case| case.scenario.tags.iter().any(|tag| tags.contains(tag)));
    Ok(())
}

/// Leaves the rows that are wanted, and what they need. A row that no scenario has is a mistake, and not an empty run.
fn keep_rows(plan: &mut Plan, rows: &[String]) -> Result<(), Failure> {
    let is = |case: &Case, wanted: &str| case.example().is_some_and(|row| row.is(wanted));
    if let Some(wanted) = rows.iter().find(|wanted| !plan.cases.iter().any(|case| is(case, wanted))) {
        let diagnostic = Diagnostic::new(format!("no scenario has the row `{}`", shown(wanted)));
        let mut all: Vec<String> = plan.cases.iter().filter_map(|case| Some(case.example()?.label())).collect();
        let left = all.len().saturating_sub(ROWS_SHOWN);
        all.truncate(ROWS_SHOWN);
        let near = nearest(wanted, all.iter().map(String::as_str)).map(|near| shell_word(near.as_ref()));
        if left > 0 {
            all.push(format!("({left} more)"));
        }
        return Err(Failure::wrong(if all.is_empty() {
            diagnostic.next("only scenarios with `examples` have rows; leave `--row` out")
        } else {
            let next = near.map_or("write one of them, or a value of it: `--row NAME=VALUE`".to_owned(), |near| {
                format!("did you mean `--row {near}`?")
            });
            diagnostic.detail("rows", all.join("\n")).next(next)
        }));
    }
    plan.keep(|case| rows.iter().any(|wanted| is(case, wanted)));
    Ok(())
}

/// Runs the plan, its report beside it.
async fn reported(
    plan: Plan,
    settings: RunSettings,
    verbosity: Verbosity,
    commands: Commands,
) -> Result<Outcome, Failure> {
    let (sender, events) = unbounded_channel();
    let rejects = settings.unreferenced == Unreferenced::Reject;
    let mut terminal = Terminal::stdout(Look::of_stdout(), verbosity);
    terminal.name_commands(commands);
    terminal.expect(plan.cases.iter().map(|case| case.title.file.as_path()));
    // On a thread that may block: a reader that does not read (`| less`) must not hold up the run.
    let runtime = tokio::runtime::Handle::current();
    let stop = signals::stop();
    let told = stop.clone();
    let report = tokio::task::spawn_blocking(move || runtime.block_on(terminal.follow(events, told)));
    let ended = perform(plan, settings, sender, stop.clone()).await;
    // The report ends when the last sender is gone, which the run has taken with it.
    let (_, unwritten) = report.await.unwrap_or_default();
    let ended = ended.map_err(run_error)?;
    if let Some(error) = unwritten {
        say::wrong(&say::unwritten(&error).diagnostics);
        return Ok(Outcome::World);
    }
    let interrupted = *stop.borrow();
    Ok(outcome(&ended, interrupted, rejects))
}

fn run_error(error: RunError) -> Failure {
    match error {
        RunError::Browser(error) => error.into(),
        RunError::Policy(error) => Failure::wrong(
            Diagnostic::new(error.to_string())
                .next("unset INSTA_UPDATE, or set it to one of these, as in INSTA_UPDATE=always"),
        ),
        other => Failure::world_error(&other),
    }
}

/// What a run's totals mean. A world that is wrong outweighs a failure: nobody knows what else would have failed.
fn outcome(ended: &RunEnded, stopped: bool, rejects: bool) -> Outcome {
    if stopped {
        Outcome::Interrupted
    } else if ended.broken > 0 {
        Outcome::World
    // What did not end without being stopped ran out of the run's time.
    } else if ended.failed > 0
        || (ended.flaky > 0 && ended.flaky_fails)
        || ended.interrupted > 0
        || (rejects && !ended.unreferenced.is_empty())
    {
        Outcome::Failed
    } else {
        Outcome::Passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_become_an_outcome() {
        let of = |passed, failed, broken, interrupted| {
            let ended = RunEnded { passed, failed, broken, interrupted, ..RunEnded::default() };
            outcome(&ended, false, false)
        };
        assert_eq!(of(3, 0, 0, 0), Outcome::Passed);
        assert_eq!(of(3, 1, 0, 0), Outcome::Failed);
        assert_eq!(of(3, 1, 1, 0), Outcome::World);
        assert_eq!(of(3, 0, 0, 1), Outcome::Failed);
        assert_eq!(outcome(&RunEnded { broken: 1, ..RunEnded::default() }, true, false), Outcome::Interrupted);
    }

    #[test]
    fn what_is_flaky_fails_a_run_only_where_it_is_told_to() {
        let of =
            |flaky_fails| outcome(&RunEnded { passed: 1, flaky: 1, flaky_fails, ..RunEnded::default() }, false, false);
        assert_eq!((of(false), of(true)), (Outcome::Passed, Outcome::Failed));
        assert_eq!(outcome(&RunEnded { flaky_fails: true, ..RunEnded::default() }, false, false), Outcome::Passed);
    }

    #[test]
    fn unreferenced_snapshots_fail_a_run_only_where_they_are_rejected() {
        let ended = RunEnded { passed: 1, unreferenced: vec!["a.snap".into()], ..RunEnded::default() };
        assert_eq!(outcome(&ended, false, false), Outcome::Passed);
        assert_eq!(outcome(&ended, false, true), Outcome::Failed);
        assert_eq!(outcome(&ended, true, true), Outcome::Interrupted);
    }
}
