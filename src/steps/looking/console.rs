//! `console`: what the page has logged.

use async_trait::async_trait;

use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Spec};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "console",
    group: Group::Looking,
    summary: "Shows what the page has logged: console calls, uncaught errors, the browser's own complaints.",
    short: None,
    fields: &[],
    example: "- console",
    build,
};

#[derive(Debug)]
struct Console;

fn build(_: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Console))
}

#[async_trait(?Send)]
impl Action for Console {
    fn describe(&self) -> String {
        "console".to_owned()
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let page = stage.page();
        page.settle(at.deadline).await.map_err(|error| at.page_failure(&error))?;
        let entries = page.console();
        let text = if entries.is_empty() {
            "(no console output)".to_owned()
        } else {
            entries.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        stage.tell(Note::Output { verb: SPEC.name, text, place: at.place.clone() });
        Ok(())
    }
}
