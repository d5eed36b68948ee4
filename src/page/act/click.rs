//! Clicks.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use super::aim::{Aim, Mode};
use super::answer::{Check, Failure};
use super::held::Holding;
use super::mouse::{self, Press};
use super::watch::{Verdict, Watch};
use crate::cdp::input::MouseButton;
use crate::page::error::PageError;
use crate::page::{Element, Page};
use crate::scenario::{By, Modifiers, Target};

/// How to click.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Click {
    /// The button.
    pub button: MouseButton,
    /// How often, quickly one after the other: 2 is a double click.
    pub times: u32,
    /// Keys held meanwhile.
    pub modifiers: Modifiers,
    /// Where, in CSS pixels from the element's top left corner; else the middle, or another place of it that is free.
    pub at: Option<(f64, f64)>,
}

impl Default for Click {
    fn default() -> Self {
        Click { button: MouseButton::Left, times: 1, modifiers: Modifiers::NONE, at: None }
    }
}

/// What a press takes at most on a page that is not busy: the frame that is waited for after a miss, the press and its answer.
const ANSWER: Duration = Duration::from_millis(50);

/// What came of one try.
enum Tried {
    /// The element was pressed.
    Done,
    /// It is not the element any more: it is to be found again.
    Replaced(Failure),
    /// It moved, and the press was stopped before it hit something else.
    Missed(Failure),
    /// The time is up.
    Failed(Failure),
}

impl Page {
    /// Clicks an element once it is attached, visible, enabled, still, in view and the one that would receive the press; or clicks a place
    /// of the viewport. A press that would hit something else, since the page moved in that very moment, is stopped and tried again:
    /// when this fails, nothing was pressed.
    pub async fn click(&self, target: &Target, click: &Click, deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        let mut holding = Holding::new(self);
        holding.modifiers(click.modifiers, deadline).await?;
        let clicked = match target.by {
            By::Point { x, y } => self.click_point(target, (x, y), click, deadline).await,
            _ => self.click_element(target, click, deadline).await,
        };
        let released = holding.release(deadline).await;
        clicked.and(released)
    }

    async fn click_element(&self, target: &Target, click: &Click, deadline: Instant) -> Result<(), PageError> {
        let mut missed: Option<Failure> = None;
        let mut element = self.locate(target, deadline).await?;
        loop {
            // A press needs its time to be answered; one that is not seen to its end may be anywhere.
            if let Some(failure) = missed.as_ref().filter(|_| Instant::now() + ANSWER >= deadline) {
                return Err(failure.error(target, &element, "clicked"));
            }
            let failure = match self.try_click(&element, click, missed.is_some(), deadline).await {
                Ok(Tried::Done) => return Ok(()),
                Ok(Tried::Failed(failure)) => return Err(failure.error(target, &element, "clicked")),
                Ok(Tried::Missed(failure)) => missed.insert(failure).clone(),
                Ok(Tried::Replaced(failure)) => failure,
                Err(error) if error.is_passing() => moved(&error),
                // The time is up in a look before the press: what kept it from being made says more.
                Err(error) if error.is_late() => match &missed {
                    Some(failure) => return Err(failure.error(target, &element, "clicked")),
                    None => return Err(error),
                },
                Err(error) => return Err(error),
            };
            if Instant::now() >= deadline {
                return Err(failure.error(target, &element, "clicked"));
            }
            if failure.check == Check::Attached {
                element = self.locate(target, deadline).await?;
            }
        }
    }

    /// Clicks an element that is found already.
    pub(super) async fn press_on(
        &self,
        element: &Element,
        click: &Click,
        deadline: Instant,
    ) -> Result<Result<(), Failure>, PageError> {
        let mut holding = Holding::new(self);
        holding.modifiers(click.modifiers, deadline).await?;
        let mut missed: Option<Failure> = None;
        let pressed = loop {
            if let Some(failure) = missed.as_ref().filter(|_| Instant::now() + ANSWER >= deadline) {
                break Err(failure.clone());
            }
            match self.try_click(element, click, missed.is_some(), deadline).await? {
                Tried::Done => break Ok(()),
                Tried::Failed(failure) | Tried::Replaced(failure) => break Err(failure),
                Tried::Missed(failure) => missed = Some(failure),
            }
        };
        holding.release(deadline).await?;
        Ok(pressed)
    }

