//! What is known of a page without asking it, kept by its watcher.

use std::collections::VecDeque;

use super::console::Log;
use super::dialogs::Dialog;
use super::frames::{Frame, Frames};
use super::requests::Requests;
use super::tab::without_credentials;
use crate::cdp::Session;
use crate::cdp::page::FileChooserOpened;

/// The small state of a page.
#[derive(Debug)]
pub(super) struct State {
    /// The document whose loading was waited for by a look that followed no act.
    pub(super) waited_for: Option<String>,
    pub(super) frames: Frames,
    pub(super) requests: Requests,
    pub(super) console: Log,
    pub(super) dialogs: Vec<Dialog>,
    /// The names of the files of downloads that began.
    pub(super) downloads: Vec<String>,
    /// File choosers that were asked for while somebody waits for one.
    pub(super) choosers: Vec<FileChooserOpened>,
    /// How many things were told that may change what a look sees.
    pub(super) changes: u64,
    /// How often frames said that everything before was told.
    pub(super) caught_up: u64,
    /// How many documents the main frame has shown.
    pub(super) commits: u64,
    /// The names of the newest of these documents.
    pub(super) loaders: VecDeque<String>,
    /// How often the main frame went somewhere within its document.
    pub(super) moves_within: u64,
    /// How often the question whether to leave the document was answered with no.
    pub(super) stays: u64,
    /// What the last acts may have set off, until a look has waited for it.
    pub(super) mark: Option<Mark>,
    /// What these acts were.
    pub(super) done: Done,
    /// Why the tab shows the browser's error page.
    pub(super) failure: Option<String>,
}

/// The most that was done since the last look: how much of its end the next step waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Done {
    /// Texts were given to fields. Another act need not wait for an animation frame, in which callbacks run that were asked for.
    Texts,
    /// The tab went to another document, and waited as far as it was told.
    Went,
    /// A script, which can itself wait for what it asks for.
    Script,
    /// An act.
    Act,
}

/// A moment before an act.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// The number of the next request.
    pub(super) request: u64,
    /// The main frame's documents so far.
    pub(super) commits: u64,
    /// The dialogs so far.
    pub(super) dialogs: usize,
    /// How often the document was not left.
    pub(super) stays: u64,
}

impl State {
    pub(super) fn new(main: String, session: Session) -> State {
        State {
            waited_for: None,
            frames: Frames::new(main, session),
            requests: Requests::default(),
            console: Log::default(),
            dialogs: Vec::new(),
            downloads: Vec::new(),
            choosers: Vec::new(),
            changes: 0,
            caught_up: 0,
            commits: 0,
            loaders: VecDeque::new(),
            moves_within: 0,
            stays: 0,
            mark: None,
            done: Done::Texts,
            failure: None,
        }
    }

    /// A document of the main frame is there.
    pub(super) fn committed(&mut self, loader: &str) {
        // Nobody waits for one that was replaced so many times.
        const REMEMBERED: usize = 32;
        self.commits += 1;
        if self.loaders.len() == REMEMBERED {
            self.loaders.pop_front();
        }
        self.loaders.push_back(loader.to_owned());
        self.requests.keep_only(loader);
    }

    pub(super) fn now(&self) -> Mark {
        Mark { request: self.requests.next, commits: self.commits, dialogs: self.dialogs.len(), stays: self.stays }
    }

    /// Whether what began since the mark has not ended: a document on its way or still loading, requests of the page, scrolling.
    pub(super) fn unsettled(&self, mark: &Mark) -> bool {
        let moving = |frame: &Frame| frame.loading || frame.requested || frame.scrolling;
        self.requests.pending_since(mark.request) || self.frames.iter().any(moving)
    }

    /// Whether the main document is still loading, and nobody has asked this of it before.
    pub(super) fn comes_for_the_first_time(&mut self) -> bool {
        let Some(main) = self.frames.main().filter(|main| main.loading && !main.loaded) else { return false };
        let first = self.waited_for.as_deref() != Some(&*main.loader);
        self.waited_for = Some(main.loader.clone());
        first
    }

    /// Whether something is being scrolled.
    pub(super) fn scrolling(&self) -> bool {
        self.frames.iter().any(|frame| frame.scrolling)
    }

    /// Where the tab is on its way to.
    pub(super) fn on_its_way(&self) -> Option<String> {
        let main = self.frames.main().filter(|main| main.navigating)?;
        Some(without_credentials(main.destination.clone()))
    }

    /// Whether the frame, or one around it, is about to show another document.
    pub(super) fn is_leaving(&self, frame: &str) -> bool {
        let mut frame = self.frames.get(frame);
        while let Some(at) = frame {
            if at.navigating {
                return true;
            }
            frame = at.parent.as_deref().and_then(|parent| self.frames.get(parent));
        }
        false
    }
}
