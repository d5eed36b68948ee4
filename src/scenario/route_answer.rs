//! One answer of `routes:`.

use std::time::Duration;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::diagnostic::{Diagnostic, Problems, shown};
use super::head_keys::{AUTH, ROUTE, ROUTE_EVENT, names_of};
use super::http;
use super::node::{Key, Kind, Node};
use super::routes::{Credentials, RouteAnswer, RouteBody, RouteEvent, RouteWhat};
use super::source::Place;

/// What an answer can be, one of them.
const WHATS: &[&str] = &["json", "body", "file", "redirect", "events", "drop"];
/// Statuses that send a browser elsewhere.
const REDIRECTS: &[u16] = &[301, 302, 303, 307, 308];
/// Statuses whose answers have no body.
const WITHOUT_BODY: &[u16] = &[204, 205, 304];
/// Headers that say how an answer is sent, which only the server knows.
const OF_THE_SERVER: &[&str] =
    &["content-length", "transfer-encoding", "connection", "keep-alive", "trailer", "upgrade"];
/// What a URL can't hold as it is.
const NOT_IN_URLS: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'\\');

/// What is written elsewhere, and what it is called here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("abort", "write `drop: true`: the connection is closed without an answer"),
    ("method", "write it before the path: \"POST /api/orders\""),
    ("times", "list the answers in turn, such as [{ status: 503 }, { json: ok }]; the last one stays"),
    ("then", "list the answers in turn, such as [{ status: 503 }, { json: ok }]; the last one stays"),
    ("content-type", "write `headers: { Content-Type: … }`"),
    ("type", "write `headers: { Content-Type: … }`"),
    ("html", "write `body`, with `headers: { Content-Type: text/html }`, or put the page under `pages:`"),
    ("text", "write `body`"),
    ("location", "write `redirect`"),
];

/// Reads an answer.
pub(super) fn read(node: &Node, problems: &mut Problems) -> Option<RouteAnswer> {
    let told = problems.len();
    if let Some(text) = node.text().filter(|_| !node.is_null()) {
        let next = match text {
            text if text.starts_with('/') || text.contains("://") => format!("write {{ redirect: {} }}", shown(text)),
            text if text.parse::<u16>().is_ok() => format!("write {{ status: {text} }}"),
            text => format!("write {{ body: \"{}\" }}", shown(text)),
        };
        let problem = Diagnostic::new("an answer is a map, or a list of them").at(node.place.clone());
        problems.add(problem.label("this is text").next(next));
        return None;
    }
    let entries = node.want_map("an answer", problems)?;
    entries.iter().for_each(|(key, _)| known(key, problems));
    let before = problems.len();
    entries.iter().for_each(|(_, value)| templates(value, problems));
    if problems.len() > before {
        // What they would have become is not for anybody to judge.
        return None;
    }
    let drop = flag(node, "drop", problems);
    let close = flag(node, "close", problems);
    let is = |name: &str| if name == "drop" { drop } else { node.get(name).is_some() };
    let whats: Vec<&Key> =
        entries.iter().map(|(key, _)| key).filter(|key| WHATS.contains(&&*key.name) && is(&key.name)).collect();
    if let [one, other, ..] = whats.as_slice() {
        exclude(one, other, "an answer can't be both", problems);
        return None;
    }
    let what = whats.first().map(|key| key.name.as_str());
    let not_with: &[&str] = match what {
        Some("drop") => &["status", "headers", "auth"],
        Some("events") => &["status"],
        _ => &[],
    };
    if let (Some(what), Some((other, _))) =
        (whats.first(), entries.iter().find(|(key, _)| not_with.contains(&&*key.name)))
    {
        let why =
            if what.name == "drop" { "a dropped connection has no answer" } else { "an event stream has status 200" };
        exclude(what, other, why, problems);
        return None;
    }
    if let Some((key, _)) = entries.iter().find(|(key, _)| key.name == "close" && what != Some("events")) {
        problems.add(
            Diagnostic::new("`close` is about event streams")
                .at(key.place.clone())
                .label("there are no `events`")
                .next("delete it; a connection that ends without an answer is `drop: true`"),
        );
    }
    let auth = node.get("auth").map(|node| auth(node, problems));
    let delay = node.get("delay").map_or(Some(Duration::ZERO), |node| node.want_duration("`delay`", problems));
    let headers = node.get("headers").map_or(Some(Vec::new()), |node| headers(node, problems));
    let status = node.get("status").map(|node| (node, http::status(node, problems)));
    let what = match (what, status) {
        (_, Some((_, None))) => None,
        (Some("drop"), _) => Some(RouteWhat::Drop),
        (Some("events"), _) => events(node.get("events")?, problems).map(|events| RouteWhat::Events { events, close }),
        (Some("redirect"), status) => redirect(node.get("redirect")?, status, problems),
        (None, None) => Some(RouteWhat::Served),
        (body, status) => {
            let status = status.and_then(|(node, status)| Some((node, status?)));
            without_body(body, status, problems);
            let status = status.map_or(200, |(_, status)| status);
            body_of(node, body, problems).map(|body| RouteWhat::Body(status, body))
        }
    };
    let auth = match auth {
        Some(read) => Some(read?),
        None => None,
    };
    let answer = RouteAnswer { auth, delay: delay?, headers: headers?, what: what? };
    (problems.len() == told).then_some(answer)
}

