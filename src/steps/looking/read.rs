//! `read`: the page's outline, with refs for the steps that follow.

use async_trait::async_trait;

use crate::scenario::{Deferred, Target};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "read",
    group: Group::Looking,
    summary: "Reads the page's outline and gives every interactive element a `ref_N` that later steps can name.",
    short: Some("of"),
    fields: &[field("of", Kind::Target, "Only this part of the page is read, and numbered.")],
    example: "- read",
    build,
};

/// How much of a page `read` shows, in characters: an agent's context is dear.
pub const MAX_CHARS: usize = 12_000;

#[derive(Debug)]
struct Read {
    of: Option<Deferred<Target>>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let of = args.given_if_any("of")?;
    Some(Box::new(Read { of }))
}

#[async_trait(?Send)]
impl Action for Read {
    fn describe(&self) -> String {
        match &self.of {
            Some(of) => format!("read {of}"),
            None => "read".to_owned(),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let of = match &self.of {
            Some(of) => Some(stage.get(of, at).await?),
            None => None,
        };
        let page = stage.page();
        let shown = match of {
            Some(of) => page.read_of(&of, at.deadline).await,
            None => page.read(at.deadline).await,
        };
        let shown = shown.map_err(|error| at.page_failure(&error))?;
        let text = shown.outline.as_data(Some(MAX_CHARS));
        stage.tell(Note::Output { verb: SPEC.name, text, place: at.place.clone() });
        Ok(())
    }
}
