//! Targets: which element a step means.

use std::fmt;
use std::ops::Range;

use super::diagnostic::{Problems, shown};
use super::node::Node;
use super::target_map;
use super::text_match::TextMatch;
use crate::outline::{
    LinePattern, NamePattern, Pattern, PatternError, in_other_quotes, is_foreign_role, is_known_role, nearest_role,
};

/// Which element a step means.
#[derive(Clone, Debug)]
pub struct Target {
    /// How it is told from others.
    pub by: By,
    /// Inside this element.
    pub within: Option<Box<Target>>,
    /// Holding this.
    pub has: Option<Has>,
    /// Which of several, from 1.
    pub nth: Option<usize>,
    /// In this frame.
    pub frame: Option<Box<Target>>,
}

/// How an element is told from others.
#[derive(Clone, Debug)]
pub enum By {
    /// By a line of the outline.
    Line(LinePattern),
    /// By name: an interactive element of this name, else the innermost element of this text.
    Name(String),
    /// By its number in the last `read`.
    Ref(u32),
    /// By a CSS selector.
    Css(String),
    /// A field by its label.
    Label(TextMatch),
    /// By its text.
    Text(TextMatch),
    /// A field by its placeholder.
    Placeholder(TextMatch),
    /// An image by its alternative text.
    Alt(TextMatch),
    /// By its title.
    Title(TextMatch),
    /// By its `data-testid`.
    TestId(String),
    /// By role, and name if one is given.
    Role {
        /// The role, as it was written.
        role: String,
        /// The name.
        name: Option<TextMatch>,
    },
    /// A place in the viewport, in CSS pixels.
    Point {
        /// From the left.
        x: f64,
        /// From the top.
        y: f64,
    },
}

/// What an element must hold.
#[derive(Clone, Debug)]
pub enum Has {
    /// A text or a name, anywhere in it: the whole of a node's name, or what a regular expression finds there.
    Text(TextMatch),
    /// Lines of the outline.
    Pattern(Pattern),
}

impl Target {
    /// A target without further conditions.
    pub fn new(by: By) -> Target {
        Target { by, within: None, has: None, nth: None, frame: None }
    }

    /// Reads the forms that are text: an outline line, a name with or without quotes, `ref_3`. A single word is a role
    /// only if it is spelled exactly as the outline spells that role; anything in quotes is a name.
    pub fn parse(text: &str) -> Result<Target, PatternError> {
        Ok(Target::new(by_text(text)?))
    }

    /// Reads any form from a file.
    pub fn from_node(node: &Node, problems: &mut Problems) -> Option<Target> {
        target_map::target(node, problems)
    }
}

/// Roles of things a person acts on: behind one of them, a word without quotes is a slip rather than a longer name.
const ACTED_ON: &[&str] = &[
    "button",
    "checkbox",
    "combobox",
    "gridcell",
    "link",
    "listbox",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
    "treeitem",
];

fn by_text(text: &str) -> Result<By, PatternError> {
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    let whole = start..start + trimmed.len();
    if trimmed.is_empty() {
        return Err(error(whole, "a target is missing", "name what you mean, such as button \"Save\""));
    }
    if let Some(number) = trimmed.strip_prefix("ref_") {
        return match number.parse() {
            Ok(number) if number > 0 => Ok(By::Ref(number)),
            _ => Err(error(whole, "a ref is `ref_` and a number", "write ref_1, as `read` prints it")),
        };
    }
    if trimmed.contains('\n') {
        return Err(error(whole, "a target is one line", "name one element"));
    }
    if let Some(next) = foreign(trimmed) {
        return Err(error(whole, "this is written as other tools have it", &next));
    }
    if trimmed.starts_with(['"', '/']) {
        return line(text);
    }
    let word_length = trimmed.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(trimmed.len());
    let (word, rest) = trimmed.split_at(word_length);
    let after = rest.trim_start();
    if rest.is_empty() {
        return if is_bare_role(word) { line(text) } else { Ok(By::Name(trimmed.to_owned())) };
    }
    let goes_on = rest.starts_with(' ') && after.starts_with(['"', '/', '[', '=']);
    if goes_on && is_known_role(word) {
        return line(text);
    }
    // Laid out as a line of the outline, of a role that no browser gives; `Total = 5` and `Say "hello"` are names.
    let laid_out = match word.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => goes_on,
        false => goes_on && after.starts_with(['"', '/']) && is_foreign_role(word),
    };
    if laid_out && let Some(error) = LinePattern::parse(text).ok().and_then(|line| line.unknown_role(text)) {
        let next = error.next.unwrap_or_default();
        let next = match is_foreign_role(word) {
            true => next,
            false => format!("{next}; a name with quotes in it stands in quotes as a whole"),
        };
        return Err(PatternError { next: Some(next), ..error });
    }
    let named = goes_on && after.starts_with(['"', '/']);
    if named && let Some(near) = nearest_role(word) {
        let message = format!("there is no role `{word}`; did you mean `{near}`?");
        let range = start..start + word.len();
        return Err(error(range, &message, &format!("write {near}, or put a name in quotes as a whole")));
    }
    if ACTED_ON.contains(&word) && rest.starts_with(' ') {
        let range = whole.end - after.len()..whole.end;
        if let Some(name) = in_other_quotes(after) {
            let next = format!("write {word} \"{}\"", shown(name));
            return Err(error(range, "a name stands in double quotes", &next));
        }
        let next = format!("write {word} \"{}\", or \"{}\" if that is the whole name", shown(after), shown(trimmed));
        return Err(error(range, "a name behind a role stands in quotes", &next));
    }
    Ok(By::Name(trimmed.to_owned()))
}

