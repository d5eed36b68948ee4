//! The tabs of a browser context.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde::Serialize;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use url::Url;

use super::core::OfContext;
use super::dialogs::Dialogs;
use super::error::PageError;
use super::going::Until;
use super::net::{Folder, Network, Traffic};
use super::settings::PageSettings;
use super::tab::Page;
use crate::browser::Context;
use crate::cdp::target::{ActivateTarget, CloseTarget};

/// How long a pop-up may take to be set up. Nothing waits for it but who waits for the pop-up.
const SETUP: std::time::Duration = std::time::Duration::from_secs(30);

/// How long a tab that has a name may take to close by itself before another one is called so.
const CLOSING: std::time::Duration = std::time::Duration::from_secs(1);

/// The tabs of one browser context. There always is a current one; a pop-up joins the list and does not become it.
pub struct Tabs {
    shared: Arc<Shared>,
    /// Takes in pop-ups.
    door: JoinHandle<()>,
}

struct Shared {
    context: Context,
    settings: PageSettings,
    of_context: OfContext,
    list: Mutex<List>,
    /// How many tabs pages have opened.
    opened: watch::Sender<u64>,
}

struct List {
    tabs: Vec<Tab>,
    /// One of them.
    current: Tab,
    next: u32,
}

#[derive(Clone)]
struct Tab {
    id: String,
    name: Option<String>,
    page: Arc<Page>,
    /// The how-manieth pop-up it is, counted from 1; 0 for tabs that no page opened.
    opened: u64,
}

/// A tab, as it is listed: by what it is and never by what its page calls itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TabInfo {
    /// Short: `t1`, `t2`, …
    pub id: String,
    /// The name that it was given.
    pub name: Option<String>,
    /// Scheme, host and port; only the scheme where there is no origin, such as `about:`.
    pub origin: String,
    /// Whether it is the one that steps act on.
    pub current: bool,
}

/// As `tabs` lists it: the id, its name if it has one, a star if it is current, and the origin.
impl fmt::Display for TabInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        if let Some(name) = &self.name {
            write!(f, " {name}")?;
        }
        if self.current {
            f.write_str(" *")?;
        }
        write!(f, "  {}", self.origin)
    }
}

impl Tabs {
    /// Opens the first tab of a context, with an empty page.
    pub async fn new(context: Context, settings: PageSettings, deadline: Instant) -> Result<Tabs, PageError> {
        let network = if settings.offline { Network::Offline } else { Network::Online };
        let unkept = |error: &dyn fmt::Display| PageError::Protocol(format!("downloads can't be kept: {error}"));
        let folder = Folder::new(context.temporary_folder()).map_err(|error| unkept(&error))?;
        context.keep_downloads(folder.path(), deadline).await.map_err(|error| unkept(&error))?;
        let of_context = OfContext { dialogs: Dialogs::default(), traffic: Arc::new(Traffic::new(network, folder)) };
        let page = blank(&context, &settings, &of_context, deadline).await?;
        let first = Tab { id: "t1".to_owned(), name: None, page: page.clone(), opened: 0 };
        let list = Mutex::new(List { tabs: vec![first.clone()], current: first, next: 2 });
        let shared =
            Arc::new(Shared { context: context.clone(), settings, of_context, list, opened: watch::Sender::new(0) });
        tokio::spawn(see_off(Arc::downgrade(&shared), page, "t1".to_owned()));
        let door = tokio::spawn(take_in(Arc::downgrade(&shared), context));
        Ok(Tabs { shared, door })
    }

    /// The tab that steps act on.
    pub fn current(&self) -> Arc<Page> {
        self.shared.list().current.page.clone()
    }

    /// The dialogs of all tabs.
    pub fn dialogs(&self) -> &Dialogs {
        &self.shared.of_context.dialogs
    }

    /// All the pages.
    pub fn pages(&self) -> Vec<Arc<Page>> {
        self.shared.list().tabs.iter().map(|tab| tab.page.clone()).collect()
    }

    /// What the pages of all tabs ask for over the network.
    pub fn traffic(&self) -> &Arc<Traffic> {
        &self.shared.of_context.traffic
    }

    pub(super) fn context(&self) -> &Context {
        &self.shared.context
    }

    /// All tabs in the order they came.
    pub fn list(&self) -> Vec<TabInfo> {
        let list = self.shared.list();
        list.tabs.iter().map(|tab| list.info(tab)).collect()
    }

