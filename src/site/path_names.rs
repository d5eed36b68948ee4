//! A request's path as names inside the served folder, or the reason why it is none.

use std::path::{Component, Path};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What is kept as it is in a path we write: the unreserved characters of a URL.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The names of a path, decoded, and whether it ends with a slash.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PathNames {
    names: Vec<String>,
    folder: bool,
}

/// Why a path names nothing that could be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It leads out of the folder, or tries to.
    Outside,
    /// It is no name of a file: not UTF-8 once decoded.
    NotText,
}

impl PathNames {
    /// Reads a path as it was sent.
    ///
    /// Browsers resolve `..` before they ask (in its encoded spelling too), so one that arrives is an attempt to get out
    /// and is refused rather than resolved, wherever it stands. So is a name that would be several to the file system.
    pub(super) fn parse(path: &str) -> Result<PathNames, Refusal> {
        let mut names = Vec::new();
        let mut folder = true;
        for name in path.split('/') {
            let name = percent_decode_str(name).decode_utf8().map_err(|_| Refusal::NotText)?;
            folder = name.is_empty() || name == ".";
            if folder {
                continue;
            }
            let one_name = matches!(Path::new(&*name).components().collect::<Vec<_>>()[..], [Component::Normal(only)] if only == &*name);
            if !one_name || name.contains(['/', '\\', '\0']) {
                return Err(Refusal::Outside);
            }
            names.push(name.into_owned());
        }
        Ok(PathNames { names, folder })
    }

    /// The names of files this path may stand for, best first, each relative to the folder.
    pub(super) fn candidates(&self) -> Vec<String> {
        let name = self.name();
        if self.folder {
            let index = if name.is_empty() { "index.html".to_owned() } else { format!("{name}/index.html") };
            return vec![index];
        }
        let mut candidates = vec![name.clone()];
        if self.names.last().is_some_and(|last| !last.contains('.')) {
            candidates.push(format!("{name}.html"));
        }
        candidates
    }

    /// The names joined, without a slash at either end.
    pub(super) fn name(&self) -> String {
        self.names.join("/")
    }

    /// Whether the path ends with a slash.
    pub(super) fn is_folder(&self) -> bool {
        self.folder
    }

    /// Whether a name in it starts with a dot. `.well-known` is meant for the public.
    pub(super) fn is_hidden(&self) -> bool {
        self.names.iter().any(|name| name.starts_with('.') && name != ".well-known")
    }

    /// The path as a folder's, spelled for a `Location` header. It starts with exactly one slash, so that it can't name
    /// another host.
    pub(super) fn location(&self) -> String {
        let mut location = String::from("/");
        for name in &self.names {
            location.extend(utf8_percent_encode(name, ENCODED));
            location.push('/');
        }
        location
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn candidates(path: &str) -> Vec<String> {
        PathNames::parse(path).unwrap().candidates()
    }

    #[test]
    fn a_path_stands_for_files() {
        assert_eq!(candidates("/"), ["index.html"]);
        assert_eq!(candidates("/docs/"), ["docs/index.html"]);
        assert_eq!(candidates("/docs//./"), ["docs/index.html"]);
        assert_eq!(candidates("/about"), ["about", "about.html"]);
        assert_eq!(candidates("/v1.2/app.js"), ["v1.2/app.js"]);
        assert_eq!(candidates("/gr%C3%BC%C3%9Fe%20aus/%E6%9D%B1%E4%BA%AC.html"), ["grüße aus/東京.html"]);
        assert_eq!(candidates("/100%.html"), ["100%.html"]);
    }

    #[test]
    fn no_spelling_leads_out() {
        for path in [
            "/..",
            "/../x",
            "/a/../b",
            "/%2e%2e/x",
            "/%2E./x",
            "/.%2e/x",
            "/..%2fx",
            "/a%2fb",
            "/a%5cb",
            "/..\\x",
            "/a\\b",
            "/a%00.html",
            "/%2fetc/passwd",
        ] {
            assert_eq!(PathNames::parse(path), Err(Refusal::Outside), "{path}");
        }
        assert_eq!(PathNames::parse("/%ff%fe"), Err(Refusal::NotText));
        // Doubly encoded is a name with a percent sign in it, and no more.
        assert_eq!(candidates("/%252e%252e/x"), ["%2e%2e/x", "%2e%2e/x.html"]);
        assert_eq!(candidates("//example.com/x.js"), ["example.com/x.js"]);
    }

    #[test]
    fn hidden_names_are_told() {
        assert!(PathNames::parse("/.env").unwrap().is_hidden());
        assert!(PathNames::parse("/a/.git/config").unwrap().is_hidden());
        assert!(!PathNames::parse("/.well-known/x").unwrap().is_hidden());
        assert!(!PathNames::parse("/a.b/c").unwrap().is_hidden());
    }

    #[test]
    fn a_location_is_encoded_and_stays_here() {
        assert_eq!(PathNames::parse("//evil.example/ü b").unwrap().location(), "/evil.example/%C3%BC%20b/");
    }
}
