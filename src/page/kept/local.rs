//! Local storage, filled in a tab that nobody sees: every request of it is answered here, so that no server hears of it and no page of the
//! origin runs.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;
use tokio::time::Instant;

use super::origins::{KeptItem, KeptOrigin};
use crate::browser::{Context, Target};
use crate::cdp::target::CloseTarget;
use crate::cdp::{Events, fetch, page as protocol};
use crate::page::PageError;
use crate::page::net::origin_of;

/// Puts items into the local storage of their origins.
pub(super) async fn fill(context: &Context, origins: &[KeptOrigin], deadline: Instant) -> Result<(), PageError> {
    let origins: Vec<&KeptOrigin> = origins.iter().filter(|origin| !origin.local_storage.is_empty()).collect();
    let mut tops: Vec<&str> = origins.iter().map(|origin| origin.top()).collect();
    tops.sort_unstable();
    tops.dedup();
    if tops.is_empty() {
        return Ok(());
    }
    let unopened = |error| PageError::Protocol(format!("could not open a tab: {error}"));
    let target = context.new_target("about:blank", deadline).await.map_err(unopened)?;
    let tab = Tab { context, target };
    tab.target.resume();
    let mut events = tab.target.session.events();
    tab.target.session.call(&fetch::Enable { handle_auth_requests: false }, deadline).await?;
    for top in tops {
        let within: Vec<&KeptOrigin> = origins.iter().copied().filter(|origin| origin.top() == top).collect();
        let said = tokio::select! {
            biased;
            said = tab.answer(&mut events, top, &within) => said.ok_or(PageError::Closed)?,
            why = tab.go(top, deadline) => return Err(why),
        };
        if said != FILLED {
            return Err(refused(top, &said));
        }
    }
    Ok(())
}

fn refused(origin: &str, why: &str) -> PageError {
    let message = format!("the browser does not keep what belongs to {origin}: {why}");
    PageError::Act { message, details: Vec::new() }
}

/// Closed when it is dropped.
struct Tab<'c> {
    context: &'c Context,
    target: Target,
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        self.context.connection().root().send(&CloseTarget { target_id: &self.target.id });
    }
}

impl Tab<'_> {
    /// Goes to an origin; gives only why it did not come in time.
    async fn go(&self, origin: &str, deadline: Instant) -> PageError {
        let asked = Instant::now();
        match self.target.session.call(&protocol::Navigate { url: &format!("{origin}/") }, deadline).await {
            Ok(protocol::Navigated { error_text: Some(error), .. }) => return refused(origin, &error),
            // The page has come, or is about to; it tells by itself.
            Ok(_) => tokio::time::sleep_until(deadline).await,
            Err(error) => return error.into(),
        }
        PageError::Busy { waited: asked.elapsed(), to: Some(origin.to_owned()) }
    }

    /// Answers every request with the page of its origin, until one tells how it went. `None` when the tab has gone.
    async fn answer(&self, events: &mut Events, top: &str, within: &[&KeptOrigin]) -> Option<String> {
        loop {
            let event = events.next().await?;
            if event.method != "Fetch.requestPaused" {
                continue;
            }
            // A request that can't be read could not be answered either.
            let Ok(paused) = event.read::<fetch::RequestPaused<'_>>() else { continue };
            let of = origin_of(&paused.request.url).unwrap_or_default();
            if of == top
                && let Some(said) = said(&paused.request.url)
            {
                return Some(said);
            }
            let html = if of == top { page(top, within) } else { frame(&of, within) };
            let (name, value) = (Cow::Borrowed("Content-Type"), Cow::Borrowed("text/html; charset=utf-8"));
            self.target.session.send(&fetch::FulfillRequest {
                request_id: &paused.request_id,
                response_code: 200,
                response_headers: &[fetch::Header { name, value }],
                body: &STANDARD.encode(html),
            });
        }
    }
}

/// What a page tells with the address of a request.
fn said(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    url.query_pairs().find(|(name, _)| name == "said").map(|(_, said)| said.into_owned())
}

/// What a page says that has filled its storage.
const FILLED: &str = "filled";

/// Fills a storage, and gives [`FILLED`] or why not.
const FILL: &str = "const fill = (items) => {
    try { for (const { name, value } of items) localStorage.setItem(name, value); return 'filled'; } catch (error) { return String(error); }
};";

/// The page of an origin: fills its own storage, and that of the frames of others in it.
fn page(top: &str, within: &[&KeptOrigin]) -> String {
    let own: Vec<&KeptItem> =
        within.iter().filter(|origin| origin.within.is_none()).flat_map(|origin| &origin.local_storage).collect();
    let others: Vec<&str> =
        within.iter().filter(|origin| origin.origin != top).map(|origin| origin.origin.as_str()).collect();
    format!(
        "<!doctype html><script>{FILL}
        const inner = (origin) => new Promise((resolve) => {{
            const frame = document.createElement('iframe');
            addEventListener('message', (event) => {{ if (event.source === frame.contentWindow) resolve(event.data); }});
            frame.src = origin + '/';
            document.documentElement.append(frame);
        }});
        (async () => {{
            const all = [fill({}), ...await Promise.all({}.map(inner))];
            fetch('/?said=' + encodeURIComponent(all.find((said) => said !== 'filled') ?? 'filled'));
        }})();</script>",
        in_script(&own),
        in_script(&others),
    )
}

/// The page of a frame of another origin.
fn frame(origin: &str, within: &[&KeptOrigin]) -> String {
    let items: Vec<&KeptItem> =
        within.iter().filter(|kept| kept.origin == origin).flat_map(|kept| &kept.local_storage).collect();
    format!("<!doctype html><script>{FILL} parent.postMessage(fill({}), '*');</script>", in_script(&items))
}

/// JSON that may stand in a script in a page: nothing in it ends the script.
fn in_script(value: &impl serde::Serialize) -> String {
    // Texts can always be written down.
    serde_json::to_value(value).unwrap_or(Json::Null).to_string().replace('<', "\\u003c")
}
