//! The requests that pages made.

use std::collections::VecDeque;

use crate::cdp::network;

/// So many requests of a context are remembered; a page that asks without end must not fill the memory.
const REMEMBERED: usize = 10_000;

/// A request that a page made.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Its number in the context, from 0.
    pub number: u64,
    /// `GET` and so on.
    pub method: String,
    /// The address, without its fragment.
    pub url: String,
    /// Its body, where it is text of at most a megabyte.
    pub body: Option<String>,
    /// How it went.
    pub went: Went,
    /// Whether a mock answered it.
    pub mocked: bool,
    id: String,
}

/// How a request went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Went {
    /// It is under way.
    Open,
    /// It was answered, with this HTTP status.
    Answered(u16),
    /// There was no answer; the browser's word for why, such as `net::ERR_CONNECTION_REFUSED`.
    Failed(String),
    /// Nobody wanted the answer any more.
    Cancelled,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Log {
    kept: VecDeque<Sent>,
    count: u64,
}

impl Log {
    pub(super) fn kept(&self) -> &VecDeque<Sent> {
        &self.kept
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn begin(&mut self, event: &network::RequestWillBeSent<'_>) {
        // The browser's own question whether a page may ask another origin is not the page's request.
        if event.initiator.kind == "preflight" {
            return;
        }
        let id = &*event.request_id;
        match (&event.redirect_response, self.find(id)) {
            (Some(response), Some(former)) => former.went = Went::Answered(response.status),
            // A frame of another process and the page around it both tell of its document.
            (None, Some(_)) => return,
            _ => {}
        }
        self.add(id, &event.request.method, &event.request.url, event.request.post_data.as_deref());
    }

    pub(super) fn socket(&mut self, event: &network::WebSocketCreated<'_>) {
        self.add(&event.request_id, "GET", &event.url, None);
    }

    fn add(&mut self, id: &str, method: &str, url: &str, body: Option<&str>) {
        // Neither leaves the browser.
        if url.starts_with("data:") || url.starts_with("blob:") {
            return;
        }
        if self.kept.len() == REMEMBERED {
            self.kept.pop_front();
        }
        self.kept.push_back(Sent {
            number: self.count,
            method: method.to_owned(),
            url: url.to_owned(),
            body: body.map(str::to_owned),
            went: Went::Open,
            mocked: false,
            id: id.to_owned(),
        });
        self.count += 1;
    }

    pub(super) fn responded(&mut self, event: &network::ResponseReceived<'_>) {
        if let Some(sent) = self.find(&event.request_id) {
            sent.went = Went::Answered(event.response.status);
        }
    }

    pub(super) fn failed(&mut self, event: &network::LoadingEnded<'_>) {
        let Some(sent) = self.find(&event.request_id) else { return };
        // An answer whose reading broke off keeps its status; a refusal has none.
        if sent.went == Went::Open {
            sent.went = match &event.error_text {
                _ if event.canceled => Went::Cancelled,
                Some(why) if why == "net::ERR_ABORTED" => Went::Cancelled,
                error => Went::Failed(error.as_deref().unwrap_or("net::ERR_FAILED").to_owned()),
            };
        }
    }

    pub(super) fn mocked(&mut self, id: &str) {
        if let Some(sent) = self.find(id) {
            sent.mocked = true;
        }
    }

    fn find(&mut self, id: &str) -> Option<&mut Sent> {
        self.kept.iter_mut().rev().find(|sent| sent.id == id)
    }
}
