//! The finished lines of a run: all that the terminal report says, as text.

use std::path::Path;
use std::time::Duration;

use crate::run::{Attempt, CaseEnded, CaseTitle, Play, RunEnded, RunStarted, Verdict};
use crate::scenario::Diagnostic;

use super::super::reasons::reasons;
use super::super::words::{milliseconds, rate};
use super::super::{Paint, count, render, seconds, visible, visible_line};
use super::activity::Step;
use super::columns::{Columns, cut, label, time};
use super::look::Look;

/// Indent of what stands between the scenarios' lines.
const INDENT: &str = "     ";
/// Most lines of a page's outline, text or console shown for one step.
const MOST_OUTPUT: usize = 400;

/// Puts lines together for one look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writer {
    look: Look,
}

impl Writer {
    pub(super) fn new(look: Look) -> Self {
        Self { look }
    }

    fn paint(self) -> Paint {
        self.look.paint
    }

    /// `     12 scenarios, 2 workers, Chromium 156 (headless shell)`, and what was decided for the user.
    pub(super) fn started(self, run: &RunStarted) -> Vec<String> {
        let head = format!(
            "{INDENT}{}, {}, {}",
            count(run.cases, "scenario"),
            count(run.workers, "worker"),
            visible_line(&run.browser)
        );
        let notices = run.notices.iter().map(|notice| format!("{INDENT}{}", visible_line(notice)));
        std::iter::once(head).chain(notices).map(|line| self.paint().faint(line)).collect()
    }

    /// `PASS [  0.31s] login.yaml          A visitor signs in`, and what was measured when it was a game.
    pub(super) fn ended(self, ended: &CaseEnded, columns: Columns) -> Vec<String> {
        let took = Some(ended.took);
        let paint = self.paint();
        let (status, remark) = match &ended.verdict {
            Verdict::Passed => (self.status(Tone::Good, "PASS", took), String::new()),
            Verdict::Flaky => (self.status(Tone::Warn, "FLAKY", took), String::new()),
            Verdict::Failed(why) => (self.status(Tone::Bad, "FAIL", took), format!(": {}", visible_line(&why.title))),
            Verdict::Broken(why) => (self.status(Tone::Bad, "BROKE", took), format!(": {}", visible_line(&why.title))),
            Verdict::Skipped(why) => {
                let why = if why.is_empty() { String::new() } else { format!(" ({})", visible_line(why)) };
                (self.status(Tone::Warn, "SKIP", None), why)
            }
            Verdict::Interrupted => (self.status(Tone::Warn, "STOP", took), String::new()),
        };
        let name = name_of(ended);
        let file = columns.file(&ended.title.file);
        let mut lines =
            vec![self.cut_before(&format!("{status} {file}  {name}{}", paint.faint(remark)), &more(&ended.also))];
        lines.extend(ended.play.iter().flat_map(|play| self.play(play)));
        lines
    }

    /// `RETRY [ 1.02s] cart.yaml           Prices follow the currency (1 of 3): the page …`.
    pub(super) fn attempt_failed(self, title: &CaseTitle, attempt: &Attempt, of: usize, columns: Columns) -> String {
        let status = self.status(Tone::Warn, "RETRY", Some(attempt.took));
        let why = self.paint().faint(format!(": {}", visible_line(&attempt.why.title)));
        let name = visible_line(&title.name);
        let line = format!("{status} {}  {name} ({} of {of}){why}", columns.file(&title.file), attempt.number);
        self.cut_before(&line, &more(&attempt.also))
    }

    /// `412 moves, 96 a second, input to changed page 6 ms median, 9 ms 95th`, and the last readings.
    fn play(self, play: &Play) -> Vec<String> {
        let moves = usize::try_from(play.moves).unwrap_or(usize::MAX);
        let measured = format!(
            "{INDENT}{}, {} a second, input to changed page {} median, {} 95th",
            count(moves, "move"),
            rate(play.per_second()),
            milliseconds(play.median),
            milliseconds(play.p95)
        );
        let mut lines = vec![self.cut(&self.paint().faint(measured))];
        if !play.readings.is_empty() {
            let readings: Vec<String> =
                play.readings.iter().map(|(name, value)| format!("{name} {}", visible_line(value))).collect();
            lines.push(self.cut(&self.paint().faint(format!("{INDENT}{}", readings.join(", ")))));
        }
        lines
    }

