//! `text`: the page's words as a person sees them.

use async_trait::async_trait;

use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Spec};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "text",
    group: Group::Looking,
    summary: "Shows the page's rendered text.",
    short: None,
    fields: &[],
    example: "- text",
    build,
};

#[derive(Debug)]
struct Text;

fn build(_: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Text))
}

#[async_trait(?Send)]
impl Action for Text {
    fn describe(&self) -> String {
        "text".to_owned()
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let page = stage.page();
        let text = page.text(at.deadline).await.map_err(|error| at.page_failure(&error))?;
        stage.tell(Note::Output { verb: SPEC.name, text, place: at.place.clone() });
        Ok(())
    }
}
