//! What will be run: files become scenarios, scenarios become cases. Nothing runs when any file is wrong.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use regex::Regex;
use serde_json::Value as Json;

use super::event::{CaseTitle, Verdict};
use super::needs;
use super::project::{PROJECT_FILE, ProjectFile};
use super::surroundings::{Surroundings, surroundings};
use crate::scenario::{
    AppSetting, ClockSetting, Diagnostic, Found, MASKED, Mask, Need, Part, Place, Problems, Row, Scenario, Values,
    load_found, nearest, shown,
};
use crate::snapshot::Redaction;
use crate::steps::{Step, VOCABULARY, Value, Whenever, compile};

/// A scenario ready to be performed, with one of its rows where it has `examples`.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is called.
    pub title: Arc<CaseTitle>,
    /// Its head.
    pub scenario: Arc<Scenario>,
    /// Its name, without the row.
    pub name: String,
    /// What the dates of its pages say.
    pub clock: Option<ClockSetting>,
    /// `before:`.
    pub before: Arc<Vec<Step>>,
    /// `steps:`.
    pub steps: Arc<Vec<Step>>,
    /// `after:`, performed however the scenario ended, unless the whole run is stopped.
    pub after: Arc<Vec<Step>>,
    /// What is done when something stands in an act's way.
    pub whenever: Arc<Vec<Whenever>>,
    /// `variables` without templates, the row's values, `env` and `secret`, as templates see them.
    pub variables: BTreeMap<String, Json>,
    /// `variables` with templates, worked out before the first step.
    pub filled: Arc<Vec<(String, Place, Value)>>,
    /// Variables that the run was given other values for, in its own words: `city=Oslo`.
    pub given: Vec<String>,
    /// The row as titles and snapshots show it; empty where there is none.
    pub row: String,
    /// Which row it is, from 1.
    pub row_number: Option<usize>,
    /// The application that its paths are looked up in.
    pub app: Option<Arc<AppSetting>>,
    /// The cases that must have passed before: their places in the plan.
    pub needs: Vec<usize>,
    /// The values of its secrets.
    pub secrets: Vec<String>,
    /// What this machine does not have for it: variables of the environment that are not set.
    pub lacks: Arc<Vec<Diagnostic>>,
    /// `redact:`, and what hides secrets.
    pub redactions: Vec<Redaction>,
}

/// Everything that will be run, in order.
#[derive(Debug, Default)]
pub struct Plan {
    /// The cases.
    pub cases: Vec<Arc<Case>>,
    /// How many files they came from.
    pub files: usize,
    /// How many other files are lists of steps, for scenarios to `use`.
    pub parts: usize,
    /// Those of them that were named themselves: they can be checked, and not run.
    pub named_parts: Vec<PathBuf>,
}

impl Plan {
    /// What this machine does not have for the cases, each thing once, with the scenarios that need it. A case that is
    /// skipped needs nothing.
    #[must_use]
    pub fn lacking(&self) -> Vec<Diagnostic> {
        let mut all: Vec<(Diagnostic, Vec<String>)> = Vec::new();
        for case in self.cases.iter().filter(|case| !case.lacks.is_empty() && !case.is_skipped()) {
            let file = shown(&case.title.file.display().to_string());
            for lack in case.lacks.iter() {
                match all.iter_mut().find(|(known, _)| known.title == lack.title) {
                    Some((_, files)) if files.contains(&file) => {}
                    Some((_, files)) => files.push(file.clone()),
                    None => all.push((lack.clone(), vec![file.clone()])),
                }
            }
        }
        let told = |(lack, files): (Diagnostic, Vec<String>)| match files.len() {
            1 => lack,
            _ => lack.detail("needed by", files.join("\n")),
        };
        all.into_iter().map(told).collect()
    }

    /// Leaves the cases that are wanted, and those that they need.
    pub fn keep(&mut self, wanted: impl Fn(&Case) -> bool) {
        let mut kept: Vec<bool> = self.cases.iter().map(|case| wanted(case)).collect();
        let mut to_look_at: Vec<usize> = (0..kept.len()).filter(|case| kept[*case]).collect();
        while let Some(case) = to_look_at.pop() {
            let needs = self.cases.get(case).map(|case| case.needs.clone()).unwrap_or_default();
            to_look_at.extend(needs.into_iter().filter(|need| !std::mem::replace(&mut kept[*need], true)));
        }
        // Needs are places in the plan, which move up.
        let mut places = vec![None; kept.len()];
        (0..kept.len()).filter(|case| kept[*case]).enumerate().for_each(|(new, old)| places[old] = Some(new));
        let mut keep = kept.into_iter();
        self.cases.retain(|_| keep.next().unwrap_or(false));
        for case in &mut self.cases {
            let case = Arc::make_mut(case);
            case.needs = case.needs.iter().filter_map(|need| places.get(*need).copied().flatten()).collect();
        }
    }
}

