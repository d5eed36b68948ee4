//! What somebody typed as an address: a URL, a host, a port, a file.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::scenario::Diagnostic;

use super::failure::Failure;

/// What must be escaped in the name of a file that becomes a path of a URL.
const IN_PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'\\');
/// Endings of files that are pages. A file of such a name that is not there is a typing mistake, not a host.
const PAGES: &[&str] = &["html", "htm", "xhtml", "svg", "md", "txt"];

/// Where to go.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// A URL for the browser.
    Url(String),
    /// A file of this machine: its folder is served, and this path of it opened.
    File {
        /// The folder to serve.
        folder: PathBuf,
        /// The path to open, with a slash at its start.
        path: String,
    },
}

/// Reads what was typed. What has a scheme is a URL; what is there is a file; loopback and ports are asked over `http`,
/// other hosts over `https`.
pub(super) fn address(typed: &str) -> Result<Address, Failure> {
    let typed = typed.trim();
    if let Some((scheme, rest)) = typed.split_once(':') {
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" if rest.starts_with("//") && rest.len() > 2 => return Ok(Address::Url(typed.to_owned())),
            "about" | "data" | "blob" => return Ok(Address::Url(typed.to_owned())),
            "file" => {
                let url = url::Url::parse(typed).ok();
                let path = url.as_ref().and_then(|url| url.to_file_path().ok());
                let path = path.ok_or_else(|| no_address(typed))?;
                let rest = url.as_ref().map(|url| url[url::Position::AfterPath..].to_owned()).unwrap_or_default();
                return file(&path)
                    .map_or_else(|| Err(no_file(&path.display().to_string())), |file| with_rest(file, &rest));
            }
            _ => {}
        }
    }
    if let Some(file) = file(Path::new(typed)) {
        return file;
    }
    // A page's own script reads the query, and no server need know it.
    let (before, rest) = typed.split_at(typed.find(['?', '#']).unwrap_or(typed.len()));
    if let Some(file) = file(Path::new(before)).filter(|_| !before.is_empty()) {
        return with_rest(file, rest);
    }
    if typed.is_empty() || typed.contains(char::is_whitespace) || typed.contains("://") {
        return Err(no_address(typed));
    }
    let host_and_port = typed.split(['/', '?', '#']).next().unwrap_or_default();
    let looks_like_path = typed.starts_with(['.', '/', '~']) || typed.contains('\\');
    let is_page = host_and_port == before
        && Path::new(before)
            .extension()
            .is_some_and(|ending| PAGES.iter().any(|page| ending.eq_ignore_ascii_case(page)));
    if looks_like_path || is_page {
        return Err(no_file(typed));
    }
    if let Some(rest) = typed.strip_prefix(':') {
        // A port alone is one of this machine.
        return port(rest).then(|| Address::Url(format!("http://localhost:{rest}"))).ok_or_else(|| no_address(typed));
    }
    let host = host(host_and_port).ok_or_else(|| no_address(typed))?;
    let local = matches!(host, "localhost" | "127.0.0.1" | "[::1]" | "0.0.0.0") || host.ends_with(".localhost");
    if !local && !host.contains('.') && host == host_and_port {
        // A word is a host only with a port behind it.
        return Err(no_file(typed));
    }
    let scheme = if local || !host.contains('.') { "http" } else { "https" };
    Ok(Address::Url(format!("{scheme}://{typed}")))
}

/// The host of `host:port`, if it is one.
fn host(text: &str) -> Option<&str> {
    let (host, rest) = match text.find(']') {
        Some(end) if text.starts_with('[') => text.split_at(end + 1),
        _ => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let fits = rest.is_empty() || rest.strip_prefix(':').is_some_and(port);
    let valid = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    (fits && !host.is_empty() && host.chars().all(valid)).then_some(host)
}

/// Whether the text starts with a port, and nothing but a path follows.
fn port(text: &str) -> bool {
    let digits = text.split(['/', '?', '#']).next().unwrap_or_default();
    digits.parse::<u16>().is_ok_and(|port| port > 0)
}

/// A file or folder that is there.
fn file(path: &Path) -> Option<Result<Address, Failure>> {
    if path.is_dir() && !path.join("index.html").is_file() {
        return Some(Err(no_index(path)));
    }
    if path.is_dir() {
        return Some(Ok(Address::File { folder: path.to_owned(), path: "/".to_owned() }));
    }
    if !path.is_file() {
        return None;
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return Some(Err(Failure::wrong(
            Diagnostic::new(format!("the file name `{}` is not UTF-8", path.display())).next("rename the file"),
        )));
    };
    Some(Ok(Address::File { folder, path: format!("/{}", utf8_percent_encode(name, IN_PATH)) }))
}

/// The same with a query and a fragment.
fn with_rest(file: Result<Address, Failure>, rest: &str) -> Result<Address, Failure> {
    Ok(match file? {
        Address::File { folder, path } => Address::File { folder, path: format!("{path}{rest}") },
        url @ Address::Url(_) => url,
    })
}

fn no_file(typed: &str) -> Failure {
    Failure::wrong(
        Diagnostic::new(format!("there is no file `{typed}`"))
            .next("check the path, or give an address with its scheme: https://example.com"),
    )
}

/// A folder that has no page of its own; the pages that stand in it are named.
fn no_index(folder: &Path) -> Failure {
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.ok()?.file_name().to_string_lossy().into_owned();
        let inner = folder.join(&name);
        let page = inner.extension().is_some_and(|ending| ending == "html" || ending == "htm");
        (page || inner.join("index.html").is_file()).then(|| inner.display().to_string())
    };
    let mut pages: Vec<String> = std::fs::read_dir(folder).into_iter().flatten().filter_map(name).collect();
    pages.sort();
    pages.truncate(8);
    let diagnostic = Diagnostic::new(format!("the folder `{}` has no index.html", folder.display()));
    Failure::wrong(match pages.first() {
        Some(first) => {
            let next = format!("name one of them: playscript read {first}");
            diagnostic.detail("pages in it", pages.join("\n")).next(next)
        }
        None => diagnostic.next("name a page, or a folder that holds an index.html"),
    })
}

