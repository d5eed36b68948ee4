//! Reading a page: the accessibility trees of its frames, as one outline.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use tokio::time::Instant;

use super::error::PageError;
use super::frames::Frame;
use super::refs::Bound;
use super::tab::Page;
use crate::cdp::{CallError, ReplyText, accessibility as protocol};
use crate::outline::{self, Handle, Outline, RawNode, RawProperty, RawTree, number_text};
use crate::scenario::Target;

/// A page as it was read at one moment.
#[derive(Debug, Clone)]
pub struct Seen {
    /// What it shows.
    pub outline: Arc<Outline>,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    nodes: Vec<NodeOfFrame>,
    frames: Vec<SeenFrame>,
}

/// What a [`Handle`] stands for.
#[derive(Debug, Clone, Copy)]
struct NodeOfFrame {
    frame: u32,
    backend_node_id: i64,
}

/// A frame as it was when it was read.
#[derive(Debug, Clone)]
struct SeenFrame {
    id: String,
    loader: String,
}

/// How often a read is done again since a frame, not the page itself, went to another document meanwhile: frames with advertisements
/// may never stop.
const FRAME_TURNS: u32 = 3;

impl Seen {
    /// Where a line's node is: the frame's id and the number of the DOM node.
    pub(super) fn node(&self, line: usize) -> Option<(&str, i64)> {
        let handle = self.outline.lines.get(line)?.handle?;
        let node = self.nodes.get(handle.0 as usize)?;
        let frame = self.frames.get(node.frame as usize)?;
        Some((&frame.id, node.backend_node_id))
    }

    /// The line of a DOM node, if it has one.
    pub(super) fn line_of(&self, frame: &str, backend_node_id: i64) -> Option<usize> {
        (0..self.outline.lines.len()).find(|line| self.node(*line) == Some((frame, backend_node_id)))
    }

    /// What the numbers of its lines stand for.
    fn bound(&self) -> Vec<Bound> {
        let mut times: HashMap<(&str, &str), u32> = HashMap::new();
        for line in self.outline.lines.iter().filter(|line| line.interactive) {
            *times.entry((&line.role, &line.name)).or_default() += 1;
        }
        let bind = |(_, index): (u32, usize)| {
            let line = &self.outline.lines[index];
            let handle = line.handle.and_then(|handle| self.nodes.get(handle.0 as usize));
            let frame = handle.and_then(|node| self.frames.get(node.frame as usize));
            Bound {
                frame: frame.map(|frame| frame.id.clone()).unwrap_or_default(),
                loader: frame.map(|frame| frame.loader.clone()).unwrap_or_default(),
                backend_node_id: handle.map_or(0, |node| node.backend_node_id),
                role: line.role.clone(),
                name: line.name.clone(),
                unique: times.get(&(&*line.role, &*line.name)) == Some(&1),
            }
        };
        self.outline.refs().map(bind).collect()
    }
}

impl Page {
    /// Reads the page as it is now: one read of every frame, done again only when a document went away under it. A bare root of a document
    /// that is still loading is not taken for the page.
    pub async fn outline(&self, deadline: Instant) -> Result<Arc<Seen>, PageError> {
        let mut turns = 0;
        let mut shell = None;
        loop {
            let told = self.core().listen();
            // Asked before the look: what it misses may come while the answer is on its way, and the end of the loading with it.
            let is_shell = self.is_shell();
            let reason = match self.read_once(turns >= FRAME_TURNS, deadline).await {
                Ok(seen) if seen.outline.lines.len() <= 1 && is_shell => {
                    shell = Some(seen);
                    PageError::Moved { reason: "it was still loading".to_owned() }
                }
                Ok(seen) => return Ok(Arc::new(seen)),
                Err(error) => error,
            };
            turns += 1;
            let waited = if reason.is_passing() { self.until_told(told, deadline, reason).await } else { Err(reason) };
            match (waited, shell.take()) {
                (Ok(()), kept) => shell = kept,
                // An empty document whose load never ends is what the page shows.
                (Err(error), Some(seen)) if error.is_late() => return Ok(Arc::new(seen)),
                (Err(error), _) => return Err(error),
            }
        }
    }

    /// Reads the page for a person or an agent, after what acts set off, and numbers what can be acted on: these numbers are its refs until
    /// the next read.
    pub async fn read(&self, deadline: Instant) -> Result<Arc<Seen>, PageError> {
        self.settle(deadline).await?;
        let seen = self.outline(deadline).await?;
        self.refs.bind(self.url(), seen.bound());
        Ok(seen)
    }

