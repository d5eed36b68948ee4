//! A browser that runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::BrowserError;
use super::context::Context;
use super::process::Process;
use super::targets::Targets;
use crate::cdp::browser::Close;
use crate::cdp::target::CreateBrowserContext;
use crate::cdp::{CallError, Connection};
use crate::process::Phase;

/// How long a browser that writes to a profile of the user's may take to end.
const GOOD_ORDER: Duration = Duration::from_secs(5);

/// A browser that runs. Dropping it ends it, without waiting, when it was launched here.
#[derive(Debug)]
pub struct Browser {
    pub(super) connection: Connection,
    pub(super) targets: Arc<Targets>,
    pub(super) launched: Option<Launched>,
    pub(super) product: String,
    pub(super) version: String,
    pub(super) notices: Vec<String>,
    /// Not the headless shell: it has windows, even if nobody sees them.
    pub(super) windows: bool,
}

/// What is known of a browser that was launched here.
#[derive(Debug)]
pub(super) struct Launched {
    pub(super) process: Process,
    pub(super) profile: PathBuf,
    pub(super) keeps_profile: bool,
}

impl Browser {
    /// What it is, such as `Chromium 156 (headless shell)`.
    pub fn product(&self) -> &str {
        &self.product
    }

    /// Its version, such as `156.0.8078.73`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What was decided about this machine that the user should know; to be shown once.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The connection to it.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The number of its process, when it was launched here.
    pub fn pid(&self) -> Option<u32> {
        self.launched.as_ref().map(|launched| launched.process.pid())
    }

    /// Its profile folder, when it was launched here.
    pub fn profile(&self) -> Option<&Path> {
        self.launched.as_ref().map(|launched| launched.profile.as_path())
    }

    /// A context of its own: cookies, storage and tabs apart from every other's.
    pub async fn new_context(&self, deadline: Instant) -> Result<Context, BrowserError> {
        let command = CreateBrowserContext { dispose_on_detach: true };
        let created = self.connection.root().call(&command, deadline).await?;
        let (connection, targets) = (self.connection.clone(), Arc::clone(&self.targets));
        let temporary = self.launched.as_ref().filter(|launched| !launched.keeps_profile);
        let folder = temporary.map(|launched| launched.profile.clone());
        Ok(Context::new(created.browser_context_id, connection, targets, self.windows, folder))
    }

    /// Resolves when the browser has gone, with its last words.
    pub async fn gone(&self) -> CallError {
        self.connection.gone().await
    }

    /// Ends it when it was launched here, and returns when all its processes and its temporary
    /// folder are gone. From a browser that was connected to it only parts; contexts that were made
    /// here go with the connection.
    pub async fn close(mut self) {
        let Some(launched) = self.launched.take() else {
            self.connection.close();
            self.connection.closed().await;
            return;
        };
        let mut phase = launched.process.phase();
        if launched.keeps_profile {
            // What the pages have stored is to be written first.
            self.connection.root().send(&Close {});
            let ended = phase.wait_for(|phase| *phase != Phase::Running);
            let _ = tokio::time::timeout(GOOD_ORDER, ended).await;
        }
        launched.process.kill();
        self.connection.close();
        let _ = phase.wait_for(|phase| matches!(phase, Phase::Cleared(_))).await;
    }
}
