//! The part of the screen that moves: a line for each worker and one for the whole run.

use std::sync::Arc;
use std::time::Instant;

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::run::{CaseId, CaseTitle};

use super::super::{Paint, seconds};
use super::columns::{Columns, cut};
use super::screen::Screen;

/// Redraws a second; faster is not seen, and costs the run.
const REFRESH: u8 = 15;
/// Ticks that an idle worker keeps its line: usually it takes up the next case at once, and the lines stay where they are.
const PATIENCE: u8 = 3;

/// The moving lines.
pub(super) struct Progress {
    screen: MultiProgress,
    /// For finished lines.
    term: Box<dyn TermLike>,
    paint: Paint,
    width: Option<usize>,
    slots: Vec<Slot>,
    /// The line under the workers' lines: how far the run has come.
    foot: ProgressBar,
    started: Instant,
}

/// One worker's line. A case takes the first free one and leaves it when it ends.
struct Slot {
    bar: ProgressBar,
    busy: Option<(CaseId, Arc<CaseTitle>)>,
    /// Ticks since the last case ended.
    idle: u8,
}

impl Progress {
    pub(super) fn on_stdout(paint: Paint, width: Option<usize>) -> Self {
        Self::new(Term::buffered_stdout(), REFRESH, paint, width)
    }

    pub(super) fn new<T: TermLike + Clone + 'static>(term: T, refresh: u8, paint: Paint, width: Option<usize>) -> Self {
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(Screen::new(term.clone())), refresh);
        let screen = MultiProgress::with_draw_target(target);
        let foot = screen.add(ProgressBar::new_spinner().with_style(style("{msg}")));
        Self { screen, term: Box::new(term), paint, width, slots: Vec::new(), foot, started: Instant::now() }
    }

    /// A worker took up a case.
    pub(super) fn begin(&mut self, case: CaseId, title: &Arc<CaseTitle>) {
        let busy = Some((case, Arc::clone(title)));
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.busy.is_none()) {
            slot.busy = busy;
            slot.idle = 0;
            return;
        }
        let template = match self.paint {
            Paint::Plain => "{spinner} {msg}",
            Paint::Coloured => "{spinner:.cyan} {msg}",
        };
        let bar = ProgressBar::new_spinner().with_style(style(template));
        let bar = self.screen.insert_before(&self.foot, bar);
        self.slots.push(Slot { bar, busy, idle: 0 });
    }

    /// What a case is doing now, in words that are safe to print.
    pub(super) fn doing(&self, case: CaseId, columns: Columns, what: &str) {
        let Some((slot, title)) = self.slot(case) else {
            return;
        };
        // Two columns are the spinner's; one stays free, as some terminals wrap when the last is taken.
        let room = self.width.map(|width| width.saturating_sub(3));
        let line = format!("{}  {}", columns.file(&title.file), what);
        slot.bar.set_message(cut(&line, room));
    }

    /// A case ended: its line is free for the next.
    pub(super) fn end(&mut self, case: CaseId) {
        let ended = |slot: &&mut Slot| slot.busy.as_ref().is_some_and(|(busy, _)| *busy == case);
        if let Some(slot) = self.slots.iter_mut().find(ended) {
            slot.busy = None;
            slot.bar.set_message("");
        }
    }

    /// How far the run has come.
    pub(super) fn total(&self, text: &str) {
        let line = format!("     {text}  {}", seconds(self.started.elapsed()));
        self.foot.set_message(self.paint.faint(cut(&line, self.width.map(|width| width.saturating_sub(1)))));
    }

    /// Moves the spinners on, and takes away the lines of workers that found nothing more to do.
    pub(super) fn tick(&mut self) {
        let screen = &self.screen;
        self.slots.retain_mut(|slot| {
            if slot.busy.is_some() {
                slot.bar.tick();
                return true;
            }
            slot.idle += 1;
            let stays = slot.idle < PATIENCE;
            if !stays {
                slot.bar.finish_and_clear();
                screen.remove(&slot.bar);
            }
            stays
        });
        self.foot.tick();
    }

    /// Prints finished lines above the moving ones.
    pub(super) fn print(&self, lines: &str) {
        self.screen.suspend(|| {
            // A terminal that is gone takes its lines with it; the run goes on.
            let _ = lines.split('\n').try_for_each(|line| self.term.write_line(line)).and_then(|()| self.term.flush());
        });
    }

    /// Takes the moving lines away; what was printed stays.
    pub(super) fn clear(&mut self) {
        for slot in self.slots.drain(..) {
            slot.bar.finish_and_clear();
        }
        self.foot.finish_and_clear();
        let _ = self.screen.clear();
    }

    fn slot(&self, case: CaseId) -> Option<(&Slot, &Arc<CaseTitle>)> {
        self.slots.iter().find_map(|slot| match &slot.busy {
            Some((busy, title)) if *busy == case => Some((slot, title)),
            _ => None,
        })
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        // Cannot happen with the templates above; the plain style shows at least the message.
        .unwrap_or_else(|_| ProgressStyle::default_spinner())
        .tick_strings(&["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏", " "])
}
