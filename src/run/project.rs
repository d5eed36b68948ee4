//! `playscript.yaml`: what a project has settled for all of its scenarios. Flags and the environment win over it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value as Json;

use super::settings::Unreferenced;
use crate::scenario::{
    APP, AppSetting, BROWSER, BrowserSettings, CLOCK, Common, Diagnostic, FAIL_ON, Holds, KeySpec, MOST_RETRIES, Node,
    Place, Problems, REDACTION, Source, key, nearest, read_retries, read_yaml, shown,
};
use crate::steps::{VOCABULARY, keys_schema};

/// The name of the file. The folder it stands in is the project's.
pub const PROJECT_FILE: &str = "playscript.yaml";
/// The most workers that may be asked for: more browsers' pages than any machine carries.
pub const MOST_WORKERS: usize = 256;

/// Keys of the file.
pub static PROJECT: &[KeySpec] = &[
    key("workers", Holds::Between(1, MOST_WORKERS as u64), "How many scenarios are performed at a time."),
    key("step-timeout", Holds::Duration, "How long a step may take that does not say so itself."),
    key("timeout", Holds::Duration, "How long a scenario may take that does not say so itself."),
    key(
        "retries",
        Holds::Between(0, MOST_RETRIES as u64),
        "How often a scenario that failed is performed again, when it does not say so itself.",
    ),
    key("fail-on-flaky", Holds::Boolean, "Whether the run fails when a scenario passed only in a retry."),
    key("run-timeout", Holds::Duration, "How long the whole run may take."),
    key(
        "scenarios",
        Holds::Text,
        "The folder that is run when none is named, `scenarios` unless told; relative to this file.",
    ),
    key("report-folder", Holds::Text, "Where pictures of failures go; relative to this file."),
    key(
        "unreferenced",
        Holds::Choice(UNREFERENCED),
        "What becomes of stored snapshots that no scenario names any more.",
    ),
    key("chrome", Holds::Text, "The Chrome, Chromium, Edge or headless shell to use; relative to this file."),
    key("headed", Holds::Boolean, "Whether the browser is shown in a window."),
    key("sandbox", Holds::Boolean, "Whether Chrome's sandbox is used, come what may."),
    key("install-browser", Holds::Boolean, "Whether a browser is installed first where the machine has none."),
    key(
        "app",
        Holds::KeysWith(APP, &["url"]),
        "The application under test, for scenarios that have neither an `app` nor pages of their own.",
    ),
    key("browser", Holds::Keys(BROWSER), "The browser's settings, for scenarios that do not say them."),
    key("clock", Holds::TextOr(CLOCK), "The time that pages are told, for scenarios that do not say it."),
    key(
        "fail-on",
        Holds::Switches(FAIL_ON),
        "What fails a scenario by itself; a scenario's own `fail-on` may change it.",
    ),
    key(
        "variables",
        Holds::Values,
        "Names with their values, for all scenarios; one that gives a name another value wins.",
    ),
    key(
        "whenever",
        Holds::Whenever,
        "What is done when a line of the outline stands in an act's way; a scenario's own `whenever` stands in the place of this one, and `{}` is none.",
    ),
    key(
        "redact",
        Holds::MapsOf(REDACTION),
        "What is replaced in all snapshots, before what a scenario's own `redact` replaces.",
    ),
];

/// The schema of the file, for editors.
#[must_use]
pub fn project_schema() -> Json {
    keys_schema(
        PROJECT,
        "Settings of a playscript project",
        "What holds for all scenarios of the project in this folder.",
    )
}

/// The words of `unreferenced:`.
const UNREFERENCED: &[&str] = &["list", "reject", "delete"];

/// A value and the place that set it.
#[derive(Clone, Debug)]
pub struct Settled<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: Place,
}

/// What a project's file settles; nothing where there is no file.
#[derive(Clone, Debug, Default)]
pub struct ProjectFile {
    /// How many cases are performed at a time.
    pub workers: Option<Settled<usize>>,
    /// How long a step may take.
    pub step_timeout: Option<Settled<Duration>>,
    /// How long a scenario may take.
    pub timeout: Option<Settled<Duration>>,
    /// How often a case that failed is performed again.
    pub retries: Option<Settled<usize>>,
    /// Whether the run fails when a case passed only in a retry.
    pub fail_on_flaky: Option<Settled<bool>>,
    /// How long the whole run may take.
    pub run_timeout: Option<Settled<Duration>>,
    /// The folder of the scenarios, as seen from the working folder.
    pub scenarios: Option<Settled<PathBuf>>,
    /// Where pictures go, as seen from the working folder.
    pub report_folder: Option<Settled<PathBuf>>,
    /// What becomes of snapshots that no scenario names.
    pub unreferenced: Option<Settled<Unreferenced>>,
    /// The browser's program, as seen from the working folder.
    pub chrome: Option<Settled<PathBuf>>,
    /// With a window to look at.
    pub headed: Option<Settled<bool>>,
    /// Whether Chrome's sandbox is used.
    pub sandbox: Option<Settled<bool>>,
    /// Whether a browser is installed where there is none.
    pub install_browser: Option<Settled<bool>>,
    /// The application under test.
    pub app: Option<Settled<AppSetting>>,
    /// The browser's settings.
    pub browser: Option<Settled<BrowserSettings>>,
    /// What scenarios need not say themselves.
    pub common: Common,
}