    /// All tabs in the order they came, with their pages.
    pub fn all(&self) -> Vec<(TabInfo, Arc<Page>)> {
        let list = self.shared.list();
        list.tabs.iter().map(|tab| (list.info(tab), tab.page.clone())).collect()
    }

    /// Refuses a name that a tab has already. One that is closing is given a moment.
    pub async fn want_free(&self, name: &str, deadline: Instant) -> Result<(), PageError> {
        let by = deadline.min(Instant::now() + CLOSING);
        loop {
            let taken = self.shared.list().tabs.iter().find(|tab| tab.name.as_deref() == Some(name)).cloned();
            let Some(tab) = taken else { return Ok(()) };
            if tokio::time::timeout_at(by, tab.page.closed()).await.is_err() {
                let tabs = self.shared.list().lines();
                return Err(PageError::TabNameTaken { name: name.to_owned(), tabs });
            }
            self.shared.remove(&tab.id, deadline).await?;
        }
    }

    /// The page of a tab, by id or name.
    pub fn get(&self, id_or_name: &str) -> Result<Arc<Page>, PageError> {
        self.shared.list().find(id_or_name).map(|tab| tab.page.clone())
    }

    /// Opens a tab and makes it the current one.
    pub async fn open_new(
        &self,
        name: Option<&str>,
        url: Option<&str>,
        deadline: Instant,
    ) -> Result<TabInfo, PageError> {
        let page = self.shared.blank(deadline).await?;
        let tab = self.shared.add(page, name, 0);
        self.shared.list().current = tab.clone();
        if let Some(url) = url {
            tab.page.open(url, Until::Load, deadline).await?;
        }
        Ok(self.shared.list().info(&tab))
    }

    /// Makes a tab the current one, by id or name.
    pub fn select(&self, id_or_name: &str) -> Result<TabInfo, PageError> {
        let mut list = self.shared.list();
        let tab = list.find(id_or_name)?.clone();
        list.current = tab.clone();
        // Only for the eyes of whoever watches: pages believe that they are in front anyway.
        self.shared.context.connection().root().send(&ActivateTarget { target_id: tab.page.target_id() });
        Ok(list.info(&tab))
    }

