//! A context: cookies, storage and tabs apart from every other context's.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::time::Instant;

use super::BrowserError;
use super::targets::Targets;
use crate::cdp::browser::{GrantPermissions, SetDownloadBehavior};
use crate::cdp::target::{CreateTarget, DisposeBrowserContext, RunIfWaitingForDebugger};
use crate::cdp::{Connection, Session};

/// A context of a browser. Dropping the last clone disposes of it with all its tabs, without
/// waiting.
#[derive(Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

struct Inner {
    id: String,
    connection: Connection,
    targets: Arc<Targets>,
    /// Browsers with windows hide the tabs of a window behind the one in front, and hidden tabs
    /// stand still.
    windows: bool,
    folder: Option<PathBuf>,
    arrivals: tokio::sync::Mutex<tokio::sync::mpsc::UnboundedReceiver<Target>>,
}

/// A tab, attached.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its id.
    pub id: String,
    /// The session that speaks to it.
    pub session: Session,
    /// The id of the tab that opened it.
    pub opener: Option<String>,
    /// Its address when it was attached to.
    pub url: String,
}

impl Target {
    /// Lets a pop-up run, which stands still until it is set up. Does nothing to a target that
    /// runs.
    pub fn resume(&self) {
        self.session.send(&RunIfWaitingForDebugger {});
    }
}

impl Context {
    pub(super) fn new(
        id: String,
        connection: Connection,
        targets: Arc<Targets>,
        windows: bool,
        folder: Option<PathBuf>,
    ) -> Context {
        let arrivals = tokio::sync::Mutex::new(targets.register(&id));
        Context { inner: Arc::new(Inner { id, connection, targets, windows, folder, arrivals }) }
    }

    /// Its id in the protocol.
    pub fn id(&self) -> &str {
        &self.inner.id
    }

    /// The connection to its browser.
    pub fn connection(&self) -> &Connection {
        &self.inner.connection
    }

    /// Opens a tab, which runs. What must be set up before a page runs is set up on `about:blank`,
    /// before going to the page.
    pub async fn new_target(&self, url: &str, deadline: Instant) -> Result<Target, BrowserError> {
        let inner = &self.inner;
        let opening = inner.targets.opening(&inner.id);
        let command = CreateTarget { url, browser_context_id: Some(&inner.id), new_window: inner.windows };
        let created = inner.connection.root().call(&command, deadline).await?;
        Ok(opening.attached(&created.target_id, deadline).await?)
    }

    /// The next tab that a page of this context opens: attached, and standing still until
    /// [`Target::resume`]. `None` when the context is disposed of or the browser has gone. Safe to
    /// drop while waiting.
    pub async fn next_target(&self) -> Option<Target> {
        self.inner.arrivals.lock().await.recv().await
    }

    /// Lets its pages do this without asking, in the protocol's words, and nothing else.
    pub async fn grant(&self, permissions: &[&str], deadline: Instant) -> Result<(), BrowserError> {
        let command = GrantPermissions { permissions, browser_context_id: &self.inner.id };
        self.inner.connection.root().call(&command, deadline).await?;
        Ok(())
    }

    /// Keeps what its pages download in a folder, each file under the name that the browser gives the download.
    pub async fn keep_downloads(&self, folder: &Path, deadline: Instant) -> Result<(), BrowserError> {
        let command = SetDownloadBehavior {
            behavior: "allowAndName",
            browser_context_id: &self.inner.id,
            download_path: &folder.to_string_lossy(),
            events_enabled: true,
        };
        self.inner.connection.root().call(&command, deadline).await?;
        Ok(())
    }

    /// A folder that is removed when the browser is, however it ends; none of a browser that keeps its profile or that somebody else
    /// started.
    pub fn temporary_folder(&self) -> Option<&Path> {
        self.inner.folder.as_deref()
    }

    /// Closes all its tabs, without asking their pages, and forgets everything.
    pub async fn dispose(&self, deadline: Instant) -> Result<(), BrowserError> {
        let inner = &self.inner;
        inner.targets.forget(&inner.id);
        inner.connection.root().call(&DisposeBrowserContext { browser_context_id: &inner.id }, deadline).await?;
        Ok(())
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(&self.inner.id).finish()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.targets.forget(&self.id) {
            self.connection.root().send(&DisposeBrowserContext { browser_context_id: &self.id });
        }
    }
}