    async fn try_click(
        &self,
        element: &Element,
        click: &Click,
        settle: bool,
        deadline: Instant,
    ) -> Result<Tried, PageError> {
        let own = self.world_of(&element.frame, deadline).await?;
        let mut watch = Watch::new(self.token(), &element.frame, own);
        // Asked before the press, so that the answer comes even if the press ends the document.
        let verdict = element.submit("actVerdict", &[watch.argument()]);
        let aim = Aim { mode: Mode::Press, at: click.at, settle };
        let spot = match self.aim(element, aim, Some(&mut watch), deadline).await? {
            Ok(spot) => spot,
            Err(failure) if failure.check == Check::Attached => return Ok(Tried::Replaced(failure)),
            Err(failure) => return Ok(Tried::Failed(failure)),
        };
        let inside = if spot.frame { self.frames_inside(element, deadline).await? } else { Vec::new() };
        self.arm_others(&mut watch, &inside, deadline).await;
        let press =
            Press { x: spot.x, y: spot.y, button: click.button, times: click.times, modifiers: self.modifiers() };
        watch.pressing();
        let released = mouse::press(self.core(), self.session(), &press, deadline);
        let verdict = self.answer_of::<Verdict>(verdict, deadline);
        tokio::pin!(released, verdict);
        let (mut up, mut said) = (None, None);
        while up.is_none() || said.is_none() {
            tokio::select! {
                biased;
                answer = &mut verdict, if said.is_none() => said = Some(answer),
                answer = &mut released, if up.is_none() => {
                    up = Some(answer);
                    // Were the press to reach this frame, it would have by now.
                    if let (None, Some(own)) = (&said, watch.own()) {
                        own.send("actDisarm", &[watch.argument()]);
                    }
                }
            }
        }
        let pressed = matches!(said, Some(Ok(Verdict { pressed: Some(true), .. })));
        let others = self.end_watch(watch, pressed, deadline).await;
        match said {
            Some(Ok(Verdict { pressed: Some(true), .. })) => match up {
                // Closing its own tab is an answer to a click.
                Some(Err(PageError::Closed)) => Ok(Tried::Done),
                Some(Err(error)) if error.is_late() && !error.is_passing() => Err(PageError::Act {
                    message: format!("{} was pressed, and then {error}", element.description),
                    details: Vec::new(),
                }),
                Some(Err(error)) if !error.is_passing() => Err(error),
                _ => Ok(Tried::Done),
            },
            Some(Err(error)) if error.is_passing() => Err(unknown(format!(
                "the page went away while {} was being clicked, and whether the click arrived is not known",
                element.description
            ))),
            Some(Err(error)) if error.is_late() => Err(unknown(format!(
                "{} was being clicked when {error}; whether the click arrived is not known",
                element.description
            ))),
            Some(Err(error)) => Err(error),
            Some(Ok(own)) => match own.by.or_else(|| others.into_iter().find_map(|verdict| verdict.by)) {
                Some(by) => Ok(Tried::Missed(Failure { check: Check::Still, why: "moving".to_owned(), by: Some(by) })),
                // All other frames watched, and none was pressed: those that it holds were.
                None if !inside.is_empty() => Ok(Tried::Done),
                // Trying again might be a second press.
                None => Err(unknown(format!(
                    "the press on {} arrived nowhere in the page that can be watched, and what it did is not known",
                    element.description
                ))),
            },
            None => Ok(Tried::Done),
        }
    }

    async fn click_point(
        &self,
        target: &Target,
        point: (f64, f64),
        click: &Click,
        deadline: Instant,
    ) -> Result<(), PageError> {
        let (x, y) = self.point_in_window(target, point, deadline).await?;
        self.clear_watches(deadline).await;
        let (dx, dy) = click.at.unwrap_or_default();
        let press =
            Press { x: x + dx, y: y + dy, button: click.button, times: click.times, modifiers: self.modifiers() };
        match mouse::press(self.core(), self.session(), &press, deadline).await {
            Ok(()) | Err(PageError::Closed) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// A place that is in the window: a press outside of it would reach nothing.
    pub(super) async fn point_in_window(
        &self,
        target: &Target,
        (x, y): (f64, f64),
        deadline: Instant,
    ) -> Result<(f64, f64), PageError> {
        let size = async || self.evaluate::<(f64, f64)>(self.main_frame(), "[innerWidth, innerHeight]", deadline).await;
        let (width, height) = self.again(deadline, size).await?;
        if (0.0..width).contains(&x) && (0.0..height).contains(&y) {
            return Ok((x, y));
        }
        let message = format!(
            "{target} is outside the window, which is {width} by {height}: choose a place in it, or `scroll` first"
        );
        Err(PageError::Act {
            message,
            details: vec![("window".to_owned(), json!({ "width": width, "height": height }).to_string())],
        })
    }

    /// A name for one press that no other has.
    pub(super) fn token(&self) -> String {
        format!("press-{}", self.held().next_number())
    }
}

/// Nobody can tell what became of the press, so that it is not tried again.
fn unknown(what: String) -> PageError {
    PageError::Act { message: format!("{what}: look at the page before going on"), details: Vec::new() }
}

/// The document was replaced under the act.
fn moved(error: &PageError) -> Failure {
    Failure { check: Check::Attached, why: format!("no longer on the page ({error})"), by: None }
}
