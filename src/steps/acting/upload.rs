//! `upload`: gives files to a page.

use async_trait::async_trait;

use super::files::{Files, OUTSIDE};
use crate::scenario::{Deferred, Target};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "upload",
    group: Group::Acting,
    summary: "Gives files to a file input, seen or hidden, or to the file chooser that a click on a button opens.",
    short: None,
    fields: &[
        required("into", Kind::Target, "The file input, or what opens its chooser."),
        required(
            "files",
            Kind::Texts,
            "The files, relative to the scenario file; one folder for an input that takes a folder.",
        ),
        OUTSIDE,
    ],
    example: "- upload: { into: button \"Choose file\", files: [photo.png] }",
    build,
};

#[derive(Debug)]
struct Upload {
    into: Deferred<Target>,
    files: Files,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let (into, files) = (args.given("into"), Files::read(args));
    Some(Box::new(Upload { into: into?, files: files? }))
}

#[async_trait(?Send)]
impl Action for Upload {
    fn describe(&self) -> String {
        format!("upload {} into {}", self.files.words(), self.into)
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        Some(&self.into)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let files = self.files.paths(stage, at).await?;
        let into = stage.get(&self.into, at).await?;
        stage.page().upload(&into, &files, at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
