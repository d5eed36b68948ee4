//! From an element to the point of the window where it can be pressed.

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::answer::{Answer, Failure};
use super::script::{World, budget, late};
use super::watch::Watch;
use crate::cdp::dom;
use crate::page::error::PageError;
use crate::page::{Element, Page};

/// What an element is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// All checks.
    Press,
    /// Enabled or not.
    Hover,
    /// To be seen only.
    Scroll,
    /// To be seen only, and where it is, whatever covers it.
    Place,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Press => "press",
            Mode::Hover => "hover",
            Mode::Scroll => "scroll",
            Mode::Place => "place",
        }
    }
}

/// How to look for the point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim {
    pub(super) mode: Mode,
    /// From the element's top left corner; else the best place is chosen.
    pub(super) at: Option<(f64, f64)>,
    /// Waits for one frame first: the last try missed what moves.
    pub(super) settle: bool,
}

/// A point in a frame's own viewport, and as fractions of it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Spot {
    pub(super) x: f64,
    pub(super) y: f64,
    fx: f64,
    fy: f64,
    /// What covers it there, where it was asked for its place.
    #[serde(default)]
    pub(super) by: Option<String>,
    /// The element may hold a document, which receives what is pressed there.
    #[serde(default)]
    pub(super) frame: bool,
}

impl Page {
    /// Waits until the element can be acted on, and gives the point of the window where to. With a watch, every frame on the way is armed.
    pub(super) async fn aim(
        &self,
        element: &Element,
        aim: Aim,
        mut watch: Option<&mut Watch>,
        deadline: Instant,
    ) -> Result<Result<Spot, Failure>, PageError> {
        let token = watch.as_ref().map(|watch| watch.argument());
        let at = aim.at.map(|(x, y)| json!({ "x": x, "y": y }));
        let options = json!({ "mode": aim.mode.name(), "budget": budget(deadline), "at": at, "still": aim.settle, "token": token });
        let answer = self.ready(element, options, deadline).await?;
        let mut spot = match answer {
            Ok(spot) => spot,
            Err(failure) => return Ok(Err(failure)),
        };
        let mut frame = element.frame.clone();
        while let Some(parent) = self.parent_frame(&frame) {
            let world = self.world_of(&parent, deadline).await?;
            let owner = self.frame_element(&frame, &parent, &world, deadline).await?;
            let options = json!({
                "mode": "frame", "budget": budget(deadline), "token": token,
                "fraction": { "x": spot.fx, "y": spot.fy },
            });
            if let Some(watch) = watch.as_mut() {
                watch.add(&parent, world);
            }
            let (by, holds) = (spot.by.take(), spot.frame);
            spot = match self.ready(&owner, options, deadline).await? {
                Ok(outer) => Spot { by, frame: holds, ..outer },
                Err(failure) => return Ok(Err(failure)),
            };
            frame = parent;
        }
        Ok(Ok(spot))
    }

    async fn ready(
        &self,
        element: &Element,
        options: Value,
        deadline: Instant,
    ) -> Result<Result<Spot, Failure>, PageError> {
        let pending = element.submit("actReady", &[options]);
        Ok(self.answer_of::<Answer<Spot>>(pending, late(deadline)).await?.into_result())
    }

    fn parent_frame(&self, frame: &str) -> Option<String> {
        self.core().state().frames.get(frame)?.parent.clone()
    }

    /// The element that holds a frame, in the world of the document around it.
    async fn frame_element(
        &self,
        frame: &str,
        parent: &str,
        world: &World,
        deadline: Instant,
    ) -> Result<Element, PageError> {
        let backend_node_id = self.frame_owner(frame, deadline).await?;
        let resolve = dom::ResolveNode { backend_node_id, execution_context_id: world.id };
        let object = self.core().call(&world.session, &resolve, deadline).await?.object;
        let Some(id) = object.object_id else {
            return Err(PageError::Moved { reason: "the frame is gone".to_owned() });
        };
        Ok(Element::new(world.session.clone(), id, backend_node_id, parent.to_owned(), "Iframe".to_owned()))
    }
}
