//! What is known of roles: which are acted on, named by their content, checkable.

use super::foreign_roles;

/// Roles that carry a ref whatever else is said of them.
const INTERACTIVE: &[&str] = &[
    "button",
    "link",
    "textbox",
    "searchbox",
    "checkbox",
    "radio",
    "combobox",
    "listbox",
    "option",
    "tab",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "slider",
    "switch",
    "spinbutton",
    "treeitem",
    "gridcell",
];

/// Roles whose off state is not printed, yet `[checked=false]` asks for it.
const CHECKABLE: &[&str] = &["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "option", "treeitem"];

/// Roles of which one can be the selected one.
const SELECTABLE: &[&str] = &["option", "tab", "row", "gridcell", "cell", "treeitem", "columnheader", "rowheader"];

/// Roles that a browser names by their content. A leaf of them gives its name to the text around it.
const NAMED_BY_CONTENT: &[&str] = &[
    "button",
    "link",
    "checkbox",
    "radio",
    "option",
    "tab",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "switch",
    "treeitem",
    "heading",
    "cell",
    "gridcell",
    "columnheader",
    "rowheader",
    "row",
    "tooltip",
    "DisclosureTriangle",
    "PopUpButton",
    "ToggleButton",
    "image",
    "img",
    "Abbr",
    "term",
];

/// Roles that hold text and that a browser does not name by it.
///
/// In a pattern the name of such a line is the node's name **or** the folded text of its subtree:
/// `status "Saved"` matches a `status` without a name whose whole text is `Saved`.
const TEXT: &[&str] = &[
    "status",
    "alert",
    "log",
    "timer",
    "marquee",
    "paragraph",
    "blockquote",
    "caption",
    "code",
    "definition",
    "deletion",
    "insertion",
    "suggestion",
    "emphasis",
    "strong",
    "subscript",
    "superscript",
    "mark",
    "time",
    "term",
    "note",
    "comment",
    "listitem",
    "generic",
    "LabelText",
    "Legend",
    "Figcaption",
    "Abbr",
    "Pre",
    "Ruby",
    "DescriptionListTerm",
    "DescriptionListDetail",
];

/// The other roles Chrome gives: those of ARIA, and of its own those that are spelled as its tree spells them. To tell a
/// role from a name, to tell what is no role, and for "did you mean".
const OTHERS: &[&str] = &[
    "RootWebArea",
    "StaticText",
    "InlineTextBox",
    "ListMarker",
    "LineBreak",
    "Iframe",
    "IframePresentational",
    "MenuListPopup",
    "MenuListOption",
    "Date",
    "DateTime",
    "InputTime",
    "ColorWell",
    "Canvas",
    "Video",
    "Audio",
    "DescriptionList",
    "Details",
    "EmbeddedObject",
    "PluginObject",
    "SvgRoot",
    "MathMLMath",
    "alertdialog",
    "application",
    "article",
    "banner",
    "complementary",
    "contentinfo",
    "dialog",
    "directory",
    "document",
    "feed",
    "figure",
    "form",
    "graphics-document",
    "graphics-object",
    "graphics-symbol",
    "grid",
    "group",
    "list",
    "main",
    "math",
    "menu",
    "menubar",
    "meter",
    "navigation",
    "none",
    "presentation",
    "progressbar",
    "radiogroup",
    "region",
    "rowgroup",
    "scrollbar",
    "search",
    "separator",
    "table",
    "tablist",
    "tabpanel",
    "toolbar",
    "tree",
    "treegrid",
    "sectionheader",
    "sectionfooter",
    "LayoutTable",
    "LayoutTableRow",
    "LayoutTableCell",
    "DisclosureTriangleGrouped",
    "MenuItemSeparator",
    "RubyAnnotation",
    "SectionWithoutName",
    "ScrollView",
    "TitleBar",
    "WebArea",
    "PdfRoot",
    "PdfActionableHighlight",
    "Unknown",
    "ignored",
    "column",
    "doc-abstract",
    "doc-acknowledgments",
    "doc-afterword",
    "doc-appendix",
    "doc-backlink",
    "doc-biblioentry",
    "doc-bibliography",
    "doc-biblioref",
    "doc-chapter",
    "doc-colophon",
    "doc-conclusion",
    "doc-cover",
    "doc-credit",
    "doc-credits",
    "doc-dedication",
    "doc-endnote",
    "doc-endnotes",
    "doc-epigraph",
    "doc-epilogue",
    "doc-errata",
    "doc-example",
    "doc-footnote",
    "doc-foreword",
    "doc-glossary",
    "doc-glossref",
    "doc-index",
    "doc-introduction",
    "doc-noteref",
    "doc-notice",
    "doc-pagebreak",
    "doc-pagefooter",
    "doc-pageheader",
    "doc-pagelist",
    "doc-part",
    "doc-preface",
    "doc-prologue",
    "doc-pullquote",
    "doc-qna",
    "doc-subtitle",
    "doc-tip",
    "doc-toc",
];

/// Roles of earlier browsers, matched where one gives them, and not to be written: no page of today has them.
const OF_OLD: &[&str] = &["img"];

fn is_one_of(role: &str, roles: &[&str]) -> bool {
    roles.iter().any(|known| known.eq_ignore_ascii_case(role))
}

pub(crate) fn interactive(role: &str) -> bool {
    is_one_of(role, INTERACTIVE)
}

pub(crate) fn checkable(role: &str) -> bool {
    is_one_of(role, CHECKABLE)
}

pub(crate) fn selectable(role: &str) -> bool {
    is_one_of(role, SELECTABLE)
}

pub(crate) fn named_by_content(role: &str) -> bool {
    is_one_of(role, NAMED_BY_CONTENT)
}

/// Whether a pattern's name may also be the text the node holds.
pub(crate) fn holds_text(role: &str) -> bool {
    is_one_of(role, TEXT)
}

/// The document itself: focusable in Chrome, yet nothing to act on.
pub(crate) fn document(role: &str) -> bool {
    is_one_of(role, &["RootWebArea", "WebArea", "document"])
}

fn known() -> impl Iterator<Item = &'static str> {
    let all = [INTERACTIVE, NAMED_BY_CONTENT, TEXT, OTHERS].into_iter().flatten().copied();
    all.filter(|role| !OF_OLD.contains(role))
}

