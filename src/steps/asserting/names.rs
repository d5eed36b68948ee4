//! `assert-names`: whoever can't see the page is told what everything is.

use std::sync::Arc;

use async_trait::async_trait;

use crate::outline::{Line, Outline, Refs};
use crate::page::{PageError, Seen};
use crate::scenario::{Deferred, Target};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-names",
    group: Group::Asserting,
    summary: "Every interactive element must have a name; those that have none are listed.",
    short: Some("of"),
    fields: &[field("of", Kind::Target, "Only in this part of the page.")],
    example: "- assert-names",
    build,
};

/// How many elements a failure lists.
const LISTED: usize = 20;

#[derive(Debug)]
struct AssertNames {
    of: Option<Deferred<Target>>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(AssertNames { of: args.given_if_any("of")? }))
}

#[async_trait(?Send)]
impl Action for AssertNames {
    fn describe(&self) -> String {
        match &self.of {
            Some(of) => format!("assert-names of {of}"),
            None => "assert-names".to_owned(),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let of = match &self.of {
            Some(of) => Some(stage.get(of, at).await?),
            None => None,
        };
        let page = stage.page();
        let failed = |error: PageError| at.page_failure(&error);
        page.settle(at.deadline).await.map_err(failed)?;
        let mut changes = page.changes();
        let mut last: Option<Arc<Seen>> = None;
        loop {
            let seen = match &of {
                Some(of) => page.outline_of(of, at.deadline).await,
                None => page.outline(at.deadline).await,
            };
            match seen {
                Ok(seen) if nameless(&seen.outline).is_empty() => return Ok(()),
                Ok(seen) => last = Some(seen),
                // A look that the deadline cut off says less than the last whole one.
                Err(error) if error.is_late() && last.is_some() => {}
                Err(error) => return Err(failed(error)),
            }
            if !changes.changed(at.deadline).await.map_err(failed)? {
                let nameless = last.map(|seen| nameless(&seen.outline)).unwrap_or_default();
                return Err(unmet(at, &nameless));
            }
        }
    }
}

fn unmet(at: &At<'_>, nameless: &[String]) -> Failure {
    let title = match nameless.len() {
        1 => "1 interactive element has no name".to_owned(),
        count => format!("{count} interactive elements have no name"),
    };
    let mut text = nameless.iter().take(LISTED).cloned().collect::<Vec<_>>().join("\n");
    if nameless.len() > LISTED {
        text.push_str(&format!("\n… and {} more", nameless.len() - LISTED));
    }
    at.failure(title)
        .detail(format!("without a name, after {}", words(at.given)), text)
        .next("give each a label, a text or an `aria-label`")
}

/// The lines of interactive elements without a name, each with the nearest thing around it that has one.
fn nameless(outline: &Outline) -> Vec<String> {
    let mut around: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for (index, line) in outline.lines.iter().enumerate() {
        around.retain(|outer| outline.lines[*outer].depth < line.depth);
        if line.interactive && line.name.trim().is_empty() {
            let named = around.iter().rev().map(|outer| &outline.lines[*outer]).find(|outer| !outer.name.is_empty());
            found.push(match named {
                Some(outer) => format!("{}  in {}", alone(line), alone(outer)),
                None => alone(line),
            });
        }
        around.push(index);
    }
    found
}

/// One line as it is printed, without its depth.
fn alone(line: &Line) -> String {
    let one = Outline { lines: vec![Line { depth: 0, ..line.clone() }] };
    one.text(Refs::Hidden).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: usize, role: &str, name: &str, interactive: bool) -> Line {
        Line { depth, role: role.into(), name: name.into(), interactive, ..Line::default() }
    }

    #[test]
    fn what_has_no_name_is_listed_with_what_is_around_it() {
        let lines = vec![
            line(0, "RootWebArea", "Shop", false),
            line(1, "search", "", false),
            line(2, "textbox", "", true),
            line(2, "button", "Find", true),
            line(1, "form", "Order", false),
            line(2, "group", "", false),
            line(3, "checkbox", " ", true),
        ];
        let found = nameless(&Outline { lines });
        assert_eq!(found, ["textbox  in RootWebArea \"Shop\"", "checkbox \" \"  in form \"Order\""]);
    }
}
