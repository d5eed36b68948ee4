//! `assert-tree-contains`.

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
    name: "assert-tree-contains",
    group: Group::Asserting,
    summary: "The page must contain these outline lines: children match descendants, in order, with others allowed between.",
    short: Some("pattern"),
    fields: &[required("pattern", Kind::Pattern, "Outline lines, nested by indentation.")],
    example: "- assert-tree-contains: |\n    main\n      heading \"Welcome\"",
    build,
};

#[derive(Debug)]
struct TreeContains {
    pattern: Deferred<PatternText>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(TreeContains { pattern: args.given("pattern")? }))
}

#[async_trait(?Send)]
impl Action for TreeContains {
    fn describe(&self) -> String {
        format!("assert-tree-contains {}", self.pattern)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let text = stage.get(&self.pattern, at).await?;
        until_holds(stage, at, |_, seen| crate::outline::contains(&seen.outline, &text.pattern))
            .await
            .map(|_| ())
            .map_err(|unmet| tree_failure(at, &text, unmet, "the page does not contain this line"))
    }
}
