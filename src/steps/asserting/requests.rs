//! `assert-requests`.

use async_trait::async_trait;
use serde_json::Value as Json;

use crate::page::net::{Sent, Went};
use crate::scenario::{Deferred, TextMatch, UrlPattern};
use crate::steps::arguments::Arguments;
use crate::steps::around::{JsonBody, method};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};

/// How many requests a failure shows.
const SHOWN: usize = 12;
/// How much of a body a failure shows, in characters.
const BODY_SHOWN: usize = 200;

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-requests",
    group: Group::Asserting,
    summary: "The pages of the scenario must have made such requests since it began: at least one, or exactly as many as `count` says. Mocked ones count too.",
    short: Some("url"),
    fields: &[
        required("url", Kind::UrlPattern, "The address, whole or from its path on, any query unless one is written."),
        field("method", Kind::Text, "Only requests of this method, such as POST."),
        field("count", Kind::Number, "How many; 0 for none at all."),
        field("body", Kind::TextMatch, "What the body is, or a /regex/ that finds something in it."),
        field(
            "json",
            Kind::Value,
            "What the body holds as JSON: the keys that are written; others may stand beside them.",
        ),
    ],
    example: "- assert-requests: { url: /api/pay, method: POST, count: 1, json: { amount: 42 } }",
    build,
};

#[derive(Debug)]
struct AssertRequests {
    url: Deferred<UrlPattern>,
    method: Option<String>,
    count: Option<u64>,
    body: Option<Deferred<TextMatch>>,
    json: Option<JsonBody>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let url = args.given("url");
    let method = method(args);
    let count = if args.has("count") { args.whole("count", 0).map(Some) } else { Some(None) };
    let body = args.given_if_any("body");
    let json = match args.raw("json") {
        Some(node) => JsonBody::read(node, args.problems()).map(Some),
        None => Some(None),
    };
    Some(Box::new(AssertRequests { url: url?, method: method?, count: count?, body: body?, json: json? }))
}

/// What is asked for, with its values filled in.
struct Wanted<'a> {
    url: &'a UrlPattern,
    method: Option<&'a str>,
    body: Option<&'a TextMatch>,
    json: Option<Json>,
}

impl Wanted<'_> {
    fn goes_there(&self, sent: &Sent) -> bool {
        self.url.matches(&sent.url) && self.method.is_none_or(|method| method.eq_ignore_ascii_case(&sent.method))
    }

    fn is(&self, sent: &Sent) -> bool {
        let body = sent.body.as_deref().unwrap_or_default();
        self.goes_there(sent)
            && self.body.is_none_or(|wanted| wanted.matches(body))
            && self
                .json
                .as_ref()
                .is_none_or(|wanted| serde_json::from_str::<Json>(body).is_ok_and(|found| holds(&found, wanted)))
    }
}

/// Whether JSON holds what is wanted: of maps the keys that are wanted, all else alike.
fn holds(found: &Json, wanted: &Json) -> bool {
    match (found, wanted) {
        (Json::Object(found), Json::Object(wanted)) => {
            wanted.iter().all(|(key, wanted)| found.get(key).is_some_and(|found| holds(found, wanted)))
        }
        (Json::Array(found), Json::Array(wanted)) => {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(found, wanted)| holds(found, wanted))
        }
        (Json::Number(found), Json::Number(wanted)) => found == wanted || found.as_f64() == wanted.as_f64(),
        _ => found == wanted,
    }
}

/// The places at which JSON does not hold what is wanted, each with what is there.
fn differences(found: &Json, wanted: &Json, path: &str, into: &mut Vec<String>) {
    let at = if path.is_empty() { "the body" } else { path };
    match (found, wanted) {
        (Json::Object(found), Json::Object(wanted)) => {
            for (key, wanted) in wanted {
                let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match found.get(key) {
                    Some(found) => differences(found, wanted, &inner, into),
                    None => into.push(format!("`{inner}` is missing; {wanted} is wanted")),
                }
            }
        }
        (Json::Array(found), Json::Array(wanted)) if found.len() == wanted.len() => {
            for (index, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                differences(found, wanted, &format!("{path}[{index}]"), into);
            }
        }
        (Json::Array(found), Json::Array(wanted)) => {
            into.push(format!("`{at}` has {} items; {} are wanted", found.len(), wanted.len()));
        }
        _ if holds(found, wanted) => {}
        (Json::String(text), Json::Number(number)) if *text == number.to_string() => {
            into.push(format!("`{at}` is the text {found}; the number {number} is wanted: put it in quotes"));
        }
        (Json::Number(number), Json::String(text)) if *text == number.to_string() => {
            into.push(format!("`{at}` is the number {number}; the text {wanted} is wanted: leave the quotes out"));
        }
        _ => into.push(format!("`{at}` is {}; {wanted} is wanted", cut(&found.to_string()))),
    }
}

/// What the request that comes nearest has otherwise than it is wanted.
fn nearest_body(near: &[&Sent], wanted: &Json) -> Option<String> {
    let of = |sent: &&Sent| {
        let found: Json = serde_json::from_str(sent.body.as_deref()?).ok()?;
        let mut all = Vec::new();
        differences(&found, wanted, "", &mut all);
        Some(all)
    };
    // Of those that are as near the newest.
    let nearest = near.iter().rev().filter_map(of).min_by_key(Vec::len);
    match nearest {
        None => Some("no body is JSON".to_owned()),
        Some(all) => all.into_iter().next(),
    }
}

fn cut(text: &str) -> String {
    let start: String = text.chars().take(BODY_SHOWN).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}

