//! Workers: only their requests are of interest here.

use std::sync::Arc;

use super::traffic::Traffic;
use crate::cdp::target::{AttachedToTarget, FilterEntry, RunIfWaitingForDebugger, SetAutoAttach};
use crate::cdp::{Events, Session, network};
use crate::page::setup::BODY;

/// Workers of pages and of workers.
const WORKERS: &[FilterEntry<'_>] = &[FilterEntry { kind: Some("worker"), exclude: false }];

/// Sets up a worker, which stands still until then, and follows its requests until it ends.
pub(in crate::page) async fn watch(traffic: Arc<Traffic>, session: Session, mut events: Events) {
    let enable = network::Enable { max_total_buffer_size: 0, max_resource_buffer_size: 0, max_post_data_size: BODY };
    session.send(&enable);
    drop(traffic.join(&session));
    session.send(&SetAutoAttach {
        auto_attach: true,
        wait_for_debugger_on_start: true,
        flatten: true,
        filter: WORKERS,
    });
    session.send(&RunIfWaitingForDebugger {});
    while let Some(event) = events.next().await {
        let heard = if event.method == "Target.attachedToTarget" {
            event.read::<AttachedToTarget>().map(|attached| {
                let child = session.connection().session(&attached.session_id);
                let events = child.events();
                // Boxed because workers have workers.
                tokio::spawn(boxed(traffic.clone(), child, events));
            })
        } else {
            traffic.hear(&session, &event)
        };
        if let Err(error) = heard {
            tracing::debug!(target: "playscript::page", "cannot read {}: {error}", event.method);
        }
    }
}

fn boxed(
    traffic: Arc<Traffic>,
    session: Session,
    events: Events,
) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(watch(traffic, session, events))
}
