//! `routes:`: what the site of a scenario answers that a file can't say.

use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use serde_json::Value as Json;

use super::diagnostic::{Diagnostic, Problems, nearest, shown};
use super::node::{Key, Kind, Node};
use super::route_answer;
use super::scenario::Scenario;
use super::source::Place;
use super::url_pattern::like;

/// Methods that pages ask with.
pub(super) const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// Which requests are meant, and what they are answered with.
#[derive(Clone, Debug)]
pub struct Route {
    /// The method, in capitals; `None` for any.
    pub method: Option<String>,
    /// The path, and the query where one is written; `*` stands for anything.
    pub path: String,
    /// The answers in turn, at least one; the last one stays.
    pub answers: Vec<RouteAnswer>,
    /// Where it stands.
    pub place: Place,
}

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteAnswer {
    /// Who may have it; others are asked for a password.
    pub auth: Option<Credentials>,
    /// How long it takes.
    pub delay: Duration,
    /// Headers, the same name perhaps several times.
    pub headers: Vec<(String, String)>,
    /// What it is.
    pub what: RouteWhat,
}

/// A user and a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The user.
    pub user: String,
    /// The password.
    pub password: String,
}

/// What an answer is.
#[derive(Clone, Debug, PartialEq)]
pub enum RouteWhat {
    /// What is served at the path by itself: a page or a file.
    Served,
    /// A status and a body.
    Body(u16, RouteBody),
    /// Another address to go to, spelled for a header.
    Redirect(u16, String),
    /// None: the connection is closed.
    Drop,
    /// A stream of events.
    Events {
        /// The events, in order.
        events: Vec<RouteEvent>,
        /// Whether the stream ends after the last of them, or stays open.
        close: bool,
    },
}

/// The body of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum RouteBody {
    /// None.
    Empty,
    /// JSON.
    Json(Json),
    /// Text.
    Text(String),
    /// A file.
    File(PathBuf),
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteEvent {
    /// How long after the one before it, or after the beginning.
    pub after: Duration,
    /// As it is sent.
    pub text: String,
}

impl Route {
    /// Whether an address is meant; a path without `?` means any query. `*` stands for anything.
    pub fn is_at(&self, path: &str, query: Option<&str>) -> bool {
        let whole = match query.filter(|_| self.has_query()) {
            Some(query) => format!("{path}?{query}"),
            None => path.to_owned(),
        };
        // Either may be spelled as people write it, or as browsers send it.
        like(&self.path, &whole) || like(&decoded(&self.path), &decoded(&whole))
    }

    /// How exactly it says what it means; of several routes that fit, the most exact answers, and of those alike the first.
    pub fn exactness(&self) -> (bool, bool, bool) {
        (!self.path.contains('*'), self.has_query(), self.method.is_some())
    }

    /// Whether every answer is its own, and none that of a page or a file.
    pub fn hides(&self) -> bool {
        self.answers.iter().all(|answer| answer.what != RouteWhat::Served)
    }

    fn has_query(&self) -> bool {
        self.path.contains('?')
    }
}

/// As it is written in a scenario.
impl std::fmt::Display for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.method {
            Some(method) => write!(f, "{method} {}", shown(&self.path)),
            None => f.write_str(&shown(&self.path)),
        }
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Reads `routes`.
pub(super) fn read(node: &Node, problems: &mut Problems) -> Vec<Route> {
    let mut routes: Vec<Route> = Vec::new();
    for (key, value) in node.want_map("`routes`", problems).unwrap_or_default() {
        let address = address(key, problems);
        let answers = answers(value, problems);
        let (Some((method, path)), Some(answers)) = (address, answers) else { continue };
        let route = Route { method, path, answers, place: key.place.clone() };
        if routes.iter().any(|other| (&other.method, &other.path) == (&route.method, &route.path)) {
            problems.add(
                Diagnostic::new(format!("`{route}` stands here twice"))
                    .at(key.place.clone())
                    .label("the second would never answer")
                    .next("delete one of them; answers that take turns are a list: [{ status: 503 }, { json: ok }]"),
            );
        }
        routes.push(route);
    }
    routes
}

