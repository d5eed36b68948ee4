//! How unmet assertions are shown, and the wait for an address.

use std::time::Duration;

use crate::outline::Mismatch;
use crate::scenario::{Expression, TextMatch, Values};
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
            return Err(at
                .failure(title)
                .label(format!("it is not {wanted}"))
                .detail(format!("the address, after {}", words(at.given)), shown_address(stage, &url)));
        }
    }
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
    use super::*;

    #[test]
    fn an_address_is_also_known_by_its_path() {
        assert_eq!(path_of("http://127.0.0.1:80/a?b#c"), Some("/a?b#c"));
        assert_eq!(path_of("http://host"), None);
        assert_eq!(path_of("about:blank"), None);
    }
}
