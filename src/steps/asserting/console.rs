//! `assert-console`.

use async_trait::async_trait;

use crate::page::{ConsoleEntry, Level, Source};
use crate::scenario::{Deferred, TextMatch};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};

/// How many entries a failure shows.
const SHOWN: usize = 10;

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-console",
    group: Group::Asserting,
    summary: "What the tab has logged since the scenario began. What the browser says of requests that a mock answered does not count.",
    short: Some("is"),
    fields: &[
        field("is", Kind::Choice(&["clean"]), "Without warnings, errors and exceptions."),
        field("has", Kind::TextMatch, "An entry that holds this text, or in which this /regex/ finds something."),
        field("lacks", Kind::TextMatch, "No entry may be like this."),
        field("level", Kind::Choice(&["debug", "info", "warning", "error"]), "Only entries of this level."),
        field("count", Kind::Number, "How many such entries: exactly so many."),
    ],
    example: "- assert-console: clean",
    build,
};

#[derive(Debug)]
struct AssertConsole {
    what: What,
    level: Option<Level>,
}

#[derive(Debug)]
enum What {
    Clean,
    Has { text: Option<Deferred<TextMatch>>, count: Option<u64> },
    Lacks(Deferred<TextMatch>),
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let given: Vec<&str> = SPEC.fields.iter().map(|field| field.name).filter(|name| args.has(name)).collect();
    let level = if args.has("level") { Some(level(args.choice("level")?)) } else { None };
    let what = match given.as_slice() {
        ["is"] => args.choice("is").map(|_| What::Clean)?,
        ["lacks"] | ["lacks", "level"] => What::Lacks(args.given("lacks")?),
        [] => return refused(args, "`assert-console` says nothing"),
        given if given.contains(&"is") || given.contains(&"lacks") => {
            return refused(args, &format!("`{}` exclude each other", given.join("` and `")));
        }
        _ => {
            let text = args.given_if_any("has");
            let count = if args.has("count") { args.whole("count", 0).map(Some) } else { Some(None) };
            What::Has { text: text?, count: count? }
        }
    };
    Some(Box::new(AssertConsole { what, level }))
}

fn refused(args: &mut Arguments<'_>, title: &str) -> Option<Box<dyn Action>> {
    let place = args.place();
    args.problem(
        wrong(place, title)
            .label("`clean`; or `has`, `level` and `count`; or `lacks` and `level`")
            .next("write `- assert-console: clean`, or { level: error, count: 0 }"),
    );
    None
}

fn level(word: &str) -> Level {
    match word {
        "debug" => Level::Debug,
        "warning" => Level::Warning,
        "error" => Level::Error,
        _ => Level::Info,
    }
}

/// An entry is known by a part of its text.
fn says(wanted: &TextMatch, entry: &ConsoleEntry) -> bool {
    match wanted {
        TextMatch::Exact(part) => entry.text.contains(part.as_str()),
        TextMatch::Pattern(_) => wanted.matches(&entry.text),
    }
}

#[async_trait(?Send)]
impl Action for AssertConsole {
    fn describe(&self) -> String {
        match &self.what {
            What::Clean => "assert-console clean".to_owned(),
            What::Has { text: Some(text), .. } => format!("assert-console has {text}"),
            What::Has { text: None, .. } => "assert-console".to_owned(),
            What::Lacks(text) => format!("assert-console lacks {text}"),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let (text, count) = match &self.what {
            What::Clean => (None, Some(0)),
            What::Has { text: Some(text), count } => (Some(stage.get(text, at).await?), *count),
            What::Has { text: None, count } => (None, *count),
            What::Lacks(text) => (Some(stage.get(text, at).await?), Some(0)),
        };
        let page = stage.page();
        let traffic = page.traffic().clone();
        let fits = |entry: &ConsoleEntry| {
            let of_mock =
                entry.source == Source::Network && entry.url.as_deref().is_some_and(|url| traffic.was_mocked(url));
            let of_level = match (&self.what, self.level) {
                (What::Clean, _) => entry.level >= Level::Warning,
                (_, Some(level)) => entry.level == level,
                (_, None) => true,
            };
            !of_mock && of_level && text.as_deref().is_none_or(|text| says(text, entry))
        };
        let failed = |error| at.page_failure(&error);
        // "None" is not said before everything so far has been told.
        page.settle(at.deadline).await.map_err(failed)?;
        page.catch_up(at.deadline).await.map_err(failed)?;
        let verdict = page
            .until_logged(at.deadline, |entries| {
                let found = entries.iter().filter(|entry| fits(entry)).count() as u64;
                match count {
                    None => (found > 0).then_some(true),
                    Some(exactly) if found > exactly => Some(false),
                    Some(exactly) => (found == exactly).then_some(true),
                }
            })
            .await
            .map_err(failed)?;
        if verdict == Some(true) {
            return Ok(());
        }
        let all = page.console();
        let found: Vec<&ConsoleEntry> = all.iter().filter(|entry| fits(entry)).collect();
        let title = match (&self.what, found.len()) {
            (What::Clean, _) => "the console is not clean".to_owned(),
            (What::Lacks(_), _) => "the console has this".to_owned(),
            (What::Has { .. }, 0) => format!("the console has no such entry, after {}", words(at.given)),
            (What::Has { .. }, 1) => "the console has one such entry".to_owned(),
            (What::Has { .. }, many) => format!("the console has {many} such entries"),
        };
        let mut failure = at.failure(title);
        if let What::Has { count: Some(count), .. } = &self.what {
            failure = failure.label(format!("wanted {count}"));
        }
        let shown = if found.is_empty() { all.iter().collect() } else { found };
        Err(failure.detail("console", listed(&shown)))
    }
}

fn listed(entries: &[&ConsoleEntry]) -> String {
    if entries.is_empty() {
        return "(nothing)".to_owned();
    }
    let left_out = entries.len().saturating_sub(SHOWN);
    let mut lines: Vec<String> = entries.iter().skip(left_out).map(ToString::to_string).collect();
    if left_out > 0 {
        lines.insert(0, format!("({left_out} earlier ones)"));
    }
    lines.join("\n")
}
