//! `double-click`.

use super::click::{ClickStep, modifiers};
use crate::page::Click;
use crate::steps::arguments::Arguments;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::step::Action;

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "double-click",
    group: Group::Acting,
    summary: "Clicks twice in a row, as a double click.",
    short: Some("on"),
    fields: &[
        required("on", Kind::Target, "What is clicked."),
        field("modifiers", Kind::Keys, "Keys held meanwhile: Shift, Control, Alt, Meta."),
    ],
    example: "- double-click: cell \"Total\"",
    build,
};

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let how = Click { times: 2, modifiers: modifiers(args)?, ..Click::default() };
    Some(Box::new(ClickStep { verb: SPEC.name, on: args.given("on")?, how, at: None }))
}
