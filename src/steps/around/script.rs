//! `script`: JavaScript in the page.

use async_trait::async_trait;
use serde_json::Value as Json;

use crate::page::ScriptError;
use crate::scenario::{Deferred, Node};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::flow::value::Value;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::{Note, Stage, words};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "script",
    group: Group::Around,
    summary: "Runs JavaScript among the page's own scripts: an expression, or statements, which give what they `return`. A promise is waited \
              for, no longer than the step may take.",
    short: Some("run"),
    fields: &[
        required("run", Kind::Text, "The JavaScript."),
        field("args", Kind::Map, "Names with their values, which the script can use as its variables."),
        field(
            "into",
            Kind::Text,
            "The name that the result is kept under, for the templates and expressions that follow.",
        ),
    ],
    example: "- script: { run: \"localStorage.length\", into: stored }",
    build,
};

#[derive(Debug)]
struct Script {
    run: Deferred<String>,
    /// Where it stands, so that the line that failed can be marked.
    node: Node,
    args: Vec<(String, Value)>,
    into: Option<String>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let node = args.raw("run")?.clone();
    let run = args.given("run");
    let into = match args.raw("into") {
        Some(node) => Some(name(args, node)?),
        None => None,
    };
    if let Some(into) = &into {
        args.declare(into);
    }
    let mut given = Vec::new();
    if args.has("args") {
        for (key, node) in args.map("args")? {
            if !is_name(&key.name) {
                args.problem(not_a_name(&key.place));
                return None;
            }
            given.push((key.name.clone(), Value::read(node, args.problems())?));
        }
    }
    Some(Box::new(Script { run: run?, node, args: given, into }))
}

fn name(args: &mut Arguments<'_>, node: &Node) -> Option<String> {
    let text = node.want_text("`into`", args.problems())?;
    if is_name(text) {
        return Some(text.to_owned());
    }
    args.problem(not_a_name(&node.place));
    None
}

fn not_a_name(place: &crate::scenario::Place) -> crate::scenario::Diagnostic {
    wrong(place, "this is not a name")
        .label("letters, digits and `_`, and no digit first")
        .next("write a name such as `total` or `item_2`")
}

/// What is a name in expressions and in JavaScript alike.
fn is_name(text: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(good) && text.chars().next().is_some_and(|first| !first.is_ascii_digit())
}

#[async_trait(?Send)]
impl Action for Script {
    fn describe(&self) -> String {
        let text = self.node.text().unwrap_or_default();
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        let more = if lines.next().is_some() { " …" } else { "" };
        format!("script {first}{more}")
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let run = stage.get(&self.run, at).await?;
        let mut args: Vec<(String, Json)> = Vec::new();
        for (name, value) in &self.args {
            args.push((name.clone(), value.evaluate(stage, at).await?));
        }
        let result = stage.page().run_script(&run, &args, at.deadline).await;
        match (result, &self.into) {
            (Ok(Some(value)), Some(into)) => stage.set(into, value),
            (Ok(None), Some(into)) => {
                return Err(at
                    .failure(format!("the script gave nothing to be kept as `{into}`"))
                    .next("statements give what they `return`; an expression stands alone, without a semicolon"));
            }
            (Ok(Some(value)), None) => {
                stage.tell(Note::Output { verb: SPEC.name, text: value.to_string(), place: at.place.clone() });
            }
            (Ok(None), None) => {}
            // To leave the page is what many a script is for.
            (Err(ScriptError::Left), None) => {}
            (Err(error), _) => return Err(self.failure(at, &error)),
        }
        Ok(())
    }
}

impl Script {
    /// What went wrong, at the line of the script that it went wrong in.
    fn failure(&self, at: &At<'_>, error: &ScriptError) -> Failure {
        match error {
            ScriptError::Page(error) => at.page_failure(error),
            ScriptError::Unreadable { line, .. } | ScriptError::Threw { line, .. } => {
                let label = line.map(|line| format!("line {line} of the script")).unwrap_or_default();
                match line.and_then(|line| self.line(line)) {
                    Some(range) => Failure::new(&self.node.place_in(range), error.to_string()).label(label),
                    None => at.failure(error.to_string()).label(label),
                }
            }
            ScriptError::Endless => at
                .failure(format!("the script did not end within {}", words(at.given)))
                .next("give the step a longer `timeout`, or look for a promise that never comes or a loop without end"),
            ScriptError::NoJson { .. } | ScriptError::Left => at.failure(error.to_string()),
        }
    }

    /// The bytes of a line, from 1, without its indentation. Templates may have moved lines: then none is marked.
    fn line(&self, number: usize) -> Option<std::ops::Range<usize>> {
        let text = self.node.text().filter(|text| !text.contains("{{"))?;
        let start = text.split_inclusive('\n').take(number - 1).map(str::len).sum::<usize>();
        let line = text.get(start..)?.lines().next()?;
        let indent = line.len() - line.trim_start().len();
        (!line.trim().is_empty()).then(|| start + indent..start + line.trim_end().len())
    }
}