fn known(key: &Key, problems: &mut Problems) {
    if ROUTE.iter().any(|known| known.name == key.name) {
        return;
    }
    let title = format!("an answer has no `{}`", shown(&key.name));
    match ELSEWHERE.iter().find(|(word, _)| word.eq_ignore_ascii_case(&key.name)) {
        Some((_, next)) => {
            problems.add(Diagnostic::new(title).at(key.place.clone()).label("not known here").next(*next));
        }
        None => problems.add(key.unknown(&title, &names_of(ROUTE))),
    }
}

fn exclude(one: &Key, other: &Key, why: &str, problems: &mut Problems) {
    problems.add(
        Diagnostic::new(format!("`{}` and `{}` exclude each other", one.name, other.name))
            .at(other.place.clone())
            .label(why)
            .next("leave one of them out"),
    );
}

/// The complaint about a template in a route.
pub(super) fn template(place: Place) -> Diagnostic {
    Diagnostic::new("`routes` are served before there are values: `{{ … }}` is not filled in here")
        .at(place)
        .label("not filled in")
        .next("answer with the step `mock`, which fills it in; text that really holds `{{` can stand in a `file`")
}

fn templates(node: &Node, problems: &mut Problems) {
    match &node.kind {
        Kind::Scalar { text, .. } => {
            if let Some(start) = text.find("{{") {
                let end = text.get(start..).and_then(|rest| rest.find("}}")).map_or(start + 2, |end| start + end + 2);
                problems.add(template(node.place_in(start..end)));
            }
        }
        Kind::List(items) => items.iter().for_each(|item| templates(item, problems)),
        Kind::Map(entries) => entries.iter().for_each(|(_, value)| templates(value, problems)),
    }
}

/// A flag that is off where it is left out.
fn flag(node: &Node, name: &str, problems: &mut Problems) -> bool {
    let Some(node) = node.get(name) else { return false };
    let value = node.json().as_bool();
    if value.is_none() {
        problems.add(
            Diagnostic::new(format!("`{name}` is true or false"))
                .at(node.place.clone())
                .label("neither of them")
                .next(format!("write `{name}: true`, or leave it out")),
        );
    }
    value.unwrap_or(false)
}

fn auth(node: &Node, problems: &mut Problems) -> Option<Credentials> {
    node.want_keys("`auth`", &names_of(AUTH), problems)?;
    let example = "write auth: { user: ada, password: pw }";
    let (user, password) = node.want_both(("user", "password"), &node.place, "half of an `auth`", example, problems)?;
    let name = user.want_text("`user`", problems);
    let password = password.want_text("`password`", problems);
    if name.is_some_and(|name| name.contains(':')) {
        problems.add(
            Diagnostic::new("a user's name can't hold `:`")
                .at(user.place.clone())
                .label("the password would begin there")
                .next("choose a name without it"),
        );
        return None;
    }
    Some(Credentials { user: name?.to_owned(), password: password?.to_owned() })
}

fn headers(node: &Node, problems: &mut Problems) -> Option<Vec<(String, String)>> {
    let mut headers = Vec::new();
    let told = problems.len();
    for (key, value) in node.want_map("`headers`", problems)? {
        if !http::is_header_name(key, problems) {
            continue;
        }
        if OF_THE_SERVER.iter().any(|name| name.eq_ignore_ascii_case(&key.name)) {
            problems.add(
                Diagnostic::new(format!("`{}` is for the server to say", key.name))
                    .at(key.place.clone())
                    .label("it says how the answer is sent")
                    .next("delete it"),
            );
        }
        let values = value.items().unwrap_or(std::slice::from_ref(value));
        for value in values {
            let Some(text) = value.want_text(&format!("`{}`", key.name), problems) else { continue };
            if text.chars().any(|c| c.is_control() && c != '\t') {
                problems.add(
                    Diagnostic::new(format!("the header `{}` holds a line break", key.name))
                        .at(value.place.clone())
                        .label("a header is one line")
                        .next("write it on one line, and a second one of the same name as a list: [one, two]"),
                );
            }
            headers.push((key.name.clone(), text.trim().to_owned()));
        }
    }
    (problems.len() == told).then_some(headers)
}

