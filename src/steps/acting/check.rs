//! `check`: checks a checkbox, a radio or a switch.

use async_trait::async_trait;

use crate::scenario::{Deferred, Target};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "check",
    group: Group::Acting,
    summary: "Checks a checkbox, a radio or a switch, or whatever says `aria-checked`, by clicking it; does nothing when it is checked already.",
    short: Some("on"),
    fields: &[required("on", Kind::Target, "What is checked.")],
    example: "- check: checkbox \"I agree\"",
    build: |args| build(args, true),
};

/// A control to be brought to a state.
#[derive(Debug)]
struct SetChecked {
    on: Deferred<Target>,
    wanted: bool,
}

pub(super) fn build(args: &mut Arguments<'_>, wanted: bool) -> Option<Box<dyn Action>> {
    Some(Box::new(SetChecked { on: args.given("on")?, wanted }))
}

#[async_trait(?Send)]
impl Action for SetChecked {
    fn describe(&self) -> String {
        format!("{} {}", if self.wanted { "check" } else { "uncheck" }, self.on)
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        Some(&self.on)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let on = stage.get(&self.on, at).await?;
        let page = stage.page();
        page.set_checked(&on, self.wanted, at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
