//! `look`: a picture of the page, to be kept or to be held against the one that is stored.

use std::path::Path;

use async_trait::async_trait;

use super::look_snapshot::Snapshot;
use crate::page::{Area, Format, Look};
use crate::scenario::leads_out;
use crate::scenario::{Deferred, Target};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::around::{writable, write};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "look",
    group: Group::Looking,
    summary: "Takes a picture of what the tab shows, of one element, or of the whole page. With `snapshot` the page must look like the picture \
              stored under that name in `snapshots/`: it is taken without the caret, with animations at their end and after fonts and pictures \
              have come, and what differs is drawn in the report folder. Fonts differ between machines, so store pictures of text on the kind \
              of machine that checks them.",
    short: Some("of"),
    fields: &[
        field("of", Kind::Target, "Only this element."),
        field("full", Kind::Boolean, "The whole page, also what has to be scrolled to."),
        field(
            "path",
            Kind::Text,
            "Where the picture goes, inside the project: `.png`, `.jpg` or `.webp`. Without it the picture goes to the report folder.",
        ),
        field("snapshot", Kind::Text, "The name of the stored picture; it may hold `{{ turn }}` in a loop."),
        field(
            "tolerance",
            Kind::Text,
            "With `snapshot`: how much may differ, as so many pixels (`40`) or a share of them (`0.5%`). Nothing, unless it is said; what no eye \
             tells apart does not count.",
        ),
        field("masks", Kind::Targets, "With `snapshot`: elements that are covered, as they look otherwise each time."),
    ],
    example: "- look: { of: image \"Sales\", snapshot: chart, tolerance: 0.1% }",
    build,
};

/// Said at load.
const OUTSIDE: &str = "pictures are written inside the project only";
const UNKNOWN_FORMAT: &str = "a picture's name ends in .png, .jpg or .webp";

#[derive(Debug)]
struct LookStep {
    of: Option<Deferred<Target>>,
    full: bool,
    becomes: Becomes,
}

/// What becomes of the picture.
#[derive(Debug)]
enum Becomes {
    /// It is written there, else to the report folder.
    File(Option<Deferred<String>>),
    /// It is held against the stored one.
    Snapshot(Snapshot),
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let of = args.given_if_any("of")?;
    let path = args.given_if_any("path")?;
    if let (Some(Deferred::Ready(text)), Some(node)) = (&path, args.raw("path")) {
        let text: &String = text;
        if leads_out(text) {
            args.problem(
                wrong(&node.place, OUTSIDE)
                    .label("leads out of it")
                    .next("name a file below the project's folder: shots/cart.png"),
            );
            return None;
        }
        if Format::of_path(Path::new(text)).is_none() {
            args.problem(
                wrong(&node.place, UNKNOWN_FORMAT)
                    .label("not a format of pictures here")
                    .next("write .png, .jpg or .webp"),
            );
            return None;
        }
    }
    let full = args.flag("full");
    if full && of.is_some() {
        let place = args.place();
        args.problem(
            wrong(place, "a picture is of one element or of the full page, not of both")
                .label("both `of` and `full`")
                .next("leave one of them out"),
        );
        return None;
    }
    let becomes = if args.has("snapshot") {
        if args.has("path") {
            let place = args.place();
            args.problem(
                wrong(place, "a picture is held against a snapshot or written to a file, not both")
                    .label("both `snapshot` and `path`")
                    .next("leave `path` out: snapshots have a folder of their own"),
            );
            return None;
        }
        Becomes::Snapshot(Snapshot::build(args)?)
    } else {
        let alone = ["tolerance", "masks"].into_iter().find(|name| args.has(name));
        if let Some(name) = alone {
            let place = args.place();
            args.problem(
                wrong(place, format!("`{name}` says how a picture is compared"))
                    .label("there is no `snapshot` to compare it with")
                    .next("name it: `look: { snapshot: chart }`"),
            );
            return None;
        }
        Becomes::File(path)
    };
    Some(Box::new(LookStep { of, full, becomes }))
}

#[async_trait(?Send)]
impl Action for LookStep {
    fn describe(&self) -> String {
        let look = match &self.of {
            Some(of) => format!("look at {of}"),
            None if self.full => "look at the full page".to_owned(),
            None => "look".to_owned(),
        };
        match &self.becomes {
            Becomes::File(_) => look,
            Becomes::Snapshot(snapshot) => format!("{look}: {snapshot}"),
        }
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        self.of.as_ref()
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        match &self.becomes {
            Becomes::File(path) => self.write(path.as_ref(), stage, at).await,
            Becomes::Snapshot(snapshot) => snapshot.hold(async |stage| self.area(stage, at).await, stage, at).await,
        }
    }
}

impl LookStep {
    async fn write(&self, path: Option<&Deferred<String>>, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let path = match path {
            Some(path) => {
                let path = stage.get(path, at).await?.into_owned();
                writable(stage, at, &stage.props.mask.text(&path))?
            }
            None => stage.props.pictures.join(format!("look-{}.png", stage.steps())),
        };
        let format =
            Format::of_path(&path).ok_or_else(|| at.failure(UNKNOWN_FORMAT).label(path.display().to_string()))?;
        let look = Look { of: self.area(stage, at).await?, format };
        let bytes = stage.page().look(&look, at.deadline).await.map_err(|error| at.page_failure(&error))?;
        write(at, &path, &bytes)?;
        stage.tell(Note::Output { verb: SPEC.name, text: path.display().to_string(), place: at.place.clone() });
        Ok(())
    }

    /// What the picture is of.
    async fn area(&self, stage: &mut Stage, at: &At<'_>) -> Result<Area, Failure> {
        Ok(match &self.of {
            Some(of) => {
                let target = stage.get(of, at).await?;
                let found = stage.page().locate(&target, at.deadline).await;
                Area::Element(found.map_err(|error| at.page_failure(&error))?)
            }
            None if self.full => Area::Full,
            None => Area::Viewport,
        })
    }
}
