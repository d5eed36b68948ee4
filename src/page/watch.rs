//! The watcher: turns the events of a tab's sessions into its state.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::console::{ConsoleEntry, Level};
use super::core::Core;
use super::dialogs::Answer;
use super::error::PageError;
use super::net::watch_worker;
use super::state::State;
use super::{inject, setup};
use crate::cdp::target::{AttachedToTarget, DetachedFromTarget};
use crate::cdp::{Event, Events, Session, log, network, page as protocol, runtime};

/// How long a frame of another process may take to say what it shows. Nothing waits for it.
const FRAME_SETUP: Duration = Duration::from_secs(30);

/// What a frame calls the binding with to say that everything before it was told.
pub(super) const CAUGHT_UP: &str = "caught up";

/// What an observer calls it with when something begins to scroll, and when nothing does any more.
const SCROLLS: &str = "scrolls";
const SCROLLED: &str = "scrolled";

/// How many dialogs and downloads of a page are remembered.
const REMEMBERED: usize = 1_000;

/// Follows one session, the tab's own or that of a frame of another process, until it ends.
pub(super) async fn watch(core: Arc<Core>, session: Session, mut events: Events) {
    while let Some(event) = events.next().await {
        match handle(&core, &session, &event) {
            // What this build of the browser writes otherwise than expected is left out; the rest still counts.
            Err(error) => {
                tracing::debug!(target: "playscript::page", "cannot read {}: {error}", event.method);
            }
            Ok(Effect::Silent) => {}
            Ok(Effect::Told) => core.tell(),
            Ok(Effect::Changed) => {
                core.state().changes += 1;
                core.tell();
            }
        }
    }
    if session.id() == core.session.id() {
        let connection = session.connection();
        // The words are there already.
        core.stop(if connection.is_closed() { connection.gone().await.into() } else { PageError::Closed });
    }
}

/// What an event means to those who wait.
enum Effect {
    /// Nothing.
    Silent,
    /// The state changed.
    Told,
    /// What a look sees may have changed too.
    Changed,
}

fn handle(core: &Arc<Core>, session: &Session, event: &Event) -> Result<Effect, serde_json::Error> {
    let domain = event.method.split('.').next().unwrap_or_default();
    if matches!(domain, "Network" | "Fetch") || event.method.starts_with("Page.download") {
        core.traffic.hear(session, event)?;
    }
    match domain {
        "Network" => on_network(core, event),
        "Runtime" => on_runtime(core, session, event),
        "Page" => on_page(core, session, event),
        _ => on_rest(core, session, event),
    }
}

fn on_network(core: &Core, event: &Event) -> Result<Effect, serde_json::Error> {
    let mut state = core.state();
    Ok(match &*event.method {
        "Network.requestWillBeSent" => {
            state.requests.begin(&event.read()?);
            Effect::Silent
        }
        "Network.responseReceived" => {
            state.requests.responded(&event.read()?);
            Effect::Silent
        }
        "Network.loadingFinished" | "Network.loadingFailed" => {
            let ended: network::LoadingEnded<'_> = event.read()?;
            if state.requests.end(&ended.request_id) { Effect::Told } else { Effect::Silent }
        }
        _ => Effect::Silent,
    })
}

