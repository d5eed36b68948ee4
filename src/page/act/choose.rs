//! Choosing from lists.

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::answer::{Answer, Check, Failure};
use super::click::Click;
use super::keys;
use super::script::{budget, late};
use crate::page::error::PageError;
use crate::page::{Element, Page};
use crate::scenario::{Chord, Modifiers, Target, TextMatch};

/// How many options an error lists.
const LISTED: usize = 20;

/// What came of choosing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Said when the page saw events of a script and not of a person.
    pub notice: Option<String>,
}

/// A list, as it stands.
#[derive(Debug, Deserialize)]
struct Choices {
    kind: Kind,
    multiple: bool,
    options: Vec<Choice>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// A native list that opens.
    Drop,
    /// A native list that is open.
    List,
    /// What opens a list of the page's own.
    Popup,
    /// A list of the page's own.
    Listbox,
}

#[derive(Debug, Deserialize)]
struct Choice {
    label: String,
    value: String,
    /// Chosen.
    on: bool,
    /// Disabled.
    off: bool,
    /// Keys pass over it.
    hidden: bool,
}

impl Page {
    /// Chooses exactly these options, each by its label or else its value, as a person does: a native list is opened and gone through
    /// by keys, options that show are clicked. Waits for a list and for options that are still to come.
    pub async fn choose(&self, target: &Target, wanted: &[TextMatch], deadline: Instant) -> Result<Chosen, PageError> {
        let _act = self.begin_act();
        self.with_element(target, "chosen from", deadline, async |element| {
            self.choose_in(element, wanted, deadline).await
        })
        .await
    }

    async fn choose_in(
        &self,
        element: &Element,
        wanted: &[TextMatch],
        deadline: Instant,
    ) -> Result<Result<Chosen, Failure>, PageError> {
        let mut opened = false;
        let mut changes = self.changes();
        loop {
            let within = json!({ "budget": budget(deadline) });
            let answer: Answer<Choices> = self.call_injected(element, "actChoices", &[within], late(deadline)).await?;
            let choices = match answer.into_result() {
                Ok(choices) => choices,
                Err(failure) => return Ok(Err(failure)),
            };
            if choices.kind == Kind::Popup && choices.options.is_empty() && !opened {
                if let Err(failure) = self.press_on(element, &Click::default(), deadline).await? {
                    return Ok(Err(failure));
                }
                opened = true;
                continue;
            }
            let missing = match find(&element.description, &choices, wanted) {
                Ok(indexes) => return self.choose_these(element, &choices, &indexes, deadline).await,
                Err(missing) => missing,
            };
            // A second option of one name does not go away by waiting, but a list that is filled from a server may.
            match changes.changed(deadline).await {
                Ok(true) => {}
                Ok(false) => return Err(missing),
                Err(error) => return Err(error),
            }
        }
    }

    async fn choose_these(
        &self,
        element: &Element,
        choices: &Choices,
        indexes: &[usize],
        deadline: Instant,
    ) -> Result<Result<Chosen, Failure>, PageError> {
        let stands = choices.options.iter().enumerate().all(|(index, option)| option.on == indexes.contains(&index));
        if stands && choices.kind != Kind::Popup {
            return Ok(Ok(Chosen::default()));
        }
        match (choices.kind, indexes) {
            (Kind::Drop, [index]) => self.drop_down(element, choices, *index, deadline).await,
            // A plain click chooses one and gives up the others; the rest are added by clicks with the key for that.
            (Kind::List, [first, rest @ ..]) => {
                let add = rest.iter().map(|index| (*index, adding()));
                let clicks: Vec<_> = std::iter::once((*first, Modifiers::NONE)).chain(add).collect();
                self.click_options(element, choices, &clicks, deadline).await
            }
            (Kind::List | Kind::Drop, _) => {
                let on = choices.options.iter().enumerate().filter(|(_, option)| option.on);
                let clicks: Vec<_> = on.map(|(index, _)| (index, adding())).collect();
                self.click_options(element, choices, &clicks, deadline).await
            }
            (Kind::Popup | Kind::Listbox, _) => {
                let options = choices.options.iter().enumerate();
                let turned = options.filter(|(index, option)| match choices.multiple {
                    true => option.on != indexes.contains(index),
                    false => indexes.contains(index),
                });
                let clicks: Vec<_> = turned.map(|(index, _)| (index, Modifiers::NONE)).collect();
                self.click_options(element, choices, &clicks, deadline).await
            }
        }
    }

