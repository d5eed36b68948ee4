//! What a project says for all of its scenarios, in the words of a scenario's head.

use super::around::{self, Whenever};
use super::clock::ClockSetting;
use super::deferred::{Deferred, Readable};
use super::fail_on::FailOnSetting;
use super::head;
use super::node::{Key, Node};
use super::scenario::{Redaction, Scenario};
use super::step::Vocabulary;
use super::{Place, Problems};

/// What scenarios need not say themselves.
#[derive(Clone, Debug, Default)]
pub struct Common {
    /// `variables:`.
    pub variables: Vec<(Key, Node)>,
    /// `whenever:`.
    pub whenever: Vec<Whenever>,
    /// `redact:`.
    pub redact: Vec<Redaction>,
    /// `clock:`.
    pub clock: Option<ClockSetting>,
    /// `fail-on:`.
    pub fail_on: FailOnSetting,
    /// Which of these stand where.
    pub places: Vec<(&'static str, Place)>,
}

impl Common {
    /// Reads a key; `false` where it is none of these.
    pub fn read(&mut self, key: &Key, value: &Node, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> bool {
        let name = match key.name.as_str() {
            "variables" => {
                self.variables = head::variables(value, problems);
                "variables"
            }
            "whenever" => {
                self.whenever = around::whenever(value, vocabulary, problems);
                "whenever"
            }
            "redact" => {
                self.redact = head::redact(value, problems);
                "redact"
            }
            "clock" => {
                self.clock = ClockSetting::read(value, problems);
                "clock"
            }
            "fail-on" => {
                self.fail_on = FailOnSetting::read(value, problems);
                "fail-on"
            }
            _ => return false,
        };
        self.places.push((name, key.place.clone()));
        true
    }

    /// Adds to a scenario what it does not say itself: variables by their names, what `fail-on` leaves open, all of `whenever` (an empty one
    /// says that there is none). What is redacted comes before its own.
    pub fn complete(&self, scenario: &mut Scenario) {
        let missing =
            self.variables.iter().filter(|(key, _)| scenario.variables.iter().all(|(own, _)| own.name != key.name));
        let missing: Vec<_> = missing.cloned().collect();
        // A variable may hold those before it.
        scenario.variables.splice(0..0, missing);
        scenario.redact.splice(0..0, self.redact.iter().cloned());
        scenario.whenever.get_or_insert_with(|| self.whenever.clone());
        if scenario.clock.is_none() {
            scenario.clock = self.clock.map(Deferred::Ready);
        }
        scenario.fail_on = scenario.fail_on.or(self.fail_on);
    }
}
