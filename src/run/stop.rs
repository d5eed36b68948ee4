//! The wish that a run end early: heeded wherever something takes time.

use tokio::sync::watch;

/// Resolves once the run is to stop.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        // The sender is gone, so nobody can ask for a stop any more.
        std::future::pending::<()>().await;
    }
}

/// What the work gives, or `None` when the run is to stop first; the work is dropped where it stands then.
pub(super) async fn unless_stopped<T>(stop: &watch::Receiver<bool>, work: impl Future<Output = T>) -> Option<T> {
    let mut stop = stop.clone();
    tokio::select! {
        biased;
        () = stopped(&mut stop) => None,
        done = work => Some(done),
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test]
    async fn work_ends_when_the_run_is_to_stop_and_not_when_nobody_can_ask_for_it() {
        let (sender, stop) = watch::channel(false);
        assert_eq!(unless_stopped(&stop, ready(1)).await, Some(1));
        let (ended, _) = tokio::join!(unless_stopped(&stop, pending::<()>()), async { sender.send(true) });
        assert_eq!(ended, None);
        assert_eq!(unless_stopped(&stop, ready(1)).await, None);
        let (_, stop) = watch::channel(false);
        assert_eq!(unless_stopped(&stop, tokio::task::yield_now()).await, Some(()));
    }
}
