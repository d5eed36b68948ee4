//! `dialog`: how the page's next question is answered.

use async_trait::async_trait;

use crate::page::{Announcement, Answer};
use crate::scenario::{Deferred, TextMatch};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "dialog",
    group: Group::Around,
    summary: "Says how the next alert, confirm, prompt or leave-page question is answered, in whatever tab it opens; it stands before the step \
              that opens it. Without it an alert is accepted and noted, a page may be left, and a confirm or prompt is dismissed and fails \
              the step. One with `expect` must come: the scenario fails if it never does. An answer without `expect` that nothing \
              asked for is noted at the end.",
    short: Some("then"),
    fields: &[
        field("then", Kind::Choice(&["accept", "dismiss"]), "OK, or Cancel. A page that is not to be left stays."),
        field("answer", Kind::Text, "The text that a prompt is given, with OK."),
        field(
            "expect",
            Kind::TextMatch,
            "What the dialog must say: another one is dismissed and fails the step, and none at all fails the scenario.",
        ),
    ],
    example: "- dialog: { expect: /^Delete/, then: accept }",
    build,
};

#[derive(Debug)]
struct Next {
    reply: Reply,
    expect: Option<Deferred<TextMatch>>,
}

#[derive(Debug)]
enum Reply {
    Accept,
    Dismiss,
    Text(Deferred<String>),
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let expect = args.given_if_any("expect")?;
    let reply = match (args.has("then"), args.has("answer")) {
        (true, false) => match args.choice("then")? {
            "dismiss" => Reply::Dismiss,
            _ => Reply::Accept,
        },
        (false, true) => Reply::Text(args.given("answer")?),
        (both, _) => {
            let label = if both { "`then` and `answer` at once" } else { "what it is answered with is missing" };
            let place = args.place();
            args.problem(
                wrong(place, "a dialog is answered in one way")
                    .label(label)
                    .next("write `then: accept`, `then: dismiss`, or `answer: TEXT` for a prompt"),
            );
            return None;
        }
    };
    Some(Box::new(Next { reply, expect }))
}

#[async_trait(?Send)]
impl Action for Next {
    // The text of an answer is left out: it may be a secret.
    fn describe(&self) -> String {
        let reply = match self.reply {
            Reply::Accept => "accept",
            Reply::Dismiss => "dismiss",
            Reply::Text(_) => "answer",
        };
        match &self.expect {
            Some(expect) => format!("dialog {expect}: {reply}"),
            None => format!("dialog {reply}"),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let answer = match &self.reply {
            Reply::Accept => Answer::Accepted,
            Reply::Dismiss => Answer::Dismissed,
            Reply::Text(text) => Answer::Told(stage.get(text, at).await?.into_owned()),
        };
        let expect = match &self.expect {
            Some(expect) => Some(stage.get(expect, at).await?.into_owned()),
            None => None,
        };
        let must_come = expect.is_some();
        let number = stage.tabs().dialogs().announce(Announcement { expect, answer });
        stage.announced(number, at.place, must_come, self.describe());
        Ok(())
    }
}