fn on_runtime(core: &Core, session: &Session, event: &Event) -> Result<Effect, serde_json::Error> {
    let mut state = core.state();
    Ok(match &*event.method {
        "Runtime.executionContextCreated" => {
            let created: runtime::ExecutionContextCreated = event.read()?;
            let Some(owner) = created.context.aux_data else {
                return Ok(Effect::Silent);
            };
            let Some(frame) = owner.frame_id else {
                return Ok(Effect::Silent);
            };
            let frame = state.frames.attach(&frame, None, session);
            if frame.session.id() != session.id() {
                return Ok(Effect::Silent);
            }
            if owner.is_default {
                frame.main_world = Some(created.context.id);
            } else if created.context.name == inject::WORLD {
                frame.world = Some(created.context.id);
                frame.armed = false;
            }
            Effect::Changed
        }
        "Runtime.executionContextDestroyed" => {
            let id = event.read::<runtime::ExecutionContextDestroyed>()?.execution_context_id;
            for frame in state.frames.iter_mut().filter(|frame| frame.session.id() == session.id()) {
                if frame.world == Some(id) {
                    frame.world = None;
                }
                if frame.main_world == Some(id) {
                    frame.main_world = None;
                }
            }
            Effect::Told
        }
        "Runtime.executionContextsCleared" => {
            for frame in state.frames.iter_mut().filter(|frame| frame.session.id() == session.id()) {
                frame.world = None;
                frame.main_world = None;
                frame.armed = false;
            }
            Effect::Told
        }
        "Runtime.bindingCalled" => {
            let called: runtime::BindingCalled<'_> = event.read()?;
            if called.name != inject::BINDING {
                return Ok(Effect::Silent);
            }
            if called.payload == CAUGHT_UP {
                state.caught_up += 1;
                return Ok(Effect::Told);
            }
            if core.fillings.heard(&called.payload) {
                return Ok(Effect::Silent);
            }
            let world = Some(called.execution_context_id);
            let mut frames = state.frames.iter_mut();
            let frame = frames.find(|frame| frame.session.id() == session.id() && frame.world == world);
            let scrolling = called.payload == SCROLLS;
            if scrolling || called.payload == SCROLLED {
                if let Some(frame) = frame {
                    frame.scrolling = scrolling;
                }
                return Ok(Effect::Told);
            }
            if let Some(frame) = frame {
                frame.armed = false;
            }
            Effect::Changed
        }
        "Runtime.consoleAPICalled" => {
            let Some(entry) = ConsoleEntry::from_call(&event.read()?) else {
                return Ok(Effect::Silent);
            };
            log_entry(core, &mut state, entry);
            Effect::Told
        }
        "Runtime.exceptionThrown" => {
            let thrown: runtime::ExceptionThrown = event.read()?;
            log_entry(core, &mut state, ConsoleEntry::from_exception(&thrown.exception_details));
            Effect::Told
        }
        _ => Effect::Silent,
    })
}

/// What a page says is its own, but its errors concern the whole context.
fn log_entry(core: &Core, state: &mut State, entry: ConsoleEntry) {
    if entry.level == Level::Error {
        core.traffic.erred(entry.clone());
    }
    state.console.push(entry);
}

fn on_page(core: &Core, session: &Session, event: &Event) -> Result<Effect, serde_json::Error> {
    let mut state = core.state();
    Ok(match &*event.method {
        "Page.frameAttached" => {
            let attached: protocol::FrameAttached = event.read()?;
            let frame = state.frames.attach(&attached.frame_id, Some(&attached.parent_frame_id), session);
            frame.parent = Some(attached.parent_frame_id);
            Effect::Changed
        }
        "Page.frameNavigated" => {
            let navigated: protocol::FrameNavigated = event.read()?;
            state.frames.navigate(&navigated.frame, session);
            // A document from the back/forward store is complete and tells nothing of its load.
            if navigated.kind == "BackForwardCacheRestore" {
                state.frames.complete(&navigated.frame.id);
            }
            if navigated.frame.id == state.frames.main_id() {
                state.committed(&navigated.frame.loader_id);
                drop(state);
                core.revive();
            }
            Effect::Changed
        }
        "Page.frameDetached" => {
            let detached: protocol::FrameDetached<'_> = event.read()?;
            // A swap only hands the frame to another process.
            if detached.reason == "swap" {
                return Ok(Effect::Silent);
            }
            state.frames.detach(&detached.frame_id);
            Effect::Changed
        }
        "Page.frameStartedNavigating" => {
            let started: protocol::FrameStartedNavigating<'_> = event.read()?;
            if started.navigation_type.contains("ameDocument") {
                return Ok(Effect::Silent);
            }
            if let Some(frame) = state.frames.get_mut(&started.frame_id) {
                frame.loading = true;
                frame.navigating = true;
                frame.destination = started.url.into_owned();
                frame.requested = false;
            }
            Effect::Told
        }
        "Page.frameRequestedNavigation" => {
            let requested: protocol::OfFrame<'_> = event.read()?;
            if let Some(frame) = state.frames.get_mut(&requested.frame_id) {
                frame.requested = true;
            }
            Effect::Silent
        }
        "Page.frameStartedLoading" | "Page.frameStoppedLoading" => {
            let of: protocol::OfFrame<'_> = event.read()?;
            if let Some(frame) = state.frames.get_mut(&of.frame_id) {
                frame.loading = event.method == "Page.frameStartedLoading";
                frame.navigating &= frame.loading;
                frame.requested = false;
            }
            Effect::Told
        }
        "Page.navigatedWithinDocument" => {
            let navigated: protocol::NavigatedWithinDocument = event.read()?;
            if navigated.frame_id == state.frames.main_id() {
                state.moves_within += 1;
            }
            if let Some(frame) = state.frames.get_mut(&navigated.frame_id) {
                frame.url = navigated.url;
                frame.requested = false;
            }
            Effect::Changed
        }
        "Page.lifecycleEvent" => {
            let reached: protocol::LifecycleEvent<'_> = event.read()?;
            let Some(frame) = state.frames.get_mut(&reached.frame_id) else {
                return Ok(Effect::Silent);
            };
            if frame.loader != reached.loader_id {
                return Ok(Effect::Silent);
            }
            match &*reached.name {
                "DOMContentLoaded" => frame.content_loaded = true,
                "load" => frame.loaded = true,
                "networkIdle" => {
                    frame.idle = true;
                    return Ok(Effect::Told);
                }
                _ => return Ok(Effect::Silent),
            }
            Effect::Changed
        }
        "Page.javascriptDialogOpening" => {
            let dialog = core.dialogs.open(session, event.read()?);
            if dialog.kind == "beforeunload" && dialog.answer == Answer::Dismissed {
                // The document stays, and what was on its way is given up without another word.
                state.stays += 1;
                for frame in state.frames.iter_mut() {
                    (frame.requested, frame.navigating) = (false, false);
                }
            }
            // A page that asks without end is answered without end, and remembered in part.
            if state.dialogs.len() < REMEMBERED {
                state.dialogs.push(dialog);
            }
            Effect::Changed
        }
        "Page.fileChooserOpened" => {
            state.choosers.push(event.read()?);
            Effect::Told
        }
        "Page.downloadWillBegin" => {
            let began: protocol::DownloadWillBegin = event.read()?;
            // Only the next one is ever asked for.
            if state.downloads.len() == REMEMBERED {
                state.downloads.clear();
            }
            state.downloads.push(began.suggested_filename);
            Effect::Told
        }
        _ => Effect::Silent,
    })
}

