//! `assert-count`.

use async_trait::async_trait;

use crate::outline::{LinePattern, is_foreign_role};
use crate::page::PageError;
use crate::scenario::{By, Deferred, Target};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::given::Whole;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-count",
    group: Group::Asserting,
    summary: "So many elements of the page must be the target; none is a number too.",
    short: None,
    fields: &[
        required("of", Kind::Target, "The elements."),
        field("is", Kind::Number, "There are so many."),
        field("has", Kind::Number, "There are at least so many."),
        field("not", Kind::Number, "There is another number of them."),
    ],
    example: "- assert-count: { of: listitem, is: 3 }",
    build,
};

/// How many elements a failure lists.
const LISTED: usize = 8;

#[derive(Debug)]
struct AssertCount {
    of: Deferred<Target>,
    numbers: Vec<(Relation, Deferred<Whole>)>,
}

#[derive(Clone, Copy, Debug)]
enum Relation {
    Is,
    AtLeast,
    Not,
}

impl Relation {
    fn holds(self, count: u64, number: u64) -> bool {
        match self {
            Relation::Is => count == number,
            Relation::AtLeast => count >= number,
            Relation::Not => count != number,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Relation::Is => "is",
            Relation::AtLeast => "is at least",
            Relation::Not => "is not",
        }
    }
}

/// Where none may be the number, `img` taken for a name would hold for ever.
fn refuse_words_of_html(args: &mut Arguments<'_>) {
    let Some(node) = args.raw("of") else { return };
    let word = node.text().map(str::trim).unwrap_or_default();
    let written_as_role = word.starts_with(|c: char| c.is_ascii_lowercase()) && is_foreign_role(word);
    let line = LinePattern { role: Some(word.to_owned()), ..LinePattern::default() };
    if let Some(error) = line.unknown_role(word).filter(|_| written_as_role) {
        let next = format!("{}; elements of this text are '\"{word}\"'", error.next.unwrap_or_default());
        args.problem(wrong(&node.place, "this is not a target").label(error.message).next(next));
    }
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    refuse_words_of_html(args);
    let of: Option<Deferred<Target>> = args.given("of");
    let mut numbers = Vec::new();
    for (name, relation) in [("is", Relation::Is), ("has", Relation::AtLeast), ("not", Relation::Not)] {
        if let Some(number) = args.given_if_any::<Whole>(name)? {
            numbers.push((relation, number));
        }
    }
    let of = of?;
    let place = args.place();
    if numbers.is_empty() {
        args.problem(
            wrong(place, "nothing is said of the count")
                .label("`is`, `has` or `not` is missing")
                .next("write how many there are: `is: 3`, or `has: 3` for at least three"),
        );
        return None;
    }
    if let Deferred::Ready(Target { by: By::Point { .. }, .. }) = of {
        args.problem(wrong(place, "a place in the viewport can't be counted").next("name a role, such as `listitem`"));
        return None;
    }
    Some(Box::new(AssertCount { of, numbers }))
}

#[async_trait(?Send)]
impl Action for AssertCount {
    fn describe(&self) -> String {
        let numbers: Vec<String> =
            self.numbers.iter().map(|(relation, number)| format!("{} {number}", relation.word())).collect();
        format!("assert-count of {} {}", self.of, numbers.join(" and "))
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let of = stage.get(&self.of, at).await?;
        let mut numbers = Vec::new();
        for (relation, number) in &self.numbers {
            numbers.push((*relation, stage.get(number, at).await?.0));
        }
        let page = stage.page();
        let failed = |error: PageError| at.page_failure(&error);
        page.settle(at.deadline).await.map_err(failed)?;
        let mut changes = page.changes();
        let mut last = Vec::new();
        let mut looked = false;
        loop {
            match page.locate_all(&of, at.deadline).await {
                Ok(found) => {
                    let count = found.len() as u64;
                    if numbers.iter().all(|(relation, number)| relation.holds(count, *number)) {
                        return Ok(());
                    }
                    last = found.iter().map(|element| element.description.clone()).collect();
                    looked = true;
                }
                // A look that the deadline cut off says less than the last whole one.
                Err(error) if error.is_late() && looked => {}
                Err(error) => return Err(failed(error)),
            }
            if !changes.changed(at.deadline).await.map_err(failed)? {
                let wanted: Vec<String> =
                    numbers.iter().map(|(relation, number)| format!("{} {number}", relation.word())).collect();
                let failure = at
                    .failure(format!("there are {} of {of}", last.len()))
                    .label(format!("the number that is wanted {}", wanted.join(" and ")));
                return Err(listed(failure, &last, at));
            }
        }
    }
}

fn listed(failure: Failure, found: &[String], at: &At<'_>) -> Failure {
    if found.is_empty() {
        return failure;
    }
    let mut text = found.iter().take(LISTED).cloned().collect::<Vec<_>>().join("\n");
    if found.len() > LISTED {
        text.push_str(&format!("\n… and {} more", found.len() - LISTED));
    }
    failure.detail(format!("the elements, after {}", words(at.given)), text)
}
