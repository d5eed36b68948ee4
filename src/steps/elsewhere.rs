//! What people write who come from another tool: its words for verbs and for their arguments, and what they are here.

use super::spec::{Kind, Spec};
use crate::scenario::{Diagnostic, Key, Node, shown};

/// Its word for a verb, in lower case and without hyphens, and the verb.
pub(super) const VERBS: &[(&str, &str)] = &[
    ("goto", "open"),
    ("go", "open"),
    ("navigate", "open"),
    ("visit", "open"),
    ("fill", "type"),
    ("enter", "type"),
    ("input", "type"),
    ("inputtext", "type"),
    ("write", "type"),
    ("sendkeys", "type"),
    ("tap", "click"),
    ("tapon", "click"),
    ("dblclick", "double-click"),
    ("contextclick", "right-click"),
    ("mouseover", "hover"),
    ("key", "press"),
    ("keypress", "press"),
    ("presskey", "press"),
    ("hit", "press"),
    ("screenshot", "look"),
    ("takescreenshot", "look"),
    ("picture", "look"),
    ("sleep", "wait"),
    ("delay", "wait"),
    ("waituntil", "wait-for"),
    ("expect", "assert-tree-contains"),
    ("should", "assert-tree-contains"),
    ("see", "assert-tree-contains"),
    ("assertvisible", "assert-tree-contains"),
    ("assertnotvisible", "assert-tree-lacks"),
    ("dontsee", "assert-tree-lacks"),
    ("loop", "repeat"),
    ("while", "repeat"),
    ("until", "repeat"),
    ("newtab", "tab-new"),
    ("let", "set"),
    ("var", "set"),
    ("selectoption", "select"),
    ("choose", "select"),
    ("tick", "check"),
    ("untick", "uncheck"),
    ("setinputfiles", "upload"),
    ("attach", "upload"),
    ("draganddrop", "drag"),
    ("dragto", "drag"),
    ("eval", "script"),
    ("evaluate", "script"),
    ("javascript", "script"),
    ("goback", "back"),
    ("refresh", "reload"),
    ("intercept", "mock"),
    ("storagestate", "state"),
    ("route", "mock"),
    ("for", "for-each"),
    ("foreach", "for-each"),
    ("each", "for-each"),
    ("waitforselector", "wait-for"),
    ("waitforelement", "wait-for"),
    ("waitfornavigation", "wait-for"),
    ("waitforurl", "wait-for"),
    ("waitforrequest", "wait-for"),
    ("waitforresponse", "wait-for"),
    ("waitforloadstate", "wait-for"),
    ("waitfortext", "wait-for"),
    ("confirm", "dialog"),
    ("alert", "dialog"),
    ("prompt", "dialog"),
    ("acceptdialog", "dialog"),
    ("dismissdialog", "dialog"),
    ("acceptalert", "dialog"),
    ("download", "assert-download"),
    ("expectdownload", "assert-download"),
    ("switchtab", "tab-select"),
    ("switchtotab", "tab-select"),
    ("selecttab", "tab-select"),
    ("closetab", "tab-close"),
    ("close", "tab-close"),
    ("opentab", "tab-new"),
    ("include", "use"),
    ("run", "use"),
    ("runflow", "use"),
    ("call", "use"),
    ("import", "use"),
    ("execute", "script"),
    ("executescript", "script"),
    ("js", "script"),
    ("snap", "snapshot"),
    ("matchsnapshot", "snapshot"),
    ("tomatchsnapshot", "snapshot"),
    ("assertsnapshot", "snapshot"),
    ("reloadpage", "reload"),
    ("goforward", "forward"),
    ("assertequals", "assert"),
    ("assertequal", "assert"),
    ("asserttrue", "assert"),
    ("verify", "assert"),
    ("scrollto", "scroll"),
    ("scrollintoview", "scroll"),
    ("swipe", "scroll"),
    ("setviewport", "resize"),
    ("setviewportsize", "resize"),
    ("cookies", "state"),
    ("savestate", "state"),
    ("loadstate", "state"),
    ("uploadfile", "upload"),
];

/// Its word for what is no verb here or is more than one word, why, and what to write.
pub(super) const NOTES: &[(&str, &str, &str)] = &[
    ("clear", "`type` with an empty text does this here", "write `- type: { into: textbox \"Email\", text: \"\" }`"),
    (
        "pause",
        "a run waits for nobody",
        "`wait-for` waits for what the page shows, `wait: 500ms` for a time; run with --headed to look on",
    ),
    ("log", "a scenario prints nothing", SAY),
    ("echo", "a scenario prints nothing", SAY),
    ("print", "a scenario prints nothing", SAY),
    ("comment", "a scenario prints nothing", SAY),
];

const SAY: &str = "put `name: TEXT` below a step's verb, or write a `# comment`; `console` shows what the page logged";

