//! `fail-on:`: what fails a scenario by itself.

use super::diagnostic::{Diagnostic, Problems};
use super::head_keys::{FAIL_ON, names_of};
use super::node::{Key, Kind, Node};

/// What fails a scenario by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailOn {
    /// An exception that nothing in a page caught.
    pub page_errors: bool,
    /// An error that a page logged.
    pub console_errors: bool,
    /// A request without an answer, or with a status from 400 on.
    pub failed_requests: bool,
    /// A request that left what is served.
    pub outside_requests: bool,
}

/// A page that throws is broken, whatever it shows; the others are a matter of taste.
impl Default for FailOn {
    fn default() -> FailOn {
        FailOn { page_errors: true, ..FailOn::NOTHING }
    }
}

impl FailOn {
    const NOTHING: FailOn =
        FailOn { page_errors: false, console_errors: false, failed_requests: false, outside_requests: false };

    /// Reads a list, which is all there is (`[]` for nothing), or a map, which changes what is usual.
    pub(super) fn read(node: &Node, problems: &mut Problems) -> FailOn {
        match &node.kind {
            Kind::List(items) => {
                let mut all = FailOn::NOTHING;
                for item in items {
                    if let Some(name) = item.want_text("each of `fail-on`", problems) {
                        all.set(&Key { name: name.to_owned(), place: item.place.clone() }, true, problems);
                    }
                }
                all
            }
            Kind::Map(entries) => {
                let mut all = FailOn::default();
                for (key, value) in entries {
                    match value.json() {
                        serde_json::Value::Bool(value) => all.set(key, value, problems),
                        _ => problems
                            .add(Diagnostic::new(format!("`{}` is true or false", key.name)).at(value.place.clone())),
                    }
                }
                all
            }
            Kind::Scalar { .. } => {
                problems.add(
                    Diagnostic::new("`fail-on` is a list")
                        .at(node.place.clone())
                        .label(format!("this is {}", node.kind_name()))
                        .next(format!("write [{}], or [] for nothing", names_of(FAIL_ON).join(", "))),
                );
                FailOn::default()
            }
        }
    }

    fn set(&mut self, key: &Key, value: bool, problems: &mut Problems) {
        match key.name.as_str() {
            "page-errors" => self.page_errors = value,
            "console-errors" => self.console_errors = value,
            "failed-requests" => self.failed_requests = value,
            "outside-requests" => self.outside_requests = value,
            _ => problems.add(key.unknown(&format!("`fail-on` has no `{}`", key.name), &names_of(FAIL_ON))),
        }
    }
}
