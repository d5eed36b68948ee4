//! One look for a target: what fits, and narrowing it by what is around it, in it, and before it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;

use tokio::time::Instant;

use super::element::Element;
use super::error::PageError;
use super::inject;
use super::locate::line_text;
use super::objects::{MOST, no_node};
use super::read::Seen;
use super::refs::Bound;
use super::tab::Page;
use crate::cdp::runtime;
use crate::outline::{Line, Outline, contains};
use crate::scenario::{By, Has, Target, TextMatch};

/// Something that fits.
#[derive(Debug, Clone)]
pub(super) enum Candidate {
    /// A line of the outline.
    Line(usize),
    /// A node that is known by its number.
    Node { frame: String, backend_node_id: i64, description: String },
    /// An element that a script found.
    Found(Element),
}

/// Whether a line fits only together with those below it.
#[derive(Clone, Copy)]
enum Deep {
    Yes,
    No,
}

/// One look. It reads the page at most once, and only if it must.
pub(super) struct Search<'p> {
    page: &'p Page,
    seen: Option<Arc<Seen>>,
    /// Elements of lines that were asked for.
    elements: HashMap<usize, Element>,
    deadline: Instant,
}

type Matches<'a> = Pin<Box<dyn Future<Output = Result<Vec<Candidate>, PageError>> + Send + 'a>>;

