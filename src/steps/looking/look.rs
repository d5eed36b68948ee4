//! `look`: a picture of the page.

use std::path::Path;

use async_trait::async_trait;

use crate::page::{Area, Format, Look};
use crate::scenario::{Deferred, Target};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::around::{leads_out, writable, write};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "look",
    group: Group::Looking,
    summary: "Takes a picture of what the tab shows, of one element, or of the whole page.",
    short: Some("of"),
    fields: &[
        field("of", Kind::Target, "Only this element."),
        field("full", Kind::Boolean, "The whole page, also what has to be scrolled to."),
        field(
            "path",
            Kind::Text,
            "Where the picture goes, inside the project: `.png`, `.jpg` or `.webp`. Without it the picture goes to the report folder.",
        ),
    ],
    example: "- look",
    build,
};

/// Said at load.
const OUTSIDE: &str = "pictures are written inside the project only";
const UNKNOWN_FORMAT: &str = "a picture's name ends in .png, .jpg or .webp";

#[derive(Debug)]
struct LookStep {
    of: Option<Deferred<Target>>,
    full: bool,
    path: Option<Deferred<String>>,
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
    Some(Box::new(LookStep { of, full, path }))
}

#[async_trait(?Send)]
impl Action for LookStep {
    fn describe(&self) -> String {
        match &self.of {
            Some(of) => format!("look at {of}"),
            None if self.full => "look at the full page".to_owned(),
            None => "look".to_owned(),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let path = match &self.path {
            Some(path) => {
                let path = stage.get(path, at).await?.into_owned();
                writable(stage, at, &stage.props.mask.text(&path))?
            }
            None => stage.props.pictures.join(format!("look-{}.png", stage.steps())),
        };
        let format =
            Format::of_path(&path).ok_or_else(|| at.failure(UNKNOWN_FORMAT).label(path.display().to_string()))?;
        let page = stage.page();
        let of = match &self.of {
            Some(of) => {
                let target = stage.get(of, at).await?;
                Area::Element(page.locate(&target, at.deadline).await.map_err(|error| at.page_failure(&error))?)
            }
            None if self.full => Area::Full,
            None => Area::Viewport,
        };
        let look = Look { of, format };
        let bytes = page.look(&look, at.deadline).await.map_err(|error| at.page_failure(&error))?;
        write(at, &path, &bytes)?;
        stage.tell(Note::Output { verb: SPEC.name, text: path.display().to_string(), place: at.place.clone() });
        Ok(())
    }
}
