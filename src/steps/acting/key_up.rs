//! `key-up`: lets keys up that `key-down` pressed.

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
    name: "key-up",
    group: Group::Acting,
    summary: "Lets keys up that `key-down` pressed.",
    short: Some("key"),
    fields: &[required("key", Kind::Keys, "The key, chord or keys that are down.")],
    example: "- key-up: Shift",
    build,
};

#[derive(Debug)]
struct KeyUp {
    keys: Deferred<Keys>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(KeyUp { keys: args.given("key")? }))
}

#[async_trait(?Send)]
impl Action for KeyUp {
    fn describe(&self) -> String {
        format!("key-up {}", self.keys)
    }

    fn aims(&self) -> bool {
        false
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let keys = stage.get(&self.keys, at).await?;
        let page = stage.page();
        for chord in keys.0.iter().rev() {
            page.key_up(chord, at.deadline).await.map_err(|error| at.page_failure(&error))?;
        }
        Ok(())
    }
}
