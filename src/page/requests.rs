//! Requests under way.

use std::collections::HashMap;

use crate::cdp::network;

/// The requests of a page that have not ended.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// How many were seen: the number of the next one.
    pub(super) next: u64,
    open: HashMap<String, Request>,
    /// The status of the latest document of each frame's loader that was told.
    document: Option<(String, u16)>,
}

#[derive(Debug)]
struct Request {
    number: u64,
    counts: bool,
    url: String,
}

impl Requests {
    pub(super) fn begin(&mut self, event: &network::RequestWillBeSent<'_>) {
        let number = match self.open.get(&*event.request_id) {
            // A redirect goes on under the same id.
            Some(known) => known.number,
            None => self.next,
        };
        self.next += 1;
        let request = Request { number, counts: counts(&event.kind), url: event.request.url.to_string() };
        self.open.insert(event.request_id.to_string(), request);
    }

    /// Says whether a request ended that [`Requests::pending_since`] counts.
    pub(super) fn end(&mut self, id: &str) -> bool {
        self.open.remove(id).is_some_and(|request| request.counts)
    }

    pub(super) fn responded(&mut self, event: &network::ResponseReceived<'_>) {
        if event.kind == "Document" {
            self.document = Some((event.loader_id.to_string(), event.response.status));
        }
    }

    /// The HTTP status that a document came with.
    pub(super) fn status_of(&self, loader: &str) -> Option<u16> {
        self.document.as_ref().filter(|(of, _)| of == loader).map(|(_, status)| *status)
    }

    /// Whether something that was asked for since that number has not come yet.
    pub(super) fn pending_since(&self, number: u64) -> bool {
        self.open.values().any(|request| request.counts && request.number >= number)
    }

    /// Addresses of what is under way, oldest first.
    pub(super) fn open_urls(&self) -> Vec<String> {
        let mut open: Vec<_> = self.open.values().collect();
        open.sort_by_key(|request| request.number);
        open.iter().map(|request| request.url.clone()).collect()
    }

    /// A new document: what the old one asked for is nobody's business, and its ends may never be told.
    pub(super) fn keep_only(&mut self, loader: &str) {
        self.open.retain(|id, _| id == loader);
    }
}

/// Streams have no end by their nature, and pictures, fonts and media change no outline.
fn counts(kind: &str) -> bool {
    matches!(kind, "Document" | "Script" | "XHR" | "Fetch" | "Stylesheet")
}
