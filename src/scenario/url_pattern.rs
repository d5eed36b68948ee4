//! Addresses as steps name them: whole or from their path on, with `*` for anything, or a `/regex/`.

use std::fmt;

use super::deferred::Readable;
use super::diagnostic::{Diagnostic, Problems, shown};
use super::node::Node;
use super::text_match::{TextMatch, bad_regex};

/// Which addresses are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlPattern {
    wanted: TextMatch,
}

impl UrlPattern {
    /// Reads `https://api.example.com/pay`, `/pay`, `*/pay` or `/pay\/\d+/`. The error is the regular expression's own.
    pub fn parse(text: &str) -> Result<UrlPattern, String> {
        TextMatch::parse(text).map(|wanted| UrlPattern { wanted })
    }

    /// Whether an address is meant: the whole of it, or what comes after its host. A text without `?` means any query, one without `#`
    /// any fragment.
    pub fn matches(&self, url: &str) -> bool {
        let from_path = path_of(url);
        match &self.wanted {
            TextMatch::Pattern(_) => {
                self.wanted.matches(url) || from_path.is_some_and(|path| self.wanted.matches(path))
            }
            TextMatch::Exact(wanted) => {
                let mut end = url.len();
                if !wanted.contains('#') {
                    end = end.min(url.find('#').unwrap_or(end));
                }
                if !wanted.contains('?') {
                    end = end.min(url.find('?').unwrap_or(end));
                }
                let shortened = |text: &'_ str| text.len().saturating_sub(url.len() - end);
                like(wanted, &url[..end])
                    || from_path.is_some_and(|path| like(wanted, path.get(..shortened(path)).unwrap_or(path)))
            }
        }
    }
}

/// The part of an address after its host.
fn path_of(url: &str) -> Option<&str> {
    let rest = url.split_once("://")?.1;
    rest.find('/').map(|start| &rest[start..])
}

/// Whether a text is as a pattern says, in which `*` stands for anything. Linear but for the parts between stars.
pub fn like(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The complaint about an address that no request or tab can have, or that may be meant in two ways. `stars`: whether `*`
/// stands for anything here.
pub fn unlikely_address(node: &Node, stars: bool) -> Option<Diagnostic> {
    let text = node.text().map(str::trim).filter(|text| !text.is_empty() && !text.contains("{{"))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/');
    if text.len() > 2
        && text.starts_with('/')
        && text.ends_with('/')
        && !text.starts_with("//")
        && text.chars().all(plain)
    {
        let escaped = text.replace('/', "\\/");
        return Some(
            Diagnostic::new("this is a path, or a regular expression")
                .at(node.place.clone())
                .label("what stands between slashes is a regular expression, and finds a part")
                .next(format!("for the path write /^{escaped}$/, for every address that holds it /{escaped}/")),
        );
    }
    let begins = text.starts_with('/') || text.contains("://") || stars && text.contains('*');
    let scheme = ["about:", "data:", "blob:", "file:", "javascript:"].iter().any(|scheme| text.starts_with(scheme));
    if begins || scheme {
        return None;
    }
    let host = text.split('/').next().unwrap_or(text);
    let is_host = host.contains('.') && text.contains('/') || host.contains(':');
    let next = match (is_host, stars) {
        (true, _) => format!("write the whole of it, such as http://{}", shown(text)),
        (false, true) => format!("write /{}, or */{} where other folders stand before it", shown(text), shown(text)),
        (false, false) => {
            format!("write /{}, or a regular expression that finds a part: /{}/", shown(text), part(text))
        }
    };
    Some(
        Diagnostic::new("no address begins like this")
            .at(node.place.clone())
            .label("neither a path nor a whole address")
            .next(next),
    )
}

/// A text as a regular expression between slashes that is not taken for a path.
fn part(text: &str) -> String {
    format!("\\/{}", shown(text).replace('.', "\\.").replace('?', "\\?").replace('/', "\\/"))
}

impl Readable for UrlPattern {
    fn read(node: &Node, problems: &mut Problems) -> Option<UrlPattern> {
        let text = node.want_text("an address", problems)?;
        if text.trim().is_empty() {
            problems.add(
                Diagnostic::new("no address is named here")
                    .at(node.place.clone())
                    .label("nothing is written")
                    .next("write a path such as /api/orders, a whole address, or `*` for all of them"),
            );
            return None;
        }
        if let Some(diagnostic) = unlikely_address(node, true) {
            problems.add(diagnostic);
            return None;
        }
        match UrlPattern::parse(text) {
            Ok(pattern) => Some(pattern),
            Err(message) => {
                problems.add(bad_regex(node, &message));
                None
            }
        }
    }
}

/// As it is written in a scenario.
impl fmt::Display for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wanted {
            TextMatch::Exact(text) => f.write_str(&super::diagnostic::shown(text)),
            TextMatch::Pattern(_) => self.wanted.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn matches(pattern: &str, url: &str) -> bool {
        UrlPattern::parse(pattern).unwrap().matches(url)
    }

    #[test]
    fn an_address_is_meant_whole_or_from_its_path_on() {
        let url = "https://api.shop.example/v1/pay";
        for pattern in [url, "/v1/pay", "*/pay", "/v1/*", "https://*.shop.example/*", "*", "/pay$/", r"/^\/v1\//"] {
            assert!(matches(pattern, url), "{pattern}");
        }
        for pattern in ["/pay", "pay", "/v1/pa", "http://*", "/v2/*", "/^pay/"] {
            assert!(!matches(pattern, url), "{pattern}");
        }
        assert!(!matches("/", "about:blank"));
    }

    #[test]
    fn a_query_is_only_asked_for_where_it_is_written() {
        let url = "http://h/find?q=tea&page=2#top";
        assert!(matches("/find", url));
        assert!(matches("http://h/find", url));
        assert!(matches("/find?q=tea&page=2", url));
        assert!(matches("/find?q=*", url));
        assert!(!matches("/find?q=tea", url));
        assert!(!matches("/find#bottom", url));
        assert!(matches("/find?*#top", url));
    }

    #[test]
    fn stars_stand_for_anything_in_order() {
        assert!(like("a*b*c", "a-b-b-c"));
        assert!(like("*", ""));
        assert!(!like("a*b*c", "a-c-b"));
        // What two parts match may not overlap.
        assert!(!like("ab*ba", "aba"));
    }
}