fn on_rest(core: &Arc<Core>, session: &Session, event: &Event) -> Result<Effect, serde_json::Error> {
    Ok(match &*event.method {
        "Log.entryAdded" => {
            let added: log::EntryAdded<'_> = event.read()?;
            log_entry(core, &mut core.state(), ConsoleEntry::from_log(added.entry));
            Effect::Told
        }
        "Inspector.targetCrashed" => {
            if session.id() == core.session.id() {
                core.stop(PageError::Crashed);
            } else {
                let mut state = core.state();
                for frame in state.frames.iter_mut().filter(|frame| frame.session.id() == session.id()) {
                    frame.crashed = true;
                }
            }
            Effect::Changed
        }
        "Target.attachedToTarget" => {
            let attached: AttachedToTarget = event.read()?;
            let child = session.connection().session(&attached.session_id);
            let events = child.events();
            if attached.target_info.kind == "worker" {
                tokio::spawn(watch_worker(core.traffic.clone(), child, events));
                return Ok(Effect::Silent);
            }
            {
                let mut state = core.state();
                let frame = state.frames.attach(&attached.target_info.target_id, None, &child);
                frame.session = child.clone();
                frame.world = None;
                frame.main_world = None;
                frame.armed = false;
            }
            tokio::spawn(watch(core.clone(), child.clone(), events));
            tokio::spawn(setup::frame(core.clone(), child, Instant::now() + FRAME_SETUP));
            Effect::Changed
        }
        "Target.detachedFromTarget" => {
            let detached: DetachedFromTarget = event.read()?;
            let mut state = core.state();
            let gone: Vec<String> = state
                .frames
                .iter()
                .filter(|frame| frame.session.id() == detached.session_id)
                .map(|frame| frame.id.clone())
                .collect();
            for id in gone {
                let Some(frame) = state.frames.get(&id) else {
                    continue;
                };
                let parent = frame
                    .parent
                    .as_deref()
                    .and_then(|parent| state.frames.get(parent))
                    .map(|parent| parent.session.clone());
                match (parent, state.frames.get_mut(&id)) {
                    // Its next document, of the parent's own process, may be told already or come soon; a frame that was removed is
                    // told of by the parent.
                    (Some(parent), Some(frame)) => {
                        frame.session = parent;
                        frame.world = None;
                        frame.main_world = None;
                    }
                    _ => state.frames.detach(&id),
                }
            }
            Effect::Changed
        }
        _ => Effect::Silent,
    })
}
