//! `assert-url`.

use async_trait::async_trait;

use super::wait_for_url;
use crate::scenario::{Deferred, TextMatch};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-url",
    group: Group::Asserting,
    summary: "The tab must be at this address.",
    short: Some("url"),
    fields: &[required("url", Kind::TextMatch, "The address: whole, or from its path on (`/home`), or a /regex/.")],
    example: "- assert-url: /home",
    build,
};

#[derive(Debug)]
struct AssertUrl {
    url: Deferred<TextMatch>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(AssertUrl { url: args.address("url")? }))
}

#[async_trait(?Send)]
impl Action for AssertUrl {
    fn describe(&self) -> String {
        format!("assert-url {}", self.url)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let url = stage.get(&self.url, at).await?;
        wait_for_url(stage, at, &url, "the page is not at this address").await
    }
}
