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
use super::missing::{Explanation, missing};
use super::range::{self, Wanted};
use super::route::{Refusal, Route};
use super::server::SiteSpec;

const HTML: &str = "text/html; charset=utf-8";

/// Everything that is served.
pub(super) struct Pages {
    folder: Option<Arc<Folder>>,
    /// By name: a path without the slashes at its start, decoded.
    inline: HashMap<String, Bytes>,
    /// As they were written, for the page that says what there is.
    paths: Vec<String>,
}

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
        Ok(Pages { folder, inline, paths })
    }

    pub(super) async fn answer<T>(&self, request: &Request<T>) -> Response<Body> {
        let mut answer = match *request.method() {
            Method::GET | Method::HEAD => self.find(request).await,
            _ => not_allowed(request.method()),
        };
        // Pages under test change from one run to the next, and so must what the browser shows.
        answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if request.method() == Method::HEAD {
            // The length is that of the body which a GET would have got.
            if answer.status() != StatusCode::NO_CONTENT {
                let length = hyper::body::Body::size_hint(answer.body()).exact().unwrap_or_default();
                answer.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
            }
            *answer.body_mut() = Body::empty();
        }
        answer
    }

    async fn find<T>(&self, request: &Request<T>) -> Response<Body> {
        let path = request.uri().path();
        let route = match Route::parse(path) {
            Ok(route) => route,
            Err(Refusal::Outside) => return forbidden("This path leads out of what is served."),
            Err(Refusal::NotText) => {
                return explained(StatusCode::NOT_FOUND, &missing(path, &[path.to_owned()], &self.paths, None));
            }
        };
        let candidates = route.candidates();
        if let Some((name, page)) = self.inline_page(&route, &candidates) {
            return whole_or_part(request, &content_type(name, HTML), Content::Bytes(page));
        }
        match self.in_folder(route, request).await {
            Ok(answer) => answer,
            // Browsers ask for it by themselves; its absence is no fault of the page, and belongs in nobody's console.
            Err(_) if path == "/favicon.ico" => answered(StatusCode::NO_CONTENT, Body::empty()),
            Err(Some(Miss::Outside)) => forbidden("A symbolic link leads out of the served folder."),
            Err(miss) => {
                let page = missing(path, &candidates, &self.paths, miss.as_ref());
                explained(StatusCode::NOT_FOUND, &page)
            }
        }
    }

    /// `/` and `/index.html` are one page, whichever of the two was given.
    fn inline_page<'a>(&self, route: &Route, candidates: &'a [String]) -> Option<(&'a str, Bytes)> {
        let mut name = route.name();
        if route.is_folder() && !name.is_empty() {
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

    async fn in_folder<T>(&self, route: Route, request: &Request<T>) -> Result<Response<Body>, Option<Miss>> {
        let Some(folder) = self.folder.clone() else {
            return Err(None);
        };
        let found = tokio::task::spawn_blocking(move || (folder.find(&route), route)).await;
        // Only a panic in there could make the join fail.
        let Ok((found, route)) = found else {
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
                if let Ok(location) = HeaderValue::from_str(&format!("{}{query}", route.location())) {
                    answer.headers_mut().insert(header::LOCATION, location);
                }
                answer
            }
        })
    }
}

/// What an answer carries, before it is known how much of it is asked for.
enum Content {
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

fn whole_or_part<T>(request: &Request<T>, content_type: &str, content: Content) -> Response<Body> {
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

fn not_allowed(method: &Method) -> Response<Body> {
    let page = Explanation::new("405 Method Not Allowed")
        .say(&format!("Files and pages answer to GET and HEAD, not to {method}. A form or a call of an application needs a server of its own, or a mock."));
    let mut answer = explained(StatusCode::METHOD_NOT_ALLOWED, &page);
    set(&mut answer, header::ALLOW, "GET, HEAD");
    answer
}

fn forbidden(why: &str) -> Response<Body> {
    explained(StatusCode::FORBIDDEN, &Explanation::new("403 Forbidden").say(why))
}

fn explained(status: StatusCode, page: &Explanation) -> Response<Body> {
    let mut answer = answered(status, Body::bytes(page.html().into()));
    set(&mut answer, header::CONTENT_TYPE, HTML);
    answer
}

fn answered(status: StatusCode, body: Body) -> Response<Body> {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    answer
}

/// Sets a header whose value is ours, and so is always one.
fn set(answer: &mut Response<Body>, name: header::HeaderName, value: &str) {
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
