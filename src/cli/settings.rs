//! The settings of a run: flags over environment over `playscript.yaml` over what is usual. `run` uses them and `config`
//! prints them, from one place, so that what is printed is what is used.

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::FalseyValueParser;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};
use serde_json::Value as Json;

use crate::browser::Sandbox;
use crate::run::{MOST_WORKERS, ProjectFile, RunSettings, SCENARIO_TIMEOUT, Settled, Unreferenced, workers_for};
use crate::scenario::{Common, MOST_RETRIES, Place, duration, number};

use super::browser_flags::BrowserFlags;
use super::paths::Wanted;
use super::{machine, visit};

/// Flags that settle how a run is done.
#[derive(Args)]
pub(super) struct SettingsFlags {
    /// How many scenarios at a time [default: as many as cores and memory carry]
    #[arg(long, short = 'j', value_name = "NUMBER", value_parser = workers, env = "PLAYSCRIPT_WORKERS", hide_env = true)]
    workers: Option<usize>,

    /// How long a step may take that does not say so itself [default: 5s, opening a page 30s]
    #[arg(long, value_name = "TIME", value_parser = duration, env = "PLAYSCRIPT_TIMEOUT", hide_env = true)]
    timeout: Option<Duration>,

    /// How long a scenario may take that does not say so itself [default: 5m]
    #[arg(long, value_name = "TIME", value_parser = duration, env = "PLAYSCRIPT_SCENARIO_TIMEOUT", hide_env = true)]
    scenario_timeout: Option<Duration>,

    /// How often a scenario that failed is performed again, with all of it new, when all others have run; for those that do
    /// not say so themselves [default: 0]
    #[arg(long, value_name = "NUMBER", value_parser = retries, env = "PLAYSCRIPT_RETRIES", hide_env = true)]
    retries: Option<usize>,

    /// Fail the run when a scenario passed only in a retry
    #[arg(long, env = "PLAYSCRIPT_FAIL_ON_FLAKY", hide_env = true, value_parser = FalseyValueParser::new())]
    fail_on_flaky: bool,

    /// How long the whole run may take
    #[arg(long, value_name = "TIME", value_parser = duration, env = "PLAYSCRIPT_RUN_TIMEOUT", hide_env = true)]
    run_timeout: Option<Duration>,

    /// Where pictures of failures go [default: playscript-report/ of the project]
    #[arg(long, value_name = "FOLDER", env = "PLAYSCRIPT_REPORT_FOLDER", hide_env = true)]
    report_folder: Option<PathBuf>,

    /// What becomes of stored snapshots that no scenario names any more, when all scenarios have run [default: list]
    #[arg(long, value_name = "WHAT", value_enum, env = "PLAYSCRIPT_UNREFERENCED", hide_env = true)]
    unreferenced: Option<UnreferencedFlag>,

    /// Give a variable of the scenarios another value
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = variable)]
    pub(super) variables: Vec<(String, Json)>,

    #[command(flatten)]
    pub(super) browser: BrowserFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum UnreferencedFlag {
    /// They are listed
    List,
    /// They are listed and the run fails
    Reject,
    /// They are deleted
    Delete,
}

impl From<UnreferencedFlag> for Unreferenced {
    fn from(flag: UnreferencedFlag) -> Self {
        match flag {
            UnreferencedFlag::List => Unreferenced::List,
            UnreferencedFlag::Reject => Unreferenced::Reject,
            UnreferencedFlag::Delete => Unreferenced::Delete,
        }
    }
}

/// Reads a number of workers.
fn workers(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST_WORKERS).contains(number));
    number.ok_or_else(|| format!("say a number from 1 to {MOST_WORKERS}"))
}

/// Reads a number of retries.
fn retries(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_RETRIES);
    number.ok_or_else(|| format!("say a number from 0 to {MOST_RETRIES}"))
}

/// Reads `NAME=VALUE`; the value is what it would be in the file.
fn variable(text: &str) -> Result<(String, Json), String> {
    let (name, value) = text.split_once('=').ok_or("say NAME=VALUE, such as city=Oslo")?;
    let name = name.trim();
    if name.is_empty() {
        return Err("say NAME=VALUE, such as city=Oslo".to_owned());
    }
    let value = match (value, number(value)) {
        ("true", _) => Json::Bool(true),
        ("false", _) => Json::Bool(false),
        (_, Some(number)) => Json::Number(number),
        (text, None) => Json::from(text),
    };
    Ok((name.to_owned(), value))
}

