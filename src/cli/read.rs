//! `playscript read`: a page's outline.

use clap::Args;

use crate::steps::MAX_CHARS;

use super::browser_flags::BrowserFlags;
use super::failure::Failure;
use super::outcome::Outcome;
use super::page_flags::PageFlags;
use super::say;
use super::visit::{page_failure, target, visit};

/// Print what a page says, as a screen reader meets it
///
/// Opens the page in a browser and prints its accessibility outline: one line for each thing that would be announced,
/// with its role, name, value and states. `[ref_N]` marks what can be acted on. Every line can be pasted into a scenario,
/// as a target or as a pattern.
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript read example.com
  playscript read localhost:3000/cart --of 'region \"Cart\"'
  playscript read page.html                 the file's folder is served on loopback
  playscript read 'page.html?id=7'          with a query, for its script
  playscript read :5173 --wait idle --max-chars 2000")]
pub(super) struct Flags {
    /// Only this part: a line of the outline, a name, or text
    #[arg(long, value_name = "TARGET")]
    of: Option<String>,

    /// Where to cut a long page, at a line; 0 for never
    #[arg(long, value_name = "NUMBER", default_value_t = MAX_CHARS)]
    max_chars: usize,

    #[command(flatten)]
    page: PageFlags,

    #[command(flatten)]
    browser: BrowserFlags,
}

pub(super) fn run(flags: Flags) -> Result<Outcome, Failure> {
    let of = flags.of.as_deref().map(|text| target("--of", text)).transpose()?;
    let text = visit(&flags.page, &flags.browser, async |page, deadline| {
        let seen = match &of {
            Some(target) => page.read_of(target, deadline).await,
            None => page.read(deadline).await,
        };
        let most = Some(flags.max_chars).filter(|most| *most > 0);
        Ok(seen.map_err(page_failure)?.outline.as_data(most))
    })?;
    say::out(&text)?;
    Ok(Outcome::Passed)
}
