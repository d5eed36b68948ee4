//! The storage of origins, read from the frames that show them.

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::page::{Page, PageError, Tabs};

/// What an origin keeps.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptOrigin {
    /// Scheme, host and port.
    pub origin: String,
    /// The origin of the page that it was a frame of, where that is another one: the browser keeps that apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// What stays.
    #[serde(default)]
    pub local_storage: Vec<KeptItem>,
    /// What goes with the tab.
    #[serde(default)]
    pub session_storage: Vec<KeptItem>,
}

/// A key of a storage with its value.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct KeptItem {
    /// The key.
    pub name: String,
    /// The value.
    pub value: String,
}

impl KeptOrigin {
    /// The origin of the whole page.
    pub(super) fn top(&self) -> &str {
        self.within.as_deref().unwrap_or(&self.origin)
    }
}

/// The storage of a document. `null` where it has none: a page without an origin, or one that is not to keep anything.
const READ: &str = "(() => {
    if (window.origin === 'null') return null;
    const items = (storage) => Array.from({ length: storage.length }, (_, at) => storage.key(at))
        .filter((name) => name !== null).map((name) => ({ name, value: storage.getItem(name) ?? '' }));
    const above = location.ancestorOrigins, top = above.length ? above[above.length - 1] : window.origin;
    if (top === 'null') return null;
    try {
        return { origin: window.origin, ...(top === window.origin ? {} : { within: top }),
            localStorage: items(localStorage), sessionStorage: items(sessionStorage) };
    } catch { return null; }
})()";

/// Of all frames of all tabs. An origin that is shown more than once is told once.
pub(super) async fn of_tabs(tabs: &Tabs, deadline: Instant) -> Result<Vec<KeptOrigin>, PageError> {
    let current = tabs.current();
    let mut all = of_page(&current, deadline).await?;
    for page in tabs.pages() {
        if page.target_id() == current.target_id() || page.stopped().is_some() {
            continue;
        }
        let others = match of_page(&page, deadline).await {
            // It closed itself meanwhile.
            Err(_) if page.stopped().is_some() => continue,
            other => other?,
        };
        for mut origin in others {
            // It goes with its tab, and this is another one.
            origin.session_storage.clear();
            add(&mut all, origin);
        }
    }
    all.retain(|origin| !origin.local_storage.is_empty() || !origin.session_storage.is_empty());
    Ok(all)
}

async fn of_page(page: &Page, deadline: Instant) -> Result<Vec<KeptOrigin>, PageError> {
    page.again(deadline, async || {
        let frames = page.core().state().frames.in_order();
        let mut origins = Vec::new();
        for frame in frames.iter().filter(|frame| !frame.crashed) {
            match page.evaluate::<Option<KeptOrigin>>(&frame.id, READ, deadline).await {
                Ok(origin) => origin.into_iter().for_each(|origin| add(&mut origins, origin)),
                // A frame may go at any time; only the page itself must be there.
                Err(error) if error.is_passing() && frame.parent.is_some() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(origins)
    })
    .await
}

/// Adds what an origin keeps, unless that was told already.
fn add(all: &mut Vec<KeptOrigin>, origin: KeptOrigin) {
    if !all.iter().any(|known| (&known.origin, &known.within) == (&origin.origin, &origin.within)) {
        all.push(origin);
    }
}