/// A setting as `config` prints it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) from: String,
}

/// What is in force, and where each of it came from.
pub(super) struct InForce {
    pub(super) run: RunSettings,
    pub(super) install_browser: bool,
    pub(super) rows: Vec<Row>,
}

/// Where a flag's value came from.
struct Given<'a>(&'a ArgMatches);

impl Given<'_> {
    /// `--workers` or `PLAYSCRIPT_WORKERS`; none when neither was given.
    fn from(&self, id: &str, variable: &str) -> Option<String> {
        match self.0.value_source(id)? {
            ValueSource::CommandLine => Some(format!("--{}", id.replace('_', "-"))),
            ValueSource::EnvVariable => Some(variable.to_owned()),
            _ => None,
        }
    }
}

struct Table<'a> {
    given: Given<'a>,
    rows: Vec<Row>,
}

impl Table<'_> {
    /// The flag's value where it was given, else the file's.
    fn pick<T: Clone>(
        &mut self,
        (name, id, variable): (&'static str, &str, &str),
        flag: Option<T>,
        file: Option<&Settled<T>>,
        usual: &str,
        show: impl Fn(&T) -> String,
    ) -> Option<T> {
        let given = self.given.from(id, variable).zip(flag);
        let (value, from) = match (given, file) {
            (Some((from, value)), _) => (Some(value), from),
            (None, Some(settled)) => (Some(settled.value.clone()), place(settled)),
            (None, None) => (None, "usual".to_owned()),
        };
        let shown = value.as_ref().map_or_else(|| usual.to_owned(), show);
        self.rows.push(Row { name, value: shown, from });
        value
    }
}

/// File and line.
fn place<T>(settled: &Settled<T>) -> String {
    told(&settled.place)
}

fn told(place: &Place) -> String {
    format!("{}:{}", place.source.path.display(), place.line())
}

