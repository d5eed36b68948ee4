//! What a scenario takes from the machine that it runs on: variables of the environment.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::scenario::{Diagnostic, Key, SHORTEST_SECRET, Scenario};

/// What templates and expressions of a scenario begin with.
pub(super) struct Surroundings {
    /// `variables` without templates, and `env` and `secret`.
    pub(super) variables: BTreeMap<String, Json>,
    /// The values of its secrets.
    pub(super) secrets: Vec<String>,
    /// What is not set here. It belongs to the machine and not to the file: `run` tells it, `check` does not.
    pub(super) lacks: Vec<Diagnostic>,
}

/// `variables`, and the parts of the environment that the scenario lists or, of secrets that it lists none of, mentions.
pub(super) fn surroundings(scenario: &Scenario, unlisted: &[Key]) -> Surroundings {
    let plain = scenario.variables.iter().filter(|(_, node)| !node.has_templates());
    let mut variables: BTreeMap<String, Json> = plain.map(|(key, node)| (key.name.clone(), node.value())).collect();
    let (mut secrets, mut lacks) = (Vec::new(), Vec::new());
    let mut env = serde_json::Map::new();
    for (key, usual) in &scenario.env {
        match std::env::var(&key.name).ok().or_else(|| usual.clone()) {
            Some(value) => {
                env.insert(key.name.clone(), Json::from(value));
            }
            None => {
                let next = format!(
                    "set it: {}=… playscript run …; or say what it is where it is not set: `env: {{ {}: \"\" }}`",
                    key.name, key.name
                );
                lacks.push(not_set(key, "listed here", next));
            }
        }
    }
    let mut hidden = serde_json::Map::new();
    for key in scenario.secrets.iter().chain(unlisted) {
        match std::env::var(&key.name) {
            Ok(value) if value.trim().chars().count() < SHORTEST_SECRET => lacks.push(
                Diagnostic::new(format!("the secret {} is shorter than {SHORTEST_SECRET} characters", key.name))
                    .at(key.place.clone())
                    .label("to mask it would mask half of every text")
                    .next("set it to something longer, or list it under `env` if it is no secret"),
            ),
            Ok(value) => {
                secrets.push(value.clone());
                hidden.insert(key.name.clone(), Json::from(value));
            }
            Err(_) => {
                let label = if unlisted.is_empty() { "listed here" } else { "mentioned here" };
                lacks.push(not_set(key, label, format!("set it: {}=… playscript run …", key.name)));
            }
        }
    }
    for (group, values) in [("env", env), ("secret", hidden)] {
        if !values.is_empty() {
            variables.insert(group.to_owned(), Json::Object(values));
        }
    }
    Surroundings { variables, secrets, lacks }
}

fn not_set(key: &Key, label: &str, next: String) -> Diagnostic {
    Diagnostic::new(format!("the environment has no {}", key.name)).at(key.place.clone()).label(label).next(next)
}
