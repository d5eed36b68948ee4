//! What can go wrong on a page, in words that say what happened and what to do next.

use std::time::Duration;

use crate::cdp::CallError;
use crate::scenario::duration_in_words as words;

/// Why a page could not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PageError {
    /// The renderer died.
    #[error("the page crashed: `open` it again")]
    Crashed,
    /// The tab went away.
    #[error("the tab was closed")]
    Closed,
    /// The browser went away.
    #[error("the browser has gone{}", how_it_ended(.last_words.as_deref()))]
    BrowserGone {
        /// How it ended, and on further lines what it said last.
        last_words: Option<String>,
    },
    /// The renderer did not answer in time.
    #[error("{}", busy(*.waited, .to.as_deref()))]
    Busy {
        /// How long was waited.
        waited: Duration,
        /// Where the tab was on its way to: the browser asks a page nothing until the next one is there.
        to: Option<String>,
    },
    /// The document was replaced while it was looked at. Internal to the room as a rule: the look is done again.
    #[error("the page moved on while it was being looked at: {reason}")]
    Moved {
        /// The browser's own words.
        reason: String,
    },
    /// An address could not be opened.
    #[error("cannot open {url}: {error}{hint}")]
    Navigation {
        /// The address.
        url: String,
        /// Such as `net::ERR_CONNECTION_REFUSED`.
        error: String,
        /// What it means and what to do, with its leading colon or dash.
        hint: String,
    },
    /// An address of a kind that is not opened.
    #[error("cannot open {url}: {reason}")]
    BadAddress {
        /// The address.
        url: String,
        /// Why not.
        reason: String,
    },
    /// The address gives a file to keep and no page.
    #[error("this is a download ({name}), not a page: the former page is still open")]
    Download {
        /// The file's name.
        name: String,
    },
    /// The server asks who is there.
    #[error(
        "cannot open {url}: it asks for a user and a password ({status}): put them in the address, as in http://user:password@host/"
    )]
    Unauthorized {
        /// The address.
        url: String,
        /// 401 or 407.
        status: u16,
    },
    /// The document did not come, or did not finish.
    #[error("{url} {stage} within {}", words(*.waited))]
    Slow {
        /// The address.
        url: String,
        /// What it did not do, such as `did not finish loading`.
        stage: &'static str,
        /// How long was waited.
        waited: Duration,
        /// Requests without an end.
        open: Vec<String>,
    },
    /// The tab shows the browser's own error page.
    #[error("no page is open: {reason}")]
    NoPage {
        /// What went wrong when it was opened.
        reason: String,
    },
    /// There is no earlier or later page to go to.
    #[error("there is no page to go {direction} to")]
    NoHistory {
        /// `back` or `forward`.
        direction: &'static str,
    },
    /// A ref before any read.
    #[error("no refs for this tab — `read` first")]
    NoRefs,
    /// A ref that no read gave.
    #[error("unknown ref: ref_{0} — `read` first")]
    UnknownRef(u32),
    /// The document changed, or the element went.
    #[error("page changed since `read` — `read` again")]
    Stale,
    /// The element has no box.
    #[error("element is not visible — `read` again")]
    NotVisible,
    /// No element fits.
    #[error("nothing on the page is {target}")]
    NotFound {
        /// The target as it was written.
        target: String,
        /// The nearest lines of the outline.
        closest: Vec<String>,
        /// What else can be acted on, where nothing comes near.
        others: Vec<String>,
        /// What to do about it, where that is plain.
        next: Option<String>,
    },
    /// Several elements fit.
    #[error("{count} elements on the page are {target}")]
    Ambiguous {
        /// The target as it was written.
        target: String,
        /// How many.
        count: usize,
        /// The first few.
        matches: Vec<String>,
    },
    /// A point is no element.
    #[error("{target} is a place and no element")]
    NotAnElement {
        /// The target as it was written.
        target: String,
    },
    /// A tab that is not there.
    #[error("no such tab: {tab} — list with `tabs`")]
    NoTab {
        /// What was asked for.
        tab: String,
        /// The tabs that are there, as they are listed.
        tabs: Vec<String>,
    },
    /// A tab has this name already.
    #[error("another tab is called {name} already")]
    TabNameTaken {
        /// The name.
        name: String,
        /// The tabs that are there, as they are listed.
        tabs: Vec<String>,
    },
    /// No tab opened.
    #[error("no new tab was opened within {}", words(*.waited))]
    NoNewTab {
        /// How long was waited.
        waited: Duration,
    },
    /// An act that could not be done; what stood in its way is in the details.
    #[error("{message}")]
    Act {
        /// What happened and what to do next.
        message: String,
        /// More, as title and text.
        details: Vec<(String, String)>,
    },
    /// A part of a picture should be covered, and there is none.
    #[error("nothing is there to be masked: {target}")]
    Unmasked {
        /// What was to be covered.
        target: String,
    },
    /// A picture of something that has no size.
    #[error("there is nothing to take a picture of: {reason}")]
    NoPicture {
        /// Why.
        reason: String,
    },
    /// The browser answered in a way that is not expected.
    #[error("{0}")]
    Protocol(String),
}