/// Complains about routes that don't go with what else the scenario serves.
pub(super) fn check(scenario: &Scenario, problems: &mut Problems) {
    for route in &scenario.routes {
        let answers_get = route.method.as_deref().is_none_or(|method| method == "GET");
        if answers_get && route.hides() && scenario.pages.iter().any(|(path, _)| *path == route.path) {
            problems.add(
                Diagnostic::new(format!("`{}` is under `pages` too", shown(&route.path)))
                    .at(route.place.clone())
                    .label("the page would never be seen")
                    .next("delete one of them, or name a method here: \"POST /…\""),
            );
        }
        let serves = scenario.serve.is_some() || !scenario.pages.is_empty();
        if !serves && !route.hides() {
            problems.add(
                Diagnostic::new("there is nothing that this route could answer with")
                    .at(route.place.clone())
                    .label("neither an answer nor a page")
                    .next(
                        "add `json`, `body`, `file` or `status` to it, or `serve: FOLDER` or `pages:` to the scenario",
                    ),
            );
        }
    }
}

/// A path, perhaps with a method before it.
fn address(key: &Key, problems: &mut Problems) -> Option<(Option<String>, String)> {
    let written = key.name.trim();
    let (method, path) = match written.split_once(char::is_whitespace) {
        Some((method, path)) if !written.starts_with('/') => (Some(method), path.trim()),
        _ => (None, written),
    };
    let problem = |title: &str, label: &str, next: String| {
        Diagnostic::new(title.to_owned()).at(key.place.clone()).label(label).next(next)
    };
    if path.contains("{{") {
        problems.add(route_answer::template(key.place.clone()));
        return None;
    }
    if method.is_none() && METHODS.iter().any(|known| known.eq_ignore_ascii_case(path)) {
        let next = format!("write the path behind it: \"{} /api/orders\"", path.to_ascii_uppercase());
        problems.add(problem("a route names a path", "this is a method alone", next));
        return None;
    }
    if let Some((_, rest)) = path.split_once("://") {
        let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/");
        let next = format!("write the path alone, `{}`; `mock` answers in the place of other servers", shown(path));
        problems.add(problem("a route is a path of this scenario's site", "this is a whole address", next));
        return None;
    }
    let before = method.map(|method| format!("{} ", method.to_ascii_uppercase())).unwrap_or_default();
    if !path.starts_with('/') {
        let next = format!("write `{before}/{}`", shown(path));
        problems.add(problem("a route's path begins with `/`", "this is not a path", next));
        return None;
    }
    if let Some((path, _)) = path.split_once('#') {
        let next = format!("write `{before}{}`", shown(path));
        problems.add(problem("no server is told what stands behind `#`", "it never gets here", next));
        return None;
    }
    let Some(method) = method else { return Some((None, path.to_owned())) };
    let capitals = method.to_ascii_uppercase();
    if !METHODS.contains(&capitals.as_str()) {
        let (label, next) = match nearest(&capitals, METHODS.iter().copied()) {
            Some(near) => (format!("did you mean `{near}`?"), format!("write `{near} {}`", shown(path))),
            None => ("not known here".to_owned(), format!("known here: {}", METHODS.join(", "))),
        };
        problems.add(problem(&format!("`{}` is not a method", shown(method)), &label, next));
        return None;
    }
    Some((Some(capitals), path.to_owned()))
}

/// One answer, or a list of them.
fn answers(node: &Node, problems: &mut Problems) -> Option<Vec<RouteAnswer>> {
    let Kind::List(items) = &node.kind else {
        let answer = route_answer::read(node, problems)?;
        if node.entries().is_some_and(<[_]>::is_empty) {
            problems.add(
                Diagnostic::new("this route says nothing")
                    .at(node.place.clone())
                    .label("no answer")
                    .next("write what it answers, such as { status: 404 } or { json: [] }"),
            );
            return None;
        }
        return Some(vec![answer]);
    };
    if items.is_empty() {
        problems.add(
            Diagnostic::new("this route has no answer")
                .at(node.place.clone())
                .label("nothing is listed here")
                .next("list the answers in turn, such as [{ status: 503 }, { json: ok }]; the last one stays"),
        );
        return None;
    }
    let answers: Vec<Option<RouteAnswer>> = items.iter().map(|item| route_answer::read(item, problems)).collect();
    answers.into_iter().collect()
}
