//! Hovering.

use serde_json::Value;
use tokio::time::Instant;

use super::aim::{Aim, Mode};
use super::answer::{Answer, Check};
use super::mouse;
use super::script::late;
use crate::page::Page;
use crate::page::error::PageError;
use crate::scenario::{By, Target};

impl Page {
    /// Moves the pointer over an element, and waits until the page takes it as hovered; or moves it to a place of the viewport.
    pub async fn hover(&self, target: &Target, deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        if let By::Point { x, y } = target.by {
            let (x, y) = self.point_in_window(target, (x, y), deadline).await?;
            let moved = mouse::move_to(self.session(), x, y, self.modifiers());
            return self.core().answer(moved.await_by(deadline)).await.map(drop);
        }
        self.with_element(target, "hovered", deadline, async |element| {
            let mut settle = false;
            loop {
                let aim = Aim { mode: Mode::Hover, at: None, settle };
                let spot = match self.aim(element, aim, None, deadline).await? {
                    Ok(spot) => spot,
                    Err(failure) => return Ok(Err(failure)),
                };
                let moved = mouse::move_to(self.session(), spot.x, spot.y, self.modifiers());
                // The page draws at least one frame before it answers, so that what hovering shows is on its way.
                self.core().answer(moved.await_by(deadline)).await?;
                let now = serde_json::json!({ "budget": 50 });
                let answer: Answer<Value> = self.call_injected(element, "actHovered", &[now], late(deadline)).await?;
                match answer.into_result() {
                    Ok(_) => return Ok(Ok(())),
                    Err(failure) if failure.check == Check::Attached || Instant::now() >= deadline => {
                        return Ok(Err(failure));
                    }
                    // It moved away: with the next frame it is tried again.
                    Err(_) => settle = true,
                }
            }
        })
        .await
    }

    /// Scrolls until an element is in the window, clear of what is drawn over the window's edges.
    pub async fn scroll_to(&self, target: &Target, deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        self.with_element(target, "scrolled to", deadline, async |element| {
            let aim = Aim { mode: Mode::Scroll, at: None, settle: false };
            Ok(self.aim(element, aim, None, deadline).await?.map(drop))
        })
        .await
    }
}
