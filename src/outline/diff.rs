//! What differs between one pattern line and one real line, and how alike they are.

use super::content::Content;
use super::line::Line;
use super::line_pattern::{LinePattern, NamePattern, StatePattern};

/// A part of a pattern line that the real line does not have.
enum Difference<'p> {
    Role,
    Name,
    Value,
    State(&'p StatePattern),
}

fn differences<'p>(pattern: &'p LinePattern, line: &Line, second_name: Option<Content<'_>>) -> Vec<Difference<'p>> {
    let mut found = Vec::new();
    if !pattern.role_matches(line) {
        found.push(Difference::Role);
    }
    if pattern.name_matches(line, second_name).is_none() {
        found.push(Difference::Name);
    }
    if !pattern.value_matches(line) {
        found.push(Difference::Value);
    }
    found.extend(pattern.states.iter().filter(|state| !state.matches(line)).map(Difference::State));
    found
}

/// What differs, in words. `None` when nothing does.
pub(crate) fn label(pattern: &LinePattern, line: &Line, second_name: Option<Content<'_>>) -> Option<String> {
    let found = differences(pattern, line, second_name);
    let words: Vec<String> = found
        .iter()
        .map(|difference| match difference {
            Difference::Role => "the role".to_owned(),
            Difference::Name => "the name".to_owned(),
            Difference::Value => "the value".to_owned(),
            Difference::State(state) => format!("the state {state}"),
        })
        .collect();
    match (found.as_slice(), words.as_slice()) {
        ([], _) => None,
        ([Difference::State(state)], _) => Some(state_label(state, line)),
        (_, [only]) => Some(format!("{only} differs; nothing else does")),
        (_, [first @ .., last]) => Some(format!("{} and {last} differ", first.join(", "))),
        (_, []) => None,
    }
}

fn state_label(state: &StatePattern, line: &Line) -> String {
    match line.states.iter().find(|real| real.name == state.name) {
        Some(real) => {
            let mut text = String::new();
            real.print(&mut text);
            format!("the state {state} differs: here it is {text}")
        }
        None => format!("the state {state} is missing"),
    }
}

/// Only so many characters of a name are compared; the work stays bounded, whatever a page holds.
const COMPARED: usize = 64;

/// How alike a name is to the one asked for, from 0 to 1.
pub(crate) fn name_likeness(pattern: &NamePattern, text: &str) -> f64 {
    if pattern.matches(text) {
        return 1.0;
    }
    let wanted = match pattern {
        NamePattern::Any => return 1.0,
        NamePattern::Exact(wanted) => start(wanted),
        // What is left of an expression without its signs is near enough to what it looks for.
        NamePattern::Regex(regex) => start(&regex.to_string().replace(|c: char| !c.is_alphanumeric() && c != ' ', "")),
    };
    let text = start(text);
    if wanted.is_empty() || text.is_empty() {
        return 0.0;
    }
    let likeness = strsim::normalized_levenshtein(&wanted, &text);
    let part = wanted.chars().count() > 2 && (text.contains(&wanted) || wanted.contains(&text));
    if part { likeness.max(0.6) } else { likeness }
}

fn content_likeness(pattern: &NamePattern, content: Content<'_>) -> f64 {
    if content.matched(pattern).is_some() { 1.0 } else { name_likeness(pattern, content.text()) }
}

fn start(text: &str) -> String {
    text.chars().take(COMPARED).flat_map(char::to_lowercase).collect::<String>().trim().to_owned()
}

/// How alike a real line is to the one asked for, from 0 to 1; 1 only for a line that matches.
pub(crate) fn likeness(pattern: &LinePattern, line: &Line, second_name: Option<Content<'_>>) -> f64 {
    let mut score = 0.0;
    let mut full = 0.0;
    if pattern.role.is_some() {
        full += 0.35;
        score += if pattern.role_matches(line) { 0.35 } else { 0.0 };
    }
    if pattern.name != NamePattern::Any {
        full += 0.5;
        let by_name = name_likeness(&pattern.name, &line.name);
        score += 0.5 * second_name.map_or(by_name, |content| by_name.max(content_likeness(&pattern.name, content)));
    }
    if pattern.value != NamePattern::Any {
        full += 0.1;
        score += if pattern.value_matches(line) { 0.1 } else { 0.0 };
    }
    if !pattern.states.is_empty() {
        full += 0.1;
        let holds = pattern.states.iter().filter(|state| state.matches(line)).count();
        let share = holds as f64 / pattern.states.len() as f64;
        score += 0.1 * share;
    }
    if full == 0.0 { 1.0 } else { score / full }
}

/// Whether the line may be the one meant, with something changed.
pub(crate) fn akin(pattern: &LinePattern, line: &Line, second_name: Option<Content<'_>>) -> bool {
    let by_text = second_name.map_or(0.0, |content| content_likeness(&pattern.name, content));
    let named = name_likeness(&pattern.name, &line.name).max(by_text);
    if pattern.role.is_some() && pattern.role_matches(line) {
        named >= 0.35
    } else {
        pattern.name != NamePattern::Any && named >= 0.75
    }
}
