//! `select`: chooses from a list.

use async_trait::async_trait;

use crate::scenario::{Deferred, Kind as NodeKind, Node, Target, TextMatch};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "select",
    group: Group::Acting,
    summary: "Chooses from a list as a person does: a native one, which is opened and gone through by keys, or a listbox or combobox of the \
              page's own, which is clicked. Exactly what is named is chosen afterwards.",
    short: None,
    fields: &[
        required("in", Kind::Target, "The list, or what opens it."),
        field("option", Kind::TextMatch, "The option, by its label or else its value."),
        field("options", Kind::Texts, "Several options, where the list takes several; `[]` takes all choices back."),
    ],
    example: "- select: { in: combobox \"City\", option: Oslo }",
    build,
};

#[derive(Debug)]
struct Select {
    within: Deferred<Target>,
    options: Vec<Deferred<TextMatch>>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let within = args.given("in");
    let options = match (args.has("option"), args.has("options")) {
        (true, false) => args.given("option").map(|option| vec![option]),
        (false, true) => several(args),
        (both, _) => {
            let label = if both { "`option` and `options` at once" } else { "what is chosen is missing" };
            let place = args.place();
            args.problem(
                wrong(place, "`select` needs one of `option` and `options`")
                    .label(label)
                    .next(format!("write it like this:\n{}", SPEC.example)),
            );
            None
        }
    };
    Some(Box::new(Select { within: within?, options: options? }))
}

fn several(args: &mut Arguments<'_>) -> Option<Vec<Deferred<TextMatch>>> {
    let node = args.raw("options")?;
    let items: &[Node] = match &node.kind {
        NodeKind::List(items) => items,
        _ => std::slice::from_ref(node),
    };
    // All of them are read before giving up: all that is wrong is told at once.
    let options: Vec<_> = items.iter().map(|item| Deferred::parse(item, args.problems())).collect();
    options.into_iter().collect()
}

#[async_trait(?Send)]
impl Action for Select {
    fn describe(&self) -> String {
        let options: Vec<String> = self.options.iter().map(ToString::to_string).collect();
        format!("select {} in {}", options.join(", "), self.within)
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        Some(&self.within)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let within = stage.get(&self.within, at).await?;
        let mut options = Vec::new();
        for option in &self.options {
            options.push(stage.get(option, at).await?.into_owned());
        }
        let chosen = stage.page().choose(&within, &options, at.deadline).await;
        let chosen = chosen.map_err(|error| at.page_failure(&error))?;
        if let Some(notice) = chosen.notice {
            stage.tell(Note::Notice(notice));
        }
        Ok(())
    }
}
