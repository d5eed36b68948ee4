//! From the nodes a browser tells to the lines of an outline: the folding rules.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::line::{Handle, Line, Outline};
use super::text::{fold, fold_inside};
use super::{roles, states};

/// What stands for the value of a password field that is not empty: the same for every password, so that not
/// even the length shows.
const MASK: &str = "••••••••";

/// A property of a node as the browser tells it: `checked`, `mixed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawProperty<'a> {
    /// The protocol's own name.
    pub name: Cow<'a, str>,
    /// The value as text: `true`, `false`, `mixed`, `2`, `grammar`.
    pub value: Cow<'a, str>,
}

/// A raw accessibility node as a browser tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawNode<'a> {
    /// The node's id within its tree.
    pub id: Cow<'a, str>,
    /// The ids of its children, in reading order.
    pub children: Vec<Cow<'a, str>>,
    /// Not for anyone to hear; its children take its place.
    pub ignored: bool,
    /// Chrome's own role.
    pub role: Cow<'a, str>,
    /// The computed name.
    pub name: Cow<'a, str>,
    /// The computed description.
    pub description: Option<Cow<'a, str>>,
    /// What a field holds, as text (see [`number_text`]).
    pub value: Option<Cow<'a, str>>,
    /// `focusable`, `editable`, `checked`, … in any order.
    pub properties: Vec<RawProperty<'a>>,
    /// The reader knows this for a password field. A value of nothing but bullets is taken for one too.
    pub password: bool,
    /// Given back on the line.
    pub handle: Option<Handle>,
}

impl RawNode<'_> {
    /// The value of a property.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|property| property.name == name).map(|property| &*property.value)
    }

    fn is(&self, name: &str) -> bool {
        self.property(name) == Some("true")
    }

    fn holds_password(&self) -> bool {
        self.password || self.value.as_deref().is_some_and(|value| !value.is_empty() && value.chars().all(|c| c == '•'))
    }
}

/// The nodes of one document; the first is its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawTree<'a> {
    /// In any order but for the root, which comes first.
    pub nodes: Vec<RawNode<'a>>,
}

/// A number as a value is printed: Chrome widens single precision, so `0.4000000059604645` is `0.4`.
pub fn number_text(number: f64) -> String {
    let narrow = number as f32;
    if f64::from(narrow) == number { narrow.to_string() } else { number.to_string() }
}

/// A node still to be visited.
#[derive(Clone, Copy)]
struct Visit {
    tree: usize,
    node: usize,
    depth: usize,
    /// The node it stands in as the browser told it, whether or not that has a line.
    parent: (usize, usize),
    /// It stands in a plain text field, whose value says the same.
    in_field: bool,
}

