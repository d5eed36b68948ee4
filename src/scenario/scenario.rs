//! A scenario: the head of a file, and its steps still unread by verb.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use regex::Regex;

use super::app::AppSetting;
use super::around::{ExpectedToFail, Need, Skip, Whenever};
use super::browser::BrowserSettings;
use super::clock::ClockSetting;
use super::decode::number;
use super::deferred::Deferred;
use super::diagnostic::{Diagnostic, Problems};
use super::examples::Row;
use super::fail_on::FailOnSetting;
use super::head;
use super::names::Known;
use super::node::{Key, Node};
use super::routes::Route;
use super::source::{Place, Source};
use super::step::{RawStep, Vocabulary};
use super::template::Template;
use super::yaml;
use crate::outline::{LinePattern, Outline};

/// A scenario file.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The file.
    pub source: Arc<Source>,
    /// Its name; the file's name where none is given.
    pub name: String,
    /// Its name, where values stand in it.
    pub title: Option<Template>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The folder that is served, absolute.
    pub serve: Option<PathBuf>,
    /// The user's own application, which is started once a run.
    pub app: Option<AppSetting>,
    /// Small pages in the scenario itself: path and HTML.
    pub pages: Vec<(String, String)>,
    /// What its site answers that a file can't say, in the order of the file.
    pub routes: Vec<Route>,
    /// The seed of everything random.
    pub seed: Option<u64>,
    /// What the dates of pages say.
    pub clock: Option<Deferred<ClockSetting>>,
    /// Variables, in the order of the file; `{{ … }}` in them is checked, not yet filled in.
    pub variables: Vec<(Key, Node)>,
    /// Named values read from the page.
    pub readings: Vec<Reading>,
    /// Environment variables that expressions may use, as `env.NAME`, and what each is where it is not set: without that,
    /// it must be set.
    pub env: Vec<(Key, Option<String>)>,
    /// Secrets that expressions may use, as `secret.NAME`; masked wherever anything is printed.
    pub secrets: Vec<Key>,
    /// How long the whole scenario may take.
    pub timeout: Option<Duration>,
    /// How long each step may take.
    pub step_timeout: Option<Duration>,
    /// How often it is performed again when it fails.
    pub retries: Option<usize>,
    /// What is replaced before a snapshot is stored.
    pub redact: Vec<Redaction>,
    /// The browser's settings.
    pub browser: BrowserSettings,
    /// Users, each with cookies and tabs of its own; the first is the one that steps are performed as. None: one without a name.
    pub users: Vec<Key>,
    /// What fails it by itself.
    pub fail_on: FailOnSetting,
    /// Rows: the scenario is run once with each. None: it is run once without.
    pub examples: Vec<Row>,
    /// Scenarios that must have passed before.
    pub needs: Vec<Need>,
    /// What is done when something stands in an act's way.
    pub whenever: Option<Vec<Whenever>>,
    /// Why it is not run.
    pub skip: Option<Skip>,
    /// Why it is expected to fail; it fails when it passes.
    pub expected_to_fail: Option<ExpectedToFail>,
    /// Steps before.
    pub before: Vec<RawStep>,
    /// Steps after, however it ends.
    pub after: Vec<RawStep>,
    /// The steps.
    pub steps: Vec<RawStep>,
}

/// A named value read from the page.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its name.
    pub name: String,
    /// The line it is read from: its group is the value, or without one, whether the line is there.
    pub pattern: LinePattern,
    /// Where it stands.
    pub place: Place,
}

/// What is replaced before a snapshot is stored.
#[derive(Clone, Debug)]
pub struct Redaction {
    /// What is replaced.
    pub pattern: Regex,
    /// What stands there instead; `$1` is the first group.
    pub with: String,
    /// Where it stands.
    pub place: Place,
}

/// A size in CSS pixels: `390x844`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// The width.
    pub width: u32,
    /// The height.
    pub height: u32,
}

impl Viewport {
    /// Reads `390x844`.
    pub fn parse(text: &str) -> Option<Viewport> {
        let (width, height) = text.trim().split_once(['x', '×'])?;
        let side = |text: &str| text.trim().parse::<u32>().ok().filter(|side| (1..=16_384).contains(side));
        Some(Viewport { width: side(width)?, height: side(height)? })
    }

    /// Reads it from a file.
    pub fn from_node(node: &Node, problems: &mut Problems) -> Option<Viewport> {
        let text = node.want_text("a size", problems)?;
        let found = Viewport::parse(text);
        if found.is_none() {
            problems.add(
                Diagnostic::new("this is not a size")
                    .at(node.place.clone())
                    .label("not width and height in CSS pixels")
                    .next("write WIDTHxHEIGHT, such as 390x844"),
            );
        }
        found
    }
}

impl std::fmt::Display for Viewport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl Reading {
    /// What the page shows for it: the group of its pattern, as a number where it reads as one; whether the line is
    /// there, without a group; nothing (`null`) when a pattern with a group finds no line.
    pub fn value(&self, outline: &Outline) -> serde_json::Value {
        let mut lines = self.pattern.find(outline).into_iter();
        if !self.pattern.has_group() {
            return lines.next().is_some().into();
        }
        match lines.find_map(|line| self.pattern.capture_in(outline, line)) {
            None => serde_json::Value::Null,
            Some(text) => match number(&text) {
                Some(number) => number.into(),
                None => text.into(),
            },
        }
    }
}

impl Scenario {
    /// Whether it has a site of its own, which paths are looked up in.
    #[must_use]
    pub fn serves(&self) -> bool {
        self.serve.is_some() || !self.pages.is_empty() || !self.routes.is_empty()
    }

    /// The names that expressions may mention; what steps declare comes on top, see [`Problems::check_names`].
    pub fn known(&self) -> Known {
        let mut known = Known::default();
        self.variables.iter().for_each(|(key, _)| known.add(&*key.name));
        self.readings.iter().for_each(|reading| known.add_reading(&reading.name));
        self.users.iter().for_each(|user| known.add_user(&user.name));
        let columns = self.examples.iter().flat_map(|row| &row.values);
        columns.for_each(|(name, _)| known.add(name.as_str()));
        self.env.iter().for_each(|(key, _)| known.add(format!("env.{}", key.name)));
        self.secrets.iter().for_each(|key| known.add(format!("secret.{}", key.name)));
        known
    }
}

/// Reads a scenario file. Everything that is wrong is added to the problems; `None` means that nothing of it can be used.
pub fn load(path: &Path, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Option<Scenario> {
    parse(Source::read(path, problems)?, vocabulary, problems)
}

/// Reads a scenario from its source. A scenario is given back even where problems were added, so that its steps can be
/// checked as well: only an empty list of problems means that it can be run.
pub fn parse(source: Arc<Source>, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Option<Scenario> {
    let before = problems.len();
    let root = yaml::read(&source, problems)?;
    // Where a syntax error was read over, what is missing may merely have been swallowed.
    let sound = problems.len() == before;
    head::read(source, &root, sound, vocabulary, problems)
}
