//! The wheel.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::aim::{Aim, Mode};
use super::mouse;
use super::script::budget;
use crate::page::Page;
use crate::page::error::PageError;
use crate::scenario::{By, Target};

/// Where to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To what is above.
    Up,
    /// To what is below.
    Down,
    /// To what is on the left.
    Left,
    /// To what is on the right.
    Right,
}

impl Direction {
    fn by(self, pixels: f64) -> (f64, f64) {
        match self {
            Direction::Up => (0.0, -pixels),
            Direction::Down => (0.0, pixels),
            Direction::Left => (-pixels, 0.0),
            Direction::Right => (pixels, 0.0),
        }
    }
}

/// How a turn of the wheel ended in one frame.
#[derive(Debug, Deserialize)]
struct Turned {
    /// Something scrolled, or the page took the wheel for itself.
    #[serde(default)]
    scrolled: bool,
    #[serde(default)]
    taken: bool,
}

impl Page {
    /// Turns the wheel over the middle of the window, or of an element, and returns when scrolling has come to its end.
    pub async fn scroll_by(
        &self,
        direction: Direction,
        pixels: f64,
        within: Option<&Target>,
        deadline: Instant,
    ) -> Result<(), PageError> {
        let _act = self.begin_act();
        let point = match within {
            Some(target @ Target { by: By::Point { x, y }, .. }) => {
                self.point_in_window(target, (*x, *y), deadline).await?
            }
            Some(target) => {
                let aim = Aim { mode: Mode::Hover, at: None, settle: false };
                let spot = self.with_element(target, "scrolled", deadline, async |element| {
                    self.aim(element, aim, None, deadline).await
                });
                let spot = spot.await?;
                (spot.x, spot.y)
            }
            None => {
                let size = async || {
                    self.evaluate::<(f64, f64)>(self.main_frame(), "[innerWidth, innerHeight]", deadline).await
                };
                let (width, height) = self.again(deadline, size).await?;
                (width / 2.0, height / 2.0)
            }
        };
        self.turn_wheel(point, direction.by(pixels), deadline).await
    }

    async fn turn_wheel(&self, point: (f64, f64), (dx, dy): (f64, f64), deadline: Instant) -> Result<(), PageError> {
        let token = json!(self.token());
        let worlds = self.worlds();
        // Which frame gets the wheel, and which one scrolls for it, is the browser's decision.
        self.ask_all::<Value>(&worlds, "actWatchWheel", &[token.clone(), json!(dx), json!(dy)], deadline).await;
        let turned = mouse::wheel(self.session(), point, (dx, dy), self.modifiers());
        let mut endings: FuturesUnordered<_> = worlds
            .iter()
            .map(|(_, world)| {
                self.answer_of::<Turned>(
                    world.submit("actWheelDone", &[token.clone(), json!(budget(deadline))]),
                    deadline,
                )
            })
            .collect();
        self.core().answer(turned.await_by(deadline)).await?;
        let mut passed_on = worlds.len() == 1;
        while let Some(ending) = endings.next().await {
            match ending {
                Ok(Turned { scrolled: true, .. } | Turned { taken: true, .. }) => break,
                // Nothing there can scroll; what is around it may.
                Ok(_) if !passed_on => {
                    passed_on = true;
                    for (_, world) in &worlds {
                        world.send("actWheelPassedOn", std::slice::from_ref(&token));
                    }
                }
                Ok(_) => {}
                Err(error) if error.is_passing() => {}
                Err(error) => return Err(error),
            }
        }
        for (_, world) in &worlds {
            world.send("actWheelEnd", std::slice::from_ref(&token));
        }
        Ok(())
    }
}