/// Makes the outline of a page: the folding rules, with each document of `frames` set into the node with that handle.
///
/// - Ignored nodes, `InlineTextBox`, and `generic` or `none` without a name hand their children up. A `generic` that
///   can be focused is kept: it is something to act on.
/// - Texts that follow each other in one element are one `StaticText`, however many pieces the page made it of; a
///   line break between them is a blank.
/// - A text that repeats the name or the value of the node it stands in is left out, and so is white space alone.
/// - A line knows whether the text before it may touch its own, for [`Outline::content`] cannot tell it any more.
/// - The inside of a text field is its value. The value of a password field is a fixed mask.
pub fn build(root: &RawTree<'_>, frames: &HashMap<Handle, RawTree<'_>>) -> Outline {
    let mut trees: Vec<&RawTree<'_>> = vec![root];
    let mut ids: Vec<HashMap<&str, usize>> = vec![index(root)];
    let mut seen: Vec<Vec<bool>> = vec![vec![false; root.nodes.len()]];
    let mut grafted: HashSet<Handle> = HashSet::new();
    let mut lines: Vec<Line> = Vec::new();
    // The element whose text is being gathered in the last line.
    let mut run: Option<(usize, usize)> = None;
    // Whether the last text ended without white space.
    let mut tight = false;
    let mut stack: Vec<Visit> = Vec::new();
    if !root.nodes.is_empty() {
        stack.push(Visit { tree: 0, node: 0, depth: 0, parent: (usize::MAX, 0), in_field: false });
    }
    while let Some(visit) = stack.pop() {
        let node = &trees[visit.tree].nodes[visit.node];
        // A node told twice, or a circle of them, is followed once.
        if std::mem::replace(&mut seen[visit.tree][visit.node], true) {
            continue;
        }
        let role = node.role.as_ref();
        if !node.ignored && matches!(role, "StaticText" | "LineBreak") {
            // A field says this as its value, and a password field must not say it at all.
            if visit.in_field {
                continue;
            }
            let text = if role == "LineBreak" { " " } else { &*node.name };
            let touches = tight && !text.starts_with(char::is_whitespace);
            tight = !text.ends_with(char::is_whitespace) && (tight || !text.is_empty());
            match lines.last_mut() {
                Some(line) if run == Some(visit.parent) => line.name.push_str(text),
                _ => {
                    lines.push(Line {
                        depth: visit.depth,
                        role: "StaticText".to_owned(),
                        name: text.to_owned(),
                        interactive: node.is("focusable"),
                        touches,
                        handle: node.handle,
                        ..Line::default()
                    });
                    run = Some(visit.parent);
                }
            }
            continue;
        }
        let password = node.holds_password();
        let kept = keeps(node);
        let depth = visit.depth + usize::from(kept);
        if kept {
            run = None;
            lines.push(Line { touches: tight, ..line_of(node, visit.depth, password) });
        }
        let frame = node.handle.filter(|handle| !node.ignored && !grafted.contains(handle));
        if let Some((handle, tree)) = frame.and_then(|handle| Some((handle, frames.get(&handle)?))) {
            grafted.insert(handle);
            if !tree.nodes.is_empty() {
                let parent = (visit.tree, visit.node);
                stack.push(Visit { tree: trees.len(), node: 0, depth, parent, in_field: false });
                ids.push(index(tree));
                seen.push(vec![false; tree.nodes.len()]);
                trees.push(tree);
            }
        }
        // Nothing inside a password field is shown, whatever it is.
        if password {
            continue;
        }
        let plain = node.property("editable") == Some("plaintext");
        let in_field = plain && (visit.in_field || kept);
        for child in node.children.iter().rev() {
            if let Some(&child) = ids[visit.tree].get(child.as_ref()) {
                let parent = (visit.tree, visit.node);
                stack.push(Visit { tree: visit.tree, node: child, depth, parent, in_field });
            }
        }
    }
    drop_repeated_text(&mut lines);
    Outline { lines }
}

fn index<'t>(tree: &'t RawTree<'_>) -> HashMap<&'t str, usize> {
    tree.nodes.iter().enumerate().map(|(index, node)| (node.id.as_ref(), index)).collect()
}

/// Whether the node has a line of its own.
fn keeps(node: &RawNode<'_>) -> bool {
    if node.ignored {
        return false;
    }
    match node.role.as_ref() {
        "InlineTextBox" => false,
        "generic" | "none" | "" => !node.name.trim().is_empty() || node.is("focusable"),
        _ => true,
    }
}

fn line_of(node: &RawNode<'_>, depth: usize, password: bool) -> Line {
    let name = fold(&node.name);
    let value = node
        .value
        .as_deref()
        .filter(|value| !value.is_empty())
        .map(|value| if password { MASK.to_owned() } else { fold_inside(value) });
    Line {
        depth,
        role: node.role.as_ref().to_owned(),
        states: states::of(node, &name, value.as_deref()),
        interactive: roles::interactive(&node.role) || (node.is("focusable") && !roles::document(&node.role)),
        handle: node.handle,
        name,
        value,
        ..Line::default()
    }
}

/// Folds the gathered texts, and leaves out those that are blank or repeat the node they stand in.
fn drop_repeated_text(lines: &mut Vec<Line>) {
    // Name and value of every line that is open at this point, by depth.
    let mut open: Vec<(usize, String, Option<String>)> = Vec::new();
    lines.retain_mut(|line| {
        while open.last().is_some_and(|(depth, ..)| *depth >= line.depth) {
            open.pop();
        }
        if line.role == "StaticText" {
            line.name = fold(&line.name);
            let repeats = open.last().is_some_and(|(_, name, value)| {
                *name == line.name || value.as_ref().is_some_and(|value| value.trim() == line.name)
            });
            if line.name.is_empty() || repeats {
                return false;
            }
        }
        open.push((line.depth, line.name.clone(), line.value.clone()));
        true
    });
}
