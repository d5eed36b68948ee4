//! `mock`: answers requests in the place of servers.

use std::time::Duration;

use async_trait::async_trait;

use super::body::JsonBody;
use super::files;
use crate::page::net::{Mock, MockAnswer};
use crate::scenario::{Deferred, UrlPattern, is_header_name};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "mock",
    group: Group::Around,
    summary: "Answers requests in the server's place from now on, in every tab, frame and worker; the newest mock that fits answers. One that was never used is told at the end.",
    short: None,
    fields: &[
        required(
            "url",
            Kind::UrlPattern,
            "Which requests: the address, whole or from its path on, any query unless one is written.",
        ),
        field("method", Kind::Text, "Only requests of this method, such as POST."),
        field("status", Kind::Number, "The HTTP status of the answer: 200 unless told."),
        field("headers", Kind::Map, "Headers of the answer."),
        field("json", Kind::Value, "The body, as JSON."),
        field("body", Kind::Text, "The body, as text."),
        field("file", Kind::Text, "The body, from a file beside the scenario."),
        field("delay", Kind::Duration, "How long the answer takes."),
        field("abort", Kind::Boolean, "No answer at all: the connection fails."),
        field("times", Kind::Number, "How many requests are answered; the next ones go to older mocks and the server."),
    ],
    example: "- mock: { url: /api/pay, method: POST, status: 402, json: { error: card declined } }",
    build,
};

#[derive(Debug)]
enum Body {
    Nothing,
    Json(JsonBody),
    Text(Deferred<String>),
    File(Deferred<String>),
}

#[derive(Debug)]
enum What {
    Abort,
    Respond { status: u16, headers: Vec<(String, Deferred<String>)>, body: Body },
}

#[derive(Debug)]
struct MockStep {
    url: Deferred<UrlPattern>,
    method: Option<String>,
    what: What,
    delay: Duration,
    times: Option<u64>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let url = args.given("url");
    let method = method(args);
    let what = what(args);
    let delay = if args.has("delay") { args.duration("delay") } else { Some(Duration::ZERO) };
    let times = if args.has("times") { args.whole("times", 1).map(Some) } else { Some(None) };
    Some(Box::new(MockStep { url: url?, method: method?, what: what?, delay: delay?, times: times? }))
}

/// A method as it is sent; `None` when a problem was told.
#[allow(clippy::option_option)] // As in `Arguments::given_if_any`.
pub(in crate::steps) fn method(args: &mut Arguments<'_>) -> Option<Option<String>> {
    let Some(node) = args.raw("method") else { return Some(None) };
    let text = node.want_text("`method`", args.problems())?;
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_alphabetic() || c == '-') {
        args.problem(
            wrong(&node.place, format!("`{text}` is not a method")).label("one word, such as GET, POST, PUT or DELETE"),
        );
        return None;
    }
    Some(Some(text.to_ascii_uppercase()))
}

fn what(args: &mut Arguments<'_>) -> Option<What> {
    let parts: Vec<&str> =
        ["status", "headers", "json", "body", "file"].into_iter().filter(|name| args.has(name)).collect();
    let bodies: Vec<&str> = parts.iter().copied().filter(|name| ["json", "body", "file"].contains(name)).collect();
    if args.flag("abort") {
        if let Some(part) = parts.first() {
            let place = args.place();
            args.problem(
                wrong(place, format!("`abort` and `{part}` exclude each other"))
                    .label("a connection that fails has no answer")
                    .next("leave one of them out"),
            );
            return None;
        }
        return Some(What::Abort);
    }
    if let [one, other, ..] = bodies.as_slice() {
        let place = args.place();
        args.problem(
            wrong(place, format!("`{one}` and `{other}` exclude each other"))
                .label("an answer has one body")
                .next("leave one of them out"),
        );
        return None;
    }
    let status = status(args);
    let headers = headers(args, "headers");
    let body = match bodies.first() {
        Some(&"json") => {
            let node = args.raw("json")?;
            JsonBody::read(node, args.problems()).map(Body::Json)
        }
        Some(&"body") => args.given("body").map(Body::Text),
        Some(&"file") => {
            if let Some(node) = args.raw("file") {
                files::check_there(node, args.problems());
            }
            args.given("file").map(Body::File)
        }
        _ => Some(Body::Nothing),
    };
    Some(What::Respond { status: status?, headers: headers?, body: body? })
}

fn status(args: &mut Arguments<'_>) -> Option<u16> {
    let Some(node) = args.raw("status") else { return Some(200) };
    crate::scenario::status(node, args.problems())
}

/// Headers with their values; `None` when a problem was told.
pub(in crate::steps) fn headers(args: &mut Arguments<'_>, name: &str) -> Option<Vec<(String, Deferred<String>)>> {
    if !args.has(name) {
        return Some(Vec::new());
    }
    let mut headers = Vec::new();
    let mut sound = true;
    for (key, node) in args.map(name)? {
        sound &= is_header_name(key, args.problems());
        match Deferred::parse(node, args.problems()) {
            Some(value) => headers.push((key.name.clone(), value)),
            None => sound = false,
        }
    }
    sound.then_some(headers)
}

/// Headers with their values filled in.
pub(in crate::steps) async fn filled(
    stage: &mut Stage,
    at: &At<'_>,
    headers: &[(String, Deferred<String>)],
) -> Result<Vec<(String, String)>, Failure> {
    let mut all = Vec::new();
    for (name, value) in headers {
        let value = stage.get(value, at).await?;
        if value.contains(['\r', '\n', '\0']) {
            return Err(at.failure(format!("the header `{name}` holds a line break")).label("a header is one line"));
        }
        all.push((name.clone(), value.into_owned()));
    }
    Ok(all)
}

impl Body {
    /// The bytes, and the type they have unless a header says otherwise.
    async fn bytes(&self, stage: &mut Stage, at: &At<'_>) -> Result<(Vec<u8>, Option<String>), Failure> {
        Ok(match self {
            Body::Nothing => (Vec::new(), None),
            Body::Json(json) => {
                let json = json.value(stage, at).await?;
                (json.to_string().into_bytes(), Some("application/json".to_owned()))
            }
            Body::Text(text) => {
                let text = stage.get(text, at).await?;
                (text.into_owned().into_bytes(), Some("text/plain; charset=utf-8".to_owned()))
            }
            Body::File(path) => {
                let path = stage.get(path, at).await?;
                let kind = crate::site::content_type(&path, "application/octet-stream");
                (files::read_beside(stage, at, &path)?, Some(kind))
            }
        })
    }
}

#[async_trait(?Send)]
impl Action for MockStep {
    fn describe(&self) -> String {
        match &self.method {
            Some(method) => format!("mock {method} {}", self.url),
            None => format!("mock {}", self.url),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let url = stage.get(&self.url, at).await?.into_owned();
        let answer = match &self.what {
            What::Abort => MockAnswer::Abort,
            What::Respond { status, headers, body } => {
                let mut headers = filled(stage, at, headers).await?;
                let (body, kind) = body.bytes(stage, at).await?;
                if let Some(kind) =
                    kind.filter(|_| !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")))
                {
                    headers.push(("Content-Type".to_owned(), kind));
                }
                MockAnswer::Respond { status: *status, headers, body }
            }
        };
        let line = at.place.line();
        let id = format!("line {line}: {}", self.describe());
        let mock = Mock { id, url, method: self.method.clone(), answer, delay: self.delay, times: self.times };
        let page = stage.page();
        page.traffic().mock(mock, at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