/// The roles that may be written, in the order of the alphabet, for editors to offer.
pub fn known_roles() -> Vec<&'static str> {
    let mut roles: Vec<&str> = known().collect();
    roles.sort_unstable();
    roles.dedup();
    roles
}

/// Whether Chrome has a role of that name (in any case). What is not a role may be a name.
pub fn is_known_role(word: &str) -> bool {
    known().any(|role| role.eq_ignore_ascii_case(word))
}

/// Whether a browser may have a role of that name: one that is known, or one in the spelling that browsers have for roles of
/// their own (`StaticText`, `MathMLFraction`), of which each release may bring new ones.
pub fn may_be_role(word: &str) -> bool {
    let own = word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.chars().all(|c| c.is_ascii_alphabetic())
        && word.chars().skip(1).any(|c| c.is_ascii_uppercase())
        && word.chars().any(|c| c.is_ascii_lowercase());
    let slip = own && nearest_role(word).is_some_and(|near| strsim::damerau_levenshtein(word, near) <= 2);
    is_known_role(word) || own && !slip
}

/// Whether it is no role but a word of HTML, ARIA or another tool for one.
pub fn is_foreign_role(word: &str) -> bool {
    !is_known_role(word) && foreign_roles::meant(word).is_some()
}

/// The role that was probably meant, for one that is not known.
pub fn nearest_role(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    known()
        .map(|role| (strsim::normalized_damerau_levenshtein(&word, &role.to_ascii_lowercase()), role))
        .filter(|(likeness, _)| *likeness > 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, role)| role)
}
