//! The request log: what was asked for and how it was answered, bounded.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::StatusCode;
use hyper::header::HOST;
use tokio::time::Instant;

/// How many requests are remembered.
const REMEMBERED: usize = 10_000;
/// How much of a path and of a host is remembered, in bytes.
const LONGEST_TEXT: usize = 2_000;

/// One request that was answered, or whose connection was closed instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `HEAD`, or what else was asked.
    pub method: String,
    /// The path and query as they were sent.
    pub path: String,
    /// The `Host` it was sent to, which tells the two origins apart; empty if none was given.
    pub host: String,
    /// The status it was answered with; `None` if the connection was closed without an answer.
    pub status: Option<u16>,
    /// Bytes of the answer's body handed to the connection so far.
    pub bytes: u64,
    /// From the request's arrival to the last of those bytes.
    pub time: Duration,
}

/// What is kept of a request; `bytes` and `micros` still grow while its body is sent.
#[derive(Debug)]
pub(super) struct Entry {
    method: String,
    path: String,
    host: String,
    status: Option<u16>,
    started: Instant,
    bytes: AtomicU64,
    micros: AtomicU64,
}

impl Entry {
    /// Counts bytes that were handed over just now.
    pub(super) fn sent(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        let micros = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.micros.store(micros, Ordering::Relaxed);
    }

    fn request(&self) -> Request {
        Request {
            method: self.method.clone(),
            path: self.path.clone(),
            host: self.host.clone(),
            status: self.status,
            bytes: self.bytes.load(Ordering::Relaxed),
            time: Duration::from_micros(self.micros.load(Ordering::Relaxed)),
        }
    }
}

#[derive(Debug, Default)]
struct Entries {
    kept: VecDeque<Arc<Entry>>,
    count: u64,
}

#[derive(Debug, Default)]
pub(super) struct Log(Mutex<Entries>);

impl Log {
    /// Notes a request before any of its answer is sent: whoever has seen an answer finds it in the log. `None` is no answer at all.
    pub(super) fn note<T>(
        &self,
        request: &hyper::Request<T>,
        started: Instant,
        status: Option<StatusCode>,
    ) -> Arc<Entry> {
        let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let path = request.uri().path_and_query().map_or_else(|| request.uri().path(), |both| both.as_str());
        let entry = Arc::new(Entry {
            method: request.method().as_str().to_owned(),
            path: shortened(path),
            host: shortened(host),
            status: status.map(|status| status.as_u16()),
            started,
            bytes: AtomicU64::new(0),
            micros: AtomicU64::new(0),
        });
        entry.sent(0);
        let mut entries = self.entries();
        if entries.kept.len() == REMEMBERED {
            entries.kept.pop_front();
        }
        entries.kept.push_back(Arc::clone(&entry));
        entries.count += 1;
        entry
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.entries().kept.iter().map(|entry| entry.request()).collect()
    }

    pub(super) fn count(&self) -> u64 {
        self.entries().count
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn shortened(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    let mut end = LONGEST_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_oldest_are_forgotten_and_still_counted() {
        let log = Log::default();
        for number in 0..REMEMBERED + 5 {
            let request = hyper::Request::get(format!("/{number}")).body(()).unwrap();
            let _ = log.note(&request, Instant::now(), Some(StatusCode::OK));
        }
        assert_eq!(log.requests().len(), REMEMBERED);
        assert_eq!(log.requests()[0].path, "/5");
        assert_eq!(log.count(), REMEMBERED as u64 + 5);
    }

    #[test]
    fn a_long_path_is_cut_between_characters() {
        let text = format!("/{}", "é".repeat(LONGEST_TEXT));
        let cut = shortened(&text);
        assert!(cut.len() <= LONGEST_TEXT + '…'.len_utf8());
        assert!(cut.ends_with("é…"));
    }
}
