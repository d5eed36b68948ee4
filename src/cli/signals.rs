//! Ctrl-C and its kin: the first stops the run cleanly, the second at once.

use std::io::IsTerminal;

use tokio::sync::watch;

use super::outcome::Outcome;
use super::say;

/// Turns true when the user wants the run to stop. Needs a runtime. A second signal ends the program at once.
pub(super) fn stop() -> watch::Receiver<bool> {
    let (sender, receiver) = watch::channel(false);
    tokio::spawn(async move {
        let Some(mut signals) = Signals::new() else { return };
        if !signals.next().await {
            return;
        }
        // Nobody listens any more when the run has ended by itself.
        let _ = sender.send(true);
        if signals.next().await {
            // What moved at the bottom of the screen stays there; the shell's prompt goes below it.
            if std::io::stderr().is_terminal() {
                say::note("");
            }
            std::process::exit(i32::from(Outcome::Interrupted.code()));
        }
    });
    receiver
}

#[cfg(unix)]
struct Signals([tokio::signal::unix::Signal; 3]);

#[cfg(unix)]
impl Signals {
    /// `None` where the system gives none away; the program then ends as any other does.
    fn new() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let on = |kind| signal(kind).ok();
        Some(Self([on(SignalKind::interrupt())?, on(SignalKind::terminate())?, on(SignalKind::hangup())?]))
    }

    /// False when no more can come.
    async fn next(&mut self) -> bool {
        let [interrupt, terminate, hangup] = &mut self.0;
        let got = tokio::select! {
            got = interrupt.recv() => got,
            got = terminate.recv() => got,
            got = hangup.recv() => got,
        };
        got.is_some()
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> Option<Self> {
        Some(Self)
    }

    async fn next(&mut self) -> bool {
        tokio::signal::ctrl_c().await.is_ok()
    }
}
