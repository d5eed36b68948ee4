//! `network`: how good the network is.

use async_trait::async_trait;

use crate::page::net::Network;
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "network",
    group: Group::Around,
    summary: "How good the network is from now on, for every tab, frame and worker. Mocks answer all the same.",
    short: Some("is"),
    fields: &[required(
        "is",
        Kind::Choice(&["online", "offline", "slow"]),
        "`slow` is a phone in a bad place: 180 kB/s down, 84 kB/s up, 563 ms until an answer begins.",
    )],
    example: "- network: offline",
    build,
};

#[derive(Debug)]
struct NetworkStep {
    word: &'static str,
    network: Network,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let word = args.choice("is")?;
    let network = match word {
        "offline" => Network::Offline,
        "slow" => Network::Slow,
        _ => Network::Online,
    };
    Some(Box::new(NetworkStep { word, network }))
}

#[async_trait(?Send)]
impl Action for NetworkStep {
    fn describe(&self) -> String {
        format!("network {}", self.word)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let page = stage.page();
        // The page is told by an event, which a look that follows has to wait for.
        let _act = page.begin_act();
        page.traffic().set_network(self.network, at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
