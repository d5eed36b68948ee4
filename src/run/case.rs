//! One case, from a fresh browser context and a fresh site to its verdict.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::browser::{no_tab, page_settings, permissions};
use super::event::{CaseEnded, CaseId, Event, Play, Verdict};
use super::mask::masked;
use super::pictures;
use super::plan::Case;
use super::settings::RunSettings;
use super::stop::unless_stopped;
use crate::app::{App, Apps};
use crate::browser::{Browser, Context};
use crate::page::{Level, Look, Tabs};
use crate::scenario::{Detail, Diagnostic, Mask, Place, TextMatch, Values, shell_word};
use crate::site::{Site, SiteSpec};
use crate::snapshot::Store;
use crate::steps::{AppUnderTest, Cause, Failure, Note, Props, Stage, User};

/// How long the evidence of a failure (a picture, the console) may take to gather.
const EVIDENCE_TIME: Duration = Duration::from_secs(5);
/// How long a tab may take to let keys up.
const RELEASE_TIME: Duration = Duration::from_secs(1);
/// How long a browser may take to make or end a context.
const CONTEXT_TIME: Duration = Duration::from_secs(20);

/// What all cases of a run share.
pub(super) struct Shared {
    pub(super) settings: RunSettings,
    pub(super) store: Arc<Store>,
    /// The applications that cases are about.
    pub(super) apps: Apps,
    /// The secrets of all cases.
    pub(super) mask: Mask,
    pub(super) events: mpsc::UnboundedSender<Event>,
    /// Contexts and sites of cases that have ended, on their way out.
    pub(super) leaving: Mutex<JoinSet<()>>,
}

/// The application of a case, and how much it had said when the case began.
struct UnderTest {
    app: Arc<App>,
    said: usize,
}

impl Shared {
    pub(super) fn tell(&self, event: Event) {
        // Nobody listening is no reason to stop: the verdict is still returned.
        let _ = self.events.send(masked(&self.mask, event));
    }
}

impl Shared {
    fn leaving(&self) -> MutexGuard<'_, JoinSet<()>> {
        // Nothing panics while it holds the lock; were it so, the set is still whole.
        self.leaving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until nothing of the cases that have ended is left.
    pub(super) async fn all_left(&self) {
        let leaving = std::mem::take(&mut *self.leaving());
        leaving.join_all().await;
    }
}

/// What came of one attempt at a case.
pub(super) struct Performed {
    pub(super) ended: CaseEnded,
    /// Whether there is no use in another attempt.
    pub(super) for_good: bool,
}

/// Performs a case in a context of its own, and tells its events.
pub(super) async fn perform(
    shared: &Arc<Shared>,
    browser: &Browser,
    id: CaseId,
    case: &Arc<Case>,
    attempt: usize,
    stop: &watch::Receiver<bool>,
) -> Performed {
    shared.tell(Event::CaseStarted { case: id, title: case.title.clone(), attempt });
    let mut ended = not_performed(id, case, Verdict::Passed);
    if let Some(verdict) = skipped(case) {
        ended.verdict = verdict;
        return Performed { ended, for_good: true };
    }
    if attempt == 1 {
        clear_pictures(shared, case);
    }
    let mut for_good = false;
    let taken_up = Instant::now();
    let app = match application(shared, id, case, stop).await {
        Ok(app) => app,
        Err(verdict) => {
            ended.verdict = verdict;
            ended.took = taken_up.elapsed();
            // It is not started again.
            return Performed { ended, for_good: true };
        }
    };
    // The application has time of its own.
    let started = Instant::now();
    let deadline = started + case.scenario.timeout.unwrap_or(shared.settings.scenario_timeout);
    match unless_stopped(stop, set_up(shared, browser, id, case, app.as_ref(), attempt, deadline)).await {
        None => ended.verdict = Verdict::Interrupted,
        Some(Err(diagnostic)) => ended.verdict = Verdict::Broken(diagnostic),
        Some(Ok((contexts, mut stage))) => {
            let folder = folder_of(shared, case, attempt);
            let failures = play(case, app.as_ref(), &mut stage, &folder, deadline, stop).await;
            // What is expected to fail has its answer at once.
            for_good =
                case.scenario.expected_to_fail.is_some() || failures.iter().flatten().any(|failure| failure.for_good);
            (ended.verdict, ended.also) = failures.map_or((Verdict::Interrupted, Vec::new()), told);
            (ended.verdict, ended.also) = as_expected(case, &stage, ended.verdict, ended.also);
            ended.steps = stage.steps();
            ended.play = measured(&mut stage).await;
            let props = stage.into_props();
            // Away from the clock of the case: the next one need not wait for it.
            shared.leaving().spawn(async move {
                drop(props);
                // A browser that is gone has taken its contexts with it.
                dispose(&contexts).await;
            });
        }
    }
    ended.took = started.elapsed();
    Performed { ended, for_good }
}