fn no_address(typed: &str) -> Failure {
    Failure::wrong(
        Diagnostic::new(format!("`{typed}` is no address that a browser can open"))
            .next("give an address such as https://example.com or localhost:3000, or a file such as page.html"),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;

    fn url(typed: &str) -> String {
        match address(typed) {
            Ok(Address::Url(url)) => url,
            other => panic!("{typed}: {other:?}"),
        }
    }

    fn refused(typed: &str) -> String {
        address(typed).unwrap_err().diagnostics[0].title.clone()
    }

    #[test]
    fn urls_are_left_as_they_are() {
        for typed in ["http://a.b/c?d#e", "HTTPS://example.com", "about:blank", "data:text/html,<h1>Hi</h1>"] {
            assert_eq!(url(typed), typed);
        }
    }

    #[test]
    fn hosts_get_the_scheme_they_most_likely_speak() {
        assert_eq!(url("example.com"), "https://example.com");
        assert_eq!(url("example.com:8443/a b".replace(' ', "%20").as_str()), "https://example.com:8443/a%20b");
        assert_eq!(url("localhost:3000/x?y"), "http://localhost:3000/x?y");
        assert_eq!(url("localhost"), "http://localhost");
        assert_eq!(url("127.0.0.1:80"), "http://127.0.0.1:80");
        assert_eq!(url("[::1]:8080/"), "http://[::1]:8080/");
        assert_eq!(url("app.localhost:1"), "http://app.localhost:1");
        assert_eq!(url("web:8080/"), "http://web:8080/");
        assert_eq!(url(":5173/app"), "http://localhost:5173/app");
    }

    #[test]
    fn files_that_are_there_are_served_from_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("a page#1.html");
        std::fs::write(&page, "x").unwrap();
        let found = address(page.to_str().unwrap()).unwrap();
        assert_eq!(found, Address::File { folder: folder.path().to_owned(), path: "/a%20page%231.html".into() });
        let without_index = address(folder.path().to_str().unwrap()).unwrap_err().diagnostics.remove(0);
        assert!(without_index.title.ends_with("has no index.html"), "{}", without_index.title);
        assert_eq!(without_index.next, Some(format!("name one of them: playscript read {}", page.display())));
        std::fs::write(folder.path().join("index.html"), "x").unwrap();
        let whole = address(folder.path().to_str().unwrap()).unwrap();
        assert_eq!(whole, Address::File { folder: folder.path().to_owned(), path: "/".into() });
        let asked = address(&format!("{}?id=a&b#top", folder.path().join("index.html").display())).unwrap();
        assert_eq!(asked, Address::File { folder: folder.path().to_owned(), path: "/index.html?id=a&b#top".into() });
        let asked = address(&format!("file://{}/index.html?id=a", folder.path().display())).unwrap();
        assert_eq!(asked, Address::File { folder: folder.path().to_owned(), path: "/index.html?id=a".into() });
        let named = url::Url::from_file_path(&page).unwrap();
        assert!(matches!(address(named.as_str()).unwrap(), Address::File { .. }));
    }

    #[test]
    fn typing_mistakes_are_told_as_what_they_are() {
        assert_eq!(refused("page.html"), "there is no file `page.html`");
        assert_eq!(refused("page.html?id=1"), "there is no file `page.html?id=1`");
        assert_eq!(refused("./nothing/there"), "there is no file `./nothing/there`");
        assert_eq!(refused("file:///nothing/there"), "there is no file `/nothing/there`");
        assert_eq!(refused("page"), "there is no file `page`");
        for typed in ["", "two words", "ftp://a.b", "http://", "javascript:alert(1)", ":99999", "a:b:c", "http//x y"] {
            assert!(refused(typed).ends_with("is no address that a browser can open"), "{typed}: {}", refused(typed));
        }
    }
}
