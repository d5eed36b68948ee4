//! `assert-download`.

use std::path::Path;

use async_trait::async_trait;

use crate::page::net::{Download, DownloadState};
use crate::scenario::{Deferred, TextMatch};
use crate::steps::arguments::Arguments;
use crate::steps::around::{writable, write};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};

/// How much of a file a failure shows, in characters.
const SHOWN: usize = 400;

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-download",
    group: Group::Asserting,
    summary: "A file of this name must have been downloaded since the scenario began; the newest of that name counts.",
    short: Some("name"),
    fields: &[
        required("name", Kind::TextMatch, "The file's name, or a /regex/."),
        field("contains", Kind::TextMatch, "A text that the file holds, or a /regex/ that finds something in it."),
        field("save-as", Kind::Text, "Where a copy is kept, inside the project."),
    ],
    example: "- assert-download: { name: receipt.csv, contains: T-1007 }",
    build,
};

#[derive(Debug)]
struct AssertDownload {
    name: Deferred<TextMatch>,
    contains: Option<Deferred<TextMatch>>,
    save_as: Option<Deferred<String>>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let (name, contains, save_as) = (args.given("name"), args.given_if_any("contains"), args.given_if_any("save-as"));
    Some(Box::new(AssertDownload { name: name?, contains: contains?, save_as: save_as? }))
}

#[async_trait(?Send)]
impl Action for AssertDownload {
    fn describe(&self) -> String {
        format!("assert-download {}", self.name)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let name = stage.get(&self.name, at).await?;
        let page = stage.page();
        let ended = page
            .until_downloaded(at.deadline, |all| {
                let of_name = all.iter().rev().find(|download| name.matches(&download.name))?;
                (of_name.state != DownloadState::Running).then(|| of_name.clone())
            })
            .await
            .map_err(|error| at.page_failure(&error))?;
        let Some(download) = ended else {
            let all = page.traffic().downloads();
            let title = match all.iter().rev().find(|download| name.matches(&download.name)) {
                Some(_) => "the download has not ended",
                None => "nothing of this name was downloaded",
            };
            let failure = at.failure(title).label(format!("not after {}", words(at.given)));
            return Err(failure.detail("downloads so far", listed(&all)));
        };
        if download.state == DownloadState::Cancelled {
            return Err(at
                .failure(format!("the download of {} broke off", download.name))
                .detail("it came from", stage.short_url(&download.url)));
        }
        if self.contains.is_none() && self.save_as.is_none() {
            return Ok(());
        }
        let bytes = std::fs::read(&download.path)
            .map_err(|error| at.failure(format!("the downloaded file can't be read: {error}")).of_world())?;
        if let Some(contains) = &self.contains {
            let wanted = stage.get(contains, at).await?;
            let text = String::from_utf8_lossy(&bytes);
            if !holds(&wanted, &text) {
                let shown: String = text.chars().take(SHOWN).collect();
                let more = if shown.len() < text.len() { "…" } else { "" };
                return Err(at
                    .failure("the downloaded file does not hold this")
                    .label(format!("{wanted} is not in {}", download.name))
                    .detail("the file", format!("{shown}{more}")));
            }
        }
        if let Some(path) = &self.save_as {
            let path = stage.get(path, at).await?;
            let path = writable(stage, at, &path)?;
            write(at, Path::new(&path), &bytes)?;
        }
        Ok(())
    }
}

/// Whether a text holds another, or what a regular expression finds.
fn holds(wanted: &TextMatch, text: &str) -> bool {
    match wanted {
        TextMatch::Exact(part) => text.contains(part.as_str()),
        TextMatch::Pattern(_) => wanted.matches(text),
    }
}

fn listed(all: &[Download]) -> String {
    if all.is_empty() {
        return "none".to_owned();
    }
    let state = |download: &Download| match download.state {
        DownloadState::Running => ", on its way",
        DownloadState::Done => "",
        DownloadState::Cancelled => ", broken off",
    };
    let lines: Vec<String> = all.iter().map(|download| format!("{}{}", download.name, state(download))).collect();
    lines.join("\n")
}
