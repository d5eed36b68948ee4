//! Files that pages let their reader keep.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::cdp::page as protocol;

/// So many downloads of a context are remembered.
const REMEMBERED: usize = 1_000;

/// A download.
#[derive(Debug, Clone)]
pub struct Download {
    /// The file's name, as the server or the page suggests it.
    pub name: String,
    /// Where it came from.
    pub url: String,
    /// How far it is.
    pub state: DownloadState,
    /// Where the file is, once it is whole.
    pub path: PathBuf,
    id: String,
}

/// How far a download is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DownloadState {
    /// On its way.
    Running,
    /// The file is whole.
    Done,
    /// It broke off.
    Cancelled,
}

/// Where a context keeps its downloads; the folder goes when the context's pages do.
#[derive(Debug)]
pub(in crate::page) struct Folder(TempDir);

impl Folder {
    /// A folder of its own, inside of one that is removed in any case, where there is such a one.
    pub(in crate::page) fn new(inside: Option<&Path>) -> std::io::Result<Folder> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("playscript-downloads-");
        let inside = inside.filter(|inside| inside.is_dir());
        inside.map_or_else(|| builder.tempdir(), |inside| builder.tempdir_in(inside)).map(Folder)
    }

    pub(in crate::page) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// All downloads of a context.
#[derive(Debug, Default)]
pub(super) struct Downloads {
    folder: Option<Folder>,
    list: Vec<Download>,
}

impl Downloads {
    pub(super) fn kept_in(folder: Folder) -> Downloads {
        Downloads { folder: Some(folder), list: Vec::new() }
    }

    pub(super) fn list(&self) -> &[Download] {
        &self.list
    }

    pub(super) fn begin(&mut self, event: &protocol::DownloadWillBegin) {
        // A frame of another process and the page around it may both tell of it.
        let known = self.list.iter().any(|download| download.id == event.guid);
        let Some(folder) = self.folder.as_ref().filter(|_| !known && self.list.len() < REMEMBERED) else { return };
        self.list.push(Download {
            name: event.suggested_filename.clone(),
            url: event.url.clone(),
            state: DownloadState::Running,
            path: folder.path().join(&event.guid),
            id: event.guid.clone(),
        });
    }

    pub(super) fn progress(&mut self, event: &protocol::DownloadProgress<'_>) {
        if let Some(download) = self.list.iter_mut().find(|download| download.id == event.guid) {
            download.state = match &*event.state {
                "completed" => DownloadState::Done,
                "canceled" => DownloadState::Cancelled,
                _ => DownloadState::Running,
            };
        }
    }
}
