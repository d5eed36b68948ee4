//! The applications of a run.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::OnceCell;
use tokio::time::Instant;
use url::Url;

use super::log::Log;
use super::port;
use super::program::Program;
use super::ready::until_answered;
use crate::scenario::{AppSetting, AppStart, Diagnostic, Mask, Place, duration_in_words};

/// How long the last words of an application that has ended are waited for.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The applications of a run, each started when it is first asked for.
pub struct Apps {
    project: PathBuf,
    mask: Mask,
    entries: Mutex<Vec<Arc<Entry>>>,
}

struct Entry {
    setting: AppSetting,
    /// From its start on, so that it is ended whoever has stopped waiting for it.
    started: Mutex<Option<(Arc<Program>, Url)>>,
    outcome: OnceCell<Result<Arc<App>, Box<Diagnostic>>>,
    /// Whether somebody was told at length why it could not be had.
    told: AtomicBool,
}

/// An application that answers.
#[derive(Debug)]
pub struct App {
    url: Url,
    place: Place,
    origin: String,
    program: Option<Arc<Program>>,
    notice: Mutex<Option<String>>,
}

impl Apps {
    /// None yet. Their logs go into the project's folder, without what is masked.
    #[must_use]
    pub fn new(project: PathBuf, mask: Mask) -> Apps {
        Apps { project, mask, entries: Mutex::new(Vec::new()) }
    }

    /// The application, once it answers: it is started by whoever asks first. Two settings that say the same are one application.
    ///
    /// # Errors
    /// What keeps it from being had; at length for whoever hears of it first.
    pub async fn get(&self, setting: &AppSetting) -> Result<Arc<App>, Box<Diagnostic>> {
        let entry = {
            let mut entries = lock(&self.entries);
            let known = entries.iter().find(|entry| entry.setting == *setting).cloned();
            known.unwrap_or_else(|| {
                let new = Arc::new(Entry::new(setting.clone()));
                entries.push(new.clone());
                new
            })
        };
        let outcome = entry.outcome.get_or_init(|| self.bring_up(&entry)).await.clone();
        outcome.map_err(|mut why| {
            if entry.told.swap(true, Ordering::SeqCst) {
                why.details = Vec::new();
                why.next = Some("see what is told of it with the first scenario that needed it".to_owned());
            }
            why
        })
    }

    /// Ends all of them, and returns when nothing of them is left.
    pub async fn end(&self) {
        let started = |entry: &Arc<Entry>| lock(&entry.started).as_ref().map(|(program, _)| program.clone());
        let programs: Vec<_> = lock(&self.entries).iter().filter_map(started).collect();
        join_all(programs.iter().map(|program| program.end())).await;
    }

    async fn bring_up(&self, entry: &Entry) -> Result<Arc<App>, Box<Diagnostic>> {
        let setting = &entry.setting;
        let deadline = Instant::now() + setting.ready_within;
        let mut notice = None;
        let (program, url) = match &setting.start {
            None => (None, setting.url.clone()),
            Some(start) => {
                let taken = setting.url.port() != Some(0) && port::is_taken(&setting.url).await;
                match (taken, setting.reuse) {
                    (true, false) => return Err(self.busy(setting)),
                    (true, true) => {
                        notice = Some(format!("the application that answers at {} already is used", setting.url));
                        (None, setting.url.clone())
                    }
                    (false, _) => {
                        let (program, url) = self.start(entry, start)?;
                        (Some(program), url)
                    }
                }
            }
        };
        let answer = until_answered(&url, deadline);
        let seen = match &program {
            None => answer.await,
            Some(program) => tokio::select! {
                biased;
                how = program.ended() => return Err(too_early(setting, start_of(setting), program, &how).await),
                seen = answer => seen,
            },
        };
        if let Err(seen) = seen {
            return Err(late(setting, &url, program.as_deref(), &seen));
        }
        Ok(Arc::new(App {
            place: setting.place.clone(),
            origin: url.origin().ascii_serialization(),
            url,
            program,
            notice: Mutex::new(notice),
        }))
    }

    /// Starts it. Nothing is waited for here, so that it is known from its first moment on.
    fn start(&self, entry: &Entry, start: &AppStart) -> Result<(Arc<Program>, Url), Box<Diagnostic>> {
        let setting = &entry.setting;
        let mut started = lock(&entry.started);
        if let Some((program, url)) = &*started {
            return Ok((program.clone(), url.clone()));
        }
        let cannot = |what: &str, error: std::io::Error| {
            let what = Diagnostic::new(format!("the application can't be started: {what}{error}"));
            Box::new(
                what.at(setting.place.clone()).label("it would answer here").detail("started by", start.to_string()),
            )
        };
        let mut url = setting.url.clone();
        let mut chosen = None;
        if url.port() == Some(0) {
            let port = port::free().map_err(|error| cannot("no port is free: ", error))?;
            // An address with a host, as this one is, takes any port.
            let _ = url.set_port(Some(port));
            chosen = Some(port);
        }
        let log = match &setting.log {
            Some(path) => {
                let log = Log::create(&self.project.join(path), self.mask.clone());
                Some(log.map_err(|error| cannot(&format!("its log {} can't be written: ", path.display()), error))?)
            }
            None => None,
        };
        let program = Program::start(setting, start, chosen, log).map_err(|error| {
            let mut why = cannot("", error);
            why.next = Some(by_hand(setting, start));
            why
        })?;
        let program = Arc::new(program);
        *started = Some((program.clone(), url.clone()));
        Ok((program, url))
    }

