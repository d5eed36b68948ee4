//! Giving files to a page.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::answer::Answer;
use super::click::Click;
use super::script::{budget, late};
use crate::cdp::{Session, dom, page as protocol};
use crate::page::error::PageError;
use crate::page::{Element, Page};
use crate::scenario::Target;

/// What a file input takes.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Takes {
    /// Whether it is a file input at all.
    input: bool,
    multiple: bool,
    directory: bool,
}

/// File choosers are told of instead of opened, until this is dropped.
struct Intercepted(Session);

impl Drop for Intercepted {
    fn drop(&mut self) {
        self.0.send(&protocol::SetInterceptFileChooserDialog { enabled: false });
    }
}

impl Page {
    /// Gives files to a file input, seen or hidden, or to the chooser that a click on another element opens. The paths are absolute and
    /// exist.
    pub async fn upload(&self, target: &Target, files: &[PathBuf], deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        self.with_element(target, "given files", deadline, async |element| {
            let takes = match self.takes(element, true, deadline).await?.into_result() {
                Ok(takes) => takes,
                Err(failure) => return Ok(Err(failure)),
            };
            if takes.input {
                self.give(element, takes, files, deadline).await?;
                return Ok(Ok(()));
            }
            let session = element.session().clone();
            self.core().call(&session, &protocol::SetInterceptFileChooserDialog { enabled: true }, deadline).await?;
            let _intercepted = Intercepted(session);
            self.core().state().choosers.clear();
            if let Err(failure) = self.press_on(element, &Click::default(), deadline).await? {
                return Ok(Err(failure));
            }
            let input = self.chooser(element, deadline).await?;
            // A script may have made it for this moment, and never put on the page.
            let takes = match self.takes(&input, false, deadline).await?.into_result() {
                Ok(takes) => takes,
                Err(failure) => return Err(failure.error_for(&input.description, "given files")),
            };
            self.give(&input, takes, files, deadline).await?;
            Ok(Ok(()))
        })
        .await
    }

    async fn takes(&self, element: &Element, attached: bool, deadline: Instant) -> Result<Answer<Takes>, PageError> {
        let options = json!({ "budget": budget(deadline), "attached": attached });
        self.call_injected(element, "actFileInput", &[options], late(deadline)).await
    }

    /// The input whose chooser the click opened.
    async fn chooser(&self, clicked: &Element, deadline: Instant) -> Result<Element, PageError> {
        let name = &clicked.description;
        let said = |message: String| PageError::Act { message, details: Vec::new() };
        let opened = self.core().until(deadline, |state| state.choosers.pop()).await?.ok_or_else(|| {
            said(format!(
                "{name} was clicked, and no file chooser opened: name the file input, or what opens its chooser"
            ))
        })?;
        let Some(node) = opened.backend_node_id else {
            return Err(said(format!("{name} opened a file picker of a script, which cannot be given files")));
        };
        self.resolve(&opened.frame_id, node, format!("the file input of {name}"), deadline).await
    }

    async fn give(&self, input: &Element, takes: Takes, files: &[PathBuf], deadline: Instant) -> Result<(), PageError> {
        let name = &input.description;
        let folders = files.iter().filter(|path| path.is_dir()).count();
        let wrong = if takes.directory {
            (files.len() != 1 || folders != 1).then(|| "takes one folder".to_owned())
        } else if folders > 0 {
            Some("takes files, not a folder".to_owned())
        } else {
            (files.len() > 1 && !takes.multiple).then(|| format!("takes one file, not {}", files.len()))
        };
        if let Some(wrong) = wrong {
            return Err(PageError::Act { message: format!("{name} {wrong}"), details: Vec::new() });
        }
        let files: Vec<String> = files.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let set = dom::SetFileInputFiles { files: &files, backend_node_id: input.backend_node_id };
        self.core().call(input.session(), &set, deadline).await.map(drop)
    }
}