    /// `NOTE           login.yaml          a dialog was accepted`.
    pub(super) fn notice(self, title: Option<&CaseTitle>, text: &str, columns: Columns) -> String {
        let label = self.paint().warn(label("NOTE"));
        let file = title.map_or_else(|| columns.fit(""), |title| columns.file(&title.file));
        // Not cut: a notice is read to its end, or it need not be said.
        format!("{label} {file}  {}", visible_line(text))
    }

    /// A step that ended, and what it produced to look at.
    pub(super) fn step(self, step: &Step, took: Duration, passed: bool, columns: Columns) -> Vec<String> {
        let paint = self.paint();
        let source = &step.place.source;
        let line = step.place.line();
        let place = source.path.with_file_name(format!(
            "{}:{line}",
            source.path.file_name().map_or_else(Default::default, |name| name.to_string_lossy())
        ));
        let took = Some(took);
        let status = if passed { self.status(Tone::Good, "    ", took) } else { self.status(Tone::Bad, "FAIL", took) };
        let head = format!("{status} {}  {}", paint.faint(columns.file(&place)), step.what);
        let mut lines = vec![self.cut(&head)];
        for (_, text) in &step.output {
            let text = visible(text);
            let all = text.lines().count();
            lines.extend(text.lines().take(MOST_OUTPUT).map(|line| format!("{INDENT}{INDENT}{line}")));
            if all > MOST_OUTPUT {
                let left = count(all - MOST_OUTPUT, "more line");
                lines.push(paint.faint(format!("{INDENT}{INDENT}… {left}")));
            }
        }
        lines
    }

    /// All failures in full, those of every attempt. Cases that the same cause broke stand together above it.
    pub(super) fn failures(self, failed: &[CaseEnded]) -> Vec<String> {
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for ended in failed {
            let Some((word, tone)) = told_in_full(ended) else {
                continue;
            };
            let mut all: Vec<String> = Vec::new();
            for reason in reasons(ended) {
                if !ended.earlier.is_empty() {
                    if !all.is_empty() {
                        all.push(String::new());
                    }
                    all.push(self.paint().warn(format!("{}:", reason.words())));
                }
                let whys = reason.why.iter().map(|why| render(why, self.paint(), self.look.width));
                // Told apart by a blank line, as the mistakes of a file are.
                all.push(whys.collect::<Vec<_>>().join("\n\n"));
            }
            let text = all.join("\n");
            let head = format!(
                "{} {}  {}",
                self.status(tone, word, Some(ended.took)),
                self.paint().strong(visible_line(&ended.title.file.display().to_string())),
                name_of(ended)
            );
            match groups.iter_mut().find(|(known, _)| *known == text) {
                Some((_, heads)) => heads.push(head),
                None => groups.push((text, vec![head])),
            }
        }
        let mut lines = Vec::new();
        for (text, heads) in groups {
            lines.push(String::new());
            lines.extend(heads);
            lines.extend(text.lines().map(str::to_owned));
        }
        lines
    }

    /// Snapshots to look at, and the totals.
    pub(super) fn summary(self, run: &RunEnded, commands: &Commands) -> Vec<String> {
        let paint = self.paint();
        let keep = format!("INSTA_UPDATE=always {}", commands.again);
        let review = [("look and choose", "playscript review"), ("keep all of it", keep.as_str())];
        let mut lines = self.snapshots(
            &run.pending,
            |number| {
                if number == 1 {
                    "1 snapshot waits for review".to_owned()
                } else {
                    format!("{number} snapshots wait for review")
                }
            },
            &review,
        );
        lines.extend(self.snapshots(
            &run.unreferenced,
            |number| format!("{} that no scenario names any more", count(number, "stored snapshot")),
            &[("remove them", "playscript run --unreferenced=delete")],
        ));
        let deleted =
            |number| format!("{} deleted, which no scenario names any more", count(number, "stored snapshot"));
        lines.extend(self.snapshots(&run.deleted, deleted, &[]));
        let parts = [
            (run.flaky, "flaky", if run.flaky_fails { Tone::Bad } else { Tone::Warn }),
            (run.failed, "failed", Tone::Bad),
            (run.broken, "broken", Tone::Bad),
            (run.skipped, "skipped", Tone::Warn),
            (run.interrupted, "interrupted", Tone::Warn),
        ];
        let passed = format!("{} passed", run.passed);
        let mut totals = vec![if run.passed > 0 { paint.good(passed) } else { passed }];
        for (number, word, tone) in parts {
            if number > 0 {
                let text = format!("{number} {word}");
                totals.push(self.toned(tone, &text));
            }
        }
        if let Some(limit) = run.out_of_time {
            let text = format!("the run's time was up after {}: raise --run-timeout, or run less", seconds(limit));
            lines.push(format!("{INDENT}{}", paint.warn(text)));
        }
        if run.flaky > 0 && run.flaky_fails {
            let text = "what is flaky fails this run, as `fail-on-flaky` says";
            lines.push(format!("{INDENT}{}", paint.warn(text)));
        }
        lines.push(format!("{INDENT}{} in {}", totals.join(", "), seconds(run.took)));
        lines
    }

