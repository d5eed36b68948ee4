//! `type`: puts text into a field.

use async_trait::async_trait;

use crate::scenario::{Deferred, Target};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "type",
    group: Group::Acting,
    summary: "Replaces what a field holds by a text; an empty text clears the field. Enter is never pressed.",
    short: None,
    fields: &[
        required("into", Kind::Target, "The field."),
        required("text", Kind::Text, "The text; written as it stands, so 007 stays 007."),
        field("by-key", Kind::Boolean, "Presses a key for each character, where a page listens for keys."),
    ],
    example: "- type: { into: textbox \"Email\", text: ada@example.com }",
    build,
};

#[derive(Debug)]
struct Type {
    into: Deferred<Target>,
    text: Deferred<String>,
    by_key: bool,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let by_key = args.flag("by-key");
    Some(Box::new(Type { into: args.given("into")?, text: args.given("text")?, by_key }))
}

#[async_trait(?Send)]
impl Action for Type {
    // The text is left out: it may be a password.
    fn describe(&self) -> String {
        format!("type into {}", self.into)
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        Some(&self.into)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let into = stage.get(&self.into, at).await?;
        let text = stage.get(&self.text, at).await?;
        let typed = stage
            .page()
            .type_text(&into, &text, self.by_key, at.deadline)
            .await
            .map_err(|error| at.page_failure(&error))?;
        if let Some(notice) = typed.notice {
            stage.tell(Note::Notice(notice));
        }
        Ok(())
    }
}
