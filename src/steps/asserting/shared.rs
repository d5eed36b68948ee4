//! How unmet assertions are shown, and the wait for an address.

use std::time::Duration;

use crate::outline::Mismatch;
use crate::scenario::{Expression, TextMatch, Values, like};
use crate::steps::failure::Failure;
use crate::steps::given::PatternText;
use crate::steps::stage::{Stage, words};
use crate::steps::step::At;
use crate::steps::until::{Unmet, until_holds};

/// A pattern that did not hold: the first line that did not match is marked in the file, beside the nearest part of the page.
pub(in crate::steps) fn tree_failure(
    at: &At<'_>,
    text: &PatternText,
    unmet: Unmet<Box<Mismatch>>,
    title: &str,
) -> Failure {
    match unmet {
        Unmet::Page(failure) => failure,
        Unmet::Reason(mismatch, _) => {
            let place = text.node.place_in(mismatch.range.clone());
            Failure::new(&place, title)
                .label(mismatch.label.clone())
                .detail(format!("the page, nearest part, after {}", words(at.given)), mismatch.nearest.clone())
        }
    }
}

/// Waits until an expression holds. One that no page can change is looked at once.
pub(in crate::steps) async fn wait_until_true(
    stage: &mut Stage,
    at: &At<'_>,
    expression: &Expression,
) -> Result<(), Failure> {
    let names = expression.names();
    if !stage.needs_page(names) {
        return judge(at, expression, &stage.values_of(names, None), None);
    }
    let unmet = until_holds(stage, at, |stage, seen| {
        let values = stage.values_of(names, Some(seen));
        if matches!(expression.holds(&values), Ok(true)) { Ok(()) } else { Err(values) }
    })
    .await;
    match unmet {
        Ok(()) => Ok(()),
        Err(Unmet::Page(failure)) => Err(failure),
        Err(Unmet::Reason(values, _)) => judge(at, expression, &values, Some(at.given)),
    }
}

/// Says what the names and the looks at the page in an expression stood for.
pub(in crate::steps) fn with_values(failure: Failure, expression: &Expression, values: &Values) -> Failure {
    let shown: Vec<String> =
        expression.parts(values).into_iter().map(|(part, value)| format!("{part} = {value}")).collect();
    if shown.is_empty() { failure } else { failure.detail("values", shown.join("\n")) }
}

/// Whether an expression holds, and if not, with the values it was made of.
fn judge(at: &At<'_>, expression: &Expression, values: &Values, after: Option<Duration>) -> Result<(), Failure> {
    match expression.holds(values) {
        Ok(true) => Ok(()),
        Err(error) => Err(Failure::of(at.place, error.diagnostic())),
        Ok(false) => {
            let mut failure = Failure::new(expression.place(), "this does not hold");
            if let Some(after) = after {
                failure = failure.label(format!("still false after {}", words(after)));
            }
            Err(with_values(failure, expression, values))
        }
    }
}

/// Waits until the tab is at the address: whole, from its path on, or as a `/regex/`.
pub(in crate::steps) async fn wait_for_url(
    stage: &mut Stage,
    at: &At<'_>,
    wanted: &TextMatch,
    title: &str,
) -> Result<(), Failure> {
    let page = stage.page();
    let mut changes = page.changes();
    loop {
        let url = page.url();
        if wanted.matches(&url) || path_of(&url).is_some_and(|path| wanted.matches(path)) {
            return Ok(());
        }
        if !changes.changed(at.deadline).await.map_err(|error| at.page_failure(&error))? {
            let failure = at
                .failure(title)
                .label(format!("it is not {wanted}"))
                .detail(format!("the address, after {}", words(at.given)), shown_address(stage, &url));
            return Err(match hint(wanted, &url) {
                Some(hint) => failure.next(hint),
                None => failure,
            });
        }
    }
}

/// What to write instead, where an address is nearly the one that is wanted.
fn hint(wanted: &TextMatch, url: &str) -> Option<String> {
    let TextMatch::Exact(wanted) = wanted else { return None };
    let whole = wanted.contains("://");
    let found = if whole { url } else { path_of(url)? };
    let path = found.split(['?', '#']).next().unwrap_or(found);
    let regex = |pattern: &str| format!("/^{}/", pattern.replace('/', "\\/"));
    if wanted.trim_end_matches('/') == found.trim_end_matches('/') {
        return Some(format!("only the `/` at the end differs: write {found}"));
    }
    if path == wanted {
        let anything = regex(&format!("{}(\\?|#|$)", regex::escape(path)));
        return Some(format!("only what comes after the path differs: write that too, or, for any, {anything}"));
    }
    if wanted.contains('*') && like(wanted, found) {
        let parts: Vec<String> = wanted.split('*').map(regex::escape).collect();
        let pattern = regex(&format!("{}$", parts.join(".*")));
        return Some(format!("`*` means itself here: write it as a regular expression, {pattern}"));
    }
    None
}

/// An address of the scenario's own pages from its path on: the port is another one in every run.
fn shown_address(stage: &Stage, url: &str) -> String {
    match stage.base() {
        Some(base) => url.strip_prefix(base).unwrap_or(url).to_owned(),
        None => url.to_owned(),
    }
}

/// The part of an address after its origin.
fn path_of(url: &str) -> Option<&str> {
    let rest = url.split_once("://")?.1;
    rest.find('/').map(|start| &rest[start..])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn an_address_that_is_nearly_the_one_says_what_to_write() {
        let hint = |wanted: &str, url: &str| hint(&TextMatch::Exact(wanted.to_owned()), url).unwrap_or_default();
        let url = "http://127.0.0.1:80/product.html?id=tee";
        assert!(hint("/product.html", url).ends_with(r"or, for any, /^\/product\.html(\?|#|$)/"));
        assert!(hint("/prod*", url).ends_with(r"a regular expression, /^\/prod.*$/"));
        assert!(hint("http://127.0.0.1:80/product.html", url).starts_with("only what comes after the path"));
        assert_eq!(hint("/cart", "http://h/cart/"), "only the `/` at the end differs: write /cart/");
        for wanted in ["/", "/other", "/other*", "/product.html?id=hoodie"] {
            assert_eq!(hint(wanted, url), "", "{wanted}");
        }
        let TextMatch::Pattern(_) = TextMatch::parse(r"/^\/product\.html(\?|#|$)/").unwrap() else { panic!() };
    }

    #[test]
    fn an_address_is_also_known_by_its_path() {
        assert_eq!(path_of("http://127.0.0.1:80/a?b#c"), Some("/a?b#c"));
        assert_eq!(path_of("http://host"), None);
        assert_eq!(path_of("about:blank"), None);
    }
}