    /// Closes a tab, by id or name. After the current one the first is current; after the last one there is a new, empty one.
    pub async fn close(&self, id_or_name: &str, deadline: Instant) -> Result<(), PageError> {
        let tab = self.shared.list().find(id_or_name)?.clone();
        let root = self.shared.context.connection().root();
        match root.call(&CloseTarget { target_id: tab.page.target_id() }, deadline).await {
            // It may have closed itself meanwhile.
            Ok(_) | Err(crate::cdp::CallError::Refused { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let stopped = tokio::time::timeout_at(deadline, tab.page.closed()).await;
        if stopped.is_err() {
            return Err(PageError::Protocol(format!("the tab {} did not close", tab.id)));
        }
        self.shared.remove(&tab.id, deadline).await
    }

    /// How many tabs pages have opened so far: to be asked before an act that opens one, for [`Tabs::next_opened`].
    pub fn opened(&self) -> u64 {
        *self.shared.opened.borrow()
    }

    /// Waits for a tab that a page opened since then, and names it. It does not become the current one.
    pub async fn next_opened(&self, since: u64, name: Option<&str>, deadline: Instant) -> Result<TabInfo, PageError> {
        let asked = Instant::now();
        let mut opened = self.shared.opened.subscribe();
        let page = self.current();
        tokio::select! {
            // The sender lives as long as the tabs do.
            _ = opened.wait_for(|count| *count > since) => {}
            () = tokio::time::sleep_until(deadline) => return Err(PageError::NoNewTab { waited: asked.elapsed() }),
            why = page.until_gone() => return Err(why),
        }
        let mut list = self.shared.list();
        let Some(tab) = list.tabs.iter_mut().find(|tab| tab.opened > since) else {
            // It opened and closed by itself.
            return Err(PageError::Closed);
        };
        if let Some(name) = name {
            tab.name = Some(name.to_owned());
        }
        let tab = tab.clone();
        Ok(list.info(&tab))
    }
}

impl Drop for Tabs {
    fn drop(&mut self) {
        self.door.abort();
    }
}

impl Shared {
    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn blank(&self, deadline: Instant) -> Result<Arc<Page>, PageError> {
        blank(&self.context, &self.settings, &self.of_context, deadline).await
    }

    fn add(self: &Arc<Self>, page: Arc<Page>, name: Option<&str>, opened: u64) -> Tab {
        let mut list = self.list();
        let id = format!("t{}", list.next);
        list.next += 1;
        let tab = Tab { id, name: name.map(str::to_owned), page, opened };
        list.tabs.push(tab.clone());
        drop(list);
        // Pages may close themselves.
        tokio::spawn(see_off(Arc::downgrade(self), tab.page.clone(), tab.id.clone()));
        tab
    }

    /// Takes a closed tab off the list.
    async fn remove(self: &Arc<Self>, id: &str, deadline: Instant) -> Result<(), PageError> {
        let last = {
            let mut list = self.list();
            if list.tabs.iter().all(|tab| tab.id != id) {
                return Ok(());
            }
            if list.tabs.len() > 1 {
                list.drop_tab(id);
                false
            } else {
                true
            }
        };
        if last {
            let page = self.blank(deadline).await?;
            let mut list = self.list();
            // Whoever comes second finds it gone.
            if list.tabs.iter().any(|tab| tab.id == id) {
                drop(list);
                self.add(page, None, 0);
                list = self.list();
                list.drop_tab(id);
            }
        }
        Ok(())
    }
}

impl List {
    fn find(&self, id_or_name: &str) -> Result<&Tab, PageError> {
        let by_id = self.tabs.iter().find(|tab| tab.id == id_or_name);
        // The newest of a name, since names are given anew.
        let by_name = || self.tabs.iter().rev().find(|tab| tab.name.as_deref() == Some(id_or_name));
        by_id.or_else(by_name).ok_or_else(|| PageError::NoTab { tab: id_or_name.to_owned(), tabs: self.lines() })
    }

    /// The tabs as they are listed.
    fn lines(&self) -> Vec<String> {
        self.tabs.iter().map(|tab| self.info(tab).to_string()).collect()
    }

    fn info(&self, tab: &Tab) -> TabInfo {
        let origin = origin(&tab.page.url());
        TabInfo { id: tab.id.clone(), name: tab.name.clone(), origin, current: tab.id == self.current.id }
    }

    fn drop_tab(&mut self, id: &str) {
        self.tabs.retain(|tab| tab.id != id);
        if self.current.id == id
            && let Some(first) = self.tabs.first()
        {
            self.current = first.clone();
        }
    }
}

async fn blank(
    context: &Context,
    settings: &PageSettings,
    of_context: &OfContext,
    deadline: Instant,
) -> Result<Arc<Page>, PageError> {
    let target = context.new_target("about:blank", deadline).await;
    let target = target.map_err(|error| PageError::Protocol(format!("could not open a tab: {error}")))?;
    Ok(Arc::new(Page::attach(target, settings.clone(), of_context.clone(), deadline).await?))
}

/// Adds what pages open, until the tabs or the context go.
async fn take_in(shared: Weak<Shared>, context: Context) {
    while let Some(target) = context.next_target().await {
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let deadline = Instant::now() + SETUP;
        match Page::attach(target, shared.settings.clone(), shared.of_context.clone(), deadline).await {
            Ok(page) => {
                // The first look at it waits until its page is there.
                drop(page.begin_act());
                let count = *shared.opened.borrow() + 1;
                shared.add(Arc::new(page), None, count);
                shared.opened.send_replace(count);
            }
            // It closed itself at once.
            Err(error) => {
                tracing::debug!(target: "playscript::page", "a pop-up could not be set up: {error}");
            }
        }
    }
}

/// Takes a tab off the list when it closes by itself.
async fn see_off(shared: Weak<Shared>, page: Arc<Page>, id: String) {
    page.closed().await;
    let Some(shared) = shared.upgrade() else {
        return;
    };
    if let Err(error) = shared.remove(&id, Instant::now() + SETUP).await {
        tracing::debug!(target: "playscript::page", "no new tab after the last one: {error}");
    }
}

/// The origin of an address; only its scheme where the origin is opaque.
fn origin(url: &str) -> String {
    match Url::parse(url) {
        Ok(url) if url.origin().is_tuple() => url.origin().ascii_serialization(),
        Ok(url) => format!("{}:", url.scheme()),
        Err(_) => "(unknown)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::origin;

    #[test]
    fn origins_say_no_more_than_they_must() {
        assert_eq!(origin("http://127.0.0.1:8080/a?b#c"), "http://127.0.0.1:8080");
        assert_eq!(origin("https://ada:pw@example.com/"), "https://example.com");
        assert_eq!(origin("about:blank"), "about:");
        assert_eq!(origin("data:text/html,hi"), "data:");
        assert_eq!(origin("file:///etc/hosts"), "file:");
        assert_eq!(origin(""), "(unknown)");
    }
}