/// Its words for arguments, and what they may be here: the first that the verb has.
const ARGUMENTS: &[(&[&str], &[&str])] = &[
    (
        &[
            "selector", "css", "xpath", "locator", "element", "target", "from", "of", "on", "in", "into", "to", "at",
            "field",
        ],
        &["on", "of", "into", "in", "pattern"],
    ),
    (&["equals", "equal", "exactly", "expected", "tobe", "tohavetext"], &["is"]),
    (&["contains", "contain", "includes", "include", "containing", "matches", "has"], &["has", "contains"]),
    (&["excludes", "lacks", "isnot", "notequals"], &["not"]),
    (&["value"], &["text", "option", "is"]),
    (&["label"], &["option"]),
    (&["text"], &["option", "is", "pattern"]),
    (&["name"], &["option", "file"]),
    (&["count", "number", "length"], &["is", "times", "count"]),
    (&["times"], &["count"]),
    (&["path", "address", "href", "link"], &["url", "file"]),
    (&["filename", "file", "files"], &["name", "files", "file"]),
    (&["hidden", "absent", "disappears", "invisible", "detached"], &["gone"]),
    (&["visible", "appears", "attached"], &["pattern"]),
    (&["response", "respond", "answer"], &["json", "body"]),
    (&["code"], &["status", "script"]),
    (&["keys", "shortcut", "chord"], &["key"]),
    (&["items", "list", "over", "each", "values"], &["in"]),
    (&["item", "var", "variable", "as"], &["name"]),
    (&["do", "actions", "body", "then"], &["steps"]),
    (&["variables", "vars", "params", "args", "arguments", "env"], &["with"]),
    (&["condition", "test", "expression", "until"], &["when"]),
    (&["attempts", "retries", "max"], &["times"]),
];

/// What an argument of another tool's name is called by this verb.
pub(super) fn argument(spec: &Spec, word: &str) -> Option<&'static str> {
    let plain: String = word.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let groups = ARGUMENTS.iter().filter(|(words, _)| words.contains(&plain.as_str()));
    groups.flat_map(|(_, here)| here.iter().copied()).find(|here| spec.field(here).is_some())
}

/// The complaint about an argument in the words of another tool.
pub(super) fn said_otherwise(spec: &Spec, key: &Key, value: &Node) -> Option<Diagnostic> {
    let diagnostic = Diagnostic::new(format!("`{}` has no `{}`", spec.name, shown(&key.name))).at(key.place.clone());
    let text = value.text().map(shown).unwrap_or_default();
    match (spec.name, key.name.as_str()) {
        ("dialog", "accept" | "dismiss") => {
            let next = format!("write `dialog: {}`, or `then: {}` beside `expect`", key.name, key.name);
            return Some(diagnostic.label("one of the answers").next(next));
        }
        ("assert-url" | "assert-title", "contains" | "has" | "includes") => {
            // `/cart/` may be meant as a path.
            let slash = if spec.name == "assert-url" { "\\/" } else { "" };
            let part = text.trim_matches('/').replace('/', "\\/");
            let next = format!("write a regular expression: `{}: /{slash}{part}/`", spec.name);
            return Some(diagnostic.label("a regular expression finds a part").next(next));
        }
        _ => {}
    }
    let here = argument(spec, &key.name)?;
    let target = spec.field(here).is_some_and(|field| field.kind == Kind::Target);
    let next = match key.name.to_lowercase().as_str() {
        "selector" | "css" | "locator" if target => {
            format!("write `{here}: {{ css: \"{}\" }}`", text.replace('"', "'"))
        }
        "xpath" => format!("write `{here}: TARGET`, as `read` shows it; there is no XPath here"),
        _ => format!("write `{here}`"),
    };
    Some(diagnostic.label(format!("`{here}` does this here")).next(next))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{ALL, find};
    use super::*;

    #[test]
    fn every_word_leads_to_a_verb_and_is_none_itself() {
        for (word, verb) in VERBS {
            assert!(find(verb).is_some(), "{word} leads to {verb}, which is no verb");
            assert!(find(word).is_none(), "{word} is a verb");
        }
        for (word, ..) in NOTES {
            assert!(find(word).is_none(), "{word} is a verb");
        }
    }

    #[test]
    fn arguments_are_called_as_the_verb_calls_them() {
        let cases = [
            ("select", "value", "option"),
            ("select", "from", "in"),
            ("assert-text", "equals", "is"),
            ("assert-text", "contains", "has"),
            ("assert-count", "count", "is"),
            ("assert-download", "has", "contains"),
            ("use", "path", "file"),
            ("type", "selector", "into"),
            ("wait-for", "hidden", "gone"),
        ];
        for (verb, word, here) in cases {
            assert_eq!(argument(find(verb).unwrap(), word), Some(here), "{verb}: {word}");
        }
        for here in ARGUMENTS.iter().flat_map(|(_, here)| here.iter()).filter(|here| **here != "script") {
            assert!(ALL.iter().any(|spec| spec.field(here).is_some()), "no verb has {here}");
        }
    }
}