    fn snapshots(
        self,
        files: &[impl AsRef<Path>],
        title: impl Fn(usize) -> String,
        commands: &[(&str, &str)],
    ) -> Vec<String> {
        if files.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![format!("{INDENT}{}:", self.paint().warn(title(files.len())))];
        for file in files {
            lines.push(format!("{INDENT}  {}", shown(file.as_ref())));
        }
        let widest = commands.iter().map(|(what, _)| what.len()).max().unwrap_or_default();
        for (what, command) in commands {
            lines.push(format!("{INDENT}{what:<widest$}  {}", self.paint().command(command)));
        }
        lines.push(String::new());
        lines
    }

    /// `3 of 12, 1 failed, 2 to retry`: the line under the workers' lines.
    pub(super) fn so_far(done: usize, cases: usize, failed: usize, to_retry: usize) -> String {
        let mut text = format!("{done} of {cases}");
        for (number, words) in [(failed, "failed"), (to_retry, "to retry")] {
            if number > 0 {
                text.push_str(&format!(", {number} {words}"));
            }
        }
        text
    }

    fn status(self, tone: Tone, label: &str, took: Option<Duration>) -> String {
        format!("{} {}", self.toned(tone, label), self.paint().faint(time(label, took)))
    }

    fn toned(self, tone: Tone, text: &str) -> String {
        match tone {
            Tone::Good => self.paint().good(text),
            Tone::Bad => self.paint().bad(text),
            Tone::Warn => self.paint().warn(text),
        }
    }

    fn cut(self, line: &str) -> String {
        cut(line, self.look.width)
    }

    /// A line that ends in a short remark, which is there however long the line is.
    fn cut_before(self, line: &str, remark: &str) -> String {
        let width = self.look.width.map(|width| width.saturating_sub(remark.len()));
        format!("{}{}", cut(line, width), self.paint().faint(remark))
    }
}

/// How many failures there are beside the one that a line tells.
fn more(also: &[Diagnostic]) -> String {
    if also.is_empty() { String::new() } else { format!(" (and {} more)", also.len()) }
}

/// Commands that a report names.
#[derive(Clone, Debug)]
pub struct Commands {
    /// Runs the same scenarios again: `playscript run login.yaml`.
    pub again: String,
}

impl Default for Commands {
    fn default() -> Self {
        Self { again: "playscript run".to_owned() }
    }
}

#[derive(Clone, Copy)]
enum Tone {
    Good,
    Bad,
    Warn,
}

/// The label of a case that is told in full at the end.
fn told_in_full(ended: &CaseEnded) -> Option<(&'static str, Tone)> {
    match &ended.verdict {
        Verdict::Failed(_) => Some(("FAIL", Tone::Bad)),
        Verdict::Broken(_) => Some(("BROKE", Tone::Bad)),
        Verdict::Flaky => Some(("FLAKY", Tone::Warn)),
        // It was stopped before it was known what the failures of earlier attempts are worth.
        Verdict::Interrupted if !ended.earlier.is_empty() => Some(("STOP", Tone::Warn)),
        Verdict::Passed | Verdict::Skipped(_) | Verdict::Interrupted => None,
    }
}

/// Its name, and which of its attempts was the last, where there was more than one: `Prices follow the currency (2 of 3)`.
fn name_of(ended: &CaseEnded) -> String {
    let name = visible_line(&ended.title.name);
    match ended.earlier.len() {
        0 => name.into_owned(),
        // Stopped before the next attempt had begun.
        tries if matches!(ended.verdict, Verdict::Interrupted) => format!("{name} ({tries} of {})", ended.attempts),
        tries => format!("{name} ({} of {})", tries + 1, ended.attempts),
    }
}

/// A path as a person would write it.
fn shown(file: &Path) -> String {
    let file = file.strip_prefix("./").unwrap_or(file);
    visible_line(&file.display().to_string()).into_owned()
}
