//! A found element, and where its frame stands in the viewport.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::Instant;

use super::error::PageError;
use super::inject;
use super::tab::Page;
use crate::cdp::{Pending, Session, dom, runtime};

/// An element of a page, held in the isolated world of its frame. It is let go of when the last clone is dropped.
#[derive(Clone)]
pub struct Element {
    handle: Arc<Handle>,
    /// The number of the DOM node, which stays while the node lives.
    pub backend_node_id: i64,
    /// The frame whose document it is in.
    pub frame: String,
    /// How it is called in messages: its outline line, else its tag.
    pub description: String,
}

/// An object of a JavaScript world, let go of on drop.
struct Handle {
    session: Session,
    object: String,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.session.send(&runtime::ReleaseObject { object_id: &self.object });
    }
}

impl Element {
    pub(super) fn new(
        session: Session,
        object: String,
        backend_node_id: i64,
        frame: String,
        description: String,
    ) -> Element {
        Element { handle: Arc::new(Handle { session, object }), backend_node_id, frame, description }
    }

    /// The session of the process that shows its frame. Input goes to the page's own session instead, see [`Page::session`].
    pub fn session(&self) -> &Session {
        &self.handle.session
    }

    /// Its remote object, in the isolated world of its frame.
    pub fn object_id(&self) -> &str {
        &self.handle.object
    }

    /// Calls a function of the room's scripts on it at once, see [`Page::call_injected`]; the answer can be waited for later.
    pub(crate) fn submit(&self, function: &str, args: &[Value]) -> Pending<runtime::Evaluated> {
        let arguments: Vec<_> = args.iter().map(|value| runtime::Argument::Value(Cow::Borrowed(value))).collect();
        let call = runtime::CallFunctionOn {
            function_declaration: &inject::caller(function),
            object_id: Some(self.object_id()),
            execution_context_id: None,
            arguments: &arguments,
            return_by_value: true,
            await_promise: true,
        };
        self.session().submit(&call)
    }
}

impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Element")
            .field("description", &self.description)
            .field("backend_node_id", &self.backend_node_id)
            .finish_non_exhaustive()
    }
}

/// From points as the protocol tells them of an element's process (content quads, boxes) to points of the page's viewport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// What a step to the right becomes.
    x: (f64, f64),
    /// What a step down becomes.
    y: (f64, f64),
    origin: (f64, f64),
}

impl Transform {
    /// Leaves points as they are.
    pub const IDENTITY: Transform = Transform { x: (1.0, 0.0), y: (0.0, 1.0), origin: (0.0, 0.0) };

    /// A point of the page's viewport.
    pub fn apply(&self, x: f64, y: f64) -> (f64, f64) {
        (self.origin.0 + x * self.x.0 + y * self.y.0, self.origin.1 + x * self.x.1 + y * self.y.1)
    }

    /// Into the corners of a box (clockwise from its top left), which shows `width` by `height` pixels.
    fn into_quad(quad: &[f64], width: f64, height: f64) -> Option<Transform> {
        let &[x1, y1, x2, y2, _, _, x4, y4] = quad else {
            return None;
        };
        if width <= 0.0 || height <= 0.0 {
            return None;
        }
        Some(Transform {
            x: ((x2 - x1) / width, (y2 - y1) / width),
            y: ((x4 - x1) / height, (y4 - y1) / height),
            origin: (x1, y1),
        })
    }

    /// This one, then the other.
    fn then(&self, outer: &Transform) -> Transform {
        let origin = outer.apply(self.origin.0, self.origin.1);
        let from = |(x, y): (f64, f64)| {
            let (px, py) = outer.apply(self.origin.0 + x, self.origin.1 + y);
            (px - origin.0, py - origin.1)
        };
        Transform { x: from(self.x), y: from(self.y), origin }
    }
}

