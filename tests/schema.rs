//! The schema for editors is fresh, takes every bundled scenario, and refuses what a schema can refuse.
//!
//! `UPDATE=1 cargo test --test schema` writes it anew, and gives scenarios the line that turns it on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use boon::{Compiler, SchemaIndex, Schemas};
use playscript::scenario::{Problems, Source, read_yaml};
use serde_json::Value;

/// What an editor's YAML server looks for in the first line.
const FIRST_LINE: &str = "# yaml-language-server: $schema=../docs/playscript.schema.json\n";

/// Wrong files whose mistake no schema sees, for it lies inside of a text (an outline line, an expression, a template), in
/// how several values go together, in the folder beside the file or in the environment.
const BEYOND: &[&str] = &[
    "app-and-serve",
    "app-env-without-start",
    "app-free-port-without-start",
    "app-in-not-there",
    "app-log-outside",
    "app-other-origin",
    "address-path-or-regex",
    "address-path-or-regex-mock",
    "address-without-slash",
    "address-without-slash-url",
    "assert-url-regex",
    "click-at",
    "click-modifiers",
    "click-times",
    "dialog-no-answer",
    "dialog-two-answers",
    "drag-files-from",
    "drag-nowhere",
    "expression-and-signs",
    "expression-env-alone",
    "expression-env-not-listed",
    "expression-half",
    "expression-one-equals-sign",
    "expression-pattern-inside",
    "expression-unknown-filter",
    "expression-unknown-function",
    "expression-unknown-name",
    "expression-unlike-any-name",
    "expression-with-braces",
    "head-clock-asks-page",
    "head-clock-row-wrong",
    "head-clock-without-offset",
    "head-name-too-early",
    "head-name-unknown",
    "head-needs-with-comma",
    "head-reading-does-not-parse",
    "head-reading-role",
    "head-redact-group",
    "head-redact-group-runs-on",
    "head-redact-regex",
    "head-serve-is-file",
    "head-serve-not-there",
    "head-skip-why-without-reason",
    "head-tags-with-comma",
    "head-template-reading",
    "head-template-serve",
    "head-template-skip",
    "head-users-with-comma",
    "key-down-unknown",
    "key-missing",
    "key-misspelt",
    "look-both",
    "look-masks-alone",
    "look-snapshot-and-path",
    "look-tolerance",
    "pattern-indent",
    "pattern-name-without-quotes",
    "pattern-quote-open",
    "pattern-quotes-of-yaml",
    "pattern-regex",
    "pattern-regex-open",
    "pattern-role-misspelt",
    "pattern-state",
    "pattern-without-bar",
    "pattern-word-alone",
    "press-repeat-half",
    "repeat-no-end",
    "repeat-two-ends",
    "repeat-without-end",
    "resize-words",
    "role-of-html",
    "role-of-html-alone-in-count",
    "role-of-html-has",
    "role-of-html-heading",
    "role-of-html-in-count",
    "role-of-html-in-expression",
    "role-of-html-reading",
    "role-of-html-whenever",
    "role-of-nothing",
    "routes-close-without-events",
    "routes-drop-with-status",
    "routes-file-missing",
    "routes-header-line-break",
    "routes-header-of-the-server",
    "routes-nothing-behind",
    "routes-page-too",
    "routes-redirect-relative",
    "routes-redirect-status",
    "routes-status-without-body",
    "routes-template",
    "routes-twice",
    "routes-two-bodies",
    "script-args",
    "script-into",
    "select-both",
    "select-nothing",
    "set-name",
    "state-both",
    "state-outside",
    "step-fails-regex",
    "step-when-is-no-expression",
    "target-css",
    "target-css-class",
    "target-curly-quotes",
    "target-name-without-quotes",
    "target-narrowed-inside",
    "target-place-narrowed",
    "target-quote-open",
    "target-ref-is-no-number",
    "target-regex",
    "target-role-misspelt",
    "target-state-misspelt",
    "target-state-open",
    "target-text-engine",
    "target-within-role",
    "target-xpath",
    "template-empty",
    "template-open",
    "template-unknown-name",
    "upload-no-file",
    "wait-for-nothing",
    "wait-for-two-things",
];

