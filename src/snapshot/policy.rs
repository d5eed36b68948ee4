//! What may be written, from `INSTA_UPDATE` and `CI`.

use std::fmt;

/// The values of `INSTA_UPDATE`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// What is new or differs is written beside, as `.snap.new`, for review; on a build server nothing is.
    #[default]
    Auto,
    /// What is new or differs is written at once, without review.
    Always,
    /// What is new or differs is written as `.snap.new`, on a build server too.
    New,
    /// Nothing is written.
    No,
    /// What is new is written at once, what differs as `.snap.new`.
    Unseen,
    /// As `Always`, and what matches is written anew as well.
    Force,
}

/// Where a snapshot that does not match goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    Stored,
    Pending,
    Nowhere,
}

/// What may be written.
///
/// `INSTA_UPDATE` means what it means to insta, with one exception: on a build server (`CI`) no stored snapshot is ever
/// written, whatever else is asked for, as a run there would then pass without having checked anything. `new`, and
/// `unseen` for what differs, still write their `.snap.new` there, and the step fails all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// `INSTA_UPDATE`.
    pub update: Update,
    /// Whether this is a build server.
    pub ci: bool,
}

/// `INSTA_UPDATE` holds something that is none of its values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("INSTA_UPDATE={0} is not known: it is one of auto, always, new, no, unseen, force")]
pub struct PolicyError(
    /// What it holds.
    pub String,
);

impl Policy {
    /// Reads the environment of this process.
    pub fn from_env() -> Result<Policy, PolicyError> {
        Policy::read(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
    }

    /// Reads an environment.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Policy, PolicyError> {
        let forced = |name| variable(name).as_deref() == Some("1");
        let update = match variable("INSTA_UPDATE").as_deref() {
            // The older names of `force`, which insta lets win.
            _ if forced("INSTA_FORCE_UPDATE") || forced("INSTA_FORCE_UPDATE_SNAPSHOTS") => Update::Force,
            None | Some("" | "auto") => Update::Auto,
            Some("always" | "1") => Update::Always,
            Some("new") => Update::New,
            Some("no") => Update::No,
            Some("unseen") => Update::Unseen,
            Some("force") => Update::Force,
            Some(other) => return Err(PolicyError(other.to_owned())),
        };
        let ci = match variable("CI").as_deref() {
            Some("" | "0" | "false") => false,
            Some(_) => true,
            // Azure Pipelines sets no `CI`.
            None => variable("TF_BUILD").is_some(),
        };
        Ok(Policy { update, ci })
    }

    /// Where a snapshot goes that does not match, or (without one stored) has nothing to match.
    pub(super) fn destination(self, is_stored: bool) -> Destination {
        let wanted = match self.update {
            Update::Auto if self.ci => Destination::Nowhere,
            Update::Auto | Update::New => Destination::Pending,
            Update::Always | Update::Force => Destination::Stored,
            Update::No => Destination::Nowhere,
            Update::Unseen if is_stored => Destination::Pending,
            Update::Unseen => Destination::Stored,
        };
        if self.ci && wanted == Destination::Stored { Destination::Nowhere } else { wanted }
    }

    /// Whether a snapshot that matches is written anew.
    pub(super) fn rewrites(self) -> bool {
        self.update == Update::Force && !self.ci
    }

    /// Why nothing was written, for a message.
    pub(super) fn reason(self) -> &'static str {
        match self.update {
            Update::No => "INSTA_UPDATE=no: nothing was written",
            _ => "CI is set: nothing was written",
        }
    }
}

impl fmt::Display for Update {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Update::Auto => "auto",
            Update::Always => "always",
            Update::New => "new",
            Update::No => "no",
            Update::Unseen => "unseen",
            Update::Force => "force",
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::Destination::{Nowhere, Pending, Stored};
    use super::*;

    fn policy(variables: &[(&str, &str)]) -> Result<Policy, PolicyError> {
        Policy::read(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn every_value_and_what_it_writes() {
        // INSTA_UPDATE, then without CI: (new, differs), then with CI: (new, differs).
        for (value, here, there) in [
            ("", (Pending, Pending), (Nowhere, Nowhere)),
            ("auto", (Pending, Pending), (Nowhere, Nowhere)),
            ("always", (Stored, Stored), (Nowhere, Nowhere)),
            ("1", (Stored, Stored), (Nowhere, Nowhere)),
            ("new", (Pending, Pending), (Pending, Pending)),
            ("no", (Nowhere, Nowhere), (Nowhere, Nowhere)),
            ("unseen", (Stored, Pending), (Nowhere, Pending)),
            ("force", (Stored, Stored), (Nowhere, Nowhere)),
        ] {
            let without = policy(&[("INSTA_UPDATE", value)]).unwrap();
            let with = policy(&[("INSTA_UPDATE", value), ("CI", "true")]).unwrap();
            assert_eq!((without.destination(false), without.destination(true)), here, "{value}");
            assert_eq!((with.destination(false), with.destination(true)), there, "{value} CI");
            assert_eq!(without.rewrites(), value == "force", "{value}");
            assert!(!with.rewrites());
        }
    }

    #[test]
    fn what_a_build_server_is() {
        for (variables, ci) in [
            (&[][..], false),
            (&[("CI", "")], false),
            (&[("CI", "0")], false),
            (&[("CI", "false")], false),
            (&[("CI", "true")], true),
            (&[("CI", "1")], true),
            (&[("CI", "woodpecker")], true),
            (&[("TF_BUILD", "True")], true),
            (&[("CI", "false"), ("TF_BUILD", "True")], false),
        ] {
            assert_eq!(policy(variables).unwrap().ci, ci, "{variables:?}");
        }
    }

    #[test]
    fn older_names_and_unknown_values() {
        assert_eq!(policy(&[("INSTA_FORCE_UPDATE", "1"), ("INSTA_UPDATE", "no")]).unwrap().update, Update::Force);
        let error = policy(&[("INSTA_UPDATE", "allways")]).unwrap_err();
        assert!(error.to_string().contains("allways") && error.to_string().contains("always,"), "{error}");
    }
}
