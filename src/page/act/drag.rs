//! Dragging: with the real mouse, or files from outside.
//!
//! Headless browsers turn a press and moves on something draggable into drag and drop by themselves, as they do with a person's mouse: the
//! page sees `dragstart` to `dragend` in place of the moves, or nothing but the moves where it drags by the pointer.

use std::path::PathBuf;

use tokio::time::Instant;

use super::aim::{Aim, Mode, Spot};
use super::answer::{Check, Failure};
use super::mouse;
use super::watch::{Verdict, Watch};
use crate::cdp::input::{CancelDragging, DispatchDragEvent, DragData, DragEventKind};
use crate::page::error::PageError;
use crate::page::{Element, Page};
use crate::scenario::{By, Target};

/// What may be done with files that are dropped: copied.
const COPY: i32 = 1;

/// Where something is dragged to.
#[derive(Debug, Clone, Copy)]
pub enum DropAt<'a> {
    /// The middle of an element, or a place.
    Target(&'a Target),
    /// So far from where it was taken, in CSS pixels.
    By {
        /// To the right.
        x: f64,
        /// Down.
        y: f64,
    },
}

/// The button is down. Dropped before it was let go on purpose, it gives up the drag.
struct Grip<'a> {
    page: &'a Page,
    at: (f64, f64),
    down: bool,
}

impl Drop for Grip<'_> {
    fn drop(&mut self) {
        if self.down {
            // Letting go alone would drop what is dragged wherever it is.
            self.page.session().send(&CancelDragging {});
            drop(mouse::up(self.page.session(), self.at, self.page.modifiers()));
        }
    }
}

