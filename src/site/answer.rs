//! A request becomes an answer.

use std::collections::HashMap;
use std::io::{self, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use percent_encoding::percent_decode_str;

use super::body::Body;
use super::lookup::{Folder, Found, Miss};
use super::missing::{Explanation, Given, missing};
use super::path_names::{PathNames, Refusal};
use super::range::{self, Wanted};
use super::routes::{Fits, Routes, Stopped, unauthorized};
use super::server::SiteSpec;

pub(super) const HTML: &str = "text/html; charset=utf-8";

/// Everything that is served.
pub(super) struct Pages {
    folder: Option<Arc<Folder>>,
    /// By name: a path without the slashes at its start, decoded.
    inline: HashMap<String, Bytes>,
    /// As they were written, for the page that says what there is.
    paths: Vec<String>,
    routes: Routes,
    /// Whether every connection is for one request alone. Browsers ask again by themselves where one that they had used before is
    /// closed without an answer, and then nobody would see that a route drops it.
    one_request_each: bool,
}

/// A request that is not answered: its connection is closed.
#[derive(Debug, thiserror::Error)]
#[error("the connection is closed without an answer")]
pub(super) struct Dropped;

impl Pages {
    pub(super) fn new(spec: &SiteSpec) -> io::Result<Pages> {
        let folder = spec.folder.as_deref().map(Folder::open).transpose()?.map(Arc::new);
        let mut inline = HashMap::new();
        for (path, text) in &spec.pages {
            if path.contains(['?', '#']) {
                let message = format!(
                    "the page `{path}` can't be served: a page is found by its path alone, without `?` and `#`"
                );
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            let (name, page) = (path.trim_start_matches('/'), Bytes::from(text.clone()));
            // A path may be written as a browser would spell it; a page of exactly that name comes first.
            if let Ok(decoded) = percent_decode_str(name).decode_utf8() {
                inline.entry(decoded.into_owned()).or_insert_with(|| page.clone());
            }
            inline.insert(name.to_owned(), page);
        }
        let paths = spec.pages.iter().map(|(path, _)| path.clone()).collect();
        let routes = Routes::new(&spec.routes);
        Ok(Pages { folder, inline, paths, one_request_each: routes.drop_any(), routes })
    }

    pub(super) async fn answer<T>(&self, request: &Request<T>, stopped: Stopped) -> Result<Response<Body>, Dropped> {
        let mut answer = match self.routes.fit(request) {
            Fits::Answer(route) => self.by_route(route, request, stopped).await?,
            Fits::Unauthorized => unauthorized(),
            Fits::Methods(methods) => self.served_or_not_allowed(request, &methods).await,
            Fits::None => self.served(request).await,
        };
        let headers = answer.headers_mut();
        // Pages under test change from one run to the next, and so must what the browser shows.
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        if self.one_request_each {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if request.method() == Method::HEAD {
            // The length is that of the body which a GET would have got.
            let length = hyper::body::Body::size_hint(answer.body()).exact();
            if let Some(length) = length.filter(|_| answer.status() != StatusCode::NO_CONTENT) {
                answer.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
            }
            *answer.body_mut() = Body::empty();
        }
        Ok(answer)
    }

    /// What is served without routes.
    pub(super) async fn served<T>(&self, request: &Request<T>) -> Response<Body> {
        match *request.method() {
            Method::GET | Method::HEAD => self.find(request).await,
            _ => not_allowed(request.method(), &["GET", "HEAD"]),
        }
    }

    /// A path that has routes for other methods only: it may be a page's too.
    async fn served_or_not_allowed<T>(&self, request: &Request<T>, methods: &[&str]) -> Response<Body> {
        let served = self.find(request).await;
        let found = served.status() != StatusCode::NOT_FOUND;
        if found && matches!(*request.method(), Method::GET | Method::HEAD) {
            return served;
        }
        let mut allowed = methods.to_vec();
        let get = found || methods.contains(&"GET");
        allowed.extend(["GET", "HEAD"].into_iter().filter(|method| get && !methods.contains(method)));
        not_allowed(request.method(), &allowed)
    }

    async fn find<T>(&self, request: &Request<T>) -> Response<Body> {
        let path = request.uri().path();
        let names = match PathNames::parse(path) {
            Ok(names) => names,
            Err(Refusal::Outside) => return forbidden("This path leads out of what is served."),
            Err(Refusal::NotText) => {
                return explained(StatusCode::NOT_FOUND, &missing(path, &[path.to_owned()], self.given(), None));
            }
        };
        let candidates = names.candidates();
        if let Some((name, page)) = self.inline_page(&names, &candidates) {
            return whole_or_part(request, &content_type(name, HTML), Content::Bytes(page));
        }
        match self.in_folder(names, request).await {
            Ok(answer) => answer,
            // Browsers ask for it by themselves; its absence is no fault of the page, and belongs in nobody's console.
            Err(_) if path == "/favicon.ico" => answered(StatusCode::NO_CONTENT, Body::empty()),
            Err(Some(Miss::Outside)) => forbidden("A symbolic link leads out of the served folder."),
            Err(miss) => {
                let page = missing(path, &candidates, self.given(), miss.as_ref());
                explained(StatusCode::NOT_FOUND, &page)
            }
        }
    }

    fn given(&self) -> Given<'_> {
        Given { pages: &self.paths, routes: self.routes.names() }
    }

    /// `/` and `/index.html` are one page, whichever of the two was given.
    fn inline_page<'a>(&self, names: &PathNames, candidates: &'a [String]) -> Option<(&'a str, Bytes)> {
        let mut name = names.name();
        if names.is_folder() && !name.is_empty() {
            name.push('/');
        }
        let first = candidates.first()?;
        let folder = name.strip_suffix("index.html").filter(|folder| folder.is_empty() || folder.ends_with('/'));
        let page = self.inline.get(&name).or_else(|| self.inline.get(folder?));
        if let Some(page) = page {
            return Some((first, page.clone()));
        }
        candidates.iter().find_map(|name| Some((name.as_str(), self.inline.get(name)?.clone())))
    }

    async fn in_folder<T>(&self, names: PathNames, request: &Request<T>) -> Result<Response<Body>, Option<Miss>> {
        let Some(folder) = self.folder.clone() else {
            return Err(None);
        };
        let found = tokio::task::spawn_blocking(move || (folder.find(&names), names)).await;
        // Only a panic in there could make the join fail.
        let Ok((found, names)) = found else {
            return Err(Some(Miss::Unreadable(io::ErrorKind::Other)));
        };
        Ok(match found.map_err(Some)? {
            Found::Small(name, bytes) => {
                whole_or_part(request, &content_type(&name, "application/octet-stream"), Content::Bytes(bytes))
            }
            Found::Large(name, file, length) => {
                whole_or_part(request, &content_type(&name, "application/octet-stream"), Content::File(file, length))
            }
            Found::Folder => {
                let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
                let mut answer = answered(StatusCode::FOUND, Body::empty());
                if let Ok(location) = HeaderValue::from_str(&format!("{}{query}", names.location())) {
                    answer.headers_mut().insert(header::LOCATION, location);
                }
                answer
            }
        })
    }
}

/// What an answer carries, before it is known how much of it is asked for.
pub(super) enum Content {
    Bytes(Bytes),
    File(std::fs::File, u64),
}

impl Content {
    fn length(&self) -> u64 {
        match self {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::File(_, length) => *length,
        }
    }

    fn part(self, part: Range<u64>) -> io::Result<Body> {
        match self {
            Content::Bytes(bytes) => {
                let at = |offset| usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
                Ok(Body::bytes(bytes.slice(at(part.start)..at(part.end))))
            }
            Content::File(mut file, _) => {
                file.seek(SeekFrom::Start(part.start))?;
                Ok(Body::file(file, part.end - part.start))
            }
        }
    }
}

pub(super) fn whole_or_part<T>(request: &Request<T>, content_type: &str, content: Content) -> Response<Body> {
    let length = content.length();
    let asked = request.headers().get(header::RANGE).and_then(|value| value.to_str().ok());
    // A range is asked of GET only; and an `If-Range` can't hold, as no answer carries anything to compare it with.
    let asked = asked.filter(|_| request.method() == Method::GET && !request.headers().contains_key(header::IF_RANGE));
    let (status, part) = match asked.map_or(Wanted::Whole, |asked| range::wanted(asked, length)) {
        Wanted::Whole => (StatusCode::OK, 0..length),
        Wanted::Part(part) => (StatusCode::PARTIAL_CONTENT, part),
        Wanted::Nothing => {
            let mut answer = answered(StatusCode::RANGE_NOT_SATISFIABLE, Body::empty());
            set(&mut answer, header::CONTENT_RANGE, &format!("bytes */{length}"));
            return answer;
        }
    };
    let content_range = format!("bytes {}-{}/{length}", part.start, part.end.saturating_sub(1));
    let Ok(body) = content.part(part) else {
        return explained(StatusCode::INTERNAL_SERVER_ERROR, &Explanation::new("500 The file can't be read"));
    };
    let mut answer = answered(status, body);
    set(&mut answer, header::CONTENT_TYPE, content_type);
    set(&mut answer, header::ACCEPT_RANGES, "bytes");
    if status == StatusCode::PARTIAL_CONTENT {
        set(&mut answer, header::CONTENT_RANGE, &content_range);
    }
    answer
}

/// The content type by the name's extension, text as UTF-8.
#[must_use]
pub fn content_type(name: &str, without_extension: &str) -> String {
    let Some(guess) = mime_guess::from_path(name).first() else {
        return without_extension.to_owned();
    };
    let is_text = guess.type_() == mime_guess::mime::TEXT
        || guess.suffix().is_some_and(|suffix| suffix == "xml" || suffix == "json")
        || matches!(guess.subtype().as_str(), "javascript" | "json" | "xml");
    if is_text { format!("{guess}; charset=utf-8") } else { guess.to_string() }
}

fn not_allowed(method: &Method, allowed: &[&str]) -> Response<Body> {
    let allowed = allowed.join(", ");
    let page = Explanation::new("405 Method Not Allowed").say(&format!(
        "What is served here answers to {allowed}, not to {method}. `routes` of the scenario or a `mock` can answer that, or an application's own server."
    ));
    let mut answer = explained(StatusCode::METHOD_NOT_ALLOWED, &page);
    set(&mut answer, header::ALLOW, &allowed);
    answer
}

fn forbidden(why: &str) -> Response<Body> {
    explained(StatusCode::FORBIDDEN, &Explanation::new("403 Forbidden").say(why))
}

pub(super) fn explained(status: StatusCode, page: &Explanation) -> Response<Body> {
    let mut answer = answered(status, Body::bytes(page.html().into()));
    set(&mut answer, header::CONTENT_TYPE, HTML);
    answer
}

pub(super) fn answered(status: StatusCode, body: Body) -> Response<Body> {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    answer
}

/// Sets a header whose value is ours, and so is always one.
pub(super) fn set(answer: &mut Response<Body>, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers_mut().insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_types_by_extension() {
        for (name, expected) in [
            ("a.html", "text/html; charset=utf-8"),
            ("a.css", "text/css; charset=utf-8"),
            ("a.js", "text/javascript; charset=utf-8"),
            ("a.mjs", "application/javascript; charset=utf-8"),
            ("a.json", "application/json; charset=utf-8"),
            ("a.webmanifest", "application/manifest+json; charset=utf-8"),
            ("a.svg", "image/svg+xml; charset=utf-8"),
            ("a.xml", "text/xml; charset=utf-8"),
            ("a.csv", "text/csv; charset=utf-8"),
            ("a.wasm", "application/wasm"),
            ("a.png", "image/png"),
            ("A.PNG", "image/png"),
            ("a.woff2", "font/woff2"),
            ("a.mp4", "video/mp4"),
            ("a", "the default"),
            ("a.unknown-to-all", "the default"),
        ] {
            assert_eq!(content_type(name, "the default"), expected, "{name}");
        }
    }
}