    /// Somebody listens there already: another application of this run, or a stranger.
    fn busy(&self, setting: &AppSetting) -> Box<Diagnostic> {
        let port = setting.url.port_or_known_default().unwrap_or(0);
        let entries = lock(&self.entries);
        let holds = |entry: &&Arc<Entry>| {
            let started = lock(&entry.started);
            let url = started.as_ref().filter(|(program, _)| program.how_it_ended().is_none()).map(|(_, url)| url);
            url.and_then(Url::port_or_known_default) == Some(port)
        };
        Box::new(match entries.iter().find(holds) {
            Some(other) => Diagnostic::new(format!("port {port} is taken by another application of this run"))
                .at(setting.place.clone())
                .label("this one is not started as that one is")
                .detail("the other", other.setting.place.to_string())
                .next("say the same of both, its folder included, and they are one; `app` of playscript.yaml is for all scenarios"),
            None => Diagnostic::new(format!("port {port} is taken: something answers at {} already", setting.url))
                .at(setting.place.clone())
                .label("the application would listen here")
                .next(
                    "end what listens there; or write `reuse: true` to test that where it runs; or port 0, and start the \
                     application on the free port that it is told as PORT",
                ),
        })
    }
}

impl Entry {
    fn new(setting: AppSetting) -> Entry {
        Entry { setting, started: Mutex::new(None), outcome: OnceCell::new(), told: AtomicBool::new(false) }
    }
}

impl App {
    /// Where its paths are looked up, such as `http://localhost:3000`.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// What the user should know of it; given away once.
    #[must_use]
    pub fn take_notice(&self) -> Option<String> {
        lock(&self.notice).take()
    }

    /// How much it has said so far: a mark for [`App::said_since`].
    #[must_use]
    pub fn so_far(&self) -> usize {
        self.program.as_ref().map_or(0, |program| program.said().so_far())
    }

    /// The last lines of what it has said since.
    #[must_use]
    pub fn said_since(&self, mark: usize) -> String {
        self.program.as_ref().map(|program| plain(&program.said().last_lines_since(mark))).unwrap_or_default()
    }

    /// How it ended, such as `exited with code 1`, if it has.
    #[must_use]
    pub fn how_it_ended(&self) -> Option<String> {
        self.program.as_ref()?.how_it_ended()
    }

    /// Resolves at once where it answers. Where nobody listens any more it is about to end, which takes a moment: what started
    /// it may be another program than the one that listened.
    pub async fn settle(&self) {
        let Some(program) = &self.program else { return };
        if program.how_it_ended().is_none() && !port::is_taken(&self.url).await {
            let _ = tokio::time::timeout(LAST_WORDS, program.ended()).await;
        }
        if program.how_it_ended().is_some() {
            let _ = tokio::time::timeout(LAST_WORDS, program.said().finished()).await;
        }
    }

    /// That it has ended, and what it said last; nothing while it runs.
    #[must_use]
    pub fn gone(&self) -> Option<Diagnostic> {
        let how = self.how_it_ended()?;
        let gone = Diagnostic::new(format!("the application {how} while the run went on"))
            .at(self.place.clone())
            .label("nothing answers here any more");
        Some(
            with_words(gone, self.said_since(0))
                .next("see the scenario that failed first; `log: app.log` keeps all that it says"),
        )
    }
}

/// It ended before it answered.
async fn too_early(setting: &AppSetting, start: Option<&AppStart>, program: &Program, how: &str) -> Box<Diagnostic> {
    let _ = tokio::time::timeout(LAST_WORDS, program.said().finished()).await;
    let mut why = Diagnostic::new("the application ended before it answered")
        .at(setting.place.clone())
        .label(format!("it {how}, and never answered here"));
    if let Some(start) = start {
        why = why.detail("started by", start.to_string());
        why = why.next(if how == "exited with code 0" {
            "start it so that it stays: without `&` behind it, not as a daemon".to_owned()
        } else {
            by_hand(setting, start)
        });
    }
    Box::new(with_words(why, plain(&program.said().last_lines())))
}

/// It did not answer in time.
fn late(setting: &AppSetting, url: &Url, program: Option<&Program>, seen: &str) -> Box<Diagnostic> {
    let time = duration_in_words(setting.ready_within);
    let why = Diagnostic::new(format!("the application did not answer within {time}"))
        .at(setting.place.clone())
        .label(format!("seen last: {seen}"))
        .detail("asked for", url.to_string());
    Box::new(match program {
        Some(program) => with_words(why, plain(&program.said().last_lines()))
            .next("correct `url` if it listens elsewhere, or give it more time: `ready-within: 2m`"),
        None => why.next("start the application, or say how it is started: `start: npm run dev`"),
    })
}

fn with_words(why: Diagnostic, words: String) -> Diagnostic {
    why.detail("it said last", if words.is_empty() { "nothing".to_owned() } else { words })
}

fn by_hand(setting: &AppSetting, start: &AppStart) -> String {
    let folder = setting.folder.display();
    match start.to_string() {
        line if line.trim().contains('\n') => format!("run it by hand in {folder}, line by line"),
        line => format!("run it by hand in {folder}: {line}"),
    }
}

fn start_of(setting: &AppSetting) -> Option<&AppStart> {
    setting.start.as_ref()
}

/// Text without what colours it on a terminal, and of a line that was written over, what stands there last.
fn plain(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = console::strip_ansi_codes(line);
        line.trim_end().rsplit('\r').next().unwrap_or_default().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_what_was_written_over_are_left_out() {
        assert_eq!(plain("\u{1b}[32mready\u{1b}[0m in 3 ms\r\n10%\r 55%\r100%"), "ready in 3 ms\n100%");
    }
}
