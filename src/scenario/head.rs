//! The head of a scenario file: every key beside the steps.

use std::sync::Arc;

use regex::Regex;

use super::app::AppSetting;
use super::around;
use super::browser::BrowserSettings;
use super::deferred::{Deferred, Readable};
use super::diagnostic::{Diagnostic, Problems, nearest, shown};
use super::fail_on::FailOnSetting;
use super::folder::existing_folder;
use super::head_keys::{HEAD, REDACTION, names_of};
use super::names::Names;
use super::node::{Key, Kind, Node};
use super::routes;
use super::scenario::{Reading, Redaction, Scenario};
use super::source::{Place, Source};
use super::step::{RawStep, Vocabulary};
use super::template::Template;
use super::text_match::{bad_regex, last_line};
use crate::outline::LinePattern;

/// What other tools, or other places of the language, have for a key; and what to write instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("url", WHOLE_ADDRESS),
    ("base", WHOLE_ADDRESS),
    ("base-url", WHOLE_ADDRESS),
    ("baseUrl", WHOLE_ADDRESS),
    ("baseURL", WHOLE_ADDRESS),
    ("viewport", "write `browser: { viewport: 900x640 }`"),
    ("vars", "write `variables:`"),
    ("scenario", "write `name:`"),
    ("title", "write `name:`"),
];
const WHOLE_ADDRESS: &str = "write the whole address in `open`, as in `- open: http://localhost:3000/`";

/// The least that runs: shown where a file has nothing.
const EXAMPLE: &str = "write at least `steps:` and below it `  - open: /`";

/// A scenario from the tree of its file; `sound` says that the file could be read without a fault.
pub(super) fn read(
    source: Arc<Source>,
    root: &Node,
    sound: bool,
    vocabulary: &Vocabulary<'_>,
    problems: &mut Problems,
) -> Option<Scenario> {
    let entries = match &root.kind {
        Kind::Map(entries) => entries,
        Kind::List(_) => {
            let next = "write `steps:` above the list, and `name:` above that";
            problems.add(
                Diagnostic::new("a scenario must be a map").at(root.place.clone()).label("this is a list").next(next),
            );
            return None;
        }
        Kind::Scalar { .. } => {
            let diagnostic = Diagnostic::new("a scenario must be a map").at(root.place.clone());
            problems.add(diagnostic.label(format!("this is {}", root.kind_name())).next(EXAMPLE));
            return None;
        }
    };
    let name = source.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut scenario = Scenario {
        source: Arc::clone(&source),
        name,
        tags: Vec::new(),
        serve: None,
        app: None,
        pages: Vec::new(),
        routes: Vec::new(),
        seed: None,
        clock: None,
        title: None,
        variables: Vec::new(),
        readings: Vec::new(),
        env: Vec::new(),
        secrets: Vec::new(),
        timeout: None,
        step_timeout: None,
        retries: None,
        redact: Vec::new(),
        browser: BrowserSettings::default(),
        users: Vec::new(),
        fail_on: FailOnSetting::default(),
        examples: Vec::new(),
        needs: Vec::new(),
        whenever: None,
        skip: None,
        expected_to_fail: None,
        before: Vec::new(),
        after: Vec::new(),
        steps: Vec::new(),
    };
    let mut steps = None;
    for (key, value) in entries {
        match key.name.as_str() {
            "steps" => steps = Some((key, value)),
            _ => entry(&mut scenario, key, value, vocabulary, problems),
        }
    }
    match steps {
        Some((key, value)) => scenario.steps = required_steps(key, value, vocabulary, problems),
        None => {
            let misspelt =
                entries.iter().any(|(key, _)| nearest(&key.name, HEAD.iter().map(|key| key.name)) == Some("steps"));
            if !misspelt && sound {
                let place = entries.first().map_or_else(|| root.place.clone(), |(key, _)| key.place.clone());
                problems.add(Diagnostic::new("no steps").at(place).label("`steps:` is missing").next(EXAMPLE));
            }
        }
    }
    routes::check(&scenario, problems);
    check_one_origin(entries, problems);
    if let Some(when) = scenario.skip.as_ref().and_then(|skip| skip.when.as_ref()) {
        around::check_early(&scenario, around::SKIPPED, when.names(), when.place(), problems);
    }
    if let Some(title) = &scenario.title {
        around::check_early(
            &scenario,
            "a scenario has its name before there is a page",
            title.names(),
            title.place(),
            problems,
        );
    }
    if let Some(Deferred::Later { node, names }) = &scenario.clock {
        around::check_early(&scenario, "the clock is set before there is a page", names, &node.place, problems);
    }
    Some(scenario)
}

