//! `tab-select`: goes on in another tab.

use async_trait::async_trait;

use crate::scenario::Deferred;
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "tab-select",
    group: Group::Tabs,
    summary: "Brings a tab to the front, and performs the steps that follow in it.",
    short: Some("tab"),
    fields: &[required("tab", Kind::Text, "Its name, or its id as `tabs` lists it.")],
    example: "- tab-select: admin",
    build,
};

#[derive(Debug)]
struct TabSelect {
    tab: Deferred<String>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(TabSelect { tab: args.given("tab")? }))
}

#[async_trait(?Send)]
impl Action for TabSelect {
    fn describe(&self) -> String {
        format!("tab-select {}", self.tab)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let tab = stage.get(&self.tab, at).await?;
        stage.tabs().select(&tab).map(drop).map_err(|error| at.page_failure(&error))
    }
}
