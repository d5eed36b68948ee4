//! What a browser context has kept: cookies and storage, told as a whole and put into another context.

mod cookies;
mod local;
mod origins;
mod session;

pub use cookies::KeptCookie;
pub use origins::{KeptItem, KeptOrigin};

pub(super) use session::{Fillings, join};

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::error::PageError;
use super::tabs::Tabs;

/// Cookies and storage, written as Playwright writes its `storageState`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
pub struct Kept {
    /// The cookies of all hosts.
    #[serde(default)]
    pub cookies: Vec<KeptCookie>,
    /// The storage of each origin.
    #[serde(default)]
    pub origins: Vec<KeptOrigin>,
}

impl Tabs {
    /// All cookies of the context, the local storage of the origins that its tabs show, in frames too, and the session storage of those
    /// that the current tab shows.
    ///
    /// # Errors
    /// When a page or the browser does not answer.
    pub async fn kept(&self, deadline: Instant) -> Result<Kept, PageError> {
        let origins = origins::of_tabs(self, deadline).await?;
        Ok(Kept { cookies: cookies::get(self.context(), deadline).await?, origins })
    }

    /// Adds what another context has kept: session storage to the current tab, the rest to all of them. Origins that are not open
    /// have it before the first script of their pages runs.
    ///
    /// # Errors
    /// When the browser refuses any of it.
    pub async fn keep(&self, kept: &Kept, deadline: Instant) -> Result<(), PageError> {
        cookies::set(self.context(), &kept.cookies, deadline).await?;
        local::fill(self.context(), &kept.origins, deadline).await?;
        session::fill(&self.current(), &kept.origins, deadline).await
    }
}