/// The application of a case once it answers, or what becomes of the case without it.
async fn application(
    shared: &Shared,
    id: CaseId,
    case: &Case,
    stop: &watch::Receiver<bool>,
) -> Result<Option<UnderTest>, Verdict> {
    let Some(setting) = &case.app else { return Ok(None) };
    let app = unless_stopped(stop, shared.apps.get(setting)).await.ok_or(Verdict::Interrupted)?;
    let app = app.map_err(Verdict::Broken)?;
    app.settle().await;
    if let Some(why) = app.gone() {
        return Err(Verdict::Failed(Box::new(why)));
    }
    if let Some(text) = app.take_notice() {
        shared.tell(Event::Notice { case: id, text });
    }
    Ok(Some(UnderTest { said: app.so_far(), app }))
}

/// The end of a case of which nothing was performed yet.
pub(super) fn not_performed(case: CaseId, what: &Case, verdict: Verdict) -> CaseEnded {
    CaseEnded {
        case,
        title: what.title.clone(),
        verdict,
        took: Duration::ZERO,
        steps: 0,
        play: None,
        also: Vec::new(),
        earlier: Vec::new(),
        attempts: 1,
    }
}

/// Whether the scenario asks to be skipped.
pub(super) fn skipped(case: &Case) -> Option<Verdict> {
    let skip = case.scenario.skip.as_ref()?;
    let holds = match &skip.when {
        None => Ok(true),
        Some(when) => when.holds(&Values { scope: case.variables.clone(), ..Values::default() }),
    };
    match holds {
        Ok(true) => Some(Verdict::Skipped(skip.why.clone())),
        Ok(false) => None,
        Err(error) => Some(Verdict::Failed(Box::new(error.diagnostic()))),
    }
}

/// The verdict of a scenario that is expected to fail is the other way round.
fn as_expected(case: &Case, stage: &Stage, verdict: Verdict, also: Vec<Diagnostic>) -> (Verdict, Vec<Diagnostic>) {
    let Some(reason) = &case.scenario.expected_to_fail else { return (verdict, also) };
    match verdict {
        Verdict::Failed(why) => {
            let title = why.title.clone();
            let mut failures = vec![*why];
            failures.extend(also);
            if let Some(message) = &reason.message {
                failures.retain(|failure| !says(failure, message));
                if !failures.is_empty() {
                    let mut first = failures.remove(0);
                    let text = format!("{message} ({})", reason.why);
                    first.details.insert(0, Detail { title: "expected to fail with".into(), text });
                    return (Verdict::Failed(Box::new(first)), failures);
                }
            }
            stage.tell(Note::Notice(format!("failed as expected ({}): {title}", reason.why)));
            (Verdict::Passed, Vec::new())
        }
        Verdict::Passed => {
            let why = Diagnostic::new("the scenario was expected to fail, and passed")
                .at(reason.place.clone())
                .label(format!("expected since: {}", reason.why))
                .next("take `expected-to-fail` away: what it speaks of is mended");
            (Verdict::Failed(Box::new(why)), Vec::new())
        }
        other => (other, also),
    }
}