fn redirect(node: &Node, status: Option<(&Node, Option<u16>)>, problems: &mut Problems) -> Option<RouteWhat> {
    let target = node.want_filled("`redirect`", problems)?;
    let whole = target.split_once("://").is_some_and(|(scheme, rest)| {
        !rest.is_empty() && scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && !scheme.contains('/')
    });
    if !target.starts_with('/') && !whole {
        problems.add(
            Diagnostic::new("`redirect` names a path or a whole address")
                .at(node.place.clone())
                .label("neither")
                .next(format!("write /{}", shown(target))),
        );
        return None;
    }
    let code = status.and_then(|(_, status)| status).unwrap_or(302);
    if let Some((node, _)) = status.filter(|_| !REDIRECTS.contains(&code)) {
        problems.add(
            Diagnostic::new(format!("a redirect can't have status {code}"))
                .at(node.place.clone())
                .label("no browser would follow it")
                .next("write 301, 302, 303, 307 or 308; 302 is what it has without `status`"),
        );
        return None;
    }
    Some(RouteWhat::Redirect(code, utf8_percent_encode(target, NOT_IN_URLS).to_string()))
}

fn without_body(body: Option<&str>, status: Option<(&Node, u16)>, problems: &mut Problems) {
    let (Some(body), Some((node, status))) = (body, status) else { return };
    if WITHOUT_BODY.contains(&status) {
        problems.add(
            Diagnostic::new(format!("an answer with status {status} has no body"))
                .at(node.place.clone())
                .label(format!("and there is `{body}`"))
                .next(format!("leave `{body}` out, or write another status")),
        );
    }
}

fn body_of(node: &Node, body: Option<&str>, problems: &mut Problems) -> Option<RouteBody> {
    let Some(name) = body else { return Some(RouteBody::Empty) };
    let body = node.get(name)?;
    match name {
        "json" => Some(RouteBody::Json(body.json())),
        "body" => body.want_text("`body`", problems).map(|text| RouteBody::Text(text.to_owned())),
        _ => {
            let file = body.want_filled("`file`", problems)?;
            let path = http::file_beside(body, file, problems)?;
            // The site may be started from elsewhere.
            Some(RouteBody::File(std::path::absolute(&path).unwrap_or(path)))
        }
    }
}

fn events(node: &Node, problems: &mut Problems) -> Option<Vec<RouteEvent>> {
    let told = problems.len();
    let items = node.want_list("`events`", problems)?;
    let events: Vec<RouteEvent> = items.iter().filter_map(|item| event(item, problems)).collect();
    (problems.len() == told).then_some(events)
}

fn event(node: &Node, problems: &mut Problems) -> Option<RouteEvent> {
    if let Some(text) = node.text().filter(|_| !node.is_null()) {
        problems.add(
            Diagnostic::new("an event is a map")
                .at(node.place.clone())
                .label("this is text")
                .next(format!("write {{ data: \"{}\" }}", shown(text))),
        );
        return None;
    }
    let entries = node.want_keys("an event", &names_of(ROUTE_EVENT), problems)?;
    if node.get("data").is_none() && node.get("retry").is_none() {
        let place = entries.first().map_or(&node.place, |(key, _)| &key.place);
        problems.add(
            Diagnostic::new("this event has no `data`")
                .at(place.clone())
                .label("no browser would tell the page of it")
                .next("write { data: … }; `data: \"\"` is an event that says nothing"),
        );
        return None;
    }
    let mut text = String::new();
    for name in ["event", "id"] {
        let Some(value) = node.get(name) else { continue };
        let written = value.want_text(&format!("`{name}`"), problems)?;
        if written.contains(['\r', '\n', '\0']) {
            problems.add(
                Diagnostic::new(format!("`{name}` of an event is one line"))
                    .at(value.place.clone())
                    .label("this is not")
                    .next("write it on one line"),
            );
        }
        text.push_str(&format!("{name}: {written}\n"));
    }
    if let Some(retry) = node.get("retry") {
        text.push_str(&format!("retry: {}\n", retry.want_duration("`retry`", problems)?.as_millis()));
    }
    if let Some(data) = node.get("data") {
        let data = match data.text().filter(|_| !data.is_null()) {
            Some(text) => text.to_owned(),
            None => data.json().to_string(),
        };
        // All three kinds of line breaks end a line of the stream.
        for line in data.replace("\r\n", "\n").split(['\r', '\n']) {
            text.push_str(&format!("data: {line}\n"));
        }
    }
    text.push('\n');
    let after = node.get("after").map_or(Some(Duration::ZERO), |node| node.want_duration("`after`", problems));
    Some(RouteEvent { after: after?, text })
}