impl PageError {
    /// More about it, as title and text, for the excerpt under a message.
    pub fn details(&self) -> Vec<(String, String)> {
        match self {
            PageError::NotFound { closest, .. } if !closest.is_empty() => {
                vec![("closest on the page".to_owned(), closest.join("\n"))]
            }
            PageError::NotFound { others, .. } if !others.is_empty() => {
                vec![("can be acted on here".to_owned(), others.join("\n"))]
            }
            PageError::Ambiguous { matches, count, .. } => {
                let mut text = matches.join("\n");
                if *count > matches.len() {
                    text.push_str(&format!("\n… and {} more", count - matches.len()));
                }
                vec![("the elements".to_owned(), text)]
            }
            PageError::Slow { open, .. } if !open.is_empty() => {
                vec![("still loading".to_owned(), open.join("\n"))]
            }
            PageError::Act { details, .. } => details.clone(),
            PageError::NoTab { tabs, .. } | PageError::TabNameTaken { tabs, .. } => {
                vec![("tabs".to_owned(), tabs.join("\n"))]
            }
            PageError::BrowserGone { last_words: Some(words) } => {
                let said = words.split_once('\n').and_then(|(_, said)| said.split_once(": "));
                said.map(|(title, text)| (title.to_owned(), text.to_owned())).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// What to do next, where that is plain.
    pub fn next(&self) -> Option<String> {
        match self {
            PageError::NotFound { next, .. } => next.clone(),
            PageError::Ambiguous { target, .. } => {
                Some(format!("choose one: {{ target: {target}, nth: 1 }}; or narrow it with `within:` or `has:`"))
            }
            PageError::TabNameTaken { .. } => {
                Some("give this one another name, or close that one before: `- tab-close: NAME`".to_owned())
            }
            PageError::Act { message, details } if message.contains(" it is covered by ") => {
                let (_, by) = details.iter().find(|(title, _)| title == "in the way")?;
                // What has no role of its own has no line to be known by.
                (!by.starts_with("generic") && !by.starts_with('<')).then(|| {
                    format!(
                        "where it comes unasked, say above the steps what to do then:\nwhenever:\n  {by}: [click: …]"
                    )
                })
            }
            _ => None,
        }
    }

    /// Whether it says for certain that an act was not done: its target was not there, or could not be acted on.
    pub fn did_nothing(&self) -> bool {
        match self {
            PageError::NotFound { .. } | PageError::Ambiguous { .. } | PageError::NotVisible => true,
            // In these words the checks before an act are told; what is told of an act under way has others.
            PageError::Act { message, .. } => message.contains(" cannot be "),
            _ => false,
        }
    }

    /// Whether the browser is at fault and not the page.
    pub fn is_of_world(&self) -> bool {
        matches!(self, PageError::BrowserGone { .. } | PageError::Protocol(_))
    }

    /// Whether it only says that the time was up while the page was being looked at, so that what was seen before says more.
    pub fn is_late(&self) -> bool {
        matches!(self, PageError::Busy { .. } | PageError::Moved { .. })
    }

    /// Whether the page merely went on to another document, so that looking again may well succeed.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, PageError::Moved { .. })
    }
}

impl From<CallError> for PageError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::TimedOut { waited, .. } => PageError::Busy { waited, to: None },
            CallError::Gone { last_words } => {
                PageError::BrowserGone { last_words: Some(last_words).filter(|words| !words.is_empty()) }
            }
            CallError::Detached { method } => PageError::Moved { reason: format!("{method}: the frame is gone") },
            // Nearly every refusal a page gives is about a document, a world or a node that has just gone.
            CallError::Refused { message, method, .. } if is_gone(&message) => {
                PageError::Moved { reason: format!("{method}: {message}") }
            }
            other => PageError::Protocol(other.to_string()),
        }
    }
}

/// The first of the last words; what the browser said is among the details.
fn how_it_ended(last_words: Option<&str>) -> String {
    last_words.and_then(|words| words.lines().next()).map(|how| format!(": {how}")).unwrap_or_default()
}

fn busy(waited: Duration, to: Option<&str>) -> String {
    // What came before took all of the time.
    if waited < Duration::from_millis(1) && to.is_none() {
        return "the time was up before the page could be asked: it was given too little".to_owned();
    }
    format!("the page did not answer within {}: {}", words(waited), busy_with(waited, to))
}

/// Why there was no answer. A page that was given less than a moment may be as quick as any other.
fn busy_with(waited: Duration, to: Option<&str>) -> String {
    match to {
        Some(to) => format!("the tab is on its way to {to}, which has not come"),
        None if waited < Duration::from_secs(1) => "its script is busy, or it was given too little time".to_owned(),
        None => "its script is busy, or it is very large: give the step more time with `timeout:`".to_owned(),
    }
}

/// Whether the words of a refusal speak of something that went away.
fn is_gone(message: &str) -> bool {
    const SIGNS: [&str; 14] = [
        "Cannot find context",
        "uniqueContextId not found",
        "Execution context was destroyed",
        "Cannot find execution context",
        "Inspected target navigated or closed",
        "No node with given id",
        "No node found for given backend id",
        "Could not find node",
        "Node with given id does not belong",
        "Frame with the given",
        "No frame",
        "does not belong to the target",
        "detached",
        "Could not find object",
    ];
    SIGNS.iter().any(|sign| message.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_said_last_stands_under_how_it_ended() {
        let last_words = "it was ended by signal 9\nit said last: one: two\nthree".to_owned();
        let error = PageError::from(CallError::Gone { last_words });
        assert_eq!(error.to_string(), "the browser has gone: it was ended by signal 9");
        assert_eq!(error.details(), [("it said last".to_owned(), "one: two\nthree".to_owned())]);
        let error = PageError::from(CallError::Gone { last_words: String::new() });
        assert_eq!((error.to_string().as_str(), error.details().len()), ("the browser has gone", 0));
    }
}
