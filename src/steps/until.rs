//! Waiting until something holds: the page is read again when it has changed, never on a fixed clock.

use std::sync::Arc;

use super::failure::Failure;
use super::stage::Stage;
use super::step::At;
use crate::page::Seen;

/// Why a wait ended without what it waited for.
pub(super) enum Unmet<E> {
    /// The last reason why it did not hold, and what the page showed then.
    Reason(E, Arc<Seen>),
    /// The page could not be read at all.
    Page(Failure),
}

/// Reads the page until `check` holds, at most until the step's deadline.
pub(super) async fn until_holds<T, E>(
    stage: &mut Stage,
    at: &At<'_>,
    mut check: impl FnMut(&Stage, &Seen) -> Result<T, E>,
) -> Result<T, Unmet<E>> {
    let page = stage.page();
    let mut last: Option<(E, Arc<Seen>)> = None;
    // Marked before the read: a change during the read makes the wait return at once.
    let mut changes = page.changes();
    loop {
        match page.outline(at.deadline).await {
            Ok(seen) => match check(stage, &seen) {
                Ok(value) => return Ok(value),
                Err(reason) => last = Some((reason, seen)),
            },
            Err(error) => {
                // A read that the deadline cut off says less than the last whole one.
                return Err(match last {
                    Some((reason, seen)) if error.is_late() => Unmet::Reason(reason, seen),
                    _ => Unmet::Page(at.page_failure(&error)),
                });
            }
        }
        match changes.changed(at.deadline).await {
            Ok(true) => {}
            Ok(false) => {
                if let Some((reason, seen)) = last {
                    return Err(Unmet::Reason(reason, seen));
                }
            }
            Err(error) => return Err(Unmet::Page(at.page_failure(&error))),
        }
    }
}
