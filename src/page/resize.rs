//! The size of the viewport.

use tokio::time::Instant;

use super::error::PageError;
use super::tab::Page;
use crate::cdp::emulation;

impl Page {
    /// Gives the tab another viewport, in CSS pixels, and returns when the page has it.
    pub async fn resize(&self, width: u32, height: u32, deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        let core = self.core();
        let device_scale_factor = self.settings().device_scale;
        let metrics = emulation::SetDeviceMetricsOverride { width, height, device_scale_factor, mobile: false };
        core.call(&core.session, &metrics, deadline).await?;
        // The page is laid out anew and told of it with its next frame.
        self.again(deadline, async || {
            self.call_tool::<Option<bool>>(self.main_frame(), "painted", &[], deadline).await.map(drop)
        })
        .await
    }
}
