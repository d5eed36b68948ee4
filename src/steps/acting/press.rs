//! `press`: presses keys, and may hold them.

use std::time::Duration;

use async_trait::async_trait;

use crate::page::{Hold, Repeat};
use crate::scenario::{Deferred, Target, duration};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::given::Keys;
use crate::steps::spec::{Field, Group, Kind, Spec, field, required};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};

pub(super) const KEY: Field =
    required("key", Kind::Keys, "The key, chord or keys: `Enter`, `w`, `Control+Shift+K`, `[ArrowUp, Space]`.");
pub(super) const REPEAT: Field = field(
    "repeat",
    Kind::Map,
    "`{after, every}`: when a held key begins to repeat, and how often. As a keyboard does, unless told.",
);
pub(super) const ON: Field =
    field("on", Kind::Target, "The element that is focused first; the keys go to what has the focus otherwise.");

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "press",
    group: Group::Acting,
    summary: "Presses a key, a chord or several keys together, and releases them however the step ends.",
    short: Some("key"),
    fields: &[KEY, field("hold", Kind::Duration, "How long the keys stay down."), REPEAT, ON],
    example: "- press: Enter",
    build,
};

#[derive(Debug)]
struct Press {
    keys: Deferred<Keys>,
    hold: Hold,
    on: Option<Deferred<Target>>,
}

pub(super) fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let keys = args.given("key")?;
    let on = args.given_if_any("on")?;
    let lasting = if args.has("hold") { Some(args.duration("hold")?) } else { None };
    let repeat = if args.has("repeat") { repeat(args)? } else { Repeat::default() };
    let hold = Hold { duration: lasting, repeat };
    Some(Box::new(Press { keys, hold, on }))
}

fn repeat(args: &mut Arguments<'_>) -> Option<Repeat> {
    let (mut after, mut every) = (None, None);
    for (key, node) in args.map("repeat")? {
        let value = duration(node.text().unwrap_or_default());
        match (key.name.as_str(), value) {
            ("after", Ok(value)) => after = Some(value),
            ("every", Ok(value)) => every = Some(value),
            (_, value) => {
                let problem = wrong(&node.place, "`repeat` is `{after: DURATION, every: DURATION}`");
                let label = value.err().unwrap_or_else(|| "neither `after` nor `every`".to_owned());
                let problem = problem.label(label).next("write `repeat: { after: 500ms, every: 33ms }`");
                args.problem(problem);
                return None;
            }
        }
    }
    match (after, every) {
        (Some(after), Some(every)) => Some(Repeat::Every { after, every }),
        _ => {
            let place = args.place();
            args.problem(
                wrong(place, "`repeat` needs both `after` and `every`")
                    .label("one of them is missing")
                    .next("write `repeat: { after: 500ms, every: 33ms }`"),
            );
            None
        }
    }
}

#[async_trait(?Send)]
impl Action for Press {
    fn describe(&self) -> String {
        match self.hold.duration {
            None => format!("press {}", self.keys),
            Some(duration) => format!("press {} for {}", self.keys, words(duration)),
        }
    }

    fn asks_for(&self) -> Duration {
        self.hold.duration.unwrap_or_default()
    }

    fn aims(&self) -> bool {
        self.on.is_some()
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        self.on.as_ref()
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let keys = stage.get(&self.keys, at).await?;
        let on = match &self.on {
            Some(on) => Some(stage.get(on, at).await?),
            None => None,
        };
        stage
            .page()
            .press(&keys.0, self.hold, on.as_deref(), at.deadline)
            .await
            .map_err(|error| at.page_failure(&error))
    }
}
