//! Words that HTML, ARIA and other tools have for what a browser's tree calls by another role.

/// What was meant by a word that is no role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meant {
    /// The role, as the browser gives it.
    pub(crate) role: &'static str,
    /// The level of a heading, 0 for anything else.
    pub(crate) level: u8,
    /// Other roles that the word may stand for.
    pub(crate) others: &'static [&'static str],
}

const fn one(word: &'static str, role: &'static str) -> (&'static str, Meant) {
    (word, Meant { role, level: 0, others: &[] })
}

const fn several(word: &'static str, role: &'static str, others: &'static [&'static str]) -> (&'static str, Meant) {
    (word, Meant { role, level: 0, others })
}

const fn heading(word: &'static str, level: u8) -> (&'static str, Meant) {
    (word, Meant { role: "heading", level, others: &[] })
}

/// In lower case.
const WORDS: &[(&str, Meant)] = &[
    one("img", "image"),
    one("picture", "image"),
    one("icon", "image"),
    several("svg", "image", &["SvgRoot"]),
    heading("h1", 1),
    heading("h2", 2),
    heading("h3", 3),
    heading("h4", 4),
    heading("h5", 5),
    heading("h6", 6),
    one("title", "heading"),
    one("a", "link"),
    one("anchor", "link"),
    several("input", "textbox", &["searchbox", "spinbutton", "checkbox", "radio", "combobox", "slider", "button"]),
    several("field", "textbox", &["searchbox", "spinbutton", "combobox"]),
    several("textfield", "textbox", &["searchbox"]),
    one("textarea", "textbox"),
    one("password", "textbox"),
    one("email", "textbox"),
    one("number", "spinbutton"),
    one("range", "slider"),
    one("color", "ColorWell"),
    one("file", "button"),
    one("submit", "button"),
    one("btn", "button"),
    several("select", "combobox", &["listbox"]),
    several("dropdown", "combobox", &["listbox", "menu", "button"]),
    several("datalist", "combobox", &["listbox"]),
    one("optgroup", "group"),
    one("fieldset", "group"),
    one("label", "LabelText"),
    one("toggle", "switch"),
    one("radiobutton", "radio"),
    one("nav", "navigation"),
    several("header", "banner", &["sectionheader", "columnheader"]),
    several("footer", "contentinfo", &["sectionfooter"]),
    one("aside", "complementary"),
    one("sidebar", "complementary"),
    one("section", "region"),
    one("address", "group"),
    one("td", "cell"),
    several("th", "columnheader", &["rowheader"]),
    one("tr", "row"),
    one("tbody", "rowgroup"),
    one("thead", "rowgroup"),
    one("tfoot", "rowgroup"),
    one("ul", "list"),
    one("ol", "list"),
    one("li", "listitem"),
    one("dl", "DescriptionList"),
    one("dt", "term"),
    one("dd", "definition"),
    one("p", "paragraph"),
    several("text", "StaticText", &["paragraph"]),
    one("span", "StaticText"),
    several("div", "generic", &["StaticText", "group"]),
    one("em", "emphasis"),
    one("del", "deletion"),
    one("ins", "insertion"),
    one("sub", "subscript"),
    one("sup", "superscript"),
    one("hr", "separator"),
    several("popup", "dialog", &["alertdialog", "menu"]),
    several("modal", "dialog", &["alertdialog"]),
    several("overlay", "dialog", &["alertdialog"]),
    several("spinner", "progressbar", &["status"]),
    several("loader", "progressbar", &["status"]),
    several("progress", "progressbar", &["meter"]),
    several("toast", "status", &["alert"]),
    several("snackbar", "status", &["alert"]),
    several("notification", "status", &["alert"]),
    one("output", "status"),
    several("error", "alert", &["status"]),
    several("message", "status", &["alert", "StaticText"]),
    one("summary", "DisclosureTriangle"),
    one("accordion", "DisclosureTriangle"),
    one("frame", "Iframe"),
    one("body", "main"),
];

/// What was meant by a word, in any case.
pub(crate) fn meant(word: &str) -> Option<Meant> {
    WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, meant)| *meant)
}

#[cfg(test)]
mod tests {
    use super::super::roles::{is_known_role, known_roles};
    use super::*;

    #[test]
    fn a_word_that_is_a_role_means_itself_and_every_other_leads_to_roles() {
        for (word, meant) in WORDS {
            assert!(!is_known_role(word), "{word} is a role");
            for role in meant.others.iter().chain([&meant.role]) {
                assert!(known_roles().contains(role), "{word} leads to {role}, which is no role");
            }
        }
    }
}
