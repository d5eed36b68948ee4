//! Drawing a part of an outline with marks where it differs.

use super::line::Outline;
use super::text::cut;

/// What a drawn line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// As it should be, or beside the matter.
    Plain,
    /// On the page, with something in it that differs.
    Differs,
    /// On the page, and should not be.
    Extra,
    /// In the pattern, and not on the page.
    Missing,
}

/// A line to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub(crate) mark: Mark,
    pub(crate) depth: usize,
    pub(crate) text: String,
}

/// Names are cut so that one long text does not push the rest off the screen.
const LONGEST: usize = 240;
/// More lines than this help nobody; what is left out is said.
const MOST: usize = 30;

impl Drawn {
    pub(crate) fn real(outline: &Outline, line: usize, mark: Mark) -> Self {
        let mut text = String::new();
        outline.lines[line].print(&mut text, None, Some(LONGEST));
        Self { mark, depth: outline.lines[line].depth, text }
    }

    pub(crate) fn missing(depth: usize, text: &str) -> Self {
        Self { mark: Mark::Missing, depth, text: cut(text, LONGEST).into_owned() }
    }

    /// Lines were left out here.
    pub(crate) fn gap(depth: usize) -> Self {
        Self { mark: Mark::Plain, depth, text: "…".to_owned() }
    }
}

/// The lines below each other, moved as far left as they go.
pub(crate) fn draw(lines: &[Drawn]) -> String {
    let base = lines.iter().map(|line| line.depth).min().unwrap_or(0);
    // Start a little above the first line that differs when not all can be shown.
    let first = lines.iter().position(|line| line.mark != Mark::Plain).unwrap_or(0);
    let start = if lines.len() > MOST { first.saturating_sub(MOST / 3) } else { 0 };
    let mut out = String::new();
    for line in lines.iter().skip(start).take(MOST) {
        let mark = match line.mark {
            Mark::Plain => ' ',
            Mark::Differs => '~',
            Mark::Extra => '+',
            Mark::Missing => '-',
        };
        let row = format!("{mark} {}{}", "  ".repeat(line.depth - base), line.text);
        out.push_str(row.trim_end());
        out.push('\n');
    }
    let left = lines.len().saturating_sub(start + MOST);
    if left > 0 {
        out.push_str(&format!("  … {left} more lines\n"));
    }
    out
}
