//! `Page`: documents, frames, dialogs and pictures.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Command, Empty};

/// Starts the events.
#[derive(Debug, Serialize)]
pub struct Enable {}

impl Command for Enable {
    const METHOD: &'static str = "Page.enable";
    type Reply = Empty;
}

/// Tells `init`, `DOMContentLoaded`, `load`, `networkIdle` … of every document.
#[derive(Debug, Serialize)]
pub struct SetLifecycleEventsEnabled {
    /// On or off.
    pub enabled: bool,
}

impl Command for SetLifecycleEventsEnabled {
    const METHOD: &'static str = "Page.setLifecycleEventsEnabled";
    type Reply = Empty;
}

/// The frames that stand already.
#[derive(Debug, Serialize)]
pub struct GetFrameTree {}

impl Command for GetFrameTree {
    const METHOD: &'static str = "Page.getFrameTree";
    type Reply = FrameTreeReply;
}

/// The answer of [`GetFrameTree`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameTreeReply {
    /// The tree.
    pub frame_tree: FrameTree,
}

/// A frame and those in it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameTree {
    /// The frame.
    pub frame: Frame,
    /// Those in it.
    #[serde(default)]
    pub child_frames: Vec<FrameTree>,
}

/// A frame with the document it shows.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    /// The id, which stays when its document changes.
    pub id: String,
    /// The frame around it.
    #[serde(default)]
    pub parent_id: Option<String>,
    /// Names the document.
    pub loader_id: String,
    /// The document's address, without its fragment.
    pub url: String,
    /// The fragment, with its `#`.
    #[serde(default)]
    pub url_fragment: Option<String>,
    /// The address that could not be reached, of an error page.
    #[serde(default)]
    pub unreachable_url: Option<String>,
}

/// Goes to an address.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Navigate<'a> {
    /// The address.
    pub url: &'a str,
}

impl Command for Navigate<'_> {
    const METHOD: &'static str = "Page.navigate";
    type Reply = Navigated;
}

/// The answer of [`Navigate`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Navigated {
    /// The frame.
    pub frame_id: String,
    /// The new document; none when only the fragment changed.
    #[serde(default)]
    pub loader_id: Option<String>,
    /// Such as `net::ERR_CONNECTION_REFUSED`.
    #[serde(default)]
    pub error_text: Option<String>,
    /// Whether it became a download.
    #[serde(default)]
    pub is_download: Option<bool>,
}

/// Loads the document again.
#[derive(Debug, Serialize)]
pub struct Reload {}

impl Command for Reload {
    const METHOD: &'static str = "Page.reload";
    type Reply = Empty;
}

/// Where the tab has been.
#[derive(Debug, Serialize)]
pub struct GetNavigationHistory {}

impl Command for GetNavigationHistory {
    const METHOD: &'static str = "Page.getNavigationHistory";
    type Reply = NavigationHistory;
}

/// The answer of [`GetNavigationHistory`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigationHistory {
    /// Which one it shows.
    pub current_index: i64,
    /// All of them.
    pub entries: Vec<NavigationEntry>,
}

/// One place of the history.
#[derive(Debug, Deserialize)]
pub struct NavigationEntry {
    /// The id.
    pub id: i64,
    /// The address.
    pub url: String,
}

/// Goes back or forward.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigateToHistoryEntry {
    /// The id of the entry.
    pub entry_id: i64,
}

impl Command for NavigateToHistoryEntry {
    const METHOD: &'static str = "Page.navigateToHistoryEntry";
    type Reply = Empty;
}

/// Stops all navigations and loads.
#[derive(Debug, Serialize)]
pub struct StopLoading {}

impl Command for StopLoading {
    const METHOD: &'static str = "Page.stopLoading";
    type Reply = Empty;
}

/// A script for every document, before its own scripts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddScriptToEvaluateOnNewDocument<'a> {
    /// The script.
    pub source: &'a str,
    /// The isolated world; the page's own when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world_name: Option<&'a str>,
    /// Whether the documents that stand already get it too.
    pub run_immediately: bool,
}

impl Command for AddScriptToEvaluateOnNewDocument<'_> {
    const METHOD: &'static str = "Page.addScriptToEvaluateOnNewDocument";
    type Reply = Empty;
}

/// The same of a script that is taken away again.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct AddPassingScript<'a>(pub AddScriptToEvaluateOnNewDocument<'a>);

impl Command for AddPassingScript<'_> {
    const METHOD: &'static str = AddScriptToEvaluateOnNewDocument::METHOD;
    type Reply = ScriptAdded;
}

/// The answer of [`AddPassingScript`].
#[derive(Debug, Deserialize)]
pub struct ScriptAdded {
    /// Names the script.
    pub identifier: String,
}

/// Takes a script away: documents that begin later do not get it.
#[derive(Debug, Serialize)]
pub struct RemoveScriptToEvaluateOnNewDocument<'a> {
    /// Names the script.
    pub identifier: &'a str,
}

impl Command for RemoveScriptToEvaluateOnNewDocument<'_> {
    const METHOD: &'static str = "Page.removeScriptToEvaluateOnNewDocument";
    type Reply = Empty;
}

/// A world of its own in a frame, or the one of that name that stands already.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateIsolatedWorld<'a> {
    /// The frame.
    pub frame_id: &'a str,
    /// The name.
    pub world_name: &'a str,
}

impl Command for CreateIsolatedWorld<'_> {
    const METHOD: &'static str = "Page.createIsolatedWorld";
    type Reply = IsolatedWorld;
}

