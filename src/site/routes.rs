//! Answers of the scenario's routes.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::stream;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Request, Response, StatusCode};
use tokio::sync::watch;
use tokio::time::Instant;

use super::answer::{Content, Dropped, Pages, answered, content_type, explained, set, whole_or_part};
use super::body::Body;
use super::missing::Explanation;
use crate::scenario::{Credentials, Route, RouteAnswer, RouteBody, RouteEvent, RouteWhat};

/// Set by the site's end; whatever waits for a time waits for this as well.
pub(super) type Stopped = watch::Receiver<Option<Instant>>;

/// The routes, the most exact first, and how far each has come.
pub(super) struct Routes(Vec<Rule>);

struct Rule {
    route: Route,
    turn: AtomicUsize,
}

/// What routes there are for a request.
pub(super) enum Fits<'a> {
    /// This one, with its answer that is due.
    Answer(&'a RouteAnswer),
    /// This one, but only for those who know the password.
    Unauthorized,
    /// Only such for other methods.
    Methods(Vec<&'a str>),
    /// None.
    None,
}

impl Routes {
    pub(super) fn new(routes: &[Route]) -> Routes {
        let mut rules: Vec<Rule> =
            routes.iter().map(|route| Rule { route: route.clone(), turn: AtomicUsize::new(0) }).collect();
        // Among equals the sort keeps the order of the file.
        rules.sort_by_key(|rule| std::cmp::Reverse(rule.route.exactness()));
        Routes(rules)
    }

    /// As they are written.
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|rule| rule.route.to_string()).collect()
    }

    /// Whether some request is not answered.
    pub(super) fn drop_any(&self) -> bool {
        self.0.iter().any(|rule| rule.route.answers.iter().any(|answer| answer.what == RouteWhat::Drop))
    }

    /// The route for a request. It takes its turn, unless it first asks for a password.
    pub(super) fn fit<T>(&self, request: &Request<T>) -> Fits<'_> {
        let (path, query) = (request.uri().path(), request.uri().query());
        let asked = request.method().as_str();
        let mut others: Vec<&str> = Vec::new();
        let mut found: Option<&Rule> = None;
        // Browsers ask for it by themselves: it takes nobody's turn, and is nobody's fault.
        let by_itself = path == "/favicon.ico";
        let meant = |route: &Route| route.is_at(path, query) && !(by_itself && route.path.contains('*'));
        for rule in self.0.iter().filter(|rule| meant(&rule.route)) {
            match rule.route.method.as_deref() {
                None => found = found.or(Some(rule)),
                Some(method) if method == asked => {
                    // What answers GET stands in for HEAD only where the same path has nothing for HEAD itself.
                    let own = |other: &Rule| other.route.method.as_deref() == Some(asked);
                    let stands_in = found.is_some_and(|other| !own(other) && other.route.path == rule.route.path);
                    found = found.filter(|_| !stands_in).or(Some(rule));
                }
                Some("GET") if asked == "HEAD" => found = found.or(Some(rule)),
                Some(method) if !others.contains(&method) => others.push(method),
                Some(_) => {}
            }
        }
        match found {
            Some(rule) => rule.take(request).map_or(Fits::Unauthorized, Fits::Answer),
            None if others.is_empty() => Fits::None,
            None => Fits::Methods(others),
        }
    }
}

impl Rule {
    /// The answer that is due; `None` when the request lacks the password for it.
    fn take<T>(&self, request: &Request<T>) -> Option<&RouteAnswer> {
        let answers = &self.route.answers;
        let due = |turn: usize| answers.get(turn.min(answers.len().saturating_sub(1)));
        let allowed = |answer: &RouteAnswer| answer.auth.as_ref().is_none_or(|auth| knows(request, auth));
        let next = |turn: usize| due(turn).filter(|answer| allowed(answer)).map(|_| turn.saturating_add(1));
        let turn = self.turn.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        due(turn)
    }
}

/// Whether a request names the user and the password.
fn knows<T>(request: &Request<T>, auth: &Credentials) -> bool {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let encoded = given.and_then(|given| given.trim().split_once(' '));
    let encoded = encoded.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"));
    let decoded = encoded.and_then(|(_, encoded)| STANDARD.decode(encoded.trim()).ok());
    decoded.is_some_and(|decoded| decoded == format!("{}:{}", auth.user, auth.password).into_bytes())
}