    /// Opens a native list, goes to the option by keys and takes it by Enter, so that the page sees one choice and no others on the way.
    async fn drop_down(
        &self,
        element: &Element,
        choices: &Choices,
        index: usize,
        deadline: Instant,
    ) -> Result<Result<Chosen, Failure>, PageError> {
        if let Err(failure) = self.press_on(element, &Click::default(), deadline).await? {
            return Ok(Err(failure));
        }
        let now = async || self.call_injected::<Vec<usize>>(element, "actChosen", &[], deadline).await;
        let is_open = async || self.call_injected::<bool>(element, "actIsOpen", &[], deadline).await;
        if is_open().await? {
            let before = choices.options.iter().take(index).filter(|option| !option.off && !option.hidden).count();
            self.tap("Home", 1, deadline).await?;
            self.tap("ArrowDown", before, deadline).await?;
            self.tap("Enter", 1, deadline).await?;
            match now().await {
                Ok(chosen) if chosen == [index] => return Ok(Ok(Chosen::default())),
                Ok(_) => {}
                // It was chosen, and the page went on to another document because of it.
                Err(error) if error.is_passing() => return Ok(Ok(Chosen::default())),
                Err(error) => return Err(error),
            }
            if is_open().await? {
                self.tap("Escape", 1, deadline).await?;
            }
        }
        let indexes = json!([index]);
        self.call_injected::<Option<()>>(element, "actChooseByScript", &[indexes], deadline).await?;
        let notice = "the list did not open, so the option was chosen by script: the page saw no trusted event";
        Ok(Ok(Chosen { notice: Some(notice.to_owned()) }))
    }

    /// Presses and releases a key of the keyboard so many times.
    async fn tap(&self, key: &str, times: usize, deadline: Instant) -> Result<(), PageError> {
        let chord = Chord::parse(key).map_err(|error| PageError::Protocol(error.to_string()))?;
        let mut last = None;
        for key in chord.keys.iter().cycle().take(times * chord.keys.len()) {
            drop(keys::down(self, self.session(), key, false));
            last = Some(keys::up(self, self.session(), key));
        }
        match last {
            Some(last) => self.core().answer(last.await_by(deadline)).await.map(drop),
            None => Ok(()),
        }
    }

    async fn click_options(
        &self,
        element: &Element,
        choices: &Choices,
        clicks: &[(usize, Modifiers)],
        deadline: Instant,
    ) -> Result<Result<Chosen, Failure>, PageError> {
        for (index, modifiers) in clicks {
            let label = choices.options.get(*index).map(|option| option.label.as_str()).unwrap_or_default();
            let args = [json!(index), json!(label)];
            let Some(option) = self.part_of(element, "actOption", &args, label, deadline).await? else {
                let why = format!("its option \"{label}\" went away");
                return Ok(Err(Failure { check: Check::Refused, why, by: None }));
            };
            let click = Click { modifiers: *modifiers, ..Click::default() };
            if let Err(failure) = self.press_on(&option, &click, deadline).await? {
                return Err(failure.error_for(&option.description, "chosen"));
            }
        }
        Ok(Ok(Chosen::default()))
    }
}

/// The key that adds to what is chosen.
fn adding() -> Modifiers {
    if cfg!(target_os = "macos") { Modifiers::META } else { Modifiers::CONTROL }
}

/// The places of the wanted options.
fn find(list: &str, choices: &Choices, wanted: &[TextMatch]) -> Result<Vec<usize>, PageError> {
    let say = |message: String| PageError::Act { message, details: vec![("its options".to_owned(), shown(choices))] };
    if wanted.len() != 1 && !choices.multiple && matches!(choices.kind, Kind::Drop | Kind::List) {
        return Err(say(format!("{list} takes one option, not {}", wanted.len())));
    }
    let mut indexes = Vec::new();
    for wanted in wanted {
        let by = |what: fn(&Choice) -> &str| -> Vec<usize> {
            let options = choices.options.iter().enumerate();
            options.filter(|(_, option)| wanted.matches(what(option))).map(|(index, _)| index).collect()
        };
        let mut found = by(|option| &option.label);
        if found.is_empty() {
            found = by(|option| &option.value);
        }
        match found.as_slice() {
            [index] if choices.options.get(*index).is_some_and(|option| option.off) => {
                return Err(say(format!("{list} has the option {wanted}, but it is disabled")));
            }
            [index] => indexes.push(*index),
            [] => return Err(say(format!("{list} has no option {wanted}"))),
            several => {
                return Err(say(format!("{list} has {} options {wanted}: choose by the value", several.len())));
            }
        }
    }
    indexes.sort_unstable();
    indexes.dedup();
    Ok(indexes)
}

fn shown(choices: &Choices) -> String {
    let mut lines: Vec<String> = choices.options.iter().take(LISTED).map(Choice::line).collect();
    match choices.options.len() {
        0 => lines.push("none".to_owned()),
        all if all > LISTED => lines.push(format!("… and {} more", all - LISTED)),
        _ => {}
    }
    lines.join("\n")
}

impl Choice {
    fn line(&self) -> String {
        let value = if self.value.is_empty() || self.value == self.label {
            String::new()
        } else {
            format!(" (value {})", self.value)
        };
        let off = if self.off { " [disabled]" } else { "" };
        format!("\"{}\"{value}{off}", self.label)
    }
}
