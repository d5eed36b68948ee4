//! `press-with-hold`: `press` for keys that are held.

use super::press::{KEY, ON, REPEAT, build};
use crate::steps::spec::{Group, Kind, Spec, required};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "press-with-hold",
    group: Group::Acting,
    summary: "The same as `press`, for keys that stay down for a while: `hold` must be said.",
    short: None,
    fields: &[KEY, required("hold", Kind::Duration, "How long the keys stay down."), REPEAT, ON],
    example: "- press-with-hold: { key: ArrowRight, hold: 800ms }",
    build,
};