#[async_trait(?Send)]
impl Action for AssertRequests {
    fn describe(&self) -> String {
        match &self.method {
            Some(method) => format!("assert-requests {method} {}", self.url),
            None => format!("assert-requests {}", self.url),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let url = stage.get(&self.url, at).await?;
        let body = match &self.body {
            Some(body) => Some(stage.get(body, at).await?),
            None => None,
        };
        let json = match &self.json {
            Some(json) => Some(json.value(stage, at).await?),
            None => None,
        };
        let wanted = Wanted { url: &url, method: self.method.as_deref(), body: body.as_deref(), json };
        let page = stage.page();
        let failed = |error| at.page_failure(&error);
        // What the last act set off has been asked for then: "none" and "exactly one" are not said too early.
        page.settle(at.deadline).await.map_err(failed)?;
        let verdict = page
            .until_sent(at.deadline, |all| {
                let count = all.filter(|sent| wanted.is(sent)).count() as u64;
                match self.count {
                    None => (count > 0).then_some(true),
                    Some(exactly) if count > exactly => Some(false),
                    Some(exactly) => (count == exactly).then_some(true),
                }
            })
            .await
            .map_err(failed)?;
        if verdict == Some(true) { Ok(()) } else { Err(self.failure(stage, at, &wanted)) }
    }
}

impl AssertRequests {
    fn failure(&self, stage: &Stage, at: &At<'_>, wanted: &Wanted<'_>) -> Failure {
        let all = stage.page().traffic().requests();
        let count = all.iter().filter(|sent| wanted.is(sent)).count();
        let near: Vec<&Sent> = all.iter().filter(|sent| wanted.goes_there(sent)).collect();
        let title = match (count, self.count) {
            (0, _) if !near.is_empty() => "the page made no request with this body".to_owned(),
            (0, _) => "the page made no such request".to_owned(),
            (1, Some(_)) => "the page made this request once".to_owned(),
            (count, _) => format!("the page made this request {count} times"),
        };
        let label = match self.count {
            None => format!("none after {}", words(at.given)),
            Some(0) => "not wanted at all".to_owned(),
            Some(1) => "wanted once".to_owned(),
            Some(count) => format!("wanted {count} times"),
        };
        let differs = wanted.json.as_ref().filter(|_| count == 0 && !near.is_empty() && self.count != Some(0));
        let differs = differs.and_then(|json| nearest_body(&near, json));
        let (heading, listed) = if near.is_empty() {
            ("requests so far", all.iter().collect())
        } else {
            ("requests to this address", near)
        };
        let mut failure = at.failure(title).label(label);
        if let Some(differs) = differs {
            failure = failure.detail("what differs", differs);
        }
        if listed.is_empty() {
            return failure.detail(heading, "none");
        }
        let with_body = self.body.is_some() || self.json.is_some();
        let left_out = listed.len().saturating_sub(SHOWN);
        let mut lines: Vec<String> = Vec::new();
        if left_out > 0 {
            lines.push(format!("({left_out} earlier ones)"));
        }
        lines.extend(listed.iter().skip(left_out).map(|sent| line(stage, sent, with_body)));
        failure.detail(heading, lines.join("\n"))
    }
}

/// A request on a line: `POST {{ base }}/api/pay → 402, mocked`.
fn line(stage: &Stage, sent: &Sent, with_body: bool) -> String {
    let mut line = format!("{} {} → {}", sent.method, stage.short_url(&sent.url), went(sent));
    if with_body && let Some(body) = &sent.body {
        line.push_str(&format!("  {}", cut(body)));
    }
    line
}

/// How a request went, in words.
pub(in crate::steps) fn went(sent: &Sent) -> String {
    let went = match &sent.went {
        Went::Open => "under way".to_owned(),
        Went::Answered(status) => status.to_string(),
        Went::Failed(why) => why.clone(),
        Went::Cancelled => "given up".to_owned(),
    };
    if sent.mocked { format!("{went}, mocked") } else { went }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_json_has_otherwise_is_told_by_its_place() {
        let of = |found: Json, wanted: Json| {
            let mut all = Vec::new();
            differences(&found, &wanted, "", &mut all);
            all.join("\n")
        };
        let found = json!({ "card": { "number": "4242" }, "amount": 42.0, "items": [{ "id": 1 }, { "id": 2 }] });
        assert_eq!(
            of(found.clone(), json!({ "card": { "number": 4242 } })),
            "`card.number` is the text \"4242\"; the number 4242 is wanted: put it in quotes"
        );
        assert_eq!(of(found.clone(), json!({ "card": { "cvc": 1 } })), "`card.cvc` is missing; 1 is wanted");
        assert_eq!(of(found.clone(), json!({ "items": [{ "id": 1 }] })), "`items` has 2 items; 1 are wanted");
        assert_eq!(of(found.clone(), json!({ "items": [{}, { "id": 3 }] })), "`items[1].id` is 2; 3 is wanted");
        assert_eq!(of(found.clone(), json!({ "amount": 42 })), "");
        assert_eq!(
            of(json!(7), json!("7")),
            "`the body` is the number 7; the text \"7\" is wanted: leave the quotes out"
        );
    }

    #[test]
    fn json_holds_what_is_wanted_with_more_beside_it() {
        let found = json!({ "card": { "number": "4000", "cvc": 123 }, "amount": 42.0, "items": [{ "id": 1, "n": 2 }] });
        assert!(holds(&found, &json!({ "amount": 42, "card": { "cvc": 123 } })));
        assert!(holds(&found, &json!({ "items": [{ "id": 1 }] })));
        assert!(!holds(&found, &json!({ "items": [] })));
        assert!(!holds(&found, &json!({ "card": { "number": 4000 } })));
        assert!(!holds(&found, &json!({ "currency": null })));
    }
}
