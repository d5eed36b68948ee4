//! `scroll`: by the wheel, or to an element.

use async_trait::async_trait;

use crate::page::Direction;
use crate::scenario::{Deferred, Target};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// How far a wheel turn goes when nothing is said, CSS pixels.
const DISTANCE: f64 = 600.0;

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "scroll",
    group: Group::Acting,
    summary: "Turns the mouse wheel over the page or an element, or brings an element into view.",
    short: Some("direction"),
    fields: &[
        field("direction", Kind::Choice(&["up", "down", "left", "right"]), "Where to: `down` unless told."),
        field("by", Kind::Number, "How far, CSS pixels: 600 unless told."),
        field("in", Kind::Target, "What the mouse stands over; the middle of the tab otherwise."),
        field("to", Kind::Target, "Brings this element into view instead."),
    ],
    example: "- scroll: { to: button \"Load more\" }",
    build,
};

#[derive(Debug)]
enum Scroll {
    To(Deferred<Target>),
    By { direction: Direction, distance: f64, over: Option<Deferred<Target>> },
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let direction = match args.choice("direction") {
        Some("up") => Direction::Up,
        Some("left") => Direction::Left,
        Some("right") => Direction::Right,
        None if args.has("direction") => return None,
        _ => Direction::Down,
    };
    if args.has("to") {
        if args.has("by") || args.has("in") || args.has("direction") {
            let place = args.place();
            args.problem(
                wrong(place, "`to` stands alone: it scrolls whatever has to be scrolled")
                    .label("something stands beside `to`")
                    .next("write `- scroll: { to: TARGET }`"),
            );
            return None;
        }
        return Some(Box::new(Scroll::To(args.given("to")?)));
    }
    let distance = if args.has("by") { args.number("by")? } else { DISTANCE };
    let over = args.given_if_any("in")?;
    Some(Box::new(Scroll::By { direction, distance, over }))
}

#[async_trait(?Send)]
impl Action for Scroll {
    fn describe(&self) -> String {
        match self {
            Scroll::To(target) => format!("scroll to {target}"),
            Scroll::By { direction, distance, .. } => format!("scroll {direction:?} by {distance}").to_lowercase(),
        }
    }

    fn aims(&self) -> bool {
        !matches!(self, Scroll::By { over: None, .. })
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        match self {
            Scroll::To(target) => Some(target),
            Scroll::By { over, .. } => over.as_ref(),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let page = stage.page();
        let result = match self {
            Scroll::To(target) => {
                let target = stage.get(target, at).await?;
                page.scroll_to(&target, at.deadline).await
            }
            Scroll::By { direction, distance, over } => {
                let over = match over {
                    Some(over) => Some(stage.get(over, at).await?),
                    None => None,
                };
                page.scroll_by(*direction, *distance, over.as_deref(), at.deadline).await
            }
        };
        result.map_err(|error| at.page_failure(&error))
    }
}
