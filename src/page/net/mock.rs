//! Answers in the place of servers.

use std::time::Duration;

use crate::scenario::UrlPattern;

/// Requests that are answered in the server's place.
#[derive(Debug, Clone)]
pub struct Mock {
    /// Names the mock: one that is set again under the same name takes the former's place.
    pub id: String,
    /// Which addresses are meant.
    pub url: UrlPattern,
    /// Only requests of this method; `None` for any.
    pub method: Option<String>,
    /// What comes back.
    pub answer: MockAnswer,
    /// How long it takes.
    pub delay: Duration,
    /// How many requests it answers at most.
    pub times: Option<u64>,
}

/// What comes back from a mock.
#[derive(Debug, Clone)]
pub enum MockAnswer {
    /// An answer as a server's.
    Respond {
        /// The HTTP status.
        status: u16,
        /// The headers, `Content-Type` included.
        headers: Vec<(String, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// Nothing: the connection fails.
    Abort,
}

/// A mock in force.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) mock: Mock,
    pub(super) used: u64,
}

impl Set {
    pub(super) fn answers(&self, method: &str, url: &str) -> bool {
        let mock = &self.mock;
        mock.times.is_none_or(|times| self.used < times)
            && mock.method.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(method))
            && mock.url.matches(url)
    }
}