impl Pages {
    /// What a route answers.
    pub(super) async fn by_route<T>(
        &self,
        route: &RouteAnswer,
        request: &Request<T>,
        mut stopped: Stopped,
    ) -> Result<Response<Body>, Dropped> {
        if !unless_stopped(route.delay, &mut stopped).await {
            return Err(Dropped);
        }
        let mut answer = match &route.what {
            RouteWhat::Drop => return Err(Dropped),
            RouteWhat::Served => self.served(request).await,
            RouteWhat::Body(status, body) => with_body(request, code(*status), body).await,
            RouteWhat::Redirect(status, to) => {
                let mut answer = answered(code(*status), Body::empty());
                set(&mut answer, header::LOCATION, to);
                answer
            }
            RouteWhat::Events { events, close } => {
                let mut answer = answered(StatusCode::OK, event_stream(events.clone(), *close, stopped));
                set(&mut answer, header::CONTENT_TYPE, "text/event-stream");
                answer
            }
        };
        let mut set_already: Vec<HeaderName> = Vec::new();
        for (name, value) in &route.headers {
            // Both were looked at when the scenario was read.
            let (Ok(name), Ok(value)) =
                (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(value.as_bytes()))
            else {
                continue;
            };
            if set_already.contains(&name) {
                answer.headers_mut().append(name, value);
            } else {
                answer.headers_mut().insert(name.clone(), value);
                set_already.push(name);
            }
        }
        Ok(answer)
    }
}

/// The answer to those who have not said the password.
pub(super) fn unauthorized() -> Response<Body> {
    let page = Explanation::new("401 Unauthorized").say("A user and a password are asked for here.");
    let mut answer = explained(StatusCode::UNAUTHORIZED, &page);
    set(&mut answer, header::WWW_AUTHENTICATE, "Basic realm=\"scenario\", charset=\"UTF-8\"");
    answer
}

/// A status that was looked at when the scenario was read.
fn code(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::OK)
}

/// Waits; `false` when the site is stopped meanwhile.
async fn unless_stopped(time: Duration, stopped: &mut Stopped) -> bool {
    if time.is_zero() {
        return true;
    }
    tokio::select! {
        () = tokio::time::sleep(time) => true,
        _ = stopped.wait_for(Option::is_some) => false,
    }
}

async fn with_body<T>(request: &Request<T>, status: StatusCode, body: &RouteBody) -> Response<Body> {
    let (kind, bytes) = match body {
        RouteBody::Empty => (None, Bytes::new()),
        RouteBody::Json(json) => (Some("application/json".to_owned()), json.to_string().into()),
        RouteBody::Text(text) => (Some("text/plain; charset=utf-8".to_owned()), text.clone().into()),
        RouteBody::File(path) => {
            let Ok(bytes) = tokio::fs::read(path).await else {
                let page = Explanation::new("500 The file can't be read");
                return explained(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    &page.say("The file of this route has gone since the scenario was read."),
                );
            };
            let name = path.file_name().map(Path::new).unwrap_or(path).to_string_lossy().into_owned();
            let kind = content_type(&name, "application/octet-stream");
            if status == StatusCode::OK {
                return whole_or_part(request, &kind, Content::Bytes(bytes.into()));
            }
            (Some(kind), bytes.into())
        }
    };
    let mut answer = answered(status, Body::bytes(bytes));
    if let Some(kind) = kind {
        set(&mut answer, header::CONTENT_TYPE, &kind);
    }
    answer
}

/// The events, each in its time; ends with them if it is to close, and with the site in any case.
fn event_stream(events: Vec<RouteEvent>, close: bool, stopped: Stopped) -> Body {
    let events = events.into_iter();
    Body::stream(Box::pin(stream::unfold((events, stopped), move |(mut events, mut stopped)| async move {
        let Some(event) = events.next() else {
            if !close {
                // An error is an end as well: the site has gone.
                let _ = stopped.wait_for(Option::is_some).await;
            }
            return None;
        };
        let goes_on = unless_stopped(event.after, &mut stopped).await;
        goes_on.then(|| (Bytes::from(event.text), (events, stopped)))
    })))
}
