//! The pages that say why there is no page. They name paths as the browser asked for them, never those of this machine.

use super::lookup::Miss;

/// An explanation: the heading, and paragraphs in HTML.
pub(super) struct Explanation {
    title: String,
    paragraphs: Vec<String>,
}

impl Explanation {
    pub(super) fn new(title: impl Into<String>) -> Explanation {
        Explanation { title: title.into(), paragraphs: Vec::new() }
    }

    /// Adds a paragraph; what stands between backquotes is set as code, and everything is escaped.
    pub(super) fn say(mut self, text: &str) -> Explanation {
        let mut html = String::new();
        for (index, part) in text.split('`').enumerate() {
            let part = escaped(part);
            html.push_str(&if index % 2 == 1 { format!("<code>{part}</code>") } else { part });
        }
        self.paragraphs.push(html);
        self
    }

    pub(super) fn html(&self) -> String {
        let title = escaped(&self.title);
        let paragraphs: String = self.paragraphs.iter().map(|html| format!("<p>{html}</p>\n")).collect();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<h1>{title}</h1>\n{paragraphs}</html>\n"
        )
    }
}

/// What the scenario itself gives.
pub(super) struct Given<'a> {
    /// Paths of pages.
    pub(super) pages: &'a [String],
    /// Routes.
    pub(super) routes: Vec<String>,
}

/// What the 404 page says.
pub(super) fn missing(path: &str, candidates: &[String], given: Given<'_>, miss: Option<&Miss>) -> Explanation {
    let path = without_backquotes(path);
    let looked_for = listed(candidates.iter().map(String::as_str));
    let mut page = Explanation::new("404 Not Found");
    page = match miss {
        Some(Miss::Hidden) => page.say("Names that start with a dot are not served (`.well-known` is)."),
        Some(Miss::NoIndex) => page.say(&format!("`{path}` is a folder, and has no `index.html`.")),
        Some(Miss::Absent { .. }) => {
            page.say(&format!("Nothing is served at `{path}`. Looked for {looked_for} in the served folder."))
        }
        Some(Miss::Unreadable(kind)) => page.say(&format!("`{path}` is there, but can't be read: {kind}.")),
        Some(Miss::Outside) => page.say(&format!("`{path}` leads out of the served folder.")),
        None => page.say(&format!(
            "Nothing is served at `{path}`. There is no served folder, only what the scenario itself gives."
        )),
    };
    if let Some(Miss::Absent { alike }) = miss
        && !alike.is_empty()
    {
        page = page.say(&format!("Was {} meant?", listed(alike.iter().map(String::as_str))));
    }
    for (what, names) in [("Pages", given.pages), ("Routes", &*given.routes)] {
        if !names.is_empty() {
            let more = names.len().saturating_sub(20);
            let tail = if more == 0 { String::new() } else { format!(" and {more} more") };
            let listed = listed(names.iter().take(20).map(String::as_str));
            page = page.say(&format!("{what} given in the scenario: {listed}{tail}."));
        }
    }
    page
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{}`", without_backquotes(name))).collect();
    names.join(", ")
}

/// A backquote would end the code it stands in.
fn without_backquotes(text: &str) -> String {
    text.replace('`', "'")
}

fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            other => html.push(other),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_was_looked_for_and_escapes_it() {
        let miss = Miss::Absent { alike: vec!["/about.html".to_owned()] };
        let candidates = ["<b>`".to_owned(), "<b>`.html".to_owned()];
        let given = Given { pages: &["/".to_owned()], routes: vec!["POST /pay".to_owned()] };
        let html = missing("/<b>`", &candidates, given, Some(&miss)).html();
        assert!(html.contains("Routes given in the scenario: <code>POST /pay</code>."), "{html}");
        assert!(html.contains("<code>/&lt;b&gt;'</code>"), "{html}");
        assert!(html.contains("<code>&lt;b&gt;'.html</code>"), "{html}");
        assert!(html.contains("Was <code>/about.html</code> meant?"), "{html}");
        assert!(html.contains("Pages given in the scenario: <code>/</code>."), "{html}");
        assert!(!html.contains("<b>"), "{html}");
    }
}