    /// Reads the part of the page that a target is, and numbers what can be acted on in it.
    pub async fn read_of(&self, target: &Target, deadline: Instant) -> Result<Arc<Seen>, PageError> {
        self.settle(deadline).await?;
        let (line, seen) = self.locate_line(target, deadline).await?;
        let part = Arc::new(Seen { outline: Arc::new(seen.outline.part(line)), ..Seen::clone(&seen) });
        self.refs.bind(self.url(), part.bound());
        Ok(part)
    }

    /// The part of the page that a target is, as it is now. Refs stay as the last read gave them.
    pub async fn outline_of(&self, target: &Target, deadline: Instant) -> Result<Arc<Seen>, PageError> {
        let (line, seen) = self.locate_line(target, deadline).await?;
        Ok(Arc::new(Seen { outline: Arc::new(seen.outline.part(line)), ..Seen::clone(&seen) }))
    }

    /// Whether the document is one that has not come yet.
    fn is_shell(&self) -> bool {
        let state = self.core().state();
        state.frames.main().is_some_and(|main| !main.loaded)
    }

    async fn read_once(&self, accept_frames: bool, deadline: Instant) -> Result<Seen, PageError> {
        let core = self.core();
        let (frames, commits) = {
            let state = core.state();
            if let Some(main) = state.frames.main() {
                // The browser's own page about an error is not what was asked to be opened.
                if main.unreachable.is_some() || main.url.starts_with("chrome-error:") {
                    let reason =
                        state.failure.clone().unwrap_or_else(|| "the last address could not be reached".to_owned());
                    return Err(PageError::NoPage { reason });
                }
            }
            let mut frames = state.frames.in_order();
            frames.retain(|frame| !frame.crashed);
            (frames, state.commits)
        };
        // All trees are asked for at once, and owners only the first time.
        let trees: Vec<_> = frames
            .iter()
            .map(|frame| frame.session.submit(&protocol::GetFullAxTree { frame_id: Some(&frame.id) }))
            .collect();
        for frame in frames.iter().filter(|frame| frame.parent.is_some() && frame.owner.is_none()) {
            // A frame that went meanwhile has none, and no tree either.
            match self.frame_owner(&frame.id, deadline).await {
                Ok(_) => {}
                Err(error) if error.is_passing() => {}
                Err(error) => return Err(error),
            }
        }
        let mut replies: Vec<Option<ReplyText>> = Vec::with_capacity(frames.len());
        for (frame, tree) in frames.iter().zip(trees) {
            match core.answer(tree.text_by(deadline)).await {
                Ok(reply) => replies.push(Some(reply)),
                Err(error) if error.is_passing() && frame.parent.is_some() => replies.push(None),
                Err(error) => return Err(error),
            }
        }
        let owners = self.still(&frames, commits, accept_frames)?;
        let mut seen = assemble(&frames, &owners, &replies)?;
        seen.url = self.url();
        Ok(seen)
    }

    /// Makes sure that the frames show what they showed when they were asked, and gives their owners.
    fn still(&self, frames: &[Frame], commits: u64, accept_frames: bool) -> Result<Vec<Option<i64>>, PageError> {
        let state = self.core().state();
        if state.commits != commits {
            return Err(PageError::Moved { reason: "it went to another document".to_owned() });
        }
        let mut owners = Vec::with_capacity(frames.len());
        for frame in frames {
            let now = state.frames.get(&frame.id);
            let same = now.is_some_and(|now| now.loader == frame.loader && now.session.id() == frame.session.id());
            if !same && now.is_some() && !accept_frames {
                return Err(PageError::Moved { reason: "a frame went to another document".to_owned() });
            }
            owners.push(now.and_then(|now| now.owner));
        }
        Ok(owners)
    }
}

