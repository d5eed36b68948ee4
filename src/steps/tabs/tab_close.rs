//! `tab-close`: closes a tab.

use async_trait::async_trait;

use crate::scenario::Deferred;
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "tab-close",
    group: Group::Tabs,
    summary: "Closes a tab; after the current one is closed, steps go on in the first.",
    short: Some("tab"),
    fields: &[field("tab", Kind::Text, "Its name or id; the current tab unless told.")],
    example: "- tab-close: admin",
    build,
};

#[derive(Debug)]
struct TabClose {
    tab: Option<Deferred<String>>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let tab = args.given_if_any("tab")?;
    Some(Box::new(TabClose { tab }))
}

#[async_trait(?Send)]
impl Action for TabClose {
    fn describe(&self) -> String {
        match &self.tab {
            Some(tab) => format!("tab-close {tab}"),
            None => "tab-close".to_owned(),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let tab = match &self.tab {
            Some(tab) => stage.get(tab, at).await?.into_owned(),
            None => stage.tabs().list().into_iter().find(|tab| tab.current).map(|tab| tab.id).unwrap_or_default(),
        };
        stage.tabs().close(&tab, at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