/// Reads the file of a project's folder, if it has one. What is wrong with it goes to `problems`.
pub fn project_file(folder: &Path, problems: &mut Problems) -> ProjectFile {
    let path = if folder == Path::new(".") { PathBuf::from(PROJECT_FILE) } else { folder.join(PROJECT_FILE) };
    let mut file = ProjectFile::default();
    if !path.is_file() {
        return file;
    }
    let Some(source) = Source::read(&path, problems) else { return file };
    // An empty file only says which folder is the project's.
    if source.text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return file;
    }
    let Some(root) = read_yaml(&source, problems) else { return file };
    let known: Vec<&str> = PROJECT.iter().map(|key| key.name).collect();
    let entries = root.want_map(&format!("`{PROJECT_FILE}`"), problems).unwrap_or_default();
    for (key, value) in entries {
        let what = format!("`{}`", shown(&key.name));
        match key.name.as_str() {
            "workers" => file.workers = settled(value, workers(value, problems)),
            "step-timeout" => file.step_timeout = settled(value, value.want_duration(&what, problems)),
            "timeout" => file.timeout = settled(value, value.want_duration(&what, problems)),
            "retries" => file.retries = settled(value, read_retries(value, problems)),
            "fail-on-flaky" => file.fail_on_flaky = settled(value, flag(value, &key.name, problems)),
            "run-timeout" => file.run_timeout = settled(value, value.want_duration(&what, problems)),
            "scenarios" => file.scenarios = settled(value, beside(&path, value, &what, problems)),
            "report-folder" => file.report_folder = settled(value, beside(&path, value, &what, problems)),
            "unreferenced" => file.unreferenced = settled(value, unreferenced(value, problems)),
            "chrome" => file.chrome = settled(value, beside(&path, value, &what, problems)),
            "headed" => file.headed = settled(value, flag(value, &key.name, problems)),
            "sandbox" => file.sandbox = settled(value, flag(value, &key.name, problems)),
            "install-browser" => file.install_browser = settled(value, flag(value, &key.name, problems)),
            "app" => file.app = settled(value, AppSetting::read(&source, value, problems)),
            "browser" => file.browser = settled(value, Some(BrowserSettings::read(value, problems))),
            _ if file.common.read(key, value, &VOCABULARY, problems) => {}
            _ => problems.add(key.unknown(&format!("`{PROJECT_FILE}` has no {what}"), &known)),
        }
    }
    file
}

fn settled<T>(node: &Node, value: Option<T>) -> Option<Settled<T>> {
    Some(Settled { value: value?, place: node.place.clone() })
}

fn beside(file: &Path, node: &Node, what: &str, problems: &mut Problems) -> Option<PathBuf> {
    let text = node.want_filled(what, problems)?;
    Some(file.parent().unwrap_or(Path::new("")).join(text))
}

fn workers(node: &Node, problems: &mut Problems) -> Option<usize> {
    let number = node.text().and_then(|text| text.trim().parse().ok());
    let number = number.filter(|number| (1..=MOST_WORKERS).contains(number));
    if number.is_none() {
        problems.add(
            Diagnostic::new(format!("`workers` is a whole number from 1 to {MOST_WORKERS}"))
                .at(node.place.clone())
                .label("not such a number")
                .next("write `workers: 2`, or leave it out"),
        );
    }
    number
}

fn flag(node: &Node, name: &str, problems: &mut Problems) -> Option<bool> {
    let value = node.json().as_bool();
    if value.is_none() {
        problems.add(
            Diagnostic::new(format!("`{name}` is true or false"))
                .at(node.place.clone())
                .label("neither of them")
                .next(format!("write `{name}: true`, or leave it out")),
        );
    }
    value
}

