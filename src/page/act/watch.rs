//! The watch over a press: every frame is told which element may be pressed, and any other press is stopped on its way.

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::script::{World, budget};
use crate::page::error::PageError;
use crate::page::{Element, Page};

/// What became of a press in one frame.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Verdict {
    /// Whether it reached its element; `None` when it came to nothing in this frame.
    #[serde(default)]
    pub(super) pressed: Option<bool>,
    /// What it would have hit instead.
    #[serde(default)]
    pub(super) by: Option<String>,
}

/// Frames that watch a press. Dropping it, as when an act runs out of time, ends the watch: later presses are none of its business.
pub(super) struct Watch {
    pub(super) token: String,
    armed: Vec<(String, World)>,
    /// The press is on its way. Should nobody wait for it any more, the watch goes on until it ends by itself: ending it could let the
    /// press through to a wrong element.
    pressing: bool,
}

impl Watch {
    /// A watch in the frame that `world` is of; the frame is armed by the look that finds the element ready.
    pub(super) fn new(token: String, frame: &str, world: World) -> Watch {
        Watch { token, armed: vec![(frame.to_owned(), world)], pressing: false }
    }

    /// The frame of the element.
    pub(super) fn own(&self) -> Option<&World> {
        self.armed.first().map(|(_, world)| world)
    }

    pub(super) fn add(&mut self, frame: &str, world: World) {
        self.armed.push((frame.to_owned(), world));
    }

    fn watches(&self, frame: &str) -> bool {
        self.armed.iter().any(|(known, _)| known == frame)
    }

    pub(super) fn pressing(&mut self) {
        self.pressing = true;
    }

    pub(super) fn argument(&self) -> Value {
        json!(self.token)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        for (_, world) in self.armed.iter().filter(|_| !self.pressing) {
            world.send("actDisarm", &[self.argument()]);
        }
    }
}

impl Page {
    /// Lets all frames watch that are not on the way to the element, nor `inside` of it: a press there is always a wrong one.
    pub(super) async fn arm_others(&self, watch: &mut Watch, inside: &[String], deadline: Instant) {
        let mut others = self.worlds();
        others.retain(|(frame, _)| !watch.watches(frame) && !inside.contains(frame));
        if others.is_empty() {
            return;
        }
        let args = [watch.argument(), json!(budget(deadline))];
        self.ask_all::<Value>(&others, "actArm", &args, deadline).await;
        for (frame, world) in others {
            watch.add(&frame, world);
        }
    }

    /// The frames that an element holds, at any depth: where it is pressed, one of them is.
    pub(super) async fn frames_inside(&self, element: &Element, deadline: Instant) -> Result<Vec<String>, PageError> {
        let below = |parent: &str| -> Vec<String> {
            let state = self.core().state();
            let held = state.frames.iter().filter(|frame| frame.parent.as_deref() == Some(parent));
            held.map(|frame| frame.id.clone()).collect()
        };
        let mut inside = Vec::new();
        for frame in below(&element.frame) {
            if self.frame_owner(&frame, deadline).await? == element.backend_node_id {
                inside.push(frame);
            }
        }
        let mut next = 0;
        while let Some(frame) = inside.get(next) {
            inside.extend(below(&frame.clone()));
            next += 1;
        }
        Ok(inside)
    }

    /// Ends what is left of earlier watches, for a press that may hit anything.
    pub(super) async fn clear_watches(&self, deadline: Instant) {
        self.ask_all::<Value>(&self.worlds(), "actClear", &[], deadline).await;
    }

    /// Ends the watch and tells what the frames saw. A frame that saw its element pressed has ended it by itself.
    pub(super) async fn end_watch(&self, mut watch: Watch, pressed: bool, deadline: Instant) -> Vec<Verdict> {
        let mut armed = std::mem::take(&mut watch.armed);
        armed.drain(..usize::from(pressed).min(armed.len()));
        let args = [watch.argument()];
        self.ask_all(&armed, "actDisarm", &args, deadline).await.into_iter().map(|(_, verdict)| verdict).collect()
    }
}