/// Reads every scenario that the paths name: a file itself, a folder's `.yaml` and `.yml` files at any depth.
/// All that is wrong with any of them goes to `problems`.
pub fn load(paths: &[PathBuf], problems: &mut Problems) -> Plan {
    load_with(paths, &[], &ProjectFile::default(), problems)
}

/// The same, with other values for some of the scenarios' variables, and with what the project has settled for those that do not
/// say it. A name that no scenario has is a problem.
pub fn load_with(
    paths: &[PathBuf],
    variables: &[(String, Json)],
    project: &ProjectFile,
    problems: &mut Problems,
) -> Plan {
    let app = project.app.as_ref().map(|app| Arc::new(app.value.clone()));
    let mut plan = Plan::default();
    let mut known = BTreeSet::new();
    let mut cases = Vec::new();
    let mut loaded: Vec<Loaded> = Vec::new();
    let mut queue: VecDeque<(PathBuf, Named)> = files(paths, problems).into();
    let mut queued: HashSet<PathBuf> = queue.iter().map(|(file, _)| whole(file)).collect();
    while let Some((file, named)) = queue.pop_front() {
        let found = match named {
            // What is needed must be one that can be run.
            Named::ByNeed => crate::scenario::load(&file, &VOCABULARY, problems).map(Box::new).map(Found::Scenario),
            Named::Itself | Named::ByFolder => load_found(&file, &VOCABULARY, problems),
        };
        let scenario = match found {
            Some(Found::Part(part)) => {
                plan.parts += 1;
                plan.named_parts.extend((named == Named::Itself).then_some(file));
                check_part(&part, problems);
                continue;
            }
            Some(Found::Scenario(mut scenario)) => {
                project.common.complete(&mut scenario);
                *scenario
            }
            None => {
                plan.files += 1;
                continue;
            }
        };
        plan.files += 1;
        let needs = scenario.needs.clone();
        // What is needed is run too, named or not.
        queue.extend(
            needs.iter().filter(|need| queued.insert(whole(&need.path))).map(|need| (need.path.clone(), Named::ByNeed)),
        );
        let before = cases.len();
        let told = problems.len();
        let names: Vec<String> = scenario.variables.iter().map(|(key, _)| key.name.clone()).collect();
        let mut made = cases_of(&file, scenario, app.as_ref(), problems);
        for name in names {
            for (_, value) in variables.iter().filter(|(given, _)| *given == name) {
                made.iter_mut().for_each(|case| case.give(&name, value));
            }
            known.insert(name);
        }
        let sound = problems.len() == told && !problems.has_any_in(&file);
        made.iter_mut().for_each(|case| case.fill_head(sound, problems));
        cases.extend(made);
        loaded.push(Loaded { file: whole(&file), cases: before..cases.len(), needs });
    }
    needs::join(&loaded, &mut cases, problems);
    // Where files are wrong, the name may be in one of those.
    let unknown = variables.iter().find(|(name, _)| !known.contains(name));
    if let Some((name, _)) = unknown.filter(|_| problems.is_empty()) {
        let problem = Diagnostic::new(format!("no scenario has a variable `{}`", shown(name)));
        problems.add(match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => problem.next(format!("did you mean `{near}`?")),
            None => problem.next("give it a usual value under `variables:` of the scenario, and then another one here"),
        });
    }
    plan.cases = cases.into_iter().map(Arc::new).collect();
    plan
}

/// A scenario file that was read.
pub(super) struct Loaded {
    /// Its path, absolute.
    pub(super) file: PathBuf,
    /// Its cases in the plan.
    pub(super) cases: Range<usize>,
    /// What it needs.
    pub(super) needs: Vec<Need>,
}

pub(super) fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
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

/// How a file came to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    /// It was named itself.
    Itself,
    /// It stands in a folder that was named.
    ByFolder,
    /// A scenario needs it.
    ByNeed,
}

