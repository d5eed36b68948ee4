//! Colour, or none.

use std::fmt::Display;

use console::Style;

/// Whether text is coloured. Decided once, by [`Look`](super::terminal::Look), and passed along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// No escape sequences at all.
    Plain,
    /// The sixteen colours that the user's own theme defines.
    Coloured,
}

impl Paint {
    /// What went well.
    pub fn good(self, text: impl Display) -> String {
        self.with(Style::new().green().bold(), text)
    }

    /// What failed.
    pub fn bad(self, text: impl Display) -> String {
        self.with(Style::new().red().bold(), text)
    }

    /// What deserves a look but did not fail.
    pub fn warn(self, text: impl Display) -> String {
        self.with(Style::new().yellow().bold(), text)
    }

    /// What carries the line.
    pub fn strong(self, text: impl Display) -> String {
        self.with(Style::new().bold(), text)
    }

    /// What may be skipped while reading.
    pub fn faint(self, text: impl Display) -> String {
        self.with(Style::new().dim(), text)
    }

    /// What can be typed: a command, a path.
    pub fn command(self, text: impl Display) -> String {
        self.with(Style::new().cyan(), text)
    }

    /// The lines that frame an excerpt.
    pub fn frame(self, text: impl Display) -> String {
        match self {
            Paint::Plain => text.to_string(),
            // Spelled as annotate-snippets spells it, whose lines stand above and below.
            Paint::Coloured => format!("\u{1b}[1m\u{1b}[94m{text}\u{1b}[0m"),
        }
    }

    pub(crate) fn added(self, text: impl Display) -> String {
        self.with(Style::new().green(), text)
    }

    pub(crate) fn removed(self, text: impl Display) -> String {
        self.with(Style::new().red(), text)
    }

    pub(crate) fn changed(self, text: impl Display) -> String {
        self.with(Style::new().yellow(), text)
    }

    fn with(self, style: Style, text: impl Display) -> String {
        match self {
            Paint::Plain => text.to_string(),
            // Forced: the decision was made before, with the environment at hand.
            Paint::Coloured => style.force_styling(true).apply_to(text).to_string(),
        }
    }
}