/// Complains of an application beside pages that the scenario has itself: a path can't be one of both.
fn check_one_origin(entries: &[(Key, Node)], problems: &mut Problems) {
    let key = |name: &str| entries.iter().map(|(key, _)| key).find(|key| key.name == name);
    let (Some(app), Some(pages)) = (key("app"), ["serve", "pages", "routes"].into_iter().find_map(key)) else { return };
    problems.add(
        Diagnostic::new(format!("`app` and `{}` exclude each other", pages.name))
            .at(app.place.clone())
            .label("a path would be one of both")
            .next("leave out one of them"),
    );
}

fn required_steps(key: &Key, value: &Node, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Vec<RawStep> {
    if value.is_null() || value.items().is_some_and(<[Node]>::is_empty) {
        problems.add(Diagnostic::new("no steps").at(key.place.clone()).label("nothing is listed here").next(EXAMPLE));
        return Vec::new();
    }
    RawStep::list(value, vocabulary, problems)
}

fn entry(scenario: &mut Scenario, key: &Key, value: &Node, vocabulary: &Vocabulary<'_>, problems: &mut Problems) {
    let what = format!("`{}`", shown(&key.name));
    let told = problems.len();
    super::untemplated::check(key, value, problems);
    if problems.len() > told && key.name != "users" {
        // Whoever mentions them need not hear of it again.
        if key.name == "readings" {
            value.entries().unwrap_or_default().iter().for_each(|(key, _)| problems.declare(&key.name));
        }
        return;
    }
    match key.name.as_str() {
        "name" => {
            if let Some(name) = value.want_filled(&what, problems) {
                name.clone_into(&mut scenario.name);
                scenario.title = value.has_templates().then(|| Template::parse(value, problems)).flatten();
            }
        }
        "tags" => scenario.tags = texts(value, &what, problems).into_iter().map(|tag| tag.name).collect(),
        "serve" => scenario.serve = existing_folder(&scenario.source, value, &what, problems),
        "app" => scenario.app = AppSetting::read(&scenario.source, value, problems),
        "pages" => scenario.pages = pages(value, problems),
        "routes" => scenario.routes = routes::read(value, problems),
        "seed" => scenario.seed = seed(value, problems),
        "clock" => scenario.clock = Deferred::parse(value, problems),
        "variables" => scenario.variables = variables(value, problems),
        "readings" => scenario.readings = readings(value, problems),
        "env" => scenario.env = environment(value, &what, problems),
        "secrets" => scenario.secrets = names(value, &what, problems),
        "timeout" => scenario.timeout = value.want_duration(&what, problems),
        "step-timeout" => scenario.step_timeout = value.want_duration(&what, problems),
        "retries" => scenario.retries = super::retries::read(value, problems),
        "redact" => scenario.redact = redact(value, problems),
        "browser" => scenario.browser = BrowserSettings::read(value, problems),
        "users" => scenario.users = users(value, problems),
        "fail-on" => scenario.fail_on = FailOnSetting::read(value, problems),
        "examples" => scenario.examples = super::examples::read(&scenario.source, value, problems),
        "needs" => scenario.needs = around::needs(&scenario.source, value, problems),
        "whenever" => scenario.whenever = Some(around::whenever(value, vocabulary, problems)),
        "skip" => scenario.skip = around::skip(value, problems),
        "expected-to-fail" => scenario.expected_to_fail = around::expected_to_fail(key, value, problems),
        "before" => scenario.before = RawStep::list(value, vocabulary, problems),
        "after" => scenario.after = RawStep::list(value, vocabulary, problems),
        _ => problems.add(unknown(key, vocabulary)),
    }
}

fn unknown(key: &Key, vocabulary: &Vocabulary<'_>) -> Diagnostic {
    if vocabulary.verbs.contains(&key.name.as_str()) {
        return Diagnostic::new(format!("`{}` is a verb, not a key of a scenario", key.name))
            .at(key.place.clone())
            .label("outside of the steps")
            .next(format!("put it under `steps:`, as `  - {}: …`", key.name));
    }
    if let Some((_, next)) = ELSEWHERE.iter().find(|(word, _)| *word == key.name) {
        return Diagnostic::new(format!("a scenario has no `{}`", shown(&key.name)))
            .at(key.place.clone())
            .label("not known here")
            .next(*next);
    }
    let known = names_of(HEAD);
    key.unknown(&format!("a scenario has no `{}`", shown(&key.name)), &known)
}

/// A list of texts, or one text alone; one with commas in it was meant to be a list.
fn texts(node: &Node, what: &str, problems: &mut Problems) -> Vec<Key> {
    let items = match &node.kind {
        Kind::List(items) => items.as_slice(),
        Kind::Scalar { .. } if !node.is_null() => std::slice::from_ref(node),
        _ => {
            node.want_list(what, problems);
            return Vec::new();
        }
    };
    if let Some(list) = around::listed(node, what.trim_matches('`')) {
        problems.add(
            Diagnostic::new(format!("{what} is one text here, with a comma in it"))
                .at(node.place.clone())
                .label("a list stands in brackets")
                .next(format!("write {list}")),
        );
        let items = node.text().unwrap_or_default().split(',').map(str::trim).filter(|item| !item.is_empty());
        return items.map(|item| Key { name: item.to_owned(), place: node.place.clone() }).collect();
    }
    let one = format!("one of {what}");
    let read = |item: &Node, problems: &mut Problems| {
        Some(Key { name: item.want_filled(&one, problems)?.to_owned(), place: item.place.clone() })
    };
    items.iter().filter_map(|item| read(item, problems)).collect()
}

/// A list of names that can stand behind a dot in an expression.
fn names(node: &Node, what: &str, problems: &mut Problems) -> Vec<Key> {
    let mut found = texts(node, what, problems);
    found.retain(|key| name_is_good(&key.name, &key.place, what, problems));
    found
}

/// Names that must be set, or names with what each is where it is not set.
fn environment(node: &Node, what: &str, problems: &mut Problems) -> Vec<(Key, Option<String>)> {
    let Some(entries) = node.entries() else {
        return names(node, what, problems).into_iter().map(|key| (key, None)).collect();
    };
    let mut found = Vec::new();
    for (key, value) in entries {
        let usual = match &value.kind {
            Kind::Scalar { text, .. } if !value.is_null() => Some(text.clone()),
            Kind::Scalar { .. } => {
                let name = shown(&key.name);
                problems.add(
                    Diagnostic::new(format!("`{name}` has no usual value"))
                        .at(key.place.clone())
                        .label("what it is where it is not set")
                        .next(format!(
                            "write `{name}: \"\"` for an empty text; `env: [{name}]` lists what must be set"
                        )),
                );
                continue;
            }
            _ => value.want_text("a value of `env`", problems).map(str::to_owned),
        };
        if name_is_good(&key.name, &key.place, what, problems) {
            found.push((key.clone(), usual));
        }
    }
    found
}

fn name_is_good(name: &str, place: &Place, what: &str, problems: &mut Problems) -> bool {
    let good =
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit());
    if !good || name.is_empty() {
        let suggestion: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        problems.add(
            Diagnostic::new(format!("`{}` can't be a name in {what}", shown(name)))
                .at(place.clone())
                .label("expressions could not mention it")
                .next(format!(
                    "use letters, digits and `_`, such as `{}`",
                    suggestion.trim_start_matches(|c: char| c.is_ascii_digit())
                )),
        );
        return false;
    }
    true
}