fn text(value: &impl Display) -> String {
    value.to_string()
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As `pick` wants it.
fn time(value: &Duration) -> String {
    // As it would be written in the file.
    let millis = value.as_millis();
    match millis {
        0 => "0s".to_owned(),
        _ if millis.is_multiple_of(3_600_000) => format!("{}h", millis / 3_600_000),
        _ if millis.is_multiple_of(60_000) => format!("{}m", millis / 60_000),
        _ if millis.is_multiple_of(1_000) => format!("{}s", millis / 1_000),
        _ => format!("{millis}ms"),
    }
}

impl SettingsFlags {
    /// What is in force. `matches` are those of the command that these flags belong to.
    pub(super) fn in_force(&self, matches: &ArgMatches, wanted: &Wanted, file: &ProjectFile) -> InForce {
        let mut table = Table { given: Given(matches), rows: Vec::new() };
        let carried = workers_for(machine::cores(), machine::free_memory_mb());
        let usual = format!("{carried}");
        let workers =
            table.pick(("workers", "workers", "PLAYSCRIPT_WORKERS"), self.workers, file.workers.as_ref(), &usual, text);
        let step_timeout = table.pick(
            ("step-timeout", "timeout", "PLAYSCRIPT_TIMEOUT"),
            self.timeout,
            file.step_timeout.as_ref(),
            "5s, opening a page 30s",
            time,
        );
        let scenario_timeout = table.pick(
            ("timeout", "scenario_timeout", "PLAYSCRIPT_SCENARIO_TIMEOUT"),
            self.scenario_timeout,
            file.timeout.as_ref(),
            &time(&SCENARIO_TIMEOUT),
            time,
        );
        let retries =
            table.pick(("retries", "retries", "PLAYSCRIPT_RETRIES"), self.retries, file.retries.as_ref(), "0", text);
        let fail_on_flaky = table.pick(
            ("fail-on-flaky", "fail_on_flaky", "PLAYSCRIPT_FAIL_ON_FLAKY"),
            Some(self.fail_on_flaky),
            file.fail_on_flaky.as_ref(),
            "false",
            text,
        );
        let run_timeout = table.pick(
            ("run-timeout", "run_timeout", "PLAYSCRIPT_RUN_TIMEOUT"),
            self.run_timeout,
            file.run_timeout.as_ref(),
            "none",
            time,
        );
        let scenarios = wanted.in_project("scenarios").display().to_string();
        let named = file.scenarios.as_ref();
        let row = |value, from| Row { name: "scenarios", value, from };
        table.rows.push(match named {
            Some(named) => row(named.value.display().to_string(), place(named)),
            None => row(scenarios, "usual".to_owned()),
        });
        let folder = wanted.in_project("playscript-report");
        let report_folder = table.pick(
            ("report-folder", "report_folder", "PLAYSCRIPT_REPORT_FOLDER"),
            self.report_folder.clone(),
            file.report_folder.as_ref(),
            &folder.display().to_string(),
            |folder| folder.display().to_string(),
        );
        let unreferenced = table.pick(
            ("unreferenced", "unreferenced", "PLAYSCRIPT_UNREFERENCED"),
            self.unreferenced.map(Unreferenced::from),
            file.unreferenced.as_ref(),
            "list",
            |what| format!("{what:?}").to_lowercase(),
        );
        let (launch, install_browser) = self.browser_in_force(&mut table, file);
        table.rows.extend(browser_rows(file));
        table.rows.extend(app_rows(file));
        table.rows.extend(common_rows(&file.common));
        for (name, value) in &self.variables {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            table.rows.push(Row { name: "variable", value: format!("{name}={value}"), from: "--var".to_owned() });
        }
        let run = RunSettings {
            launch,
            launch_timeout: visit::LAUNCH_TIMEOUT,
            workers: workers.unwrap_or(carried),
            step_timeout,
            scenario_timeout: scenario_timeout.unwrap_or(SCENARIO_TIMEOUT),
            retries: retries.unwrap_or(0),
            fail_on_flaky: fail_on_flaky.unwrap_or(false),
            run_timeout,
            report_folder: report_folder.unwrap_or(folder),
            project: wanted.project.clone(),
            whole_project: wanted.whole,
            unreferenced: unreferenced.unwrap_or_default(),
            browser: file.browser.as_ref().map(|browser| browser.value.clone()).unwrap_or_default(),
        };
        InForce { run, install_browser, rows: table.rows }
    }

    fn browser_in_force(&self, table: &mut Table<'_>, file: &ProjectFile) -> (crate::browser::LaunchOptions, bool) {
        let mut launch = self.browser.launch_options();
        // The environment's program is found by the browser room, which then says who named it.
        let from_environment = std::env::var_os("PLAYSCRIPT_CHROME").filter(|value| !value.is_empty());
        launch.configured = file.chrome.as_ref().map(|chrome| chrome.value.clone());
        let (value, from) = match (&launch.program, from_environment, &file.chrome) {
            (Some(program), ..) => (program.display().to_string(), "--chrome".to_owned()),
            (_, Some(program), _) => (program.to_string_lossy().into_owned(), "PLAYSCRIPT_CHROME".to_owned()),
            (_, _, Some(chrome)) => (chrome.value.display().to_string(), place(chrome)),
            _ => ("the first that is found".to_owned(), "usual".to_owned()),
        };
        table.rows.push(Row { name: "chrome", value, from });
        launch.headed = table
            .pick(("headed", "headed", "PLAYSCRIPT_HEADED"), Some(launch.headed), file.headed.as_ref(), "false", text)
            .unwrap_or(false);
        let off = self.browser.launch_options().sandbox == Sandbox::Off;
        let id = if off { "no_sandbox" } else { "sandbox" };
        let given = (launch.sandbox != Sandbox::Auto).then_some(launch.sandbox == Sandbox::On);
        let sandbox = table.pick(
            ("sandbox", id, "PLAYSCRIPT_NO_SANDBOX"),
            given,
            file.sandbox.as_ref(),
            "where Chrome can start with it",
            text,
        );
        launch.sandbox = match sandbox {
            Some(true) => Sandbox::On,
            Some(false) => Sandbox::Off,
            None => Sandbox::Auto,
        };
        let install = table.pick(
            ("install-browser", "install_browser", "PLAYSCRIPT_INSTALL_BROWSER"),
            Some(self.browser.install_browser),
            file.install_browser.as_ref(),
            "false",
            text,
        );
        (launch, install.unwrap_or(false))
    }
}

/// What every page is set up with: what the file says, and what is usual where that is not nothing.
fn browser_rows(file: &ProjectFile) -> Vec<Row> {
    let said = file.browser.as_ref().map(|browser| browser.value.written()).unwrap_or_default();
    let from = file.browser.as_ref().map(place).unwrap_or_default();
    let usual = crate::page::PageSettings::default();
    let usual = [
        ("browser.viewport", format!("{}x{}", usual.width, usual.height)),
        ("browser.device-scale", usual.device_scale.to_string()),
        ("browser.reduced-motion", usual.reduced_motion.to_string()),
        ("browser.touch", usual.touch.to_string()),
        ("browser.offline", usual.offline.to_string()),
    ];
    let unsaid = usual.into_iter().filter(|(name, _)| said.iter().all(|(said, _)| said != name));
    let unsaid: Vec<Row> = unsaid.map(|(name, value)| Row { name, value, from: "usual".to_owned() }).collect();
    said.into_iter().map(|(name, value)| Row { name, value, from: from.clone() }).chain(unsaid).collect()
}

/// What scenarios need not say themselves.
fn common_rows(common: &Common) -> Vec<Row> {
    let from = |wanted: &str| {
        let place = common.places.iter().find(|(name, _)| *name == wanted).map(|(_, place)| place);
        place.map_or_else(|| "usual".to_owned(), told)
    };
    let fail_on = common.fail_on.in_force().names().join(", ");
    let mut rows = vec![Row { name: "fail-on", value: format!("[{fail_on}]"), from: from("fail-on") }];
    if let Some(clock) = common.clock {
        rows.push(Row { name: "clock", value: clock.to_string(), from: from("clock") });
    }
    for (key, node) in &common.variables {
        let value = format!("{}={}", key.name, node.text().map_or_else(|| node.value().to_string(), str::to_owned));
        rows.push(Row { name: "variable", value, from: told(&key.place) });
    }
    let whenever = common.whenever.iter().map(|one| ("whenever", one.written.clone(), &one.place));
    rows.extend(whenever.map(|(name, value, place)| Row { name, value, from: told(place) }));
    if !common.redact.is_empty() {
        let patterns: Vec<String> = common.redact.iter().map(|one| format!("/{}/", one.pattern)).collect();
        rows.push(Row { name: "redact", value: patterns.join(", "), from: from("redact") });
    }
    rows
}

/// The application of scenarios that do not say it.
fn app_rows(file: &ProjectFile) -> Vec<Row> {
    let Some(settled) = &file.app else {
        return vec![Row { name: "app", value: "none".to_owned(), from: "usual".to_owned() }];
    };
    let app = &settled.value;
    let mut rows = Vec::new();
    let mut row = |name, value| rows.push(Row { name, value, from: place(settled) });
    row("app.url", app.url.to_string());
    row("app.ready-within", time(&app.ready_within));
    if let Some(start) = &app.start {
        row("app.start", start.to_string());
        row("app.in", app.folder.display().to_string());
        if !app.env.is_empty() {
            // What they hold may be a secret.
            row("app.env", app.env.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "));
        }
        if let Some(log) = &app.log {
            row("app.log", log.display().to_string());
        }
        row("app.reuse", app.reuse.to_string());
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_what_they_would_be_in_the_file() {
        let read = |text: &str| variable(text).map(|(name, value)| format!("{name} {value}"));
        assert_eq!(read("city=Oslo"), Ok("city \"Oslo\"".to_owned()));
        assert_eq!(read("code=007"), Ok("code \"007\"".to_owned()));
        assert_eq!(read("limit=300"), Ok("limit 300".to_owned()));
        assert_eq!(read("on=true"), Ok("on true".to_owned()));
        assert_eq!(read("sum=a=b"), Ok("sum \"a=b\"".to_owned()));
        assert_eq!(read("empty="), Ok("empty \"\"".to_owned()));
        assert!(read("city").is_err() && read("=x").is_err());
    }
}
