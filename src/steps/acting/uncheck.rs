//! `uncheck`: unchecks a checkbox or a switch.

use super::check;
use crate::steps::spec::{Group, Kind, Spec, required};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "uncheck",
    group: Group::Acting,
    summary: "Unchecks a checkbox or a switch, by clicking it; does nothing when it is unchecked already. A radio is unchecked by checking \
              another one.",
    short: Some("on"),
    fields: &[required("on", Kind::Target, "What is unchecked.")],
    example: "- uncheck: switch \"Notifications\"",
    build: |args| check::build(args, false),
};