/// Whether a failure has this message: in its first line, at its mark, in what is marked, or in what it found.
fn says(failure: &Diagnostic, message: &TextMatch) -> bool {
    let marked = failure.place.as_ref().map(Place::text);
    let found = failure.details.iter().filter(|detail| !matches!(detail.title.as_ref(), "picture" | "again" | "url"));
    let parts = [Some(failure.title.as_str()), Some(failure.label.as_str()), marked];
    parts.into_iter().flatten().chain(found.map(|detail| &*detail.text)).any(|part| message.is_in_message(part))
}

async fn set_up(
    shared: &Arc<Shared>,
    browser: &Browser,
    id: CaseId,
    case: &Arc<Case>,
    app: Option<&UnderTest>,
    attempt: usize,
    deadline: Instant,
) -> Result<(Vec<Context>, Stage), Box<Diagnostic>> {
    let scenario = &case.scenario;
    let broken =
        |what: &str, error: &dyn std::fmt::Display| Box::new(Diagnostic::from_lines(&format!("{what}: {error}")));
    let ready_by = deadline.min(Instant::now() + CONTEXT_TIME);
    let spec =
        SiteSpec { folder: scenario.serve.clone(), pages: scenario.pages.clone(), routes: scenario.routes.clone() };
    let serves = scenario.serves();
    let like = scenario.browser.or(&shared.settings.browser);
    let (settings, permissions) = (page_settings(&like, scenario.seed, case.clock), permissions(&like));
    let mut names: Vec<String> = scenario.users.iter().map(|user| user.name.clone()).collect();
    if names.is_empty() {
        names.push(String::new());
    }
    let made = names.into_iter().map(|name| {
        let (settings, permissions, like) = (settings.clone(), &permissions, &like);
        async move {
            let context =
                browser.new_context(ready_by).await.map_err(|error| broken("the browser made no context", &error))?;
            if !permissions.is_empty() {
                let granted = context.grant(permissions, ready_by).await;
                granted.map_err(|error| broken("the browser does not grant `permissions`", &error))?;
            }
            match Tabs::new(context.clone(), settings, ready_by).await {
                Ok(tabs) => Ok((context, User { name, tabs })),
                // Without tabs the context is dropped, and disposed of with that.
                Err(error) => Err(no_tab(like, &error)),
            }
        }
    });
    let (made, site) =
        tokio::join!(join_all(made), async { if serves { Site::start(spec).await.map(Some) } else { Ok(None) } });
    let (mut contexts, mut users, mut wrong) = (Vec::new(), Vec::new(), None);
    for one in made {
        match one {
            Ok((context, user)) => {
                contexts.push(context);
                users.push(user);
            }
            Err(error) => wrong = Some(error),
        }
    }
    let site = match (wrong, site) {
        (None, Ok(site)) => site,
        (wrong, site) => {
            dispose(&contexts).await;
            return Err(match (wrong, site) {
                (Some(error), _) => error,
                (None, Err(error)) => broken("the pages can't be served", &error),
                (None, Ok(_)) => broken("the pages can't be served", &"no reason is known"),
            });
        }
    };
    let teller = shared.clone();
    let listener = Box::new(move |note| teller.tell(event_of(id, note)));
    let stage = Stage::new(Props {
        users,
        site,
        store: shared.store.clone(),
        project: shared.settings.project.clone(),
        fail_on: scenario.fail_on.in_force(),
        app: app.map(|under_test| AppUnderTest {
            origin: under_test.app.origin().to_owned(),
            at_free_port: case.app.as_ref().is_some_and(|setting| setting.url.port() == Some(0)),
        }),
        homes: app.map(|under_test| under_test.app.origin().to_owned()).into_iter().collect(),
        pictures: folder_of(shared, case, attempt),
        scenario_file: case.file_in(&shared.settings.project),
        scenario_name: case.name.clone(),
        variables: case.variables.clone(),
        readings: scenario.readings.clone(),
        row: case.row.clone(),
        mask: shared.mask.clone(),
        whenever: case.whenever.clone(),
        redactions: case.redactions.clone(),
        seed: scenario.seed.unwrap_or(0),
        step_timeout: scenario.step_timeout.or(shared.settings.step_timeout),
        listener,
    });
    Ok((contexts, stage))
}

