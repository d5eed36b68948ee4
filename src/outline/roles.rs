//! What is known of roles: which are acted on, named by their content, checkable.

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

/// The other roles Chrome gives, for "did you mean" and to tell a role from a name.
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
    "output",
    "LayoutTable",
    "LayoutTableRow",
    "LayoutTableCell",
];

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
    [INTERACTIVE, NAMED_BY_CONTENT, TEXT, OTHERS].into_iter().flatten().copied()
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

/// The role that was probably meant, for one that is not known.
pub fn nearest_role(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    known()
        .map(|role| (strsim::normalized_damerau_levenshtein(&word, &role.to_ascii_lowercase()), role))
        .filter(|(likeness, _)| *likeness > 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, role)| role)
}
