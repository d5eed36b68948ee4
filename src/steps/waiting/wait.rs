//! `wait`: lets time pass.

use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep_until};

use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "wait",
    group: Group::Waiting,
    summary: "Lets time pass. Rarely right: `wait-for` waits for what you are waiting for.",
    short: Some("time"),
    fields: &[required("time", Kind::Duration, "How long.")],
    example: "- wait: 300ms",
    build,
};

#[derive(Debug)]
struct Wait {
    time: Duration,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Wait { time: args.duration("time")? }))
}

#[async_trait(?Send)]
impl Action for Wait {
    fn describe(&self) -> String {
        format!("wait {}", words(self.time))
    }

    fn asks_for(&self) -> Duration {
        self.time
    }

    async fn perform(&self, _: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        // The one verb whose purpose is that time passes.
        let end = Instant::now() + self.time;
        sleep_until(end.min(at.deadline)).await;
        if end <= at.deadline {
            return Ok(());
        }
        Err(at
            .failure(format!("the wait of {} was cut short", words(self.time)))
            .label(format!("there were only {} for it", words(at.given))))
    }
}
