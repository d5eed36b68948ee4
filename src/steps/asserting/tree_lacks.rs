//! `assert-tree-lacks`.

use async_trait::async_trait;

use super::tree_failure;
use crate::scenario::Deferred;
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::given::PatternText;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};
use crate::steps::until::until_holds;

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-tree-lacks",
    group: Group::Asserting,
    summary: "The page must not contain these outline lines.",
    short: Some("pattern"),
    fields: &[required("pattern", Kind::Pattern, "Outline lines, nested by indentation.")],
    example: "- assert-tree-lacks: alert",
    build,
};

#[derive(Debug)]
struct TreeLacks {
    pattern: Deferred<PatternText>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(TreeLacks { pattern: args.given("pattern")? }))
}

#[async_trait(?Send)]
impl Action for TreeLacks {
    fn describe(&self) -> String {
        format!("assert-tree-lacks {}", self.pattern)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let text = stage.get(&self.pattern, at).await?;
        // What the last act set off may still bring what must not be there.
        stage.page().settle(at.deadline).await.map_err(|error| at.page_failure(&error))?;
        until_holds(stage, at, |_, seen| crate::outline::lacks(&seen.outline, &text.pattern))
            .await
            .map(|_| ())
            .map_err(|unmet| tree_failure(at, &text, unmet, "the page contains this"))
    }
}
