//! `app:`: the user's own application, started once a run.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use url::Url;

use super::diagnostic::{Diagnostic, Problems, shown};
use super::folder::existing_folder;
use super::head_keys::{APP, names_of};
use super::node::{Key, Kind, Node};
use super::source::{Place, Source};

/// How long an application may take until it answers, where nothing says so: a build before the start takes its time.
pub const READY_WITHIN: Duration = Duration::from_secs(60);

/// The user's own application: how it is started, and where it answers.
#[derive(Clone, Debug)]
pub struct AppSetting {
    /// How it is started; nothing where it runs already.
    pub start: Option<AppStart>,
    /// Where it answers. Port 0 stands for one that is free, which the application is told as `PORT`.
    pub url: Url,
    /// The folder it is started in, absolute.
    pub folder: PathBuf,
    /// Variables of its environment, by name.
    pub env: Vec<(String, String)>,
    /// How long it may take until it answers.
    pub ready_within: Duration,
    /// The file that takes what it says, relative to the project's folder.
    pub log: Option<PathBuf>,
    /// Whether one that answers already is used instead.
    pub reuse: bool,
    /// Where `url` stands.
    pub place: Place,
}

/// How an application is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppStart {
    /// A line for the shell.
    Shell(String),
    /// A program and its arguments, without a shell; never empty.
    Program(Vec<String>),
}

/// Two are one application when nothing of them differs, wherever they are written.
impl PartialEq for AppSetting {
    fn eq(&self, other: &AppSetting) -> bool {
        (&self.start, &self.url, &self.folder, &self.env) == (&other.start, &other.url, &other.folder, &other.env)
            && (self.ready_within, &self.log, self.reuse) == (other.ready_within, &other.log, other.reuse)
    }
}

impl std::fmt::Display for AppStart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AppStart::Shell(line) => f.write_str(line),
            AppStart::Program(words) => {
                let words: Vec<_> = words.iter().map(|word| super::diagnostic::shell_word(Path::new(word))).collect();
                f.write_str(&words.join(" "))
            }
        }
    }
}

impl AppSetting {
    /// Reads `app`. Its folder is relative to the one that the file stands in.
    pub fn read(source: &Source, node: &Node, problems: &mut Problems) -> Option<AppSetting> {
        let entries = node.want_keys("`app`", &names_of(APP), problems)?;
        let Some(url_node) = node.get("url") else {
            // One that is misspelt was told.
            if entries.iter().all(|(key, _)| APP.iter().any(|known| known.name == key.name)) {
                problems.add(
                    Diagnostic::new("`url` is missing")
                        .at(entries.first().map_or_else(|| node.place.clone(), |(key, _)| key.place.clone()))
                        .label("where the application answers")
                        .next("write it beside the others: url: http://localhost:3000"),
                );
            }
            return None;
        };
        let url = url(url_node, problems);
        let start = node.get("start").map(|node| start(node, problems));
        if start.is_none() {
            check_without_start(entries, url.as_ref(), &url_node.place, problems);
        }
        let folder = match node.get("in") {
            Some(node) => existing_folder(source, node, "`in`", problems),
            None => folder_of(source),
        };
        let within = node.get("ready-within").map(|node| node.want_duration("`ready-within`", problems));
        let log = node.get("log").map(|node| log(node, problems));
        let reuse = node.get("reuse").map(|node| reuse(node, problems));
        Some(AppSetting {
            url: url?,
            // What is wrong with any of them was told, and then it is not used.
            start: start.flatten(),
            folder: folder?,
            env: node.get("env").map(|node| env(node, problems)).unwrap_or_default(),
            ready_within: within.flatten().unwrap_or(READY_WITHIN),
            log: log.flatten(),
            reuse: reuse.flatten().unwrap_or_default(),
            place: url_node.place.clone(),
        })
    }
}

/// The folder that the file stands in, however it was named.
fn folder_of(source: &Source) -> Option<PathBuf> {
    let folder = std::path::absolute(&source.path).ok()?.parent()?.to_owned();
    Some(folder.canonicalize().unwrap_or(folder))
}

