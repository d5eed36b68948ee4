//! `right-click`.

use super::click::{ClickStep, modifiers};
use crate::page::{Click, MouseButton};
use crate::steps::arguments::Arguments;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::step::Action;

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "right-click",
    group: Group::Acting,
    summary: "Clicks with the right button, which opens a context menu.",
    short: Some("on"),
    fields: &[
        required("on", Kind::Target, "What is clicked."),
        field("modifiers", Kind::Keys, "Keys held meanwhile: Shift, Control, Alt, Meta."),
    ],
    example: "- right-click: listitem \"report.txt\"",
    build,
};

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let how = Click { button: MouseButton::Right, modifiers: modifiers(args)?, ..Click::default() };
    Some(Box::new(ClickStep { verb: SPEC.name, on: args.given("on")?, how, at: None }))
}
