//! `key-down`: presses keys that stay down.

use async_trait::async_trait;

use crate::scenario::Deferred;
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::given::Keys;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "key-down",
    group: Group::Acting,
    summary: "Presses keys that stay down over the steps that follow, until `key-up`; what is still down at the end of the scenario comes up by itself.",
    short: Some("key"),
    fields: &[required("key", Kind::Keys, "The key, chord or keys: `Shift`, `w`, `[ArrowUp, Space]`.")],
    example: "- key-down: Shift",
    build,
};

#[derive(Debug)]
struct KeyDown {
    keys: Deferred<Keys>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(KeyDown { keys: args.given("key")? }))
}

#[async_trait(?Send)]
impl Action for KeyDown {
    fn describe(&self) -> String {
        format!("key-down {}", self.keys)
    }

    fn aims(&self) -> bool {
        false
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let keys = stage.get(&self.keys, at).await?;
        let page = stage.page();
        for chord in &keys.0 {
            page.key_down(chord, at.deadline).await.map_err(|error| at.page_failure(&error))?;
        }
        Ok(())
    }
}