/// Keys that say something of a program that is started, where none is.
fn check_without_start(entries: &[(Key, Node)], url: Option<&Url>, place: &Place, problems: &mut Problems) {
    if let Some((key, _)) = entries.iter().find(|(key, _)| ["in", "env", "log", "reuse"].contains(&key.name.as_str())) {
        problems.add(
            Diagnostic::new(format!("`{}` needs a program that is started", key.name))
                .at(key.place.clone())
                .label("there is no `start`")
                .next("say how the application is started, `start: npm run dev`; or leave this out, and start it yourself"),
        );
    } else if url.and_then(Url::port) == Some(0) {
        problems.add(
            Diagnostic::new("a free port needs a program that is started on it")
                .at(place.clone())
                .label("there is no `start`")
                .next("say how the application is started, `start: npm run dev -- --port $PORT`; or write the port it listens on"),
        );
    }
}

fn url(node: &Node, problems: &mut Problems) -> Option<Url> {
    let text = node.want_filled("`url`", problems)?;
    let url = Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
    if url.is_none() {
        let bare = !text.contains("://") && !text.starts_with('/');
        let next = if bare && Url::parse(&format!("http://{text}")).is_ok() {
            format!("write http://{}", shown(text))
        } else {
            "write where the application answers, such as http://localhost:3000".to_owned()
        };
        problems.add(
            Diagnostic::new("this is no address of an application")
                .at(node.place.clone())
                .label("not http(s)://…")
                .next(next),
        );
    }
    url
}

fn start(node: &Node, problems: &mut Problems) -> Option<AppStart> {
    let Kind::List(items) = &node.kind else {
        return Some(AppStart::Shell(node.want_filled("`start`", problems)?.to_owned()));
    };
    if items.is_empty() {
        problems.add(
            Diagnostic::new("`start` names no program")
                .at(node.place.clone())
                .label("nothing is listed here")
                .next("write a line for the shell, `npm run dev`, or a program with its arguments, [npm, run, dev]"),
        );
        return None;
    }
    // An argument may be empty; the program may not.
    let word = |(index, item): (usize, &Node), problems: &mut Problems| {
        let text = match index {
            0 => item.want_filled("the program of `start`", problems),
            _ => item.want_text("an argument of `start`", problems),
        };
        text.map(str::to_owned)
    };
    let words: Vec<Option<String>> = items.iter().enumerate().map(|item| word(item, problems)).collect();
    words.into_iter().collect::<Option<Vec<String>>>().map(AppStart::Program)
}

fn env(node: &Node, problems: &mut Problems) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (key, value) in node.want_map("`env`", problems).unwrap_or_default() {
        if key.name.is_empty() || key.name.contains(['=', '\0']) {
            problems.add(
                Diagnostic::new(format!("`{}` can't be the name of a variable", shown(&key.name)))
                    .at(key.place.clone())
                    .label("no system takes it")
                    .next("write NAME: text"),
            );
            continue;
        }
        if let Some(text) = value.want_text(&format!("`{}`", shown(&key.name)), problems) {
            all.push((key.name.clone(), text.to_owned()));
        }
    }
    // In which order they are written makes no other application of it.
    all.sort();
    all
}

fn log(node: &Node, problems: &mut Problems) -> Option<PathBuf> {
    let text = node.want_filled("`log`", problems)?;
    if leads_out(text) {
        problems.add(
            Diagnostic::new(format!("`{}` is outside the project's folder", shown(text)))
                .at(node.place.clone())
                .label("it leads out")
                .next("files are written inside the project only; write a path from the project's folder on, such as log: app.log"),
        );
        return None;
    }
    Some(PathBuf::from(text))
}

fn reuse(node: &Node, problems: &mut Problems) -> Option<bool> {
    let value = node.json().as_bool();
    if value.is_none() {
        problems.add(
            Diagnostic::new("`reuse` is true or false")
                .at(node.place.clone())
                .label("neither of them")
                .next("write `reuse: true` to use an application that runs already, or leave it out"),
        );
    }
    value
}

/// Whether a path leads out of the folder that it is relative to.
pub fn leads_out(path: &str) -> bool {
    Path::new(path).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
}
