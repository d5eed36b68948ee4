//! `tabs`: lists the tabs.

use async_trait::async_trait;

use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Spec};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "tabs",
    group: Group::Tabs,
    summary: "Lists the tabs by id, given name and origin; `*` marks the one that steps are performed in.",
    short: None,
    fields: &[],
    example: "- tabs",
    build,
};

#[derive(Debug)]
struct List;

fn build(_: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(List))
}

#[async_trait(?Send)]
impl Action for List {
    fn describe(&self) -> String {
        "tabs".to_owned()
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let lines: Vec<String> = stage.tabs().list().iter().map(ToString::to_string).collect();
        stage.tell(Note::Output { verb: SPEC.name, text: lines.join("\n"), place: at.place.clone() });
        Ok(())
    }
}
