//! Checking and unchecking.

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::answer::{Answer, Check, Failure};
use super::click::Click;
use super::script::{budget, late};
use crate::page::Page;
use crate::page::error::PageError;
use crate::scenario::Target;

/// A click on what is partly checked may lead to either state; the second click leads to the other.
const CLICKS: usize = 2;

/// How a control stands.
#[derive(Debug, Deserialize)]
struct Standing {
    /// `on`, `off` or `mixed`.
    state: String,
    radio: bool,
}

impl Page {
    /// Checks or unchecks a checkbox, a radio, a switch or what says that it is one, by clicking it, and waits until it says so. What
    /// stands so already is left alone.
    pub async fn set_checked(&self, target: &Target, wanted: bool, deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        let (deed, state) = if wanted { ("checked", "on") } else { ("unchecked", "off") };
        self.with_element(target, deed, deadline, async |element| {
            for _ in 0..CLICKS {
                let answer: Answer<Standing> = self.call_injected(element, "actCheckState", &[], deadline).await?;
                let before = match answer.into_result() {
                    Ok(before) if before.state == state => return Ok(Ok(())),
                    Ok(before) => before,
                    Err(failure) => return Ok(Err(failure)),
                };
                if before.radio && !wanted {
                    return Ok(Err(refused("a radio is unchecked by checking another one of its group")));
                }
                if let Err(failure) = self.press_on(element, &Click::default(), deadline).await? {
                    return Ok(Err(failure));
                }
                let from = json!({ "from": before.state, "budget": budget(deadline) });
                let changed = self.call_injected(element, "actCheckChanged", &[from], late(deadline)).await;
                match changed.map(Answer::<Standing>::into_result) {
                    Ok(Ok(now)) if now.state == state => return Ok(Ok(())),
                    Ok(Ok(_)) => {}
                    Ok(Err(failure)) => return Ok(Err(failure)),
                    // It was clicked, and the page went on to another document because of it.
                    Err(error) if error.is_passing() => return Ok(Ok(())),
                    Err(error) => return Err(error),
                }
            }
            Ok(Err(refused("clicking it does not lead there")))
        })
        .await
    }
}

fn refused(why: &str) -> Failure {
    Failure { check: Check::Refused, why: why.to_owned(), by: None }
}
