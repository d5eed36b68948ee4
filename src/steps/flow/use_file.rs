//! `use`: performs the steps of another file.

use std::path::PathBuf;

use async_trait::async_trait;

use super::value::Value;
use crate::scenario::{Key, Node, Place, load_part, nearest};
use crate::steps::VOCABULARY;
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At, Step, compile};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "use",
    group: Group::Flow,
    summary: "Performs the steps of another file: a file that is a list of steps, or a scenario, of which the steps and variables are taken.",
    short: Some("file"),
    fields: &[
        required("file", Kind::Text, "The file, relative to this one."),
        field("with", Kind::Map, "Values for names that the file's templates and expressions mention."),
    ],
    example: "- use: { file: parts/sign-in.yaml, with: { email: ada@example.com, password: analytical engine } }",
    build,
};

#[derive(Debug)]
struct Use {
    /// As it was written.
    file: String,
    /// What the names of `with` stand for, worked out where `use` stands.
    with: Vec<(String, Value)>,
    /// Variables of the used file that `with` says nothing of, worked out in it.
    defaults: Vec<(String, Value)>,
    steps: Vec<Step>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let told = args.problems().len();
    let node = args.raw("file")?;
    let entries = if args.has("with") { args.map("with")? } else { &[] };
    let mut with = Vec::new();
    for (key, node) in entries {
        let good = crate::scenario::is_value_name(key, "`with`", args.problems());
        if let Some(value) = Value::read(node, args.problems()).filter(|_| good) {
            with.push((key.name.clone(), value));
        }
    }
    let (file, path) = named(node, args)?;
    if !args.problems().begin_part(&path, &node.place) {
        return None;
    }
    let used = used(&path, entries, node, args);
    args.problems().end_part();
    let (mut defaults, steps) = used?;
    defaults.retain(|(name, _)| !with.iter().any(|(given, _)| given == name));
    (args.problems().len() == told).then(|| Box::new(Use { file, with, defaults, steps }) as Box<dyn Action>)
}

/// The file as it was written, and as it is found from the folder that the program runs in.
fn named(node: &Node, args: &mut Arguments<'_>) -> Option<(String, PathBuf)> {
    let file = node.want_text("`file`", args.problems())?.trim().to_owned();
    if file.is_empty() || file.contains("{{") {
        args.problem(
            wrong(&node.place, "`use` names a file")
                .label(if file.is_empty() { "nothing is written" } else { "files are read before values are known" })
                .next("write its path, relative to this file: `use: parts/sign-in.yaml`"),
        );
        return None;
    }
    let path = node.place.source.path.parent().unwrap_or(std::path::Path::new("")).join(&file);
    if !path.is_file() {
        let found = if path.is_dir() { "this is a folder" } else { "not found beside this file" };
        args.problem(
            wrong(&node.place, format!("there is no file `{file}` to use"))
                .label(found)
                .detail("looked for", path.display().to_string())
                .next("make the file, or correct its path; it is relative to this file"),
        );
        return None;
    }
    Some((file, path))
}

type Used = (Vec<(String, Value)>, Vec<Step>);

/// The variables and steps of the used file. Names are checked: those of `with` against what the file mentions.
fn used(path: &std::path::Path, with: &[(Key, Node)], node: &Node, args: &mut Arguments<'_>) -> Option<Used> {
    let outer = args.problems().set_names_apart();
    let part = load_part(path, &VOCABULARY, args.problems());
    let found = part.map(|part| {
        let steps = compile(&part.steps, args.problems());
        let defaults = part.variables.iter().map(|(key, node)| {
            // What is wrong with a variable was told when the file was read.
            Value::read(node, &mut crate::scenario::Problems::default()).map(|value| (key.name.clone(), value))
        });
        let defaults: Vec<(String, Value)> = defaults.flatten().collect();
        (defaults, steps)
    });
    let own: Vec<&str> = found.iter().flat_map(|(defaults, _)| defaults).map(|(name, _)| name.as_str()).collect();
    let given: Vec<&str> = with.iter().map(|(key, _)| key.name.as_str()).collect();
    let mentioned = args.problems().join_names(outer, |name| own.contains(&name) || given.contains(&name), &node.place);
    if found.is_some() {
        for (key, _) in with {
            let name = key.name.as_str();
            if !own.contains(&name) && !mentioned.contains(name) {
                let known = own.iter().copied().chain(mentioned.iter().map(String::as_str));
                let problem = wrong(&key.place, format!("{} does not mention `{name}`", path.display()));
                args.problem(match nearest(name, known) {
                    Some(near) => problem.label(format!("did you mean `{near}`?")).next(format!("write `{near}`")),
                    None => problem.label("of no use").next("take it away, or mention it in that file"),
                });
            }
        }
    }
    found
}

/// Says where a failure of the used file came from.
fn traced(mut failure: Failure, place: &Place) -> Failure {
    failure = failure.detail("used at", place.to_string());
    failure
}

#[async_trait(?Send)]
impl Action for Use {
    fn describe(&self) -> String {
        format!("use {}", self.file)
    }

    fn inside(&self) -> Option<&[Step]> {
        Some(&self.steps)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let mut given = Vec::new();
        for (name, value) in &self.with {
            given.push((name, value.evaluate(stage, at).await?));
        }
        let names = self.with.iter().chain(&self.defaults).map(|(name, _)| name);
        let before: Vec<_> = names.map(|name| (name, stage.variable(name))).collect();
        for (name, value) in given {
            stage.set(name, value);
        }
        let soft = stage.soft_failures();
        let result = self.steps_with_defaults(stage, at).await;
        for (name, value) in before {
            stage.put_back(name, value);
        }
        stage.change_soft_since(soft, |failure| traced(failure, at.place));
        result.map_err(|failure| traced(failure, at.place))
    }
}

impl Use {
    async fn steps_with_defaults(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        for (name, value) in &self.defaults {
            let value = value.evaluate(stage, at).await?;
            stage.set(name, value);
        }
        stage.perform(&self.steps, at.deadline).await
    }
}
