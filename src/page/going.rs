//! Going to addresses, back, forward, and loading again.

use std::time::Duration;

use tokio::time::Instant;
use url::Url;

use super::error::PageError;
use super::state::{Done, Mark, State};
use super::tab::Page;
use crate::cdp::{page as protocol, runtime};

/// How far a document has come before `open` returns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Until {
    /// It is there, perhaps in part.
    Commit,
    /// It and what it names is there.
    #[default]
    Load,
    /// No request has run for half a second.
    Idle,
}

/// The news of a download comes beside the answer that a navigation was given up; it is all but here.
const DOWNLOAD: Duration = Duration::from_secs(1);
/// A navigation that leaves the former document in place.
const ABORTED: &str = "net::ERR_ABORTED";
/// A page that is to be left and answers nothing for so long is stuck.
const BUSY: Duration = Duration::from_secs(1);
/// The news of another fragment is near too.
const WITHIN: Duration = Duration::from_secs(1);

impl Page {
    /// Goes to an absolute address and waits until its document is there. Refs of the former document are forgotten. When it can't be
    /// opened, the tab stays usable.
    pub async fn open(&self, url: &str, until: Until, deadline: Instant) -> Result<(), PageError> {
        let shown = check(url)?;
        let start = self.leave();
        let (downloads, within) = {
            let state = self.core().state();
            (state.downloads.len(), state.moves_within)
        };
        let asked = Instant::now();
        let core = self.core();
        self.free(deadline).await?;
        let reply = core.answer(core.session.submit(&protocol::Navigate { url }).await_by(deadline)).await;
        let reply = match reply {
            Err(PageError::Busy { waited, .. }) => {
                core.session.send(&protocol::StopLoading {});
                return Err(PageError::Slow { url: shown, stage: "did not answer", waited, open: Vec::new() });
            }
            Err(PageError::Protocol(reason)) => return Err(PageError::BadAddress { url: shown, reason }),
            other => other?,
        };
        if let Some(error) = reply.error_text {
            if core.state().stays != start.stays {
                // To stay is what the page's question was answered with.
                return Ok(());
            }
            let error = self.not_opened(&shown, error, reply.is_download == Some(true), downloads).await;
            if let (PageError::Navigation { error, .. }, Some(loader)) = (&error, &reply.loader_id)
                && error != ABORTED
            {
                // The browser's own page about the error is to come still, and must not be taken for what is opened next.
                let soon = deadline.min(Instant::now() + WITHIN);
                core.until(soon, |state| state.loaders.contains(loader).then_some(())).await?;
            }
            return Err(error);
        }
        let Some(loader) = reply.loader_id else {
            // Only the fragment changed, which is told in a moment.
            let soon = deadline.min(Instant::now() + WITHIN);
            core.until(soon, |state| (state.moves_within != within).then_some(())).await?;
            return Ok(());
        };
        let committed = move |state: &State| state.loaders.contains(&loader);
        self.arrived(&shown, committed, until, start, asked, deadline).await
    }

    /// Goes one place back in the tab's history.
    pub async fn back(&self, deadline: Instant) -> Result<(), PageError> {
        self.travel(-1, "back", deadline).await
    }

    /// Goes one place forward in the tab's history.
    pub async fn forward(&self, deadline: Instant) -> Result<(), PageError> {
        self.travel(1, "forward", deadline).await
    }

    /// Loads the document again.
    pub async fn reload(&self, deadline: Instant) -> Result<(), PageError> {
        let start = self.leave();
        let asked = Instant::now();
        self.free(deadline).await?;
        self.core().call(&self.core().session, &protocol::Reload {}, deadline).await?;
        let url = self.url();
        self.arrived(&url, move |state| state.commits > start.commits, Until::Load, start, asked, deadline).await
    }

