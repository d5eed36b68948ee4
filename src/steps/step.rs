//! A step ready to be performed, and how a step of a file becomes one.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;

use super::arguments::Arguments;
use super::failure::Failure;
use super::spec::Spec;
use super::stage::Stage;
use super::{extras, find};
use crate::page::PageError;
use crate::scenario::{Deferred, Expression, Place, Problems, RawStep, Target, TextMatch};

/// What a verb does once its arguments are known.
#[async_trait(?Send)]
pub trait Action: Send + Sync + Debug {
    /// The step as a person would say it: `click button "Pay"`.
    fn describe(&self) -> String;

    /// Does it, before `at.deadline`.
    ///
    /// # Errors
    /// When the page is not as the step needs it, or the world gave way.
    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure>;

    /// The time that the step itself asks for (a key held, a wait), which comes on top of the time it is given.
    fn asks_for(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether it looks for its target in the page before it acts, and waits until that is at rest. Keys go where the focus is.
    fn aims(&self) -> bool {
        true
    }

    /// The element that it is about, if it is about one.
    fn target(&self) -> Option<&Deferred<Target>> {
        None
    }

    /// The steps inside, which have deadlines of their own. A verb with steps inside is flow.
    fn inside(&self) -> Option<&[Step]> {
        None
    }
}

/// Where and until when a step is performed.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Where the step stands in its file: what a mark stands under when it fails.
    pub place: &'a Place,
    /// When it must be done.
    pub deadline: Instant,
    /// How long it was given, for messages.
    pub given: Duration,
}

impl At<'_> {
    /// A failure that stands at this step.
    pub fn failure(&self, title: impl Into<String>) -> Failure {
        Failure::new(self.place, title)
    }

    /// What the page room says, as a failure that stands at this step.
    pub fn page_failure(&self, error: &PageError) -> Failure {
        Failure::of_page(self.place, error)
    }
}

/// A step ready to be performed.
#[derive(Debug)]
pub struct Step {
    /// The verb.
    pub spec: &'static Spec,
    /// Where it stands.
    pub place: Place,
    /// What it does.
    pub action: Box<dyn Action>,
    /// The keys that any step may carry.
    pub extras: Extras,
}

/// The keys that any step may carry.
#[derive(Debug, Default)]
pub struct Extras {
    /// What a report calls it.
    pub name: Option<Deferred<String>>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// Performed only where this holds.
    pub when: Option<Expression>,
    /// Its failure fails the scenario at its end, and the steps after it are performed.
    pub soft: bool,
    /// Its failure is a notice.
    pub optional: bool,
    /// It must fail, with this in its message.
    pub fails: Option<TextMatch>,
    /// The name of the tab that the act opens.
    pub opens: Option<Deferred<String>>,
    /// The tab it is performed in.
    pub tab: Option<Deferred<String>>,
    /// The user it is performed as.
    pub user: Option<String>,
}

impl Step {
    /// The step as a person would say it.
    #[must_use]
    pub fn describe(&self) -> String {
        match &self.extras.name {
            Some(name) => name.to_string(),
            None => self.action.describe(),
        }
    }
}

/// The steps of a file, ready to be performed; what is wrong with them goes to `problems`, all of it.
pub fn compile(raw: &[RawStep], problems: &mut Problems) -> Vec<Step> {
    raw.iter().filter_map(|raw| compile_one(raw, problems)).collect()
}

fn compile_one(raw: &RawStep, problems: &mut Problems) -> Option<Step> {
    let extras = extras::read(&raw.verb.name, &raw.extra, problems);
    // The vocabulary handed to the parser is made from the same list, so an unknown verb was told already.
    let spec = find(&raw.verb.name)?;
    let mut arguments = Arguments::new(spec, raw, problems)?;
    let action = (spec.build)(&mut arguments)?;
    Some(Step { spec, place: arguments.mark(), action, extras: extras? })
}
