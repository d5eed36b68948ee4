//! The text of a page as it is shown.

use tokio::time::Instant;

use super::error::PageError;
use super::tab::Page;

impl Page {
    /// The text that the page shows, that of its frames after it. What acts set off is waited for.
    pub async fn text(&self, deadline: Instant) -> Result<String, PageError> {
        self.settle(deadline).await?;
        self.again(deadline, async || {
            let frames = self.core().state().frames.in_order();
            let mut texts = Vec::new();
            for frame in frames.iter().filter(|frame| !frame.crashed) {
                match self.call_tool::<String>(&frame.id, "shownText", &[], deadline).await {
                    Ok(text) if text.is_empty() => {}
                    Ok(text) => texts.push(text),
                    // A frame may go at any time; only the page itself must be there.
                    Err(error) if error.is_passing() && frame.parent.is_some() => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(texts.join("\n\n"))
        })
        .await
    }
}
