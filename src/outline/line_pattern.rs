//! One line of a pattern, used by targets and readings too.

use std::fmt;

use regex::{Regex, RegexBuilder};

use super::content::{Content, Contents};
use super::error::PatternError;
use super::line::{Line, Outline, State};
use super::print::print_state;
use super::states::{self, Kind};
use super::syntax::{self, LineTokens, TextToken};
use super::text::{push_word, quoted, same_text};
use super::{diff, foreign_roles, roles};

/// What a pattern asks of a name or a value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum NamePattern {
    /// Left out: matches anything.
    #[default]
    Any,
    /// In quotes: the whole text, white space folded.
    Exact(String),
    /// Between slashes: a match anywhere in the text.
    Regex(RegexPattern),
}

/// A regular expression as it was written, and compiled.
#[derive(Clone, Debug)]
pub struct RegexPattern {
    source: String,
    flags: String,
    regex: Regex,
}

impl PartialEq for RegexPattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.flags == other.flags
    }
}

impl Eq for RegexPattern {}

impl RegexPattern {
    /// Compiles an expression; flags are any of `imsx`.
    pub fn new(source: &str, flags: &str) -> Result<Self, String> {
        let mut builder = RegexBuilder::new(source);
        for flag in flags.chars() {
            match flag {
                'i' => builder.case_insensitive(true),
                'm' => builder.multi_line(true),
                's' => builder.dot_matches_new_line(true),
                'x' => builder.ignore_whitespace(true),
                other => return Err(format!("`{other}` is not a flag; flags are i, m, s and x")),
            };
        }
        let regex = builder.build().map_err(|error| match error {
            regex::Error::Syntax(text) => {
                // The last line of the report says what is wrong; the others draw it.
                let last = text.lines().last().unwrap_or_default();
                last.strip_prefix("error: ").unwrap_or(last).to_owned()
            }
            regex::Error::CompiledTooBig(_) => "it is too big".to_owned(),
            other => other.to_string(),
        })?;
        Ok(Self { source: source.to_owned(), flags: flags.to_owned(), regex })
    }

    /// The compiled expression.
    pub fn regex(&self) -> &Regex {
        &self.regex
    }
}

impl fmt::Display for RegexPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        f.write_char('/')?;
        let mut chars = self.source.chars();
        while let Some(c) = chars.next() {
            match c {
                '/' => f.write_str("\\/")?,
                // A pair stays a pair, so that the slash after `\\` is not taken for a part of it.
                '\\' => {
                    f.write_char(c)?;
                    chars.next().map_or(Ok(()), |next| f.write_char(next))?;
                }
                c => f.write_char(c)?,
            }
        }
        write!(f, "/{}", self.flags)
    }
}

impl NamePattern {
    fn of(token: Option<TextToken>) -> Result<Self, PatternError> {
        Ok(match token {
            None => Self::Any,
            Some(TextToken::Quoted(text)) => Self::Exact(text),
            Some(TextToken::Regex { source, flags, range }) => {
                Self::Regex(RegexPattern::new(&source, &flags).map_err(|message| {
                    PatternError::new(range, format!("this regular expression does not parse: {message}")).next(
                        "a plain text stands in quotes; in an expression \\ takes away the meaning of . ( [ * + ?",
                    )
                })?)
            }
        })
    }

    /// Whether the text is one that is asked for.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Exact(wanted) => same_text(wanted, text),
            Self::Regex(pattern) => pattern.regex.is_match(text),
        }
    }

    fn capture(&self, text: &str) -> Option<String> {
        let Self::Regex(pattern) = self else {
            return None;
        };
        let captures = pattern.regex.captures(text)?;
        // A blank at its end may only join two texts.
        captures.get(1).map(|group| group.as_str().trim().to_owned())
    }

    fn has_group(&self) -> bool {
        matches!(self, Self::Regex(pattern) if pattern.regex.captures_len() > 1)
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => Ok(()),
            Self::Exact(text) => f.write_str(&quoted(text)),
            Self::Regex(pattern) => pattern.fmt(f),
        }
    }
}

/// A state that a pattern asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePattern {
    /// One of the table.
    pub name: &'static str,
    /// What it must be; `None` and `true` are the same.
    pub value: Option<String>,
}

