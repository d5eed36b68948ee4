//! `DOM`: nodes by their backend ids. The domain is never enabled: it would stream every change.

use serde::{Deserialize, Serialize};

use super::runtime::RemoteObject;
use super::{Command, Empty};

/// A node as an object of one JavaScript world.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResolveNode {
    /// The node.
    pub backend_node_id: i64,
    /// The world.
    pub execution_context_id: i64,
}

impl Command for ResolveNode {
    const METHOD: &'static str = "DOM.resolveNode";
    type Reply = ResolvedNode;
}

/// The answer of [`ResolveNode`].
#[derive(Debug, Deserialize)]
pub struct ResolvedNode {
    /// The object.
    pub object: RemoteObject,
}

/// What stands behind an object, with its subtree if asked for.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DescribeNode<'a> {
    /// The object.
    pub object_id: &'a str,
    /// How deep; -1 is the whole subtree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// Whether shadow roots and frames are entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pierce: Option<bool>,
}

impl Command for DescribeNode<'_> {
    const METHOD: &'static str = "DOM.describeNode";
    type Reply = DescribedNode;
}

/// The answer of [`DescribeNode`].
#[derive(Debug, Deserialize)]
pub struct DescribedNode {
    /// The node.
    pub node: Node,
}

/// A DOM node, as far as it is of use here.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// The id that stays while the node lives.
    pub backend_node_id: i64,
    /// `open`, `closed` or `user-agent`, of a shadow root.
    #[serde(default)]
    pub shadow_root_type: Option<String>,
    /// The children.
    #[serde(default)]
    pub children: Vec<Node>,
    /// The shadow roots.
    #[serde(default)]
    pub shadow_roots: Vec<Node>,
}

/// The element that holds a frame.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetFrameOwner<'a> {
    /// The frame.
    pub frame_id: &'a str,
}

impl Command for GetFrameOwner<'_> {
    const METHOD: &'static str = "DOM.getFrameOwner";
    type Reply = FrameOwner;
}

/// The answer of [`GetFrameOwner`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameOwner {
    /// The element.
    pub backend_node_id: i64,
}

/// The corners of an element's boxes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetBoxModel {
    /// The element.
    pub backend_node_id: i64,
}

impl Command for GetBoxModel {
    const METHOD: &'static str = "DOM.getBoxModel";
    type Reply = BoxModelReply;
}

/// The answer of [`GetBoxModel`].
#[derive(Debug, Deserialize)]
pub struct BoxModelReply {
    /// The boxes.
    pub model: BoxModel,
}

/// Four corners each, clockwise from the top left: x, y, x, y, …
#[derive(Debug, Deserialize)]
pub struct BoxModel {
    /// Inside the padding.
    pub content: Vec<f64>,
    /// Inside the margin.
    pub border: Vec<f64>,
}

/// Scrolls every scroller around a node until it shows.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScrollIntoViewIfNeeded {
    /// The node.
    pub backend_node_id: i64,
}

impl Command for ScrollIntoViewIfNeeded {
    const METHOD: &'static str = "DOM.scrollIntoViewIfNeeded";
    type Reply = Empty;
}

/// Gives files to a file input, which tells the page as if a person had chosen them. The browser does not look whether they exist.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetFileInputFiles<'a> {
    /// Absolute paths; the one folder for an input that takes a folder.
    pub files: &'a [String],
    /// The input.
    pub backend_node_id: i64,
}

impl Command for SetFileInputFiles<'_> {
    const METHOD: &'static str = "DOM.setFileInputFiles";
    type Reply = Empty;
}
