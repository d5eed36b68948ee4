//! `clock:`: the time that pages are told.

use super::Problems;
use super::deferred::Readable;
use super::diagnostic::{Diagnostic, shown};
use super::node::Node;

/// What the dates of a scenario's pages say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockSetting {
    /// The moment it is set to, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// Whether it goes on from there, or stands still.
    pub runs: bool,
}

/// As `config` shows it.
impl std::fmt::Display for ClockSetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match jiff::Timestamp::from_millisecond(self.at) {
            Ok(moment) => write!(f, "{moment}")?,
            Err(_) => write!(f, "{} ms", self.at)?,
        }
        f.write_str(if self.runs { "" } else { ", standing still" })
    }
}

impl Readable for ClockSetting {
    fn read(node: &Node, problems: &mut Problems) -> Option<ClockSetting> {
        read(node, problems)
    }
}

/// Reads `clock`: a moment, or `{at, runs}`.
fn read(node: &Node, problems: &mut Problems) -> Option<ClockSetting> {
    if node.entries().is_none() {
        return Some(ClockSetting { at: moment(node, "`clock`", problems)?, runs: true });
    }
    node.want_keys("`clock`", &["at", "runs"], problems)?;
    let example = "write { at: 2026-03-01T09:00:00Z, runs: false }";
    let (at, runs) = node.want_both(("at", "runs"), &node.place, "half of a `clock`", example, problems)?;
    let at = moment(at, "`at`", problems);
    let Some(goes_on) = runs.json().as_bool() else {
        problems.add(
            Diagnostic::new("`runs` must be true or false")
                .at(runs.place.clone())
                .label("neither")
                .next("write `runs: false` for a clock that stands still"),
        );
        return None;
    };
    Some(ClockSetting { at: at?, runs: goes_on })
}

/// A moment as RFC 3339 has it.
fn moment(node: &Node, what: &str, problems: &mut Problems) -> Option<i64> {
    let text = node.want_filled(what, problems)?;
    match text.parse::<jiff::Timestamp>() {
        Ok(moment) => Some(moment.as_millisecond()),
        Err(_) => {
            problems.add(
                Diagnostic::new(format!("{what} must be a moment"))
                    .at(node.place.clone())
                    // What was filled in is not what stands there.
                    .label(if node.place.text().contains("{{") && !text.contains("{{") {
                        format!("filled in it is `{}`: no date and time with an offset", shown(text))
                    } else {
                        "no date and time with an offset".to_owned()
                    })
                    .next("write it as 2026-03-01T09:00:00Z, or with an offset as 2026-03-01T09:00:00+01:00"),
            );
            None
        }
    }
}
