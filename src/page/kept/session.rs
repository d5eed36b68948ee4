//! Session storage, which belongs to a tab and can only be reached from a page of its origin: each waits for the first document of its
//! origin in the tab. What pages change after that is theirs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::origins::KeptOrigin;
use crate::cdp::page::{
    AddPassingScript, AddScriptToEvaluateOnNewDocument, RemoveScriptToEvaluateOnNewDocument, ScriptAdded,
};
use crate::cdp::{Pending, Session};
use crate::page::core::Core;
use crate::page::{Page, PageError, inject};

/// What a document calls the binding with when it has filled its storage, before a number.
const FILLED: &str = "filled ";
/// How long a frame of another process may take to take a script. Nothing waits for it.
const FRAME: Duration = Duration::from_secs(30);

/// What is to be put into the session storage of a tab's origins.
#[derive(Default)]
pub(in crate::page) struct Fillings(Mutex<Vec<Filling>>);

struct Filling {
    script: String,
    done: bool,
    /// The script in the sessions that have it.
    added: Vec<(Session, String)>,
}

impl Fillings {
    fn all(&self) -> MutexGuard<'_, Vec<Filling>> {
        // Nothing panics while it holds the lock; were it so, the list is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes up one more; gives its number.
    fn begin(&self, kept: &KeptOrigin) -> usize {
        let mut all = self.all();
        let number = all.len();
        all.push(Filling { script: script(number, kept), done: false, added: Vec::new() });
        number
    }

    /// Gives a session the script of a filling that is still to be done.
    fn submit(&self, number: usize, session: &Session) -> Option<Pending<ScriptAdded>> {
        let all = self.all();
        let filling = all.get(number).filter(|filling| !filling.done)?;
        Some(session.submit(&AddPassingScript(AddScriptToEvaluateOnNewDocument {
            source: &filling.script,
            world_name: Some(inject::WORLD),
            run_immediately: true,
        })))
    }

    /// A session has the script.
    fn added(&self, number: usize, session: &Session, identifier: String) {
        let mut all = self.all();
        let Some(filling) = all.get_mut(number) else { return };
        if filling.done {
            session.send(&RemoveScriptToEvaluateOnNewDocument { identifier: &identifier });
        } else {
            filling.added.push((session.clone(), identifier));
        }
    }

    /// Whether a document says that it has filled its storage; no other does so any more then.
    pub(in crate::page) fn heard(&self, payload: &str) -> bool {
        let Some(number) = payload.strip_prefix(FILLED).and_then(|number| number.parse::<usize>().ok()) else {
            return false;
        };
        if let Some(filling) = self.all().get_mut(number) {
            filling.done = true;
            filling.script.clear();
            for (session, identifier) in filling.added.drain(..) {
                session.send(&RemoveScriptToEvaluateOnNewDocument { identifier: &identifier });
            }
        }
        true
    }

    fn standing(&self) -> Vec<usize> {
        let all = self.all();
        all.iter().enumerate().filter(|(_, filling)| !filling.done).map(|(number, _)| number).collect()
    }
}

/// Puts items into the session storage of their origins: where one is open at once, else when it is opened.
pub(super) async fn fill(page: &Page, origins: &[KeptOrigin], deadline: Instant) -> Result<(), PageError> {
    let core = page.core();
    for kept in origins.iter().filter(|kept| !kept.session_storage.is_empty()) {
        let number = core.fillings.begin(kept);
        let mut sessions = vec![core.session.clone()];
        for frame in core.state().frames.iter() {
            if !sessions.iter().any(|known| known.id() == frame.session.id()) {
                sessions.push(frame.session.clone());
            }
        }
        for session in sessions {
            let Some(answer) = core.fillings.submit(number, &session) else { break };
            match core.answer(answer.await_by(deadline)).await {
                Ok(added) => core.fillings.added(number, &session, added.identifier),
                // A frame may go at any time.
                Err(error) if error.is_passing() && session.id() != core.session.id() => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

/// Gives a session that has just begun what is still to be filled, before its pages run.
pub(in crate::page) fn join(core: &Arc<Core>, session: &Session) {
    for number in core.fillings.standing() {
        let Some(answer) = core.fillings.submit(number, session) else { continue };
        let (core, session) = (core.clone(), session.clone());
        tokio::spawn(async move {
            // A frame that has gone needs nothing.
            if let Ok(added) = answer.await_by(Instant::now() + FRAME).await {
                core.fillings.added(number, &session, added.identifier);
            }
        });
    }
}

/// Fills the storage of a document that is of the origin, and tells of it.
fn script(number: usize, kept: &KeptOrigin) -> String {
    let (binding, items) = (inject::BINDING, serde_json::json!(kept.session_storage));
    let (origin, top) = (serde_json::json!(kept.origin), serde_json::json!(kept.top()));
    format!(
        "(() => {{
            const above = location.ancestorOrigins;
            if (window.origin !== {origin} || (above.length ? above[above.length - 1] : window.origin) !== {top}) return;
            try {{ for (const {{ name, value }} of {items}) sessionStorage.setItem(name, value); }} catch {{ return; }}
            {binding}('{FILLED}{number}');
        }})()"
    )
}
