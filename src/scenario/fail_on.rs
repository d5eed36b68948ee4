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

/// What a scenario or a project says of it; what it leaves out is said elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailOnSetting {
    page_errors: Option<bool>,
    console_errors: Option<bool>,
    failed_requests: Option<bool>,
    outside_requests: Option<bool>,
}

impl FailOnSetting {
    /// Reads a list, which is all there is (`[]` for nothing), or a map, which changes what is usual.
    pub(super) fn read(node: &Node, problems: &mut Problems) -> FailOnSetting {
        match &node.kind {
            Kind::List(items) => {
                let no = Some(false);
                let mut all =
                    FailOnSetting { page_errors: no, console_errors: no, failed_requests: no, outside_requests: no };
                for item in items {
                    if let Some(name) = item.want_text("each of `fail-on`", problems) {
                        all.set(&Key { name: name.to_owned(), place: item.place.clone() }, true, problems);
                    }
                }
                all
            }
            Kind::Map(entries) => {
                let mut all = FailOnSetting::default();
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
                FailOnSetting::default()
            }
        }
    }

    fn set(&mut self, key: &Key, value: bool, problems: &mut Problems) {
        let setting = match key.name.as_str() {
            "page-errors" => &mut self.page_errors,
            "console-errors" => &mut self.console_errors,
            "failed-requests" => &mut self.failed_requests,
            "outside-requests" => &mut self.outside_requests,
            _ => {
                problems.add(key.unknown(&format!("`fail-on` has no `{}`", key.name), &names_of(FAIL_ON)));
                return;
            }
        };
        *setting = Some(value);
    }

    /// This, and where it says nothing, the other.
    #[must_use]
    pub fn or(self, other: FailOnSetting) -> FailOnSetting {
        FailOnSetting {
            page_errors: self.page_errors.or(other.page_errors),
            console_errors: self.console_errors.or(other.console_errors),
            failed_requests: self.failed_requests.or(other.failed_requests),
            outside_requests: self.outside_requests.or(other.outside_requests),
        }
    }

    /// What is in force. A page that throws is broken, whatever it shows; the others are a matter of taste.
    #[must_use]
    pub fn in_force(self) -> FailOn {
        FailOn {
            page_errors: self.page_errors.unwrap_or(true),
            console_errors: self.console_errors.unwrap_or(false),
            failed_requests: self.failed_requests.unwrap_or(false),
            outside_requests: self.outside_requests.unwrap_or(false),
        }
    }
}

impl FailOn {
    /// The names of what fails a scenario.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let all = [
            ("page-errors", self.page_errors),
            ("console-errors", self.console_errors),
            ("failed-requests", self.failed_requests),
            ("outside-requests", self.outside_requests),
        ];
        all.into_iter().filter(|(_, fails)| *fails).map(|(name, _)| name).collect()
    }
}