    async fn travel(&self, step: i64, direction: &'static str, deadline: Instant) -> Result<(), PageError> {
        let core = self.core();
        self.free(deadline).await?;
        let history = core.call(&core.session, &protocol::GetNavigationHistory {}, deadline).await?;
        let to = usize::try_from(history.current_index + step).ok().and_then(|index| history.entries.get(index));
        let Some(to) = to else {
            return Err(PageError::NoHistory { direction });
        };
        let start = self.leave();
        let within = core.state().moves_within;
        let asked = Instant::now();
        core.call(&core.session, &protocol::NavigateToHistoryEntry { entry_id: to.id }, deadline).await?;
        let committed = move |state: &State| state.commits > start.commits || state.moves_within != within;
        self.arrived(&to.url, committed, Until::Load, start, asked, deadline).await
    }

    /// Makes sure that the next document can be shown: a crashed tab gets a new renderer with it, and a script without end, which would keep
    /// its process from showing it, is ended.
    async fn free(&self, deadline: Instant) -> Result<(), PageError> {
        let core = self.core();
        if core.stopped().is_some() {
            core.revive();
            return Ok(());
        }
        let probe =
            runtime::Evaluate { expression: "1", context_id: None, return_by_value: true, await_promise: false };
        match core.call(&core.session, &probe, deadline.min(Instant::now() + BUSY)).await {
            // Only then: sent to a page at rest, it would end the next script, whosever that is.
            Err(PageError::Busy { .. }) => core.session.send(&runtime::TerminateExecution {}),
            Err(error @ (PageError::Closed | PageError::BrowserGone { .. })) => return Err(error),
            _ => {}
        }
        Ok(())
    }

    /// Before a document is left: what was remembered of it is forgotten.
    fn leave(&self) -> Mark {
        self.refs.forget();
        let mut state = self.core().state();
        state.failure = None;
        let start = state.now();
        // What acts on the former document set off goes with it.
        state.mark = Some(start);
        state.done = Done::Went;
        start
    }

    /// Waits until the new document is there as far as asked for.
    async fn arrived(
        &self,
        url: &str,
        committed: impl Fn(&State) -> bool,
        until: Until,
        start: Mark,
        asked: Instant,
        deadline: Instant,
    ) -> Result<(), PageError> {
        let core = self.core();
        let reached = |state: &State| {
            let Some(main) = state.frames.main() else {
                return false;
            };
            match until {
                Until::Commit => true,
                Until::Load => main.loaded,
                Until::Idle => main.loaded && main.idle,
            }
        };
        let arrival = core
            .until(deadline, |state| {
                if !committed(state) {
                    // The page asked whether to leave it, and was to stay.
                    return (state.stays != start.stays).then_some(Ok(()));
                }
                let status = state.frames.main().and_then(|main| state.requests.status_of(&main.loader));
                if let Some(status @ (401 | 407)) = status {
                    return Some(Err(PageError::Unauthorized { url: url.to_owned(), status }));
                }
                reached(state).then_some(Ok(()))
            })
            .await?;
        arrival.unwrap_or_else(|| {
            let state = core.state();
            let stage = match until {
                _ if !committed(&state) => "did not answer",
                Until::Idle if state.frames.main().is_some_and(|main| main.loaded) => "did not come to rest",
                _ => "did not finish loading",
            };
            Err(PageError::Slow {
                url: url.to_owned(),
                stage,
                waited: asked.elapsed(),
                open: state.requests.open_urls(),
            })
        })
    }

    /// Says why a navigation was given up.
    async fn not_opened(&self, url: &str, error: String, download: bool, before: usize) -> PageError {
        let core = self.core();
        if download || error == ABORTED {
            let soon = Instant::now() + if download { DOWNLOAD } else { DOWNLOAD / 2 };
            match core.until(soon, |state| state.downloads.get(before).cloned()).await {
                Ok(Some(name)) => return PageError::Download { name },
                Ok(None) if download => {
                    return PageError::Download { name: file_name(url) };
                }
                Ok(None) => {}
                Err(stopped) => return stopped,
            }
        }
        if error == "net::ERR_INVALID_AUTH_CREDENTIALS" {
            return PageError::Unauthorized { url: url.to_owned(), status: 401 };
        }
        let error = PageError::Navigation { url: url.to_owned(), hint: hint(&error).to_owned(), error };
        core.state().failure = Some(error.to_string());
        error
    }
}