impl<'p> Search<'p> {
    pub(super) fn new(page: &'p Page, deadline: Instant) -> Search<'p> {
        Search { page, seen: None, elements: HashMap::new(), deadline }
    }

    /// The page as this look sees it.
    pub(super) async fn seen(&mut self) -> Result<Arc<Seen>, PageError> {
        if let Some(seen) = &self.seen {
            return Ok(seen.clone());
        }
        let seen = self.page.outline(self.deadline).await?;
        self.seen = Some(seen.clone());
        Ok(seen)
    }

    pub(super) fn last_seen(&self) -> Option<&Arc<Seen>> {
        self.seen.as_ref()
    }

    pub(super) fn into_seen(self) -> Option<Arc<Seen>> {
        self.seen
    }

    /// All that fits, in reading order. (In a box, since targets nest.)
    pub(super) fn matches<'a>(&'a mut self, target: &'a Target) -> Matches<'a> {
        Box::pin(async move {
            let mut found = self.by(&target.by).await?;
            if let Some(frame) = &target.frame {
                found = self.in_frame(found, frame).await?;
            }
            if let Some(within) = &target.within {
                let around = self.matches(within).await?;
                let mut inside = Vec::new();
                for candidate in found {
                    for outer in &around {
                        if self.holds(outer, std::slice::from_ref(&candidate)).await? == [true] {
                            inside.push(candidate);
                            break;
                        }
                    }
                }
                found = inside;
            }
            if let Some(has) = &target.has {
                found = self.having(found, has).await?;
            }
            if let Some(nth) = target.nth {
                found = found.into_iter().skip(nth.saturating_sub(1)).take(1).collect();
            }
            Ok(found)
        })
    }

    async fn by(&mut self, by: &By) -> Result<Vec<Candidate>, PageError> {
        match by {
            By::Line(pattern) => {
                let seen = self.seen().await?;
                Ok(pattern.find(&seen.outline).into_iter().map(Candidate::Line).collect())
            }
            By::Role { role, name } => {
                let seen = self.seen().await?;
                Ok(lines(&seen.outline, |line| {
                    line.role.eq_ignore_ascii_case(role) && name.as_ref().is_none_or(|name| name.matches(&line.name))
                }))
            }
            By::Name(name) => self.by_name(name).await,
            By::Ref(number) => {
                let bound = self.page.bound(*number)?;
                Ok(vec![self.bound(&bound, *number).await?])
            }
            By::Css(selector) => self.script("css", None, &TextMatch::Exact(selector.clone())).await,
            By::Label(text) => self.script("known", Some("label"), text).await,
            By::Text(text) => self.script("known", Some("text"), text).await,
            By::Placeholder(text) => self.script("known", Some("placeholder"), text).await,
            By::Alt(text) => self.script("known", Some("alt"), text).await,
            By::Title(text) => self.script("known", Some("title"), text).await,
            By::TestId(id) => self.script("known", Some("test-id"), &TextMatch::Exact(id.clone())).await,
            By::Point { .. } => Ok(Vec::new()),
        }
    }

    /// An interactive element of that name, else the innermost one of that text.
    async fn by_name(&mut self, name: &str) -> Result<Vec<Candidate>, PageError> {
        let seen = self.seen().await?;
        let interactive = lines(&seen.outline, |line| line.interactive && line.name == name);
        if !interactive.is_empty() {
            return Ok(interactive);
        }
        let named = lines(&seen.outline, |line| line.name == name && line.role != "RootWebArea");
        if !named.is_empty() {
            let index = |candidate: &Candidate| match candidate {
                Candidate::Line(line) => *line,
                _ => usize::MAX,
            };
            let all: Vec<usize> = named.iter().map(index).collect();
            return Ok(named
                .into_iter()
                .filter(|candidate| {
                    let below = seen.outline.subtree(index(candidate));
                    !all.iter().any(|other| *other > below.start && *other < below.end)
                })
                .collect());
        }
        // A text of several pieces, such as one with a word in bold.
        self.script("known", Some("text"), &TextMatch::Exact(name.to_owned())).await
    }

    /// The element that a number of the last read stands for. One that was replaced by another of the same role and name is found again
    /// when there is no doubt: it was the only one when it was read, and there is only one now.
    pub(super) async fn bound(&mut self, bound: &Bound, number: u32) -> Result<Candidate, PageError> {
        let node = Candidate::Node {
            frame: bound.frame.clone(),
            backend_node_id: bound.backend_node_id,
            description: format!("{} {:?} [ref_{number}]", bound.role, bound.name),
        };
        match self.element(&node).await {
            Ok(element) => {
                if self.page.call_injected::<bool>(&element, "isConnected", &[], self.deadline).await? {
                    return Ok(Candidate::Found(element));
                }
            }
            Err(error) if error.is_passing() => {}
            Err(PageError::Protocol(_)) => {}
            Err(error) => return Err(error),
        }
        // The document may be on its way out, and a look below would see the next one.
        self.page.bound(number)?;
        if !bound.unique || bound.name.is_empty() {
            return Err(PageError::Stale);
        }
        let seen = self.seen().await?;
        self.page.bound(number)?;
        let twins: Vec<usize> = (0..seen.outline.lines.len())
            .filter(|index| {
                let line = &seen.outline.lines[*index];
                line.interactive
                    && line.role == bound.role
                    && line.name == bound.name
                    && seen.node(*index).is_some_and(|(frame, _)| frame == bound.frame)
            })
            .collect();
        match twins[..] {
            [twin] => Ok(Candidate::Line(twin)),
            _ => Err(PageError::Stale),
        }
    }

    /// What a tool finds in every frame. Closed shadow trees are looked into when nothing was found outside of them: for scripts
    /// they do not exist, so the protocol must find them, and that reads the whole document.
    async fn script(
        &mut self,
        tool: &str,
        kind: Option<&str>,
        wanted: &TextMatch,
    ) -> Result<Vec<Candidate>, PageError> {
        let frames = self.page.core().state().frames.in_order();
        let mut found = Vec::new();
        for closed in [false, true] {
            for frame in frames.iter().filter(|frame| !frame.crashed) {
                let inner = frame.parent.is_some();
                let result = async {
                    if closed && !self.page.adopt_closed(&frame.id, self.deadline).await? {
                        return Ok(Vec::new());
                    }
                    self.script_in(&frame.id, tool, kind, wanted).await
                };
                match result.await {
                    Ok(elements) => found.extend(elements.into_iter().map(Candidate::Found)),
                    Err(error) if error.is_passing() && inner => {}
                    Err(error) => return Err(error),
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    async fn script_in(
        &self,
        frame: &str,
        tool: &str,
        kind: Option<&str>,
        wanted: &TextMatch,
    ) -> Result<Vec<Element>, PageError> {
        let page = self.page;
        let kind_value = |kind: &str| serde_json::Value::from(kind);
        match (wanted, kind) {
            (TextMatch::Exact(text), None) => {
                page.find_elements(frame, tool, &[text.as_str().into()], self.deadline).await
            }
            (TextMatch::Exact(text), Some(kind)) => {
                let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
                page.find_elements(frame, tool, &[kind_value(kind), folded.into()], self.deadline).await
            }
            (pattern @ TextMatch::Pattern(_), kind) => {
                let kind = kind_value(kind.unwrap_or("text"));
                let texts: Vec<String> =
                    page.call_tool(frame, "texts", std::slice::from_ref(&kind), self.deadline).await?;
                let mut chosen = vec![kind];
                chosen.extend(
                    (0..texts.len()).filter(|index| pattern.matches(&texts[*index])).map(serde_json::Value::from),
                );
                if chosen.len() == 1 {
                    return Ok(Vec::new());
                }
                page.find_elements(frame, "chosen", &chosen, self.deadline).await
            }
        }
    }

    async fn in_frame(&mut self, found: Vec<Candidate>, target: &Target) -> Result<Vec<Candidate>, PageError> {
        let holders = self.matches(target).await?;
        let mut wanted = Vec::new();
        for holder in &holders {
            wanted.push(self.place(holder).await?);
        }
        let frames = self.page.core().state().frames.in_order();
        let mut inside = Vec::new();
        for candidate in found {
            let mut frame = self.place(&candidate).await?.0;
            // A frame in the frame counts too.
            while let Some(at) = frames.iter().find(|known| known.id == frame) {
                let Some(parent) = at.parent.clone() else { break };
                let owner = self.page.frame_owner(&at.id, self.deadline).await?;
                if wanted.contains(&(parent.clone(), owner)) {
                    inside.push(candidate);
                    break;
                }
                frame = parent;
            }
        }
        Ok(inside)
    }

    /// Those that hold it: of a text those in which it is the whole name or value of a node, and where there are none those in whose text
    /// it is found.
    async fn having(&mut self, found: Vec<Candidate>, has: &Has) -> Result<Vec<Candidate>, PageError> {
        let text = match has {
            Has::Text(text) => text,
            Has::Pattern(pattern) => {
                let fits =
                    |outline: &Outline, lines: Range<usize>| contains(&outline.part(lines.start), pattern).is_ok();
                return self.holding(&found, fits, Deep::Yes).await;
            }
        };
        let fits = |outline: &Outline, lines: Range<usize>| {
            outline.lines[lines].iter().any(|line| shown(line).any(|shown| text.matches(shown)))
        };
        let whole = self.holding(&found, fits, Deep::No).await?;
        let TextMatch::Exact(text) = text else { return Ok(whole) };
        if !whole.is_empty() {
            return Ok(whole);
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.holding(&found, |outline, lines| has_part(&outline.lines[lines], &text), Deep::Yes).await
    }

    /// Those that hold lines which fit.
    async fn holding(
        &mut self,
        found: &[Candidate],
        fits: impl Fn(&Outline, Range<usize>) -> bool,
        deep: Deep,
    ) -> Result<Vec<Candidate>, PageError> {
        let seen = self.seen().await?;
        let outline = &seen.outline;
        let mut holding = Vec::new();
        let mut lines_that_fit = None;
        for candidate in found {
            if let Some(line) = self.line(candidate).await? {
                if fits(outline, outline.subtree(line)) {
                    holding.push(candidate.clone());
                }
                continue;
            }
            // An element without a line holds what its lines hold. (A pattern of several lines side by side must have a line around it.)
            let inner = lines_that_fit.get_or_insert_with(|| -> Vec<Candidate> {
                let all = (0..outline.lines.len()).filter(|line| match deep {
                    Deep::No => fits(outline, *line..line + 1),
                    Deep::Yes => fits(outline, outline.subtree(*line)),
                });
                all.map(Candidate::Line).take(MOST).collect()
            });
            let inner = inner.clone();
            if self.holds(candidate, &inner).await?.contains(&true) {
                holding.push(candidate.clone());
            }
        }
        Ok(holding)
    }

    /// Whether one holds each of the others; nothing holds itself.
    pub(super) async fn holds(&mut self, outer: &Candidate, others: &[Candidate]) -> Result<Vec<bool>, PageError> {
        if let Candidate::Line(outer) = outer
            && others.iter().all(|other| matches!(other, Candidate::Line(_)))
        {
            let range = self.seen().await?.outline.subtree(*outer);
            return Ok(others
                .iter()
                .map(|other| matches!(other, Candidate::Line(line) if *line > range.start && *line < range.end))
                .collect());
        }
        let outer = self.element(outer).await?;
        let mut arguments = Vec::new();
        let mut places = Vec::new();
        let mut kept = Vec::new();
        for (index, other) in others.iter().enumerate() {
            let Some(other) = self.raised(other, &outer.frame).await? else { continue };
            if other.backend_node_id != outer.backend_node_id || other.frame != outer.frame {
                arguments.push(runtime::Argument::ObjectId(Cow::Owned(other.object_id().to_owned())));
                places.push(index);
                kept.push(other);
            }
        }
        let mut holds = vec![false; others.len()];
        if arguments.is_empty() {
            return Ok(holds);
        }
        let call = runtime::CallFunctionOn {
            function_declaration: &inject::caller("holds"),
            object_id: Some(outer.object_id()),
            execution_context_id: None,
            arguments: &arguments,
            return_by_value: true,
            await_promise: false,
        };
        let answers: Vec<bool> = inject::value(self.page.core().call(outer.session(), &call, self.deadline).await?)?;
        for (index, answer) in places.into_iter().zip(answers) {
            holds[index] = answer;
        }
        Ok(holds)
    }

    /// The element itself when it is in that frame, else the element there that holds its frame, if any.
    async fn raised(&mut self, candidate: &Candidate, frame: &str) -> Result<Option<Element>, PageError> {
        let (mut at, _) = self.place(candidate).await?;
        if at == frame {
            return self.element(candidate).await.map(Some);
        }
        loop {
            let parent = self.page.core().state().frames.get(&at).and_then(|known| known.parent.clone());
            let Some(parent) = parent else { return Ok(None) };
            if parent == frame {
                let owner = self.page.frame_owner(&at, self.deadline).await?;
                return self.page.resolve(frame, owner, String::new(), self.deadline).await.map(Some);
            }
            at = parent;
        }
    }

    /// The frame and number of a candidate's node.
    async fn place(&mut self, candidate: &Candidate) -> Result<(String, i64), PageError> {
        match candidate {
            Candidate::Line(line) => {
                let seen = self.seen().await?;
                let (frame, node) = seen.node(*line).ok_or_else(no_node)?;
                Ok((frame.to_owned(), node))
            }
            Candidate::Node { frame, backend_node_id, .. } => Ok((frame.clone(), *backend_node_id)),
            Candidate::Found(element) => Ok((element.frame.clone(), element.backend_node_id)),
        }
    }

    /// The candidate as an element.
    pub(super) async fn element(&mut self, candidate: &Candidate) -> Result<Element, PageError> {
        match candidate {
            Candidate::Found(element) => {
                let mut element = element.clone();
                if element.description.is_empty() {
                    element.description = self.describe(candidate).await;
                }
                Ok(element)
            }
            Candidate::Node { frame, backend_node_id, description } => {
                self.page.resolve(frame, *backend_node_id, description.clone(), self.deadline).await
            }
            Candidate::Line(line) => {
                if let Some(element) = self.elements.get(line) {
                    return Ok(element.clone());
                }
                let seen = self.seen().await?;
                let (frame, node) = seen.node(*line).ok_or_else(no_node)?;
                let element = self.page.resolve(frame, node, line_text(&seen, *line), self.deadline).await?;
                self.elements.insert(*line, element.clone());
                Ok(element)
            }
        }
    }

    /// The candidate's line in the outline, if it has one.
    pub(super) async fn line(&mut self, candidate: &Candidate) -> Result<Option<usize>, PageError> {
        if let Candidate::Line(line) = candidate {
            return Ok(Some(*line));
        }
        let (frame, node) = self.place(candidate).await?;
        Ok(self.seen().await?.line_of(&frame, node))
    }

    /// How a candidate is called in messages.
    pub(super) async fn describe(&mut self, candidate: &Candidate) -> String {
        match candidate {
            Candidate::Line(line) => self.seen.as_ref().map(|seen| line_text(seen, *line)).unwrap_or_default(),
            Candidate::Node { description, .. } => description.clone(),
            Candidate::Found(element) if !element.description.is_empty() => element.description.clone(),
            Candidate::Found(element) => {
                let described = self.page.call_injected::<String>(element, "describe", &[], self.deadline).await;
                described.unwrap_or_else(|_| "an element that has just gone".to_owned())
            }
        }
    }
}

fn lines(outline: &Outline, fits: impl Fn(&crate::outline::Line) -> bool) -> Vec<Candidate> {
    (0..outline.lines.len()).filter(|index| fits(&outline.lines[*index])).map(Candidate::Line).collect()
}

/// What a line shows of its node.
fn shown(line: &Line) -> impl Iterator<Item = &str> {
    std::iter::once(line.name.as_str()).chain(line.value.as_deref())
}

/// Whether a text is found in what these lines show: in one of them, or in their texts one after the other, as where a part of it is bold.
fn has_part(lines: &[Line], text: &str) -> bool {
    if text.is_empty() || lines.iter().any(|line| shown(line).any(|shown| shown.contains(text))) {
        return true;
    }
    let texts: Vec<&str> =
        lines.iter().filter(|line| line.role == "StaticText").map(|line| line.name.as_str()).collect();
    texts.join(" ").contains(text) || texts.concat().contains(text)
}
