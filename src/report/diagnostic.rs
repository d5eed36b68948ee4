//! A diagnostic as a terminal shows it: title, place, excerpt with a mark, what is there, and the next move.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::scenario::{Detail, Diagnostic};

use super::excerpt::Excerpt;
use super::{Paint, visible, visible_line};

/// Columns that an excerpt may take where no terminal says how wide it is.
const WIDTH: usize = 140;

/// Renders one diagnostic, without a line feed at its end. `width` is the terminal's, where there is one.
#[must_use]
pub fn render(diagnostic: &Diagnostic, paint: Paint, width: Option<usize>) -> String {
    let excerpt = diagnostic.place.as_ref().map(Excerpt::new);
    // The frame of the excerpt is as wide as its largest line number.
    let margin = " ".repeat(excerpt.as_ref().map_or(1, |excerpt| excerpt.last_line.to_string().len()));
    let mut out = head(diagnostic, excerpt, paint, width);

    let next = diagnostic.next.as_ref().map(|text| Detail { title: "next".to_owned(), text: text.clone() });
    let mut details = diagnostic.details.iter().chain(&next).peekable();
    if details.peek().is_some() && diagnostic.place.is_some() {
        out.push('\n');
        out.push_str(&paint.frame(format!("{margin} |")));
    }
    for detail in details {
        out.push('\n');
        out.push_str(&paint.frame(format!("{margin} = ")));
        push_detail(&mut out, detail, &margin, paint);
    }
    out
}

/// Renders all of them, a blank line between two.
#[must_use]
pub fn render_all<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    paint: Paint,
    width: Option<usize>,
) -> String {
    let all: Vec<String> = diagnostics.into_iter().map(|one| render(one, paint, width)).collect();
    all.join("\n\n")
}

/// The title, the place and the excerpt.
fn head(diagnostic: &Diagnostic, excerpt: Option<Excerpt>, paint: Paint, width: Option<usize>) -> String {
    let renderer = match paint {
        Paint::Plain => Renderer::plain(),
        // A link that a terminal may open is no part of this look, and unknown to many terminals.
        Paint::Coloured => Renderer::styled().hyperlink(false),
    };
    let renderer = renderer.term_width(width.unwrap_or(WIDTH));
    let title = Level::ERROR.primary_title(visible_line(&diagnostic.title).into_owned());
    let group = match (&diagnostic.place, excerpt) {
        (Some(place), Some(excerpt)) => {
            let label = visible_line(&diagnostic.label).into_owned();
            let mut mark = AnnotationKind::Primary.span(excerpt.mark);
            if !label.is_empty() {
                mark = mark.label(label);
            }
            let path = place.source.path.display().to_string();
            let snippet = Snippet::source(excerpt.text)
                .line_start(excerpt.first_line)
                .path(visible_line(&path).into_owned())
                .fold(false)
                .annotation(mark);
            title.element(snippet)
        }
        _ => annotate_snippets::Group::with_title(title),
    };
    renderer.render(&[group])
}

/// `title: text`, or the title and the lines of the text under it.
fn push_detail(out: &mut String, detail: &Detail, margin: &str, paint: Paint) {
    let text = visible(detail.text.trim_end());
    let title = visible_line(&detail.title);
    if !text.contains('\n') {
        out.push_str(&paint.strong(format!("{title}:")));
        out.push(' ');
        out.push_str(&text);
        return;
    }
    out.push_str(&paint.strong(format!("{title}:")));
    let drawn = is_difference(&text);
    for line in text.lines() {
        out.push('\n');
        if line.is_empty() {
            continue;
        }
        out.push_str(margin);
        out.push_str("   ");
        out.push_str(&if drawn { difference_line(line, paint) } else { line.to_owned() });
    }
}

/// Whether the text is a drawn difference, with a mark or a blank in the first of two columns of every line.
fn is_difference(text: &str) -> bool {
    let columns = |line: &str| line.is_empty() || line.starts_with("  ") || marked(line);
    text.lines().all(columns) && text.lines().any(marked) && !text.lines().all(|line| line.starts_with("- "))
}

/// A drawn difference with a margin before each line.
pub fn difference(text: &str, margin: &str, paint: Paint) -> String {
    let lines: Vec<String> =
        visible(text).lines().map(|line| format!("{margin}{}", difference_line(line, paint))).collect();
    lines.join("\n")
}

fn marked(line: &str) -> bool {
    line.starts_with("~ ") || line.starts_with("+ ") || line.starts_with("- ")
}

fn difference_line(line: &str, paint: Paint) -> String {
    match line.as_bytes().first() {
        Some(b'+') => paint.added(line),
        Some(b'-') => paint.removed(line),
        Some(b'~') => paint.changed(line),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests;