fn unreferenced(node: &Node, problems: &mut Problems) -> Option<Unreferenced> {
    let text = node.want_text("`unreferenced`", problems)?;
    Some(match text {
        "list" => Unreferenced::List,
        "reject" => Unreferenced::Reject,
        "delete" => Unreferenced::Delete,
        _ => {
            let problem = Diagnostic::new(format!("`unreferenced` can't be `{}`", shown(text)));
            let problem = problem.at(node.place.clone());
            problems.add(match nearest(text, UNREFERENCED.iter().copied()) {
                Some(near) => problem.label(format!("did you mean `{near}`?")).next(format!("write `{near}`")),
                None => problem.label("not known here").next(format!("write one of {}", UNREFERENCED.join(", "))),
            });
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn read(text: &str) -> (ProjectFile, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(PROJECT_FILE), text).unwrap();
        let mut problems = Problems::default();
        let file = project_file(folder.path(), &mut problems);
        let prefix = format!("{}/", folder.path().display());
        (file, problems.into_iter().map(|problem| problem.to_string().replace(&prefix, "")).collect())
    }

    #[test]
    fn every_key_is_read() {
        let all = "workers: 3\nstep-timeout: 2s\ntimeout: 1m\nrun-timeout: 1h\nreport-folder: out\nscenarios: e2e\nunreferenced: reject\n\
                   chrome: /opt/chrome\nheaded: true\nsandbox: false\ninstall-browser: true\nretries: 2\nfail-on-flaky: true\nbrowser: { viewport: 390x844 }\n\
                   app: { url: http://localhost:3000, start: npm run dev }\nclock: 2026-03-01T09:00:00Z\nfail-on: [failed-requests]\n\
                   variables: { city: Oslo }\nwhenever: { dialog: [reload] }\nredact: [{ pattern: a, with: b }]\n";
        let (file, wrong) = read(all);
        assert_eq!(wrong, Vec::<String>::new());
        assert_eq!(file.workers.unwrap().value, 3);
        assert_eq!(file.step_timeout.unwrap().value, Duration::from_secs(2));
        assert_eq!(file.timeout.unwrap().value, Duration::from_secs(60));
        assert_eq!(file.run_timeout.unwrap().place.line(), 4);
        assert!(file.scenarios.unwrap().value.ends_with("e2e"));
        assert!(file.report_folder.unwrap().value.ends_with("out"));
        assert_eq!(file.unreferenced.unwrap().value, Unreferenced::Reject);
        assert_eq!(file.chrome.unwrap().value, Path::new("/opt/chrome"));
        assert!(file.headed.unwrap().value && !file.sandbox.unwrap().value && file.install_browser.unwrap().value);
        assert!(file.retries.unwrap().value == 2 && file.fail_on_flaky.unwrap().value);
        assert_eq!(file.browser.unwrap().value.viewport.unwrap().width, 390);
        let common = file.common;
        assert_eq!((common.variables.len(), common.whenever.len(), common.redact.len()), (1, 1, 1));
        assert!(common.clock.unwrap().runs);
        assert_eq!(common.fail_on.in_force().names(), ["failed-requests"]);
        assert_eq!(file.app.unwrap().value.url.port(), Some(3000));
        for key in PROJECT {
            assert!(all.contains(&format!("{}: ", key.name)), "{} is not read by this test", key.name);
        }
    }

    #[test]
    fn nothing_need_be_said() {
        for text in ["", "# settings\n\n"] {
            assert_eq!(read(text).1, Vec::<String>::new());
        }
    }

    #[test]
    fn what_is_wrong_is_told_at_once_with_the_nearest_key() {
        let (_, wrong) = read(
            "wokers: 2\nworkers: 0\nunreferenced: rejct\nheaded: maybe\ntimeout: 5\nretries: 11\nfail-on-flaky: no way\n",
        );
        assert_eq!(
            wrong,
            [
                "playscript.yaml:1:1: `playscript.yaml` has no `wokers` (did you mean `workers`?); write `workers`",
                "playscript.yaml:2:10: `workers` is a whole number from 1 to 256 (not such a number); write `workers: 2`, or leave it out",
                "playscript.yaml:3:15: `unreferenced` can't be `rejct` (did you mean `reject`?); write `reject`",
                "playscript.yaml:4:9: `headed` is true or false (neither of them); write `headed: true`, or leave it out",
                "playscript.yaml:5:10: `timeout` is not a duration (`5` has no unit); say 5ms or 5s",
                "playscript.yaml:6:10: `retries` is a whole number from 0 to 10 (not such a number); write `retries: 2` for up to three attempts, or leave it out",
                "playscript.yaml:7:16: `fail-on-flaky` is true or false (neither of them); write `fail-on-flaky: true`, or leave it out",
            ]
        );
    }
}