/// What to write for a target as other tools write it: a CSS selector, an XPath, `text=…`; `None` where it may be a name.
fn foreign(text: &str) -> Option<String> {
    let css = |selector: &str| format!("write {{ css: \"{}\" }}", shown(selector.trim()).replace('"', "'"));
    let named = format!("; for an element of this name write '\"{}\"'", shown(text));
    if text.starts_with("//") || text.starts_with("(//") {
        return Some(NO_XPATH.to_owned());
    }
    if let Some((kind, rest)) = text.split_once('=').filter(|(_, rest)| !rest.trim().is_empty()) {
        let rest = rest.trim();
        let inner = rest.trim_matches(['"', '\'']);
        return match kind {
            "css" => Some(css(rest)),
            "text" => Some(format!("write the text alone: {}, or {{ text: \"{}\" }}", shown(inner), shown(inner))),
            "id" => Some(css(&format!("#{inner}"))),
            "xpath" => Some(NO_XPATH.to_owned()),
            "data-testid" | "testid" => Some(format!("write {{ test-id: {} }}", shown(inner))),
            "role" => Some(format!("write the line as `read` shows it: {}", shown(inner))),
            _ => None,
        };
    }
    let mut signs = text.chars();
    let begins = matches!(signs.next(), Some('#' | '.')) && signs.next().is_some_and(|c| c.is_ascii_alphabetic());
    (begins && !text.contains(char::is_whitespace)).then(|| css(text) + &named)
}

/// What to do instead of finding elements by XPath.
const NO_XPATH: &str =
    "there is no XPath here: write the line as `read` shows it, such as button \"Save\", or { css: SELECTOR }";

/// Whether a text is laid out as a line of the outline and its role is none: what is wrong with it.
pub(super) fn unknown_role(text: &str) -> Option<PatternError> {
    let line = LinePattern::parse(text).ok().filter(|line| line.name != NamePattern::Any || !line.states.is_empty());
    line.and_then(|line| line.unknown_role(text))
}

/// Whether a word alone is a role. Names mostly begin with a capital: `Details` is a name and `details` a role, but
/// `StaticText` and `Iframe` are no words of a page.
fn is_bare_role(word: &str) -> bool {
    let own_spelling = word == "Iframe" || word.chars().skip(1).any(|c| c.is_ascii_uppercase());
    is_known_role(word) && (own_spelling || word.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// A line of the outline; one that says no more than a name is a name.
fn line(text: &str) -> Result<By, PatternError> {
    let line = LinePattern::parse(text)?;
    match &line {
        LinePattern { role: None, name: NamePattern::Exact(name), value: NamePattern::Any, states }
            if states.is_empty() =>
        {
            Ok(By::Name(name.clone()))
        }
        _ => Ok(By::Line(line)),
    }
}

pub(super) fn error(range: Range<usize>, message: &str, next: &str) -> PatternError {
    PatternError { range, message: message.to_owned(), next: Some(next.to_owned()), meant: None }
}

/// Whether a text reads as a line of the outline rather than as words of a page.
pub(super) fn is_line(text: &str) -> bool {
    matches!(by_text(text), Ok(By::Line(_))) && !text.trim_start().starts_with('/')
}

/// As it is written in a scenario.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.by)?;
        if let Some(has) = &self.has {
            write!(f, " has {has}")?;
        }
        if let Some(nth) = self.nth {
            write!(f, " nth {nth}")?;
        }
        if let Some(within) = &self.within {
            write!(f, " within {within}")?;
        }
        if let Some(frame) = &self.frame {
            write!(f, " in frame {frame}")?;
        }
        Ok(())
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            By::Line(line) => write!(f, "{line}"),
            By::Name(name) => write!(f, "\"{}\"", shown(name)),
            By::Ref(number) => write!(f, "ref_{number}"),
            By::Css(selector) => write!(f, "css \"{}\"", shown(selector)),
            By::Label(text) => write!(f, "label {text}"),
            By::Text(text) => write!(f, "text {text}"),
            By::Placeholder(text) => write!(f, "placeholder {text}"),
            By::Alt(text) => write!(f, "alt {text}"),
            By::Title(text) => write!(f, "title {text}"),
            By::TestId(id) => write!(f, "test-id \"{}\"", shown(id)),
            By::Role { role, name: Some(name) } => write!(f, "{} {name}", shown(role)),
            By::Role { role, name: None } => f.write_str(&shown(role)),
            By::Point { x, y } => write!(f, "x {x}, y {y}"),
        }
    }
}

impl fmt::Display for Has {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Has::Text(text) => write!(f, "{text}"),
            Has::Pattern(pattern) => f.write_str(pattern.to_string().trim_end()),
        }
    }
}
