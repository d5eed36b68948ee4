//! The verbs part of the reference, from the same list that the runner uses.

use super::spec::{Group, Spec};
use super::{ALL, EXTRAS, beside};
use crate::scenario::{HEAD, KeySpec};

/// The reference of every verb and of the keys that any step may carry, as Markdown.
#[must_use]
pub fn reference() -> String {
    let mut out = String::new();
    let mut group = None;
    for spec in ALL {
        if group != Some(spec.group) {
            group = Some(spec.group);
            out.push_str(&format!("### {}\n\n", heading(spec.group)));
        }
        verb(&mut out, spec);
    }
    out.push_str("### Keys of any step\n\n| key | holds | what it does |\n| --- | --- | --- |\n");
    for field in EXTRAS {
        out.push_str(&format!("| `{}` | {} | {} |\n", field.name, cell(&field.kind.words()), cell(field.doc)));
    }
    out
}

/// The table of the keys of a scenario, as Markdown.
#[must_use]
pub fn head_reference() -> String {
    keys_reference(HEAD)
}

/// The table of some keys, as Markdown.
#[must_use]
pub fn keys_reference(keys: &[KeySpec]) -> String {
    let mut out = String::from("| key | holds | what it is for |\n| --- | --- | --- |\n");
    for key in keys {
        out.push_str(&format!("| `{}` | {} | {} |\n", key.name, cell(&key.holds.words()), cell(key.doc)));
    }
    out
}

fn verb(out: &mut String, spec: &Spec) {
    out.push_str(&format!("#### `{}`\n\n{}\n\n", spec.name, spec.summary));
    out.push_str(&format!("```yaml\n{}\n```\n\n", spec.example));
    if spec.fields.is_empty() {
        out.push_str("It takes nothing.\n\n");
        return;
    }
    out.push_str("| argument | holds | what it does |\n| --- | --- | --- |\n");
    for field in spec.fields {
        let needed = if field.required { " (needed)" } else { "" };
        let words = cell(&field.kind.words());
        out.push_str(&format!("| `{}`{needed} | {words} | {} |\n", field.name, cell(field.doc)));
    }
    if let Some(short) = spec.short.filter(|_| beside(spec.name).is_empty()) {
        out.push_str(&format!("\nShort: `{}: …` stands for `{}: {{ {short}: … }}`.\n", spec.name, spec.name));
    }
    out.push('\n');
}

/// A bar ends a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn heading(group: Group) -> &'static str {
    match group {
        Group::Going => "Going",
        Group::Looking => "Looking",
        Group::Acting => "Acting",
        Group::Tabs => "Tabs",
        Group::Around => "Around",
        Group::Waiting => "Waiting",
        Group::Asserting => "Asserting",
        Group::Flow => "Flow",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use crate::scenario::{Problems, Source, parse};
    use crate::steps::{VOCABULARY, compile};

    /// Where the files stand that examples name.
    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/");

    /// What is wrong with a scenario that has this one step.
    fn wrong(step: &str) -> Vec<String> {
        let indented: Vec<String> = step.lines().map(|line| format!("  {line}\n")).collect();
        let text = format!("name: One step\npages: {{ /: Hi }}\nsteps:\n{}", indented.concat());
        let mut problems = Problems::default();
        if let Some(scenario) = parse(Source::new(format!("{FOLDER}one.yaml"), &text), &VOCABULARY, &mut problems) {
            let steps = compile(&scenario.steps, &mut problems);
            problems.check_names(&scenario.known());
            assert!(!problems.is_empty() || steps.len() == 1, "{step}");
        }
        problems.into_iter().map(|problem| problem.to_string().replace(FOLDER, "")).collect()
    }

    #[test]
    fn every_example_is_a_step_of_its_verb() {
        for spec in ALL {
            assert!(spec.example.starts_with(&format!("- {}", spec.name)), "{}", spec.name);
            assert_eq!(wrong(spec.example), Vec::<String>::new(), "{}", spec.example);
        }
    }

    #[test]
    fn a_verb_that_needs_something_does_not_stand_alone() {
        let alone: Vec<&str> =
            ALL.iter().map(|spec| spec.name).filter(|name| wrong(&format!("- {name}")).is_empty()).collect();
        assert_eq!(
            alone,
            [
                "back",
                "forward",
                "reload",
                "read",
                "look",
                "text",
                "console",
                "scroll",
                "tabs",
                "tab-new",
                "tab-close",
                "assert-names"
            ]
        );
    }

    #[test]
    fn every_short_form_is_a_field() {
        for spec in ALL {
            if let Some(short) = spec.short {
                assert!(spec.field(short).is_some(), "{}", spec.name);
            }
        }
    }

    #[test]
    fn an_unknown_argument_is_told_with_the_nearest_one() {
        assert_eq!(
            wrong("- type: { into: textbox \"A\", txt: b }"),
            ["one.yaml:4:32: `type` has no `txt` (did you mean `text`?); write `text`"]
        );
    }
}