/// Ends contexts, one beside the other.
async fn dispose(contexts: &[Context]) {
    let by = Instant::now() + CONTEXT_TIME;
    // One that can't be ended goes with the browser.
    join_all(contexts.iter().map(|context| context.dispose(by))).await;
}

fn event_of(case: CaseId, note: Note) -> Event {
    match note {
        Note::StepStarted { what, place } => Event::StepStarted { case, what, place },
        Note::Output { verb, text, place } => Event::StepOutput { case, verb, text, place },
        Note::StepEnded { took, passed } => Event::StepEnded { case, took, passed },
        Note::Moved { moves, readings } => Event::Moved { case, moves, readings },
        Note::Notice(text) => Event::Notice { case, text },
    }
}

/// Performs the steps. What failed, in its order; `None` when the run was stopped before that was known.
async fn play(
    case: &Arc<Case>,
    app: Option<&UnderTest>,
    stage: &mut Stage,
    folder: &Path,
    deadline: Instant,
    stop: &watch::Receiver<bool>,
) -> Option<Vec<Failure>> {
    let result = unless_stopped(stop, main_part(case, stage, deadline)).await?;
    // In the order in which they came about: those that let the scenario go on, and the one that ended it.
    let mut failures = stage.take_soft_failures();
    failures.extend(result.err());
    let failed = !failures.is_empty();
    let ending = async {
        if let Some(failure) = failures.last_mut() {
            add_evidence(folder, case, app, stage, failure).await;
        } else {
            for mock in stage.unused_mocks() {
                stage.tell(Note::Notice(format!("no request used the mock of {mock}")));
            }
            for answer in stage.unused_answers() {
                stage.tell(Note::Notice(format!("no dialog needed the answer of {answer}")));
            }
        }
        stage.release(Instant::now() + RELEASE_TIME).await;
        // However the scenario ended, with time of its own.
        stage.as_first_user();
        let after = stage.perform(&case.after, Instant::now() + CONTEXT_TIME).await.err();
        let mut after: Vec<Failure> = after.into_iter().collect();
        after.splice(0..0, stage.take_soft_failures());
        after
    };
    match unless_stopped(stop, ending).await {
        Some(after) if !failed => failures = after,
        // What the steps found out stays the verdict. A browser that has gone fails these steps too, which is no news.
        Some(after) if failures.iter().all(|failure| failure.cause == Cause::Page) => {
            failures.extend(after.into_iter().map(beside));
        }
        None if !failed => return None,
        _ => {}
    }
    Some(failures)
}

/// A failure of `after`, told beside those that the scenario had before.
fn beside(failure: Failure) -> Failure {
    let cause = Cause::Page;
    Failure { cause, ..failure.detail("in `after`", "performed although the scenario had failed already") }
}

/// The verdict of failures, and those that stand beside it: the first is the verdict, but for the world's, which outweighs
/// all others.
fn told(mut failures: Vec<Failure>) -> (Verdict, Vec<Diagnostic>) {
    if failures.is_empty() {
        return (Verdict::Passed, Vec::new());
    }
    let of_world = failures.iter().position(|failure| failure.cause == Cause::World);
    let Failure { diagnostic, .. } = failures.remove(of_world.unwrap_or(0));
    let also = failures.into_iter().map(|failure| *failure.diagnostic).collect();
    (if of_world.is_some() { Verdict::Broken(diagnostic) } else { Verdict::Failed(diagnostic) }, also)
}