impl StatePattern {
    /// Whether the line is in that state. `false` matches a line that does not say the state, where it could:
    /// `[checked=false]` a check box that is off, but no button; `[pressed=false]` and `[expanded=false]` are said.
    pub fn matches(&self, line: &Line) -> bool {
        let wanted = self.value.as_deref().unwrap_or("true");
        let mut real = line.states.iter().filter(|state| state.name == self.name).peekable();
        match real.peek() {
            Some(_) => real.any(|state| same_text(wanted, state.value.as_deref().unwrap_or("true"))),
            None if wanted != "false" => false,
            None => match self.name {
                "checked" => roles::checkable(&line.role),
                "selected" => roles::selectable(&line.role),
                name => matches!(states::kind(name), Some((_, Kind::Flag | Kind::FlagOrWord))),
            },
        }
    }
}

impl fmt::Display for StatePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        print_state(&mut text, self.name, self.value.as_deref());
        f.write_str(&text)
    }
}

/// One line of a pattern: role, name, value and states; a part left out matches anything.
///
/// **Text roles.** Chrome gives `status`, `alert`, `paragraph`, `listitem` and other roles that hold text no name of
/// their own. For these the name in a pattern, in quotes or a `/regex/`, is held against the node's name and, when that
/// does not match, against the folded text of its subtree: `alert "Game over"` matches an alert that is named so and one
/// that says so. This needs the outline around the line: [`LinePattern::matches_in`], [`LinePattern::capture_in`] and
/// everything that takes an [`Outline`] follow it; [`LinePattern::matches`] knows the line alone.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LinePattern {
    /// Matched without regard to case.
    pub role: Option<String>,
    /// The name, or for text roles the text.
    pub name: NamePattern,
    /// What a field holds; `= ""` is a field that holds nothing.
    pub value: NamePattern,
    /// All of them must hold.
    pub states: Vec<StatePattern>,
}

/// How a line was matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    Name,
    Content,
}

impl LinePattern {
    /// Reads one line; a `[ref_N]` at its end is passed over.
    pub fn parse(text: &str) -> Result<LinePattern, PatternError> {
        match syntax::placed_lines(text)?.as_slice() {
            [] => Err(PatternError::new(0..text.len(), "an empty pattern").next("write a line: button \"Save\"")),
            [line] => Self::of(syntax::line(&text[line.range.clone()], line.range.start)?),
            [_, second, ..] => Err(PatternError::new(second.range.clone(), "only one line can stand here")),
        }
    }

    pub(crate) fn of(tokens: LineTokens) -> Result<Self, PatternError> {
        Ok(Self {
            role: tokens.role,
            name: NamePattern::of(tokens.name)?,
            value: NamePattern::of(tokens.value)?,
            states: tokens
                .states
                .into_iter()
                .map(|state| StatePattern { name: state.name, value: state.value })
                .collect(),
        })
    }

    /// The pattern that says all that a line says.
    pub(crate) fn from_line(line: &Line) -> Self {
        let state =
            |state: &State| Some(StatePattern { name: states::kind(&state.name)?.0, value: state.value.clone() });
        let named = !line.name.is_empty() || line.role.is_empty();
        Self {
            role: Some(line.role.clone()).filter(|role| !role.is_empty()),
            name: if named { NamePattern::Exact(line.name.clone()) } else { NamePattern::Any },
            value: line.value.clone().map_or(NamePattern::Any, NamePattern::Exact),
            states: line.states.iter().filter_map(state).collect(),
        }
    }

    /// Whether the line matches by itself, without the text it holds.
    pub fn matches(&self, line: &Line) -> bool {
        self.matches_with(line, None).is_some()
    }

    /// Whether that line of the outline matches, by its name or for text roles by its text.
    pub fn matches_in(&self, outline: &Outline, line: usize) -> bool {
        let Some(real) = outline.lines.get(line) else {
            return false;
        };
        self.matches(real)
            || roles::holds_text(&real.role) && {
                let contents = Contents::of(&outline.part(line));
                self.matches_with(real, Some(contents.of_line(0))).is_some()
            }
    }

    /// All lines of the outline that match, in reading order.
    pub fn find(&self, outline: &Outline) -> Vec<usize> {
        let contents = Contents::of(outline);
        let matches = |index: &usize| self.matches_with(&outline.lines[*index], contents.second_name(*index)).is_some();
        (0..outline.lines.len()).filter(matches).collect()
    }

    pub(crate) fn matches_with(&self, line: &Line, second_name: Option<Content<'_>>) -> Option<By> {
        if !self.role_matches(line) || !self.value_matches(line) || !self.states.iter().all(|state| state.matches(line))
        {
            return None;
        }
        self.name_matches(line, second_name)
    }