/// Names that mean something else in an expression.
pub const TAKEN: &[&str] = &[
    "url", "title", "turn", "base", "other", "env", "secret", "and", "or", "not", "in", "is", "if", "else", "true",
    "false", "none", "True", "False", "None",
];

/// Whether a value may have this name; what is wrong with it is told. `what` says where the name stands.
pub fn is_value_name(key: &Key, what: &str, problems: &mut Problems) -> bool {
    check_value_name(&key.name, &key.place, what, problems)
}

/// Whether expressions can mention a value by this name; a problem where they can't. `what` says where it is named.
pub fn check_value_name(name: &str, place: &Place, what: &str, problems: &mut Problems) -> bool {
    if TAKEN.contains(&name) {
        problems.add(
            Diagnostic::new(format!("`{name}` already has a meaning in expressions"))
                .at(place.clone())
                .label("taken")
                .next("choose another name"),
        );
        return false;
    }
    name_is_good(name, place, what, problems)
}

fn pages(node: &Node, problems: &mut Problems) -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for (key, value) in node.want_map("`pages`", problems).unwrap_or_default() {
        if !key.name.starts_with('/') {
            problems.add(
                Diagnostic::new("a page's path begins with `/`")
                    .at(key.place.clone())
                    .label("this is not a path")
                    .next(format!("write `/{}`", shown(&key.name))),
            );
            continue;
        }
        if let Some(html) = value.want_text("a page", problems) {
            pages.push((key.name.clone(), html.to_owned()));
        }
    }
    pages
}

