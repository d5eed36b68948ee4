//! Waiting for a page to change.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::core::Core;
use super::error::PageError;
use super::tab::Page;
use crate::cdp::runtime;

/// Re-looks happen when the page tells of a change. No observer sees everything: properties that a script sets on a field (its value,
/// whether it is checked) without an event, closed shadow trees, styles that change by a media query or a hover. So a look that waits is
/// done again this often, whatever was told.
const SAFETY_NET: Duration = Duration::from_millis(250);

/// Tells when a page has changed since a moment. Make it *before* looking, look, then wait: nothing falls in between.
pub struct Changes {
    core: Arc<Core>,
    seen: u64,
}

impl Page {
    /// Marks this moment.
    pub fn changes(&self) -> Changes {
        let mut changes = Changes { core: self.core().clone(), seen: 0 };
        changes.mark();
        changes
    }
}

impl Changes {
    /// Marks this moment instead: sees to it that every frame will tell of the next change once. A command to a frame comes before any
    /// look that follows, so that a change is either seen by the look or told.
    fn mark(&mut self) {
        let mut state = self.core.state();
        self.seen = state.changes;
        for frame in state.frames.iter_mut().filter(|frame| !frame.armed && !frame.crashed) {
            let Some(world) = frame.world else { continue };
            frame.armed = true;
            frame.session.send(&runtime::Evaluate {
                expression: "__playscript.arm()",
                context_id: Some(world),
                return_by_value: true,
                await_promise: false,
            });
        }
    }

    /// Waits until the page tells of a change (or a safety net's time has passed) and marks the moment anew: look again. `false` at the
    /// deadline.
    pub async fn changed(&mut self, deadline: Instant) -> Result<bool, PageError> {
        let net = deadline.min(Instant::now() + SAFETY_NET);
        let seen = self.seen;
        self.core.until(net, |state| (state.changes != seen).then_some(())).await?;
        // Looked at again or not, a page that changes without end must not outwait the deadline.
        if Instant::now() >= deadline {
            return Ok(false);
        }
        self.mark();
        Ok(true)
    }
}