impl Grip<'_> {
    /// Moves there in so many steps. Each is waited for: the page sees them all.
    async fn move_to(&mut self, (x, y): (f64, f64), steps: u32, deadline: Instant) -> Result<(), PageError> {
        let (from_x, from_y) = self.at;
        for step in 1..=steps {
            let part = f64::from(step) / f64::from(steps);
            self.at = (from_x + (x - from_x) * part, from_y + (y - from_y) * part);
            let moved = mouse::drag_to(self.page.session(), self.at, self.page.modifiers());
            self.page.core().answer(moved.await_by(deadline)).await?;
        }
        Ok(())
    }

    async fn let_go(mut self, deadline: Instant) -> Result<(), PageError> {
        self.down = false;
        let up = mouse::up(self.page.session(), self.at, self.page.modifiers());
        match self.page.core().answer(up.await_by(deadline)).await {
            Ok(_) | Err(PageError::Closed) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl Page {
    /// Presses the left button on an element, moves and lets go. What is dropped on may also come only once the drag has begun. When it
    /// fails on the way the drag is given up, and nothing is dropped.
    pub async fn drag(&self, from: &Target, to: DropAt<'_>, steps: u32, deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        let steps = steps.max(1);
        // Looked for before anything is pressed, where it is there already.
        let mut known = match to {
            DropAt::Target(to)
                if !matches!(to.by, By::Point { .. }) && !self.locate_all(to, deadline).await?.is_empty() =>
            {
                Some(self.locate(to, deadline).await?)
            }
            _ => None,
        };
        let (start, taken) = self.taken_at(from, deadline).await?;
        if let (DropAt::Target(to), Some(element)) = (to, &known) {
            self.free_to_drop(to, element, taken.as_ref(), deadline).await?;
        }
        let mut grip = self.grip(from, start, taken, deadline).await?;
        let start = grip.at;
        match to {
            DropAt::By { x, y } => grip.move_to((start.0 + x, start.1 + y), steps, deadline).await?,
            DropAt::Target(Target { by: By::Point { x, y }, .. }) => {
                let end = self.point_in_window(from, (*x, *y), deadline).await?;
                grip.move_to(end, steps, deadline).await?;
            }
            DropAt::Target(to) => {
                if known.is_none() {
                    // Far enough for a drag to begin, which may bring what it can be dropped on.
                    grip.move_to((start.0 + 8.0, start.1 + 8.0), 2, deadline).await?;
                    known = Some(self.locate(to, deadline).await?);
                }
                let place = async |element: &Element| -> Result<(f64, f64), PageError> {
                    let aim = Aim { mode: Mode::Place, at: None, settle: false };
                    match self.aim(element, aim, None, deadline).await? {
                        Ok(spot) => Ok((spot.x, spot.y)),
                        Err(failure) => Err(failure.error(to, element, "dropped on")),
                    }
                };
                if let Some(element) = &known {
                    let end = place(element).await?;
                    grip.move_to(end, steps, deadline).await?;
                    // It may have made room meanwhile. The last move is made there in any case: the first one over an element only
                    // enters it.
                    let end = place(element).await.unwrap_or(end);
                    grip.move_to(end, 1, deadline).await?;
                }
            }
        }
        grip.let_go(deadline).await
    }

    /// Drops files on an element, as if they came from the system's file manager. The paths are absolute and exist.
    pub async fn drop_files(&self, files: &[PathBuf], to: &Target, deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        let (x, y) = match to.by {
            By::Point { x, y } => self.point_in_window(to, (x, y), deadline).await?,
            _ => {
                self.with_element(to, "dropped on", deadline, async |element| {
                    let aim = Aim { mode: Mode::Hover, at: None, settle: false };
                    Ok(self.aim(element, aim, None, deadline).await?.map(|spot| (spot.x, spot.y)))
                })
                .await?
            }
        };
        let files: Vec<String> = files.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let data = DragData { items: &[], files: &files, drag_operations_mask: COPY };
        for kind in [DragEventKind::DragEnter, DragEventKind::DragOver, DragEventKind::Drop] {
            self.core().call(self.session(), &DispatchDragEvent { kind, x, y, data: &data }, deadline).await?;
        }
        Ok(())
    }

    /// Where the drag begins, and the element that is taken; none for a place.
    async fn taken_at(&self, from: &Target, deadline: Instant) -> Result<((f64, f64), Option<Element>), PageError> {
        if let By::Point { x, y } = from.by {
            return Ok((self.point_in_window(from, (x, y), deadline).await?, None));
        }
        Ok(((0.0, 0.0), Some(self.locate(from, deadline).await?)))
    }

    /// Waits until nothing covers what is dropped on, other than what is taken.
    async fn free_to_drop(
        &self,
        to: &Target,
        element: &Element,
        taken: Option<&Element>,
        deadline: Instant,
    ) -> Result<(), PageError> {
        let aim = |mode| Aim { mode, at: None, settle: false };
        let spot = match self.aim(element, aim(Mode::Place), None, deadline).await? {
            Ok(spot) => spot,
            Err(failure) => return Err(failure.error(to, element, "dropped on")),
        };
        let Some(by) = spot.by else { return Ok(()) };
        if let Some(taken) = taken
            && self.call_injected::<String>(taken, "actDescribe", &[], deadline).await? == by
        {
            return Ok(());
        }
        match self.aim(element, aim(Mode::Hover), None, deadline).await? {
            Ok(_) => Ok(()),
            Err(failure) => Err(failure.error(to, element, "dropped on")),
        }
    }

    /// Presses the button on what is taken; as with a click, a press that would hit something else is stopped and made again.
    async fn grip(
        &self,
        from: &Target,
        start: (f64, f64),
        taken: Option<Element>,
        deadline: Instant,
    ) -> Result<Grip<'_>, PageError> {
        let Some(mut element) = taken else {
            self.clear_watches(deadline).await;
            let pressed = mouse::down(self.session(), start, self.modifiers());
            let grip = Grip { page: self, at: start, down: true };
            self.core().answer(pressed.await_by(deadline)).await?;
            return Ok(grip);
        };
        let mut missed = false;
        loop {
            let failure = match self.try_grip(&element, missed, deadline).await? {
                Ok(grip) => return Ok(grip),
                Err(failure) => failure,
            };
            let again = matches!(failure.check, Check::Attached | Check::Still);
            if !again || Instant::now() >= deadline {
                return Err(failure.error(from, &element, "dragged"));
            }
            missed = failure.check == Check::Still;
            if failure.check == Check::Attached {
                element = self.locate(from, deadline).await?;
            }
        }
    }

    async fn try_grip(
        &self,
        element: &Element,
        settle: bool,
        deadline: Instant,
    ) -> Result<Result<Grip<'_>, Failure>, PageError> {
        let own = self.world_of(&element.frame, deadline).await?;
        let mut watch = Watch::new(self.token(), &element.frame, own);
        let aim = Aim { mode: Mode::Press, at: None, settle };
        let Spot { x, y, .. } = match self.aim(element, aim, Some(&mut watch), deadline).await? {
            Ok(spot) => spot,
            Err(failure) => return Ok(Err(failure)),
        };
        self.arm_others(&mut watch, &[], deadline).await;
        watch.pressing();
        let pressed = mouse::down(self.session(), (x, y), self.modifiers());
        // Asked after the press, so that the answer is what came of it.
        let said = element.submit("actSaw", &[watch.argument()]);
        let mut grip = Grip { page: self, at: (x, y), down: true };
        self.core().answer(pressed.await_by(deadline)).await?;
        let mut said: Verdict = self.answer_of(said, deadline).await?;
        if said.pressed.is_none() {
            // The question went another way than the press and may have come before it.
            said = self.answer_of(element.submit("actSaw", &[watch.argument()]), deadline).await?;
        }
        if said.pressed == Some(true) {
            self.end_watch(watch, true, deadline).await;
            return Ok(Ok(grip));
        }
        grip.down = false;
        let up = mouse::up(self.session(), (x, y), self.modifiers());
        self.core().answer(up.await_by(deadline)).await?;
        let others = self.end_watch(watch, false, deadline).await;
        let by = said.by.or_else(|| others.into_iter().find_map(|verdict| verdict.by));
        Ok(Err(Failure { check: Check::Still, why: "moving".to_owned(), by }))
    }
}
