//! `snapshot`: the page's outline must be the stored one.

use std::sync::Arc;

use async_trait::async_trait;

use crate::outline::Outline;
use crate::scenario::{Deferred, shell_word};
use crate::snapshot::{Held, Key, SnapshotError, Standing, Taken, Taker};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At};
use crate::steps::until::{Unmet, until_holds};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "snapshot",
    group: Group::Asserting,
    summary: "The page's outline must be the one stored under this name in `snapshots/`.",
    short: Some("name"),
    fields: &[required("name", Kind::Text, "The name; it may hold `{{ turn }}` in a loop.")],
    example: "- snapshot: signed-in",
    build,
};

#[derive(Debug)]
struct Snapshot {
    name: Deferred<String>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Snapshot { name: args.given("name")? }))
}

#[async_trait(?Send)]
impl Action for Snapshot {
    fn describe(&self) -> String {
        format!("snapshot {}", self.name)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let name = stage.get(&self.name, at).await?.into_owned();
        let name = stage.props.mask.text(&name).into_owned();
        stage.page().settle(at.deadline).await.map_err(|error| at.page_failure(&error))?;
        let (store, redactions) = (stage.props.store.clone(), stage.props.redactions.clone());
        let by = taker(stage, at, name);
        // A stored outline is waited for, as any assertion; without one the page must stand still: two reads agree.
        let mut last: Option<Arc<Outline>> = None;
        let waited = until_holds(stage, at, |_, seen| {
            let stands_still = last.as_ref().is_some_and(|last| last.same_as(&seen.outline));
            match store.standing(&Taken { by: &by, outline: &seen.outline, redactions: &redactions }) {
                Ok(Standing::Matches) => Ok(seen.outline.clone()),
                Ok(Standing::Missing) if stands_still => Ok(seen.outline.clone()),
                // Said by `hold` below, which knows what to do about it.
                Err(_) => Ok(seen.outline.clone()),
                Ok(Standing::Missing | Standing::Differs) => {
                    last = Some(seen.outline.clone());
                    Err(())
                }
            }
        })
        .await;
        let outline = match waited {
            Ok(outline) => outline,
            Err(Unmet::Reason((), seen)) => seen.outline.clone(),
            Err(Unmet::Page(failure)) => return Err(failure),
        };
        let held = store.hold(&Taken { by: &by, outline: &outline, redactions: &redactions });
        tell_held(stage, at, held)
    }
}

/// The step as the store knows it.
pub(in crate::steps) fn taker(stage: &Stage, at: &At<'_>, name: String) -> Taker {
    Taker {
        key: Key::new(&stage.props.scenario_file, name),
        line: u32::try_from(at.place.line()).unwrap_or(u32::MAX),
        description: stage.props.scenario_name.clone(),
        row: stage.props.row.clone(),
    }
}

/// Tells what became of a snapshot.
pub(in crate::steps) fn tell_held(
    stage: &mut Stage,
    at: &At<'_>,
    held: Result<Held, SnapshotError>,
) -> Result<(), Failure> {
    match held {
        Ok(Held::Matches) => Ok(()),
        Ok(Held::Created { path }) => {
            stage.tell(Note::Notice(format!("snapshot stored: {}", path.display())));
            Ok(())
        }
        Ok(Held::Updated { path }) => {
            stage.tell(Note::Notice(format!("snapshot stored anew: {}", path.display())));
            Ok(())
        }
        Err(error) => Err(failure(at, &error)),
    }
}

fn failure(at: &At<'_>, error: &SnapshotError) -> Failure {
    let mut failure = at.failure(error.to_string());
    if let SnapshotError::Looks { how, .. } = error {
        failure = failure.label(how);
    }
    for (title, text) in error.details() {
        failure = failure.detail(title, text);
    }
    let failure = failure.next(error.next(&format!("playscript run {}", shell_word(&at.place.source.path))));
    match error {
        SnapshotError::Io { .. } => failure.of_world(),
        // A page that differs may be itself again the next time; these stay as they are.
        SnapshotError::Missing { .. } | SnapshotError::Format(_) | SnapshotError::Clash(_) => failure.for_good(),
        SnapshotError::Differs { .. } | SnapshotError::Looks { .. } => failure,
    }
}