/// What `playscript.yaml` may hold, and what is wrong in it.
const SETTINGS: &[(&str, bool)] = &[
    ("app: { start: [npm, run, dev], url: http://localhost:3000, env: { DEBUG: 1 }, reuse: true }\n", true),
    ("app: { start: [], url: http://localhost:3000 }\n", false),
    ("app: { start: npm run dev }\n", false),
    ("# nothing but words\n", true),
    ("workers: 256\nstep-timeout: 1m30s\ntimeout: 2m\nretries: 10\nfail-on-flaky: true\nrun-timeout: 1h\n", true),
    ("scenarios: e2e\n", true),
    ("scenarios: [e2e]\n", false),
    ("report-folder: out\nunreferenced: reject\nchrome: 7\nheaded: true\nsandbox: false\ninstall-browser: no\n", false),
    (
        "report-folder: out\nunreferenced: delete\nchrome: 7\nheaded: true\nsandbox: false\ninstall-browser: false\n",
        true,
    ),
    ("browser: { viewport: 390x844, device-scale: 2, locale: nb_NO, time-zone: Europe/Oslo, touch: true }\n", true),
    (
        "browser: { colour-scheme: dark, reduced-motion: false, user-agent: A, permissions: [midi], offline: true }\n",
        true,
    ),
    ("browser: { geolocation: { latitude: 59.91, longitude: 10.75, accuracy: 5 } }\n", true),
    ("clock: { at: 2026-03-01T09:00:00Z, runs: false }\nfail-on: [failed-requests]\nvariables: { city: Oslo }\n", true),
    ("whenever:\n  dialog \"Cookies\":\n    - click: button \"Reject\"\nredact: [{ pattern: a, with: b }]\n", true),
    ("fail-on: [failed]\n", false),
    ("whenever:\n  dialog:\n    - clik: Reject\n", false),
    ("redact: [{ pattern: a, by: b }]\n", false),
    ("wokers: 2\n", false),
    ("workers: 0\n", false),
    ("workers: 257\n", false),
    ("workers: many\n", false),
    ("retries: -1\n", false),
    ("retries: 11\n", false),
    ("retries: 1.5\n", false),
    ("fail-on-flaky: maybe\n", false),
    ("timeout: 5\n", false),
    ("timeout: '{{ time }}'\n", false),
    ("unreferenced: rejct\n", false),
    ("report-folder: ''\n", false),
    ("headed: 1\n", false),
    ("browser: { viewport: wide }\n", false),
    ("browser: { viewport: '{{ size }}' }\n", false),
    ("browser: { locale: '?' }\n", false),
    ("browser: { time-zone: 'Europe Oslo' }\n", false),
    ("browser: { permissions: midi }\n", false),
    ("browser: { permissions: [midis] }\n", false),
    ("browser: { colour-scheme: grey }\n", false),
    ("browser: { colour: grey }\n", false),
    ("browser: { offline: maybe }\n", false),
    ("- workers: 2\n", false),
];

fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(common::of_repository(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "yaml"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} holds no file");
    files
}

fn compiled(schemas: &mut Schemas) -> SchemaIndex {
    let mut compiler = Compiler::new();
    compiler.add_resource("playscript.json", playscript::steps::schema()).unwrap();
    compiler.compile("playscript.json", schemas).unwrap()
}

/// A file as any YAML reader sees it, unless the text itself is wrong.
fn value(path: &Path) -> Option<Value> {
    let mut problems = Problems::default();
    let node = read_yaml(&Source::read(path, &mut problems)?, &mut problems)?;
    problems.is_empty().then(|| node.json())
}

#[test]
fn the_schema_is_fresh() {
    let path = common::of_repository("docs/playscript.schema.json");
    let fresh = format!("{}\n", serde_json::to_string_pretty(&playscript::steps::schema()).unwrap());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &fresh).unwrap();
    } else if fs::read_to_string(&path).unwrap_or_default() != fresh {
        panic!("docs/playscript.schema.json is stale: run `UPDATE=1 cargo test --test schema` and look at the change");
    }
    let printed = common::Project::new().run(&["schema"]).expect_code(0);
    assert_eq!(printed.out, fresh);
}

#[test]
fn the_schema_of_settings_is_fresh() {
    let path = common::of_repository("docs/project.schema.json");
    let fresh = format!("{}\n", serde_json::to_string_pretty(&playscript::run::project_schema()).unwrap());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &fresh).unwrap();
    } else if fs::read_to_string(&path).unwrap_or_default() != fresh {
        panic!("docs/project.schema.json is stale: run `UPDATE=1 cargo test --test schema` and look at the change");
    }
    let printed = common::Project::new().run(&["schema", "--project"]).expect_code(0);
    assert_eq!(printed.out, fresh);
}