impl Page {
    /// The answer of a call that was submitted before.
    pub(crate) async fn answer_of<T: DeserializeOwned>(
        &self,
        pending: Pending<runtime::Evaluated>,
        deadline: Instant,
    ) -> Result<T, PageError> {
        inject::value(self.core().answer(pending.await_by(deadline)).await?)
    }

    /// Calls a function of the room's scripts (`tools.NAME = (element, …args) => …`, see `inject.rs`) with the element first; a
    /// promise is waited for.
    pub(crate) async fn call_injected<T: DeserializeOwned>(
        &self,
        element: &Element,
        function: &str,
        args: &[Value],
        deadline: Instant,
    ) -> Result<T, PageError> {
        self.answer_of(element.submit(function, args), deadline).await
    }

    /// How points of the element's process become points of the page's viewport, now: scrolling moves frames. Elements of the page's own
    /// process need nothing, their quads are told in the viewport already.
    pub(crate) async fn frame_transform(&self, element: &Element, deadline: Instant) -> Result<Transform, PageError> {
        let core = self.core();
        let mut transform = Transform::IDENTITY;
        let mut frame = element.frame.clone();
        loop {
            let (root, parent) = {
                let state = core.state();
                let gone = || PageError::Moved { reason: "the frame is gone".to_owned() };
                let root = state.frames.local_root(&frame).ok_or_else(gone)?;
                let Some(parent) = &root.parent else {
                    return Ok(transform);
                };
                let parent = state.frames.get(parent).ok_or_else(gone)?;
                (root.clone(), parent.clone())
            };
            let owner = self.frame_owner(&root.id, deadline).await?;
            let model = core.call(&parent.session, &dom::GetBoxModel { backend_node_id: owner }, deadline).await?.model;
            let (width, height): (f64, f64) = self.evaluate(&root.id, "[innerWidth, innerHeight]", deadline).await?;
            let step = Transform::into_quad(&model.content, width, height).ok_or(PageError::NotVisible)?;
            transform = transform.then(&step);
            frame = parent.id;
        }
    }

    /// The element that holds a frame.
    pub(super) async fn frame_owner(&self, frame: &str, deadline: Instant) -> Result<i64, PageError> {
        let core = self.core();
        let parent = {
            let state = core.state();
            let known = state.frames.get(frame);
            if let Some(owner) = known.and_then(|frame| frame.owner) {
                return Ok(owner);
            }
            known
                .and_then(|frame| frame.parent.as_deref())
                .and_then(|parent| state.frames.get(parent))
                .map(|frame| frame.session.clone())
        };
        let Some(parent) = parent else {
            return Err(PageError::Moved { reason: "the frame is gone".to_owned() });
        };
        let owner = core.call(&parent, &dom::GetFrameOwner { frame_id: frame }, deadline).await?.backend_node_id;
        if let Some(frame) = core.state().frames.get_mut(frame) {
            frame.owner = Some(owner);
        }
        Ok(owner)
    }
}

#[cfg(test)]
mod tests {
    use super::Transform;

    #[test]
    fn frames_in_frames_add_up() {
        // A frame of 100 by 50, shown at (10, 20) at twice its size, in a frame shown turned by a quarter at (200, 0).
        let inner = Transform::into_quad(&[10.0, 20.0, 210.0, 20.0, 210.0, 120.0, 10.0, 120.0], 100.0, 50.0);
        let outer = Transform::into_quad(&[200.0, 0.0, 200.0, 300.0, 0.0, 300.0, 0.0, 0.0], 300.0, 200.0);
        let (Some(inner), Some(outer)) = (inner, outer) else { unreachable!("both have a size") };
        assert_eq!(inner.apply(1.0, 1.0), (12.0, 22.0));
        assert_eq!(outer.apply(12.0, 22.0), (178.0, 12.0));
        assert_eq!(inner.then(&outer).apply(1.0, 1.0), (178.0, 12.0));
        assert_eq!(Transform::into_quad(&[0.0; 8], 0.0, 0.0), None);
    }
}
