//! Which tab a step that failed was about, where there are several.

use super::failure::{Cause, Failure};
use super::spec::Group;
use super::stage::Stage;
use super::step::Step;

/// The detail that lists the tabs.
const TABS: &str = "tabs";

impl Stage {
    /// Says of a failure that may be about the wrong tab which one it was about, and which others there are.
    pub(super) fn with_tabs(&self, step: &Step, failure: Failure) -> Failure {
        let about_a_page =
            matches!(step.spec.group, Group::Asserting | Group::Acting | Group::Waiting | Group::Looking);
        let tabs = self.tabs().all();
        let told = failure.diagnostic.details.iter().any(|detail| detail.title == TABS);
        if !about_a_page || told || failure.cause == Cause::World || tabs.len() < 2 {
            return failure;
        }
        let mut lines = Vec::new();
        let mut other = None;
        for (tab, page) in &tabs {
            let name = tab.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
            let here = if tab.current { " * (this step)" } else { "" };
            lines.push(format!("{}{name}{here}  {}", tab.id, self.short_url(&page.url())));
            if !tab.current {
                // The newest one is what a step most likely forgot to go to.
                other = Some(tab.name.clone().unwrap_or_else(|| tab.id.clone()));
            }
        }
        let failure = failure.detail(TABS, lines.join("\n"));
        match other {
            Some(other) if failure.diagnostic.next.is_none() => failure.next(format!(
                "if the other tab is meant: `tab: {other}` beside this step, or `- tab-select: {other}` before it"
            )),
            _ => failure,
        }
    }
}
