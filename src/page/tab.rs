//! The tab itself.

use std::sync::Arc;

use tokio::time::Instant;

use super::act::Held;
use super::console::{ConsoleEntry, Source};
use super::core::{Core, OfContext};
use super::dialogs::Dialog;
use super::error::PageError;
use super::net::{Download, Sent, Traffic};
use super::refs::Refs;
use super::settings::PageSettings;
use super::{setup, watch};
use crate::browser::Target;
use crate::cdp::Session;

/// One tab of a browser. Everything that waits takes a deadline and ends at once when the page crashes, the tab is closed or the browser
/// goes.
pub struct Page {
    core: Arc<Core>,
    target: Target,
    pub(super) refs: Refs,
    held: Held,
}

impl Page {
    /// Sets up a tab that was just opened or that is paused at its start, and lets it run.
    pub(super) async fn attach(
        target: Target,
        settings: PageSettings,
        shared: OfContext,
        deadline: Instant,
    ) -> Result<Page, PageError> {
        // A tab and its main frame have one id.
        let core = Arc::new(Core::new(target.session.clone(), settings, shared, target.id.clone()));
        let events = target.session.events();
        tokio::spawn(watch::watch(core.clone(), target.session.clone(), events));
        setup::page(&core, &target, deadline).await?;
        Ok(Page { core, target, refs: Refs::default(), held: Held::default() })
    }

    pub(super) fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// The keys that are down.
    pub(super) fn held(&self) -> &Held {
        &self.held
    }

    /// The tab's own session. Mouse and key input goes to it, in points of the viewport, for elements in frames of other processes too: the
    /// browser hands it on by where it hits and what has the focus.
    pub fn session(&self) -> &Session {
        &self.core.session
    }

    /// What the tab is to the browser.
    pub fn target_id(&self) -> &str {
        &self.target.id
    }

    /// The id of the main frame.
    pub fn main_frame(&self) -> &str {
        &self.target.id
    }

    /// How pages of this tab are set up.
    pub fn settings(&self) -> &PageSettings {
        &self.core.settings
    }

    /// The address, as last told: no round trip. Without the user and password that it may have been opened with.
    pub fn url(&self) -> String {
        let state = self.core.state();
        let main = state.frames.main();
        let url = main.map(|main| main.unreachable.as_ref().unwrap_or(&main.url).clone()).unwrap_or_default();
        drop(state);
        without_credentials(url)
    }

    /// The document's title.
    pub async fn title(&self, deadline: Instant) -> Result<String, PageError> {
        self.again(deadline, async || self.evaluate(self.main_frame(), "document.title", deadline).await).await
    }

    /// What the page logged so far, the newest thousand entries.
    pub fn console(&self) -> Vec<ConsoleEntry> {
        self.console_since(0)
    }

    /// What the page logged from an entry on, see [`Page::console_count`].
    pub fn console_since(&self, count: usize) -> Vec<ConsoleEntry> {
        self.core.state().console.since(count)
    }

    /// How many entries there were so far.
    pub fn console_count(&self) -> usize {
        self.core.state().console.count()
    }

    /// Exceptions that nothing in the page caught, from an entry on.
    pub fn page_errors(&self, since: usize) -> Vec<ConsoleEntry> {
        let mut entries = self.console_since(since);
        entries.retain(|entry| entry.source == Source::Exception);
        entries
    }

    /// The dialogs that pages of this tab opened so far.
    pub fn dialogs(&self) -> Vec<Dialog> {
        self.core.state().dialogs.clone()
    }

    /// What the pages of this tab's context ask for over the network.
    pub fn traffic(&self) -> &Arc<Traffic> {
        &self.core.traffic
    }

    /// Looks at the requests of the context until they give something, or `None` at the deadline.
    ///
    /// # Errors
    /// When the tab or the browser goes meanwhile.
    pub async fn until_sent<T>(
        &self,
        deadline: Instant,
        look: impl FnMut(&mut dyn Iterator<Item = &Sent>) -> Option<T>,
    ) -> Result<Option<T>, PageError> {
        tokio::select! {
            biased;
            found = self.core.traffic.until_sent(deadline, look) => Ok(found),
            why = self.core.until_stopped() => Err(why),
        }
    }

    /// Looks at the downloads of the context until they give something, or `None` at the deadline.
    ///
    /// # Errors
    /// When the tab or the browser goes meanwhile.
    pub async fn until_downloaded<T>(
        &self,
        deadline: Instant,
        look: impl FnMut(&[Download]) -> Option<T>,
    ) -> Result<Option<T>, PageError> {
        tokio::select! {
            biased;
            found = self.core.traffic.until_downloaded(deadline, look) => Ok(found),
            why = self.core.until_stopped() => Err(why),
        }
    }

    /// Looks at what the page logged until it gives something, or `None` at the deadline.
    ///
    /// # Errors
    /// When the tab or the browser goes meanwhile.
    pub async fn until_logged<T>(
        &self,
        deadline: Instant,
        mut look: impl FnMut(&[ConsoleEntry]) -> Option<T>,
    ) -> Result<Option<T>, PageError> {
        self.core.until(deadline, |state| look(&state.console.since(0))).await
    }

    /// Why nothing can be asked of this tab, if so. A crashed page can be opened again.
    pub fn stopped(&self) -> Option<PageError> {
        self.core.stopped()
    }

    /// Resolves when the tab is closed or the browser has gone; a crash is neither.
    pub(super) async fn closed(&self) {
        self.until_gone().await;
    }

    /// The same, with the reason.
    pub(super) async fn until_gone(&self) -> PageError {
        self.core.until_gone().await
    }

    /// Does a look again as long as the document goes away under it.
    pub(super) async fn again<T>(
        &self,
        deadline: Instant,
        mut look: impl AsyncFnMut() -> Result<T, PageError>,
    ) -> Result<T, PageError> {
        loop {
            let told = self.core.listen();
            match look().await {
                Err(error) if error.is_passing() => self.until_told(told, deadline, error).await?,
                other => return other,
            }
        }
    }

    /// Waits for news of the document that follows, or gives the error that stands.
    pub(super) async fn until_told(
        &self,
        mut told: tokio::sync::watch::Receiver<u64>,
        deadline: Instant,
        error: PageError,
    ) -> Result<(), PageError> {
        tokio::select! {
            biased;
            why = self.core.until_stopped() => Err(why),
            _ = told.changed() => Ok(()),
            () = tokio::time::sleep_until(deadline) => Err(error),
            // The news that explains the refusal may have come before anyone listened.
            () = tokio::time::sleep(std::time::Duration::from_millis(50)) => Ok(()),
        }
    }
}

impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Page").field(&self.target.id).finish()
    }
}

pub(super) fn without_credentials(url: String) -> String {
    // Few addresses have any; the rest stay as the browser wrote them.
    if !url.contains('@') {
        return url;
    }
    match url::Url::parse(&url) {
        Ok(mut parsed) if !parsed.username().is_empty() || parsed.password().is_some() => {
            // Refused only for addresses without a host, which have neither.
            let _ = parsed.set_username("");
            let _ = parsed.set_password(None);
            parsed.into()
        }
        _ => url,
    }
}