#[test]
fn settings_are_taken_and_refused_by_the_schema_as_by_the_program() {
    let mut schemas = Schemas::new();
    let mut compiler = Compiler::new();
    compiler.add_resource("project.json", playscript::run::project_schema()).unwrap();
    let schema = compiler.compile("project.json", &mut schemas).unwrap();
    let project = common::Project::new();
    let path = project.folder().join("playscript.yaml");
    for (text, right) in SETTINGS {
        project.write("playscript.yaml", text);
        let ran = project.run(&["config"]);
        assert_eq!(ran.code, Some(if *right { 0 } else { 2 }), "{text}{}", ran.all());
        let value = if text.starts_with('#') { Value::Null } else { value(&path).unwrap() };
        let held = schemas.validate(&value, schema);
        assert_eq!(held.is_ok(), *right, "{text}{}", held.err().map(|error| format!("{error:#}")).unwrap_or_default());
    }
    for key in playscript::run::PROJECT {
        assert!(SETTINGS.iter().any(|(text, right)| *right && text.contains(key.name)), "{} is not tried", key.name);
    }
}

#[test]
fn a_project_that_was_begun_turns_on_both_schemas() {
    let project = common::Project::new();
    project.run(&["init"]).expect_code(0);
    for (file, folder) in [("playscript.yaml", ""), ("scenarios/first.yaml", "scenarios")] {
        let text = fs::read_to_string(project.folder().join(file)).unwrap();
        let schema = text.lines().next().unwrap().strip_prefix("# yaml-language-server: $schema=").unwrap().to_owned();
        let schema = fs::read_to_string(project.folder().join(folder).join(&schema)).unwrap();
        let title = if folder.is_empty() { "Settings of a playscript project" } else { "A playscript scenario" };
        assert!(schema.contains(title), "{file}");
    }
}

#[test]
fn every_bundled_scenario_turns_it_on_and_holds_against_it() {
    let mut schemas = Schemas::new();
    let schema = compiled(&mut schemas);
    for path in files("scenarios") {
        let text = fs::read_to_string(&path).unwrap();
        if !text.starts_with(FIRST_LINE) {
            assert!(std::env::var_os("UPDATE").is_some(), "{} begins without\n{FIRST_LINE}", path.display());
            fs::write(&path, format!("{FIRST_LINE}{text}")).unwrap();
        }
        if let Err(error) = schemas.validate(&value(&path).unwrap(), schema) {
            panic!("{}: {error:#}", path.display());
        }
    }
}

#[test]
fn every_example_of_a_verb_holds_against_it() {
    let mut schemas = Schemas::new();
    let schema = compiled(&mut schemas);
    for spec in playscript::steps::ALL {
        let lines: Vec<String> = spec.example.lines().map(|line| format!("  {line}\n")).collect();
        let source = Source::new("example", &format!("steps:\n{}", lines.concat()));
        let node = read_yaml(&source, &mut Problems::default()).unwrap();
        if let Err(error) = schemas.validate(&node.json(), schema) {
            panic!("{}: {error:#}", spec.example);
        }
    }
}

#[test]
fn what_a_schema_can_see_it_refuses() {
    let mut schemas = Schemas::new();
    let schema = compiled(&mut schemas);
    let mut taken = Vec::new();
    for path in files("tests/wrong") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if value(&path).is_some_and(|value| schemas.validate(&value, schema).is_ok()) {
            taken.push(name);
        }
    }
    taken.sort();
    let mut beyond = BEYOND.to_vec();
    beyond.sort_unstable();
    assert_eq!(taken, beyond, "these wrong files pass the schema");
}

#[test]
fn whatever_an_editor_offers_is_explained() {
    fn walk(value: &Value, path: &str) {
        if let Some(Value::Object(properties)) = value.get("properties") {
            for (name, property) in properties {
                let doc = property.get("description").and_then(Value::as_str).unwrap_or_default();
                assert!(!doc.is_empty(), "{path}/{name} says nothing of itself");
            }
        }
        match value {
            Value::Object(entries) => entries.iter().for_each(|(key, value)| walk(value, &format!("{path}/{key}"))),
            Value::Array(items) => items.iter().for_each(|value| walk(value, path)),
            _ => {}
        }
    }
    walk(&playscript::steps::schema(), "");
    walk(&playscript::run::project_schema(), "");
}
