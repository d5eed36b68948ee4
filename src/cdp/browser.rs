//! The `Browser` domain.

use serde::{Deserialize, Serialize};

use super::{Command, Empty};

/// Which browser this is.
#[derive(Debug, Serialize)]
pub struct GetVersion {}

/// The answer to [`GetVersion`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Such as `HeadlessChrome/156.0.8078.73`.
    pub product: String,
}

impl Command for GetVersion {
    const METHOD: &'static str = "Browser.getVersion";
    type Reply = Version;
}

/// Lets the pages of a context do this without asking, and nothing else.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrantPermissions<'a> {
    /// Such as `geolocation`.
    pub permissions: &'a [&'a str],
    /// The context.
    pub browser_context_id: &'a str,
}

impl Command for GrantPermissions<'_> {
    const METHOD: &'static str = "Browser.grantPermissions";
    type Reply = Empty;
}

/// What becomes of the downloads of a context.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetDownloadBehavior<'a> {
    /// `deny`, or `allowAndName`: kept under the name of the download's own id.
    pub behavior: &'a str,
    /// The context.
    pub browser_context_id: &'a str,
    /// The folder.
    pub download_path: &'a str,
    /// Whether the browser tells how they go.
    pub events_enabled: bool,
}

impl Command for SetDownloadBehavior<'_> {
    const METHOD: &'static str = "Browser.setDownloadBehavior";
    type Reply = Empty;
}

/// Ends the browser in good order, with its profile written.
#[derive(Debug, Serialize)]
pub struct Close {}

impl Command for Close {
    const METHOD: &'static str = "Browser.close";
    type Reply = Empty;
}