/// One outline of all frames.
fn assemble(frames: &[Frame], owners: &[Option<i64>], replies: &[Option<ReplyText>]) -> Result<Seen, PageError> {
    let index: HashMap<&str, usize> = frames.iter().enumerate().map(|(index, frame)| (&*frame.id, index)).collect();
    // The elements that hold frames: in which frame, and which frame is in it.
    let mut holders: HashMap<(usize, i64), usize> = HashMap::new();
    for (at, frame) in frames.iter().enumerate() {
        let parent = frame.parent.as_deref().and_then(|parent| index.get(parent));
        if let (Some(parent), Some(owner)) = (parent, owners[at]) {
            holders.insert((*parent, owner), at);
        }
    }
    let mut nodes = Vec::new();
    let mut handles: HashMap<usize, Handle> = HashMap::new();
    let mut trees: Vec<Option<RawTree<'_>>> = Vec::with_capacity(frames.len());
    for (at, reply) in replies.iter().enumerate() {
        let Some(reply) = reply else {
            trees.push(None);
            continue;
        };
        let tree: protocol::Tree<'_> = reply.read().map_err(|error: CallError| PageError::from(error))?;
        let mut raw = Vec::with_capacity(tree.nodes.len());
        for node in tree.nodes {
            let handle = node.backend_node_id.map(|backend_node_id| {
                let handle = Handle(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
                nodes.push(NodeOfFrame { frame: u32::try_from(at).unwrap_or(u32::MAX), backend_node_id });
                if let Some(held) = holders.get(&(at, backend_node_id)) {
                    // An element may have more than one node; the first is the one that holds the frame.
                    handles.entry(*held).or_insert(handle);
                }
                handle
            });
            raw.push(raw_node(node, handle));
        }
        trees.push(Some(RawTree { nodes: raw }));
    }
    let main = trees.first_mut().and_then(Option::take).unwrap_or_default();
    let title = main.nodes.first().map(|root| root.name.to_string()).unwrap_or_default();
    let mut inner = HashMap::new();
    for (at, tree) in trees.into_iter().enumerate() {
        if let (Some(tree), Some(handle)) = (tree, handles.get(&at)) {
            inner.insert(*handle, tree);
        }
    }
    let seen_frames =
        frames.iter().map(|frame| SeenFrame { id: frame.id.clone(), loader: frame.loader.clone() }).collect();
    Ok(Seen { outline: Arc::new(outline::build(&main, &inner)), url: String::new(), title, nodes, frames: seen_frames })
}

fn raw_node(node: protocol::Node<'_>, handle: Option<Handle>) -> RawNode<'_> {
    RawNode {
        id: node.node_id,
        children: node.child_ids.into_iter().map(|id| id.0).collect(),
        ignored: node.ignored,
        role: text(node.role).unwrap_or_default(),
        name: text(node.name).unwrap_or_default(),
        description: text(node.description),
        value: text(node.value),
        properties: node
            .properties
            .into_iter()
            .filter_map(|property| Some(RawProperty { name: property.name, value: text(Some(property.value))? }))
            .collect(),
        password: false,
        handle,
    }
}

/// A scalar as text; nothing for what is none.
fn text(value: Option<protocol::Value<'_>>) -> Option<Cow<'_, str>> {
    match value?.value {
        protocol::Scalar::None => None,
        protocol::Scalar::Text(text) => Some(text),
        protocol::Scalar::Bool(true) => Some(Cow::Borrowed("true")),
        protocol::Scalar::Bool(false) => Some(Cow::Borrowed("false")),
        protocol::Scalar::Number(number) => Some(Cow::Owned(number_text(number))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn nodes_are_read_in_place_with_every_kind_of_value() {
        let json = r#"{"nodes":[{"nodeId":"1","ignored":false,"role":{"type":"internalRole","value":"RootWebArea"},"chromeRole":{"type":"internalRole","value":144},
            "name":{"type":"computedString","value":"A \"title\"","sources":[]},"properties":[{"name":"focusable","value":{"type":"booleanOrUndefined","value":true}},
            {"name":"labelledby","value":{"type":"nodeList","relatedNodes":[{"idref":"x"}]}},{"name":"level","value":{"type":"integer","value":2}}],
            "childIds":["2"],"backendDOMNodeId":7},{"nodeId":"2","ignored":true,"value":{"type":"number","value":0.4000000059604645}}]}"#;
        let tree: protocol::Tree<'_> = serde_json::from_str(json).unwrap();
        let nodes: Vec<RawNode<'_>> = tree.nodes.into_iter().map(|node| raw_node(node, None)).collect();
        assert!(matches!(nodes[0].role, Cow::Borrowed("RootWebArea")));
        assert_eq!(nodes[0].name, "A \"title\"");
        assert_eq!(nodes[0].children, ["2"]);
        assert_eq!(
            (nodes[0].property("focusable"), nodes[0].property("level"), nodes[0].property("labelledby")),
            (Some("true"), Some("2"), None)
        );
        assert_eq!(nodes[1].value.as_deref(), Some("0.4"));
        assert!(nodes[1].ignored);
    }
}