fn seed(node: &Node, problems: &mut Problems) -> Option<u64> {
    let text = node.want_text("`seed`", problems)?;
    let seed = text.parse().ok();
    if seed.is_none() {
        problems.add(
            Diagnostic::new("`seed` must be a whole number")
                .at(node.place.clone())
                .label("not a whole number from 0")
                .next("write `seed: 7`"),
        );
    }
    seed
}

pub(super) fn variables(node: &Node, problems: &mut Problems) -> Vec<(Key, Node)> {
    let mut variables = Vec::new();
    for (key, value) in node.want_map("`variables`", problems).unwrap_or_default() {
        value.check_templates(&mut Names::default(), problems);
        if is_value_name(key, "`variables`", problems) {
            variables.push((key.clone(), value.clone()));
        }
    }
    variables
}

fn readings(node: &Node, problems: &mut Problems) -> Vec<Reading> {
    let mut readings = Vec::new();
    for (key, value) in node.want_map("`readings`", problems).unwrap_or_default() {
        let pattern = LinePattern::read(value, problems);
        if is_value_name(key, "`readings`", problems)
            && let Some(pattern) = pattern
        {
            readings.push(Reading { name: key.name.clone(), pattern, place: value.place.clone() });
        } else {
            // Told already; whoever uses it need not hear of it again.
            problems.declare(&key.name);
        }
    }
    readings
}

pub(super) fn redact(node: &Node, problems: &mut Problems) -> Vec<Redaction> {
    let mut redactions = Vec::new();
    for item in node.want_list("`redact`", problems).unwrap_or_default() {
        let told = problems.len();
        let Some(entries) = item.want_keys("each of `redact`", &names_of(REDACTION), problems) else {
            continue;
        };
        if problems.len() > told {
            continue;
        }
        let place = entries.first().map_or(&item.place, |(key, _)| &key.place);
        let example = "write { pattern: 'port \\d+', with: 'port N' }";
        let pair = item.want_both(("pattern", "with"), place, "half of a redaction", example, problems);
        let Some((pattern, with)) = pair else { continue };
        let with_place = with.place.clone();
        let text = pattern.want_text("`pattern`", problems);
        let with = with.want_text("`with`", problems);
        let (Some(text), Some(with)) = (text, with) else {
            continue;
        };
        // Slashes may be written, as everywhere else where a regular expression stands.
        let inner = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).filter(|inner| !inner.is_empty());
        match Regex::new(inner.unwrap_or(text)) {
            Ok(regex) => {
                if let Some(group) = missing_group(&regex, with) {
                    problems.add(
                        Diagnostic::new(format!("the pattern has no group `{}`", shown(&group)))
                            .at(with_place)
                            .label("nothing would stand in its place")
                            .next("write `$1` for the first group in parentheses, `${1}` before a letter or digit, and `$$` for a dollar"),
                    );
                    continue;
                }
                redactions.push(Redaction { pattern: regex, with: with.to_owned(), place: item.place.clone() });
            }
            Err(error) => problems.add(bad_regex(pattern, &last_line(&error.to_string()))),
        }
    }
    redactions
}

/// The first group that a replacement names and the pattern lacks; `$$` is a dollar.
fn missing_group(pattern: &Regex, with: &str) -> Option<String> {
    let mut rest = with;
    while let Some((_, after)) = rest.split_once('$') {
        if let Some(after) = after.strip_prefix('$') {
            rest = after;
            continue;
        }
        let (name, after) = match after.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some(braced) => braced,
            None => after.split_at(after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len())),
        };
        let known = match name.parse::<usize>() {
            Ok(number) => number < pattern.captures_len(),
            Err(_) => name.is_empty() || pattern.capture_names().flatten().any(|known| known == name),
        };
        if !known {
            return Some(name.to_owned());
        }
        rest = after;
    }
    None
}

/// Each name once, and at least one.
fn users(node: &Node, problems: &mut Problems) -> Vec<Key> {
    let users = texts(node, "`users`", problems);
    if node.items().is_some_and(<[Node]>::is_empty) {
        problems.add(
            Diagnostic::new("`users` names nobody")
                .at(node.place.clone())
                .label("nothing is listed here")
                .next("name them, `users: [ada, bob]`, or delete the line"),
        );
    }
    for (index, user) in users.iter().enumerate() {
        if users.iter().take(index).any(|other| other.name == user.name) {
            problems.add(
                Diagnostic::new(format!("`{}` is listed twice", shown(&user.name)))
                    .at(user.place.clone())
                    .label("the second")
                    .next("delete it, or choose another name"),
            );
        }
    }
    users
}
