//! A picture of a page that stands still, so that two of them can be compared.

use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::Instant;

use super::error::PageError;
use super::frames::Frame;
use super::look::Look;
use super::tab::Page;
use crate::cdp::{page as protocol, runtime};
use crate::scenario::Target;

/// How long fonts and pictures may be on their way. What does not come by then is missing in the picture.
const COMING: Duration = Duration::from_secs(3);

/// A picture, and where in it elements are that it is not about.
#[derive(Debug, Clone)]
pub struct Still {
    /// The bytes of its file.
    pub bytes: Vec<u8>,
    /// How wide what it shows is, in CSS pixels; a picture of a dense screen has more of its own.
    pub width: f64,
    /// The boxes of the elements: left, top, width and height in CSS pixels, from the picture's corner.
    pub masked: Vec<[f64; 4]>,
}

impl Page {
    /// Takes a picture while nothing moves: without the caret, with animations at their end (those without an end at their start),
    /// after fonts and pictures have come. The boxes of all elements that `masks` mean are told with it.
    ///
    /// # Errors
    /// When no picture can be taken, or nothing is what one of `masks` means.
    pub async fn look_at_rest(&self, look: &Look, masks: &[Target], deadline: Instant) -> Result<Still, PageError> {
        self.settle(deadline).await?;
        self.again(deadline, async || {
            let frames = self.core().state().frames.in_order();
            // Whatever happens from here on, the page moves again afterwards.
            let _rest = Rest { page: self, frames: &frames };
            let patience = deadline.min(Instant::now() + COMING);
            let all = frames.iter().filter(|frame| !frame.crashed);
            let stood = join_all(all.map(async |frame| {
                let stood = async {
                    self.adopt_closed(&frame.id, patience).await?;
                    self.call_tool::<Option<()>>(&frame.id, "still", &[], patience).await
                };
                (frame.parent.is_some(), stood.await)
            }))
            .await;
            for (inner, asked) in stood {
                match asked {
                    Err(error) if error.is_late() || (inner && error.is_passing()) => {}
                    other => drop(other?),
                }
            }
            let clip = self.clip_of(&look.of, deadline).await?;
            let mut masked = Vec::new();
            for mask in masks {
                for [left, top, width, height] in self.boxes(mask, deadline).await? {
                    masked.push([left - clip.x, top - clip.y, width, height]);
                }
            }
            let bytes = self.capture(look, clip, deadline).await?;
            Ok(Still { bytes, width: clip.width, masked })
        })
        .await
    }

    /// The boxes of all elements that a target means, in CSS pixels of the document. What has none needs none.
    async fn boxes(&self, target: &Target, deadline: Instant) -> Result<Vec<[f64; 4]>, PageError> {
        let found = self.locate_all(target, deadline).await?;
        if found.is_empty() {
            return Err(PageError::Unmasked { target: target.to_string() });
        }
        let mut boxes = Vec::new();
        for element in &found {
            match self.box_of(element, deadline).await {
                Ok(protocol::Clip { x, y, width, height, .. }) => boxes.push([x, y, width, height]),
                Err(PageError::NoPicture { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(boxes)
    }
}

/// Lets the frames move again when it goes.
struct Rest<'a> {
    page: &'a Page,
    frames: &'a [Frame],
}

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        let state = self.page.core().state();
        for frame in self.frames {
            let Some(frame) = state.frames.get(&frame.id).filter(|frame| !frame.crashed) else { continue };
            frame.session.send(&runtime::Evaluate {
                expression: "__playscript.move()",
                context_id: frame.world,
                return_by_value: true,
                await_promise: false,
            });
        }
    }
}
