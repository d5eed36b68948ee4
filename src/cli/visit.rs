//! One page of one browser, opened to be looked at once: what `read` and `look` share.

use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::time::Instant;

use crate::browser::Browser;
use crate::page::{Page, PageError, PageSettings, Tabs, Until};
use crate::scenario::{Diagnostic, Place, Problems, Source, Target, read_yaml};
use crate::site::{Site, SiteSpec};

use super::address::{Address, address};
use super::browser_flags::BrowserFlags;
use super::failure::Failure;
use super::outcome::Outcome;
use super::page_flags::{PageFlags, Wait};
use super::{install, say, signals};

/// How long a browser may take to start: far longer than any that ever does.
pub(super) const LAUNCH_TIMEOUT: Duration = Duration::from_secs(30);
/// How long tidying up may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The runtime of a command.
pub(super) fn runtime() -> Result<Runtime, Failure> {
    Runtime::new().map_err(|error| {
        Failure::world(
            Diagnostic::new("no threads can be started")
                .detail("the system says", error.to_string())
                .next("raise the limit of processes and open files, or end some programs"),
        )
    })
}

/// Opens the page and does something with it, then ends the browser and all that was started, however it went.
pub(super) fn visit<T>(
    page: &PageFlags,
    flags: &BrowserFlags,
    act: impl AsyncFnOnce(&Page, Instant) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let address = address(&page.url)?;
    if flags.install_browser {
        install::install_if_missing(&flags.launch_options())?;
    }
    runtime()?.block_on(async {
        let mut stop = signals::stop();
        let interrupted = async move {
            // Without signals nothing ever stops it.
            if stop.wait_for(|stop| *stop).await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let (site, url) = serve(address).await?;
        let deadline = Instant::now() + page.timeout;
        let options = flags.launch_options();
        let launched = Browser::launch(&options, deadline.min(Instant::now() + LAUNCH_TIMEOUT));
        tokio::pin!(interrupted);
        let browser = tokio::select! {
            browser = launched => browser?,
            () = &mut interrupted => return Err(Failure { outcome: Outcome::Interrupted, diagnostics: Vec::new() }),
        };
        say::notices(browser.notices());
        let done = tokio::select! {
            done = open(&browser, page, &url, deadline, act) => done,
            () = &mut interrupted => Err(Failure { outcome: Outcome::Interrupted, diagnostics: Vec::new() }),
        };
        browser.close().await;
        if let Some(site) = site {
            site.close(Instant::now() + CLOSE_TIMEOUT).await;
        }
        done
    })
}

/// A file is served from its folder, so that its links work and scripts may load what they need.
async fn serve(address: Address) -> Result<(Option<Site>, String), Failure> {
    let (folder, path) = match address {
        Address::Url(url) => return Ok((None, url)),
        Address::File { folder, path } => (folder, path),
    };
    let spec = SiteSpec { folder: Some(folder.clone()), ..SiteSpec::default() };
    let site = Site::start(spec).await.map_err(|error| {
        Failure::world(
            Diagnostic::new(format!("the folder {} can't be served", folder.display()))
                .detail("the system says", error.to_string()),
        )
    })?;
    let url = format!("{}{path}", site.base());
    Ok((Some(site), url))
}

async fn open<T>(
    browser: &Browser,
    flags: &PageFlags,
    url: &str,
    deadline: Instant,
    act: impl AsyncFnOnce(&Page, Instant) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let settings =
        PageSettings { width: flags.viewport.width, height: flags.viewport.height, ..PageSettings::default() };
    let context = browser.new_context(deadline).await?;
    let tabs = Tabs::new(context, settings, deadline).await.map_err(page_failure)?;
    let page = tabs.current();
    let until = match flags.wait {
        Wait::Commit => Until::Commit,
        Wait::Load => Until::Load,
        Wait::Idle => Until::Idle,
    };
    page.open(url, until, deadline).await.map_err(page_failure)?;
    act(&page, deadline).await
}

/// A page that could not do what it was asked. Whether the user or the world is wrong depends on what it was.
pub(super) fn page_failure(error: PageError) -> Failure {
    let mut diagnostic = Diagnostic::from_lines(&error.to_string());
    for (title, text) in error.details() {
        diagnostic = diagnostic.detail(title, text);
    }
    diagnostic.next = diagnostic.next.or(error.next());
    let next = match error {
        PageError::NotFound { .. } => Some("name it as `playscript read` prints it"),
        PageError::Slow { .. } | PageError::Busy { .. } => Some("give it more time with `--timeout`"),
        _ => None,
    };
    diagnostic.next = diagnostic.next.or(next.map(str::to_owned));
    match error {
        PageError::NotFound { .. } | PageError::Ambiguous { .. } | PageError::BadAddress { .. } => {
            Failure::wrong(diagnostic)
        }
        _ => Failure::world(diagnostic),
    }
}

/// The target that a flag names: in any form that a scenario may have it in.
pub(super) fn target(flag: &str, text: &str) -> Result<Target, Failure> {
    if text.trim_start().starts_with('{') {
        let mut problems = Problems::default();
        let node = read_yaml(&Source::new(flag, text), &mut problems);
        let target = node.and_then(|node| Target::from_node(&node, &mut problems));
        return target.ok_or_else(|| Failure { outcome: Outcome::Wrong, diagnostics: problems.into_vec() });
    }
    Target::parse(text).map_err(|error| {
        let mut diagnostic = Diagnostic::new(format!("`{flag}` is no target"))
            .at(Place::new(&Source::new(flag, text), error.range))
            .label(error.message);
        diagnostic.next =
            Some(error.next.unwrap_or_else(|| "write it as the outline does: button \"Save\"".to_owned()));
        Failure::wrong(diagnostic)
    })
}
