//! Workers: each takes the next case until none is left, all in one browser, every case in a context of its own.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::join_all;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::time::Instant;

use super::attempts::{After, Attempts, attempts_of};
use super::case::{Performed, Shared, not_performed, perform};
use super::event::{CaseId, Event, RunEnded, RunStarted, Verdict};
use super::plan::{Case, Plan};
use super::queue::Queue;
use super::settings::{RunSettings, Unreferenced};
use super::stop::{stopped, unless_stopped};
use crate::app::Apps;
use crate::browser::{Browser, BrowserError};
use crate::scenario::{Diagnostic, Mask};
use crate::snapshot::{self, Policy, PolicyError, SnapshotError, Store};

/// Why a run could not be done at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No browser could be found or started.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// `INSTA_UPDATE` holds something unknown.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The snapshot folder can't be used.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

/// Performs a plan and tells every fact of it as an [`Event`]; returns once nothing that it started is left.
///
/// # Errors
/// When no browser can be started, and nothing was performed then; or when the snapshot folder can't be used, which is
/// found out after all cases have ended and were told.
pub async fn run(
    plan: Plan,
    settings: RunSettings,
    events: mpsc::UnboundedSender<Event>,
    stop: watch::Receiver<bool>,
) -> Result<RunEnded, RunError> {
    let started = Instant::now();
    let store = Arc::new(Store::new(&settings.project, Policy::from_env()?));
    let asked = stop.clone();
    let stop = with_time_limit(stop, started, settings.run_timeout);
    let launching = Browser::launch(&settings.launch, started + settings.launch_timeout);
    let Some(browser) = unless_stopped(&stop, launching).await.transpose()? else {
        let out_of_time = settings.run_timeout.filter(|_| !*asked.borrow());
        let (interrupted, took) = (plan.cases.len(), started.elapsed());
        let ended = RunEnded { interrupted, took, out_of_time, ..RunEnded::default() };
        // Nobody listening is no reason to fail.
        let _ = events.send(Event::RunEnded(ended.clone()));
        return Ok(ended);
    };
    let browser = Arc::new(browser);
    let workers = settings.workers.min(plan.cases.len()).max(1);
    let secrets = plan.cases.iter().flat_map(|case| &case.secrets);
    let mask = Mask::new(secrets.map(String::as_str));
    let leaving = std::sync::Mutex::default();
    let apps = Apps::new(settings.project.clone(), mask.clone());
    let shared = Arc::new(Shared { settings, store, apps, mask, events, leaving });
    shared.tell(Event::RunStarted(RunStarted {
        cases: plan.cases.len(),
        workers,
        browser: browser.product().to_owned(),
        notices: browser.notices().to_vec(),
    }));
    let queue = Queue::new(plan.cases.iter().map(|case| case.needs.clone()).collect());
    let attempts = Attempts::default();
    let crew = Crew { shared: shared.clone(), browser: Mutex::new(browser), cases: plan.cases, queue, attempts };
    // All in this task: what takes time is Chrome, in processes of its own.
    let done = join_all((0..workers).map(|_| crew.work(stop.clone()))).await;
    let mut ended = RunEnded { flaky_fails: shared.settings.fail_on_flaky, ..RunEnded::default() };
    let mut finished = Vec::new();
    let mut sources = HashSet::new();
    for (case, verdict) in done.iter().flatten() {
        sources.insert(case.file_in(&shared.settings.project).display().to_string());
        if has_passed(verdict) {
            finished.push(case.file_in(&shared.settings.project));
        }
        count(&mut ended, verdict);
    }
    ended.took = started.elapsed();
    if ended.interrupted > 0 && !*asked.borrow() {
        ended.out_of_time = shared.settings.run_timeout;
    }
    let looked_after = look_after_snapshots(&shared, &finished, &sources, &mut ended);
    let browser = Arc::into_inner(crew.browser.into_inner());
    let closing = async {
        if let Some(browser) = browser {
            browser.close().await;
        }
    };
    tokio::join!(closing, shared.apps.end());
    // What failed is told in any case.
    shared.tell(Event::RunEnded(ended.clone()));
    looked_after?;
    Ok(ended)
}

/// A stop signal that also comes when the run's time is over.
fn with_time_limit(
    mut stop: watch::Receiver<bool>,
    started: Instant,
    limit: Option<std::time::Duration>,
) -> watch::Receiver<bool> {
    let Some(limit) = limit else { return stop };
    let (sender, receiver) = watch::channel(false);
    tokio::spawn(async move {
        // Ends by whichever comes first, or when no worker listens any more.
        tokio::select! {
            () = stopped(&mut stop) => {}
            () = tokio::time::sleep_until(started + limit) => {}
            () = sender.closed() => {}
        }
        let _ = sender.send(true);
    });
    receiver
}

