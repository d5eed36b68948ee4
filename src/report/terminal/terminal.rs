//! The report itself: takes events in, lets lines out.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::run::{CaseEnded, CaseId, CaseTitle, Event, RunEnded, Verdict};

use super::super::reasons::reasons;
use super::activity::Activities;
use super::columns::Columns;
use super::lines::{Commands, Writer};
use super::look::{Look, Motion};
use super::output::{Lines, Output};
use super::progress::Progress;
use super::verbosity::Verbosity;

/// Said when the user stops the run: closing everything may take a moment.
const STOPPING: &str = "     stopping; once more to stop at once";
/// How often the spinners move.
const TICK: Duration = Duration::from_millis(100);

/// The report of a run on a terminal, in a pipe or in a log.
pub struct Terminal {
    output: Output,
    writer: Writer,
    verbosity: Verbosity,
    columns: Columns,
    titles: HashMap<CaseId, Arc<CaseTitle>>,
    activities: Activities,
    cases: usize,
    done: usize,
    /// Whether anything was printed: what comes first needs no blank line above it.
    said: bool,
    /// Cases that failed and are performed again.
    to_retry: HashSet<CaseId>,
    failed: usize,
    /// Told in full when all is done, in the order of the plan.
    to_tell: Vec<CaseEnded>,
    ended: Option<RunEnded>,
    commands: Commands,
}

impl Terminal {
    /// Reports to standard output.
    #[must_use]
    pub fn stdout(look: Look, verbosity: Verbosity) -> Self {
        let output = match look.motion {
            Motion::Still => Output::Still(Lines::new(Box::new(io::stdout()))),
            Motion::Moving => Output::Moving(Progress::on_stdout(look.paint, look.width)),
        };
        Self::new(output, look, verbosity)
    }

    /// Reports to anything that can be written to, without a moving part.
    #[must_use]
    pub fn to(writer: impl Write + Send + 'static, look: Look, verbosity: Verbosity) -> Self {
        Self::new(Output::Still(Lines::new(Box::new(writer))), look, verbosity)
    }

    pub(super) fn new(output: Output, look: Look, verbosity: Verbosity) -> Self {
        Self {
            output,
            writer: Writer::new(look),
            verbosity,
            columns: Columns::new(look.width),
            titles: HashMap::new(),
            activities: Activities::default(),
            cases: 0,
            done: 0,
            said: false,
            to_retry: HashSet::new(),
            failed: 0,
            to_tell: Vec::new(),
            ended: None,
            commands: Commands::default(),
        }
    }

    /// The commands that it may name.
    pub fn name_commands(&mut self, commands: Commands) {
        self.commands = commands;
    }