/// The files, and how each was named.
fn files(paths: &[PathBuf], problems: &mut Problems) -> Vec<(PathBuf, Named)> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push((path.clone(), Named::Itself));
            continue;
        }
        let before = all.len();
        for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_file() && is_scenario(entry.path()) => {
                    all.push((entry.into_path(), Named::ByFolder));
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

/// The cases of a scenario: one, or one a row.
fn cases_of(file: &Path, scenario: Scenario, app: Option<&Arc<AppSetting>>, problems: &mut Problems) -> Vec<Case> {
    let told = problems.len();
    let own_pages = scenario.serves();
    let app = match &scenario.app {
        Some(own) => Some(Arc::new(own.clone())),
        None => app.filter(|_| !own_pages).cloned(),
    };
    let before = Arc::new(compile(&scenario.before, problems));
    let steps = Arc::new(compile(&scenario.steps, problems));
    let after = Arc::new(compile(&scenario.after, problems));
    let whenever = scenario.whenever.iter().flatten().map(|whenever| Whenever {
        pattern: whenever.pattern.clone(),
        written: whenever.written.clone(),
        steps: compile(&whenever.steps, problems),
    });
    let whenever = Arc::new(whenever.collect::<Vec<_>>());
    // Secrets need not be listed.
    let unlisted = if scenario.secrets.is_empty() { problems.secrets_mentioned() } else { Vec::new() };
    let known = scenario.known();
    problems.check_names(&if app.is_some() { known.with_one_origin() } else { known });
    let filled = scenario.variables.iter().filter(|(_, node)| node.has_templates());
    // What is wrong with them was told when the file was read.
    let filled = filled.filter_map(|(key, node)| {
        Some((key.name.clone(), node.place.clone(), Value::read(node, &mut Problems::default())?))
    });
    let filled = Arc::new(filled.collect::<Vec<_>>());
    let Surroundings { variables, secrets, lacks } = surroundings(&scenario, &unlisted);
    let lacks = Arc::new(lacks);
    // Where `serve:` is itself a mistake, or anything else is, nothing more need be said.
    let serves = own_pages || app.is_some() || problems.len() > told;
    problems.check_pages(serves || problems.has_any_in(file));
    // Each pattern was compiled once already, when the file was read.
    let redact = scenario.redact.iter().map(|redact| Redaction::new(redact.pattern.clone(), &*redact.with));
    let mask = Mask::new(secrets.iter().map(String::as_str));
    let hidden = mask.forms().filter_map(|form| Some(Redaction::new(Regex::new(&regex::escape(form)).ok()?, MASKED)));
    let redactions: Vec<Redaction> = hidden.chain(redact).collect();
    let scenario = Arc::new(scenario);
    let case = |row: Option<(usize, &Row)>| {
        let label = row.map(|(_, row)| row.label()).unwrap_or_default();
        let mut variables = variables.clone();
        let values = row.iter().flat_map(|(_, row)| &row.values);
        variables.extend(values.map(|(name, value)| (name.clone(), value.clone())));
        Case {
            title: Arc::new(CaseTitle { file: file.to_path_buf(), name: scenario.name.clone() }),
            scenario: scenario.clone(),
            name: scenario.name.clone(),
            clock: None,
            before: before.clone(),
            steps: steps.clone(),
            after: after.clone(),
            whenever: whenever.clone(),
            variables,
            filled: filled.clone(),
            row: label,
            given: Vec::new(),
            row_number: row.map(|(index, _)| index + 1),
            app: app.clone(),
            needs: Vec::new(),
            secrets: secrets.clone(),
            lacks: lacks.clone(),
            redactions: redactions.clone(),
        }
    };
    if scenario.examples.is_empty() {
        return vec![case(None)];
    }
    scenario.examples.iter().enumerate().map(|row| case(Some(row))).collect()
}

impl Case {
    /// Whether it asks to be skipped, as far as that can be told.
    fn is_skipped(&self) -> bool {
        matches!(super::case::skipped(self), Some(Verdict::Skipped(_)))
    }

    /// Fills in what of the head takes values. What is wrong with it is told, if nothing else is: then values are missing.
    fn fill_head(&mut self, sound: bool, problems: &mut Problems) {
        let values = Values { scope: self.variables.clone(), ..Values::default() };
        let sound = sound && self.lacks.is_empty();
        let mut tell = |problem: Diagnostic| {
            let problem = if self.row.is_empty() { problem } else { problem.detail("row", self.row.clone()) };
            if sound {
                problems.add(problem);
            }
        };
        if let Some(title) = &self.scenario.title {
            match title.render(&values) {
                Ok(name) => {
                    // It stands in titles and snapshots.
                    let mask = Mask::new(self.secrets.iter().map(String::as_str));
                    self.name = mask.text(&name.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned();
                }
                Err(error) => tell(error.diagnostic()),
            }
        }
        match self.scenario.clock.as_ref().map(|clock| clock.get(&values)) {
            Some(Ok(clock)) => self.clock = Some(*clock),
            Some(Err(problem)) => tell(problem),
            None => {}
        }
        let name = if self.row.is_empty() { self.name.clone() } else { format!("{} [{}]", self.name, self.row) };
        self.title = Arc::new(CaseTitle { file: self.title.file.clone(), name });
    }

    /// Gives one of `variables` another value, which wins over its template too.
    fn give(&mut self, name: &str, value: &Json) {
        self.variables.insert(name.to_owned(), value.clone());
        let written = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.given.push(format!("{name}={written}"));
        let kept = self.filled.iter().filter(|(filled, ..)| filled != name).cloned().collect();
        self.filled = Arc::new(kept);
    }

    /// The row that is played, where there are any.
    #[must_use]
    pub fn example(&self) -> Option<&Row> {
        self.scenario.examples.get(self.row_number?.checked_sub(1)?)
    }

    /// The scenario file relative to the project's folder, where it stands in it: snapshots are named after it.
    #[must_use]
    pub fn file_in(&self, project: &Path) -> PathBuf {
        let here = std::env::current_dir().unwrap_or_default();
        let whole = |path: &Path| here.join(path).canonicalize().unwrap_or_else(|_| here.join(path));
        let (file, project) = (whole(&self.title.file), whole(project));
        file.strip_prefix(&project).map(Path::to_path_buf).unwrap_or(file)
    }
}