/// The answer of [`CreateIsolatedWorld`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IsolatedWorld {
    /// The world.
    pub execution_context_id: i64,
}

/// Answers the dialog that is open.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandleJavaScriptDialog<'a> {
    /// OK or Cancel.
    pub accept: bool,
    /// What a prompt is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_text: Option<&'a str>,
}

impl Command for HandleJavaScriptDialog<'_> {
    const METHOD: &'static str = "Page.handleJavaScriptDialog";
    type Reply = Empty;
}

/// Tells of file choosers instead of opening them.
#[derive(Debug, Serialize)]
pub struct SetInterceptFileChooserDialog {
    /// On or off.
    pub enabled: bool,
}

impl Command for SetInterceptFileChooserDialog {
    const METHOD: &'static str = "Page.setInterceptFileChooserDialog";
    type Reply = Empty;
}

/// The size of the viewport and of what is in it.
#[derive(Debug, Serialize)]
pub struct GetLayoutMetrics {}

impl Command for GetLayoutMetrics {
    const METHOD: &'static str = "Page.getLayoutMetrics";
    type Reply = LayoutMetrics;
}

/// The answer of [`GetLayoutMetrics`], in CSS pixels.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LayoutMetrics {
    /// What shows, with its place in the document.
    pub css_visual_viewport: VisualViewport,
    /// The whole document.
    pub css_content_size: Rect,
}

/// What shows of a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisualViewport {
    /// From the left of the document.
    pub page_x: f64,
    /// From the top of the document.
    pub page_y: f64,
    /// Without scrollbars.
    pub client_width: f64,
    /// Without scrollbars.
    pub client_height: f64,
}

/// A rectangle.
#[derive(Debug, Deserialize)]
pub struct Rect {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// How wide.
    pub width: f64,
    /// How high.
    pub height: f64,
}

/// A picture of the page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CaptureScreenshot<'a> {
    /// `png`, `jpeg` or `webp`.
    pub format: &'a str,
    /// 0 to 100, not for PNG.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// The part, in CSS pixels of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<Clip>,
    /// Whether the part may lie outside of what shows.
    pub capture_beyond_viewport: bool,
    /// Rather fast than small.
    pub optimize_for_speed: bool,
}

impl Command for CaptureScreenshot<'_> {
    const METHOD: &'static str = "Page.captureScreenshot";
    type Reply = Screenshot;
}

/// A part of the document.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Clip {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// How wide.
    pub width: f64,
    /// How high.
    pub height: f64,
    /// How much larger the picture is.
    pub scale: f64,
}

/// The answer of [`CaptureScreenshot`].
#[derive(Debug, Deserialize)]
pub struct Screenshot {
    /// Base64.
    pub data: String,
}

/// `Page.frameAttached`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameAttached {
    /// The new frame.
    pub frame_id: String,
    /// Where it stands.
    pub parent_frame_id: String,
}

/// `Page.frameNavigated`: a document is committed.
#[derive(Debug, Deserialize)]
pub struct FrameNavigated {
    /// The frame with its new document.
    pub frame: Frame,
    /// `Navigation` or `BackForwardCacheRestore`.
    #[serde(rename = "type", default)]
    pub kind: String,
}

/// `Page.frameDetached`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameDetached<'a> {
    /// The frame.
    #[serde(borrow)]
    pub frame_id: Cow<'a, str>,
    /// `remove`, or `swap` when another process goes on with it.
    #[serde(borrow, default)]
    pub reason: Cow<'a, str>,
}

/// Events that carry little else than a frame.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfFrame<'a> {
    /// The frame.
    #[serde(borrow)]
    pub frame_id: Cow<'a, str>,
}

/// `Page.frameStartedNavigating`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameStartedNavigating<'a> {
    /// The frame.
    #[serde(borrow)]
    pub frame_id: Cow<'a, str>,
    /// Such as `differentDocument` or `sameDocument`.
    #[serde(borrow, default)]
    pub navigation_type: Cow<'a, str>,
    /// Where to.
    #[serde(borrow, default)]
    pub url: Cow<'a, str>,
}

/// `Page.navigatedWithinDocument`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigatedWithinDocument {
    /// The frame.
    pub frame_id: String,
    /// The new address.
    pub url: String,
}

/// `Page.lifecycleEvent`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LifecycleEvent<'a> {
    /// The frame.
    #[serde(borrow)]
    pub frame_id: Cow<'a, str>,
    /// The document.
    #[serde(borrow)]
    pub loader_id: Cow<'a, str>,
    /// Such as `load`.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
}

/// `Page.javascriptDialogOpening`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JavaScriptDialogOpening {
    /// What it asks.
    pub message: String,
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What a prompt offers.
    #[serde(default)]
    pub default_prompt: Option<String>,
}

/// `Page.downloadWillBegin`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DownloadWillBegin {
    /// Names the download.
    pub guid: String,
    /// Where it comes from.
    pub url: String,
    /// The file's name.
    pub suggested_filename: String,
}

/// `Page.downloadProgress`.
#[derive(Debug, Deserialize)]
pub struct DownloadProgress<'a> {
    /// Names the download.
    #[serde(borrow)]
    pub guid: Cow<'a, str>,
    /// `inProgress`, `completed` or `canceled`.
    #[serde(borrow)]
    pub state: Cow<'a, str>,
}

/// `Page.fileChooserOpened`: a file chooser was asked for and not opened.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileChooserOpened {
    /// The frame that asked.
    pub frame_id: String,
    /// The file input; none where a script asked by itself.
    #[serde(default)]
    pub backend_node_id: Option<i64>,
}
