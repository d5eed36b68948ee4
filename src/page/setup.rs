//! What a tab or a frame of another process is told when it is attached to: all commands at once, since their order is kept.

use std::sync::Arc;

use tokio::time::Instant;

use super::core::Core;
use super::error::PageError;
use super::settings::PageSettings;
use super::{inject, kept, kit};
use crate::browser::Target;
use crate::cdp::target::{FilterEntry, SetAutoAttach};
use crate::cdp::{Empty, Pending, Session, emulation, log, network, page as protocol, runtime};

/// So many bytes of a request's body are told with it.
pub(super) const BODY: u32 = 1 << 20;

/// Sets up a tab and lets it run.
pub(super) async fn page(core: &Arc<Core>, target: &Target, deadline: Instant) -> Result<(), PageError> {
    let session = &target.session;
    let settings = &core.settings;
    let mut answers = common(core, session);
    let tree = session.submit(&protocol::GetFrameTree {});
    let metrics = emulation::SetDeviceMetricsOverride {
        width: settings.width,
        height: settings.height,
        device_scale_factor: settings.device_scale,
        mobile: false,
    };
    answers.push(session.submit(&metrics));
    // Tabs work side by side: each believes that it is the one in front.
    answers.push(session.submit(&emulation::SetFocusEmulationEnabled { enabled: true }));
    // Pictures and layouts are the same with a window and without one.
    answers.push(session.submit(&emulation::SetScrollbarsHidden { hidden: true }));
    target.resume();
    // Navigating before `Page.enable` has answered can lose the load event, so all answers are waited for.
    for answer in answers {
        match core.answer(answer.await_by(deadline)).await {
            // A pop-up may be on its way to its page, which cuts off what asks about the empty one.
            Ok(Empty {}) | Err(PageError::Moved { .. }) => {}
            // Pages of one process share their language and time zone, which another tab has set.
            Err(PageError::Protocol(reason)) if reason.contains("already in effect") => {}
            Err(error) => return Err(error),
        }
    }
    match core.answer(tree.await_by(deadline)).await {
        Ok(reply) => core.state().frames.seed(&reply.frame_tree, session),
        Err(PageError::Moved { .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Sets up a frame of another process and lets it run. Nobody waits for it: what is read from it later comes after in order.
pub(super) async fn frame(core: Arc<Core>, session: Session, deadline: Instant) {
    let answers = common(&core, &session);
    let tree = session.submit(&protocol::GetFrameTree {});
    session.send(&crate::cdp::target::RunIfWaitingForDebugger {});
    drop(answers);
    // Without an answer its events tell the same, later.
    if let Ok(reply) = core.answer::<protocol::FrameTreeReply>(async { tree.await_by(deadline).await }).await {
        let mut state = core.state();
        if !session.is_detached() {
            state.frames.seed(&reply.frame_tree, &session);
        }
        drop(state);
        core.tell();
    }
}

fn common(core: &Arc<Core>, session: &Session) -> Vec<Pending<Empty>> {
    let settings = &core.settings;
    let mut answers = vec![
        session.submit(&protocol::Enable {}),
        session.submit(&protocol::SetLifecycleEventsEnabled { enabled: true }),
        session.submit(&runtime::Enable {}),
        session.submit(&runtime::AddBinding { name: inject::BINDING, execution_context_name: inject::WORLD }),
        session.submit(&network::Enable {
            max_total_buffer_size: 0,
            max_resource_buffer_size: 0,
            max_post_data_size: BODY,
        }),
        session.submit(&log::Enable {}),
        session.submit(&crate::cdp::inspector::Enable {}),
        session.submit(&SetAutoAttach {
            auto_attach: true,
            wait_for_debugger_on_start: true,
            flatten: true,
            // Pop-ups are tabs, which the context hands out.
            filter: &[
                FilterEntry { kind: Some("iframe"), exclude: false },
                FilterEntry { kind: Some("worker"), exclude: false },
            ],
        }),
    ];
    answers.extend(core.traffic.join(session));
    // The answer to adding a script is its number, which nobody needs.
    let script = protocol::AddScriptToEvaluateOnNewDocument {
        source: &inject::SCRIPT,
        world_name: Some(inject::WORLD),
        run_immediately: true,
    };
    answers.push(session.submit(&script));
    if let Some(source) = kit::script(settings.seed, settings.clock) {
        let script =
            protocol::AddScriptToEvaluateOnNewDocument { source: &source, world_name: None, run_immediately: true };
        answers.push(session.submit(&script));
    }
    kept::join(core, session);
    answers.extend(surroundings(settings, session));
    answers
}

/// What the page is told of its reader and the device.
fn surroundings(settings: &PageSettings, session: &Session) -> Vec<Pending<Empty>> {
    let mut answers = Vec::new();
    let mut features = Vec::new();
    if settings.reduced_motion {
        features.push(emulation::MediaFeature { name: "prefers-reduced-motion", value: "reduce" });
    }
    if let Some(value) = settings.colour_scheme {
        features.push(emulation::MediaFeature { name: "prefers-color-scheme", value });
    }
    if !features.is_empty() {
        answers.push(session.submit(&emulation::SetEmulatedMedia { features: &features }));
    }
    if let Some(locale) = &settings.locale {
        answers.push(session.submit(&emulation::SetLocaleOverride { locale }));
    }
    if let Some(timezone_id) = &settings.time_zone {
        answers.push(session.submit(&emulation::SetTimezoneOverride { timezone_id }));
    }
    if settings.user_agent.is_some() || settings.locale.is_some() {
        answers.push(session.submit(&emulation::SetUserAgentOverride {
            user_agent: settings.user_agent.as_deref().unwrap_or_default(),
            accept_language: settings.locale.as_deref(),
        }));
    }
    if settings.touch {
        // As many fingers as the screens of phones feel.
        answers.push(session.submit(&emulation::SetTouchEmulationEnabled { enabled: true, max_touch_points: 5 }));
    }
    if let Some((latitude, longitude, accuracy)) = settings.geolocation {
        answers.push(session.submit(&emulation::SetGeolocationOverride { latitude, longitude, accuracy }));
    }
    answers
}
