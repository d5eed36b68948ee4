//! Flags about the page that is opened, the same for `read` and `look`.

use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::scenario::duration;

/// Flags about the page that is opened.
#[derive(Args, Debug)]
#[command(next_help_heading = "Page")]
pub(super) struct PageFlags {
    /// A URL, a host, `localhost:3000`, `:3000`, or a file or folder, which is served on loopback
    #[arg(value_name = "URL", help_heading = None::<&str>)]
    pub(super) url: String,

    /// How far the page must have come
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Wait::Load)]
    pub(super) wait: Wait,

    /// How long it may take in all
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration, env = "PLAYSCRIPT_TIMEOUT", hide_env = true)]
    pub(super) timeout: Duration,

    /// The size of the window's inside, in CSS pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", value_parser = Viewport::parse)]
    pub(super) viewport: Viewport,
}

/// How far a page must have come before it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Wait {
    /// The document has arrived
    Commit,
    /// Everything it asks for at first is loaded
    Load,
    /// Nothing is being loaded any more
    Idle,
}

/// A size in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Viewport {
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Viewport {
    /// Reads `390x844`.
    fn parse(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=10_000).contains(side));
        text.split_once(['x', '×', 'X'])
            .and_then(|(width, height)| Some(Self { width: side(width)?, height: side(height)? }))
            .ok_or_else(|| "say width and height in pixels, up to 10000 each: 390x844".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_viewport_is_two_sides_that_a_browser_can_have() {
        assert_eq!(Viewport::parse("390x844"), Ok(Viewport { width: 390, height: 844 }));
        for wrong in ["", "390", "390x", "x844", "0x1", "1x10001", "-1x5", "390 x 844", "1x2x3"] {
            assert!(Viewport::parse(wrong).is_err(), "{wrong}");
        }
    }
}