    /// Makes room for the names of these files from the first line on.
    pub fn expect<'a>(&mut self, files: impl IntoIterator<Item = &'a Path>) {
        for file in files {
            self.columns.learn(file);
        }
    }

    /// Takes in all events of a run until their sender is gone; says so when `stop` turns true and the run is on its way
    /// to its end. Returns the totals, and why not all could be written.
    pub async fn follow(
        mut self,
        mut events: UnboundedReceiver<Event>,
        mut stop: watch::Receiver<bool>,
    ) -> (Option<RunEnded>, Option<io::Error>) {
        let mut heeded = false;
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Some(event) => self.take(&event),
                    None => break,
                },
                _ = ticks.tick() => self.tick(),
                stopped = stop.wait_for(|stop| *stop), if !heeded => {
                    heeded = true;
                    if stopped.is_ok() && self.ended.is_none() {
                        self.line(STOPPING);
                    }
                }
            }
        }
        self.output.settle();
        (self.ended, self.output.failure())
    }

    /// Takes in one event.
    pub fn take(&mut self, event: &Event) {
        self.follow_activity(event);
        match event {
            Event::RunStarted(run) => {
                self.cases = run.cases;
                if self.verbosity >= Verbosity::Normal {
                    let lines = self.writer.started(run);
                    self.lines(&lines);
                }
                self.show_total();
            }
            Event::CaseStarted { case, title, .. } => {
                self.columns.learn(&title.file);
                self.titles.insert(*case, Arc::clone(title));
                if let Output::Moving(progress) = &mut self.output {
                    progress.begin(*case, title);
                    progress.doing(*case, self.columns, "");
                }
            }
            Event::Notice { case, text } if self.verbosity >= Verbosity::Normal => {
                let title = self.titles.get(case).map(AsRef::as_ref);
                let line = self.writer.notice(title, text, self.columns);
                self.line(&line);
            }
            Event::AttemptFailed { case, title, attempt, of } => {
                self.titles.remove(case);
                self.to_retry.insert(*case);
                if let Output::Moving(progress) = &mut self.output {
                    progress.end(*case);
                }
                if self.verbosity >= Verbosity::Normal {
                    let line = self.writer.attempt_failed(title, attempt, *of, self.columns);
                    self.line(&line);
                }
                self.show_total();
            }
            Event::CaseEnded(ended) => self.case_ended(ended),
            Event::RunEnded(run) => self.run_ended(run),
            _ => {}
        }
    }

    /// Moves the spinners on; nothing where nothing moves.
    pub fn tick(&mut self) {
        if self.cases == 0 {
            return;
        }
        self.show_total();
        if let Output::Moving(progress) = &mut self.output {
            progress.tick();
        }
    }

    /// Steps are only looked at where somebody sees them: a game makes hundreds a second.
    fn follow_activity(&mut self, event: &Event) {
        if matches!(self.output, Output::Still(_)) && self.verbosity < Verbosity::Verbose {
            return;
        }
        let ended = self.activities.take(event);
        match event {
            Event::StepStarted { case, .. } | Event::Moved { case, .. } => {
                if let (Output::Moving(progress), Some(what)) = (&self.output, self.activities.of(*case)) {
                    progress.doing(*case, self.columns, what);
                }
            }
            Event::StepEnded { took, passed, .. } if self.verbosity >= Verbosity::Verbose => {
                if let Some(step) = ended {
                    let lines = self.writer.step(&step, *took, *passed, self.columns);
                    self.lines(&lines);
                }
            }
            _ => {}
        }
    }

    fn case_ended(&mut self, ended: &CaseEnded) {
        self.done += 1;
        self.to_retry.remove(&ended.case);
        self.failed += usize::from(matches!(ended.verdict, Verdict::Failed(_) | Verdict::Broken(_)));
        self.columns.learn(&ended.title.file);
        // What never began was not stopped either; the totals count it.
        let begun = self.titles.remove(&ended.case).is_some();
        let silent = !begun && ended.earlier.is_empty() && matches!(ended.verdict, Verdict::Interrupted);
        if let Output::Moving(progress) = &mut self.output {
            progress.end(ended.case);
        }
        if self.verbosity >= Verbosity::Normal && !silent {
            let lines = self.writer.ended(ended, self.columns);
            self.lines(&lines);
        }
        if !reasons(ended).is_empty() {
            self.to_tell.push(ended.clone());
        }
        self.show_total();
    }

    fn run_ended(&mut self, run: &RunEnded) {
        self.output.settle();
        self.to_tell.sort_by_key(|ended| ended.case);
        let failures = self.writer.failures(&self.to_tell);
        self.lines(&failures);
        let files = [&run.pending, &run.unreferenced, &run.deleted];
        if !failures.is_empty() || files.iter().any(|files| !files.is_empty()) {
            self.line("");
        }
        let summary = self.writer.summary(run, &self.commands);
        self.lines(&summary);
        self.ended = Some(run.clone());
    }

    fn show_total(&mut self) {
        if let Output::Moving(progress) = &self.output {
            progress.total(&Writer::so_far(self.done, self.cases, self.failed, self.to_retry.len()));
        }
    }

    fn line(&mut self, line: &str) {
        self.lines(&[line.to_owned()]);
    }

    /// All at once, so that what moves below is redrawn once.
    fn lines(&mut self, lines: &[String]) {
        let from = if self.said { 0 } else { lines.iter().take_while(|line| line.is_empty()).count() };
        let lines = &lines[from..];
        if !lines.is_empty() {
            self.said = true;
            self.output.print(&lines.join("\n"));
        }
    }
}
