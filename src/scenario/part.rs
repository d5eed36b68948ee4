//! Files whose steps other files use.

use std::path::Path;

use super::diagnostic::Problems;
use super::head;
use super::node::{Key, Kind, Node};
use super::scenario;
use super::source::Source;
use super::step::{RawStep, Vocabulary};
use super::yaml;

/// What `use` takes of a file.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its steps.
    pub steps: Vec<RawStep>,
    /// Its variables; none where it is only a list of steps.
    pub variables: Vec<(Key, Node)>,
}

/// What a file among scenarios is.
#[derive(Clone, Debug)]
pub enum Found {
    /// A scenario, to be run.
    Scenario(Box<scenario::Scenario>),
    /// A list of steps, for others to use.
    Part(Part),
}

/// Reads a file that stands among scenarios: one that is only a list of steps is a part of others and no scenario.
pub fn load_found(path: &Path, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Option<Found> {
    let source = Source::read(path, problems)?;
    let told = problems.len();
    let root = yaml::read(&source, problems)?;
    let sound = problems.len() == told;
    if let Kind::List(_) = root.kind {
        let steps = RawStep::list(&root, vocabulary, problems);
        return Some(Found::Part(Part { steps, variables: Vec::new() }));
    }
    head::read(source, &root, sound, vocabulary, problems).map(Box::new).map(Found::Scenario)
}

/// Reads a file that a step uses.
pub fn load_part(path: &Path, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Option<Part> {
    match load_found(path, vocabulary, problems)? {
        Found::Part(part) => Some(part),
        Found::Scenario(scenario) => Some(Part { steps: scenario.steps, variables: scenario.variables }),
    }
}
