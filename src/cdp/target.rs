//! The `Target` domain: tabs, contexts, and the sessions that speak to them.

use serde::{Deserialize, Serialize};

use super::{Command, Empty};

/// Asks for a context of its own: cookies, storage and cache apart from every other's.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateBrowserContext {
    /// The context goes when the connection does.
    pub dispose_on_detach: bool,
}

/// The answer to [`CreateBrowserContext`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserContextCreated {
    /// Its id.
    pub browser_context_id: String,
}

impl Command for CreateBrowserContext {
    const METHOD: &'static str = "Target.createBrowserContext";
    type Reply = BrowserContextCreated;
}

/// Closes a context with all its tabs, without asking their pages.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DisposeBrowserContext<'a> {
    /// Its id.
    pub browser_context_id: &'a str,
}

impl Command for DisposeBrowserContext<'_> {
    const METHOD: &'static str = "Target.disposeBrowserContext";
    type Reply = Empty;
}

/// Opens a tab.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateTarget<'a> {
    /// The first address.
    pub url: &'a str,
    /// The context; the browser's default one when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_context_id: Option<&'a str>,
    /// A window of its own. Only for browsers with windows: tabs of one window hide each other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub new_window: bool,
}

/// The answer to [`CreateTarget`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetCreated {
    /// Its id.
    pub target_id: String,
}

impl Command for CreateTarget<'_> {
    const METHOD: &'static str = "Target.createTarget";
    type Reply = TargetCreated;
}

/// Closes a tab; a page may ask whether to leave.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CloseTarget<'a> {
    /// Its id.
    pub target_id: &'a str,
}

impl Command for CloseTarget<'_> {
    const METHOD: &'static str = "Target.closeTarget";
    type Reply = Empty;
}

/// Brings a tab to the front.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ActivateTarget<'a> {
    /// Its id.
    pub target_id: &'a str,
}

impl Command for ActivateTarget<'_> {
    const METHOD: &'static str = "Target.activateTarget";
    type Reply = Empty;
}

/// Detaches a session from its target.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DetachFromTarget<'a> {
    /// The session.
    pub session_id: &'a str,
}

impl Command for DetachFromTarget<'_> {
    const METHOD: &'static str = "Target.detachFromTarget";
    type Reply = Empty;
}

/// Attaches to targets related to this session as they come: at the browser's session to tabs and
/// pop-ups, at a tab's to frames of other sites and workers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetAutoAttach<'a> {
    /// On or off.
    pub auto_attach: bool,
    /// Each new target stands still until [`RunIfWaitingForDebugger`].
    pub wait_for_debugger_on_start: bool,
    /// Sessions side by side on the one connection; the only way that is used here.
    pub flatten: bool,
    /// The first rule that fits a target decides; empty stands for the browser's own rule.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub filter: &'a [FilterEntry<'a>],
}

/// A rule that says which targets are meant.
#[derive(Debug, Serialize)]
pub struct FilterEntry<'a> {
    /// The type of target; every type when not given.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'a str>,
    /// Targets of this type are left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub exclude: bool,
}

impl Command for SetAutoAttach<'_> {
    const METHOD: &'static str = "Target.setAutoAttach";
    type Reply = Empty;
}

/// What a target is.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetInfo {
    /// Its id.
    pub target_id: String,
    /// `page`, `iframe`, `worker`, `service_worker`, `browser_ui`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// The title of its page.
    #[serde(default)]
    pub title: String,
    /// The address of its page.
    pub url: String,
    /// The tab that opened it.
    pub opener_id: Option<String>,
    /// The context that it belongs to.
    pub browser_context_id: Option<String>,
}

/// The event `Target.attachedToTarget`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttachedToTarget {
    /// The new session.
    pub session_id: String,
    /// What it is a session of.
    pub target_info: TargetInfo,
    /// The target stands still until [`RunIfWaitingForDebugger`].
    pub waiting_for_debugger: bool,
}

/// The event `Target.detachedFromTarget`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DetachedFromTarget {
    /// The session that has ended.
    pub session_id: String,
}

/// Lets a target run that stood still from its start. (Of the `Runtime` domain; it is here since it
/// ends what auto-attach begins.)
#[derive(Debug, Serialize)]
pub struct RunIfWaitingForDebugger {}

impl Command for RunIfWaitingForDebugger {
    const METHOD: &'static str = "Runtime.runIfWaitingForDebugger";
    type Reply = Empty;
}
