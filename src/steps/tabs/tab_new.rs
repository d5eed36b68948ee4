//! `tab-new`: opens a tab and goes on in it.

use async_trait::async_trait;

use crate::scenario::Deferred;
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::going::open::{check, resolve};
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "tab-new",
    group: Group::Tabs,
    summary: "Opens a tab, and performs the steps that follow in it.",
    short: Some("url"),
    fields: &[
        field("url", Kind::Text, "What it opens; an empty page unless told."),
        field("as", Kind::Text, "The name it is called by."),
    ],
    example: "- tab-new: { as: admin, url: /admin }",
    build,
};

#[derive(Debug)]
struct TabNew {
    url: Option<Deferred<String>>,
    name: Option<Deferred<String>>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let url = args.given_if_any("url")?;
    if let Some(url) = &url {
        check(args, url)?;
    }
    let name = args.given_if_any("as")?;
    Some(Box::new(TabNew { url, name }))
}

#[async_trait(?Send)]
impl Action for TabNew {
    fn describe(&self) -> String {
        match &self.url {
            Some(url) => format!("tab-new {url}"),
            None => "tab-new".to_owned(),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let name = match &self.name {
            Some(name) => Some(stage.get(name, at).await?),
            None => None,
        };
        if let Some(name) = &name {
            stage.tabs().want_free(name, at.deadline).await.map_err(|error| at.page_failure(&error))?;
        }
        let url = match &self.url {
            Some(url) => {
                let url = stage.get(url, at).await?;
                Some(resolve(stage, at, &url)?)
            }
            None => None,
        };
        stage
            .tabs()
            .open_new(name.as_deref().map(String::as_str), url.as_deref(), at.deadline)
            .await
            .map(drop)
            .map_err(|error| at.page_failure(&error))
    }
}
