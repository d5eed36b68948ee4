//! `click`: presses and releases a mouse button on an element.

use async_trait::async_trait;

use crate::page::{Click, MouseButton};
use crate::scenario::{By, Deferred, Modifiers, Node, Problems, Readable, Target};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "click",
    group: Group::Acting,
    summary: "Clicks an element once it is visible, still, enabled and the one that would receive the click.",
    short: Some("on"),
    fields: &[
        required("on", Kind::Target, "What is clicked."),
        field("button", Kind::Choice(&["left", "middle", "right"]), "The mouse button: `left` unless told."),
        field("times", Kind::Number, "How many clicks, one right after the other: 1 to 3."),
        field("modifiers", Kind::Keys, "Keys held meanwhile: Shift, Control, Alt, Meta."),
        field(
            "at",
            Kind::Map,
            "`{x, y}`: where inside the element, CSS pixels from its top left corner; its middle unless told.",
        ),
    ],
    example: "- click: button \"Save\"",
    build,
};

/// A click with all that can be said of it.
#[derive(Debug)]
pub(super) struct ClickStep {
    pub(super) verb: &'static str,
    pub(super) on: Deferred<Target>,
    pub(super) how: Click,
    pub(super) at: Option<Deferred<Spot>>,
}

/// A place inside an element, CSS pixels from its top left corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot(f64, f64);

impl Readable for Spot {
    fn read(node: &Node, problems: &mut Problems) -> Option<Spot> {
        let before = problems.len();
        match Target::from_node(node, problems) {
            // Written as a place of the viewport is, and nothing beside it.
            Some(Target { by: By::Point { x, y }, within: None, has: None, nth: None, frame: None }) => {
                Some(Spot(x, y))
            }
            _ => {
                if problems.len() == before {
                    problems
                        .add(wrong(&node.place, "`at` is a place inside the element").next("write { x: 200, y: 150 }"));
                }
                None
            }
        }
    }
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let on = args.given("on")?;
    let button = match args.choice("button") {
        Some("middle") => MouseButton::Middle,
        Some("right") => MouseButton::Right,
        _ => MouseButton::Left,
    };
    let times = if args.has("times") { args.whole("times", 1)? } else { 1 };
    if times > 3 {
        let place = args.place();
        args.problem(
            wrong(place, "a click is made 1 to 3 times")
                .label("its `times` is more")
                .next("put more clicks into a `repeat`"),
        );
        return None;
    }
    Some(Box::new(ClickStep {
        verb: SPEC.name,
        on,
        how: Click { button, times: u32::try_from(times).ok()?, modifiers: modifiers(args)?, at: None },
        at: args.given_if_any("at")?,
    }))
}

/// The keys of `modifiers`.
pub(super) fn modifiers(args: &mut Arguments<'_>) -> Option<Modifiers> {
    match args.raw("modifiers") {
        Some(node) => Modifiers::from_node(node, args.problems()),
        None => Some(Modifiers::default()),
    }
}

#[async_trait(?Send)]
impl Action for ClickStep {
    fn describe(&self) -> String {
        format!("{} {}", self.verb, self.on)
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        Some(&self.on)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let on = stage.get(&self.on, at).await?;
        let mut how = self.how;
        if let Some(spot) = &self.at {
            let Spot(x, y) = *stage.get(spot, at).await?;
            how.at = Some((x, y));
        }
        stage.page().click(&on, &how, at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
