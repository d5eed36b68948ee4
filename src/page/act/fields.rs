//! Acts on an element that is found by what is asked for, and found again when the page replaces it meanwhile.

use tokio::time::Instant;

use super::answer::{Check, Failure};
use crate::page::error::PageError;
use crate::page::{Element, Page};
use crate::scenario::{By, Target};

impl Page {
    /// Finds the element and does something with it. When the element or its document goes meanwhile, both are done again.
    pub(super) async fn with_element<T>(
        &self,
        target: &Target,
        deed: &str,
        deadline: Instant,
        mut act: impl AsyncFnMut(&Element) -> Result<Result<T, Failure>, PageError>,
    ) -> Result<T, PageError> {
        loop {
            let element = self.locate(target, deadline).await?;
            let error = match act(&element).await {
                Ok(Ok(done)) => return Ok(done),
                Ok(Err(failure)) if failure.check == Check::Attached => failure.error(target, &element, deed),
                Ok(Err(failure)) => return Err(failure.error(target, &element, deed)),
                Err(error) if error.is_passing() && matches!(target.by, By::Ref(_)) => PageError::Stale,
                Err(error) if error.is_passing() => error,
                Err(error) => return Err(error),
            };
            if Instant::now() >= deadline {
                return Err(error);
            }
        }
    }
}
