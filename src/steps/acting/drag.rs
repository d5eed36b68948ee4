//! `drag`: drags an element with the mouse, or drops files.

use async_trait::async_trait;

use super::files::{Files, OUTSIDE};
use crate::page::DropAt;
use crate::scenario::{Deferred, Target};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// Moves of the mouse from one place to the other, unless told: a page that draws or sorts sees some on the way.
const STEPS: u64 = 10;
/// More than this takes longer than a person would.
const MOST_STEPS: u64 = 1_000;

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "drag",
    group: Group::Acting,
    summary: "Drags with the left mouse button, whether the page uses drag and drop or follows the pointer; or drops files on the page.",
    short: None,
    fields: &[
        field("from", Kind::Target, "What is taken, at its middle; or a place."),
        field("to", Kind::Target, "What it is dropped on, or a place; it may also come only once the drag has begun."),
        field("by", Kind::Map, "`{x, y}`: how far it is dragged instead, CSS pixels to the right and down."),
        field("files", Kind::Texts, "Files to drop on `to` instead of `from`, relative to the scenario file."),
        field("steps", Kind::Number, "How many moves the mouse makes on its way: 10 unless told."),
        OUTSIDE,
    ],
    example: "- drag: { from: listitem \"Feed the cat\", to: region \"Done\" }",
    build,
};

#[derive(Debug)]
enum Drag {
    To { from: Deferred<Target>, to: Box<Deferred<Target>>, steps: u32 },
    By { from: Deferred<Target>, x: f64, y: f64, steps: u32 },
    Files { files: Files, to: Deferred<Target> },
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let steps = if args.has("steps") { args.whole("steps", 1)? } else { STEPS };
    let steps = u32::try_from(steps.min(MOST_STEPS)).ok()?;
    let what = ["from", "to", "by", "files"].map(|name| args.has(name));
    let drag = match what {
        [true, true, false, false] => {
            let (from, to) = (args.given("from"), args.given("to"));
            Drag::To { from: from?, to: Box::new(to?), steps }
        }
        [true, false, true, false] => {
            let (from, by) = (args.given("from"), args.offset("by"));
            let (x, y) = by?;
            Drag::By { from: from?, x, y, steps }
        }
        [false, true, false, true] if !args.has("steps") => {
            let (files, to) = (Files::read(args), args.given("to"));
            Drag::Files { files: files?, to: to? }
        }
        _ => {
            let place = args.place();
            args.problem(
                wrong(place, "`drag` does not know what to drag where")
                    .label("`from` and `to`, `from` and `by`, or `files` and `to`")
                    .next(format!("write it like this:\n{}", SPEC.example)),
            );
            return None;
        }
    };
    Some(Box::new(drag))
}

#[async_trait(?Send)]
impl Action for Drag {
    fn describe(&self) -> String {
        match self {
            Drag::To { from, to, .. } => format!("drag {from} to {to}"),
            Drag::By { from, x, y, .. } => format!("drag {from} by {x}, {y}"),
            Drag::Files { files, to } => format!("drag {} to {to}", files.words()),
        }
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        match self {
            Drag::To { from, .. } | Drag::By { from, .. } => Some(from),
            Drag::Files { to, .. } => Some(to),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let page = stage.page();
        let result = match self {
            Drag::To { from, to, steps } => {
                let (from, to) = (stage.get(from, at).await?, stage.get(to, at).await?);
                page.drag(&from, DropAt::Target(&to), *steps, at.deadline).await
            }
            Drag::By { from, x, y, steps } => {
                let from = stage.get(from, at).await?;
                page.drag(&from, DropAt::By { x: *x, y: *y }, *steps, at.deadline).await
            }
            Drag::Files { files, to } => {
                let files = files.paths(stage, at).await?;
                let to = stage.get(to, at).await?;
                page.drop_files(&files, &to, at.deadline).await
            }
        };
        result.map_err(|error| at.page_failure(&error))
    }
}