/// The last part of an address, as a file's name.
fn file_name(url: &str) -> String {
    let parsed = Url::parse(url).ok();
    let last = parsed.as_ref().and_then(Url::path_segments).and_then(|mut parts| parts.next_back());
    last.filter(|name| !name.is_empty()).unwrap_or("a file").to_owned()
}

/// Whether an address can be opened at all; gives it as it may be shown, without a password.
fn check(url: &str) -> Result<String, PageError> {
    let bad = |reason: &str| Err(PageError::BadAddress { url: url.to_owned(), reason: reason.to_owned() });
    let Ok(mut parsed) = Url::parse(url) else {
        return bad("an address begins with its scheme, as in http://localhost:3000/");
    };
    match parsed.scheme() {
        "http" | "https" | "file" | "data" | "about" | "blob" | "chrome" | "view-source" => {}
        "javascript" => return bad("javascript: is not a page: use a `script` step"),
        _ => return bad("only http, https, file, data and about addresses can be opened"),
    }
    if parsed.password().is_some() {
        // Refused only for addresses without a host, which have no password.
        let _ = parsed.set_password(Some("***"));
        return Ok(parsed.into());
    }
    Ok(url.to_owned())
}

/// What an error of the network means, and what to do.
fn hint(error: &str) -> &'static str {
    match error {
        "net::ERR_CONNECTION_REFUSED" => ": nothing listens there: is the application running, on this port?",
        "net::ERR_NAME_NOT_RESOLVED" => ": there is no host of that name: check the spelling and the network",
        "net::ERR_INTERNET_DISCONNECTED" => ": this machine has no network",
        "net::ERR_CONNECTION_RESET" | "net::ERR_EMPTY_RESPONSE" | "net::ERR_CONNECTION_CLOSED" => {
            ": the server hung up without an answer: see its log"
        }
        "net::ERR_TOO_MANY_REDIRECTS" => ": its redirects go round in a circle",
        "net::ERR_CONNECTION_TIMED_OUT" | "net::ERR_TIMED_OUT" => ": the server does not answer",
        "net::ERR_FILE_NOT_FOUND" => ": there is no such file",
        "net::ERR_SSL_PROTOCOL_ERROR" => ": it does not speak https: try http",
        "net::ERR_UNSAFE_PORT" => ": browsers refuse this port: use another one",
        ABORTED => ": the server sent nothing to show",
        error if error.starts_with("net::ERR_CERT_") => ": its certificate is not trusted",
        "net::ERR_BLOCKED_BY_CLIENT" | "net::ERR_BLOCKED_BY_ADMINISTRATOR" => ": it is blocked in this browser",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn addresses_that_are_no_pages_are_refused_with_a_reason() {
        let reason = |url: &str| check(url).unwrap_err().to_string();
        assert!(reason("javascript:alert(1)").contains("`script`"));
        assert!(reason("/login").contains("scheme"));
        assert!(reason("mailto:a@b.c").contains("only http"));
        assert!(check("file:///tmp/a.html").is_ok());
        assert!(check("about:blank").is_ok());
    }

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        assert_eq!(check("http://ada:s3cret@host/x").unwrap(), "http://ada:***@host/x");
        assert_eq!(check("http://host/x").unwrap(), "http://host/x");
    }

    #[test]
    fn a_download_has_a_name() {
        assert_eq!(file_name("http://h/dl/report.csv?x=1"), "report.csv");
        assert_eq!(file_name("http://h/"), "a file");
    }
}