    pub(crate) fn role_matches(&self, line: &Line) -> bool {
        self.role.as_ref().is_none_or(|role| {
            role.eq_ignore_ascii_case(&line.role)
                || (!role.is_ascii() && role.to_lowercase() == line.role.to_lowercase())
        })
    }

    pub(crate) fn value_matches(&self, line: &Line) -> bool {
        self.value == NamePattern::Any || self.value.matches(line.value.as_deref().unwrap_or_default())
    }

    pub(crate) fn name_matches(&self, line: &Line, second_name: Option<Content<'_>>) -> Option<By> {
        if self.name.matches(&line.name) {
            return Some(By::Name);
        }
        second_name?.matched(&self.name).map(|_| By::Content)
    }

    /// The first group of the `/regex/` in the name, or of the one in the value, of a line that matches.
    pub fn capture(&self, line: &Line) -> Option<String> {
        self.capture_with(line, None)
    }

    /// The same, with the text that a line of a text role holds.
    pub fn capture_in(&self, outline: &Outline, line: usize) -> Option<String> {
        let real = outline.lines.get(line)?;
        let contents = roles::holds_text(&real.role).then(|| Contents::of(&outline.part(line)));
        self.capture_with(real, contents.as_ref().map(|contents| contents.of_line(0)))
    }

    fn capture_with(&self, line: &Line, second_name: Option<Content<'_>>) -> Option<String> {
        let by = self.matches_with(line, second_name)?;
        // An expression that is content with no name at all, as `/(.*)/`, means the text where there is no name.
        let text = second_name.filter(|_| by == By::Content || line.name.is_empty());
        let text = text.and_then(|content| content.matched(&self.name));
        let name = text.as_deref().unwrap_or(&line.name);
        let value = line.value.as_deref().unwrap_or_default();
        self.name.capture(name).or_else(|| self.value.capture(value))
    }

    /// Whether there is a group to capture.
    pub fn has_group(&self) -> bool {
        self.name.has_group() || self.value.has_group()
    }

    /// The complaint about a role that no browser gives: as [`super::Pattern::unknown_role`].
    pub fn unknown_role(&self, text: &str) -> Option<PatternError> {
        self.unknown_role_at(text.len() - text.trim_start().len())
    }

    pub(crate) fn unknown_role_at(&self, start: usize) -> Option<PatternError> {
        let role = self.role.as_deref().filter(|role| !roles::may_be_role(role))?;
        let error = |message: String| PatternError::new(start..start + role.len(), message);
        if let Some(meant) = foreign_roles::meant(role) {
            let mut line = self.clone();
            line.role = Some(meant.role.to_owned());
            if meant.level > 0 && !self.states.iter().any(|state| state.name == "level") {
                line.states.push(StatePattern { name: "level", value: Some(meant.level.to_string()) });
            }
            let others = match meant.others {
                [] => String::new(),
                others => format!("; or, as `read` shows it, {}", others.join(", ")),
            };
            return Some(
                error(format!("there is no role `{role}`; the browser calls it `{}`", meant.role))
                    .next(format!("write {line}{others}")),
            );
        }
        if let Some(near) = roles::nearest_role(role) {
            let message = format!("there is no role `{role}`; did you mean `{near}`?");
            return Some(error(message).next(format!("write `{near}`")));
        }
        let alone = self.name == NamePattern::Any && self.value == NamePattern::Any && self.states.is_empty();
        Some(if alone {
            error(format!("there is no role `{role}`")).next("put a text in quotes").meant(quoted(role))
        } else {
            error(format!("there is no role `{role}`"))
                .next("write a role as `read` shows it, such as button, link or heading; or leave it out")
        })
    }

    /// What differs between the pattern and a line that does not match it.
    pub fn why_not(&self, line: &Line) -> Option<String> {
        diff::label(self, line, None)
    }
}

impl fmt::Display for LinePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        if let Some(role) = &self.role {
            let mut word = String::new();
            push_word(&mut word, role);
            parts.push(word);
        }
        if self.name != NamePattern::Any {
            parts.push(self.name.to_string());
        }
        if self.value != NamePattern::Any {
            parts.push(format!("= {}", self.value));
        }
        parts.extend(self.states.iter().map(ToString::to_string));
        f.write_str(&parts.join(" "))
    }
}
