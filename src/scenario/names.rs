//! Which names expressions may mention.

use std::collections::BTreeSet;

use super::diagnostic::{Diagnostic, Mentioned, Problems, nearest, shown};

/// What an expression or template needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The names of values it mentions: `score`, `url`, `env.X`, `secret.X`.
    pub names: BTreeSet<String>,
    /// Whether it looks at the page, with `count(…)` or `has(…)`.
    pub page: bool,
}

impl Names {
    /// Adds what another needs.
    pub fn extend(&mut self, other: &Names) {
        self.names.extend(other.names.iter().cloned());
        self.page |= other.page;
    }
}

/// The names that may be mentioned in a scenario. See [`super::Scenario::known`] and [`Problems::check_names`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    values: BTreeSet<String>,
    readings: BTreeSet<String>,
    users: BTreeSet<String>,
    /// Whether paths are those of an application, which has no second origin.
    one_origin: bool,
}

/// Names that are always known.
const BUILT_IN: &[&str] = &["url", "title", "turn", "base", "other"];

impl Default for Known {
    fn default() -> Known {
        let values = BUILT_IN.iter().map(ToString::to_string).collect();
        Known { values, readings: BTreeSet::new(), users: BTreeSet::new(), one_origin: false }
    }
}

impl Known {
    /// Adds a name: `score`, `env.X`.
    pub fn add(&mut self, name: impl Into<String>) {
        self.values.insert(name.into());
    }

    /// Adds the name of a reading, which no step can give another value.
    pub fn add_reading(&mut self, name: &str) {
        self.values.insert(name.to_owned());
        self.readings.insert(name.to_owned());
    }

    /// Adds a user whom steps may be performed as.
    pub fn add_user(&mut self, name: &str) {
        self.users.insert(name.to_owned());
    }

    /// Paths are those of an application, which has no `other` origin.
    #[must_use]
    pub fn with_one_origin(mut self) -> Known {
        self.values.remove("other");
        self.one_origin = true;
        self
    }

    /// Whether a name may be mentioned. Secrets need not be listed; where some are, only those may.
    pub fn contains(&self, name: &str) -> bool {
        let unlisted = name.starts_with("secret.") && !self.values.iter().any(|known| known.starts_with("secret."));
        unlisted || self.values.contains(name)
    }

    fn complaint(&self, name: &str) -> Diagnostic {
        let title = Diagnostic::new(format!("`{}` is not known", shown(name)));
        if matches!(name, "env" | "secret") {
            let next = format!("say which one: {name}.NAME");
            return title.label("one of several").next(next);
        }
        if name == "other" && self.one_origin {
            return Diagnostic::new("an application has no `other` origin")
                .label("pages that are served have one")
                .next("write the whole address that is meant, such as http://localhost:4000/");
        }
        let dotted = |known: &&String| known.contains('.') == name.contains('.');
        let near = nearest(name, self.values.iter().filter(dotted).map(String::as_str));
        // `env.X` is like every other `env.` name; what counts is what follows.
        let near = match name.split_once('.') {
            Some((kind, member)) => {
                let members = self.values.iter().filter_map(|known| known.strip_prefix(kind)?.strip_prefix('.'));
                nearest(member, members).map(|near| format!("{kind}.{near}"))
            }
            None => near.map(str::to_owned),
        };
        match (near, name.split_once('.')) {
            (Some(near), _) => title.label(format!("did you mean `{near}`?")).next(format!("write `{near}`")),
            (None, Some((kind, member))) => {
                let section = if kind == "env" { "env" } else { "secrets" };
                title
                    .label(format!("not listed under `{section}:`"))
                    .next(format!("list it: `{section}: [{}]`", shown(member)))
            }
            (None, None) => {
                let known: Vec<&str> = self.values.iter().map(String::as_str).collect();
                title
                    .label("no value has this name")
                    .next(format!("known here: {}; add it under `variables:`, or put text in quotes", known.join(", ")))
            }
        }
    }
}

impl Known {
    fn complaint_of_user(&self, name: &str) -> Diagnostic {
        let title = Diagnostic::new(format!("there is no user `{}`", shown(name)));
        if self.users.is_empty() {
            return title.label("the scenario has no `users:`").next(format!("list them: `users: [{}]`", shown(name)));
        }
        match nearest(name, self.users.iter().map(String::as_str)) {
            Some(near) => title.label(format!("did you mean `{near}`?")).next(format!("write `{near}`")),
            None => {
                let users: Vec<&str> = self.users.iter().map(String::as_str).collect();
                title.label("not listed under `users:`").next(format!("users are {}", users.join(", ")))
            }
        }
    }
}

impl Problems {
    /// Complains about every name that was mentioned and that is neither known nor declared by a step, and about steps
    /// that give a reading a value. To be called once all steps of a file have been read.
    pub fn check_names(&mut self, known: &Known) {
        let taken = self.take_names();
        let mut all = known.clone();
        for (name, place) in taken.declared {
            if let Some(place) = place.filter(|_| known.readings.contains(&name)) {
                self.add(
                    Diagnostic::new(format!("`{name}` is a reading"))
                        .at(place)
                        .label("its value is what the page shows")
                        .next("choose another name"),
                );
            }
            all.values.insert(name);
        }
        for mention in taken.mentions {
            let complaint = match mention.of {
                Mentioned::Value if !all.contains(&mention.name) => all.complaint(&mention.name),
                Mentioned::User if !all.users.contains(&mention.name) => all.complaint_of_user(&mention.name),
                _ => continue,
            };
            let complaint = match mention.used_at {
                Some(place) => complaint.detail("used at", place.to_string()),
                None => complaint,
            };
            // One string may be read more than once: told once, see `add`.
            self.add(complaint.at(mention.place));
        }
    }
}
