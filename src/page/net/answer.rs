//! Headers of what is answered in a server's place.

use std::collections::HashMap;

use url::Url;

use crate::cdp::fetch::Header;

/// The value of a header, whatever its name's case.
pub(super) fn value_of<'a>(headers: &'a HashMap<String, String>, name: &str) -> Option<&'a str> {
    headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// The origin of an address, where it has one.
#[must_use]
pub fn origin_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    url.origin().is_tuple().then(|| url.origin().ascii_serialization())
}

/// A request's own headers and more, which win.
pub(super) fn headers_of<'a>(own: &'a HashMap<String, String>, more: &'a [(String, String)]) -> Vec<Header<'a>> {
    let stays = |name: &str| !more.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
    let own = own.iter().filter(|(name, _)| stays(name));
    let all = own.chain(more.iter().map(|(name, value)| (name, value)));
    all.map(|(name, value)| Header { name: name.into(), value: value.into() }).collect()
}

/// What lets the page of another origin read the answer.
pub(super) fn allow_headers(asked: &HashMap<String, String>) -> Vec<(String, String)> {
    let origin = match value_of(asked, "origin") {
        Some(origin) => Some(origin.to_owned()),
        None => value_of(asked, "referer").and_then(origin_of),
    };
    match origin {
        Some(origin) => vec![
            ("Access-Control-Allow-Origin".to_owned(), origin),
            ("Access-Control-Allow-Credentials".to_owned(), "true".to_owned()),
            ("Access-Control-Expose-Headers".to_owned(), "*".to_owned()),
        ],
        None => vec![("Access-Control-Allow-Origin".to_owned(), "*".to_owned())],
    }
}

/// The answer to the browser's question whether a page may ask another origin: it may ask what it wants to ask.
pub(super) fn preflight_headers(asked: &HashMap<String, String>) -> Vec<(String, String)> {
    let mut headers = allow_headers(asked);
    for (question, answer) in [
        ("access-control-request-method", "Access-Control-Allow-Methods"),
        ("access-control-request-headers", "Access-Control-Allow-Headers"),
    ] {
        if let Some(value) = value_of(asked, question) {
            headers.push((answer.to_owned(), value.to_owned()));
        }
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(&str, &str)]) -> HashMap<String, String> {
        list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn headers_that_are_given_take_the_place_of_those_of_the_same_name() {
        let own = headers(&[("Accept-Language", "en"), ("X-A", "1")]);
        let more = [("accept-language".to_owned(), "de".to_owned())];
        let mut all: Vec<_> = headers_of(&own, &more).into_iter().map(|h| format!("{}: {}", h.name, h.value)).collect();
        all.sort();
        assert_eq!(all, ["X-A: 1", "accept-language: de"]);
    }

    #[test]
    fn a_page_of_another_origin_may_read_the_answer() {
        let asked =
            headers(&[("Referer", "http://shop.example:81/cart?x"), ("Access-Control-Request-Headers", "x-key")]);
        let answered = preflight_headers(&asked);
        assert!(answered.contains(&("Access-Control-Allow-Origin".into(), "http://shop.example:81".into())));
        assert!(answered.contains(&("Access-Control-Allow-Headers".into(), "x-key".into())));
        assert_eq!(allow_headers(&headers(&[])), [("Access-Control-Allow-Origin".into(), "*".into())]);
    }
}
