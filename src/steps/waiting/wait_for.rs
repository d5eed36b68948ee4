//! `wait-for`: goes on as soon as something is there, is gone, or holds.

use async_trait::async_trait;

use crate::page::net::Went;
use crate::scenario::Deferred;
use crate::scenario::{Expression, TextMatch, UrlPattern};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::asserting::{tree_failure, wait_for_url, wait_until_true, went};
use crate::steps::failure::Failure;
use crate::steps::given::PatternText;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};
use crate::steps::until::until_holds;

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "wait-for",
    group: Group::Waiting,
    summary: "Waits until the page shows something, no longer shows it, is at an address, has had an answer to a request, or an expression holds.",
    short: Some("pattern"),
    fields: &[
        field("pattern", Kind::Pattern, "Outline lines that must come."),
        field("gone", Kind::Pattern, "Outline lines that must go."),
        field("url", Kind::TextMatch, "The address: whole, or from its path on, or a /regex/."),
        field(
            "request",
            Kind::UrlPattern,
            "A request, made since the last act began, that must have ended: answered, or failed for good.",
        ),
        field("when", Kind::Expression, "What must hold."),
    ],
    example: "- wait-for: status \"Saved\"",
    build,
};

#[derive(Debug)]
enum WaitFor {
    There(Deferred<PatternText>),
    Gone(Deferred<PatternText>),
    Url(Deferred<TextMatch>),
    Request(Deferred<UrlPattern>),
    Holds(Expression),
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let given: Vec<&str> = SPEC.fields.iter().map(|field| field.name).filter(|name| args.has(name)).collect();
    let what = match given.as_slice() {
        ["pattern"] => WaitFor::There(args.given("pattern")?),
        ["gone"] => WaitFor::Gone(args.given("gone")?),
        ["url"] => WaitFor::Url(args.address("url")?),
        ["request"] => WaitFor::Request(args.given("request")?),
        ["when"] => WaitFor::Holds(args.expression("when")?),
        _ => {
            let place = args.place();
            args.problem(
                wrong(place, "`wait-for` waits for one thing")
                    .label("outline lines, or one of `gone`, `url`, `request`, `when`")
                    .next("write a step for each thing that is waited for, such as `- wait-for: status \"Saved\"`"),
            );
            return None;
        }
    };
    Some(Box::new(what))
}

#[async_trait(?Send)]
impl Action for WaitFor {
    fn describe(&self) -> String {
        match self {
            WaitFor::There(pattern) => format!("wait-for {pattern}"),
            WaitFor::Gone(pattern) => format!("wait-for gone: {pattern}"),
            WaitFor::Url(url) => format!("wait-for url: {url}"),
            WaitFor::Request(url) => format!("wait-for request: {url}"),
            WaitFor::Holds(expression) => format!("wait-for when: {expression}"),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        match self {
            WaitFor::There(pattern) => {
                let text = stage.get(pattern, at).await?;
                until_holds(stage, at, |_, seen| crate::outline::contains(&seen.outline, &text.pattern))
                    .await
                    .map(|_| ())
                    .map_err(|unmet| tree_failure(at, &text, unmet, "the page did not come to contain this line"))
            }
            WaitFor::Gone(pattern) => {
                let text = stage.get(pattern, at).await?;
                stage.page().settle(at.deadline).await.map_err(|error| at.page_failure(&error))?;
                until_holds(stage, at, |_, seen| crate::outline::lacks(&seen.outline, &text.pattern))
                    .await
                    .map_err(|unmet| tree_failure(at, &text, unmet, "the page still contains this"))
            }
            WaitFor::Url(url) => {
                let url = stage.get(url, at).await?;
                wait_for_url(stage, at, &url, "the page did not come to this address").await
            }
            WaitFor::Request(url) => {
                let url = stage.get(url, at).await?;
                let since = stage.milestones_now().requests();
                let page = stage.page();
                let ended = page
                    .until_sent(at.deadline, |all| {
                        let mut new = all.filter(|sent| sent.number >= since && url.matches(&sent.url));
                        new.any(|sent| sent.went != Went::Open).then_some(())
                    })
                    .await
                    .map_err(|error| at.page_failure(&error))?;
                ended.ok_or_else(|| request_failure(stage, at, since))
            }
            WaitFor::Holds(expression) => wait_until_true(stage, at, expression).await,
        }
    }
}

/// No such request has ended: which ones there were since.
fn request_failure(stage: &Stage, at: &At<'_>, since: u64) -> Failure {
    /// How many requests are shown.
    const SHOWN: usize = 10;
    let all = stage.page().traffic().requests();
    let new = all.iter().filter(|sent| sent.number >= since).take(SHOWN);
    let lines: Vec<String> =
        new.map(|sent| format!("{} {} → {}", sent.method, stage.short_url(&sent.url), went(sent))).collect();
    let listed = if lines.is_empty() { "none".to_owned() } else { lines.join("\n") };
    at.failure("no such request has had an answer")
        .label(format!("not after {}", words(at.given)))
        .detail("requests since the last act", listed)
}
