//! How the terminal is spoken to: with colour or without, with a moving part or without, how wide.

use std::env;

use console::Term;

use super::super::Paint;

/// Whether lines at the bottom of the screen move while the run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Finished lines only, as a file or a pipe wants them.
    Still,
    /// One line a worker, redrawn in place.
    Moving,
}

/// The look of one output stream, decided once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Colour or none.
    pub paint: Paint,
    /// With a moving part or without.
    pub motion: Motion,
    /// Columns, where a terminal says how many; long lines are only cut where they would wrap.
    pub width: Option<usize>,
}

impl Look {
    /// As text is written to a file.
    pub const PLAIN: Look = Look { paint: Paint::Plain, motion: Motion::Still, width: None };

    /// Of standard output.
    #[must_use]
    pub fn of_stdout() -> Self {
        Self::of(&Term::stdout())
    }

    /// Of standard error.
    #[must_use]
    pub fn of_stderr() -> Self {
        Self::of(&Term::stderr())
    }

    fn of(term: &Term) -> Self {
        let width = term.is_term().then(|| term.size_checked().map_or(80, |(_, columns)| usize::from(columns)));
        Self::decide(width, |name| env::var(name).ok())
    }

    /// `width` is that of the terminal, `None` where there is none. Colour follows <https://bixense.com/clicolors>
    /// and <https://no-color.org>, and what forces colour wins; `CI` takes colour and motion away, as a log keeps both.
    fn decide(width: Option<usize>, variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let on = |name: &str| variable(name).is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
        let dumb = variable("TERM").is_some_and(|value| value == "dumb");
        let calm = width.is_none() || on("CI") || set("NO_COLOR") || dumb;
        let forced = on("CLICOLOR_FORCE") || on("FORCE_COLOR");
        let unwanted = variable("CLICOLOR").is_some_and(|value| value == "0");
        Self {
            paint: if forced || !(calm || unwanted) { Paint::Coloured } else { Paint::Plain },
            motion: if calm { Motion::Still } else { Motion::Moving },
            width,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(width: Option<usize>, variables: &[(&str, &str)]) -> (Paint, Motion) {
        let find =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        let look = Look::decide(width, find);
        (look.paint, look.motion)
    }

    #[test]
    fn a_terminal_gets_colour_and_motion_and_a_pipe_neither() {
        assert_eq!(look(Some(80), &[("TERM", "xterm")]), (Paint::Coloured, Motion::Moving));
        assert_eq!(look(None, &[("TERM", "xterm")]), (Paint::Plain, Motion::Still));
    }

    #[test]
    fn what_asks_for_calm_gets_it() {
        for calm in [("CI", "true"), ("CI", "1"), ("NO_COLOR", "1"), ("NO_COLOR", "0"), ("TERM", "dumb")] {
            assert_eq!(look(Some(80), &[calm]), (Paint::Plain, Motion::Still), "{calm:?}");
        }
        for nothing in [("CI", ""), ("CI", "false"), ("NO_COLOR", ""), ("CLICOLOR", "1")] {
            assert_eq!(look(Some(80), &[nothing]), (Paint::Coloured, Motion::Moving), "{nothing:?}");
        }
        assert_eq!(look(Some(80), &[("CLICOLOR", "0")]), (Paint::Plain, Motion::Moving));
    }

    #[test]
    fn colour_can_be_forced_into_a_pipe_but_motion_cannot() {
        for force in [("CLICOLOR_FORCE", "1"), ("FORCE_COLOR", "3"), ("FORCE_COLOR", "true")] {
            assert_eq!(look(None, &[force]), (Paint::Coloured, Motion::Still), "{force:?}");
            assert_eq!(look(Some(80), &[force, ("CI", "true")]), (Paint::Coloured, Motion::Still), "{force:?}");
        }
        assert_eq!(look(None, &[("CLICOLOR_FORCE", "0")]), (Paint::Plain, Motion::Still));
    }
}