async fn main_part(case: &Case, stage: &mut Stage, deadline: Instant) -> Result<(), Failure> {
    stage.fill(&case.filled, deadline).await?;
    stage.perform(&case.before, deadline).await?;
    stage.perform(&case.steps, deadline).await?;
    // What the last step set off may still throw, or ask.
    let soon = deadline.min(Instant::now() + EVIDENCE_TIME);
    for page in stage.pages() {
        // A page that has gone says nothing more, and that is told elsewhere.
        let _ = page.settle(soon).await;
        let _ = page.catch_up(soon).await;
    }
    stage.last_questions()?;
    stage.trouble().map_or(Ok(()), Err)
}

/// What helps to understand a failure: the address, the console, a picture, the command that runs it again.
async fn add_evidence(folder: &Path, case: &Case, app: Option<&UnderTest>, stage: &Stage, failure: &mut Failure) {
    let page = stage.page_at_fault();
    let mut add = |title: &str, text: String| failure.diagnostic.details.push(Detail { title: title.into(), text });
    let complaints: Vec<String> =
        page.console().iter().filter(|entry| entry.level == Level::Error).map(ToString::to_string).take(5).collect();
    if !complaints.is_empty() {
        add("console", complaints.join("\n"));
    }
    let path = folder.join(format!("step-{}.png", stage.steps()));
    let picture = page.look(&Look::default(), Instant::now() + EVIDENCE_TIME).await;
    if let Ok(bytes) = picture {
        match std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, bytes)) {
            Ok(()) => add("picture", path.display().to_string()),
            Err(error) => add("picture", format!("could not be written: {error}")),
        }
    }
    if let Some(site) = stage.site() {
        let missing: Vec<String> = not_served(site);
        if !missing.is_empty() {
            add("not found", missing.join("\n"));
        }
    }
    if let Some(UnderTest { app, said }) = app {
        app.settle().await;
        let words = app.said_since(*said);
        match app.how_it_ended() {
            Some(how) if words.is_empty() => add("application", format!("it {how}")),
            Some(how) => add("application", format!("it {how}, and said last:\n{words}")),
            None if words.is_empty() => {}
            None => add("the application said", words),
        }
    }
    let unused = stage.unused();
    if !unused.is_empty() {
        add("not used so far", unused.join("\n"));
    }
    add("url", stage.short_url(&page.url()));
    // Not all rows, where it was one of them that failed.
    let row = if case.row.is_empty() { String::new() } else { format!(" --row {}", shell_word(case.row.as_ref())) };
    let given: String = case.given.iter().map(|given| format!(" --var {}", shell_word(given.as_ref()))).collect();
    add("again", format!("playscript run {}{row}{given}", shell_word(&case.title.file)));
}

/// What the page asked for and the site does not have, each once. A browser asks for an icon by itself.
fn not_served(site: &Site) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    for request in site.requests() {
        if request.status == Some(404) && request.path != "/favicon.ico" && !missing.contains(&request.path) {
            missing.push(request.path);
        }
    }
    missing.truncate(5);
    missing
}

/// Where the pictures of an attempt go.
fn folder_of(shared: &Shared, case: &Case, attempt: usize) -> PathBuf {
    pictures::folder(&shared.settings.report_folder, &shared.settings.project, case, attempt)
}

/// Takes away what former runs have left, of all attempts.
fn clear_pictures(shared: &Shared, case: &Case) {
    let folders = (1..).map(|attempt| folder_of(shared, case, attempt));
    // The first has none where only a retry failed.
    folders.enumerate().take_while(|(index, folder)| *index == 0 || folder.exists()).for_each(|(_, folder)| {
        pictures::clear(&folder);
    });
}

async fn measured(stage: &mut Stage) -> Option<Play> {
    if stage.meter.moves() == 0 {
        return None;
    }
    let readings = stage.last_readings().await;
    let meter = &stage.meter;
    Some(Play {
        moves: meter.moves(),
        took: meter.took(),
        median: meter.within(0.5),
        p95: meter.within(0.95),
        readings,
    })
}
