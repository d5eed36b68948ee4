//! `open`: loads a page.

use async_trait::async_trait;

use crate::page::net::origin_of;
use crate::page::{PageError, Until};
use crate::scenario::{Deferred, shown};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::around::{filled, headers};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "open",
    group: Group::Going,
    summary: "Loads a page, and waits until it shows more than an empty shell.",
    short: Some("url"),
    fields: &[
        required("url", Kind::Text, "A path of the served pages (`/`, `/cart?x=1`), or an http or https address."),
        field(
            "headers",
            Kind::Map,
            "Headers sent with this and every later request to its origin, such as { Authorization: … }.",
        ),
        field(
            "auth",
            Kind::Map,
            "`{user, password}`: answers its origin when that asks for a password, now and later.",
        ),
        field("wait", Kind::Choice(&["commit", "load", "idle"]), "How far the page must be: `load` unless told."),
    ],
    example: "- open: /",
    build,
};

#[derive(Debug)]
struct Open {
    url: Deferred<String>,
    until: Until,
    headers: Vec<(String, Deferred<String>)>,
    auth: Option<(Deferred<String>, Deferred<String>)>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let until = match args.choice("wait") {
        Some("commit") => Until::Commit,
        Some("idle") => Until::Idle,
        _ => Until::Load,
    };
    let (url, headers, auth) = (args.given("url"), headers(args, "headers"), auth(args));
    let url = url?;
    check(args, &url)?;
    Some(Box::new(Open { url, until, headers: headers?, auth: auth? }))
}

/// User and password.
#[allow(clippy::option_option)] // As in `Arguments::given_if_any`.
fn auth(args: &mut Arguments<'_>) -> Option<Option<(Deferred<String>, Deferred<String>)>> {
    let Some(node) = args.raw("auth") else { return Some(None) };
    let problems = args.problems();
    node.want_keys("`auth`", &["user", "password"], problems)?;
    let mut part = |name: &str| match node.get(name) {
        Some(value) => Deferred::parse(value, problems),
        None => {
            let next = "write auth: { user: ada, password: \"{{ secret.PASSWORD }}\" }";
            problems.add(wrong(&node.place, format!("`{name}` is missing")).next(next));
            None
        }
    };
    let (user, password) = (part("user"), part("password"));
    Some(Some((user?, password?)))
}

/// An address without its password, which is nobody's business.
fn masked(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let host = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let Some((before, after)) = rest[..host].rsplit_once('@') else { return url.to_owned() };
    let Some((user, _)) = before.split_once(':') else { return url.to_owned() };
    format!("{scheme}://{user}:***@{after}{}", &rest[host..])
}

/// Tells at load what can't be an address, and that a path needs pages it is a path of.
pub(in crate::steps) fn check(args: &mut Arguments<'_>, url: &Deferred<String>) -> Option<()> {
    let (Deferred::Ready(text), Some(node)) = (url, args.raw("url")) else { return Some(()) };
    let text = text.trim();
    if text.starts_with('/') {
        args.problems().needs_pages(&node.place);
        return Some(());
    }
    let (scheme, rest) = text.split_once(':').unwrap_or((text, ""));
    let known =
        ["http", "https", "file", "data", "about", "blob"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    if known && text.contains(':') {
        return Some(());
    }
    let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let next = if text.contains("://") {
        "pages are opened by http and https".to_owned()
    } else if !port.is_empty() || text.starts_with("localhost") {
        format!("write http://{}", shown(text))
    } else {
        format!("write /{} for a page that is served, or a whole address such as https://example.com/", shown(text))
    };
    args.problem(
        wrong(&node.place, "this is no address that can be opened").label("neither a path nor http(s)://…").next(next),
    );
    None
}

#[async_trait(?Send)]
impl Action for Open {
    fn describe(&self) -> String {
        format!("open {}", masked(&self.url.to_string()))
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let url = stage.get(&self.url, at).await?;
        let url = resolve(stage, at, &url)?;
        let page = stage.page();
        let failed = |error: PageError| at.page_failure(&error);
        if !self.headers.is_empty() || self.auth.is_some() {
            let Some(origin) = origin_of(&url) else {
                return Err(at.failure("this address has no server that `headers` or `auth` could be for"));
            };
            if !self.headers.is_empty() {
                let headers = filled(stage, at, &self.headers).await?;
                page.traffic().send_headers(&origin, headers, at.deadline).await.map_err(failed)?;
            }
            if let Some((user, password)) = &self.auth {
                let (user, password) = (stage.get(user, at).await?, stage.get(password, at).await?);
                page.traffic().give_password(&origin, &user, &password, at.deadline).await.map_err(failed)?;
            }
        }
        match page.open(&url, self.until, at.deadline).await {
            Err(PageError::Unauthorized { url, status }) if self.auth.is_some() => {
                Err(at.failure(format!("{url} does not take this user and password ({status})")))
            }
            other => other.map_err(failed),
        }
    }
}

/// A path of the served pages as a whole address; other addresses stay as they are.
pub(in crate::steps) fn resolve(stage: &mut Stage, at: &At<'_>, url: &str) -> Result<String, Failure> {
    if !url.starts_with('/') {
        stage.at_home(url);
        return Ok(url.to_owned());
    }
    match stage.base() {
        Some(base) => Ok(format!("{base}{url}")),
        None => Err(at
            .failure("this path has no pages to be looked up in")
            .label("the scenario serves nothing")
            .next("add `serve: FOLDER`, `pages:` or `app:` to the scenario, or open a whole address (http://…)")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        assert_eq!(masked("http://ada:s3:cr@t@host/x?a:b@c"), "http://ada:***@host/x?a:b@c");
        assert_eq!(masked("http://ada@host/x"), "http://ada@host/x");
        assert_eq!(masked("/a:b@c"), "/a:b@c");
        assert_eq!(masked("http://host/a:b@c"), "http://host/a:b@c");
    }
}
