//! What will be run: files become scenarios, scenarios become cases. Nothing runs when any file is wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value as Json;

use super::event::CaseTitle;
use super::project::PROJECT_FILE;
use crate::scenario::{Diagnostic, Found, Part, Problems, Scenario, load_found, nearest, shown};
use crate::snapshot::Redaction;
use crate::steps::{Step, VOCABULARY, compile};

/// A scenario ready to be performed.
#[derive(Debug)]
pub struct Case {
    /// What it is called.
    pub title: Arc<CaseTitle>,
    /// Its head.
    pub scenario: Scenario,
    /// `before:`.
    pub before: Vec<Step>,
    /// `steps:`.
    pub steps: Vec<Step>,
    /// `after:`, performed however the scenario ended, unless the whole run is stopped.
    pub after: Vec<Step>,
    /// `variables`, `env` and `secret`, as templates see them.
    pub variables: BTreeMap<String, Json>,
    /// `redact:`.
    pub redactions: Vec<Redaction>,
}

/// Everything that will be run, in order.
#[derive(Debug, Default)]
pub struct Plan {
    /// The cases.
    pub cases: Vec<Arc<Case>>,
    /// How many files they came from.
    pub files: usize,
    /// How many other files of the folders are lists of steps, for scenarios to `use`.
    pub parts: usize,
}

/// Reads every scenario that the paths name: a file itself, a folder's `.yaml` and `.yml` files at any depth.
/// All that is wrong with any of them goes to `problems`.
pub fn load(paths: &[PathBuf], problems: &mut Problems) -> Plan {
    load_with(paths, &[], problems)
}

/// The same, with other values for some of the scenarios' variables. A name that no scenario has is a problem.
pub fn load_with(paths: &[PathBuf], variables: &[(String, Json)], problems: &mut Problems) -> Plan {
    let mut plan = Plan::default();
    let mut known = BTreeSet::new();
    for (file, named) in files(paths, problems) {
        let found = if named {
            crate::scenario::load(&file, &VOCABULARY, problems).map(Box::new).map(Found::Scenario)
        } else {
            load_found(&file, &VOCABULARY, problems)
        };
        match found {
            Some(Found::Part(part)) => {
                plan.parts += 1;
                check_part(&part, problems);
            }
            Some(Found::Scenario(scenario)) => {
                plan.files += 1;
                let Some(mut case) = case_of(&file, *scenario, problems) else { continue };
                for (key, _) in &case.scenario.variables {
                    known.insert(key.name.clone());
                    for (_, value) in variables.iter().filter(|(name, _)| *name == key.name) {
                        case.variables.insert(key.name.clone(), value.clone());
                    }
                }
                plan.cases.push(Arc::new(case));
            }
            None => plan.files += 1,
        }
    }
    // Where files are wrong, the name may be in one of those.
    let unknown = variables.iter().find(|(name, _)| !known.contains(name));
    if let Some((name, _)) = unknown.filter(|_| problems.is_empty()) {
        let problem = Diagnostic::new(format!("no scenario has a variable `{}`", shown(name)));
        problems.add(match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => problem.next(format!("did you mean `{near}`?")),
            None => problem.next("give it a usual value under `variables:` of the scenario, and then another one here"),
        });
    }
    plan
}

/// What is wrong with a list of steps by itself. Names that it mentions are for those to know who use it.
fn check_part(part: &Part, problems: &mut Problems) {
    let apart = problems.set_names_apart();
    compile(&part.steps, problems);
    problems.put_names_back(apart);
    // Which pages its paths are looked up in, too.
    problems.check_pages(true);
}

/// The files that the paths name: a file itself, a folder's `.yaml` and `.yml` files at any depth.
pub fn scenario_files(paths: &[PathBuf], problems: &mut Problems) -> Vec<PathBuf> {
    files(paths, problems).into_iter().map(|(file, _)| file).collect()
}

/// The files, and whether each was named by itself and not found in a folder.
fn files(paths: &[PathBuf], problems: &mut Problems) -> Vec<(PathBuf, bool)> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push((path.clone(), true));
            continue;
        }
        let before = all.len();
        for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_file() && is_scenario(entry.path()) => {
                    all.push((entry.into_path(), false));
                }
                Ok(_) => {}
                Err(error) => problems.add(Diagnostic::new(format!("the folder can't be read: {error}"))),
            }
        }
        if all.len() == before {
            problems.add(
                Diagnostic::new(format!("no scenario in the folder {}", path.display()))
                    .next("a scenario is a .yaml file; name one, or a folder that holds some"),
            );
        }
    }
    // A file named twice is one scenario.
    let mut seen = std::collections::HashSet::new();
    all.retain(|(path, _)| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    all
}

fn is_scenario(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
        && path.file_name().is_some_and(|name| name != PROJECT_FILE)
}

fn case_of(file: &Path, scenario: Scenario, problems: &mut Problems) -> Option<Case> {
    let told = problems.len();
    let before = compile(&scenario.before, problems);
    let steps = compile(&scenario.steps, problems);
    let after = compile(&scenario.after, problems);
    problems.check_names(&scenario.known());
    let variables = variables(&scenario, problems);
    // Where `serve:` is itself a mistake, or anything else is, nothing more need be said.
    let serves = scenario.serve.is_some() || !scenario.pages.is_empty() || problems.len() > told;
    problems.check_pages(serves || problems.has_any_in(file));
    let title = Arc::new(CaseTitle { file: file.to_path_buf(), name: scenario.name.clone() });
    // Each pattern was compiled once already, when the file was read.
    let redactions =
        scenario.redact.iter().map(|redact| Redaction::new(redact.pattern.clone(), &*redact.with)).collect();
    Some(Case { title, scenario, before, steps, after, variables, redactions })
}

/// `variables`, and the parts of the environment that the scenario lists, as templates see them.
fn variables(scenario: &Scenario, problems: &mut Problems) -> BTreeMap<String, Json> {
    let mut all: BTreeMap<String, Json> =
        scenario.variables.iter().map(|(key, node)| (key.name.clone(), node.value())).collect();
    for (group, keys) in [("env", &scenario.env), ("secret", &scenario.secrets)] {
        let mut values = serde_json::Map::new();
        for key in keys {
            match std::env::var(&key.name) {
                Ok(value) => {
                    values.insert(key.name.clone(), Json::from(value));
                }
                Err(_) => problems.add(
                    Diagnostic::new(format!("the environment has no {}", key.name))
                        .at(key.place.clone())
                        .label("listed here")
                        .next(format!("set it: {}=… playscript run …", key.name)),
                ),
            }
        }
        if !values.is_empty() {
            all.insert(group.to_owned(), Json::Object(values));
        }
    }
    all
}

impl Case {
    /// The scenario file relative to the project's folder, where it stands in it: snapshots are named after it.
    #[must_use]
    pub fn file_in(&self, project: &Path) -> PathBuf {
        let here = std::env::current_dir().unwrap_or_default();
        let whole = |path: &Path| here.join(path).canonicalize().unwrap_or_else(|_| here.join(path));
        let (file, project) = (whole(&self.title.file), whole(project));
        file.strip_prefix(&project).map(Path::to_path_buf).unwrap_or(file)
    }
}