/// What the run has left to be reviewed, and what no scenario names any more.
fn look_after_snapshots(
    shared: &Shared,
    finished: &[PathBuf],
    sources: &HashSet<String>,
    ended: &mut RunEnded,
) -> Result<(), SnapshotError> {
    let settings = &shared.settings;
    if settings.whole_project {
        for unreferenced in snapshot::unreferenced(&settings.project, shared.store.claims(), finished)? {
            if settings.unreferenced == Unreferenced::Delete {
                unreferenced.delete()?;
                ended.deleted.push(unreferenced.path);
            } else {
                ended.unreferenced.push(unreferenced.path);
            }
        }
    }
    // One that can't be read is told when it is reviewed; those of scenarios that were not run are another run's matter.
    let of_this_run = |pending: &snapshot::Pending| {
        settings.whole_project || pending.source.as_ref().is_none_or(|(source, _)| sources.contains(source))
    };
    let pending = snapshot::pending(&settings.project)?.into_iter().flatten().filter(of_this_run);
    ended.pending = pending.map(|pending| pending.path).collect();
    Ok(())
}

struct Crew {
    shared: Arc<Shared>,
    browser: Mutex<Arc<Browser>>,
    cases: Vec<Arc<Case>>,
    queue: Queue,
    attempts: Attempts,
}

impl Crew {
    async fn work(&self, stop: watch::Receiver<bool>) -> Vec<(Arc<Case>, Verdict)> {
        let mut verdicts = Vec::new();
        loop {
            let Some(next) = self.queue.take().await else { return verdicts };
            let Some(case) = self.cases.get(next.case) else { return verdicts };
            let id = CaseId(next.case);
            let missing = next.missing.and_then(|missing| self.cases.get(missing));
            if next.again {
                // Nothing of the attempt before, or of any other case, stands beside it.
                self.shared.all_left().await;
                self.shared.store.withdraw(&case.file_in(&self.shared.settings.project), &case.row);
            }
            let not_run = |verdict| Performed { ended: not_performed(id, case, verdict), for_good: true };
            let performed = match unless_stopped(&stop, self.browser()).await {
                None => not_run(Verdict::Interrupted),
                Some(_) if missing.is_some() => not_run(Verdict::Skipped(lacking(missing))),
                Some(Ok(browser)) => perform(&self.shared, &browser, id, case, self.attempts.next(id), &stop).await,
                Some(Err(error)) => not_run(Verdict::Broken(Box::new(Diagnostic::from_lines(&error.to_string())))),
            };
            let of = attempts_of(case, self.shared.settings.retries);
            match self.attempts.after(performed, of) {
                After::Again(attempt) => {
                    // Told before another worker can take it up.
                    self.shared.tell(Event::AttemptFailed { case: id, title: case.title.clone(), attempt, of });
                    self.queue.retry(next.case);
                }
                After::Ended(ended) => {
                    self.queue.end(next.case, has_passed(&ended.verdict));
                    verdicts.push((case.clone(), ended.verdict.clone()));
                    self.shared.tell(Event::CaseEnded(ended));
                }
            }
        }
    }

    /// The browser that all workers share; a new one when the last has gone.
    async fn browser(&self) -> Result<Arc<Browser>, BrowserError> {
        let mut browser = self.browser.lock().await;
        if browser.connection().is_closed() {
            let settings = &self.shared.settings;
            *browser = Arc::new(Browser::launch(&settings.launch, Instant::now() + settings.launch_timeout).await?);
        }
        Ok(browser.clone())
    }
}

/// Why a case is not performed whose need did not pass.
fn lacking(missing: Option<&Arc<Case>>) -> String {
    let file = missing.map(|case| case.title.file.display().to_string()).unwrap_or_default();
    format!("it needs {file}, which did not pass")
}

/// Whether what it is the verdict of may be relied on.
fn has_passed(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Passed | Verdict::Flaky)
}

fn count(ended: &mut RunEnded, verdict: &Verdict) {
    match verdict {
        Verdict::Passed => ended.passed += 1,
        Verdict::Flaky => ended.flaky += 1,
        Verdict::Failed(_) => ended.failed += 1,
        Verdict::Skipped(_) => ended.skipped += 1,
        Verdict::Broken(_) => ended.broken += 1,
        Verdict::Interrupted => ended.interrupted += 1,
    }
}
