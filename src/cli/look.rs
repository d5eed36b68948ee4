//! `playscript look`: a picture of a page.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::page::{Area, Format, Look};
use crate::scenario::Diagnostic;

use super::browser_flags::BrowserFlags;
use super::failure::Failure;
use super::outcome::Outcome;
use super::page_flags::PageFlags;
use super::say;
use super::visit::{page_failure, target, visit};

/// Take a picture of a page
///
/// Opens the page in a browser and stores what it looks like, as PNG, JPEG or WebP by the ending of the file's name.
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript look example.com -o page.png
  playscript look localhost:3000 -o page.webp --full
  playscript look page.html -o phone.jpg --viewport 390x844
  playscript look :5173 -o menu.png --of 'navigation \"Main\"'")]
pub(super) struct Flags {
    /// The file to write: .png, .jpg or .webp; `-` writes a PNG to standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// The whole page, not just what fits into the window
    #[arg(long, conflicts_with = "of")]
    full: bool,

    /// Only this element: a line of the outline, a name, or text
    #[arg(long, value_name = "TARGET")]
    of: Option<String>,

    #[command(flatten)]
    page: PageFlags,

    #[command(flatten)]
    browser: BrowserFlags,
}

pub(super) fn run(flags: Flags) -> Result<Outcome, Failure> {
    let format = format_of(&flags.output)?;
    let of = flags.of.as_deref().map(|text| target("--of", text)).transpose()?;
    let picture = visit(&flags.page, &flags.browser, async |page, deadline| {
        let part = match (&of, flags.full) {
            (Some(target), _) => Area::Element(page.locate(target, deadline).await.map_err(page_failure)?),
            (None, true) => Area::Full,
            (None, false) => Area::Viewport,
        };
        page.look(&Look { of: part, format }, deadline).await.map_err(page_failure)
    })?;
    if flags.output == Path::new("-") {
        say::out_bytes(&picture)?;
        return Ok(Outcome::Passed);
    }
    fs::write(&flags.output, &picture).map_err(|error| {
        Failure::world(
            Diagnostic::new(format!("the picture can't be written to {}", flags.output.display()))
                .detail("the system says", error.to_string())
                .next("name a file in a folder that is there and can be written to"),
        )
    })?;
    say::out(&flags.output.display().to_string())?;
    Ok(Outcome::Passed)
}

/// The format that a file's name asks for.
fn format_of(file: &Path) -> Result<Format, Failure> {
    if file == Path::new("-") {
        return Ok(Format::Png);
    }
    Format::of_path(file).ok_or_else(|| {
        Failure::wrong(
            Diagnostic::new(format!("`{}` does not say which kind of picture to write", file.display()))
                .next("end the file's name in .png, .jpg or .webp"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_the_format_and_anything_else_is_refused() {
        assert!(matches!(format_of(Path::new("a/b.PNG")), Ok(Format::Png)));
        assert!(matches!(format_of(Path::new("x.jpeg")), Ok(Format::Jpeg(_))));
        assert!(matches!(format_of(Path::new("x.webp")), Ok(Format::Webp(_))));
        for wrong in ["x", "x.gif", ".png", "png"] {
            assert!(format_of(Path::new(wrong)).is_err(), "{wrong}");
        }
    }
}
