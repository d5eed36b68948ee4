//! Reading patterns, and what is said of those that do not parse.

use super::*;

/// The marked text, what is said of it, and what to do.
fn wrong(text: &str) -> (String, String, String) {
    let error = Pattern::parse(text).unwrap_err();
    (text[error.range].to_owned(), error.message, error.next.unwrap_or_default())
}

#[test]
fn every_part_may_be_left_out() {
    for text in [
        "button",
        "button \"Save\"",
        "\"Save\"",
        "button /^Save/i",
        "textbox \"City\" = \"Oslo\"",
        "textbox = /^O/",
        "checkbox [checked]",
        "heading \"Hi\" [level=2]",
        "[focused]",
        "= \"7\"",
        "link /\\/api\\/v\\d/",
        "slider [value-text=\"three stars\"]",
        "\"\"",
    ] {
        assert_eq!(LinePattern::parse(text).unwrap().to_string(), text);
    }
}

#[test]
fn a_ref_and_the_notice_of_read_are_passed_over() {
    let pasted = format!("  main\n    button \"Save\" [disabled] [ref_12]\n[2 of 40 lines shown]\n{DATA_NOTICE}\n");
    assert_eq!(pattern(&pasted).to_string(), "main\n  button \"Save\" [disabled]\n");
}

#[test]
fn a_text_that_looks_like_an_expression_is_a_text_in_quotes() {
    let line = LinePattern::parse("link \"/api/v1/\"").unwrap();
    assert_eq!(line.name, NamePattern::Exact("/api/v1/".to_owned()));
}

#[test]
fn line_ends_of_windows_are_line_ends() {
    assert_eq!(pattern("main\r\n  button \"Save\"\r\n"), {
        let mut same = pattern("main\n  button \"Save\"\n");
        for line in &mut same.lines {
            line.range = if line.depth == 0 { 0..4 } else { 8..21 };
        }
        same
    });
}

#[test]
fn errors_mark_the_place_and_tell_the_next_move() {
    let (place, message, next) = wrong("main\n  checkbox \"News\" [cheked]");
    assert_eq!((place.as_str(), message.as_str()), ("cheked", "unknown state `cheked`"));
    assert_eq!(next, "did you mean [checked]?");

    let (place, message, _) = wrong("button \"Save [ref_1]");
    assert_eq!((place.as_str(), message.as_str()), ("\"Save [ref_1]", "this quote is not closed"));

    let (place, message, _) = wrong("link /[a/");
    assert_eq!(place, "/[a/");
    assert!(message.contains("unclosed character class"), "{message}");

    let (place, message, next) = wrong("main\n\tbutton");
    assert_eq!((place.as_str(), message.as_str()), ("\t", "a tab indents this line"));
    assert_eq!(next, "indent by two spaces a level");

    assert_eq!(wrong("main\n   button").1, "3 spaces are no whole level");
    assert_eq!(wrong("main\n      button").1, "this line is indented by 6 spaces, at most 2 are possible here");
    assert_eq!(wrong("  main\nbutton").1, "this line stands further left than the first");

    let (place, message, next) = wrong("button Save all [disabled]");
    assert_eq!((place.as_str(), message.as_str()), ("Save all", "a name stands in quotes"));
    assert_eq!(next, "write button \"Save all\"");

    let (place, _, next) = wrong("- button \"Save\"");
    assert_eq!((place.as_str(), next.as_str()), ("button \"Save\"", "write button \"Save\""));

    assert_eq!(wrong("list:\n  listitem").2, "leave it out: indentation alone shows what stands inside");
    assert_eq!(wrong("button “Save”").2, "write \"Save\"");
    assert_eq!(wrong("link /api/v1/").1, "`v` is not a flag of a regular expression");
    assert_eq!(wrong("heading [level]").1, "the state `level` needs a value");
    assert_eq!(wrong("button \"C:\\dir\"").1, "`\\d` is not an escape");
    assert_eq!(wrong("textbox =").1, "a value is missing after `=`");
    assert_eq!(wrong("checkbox [checked").1, "this bracket is not closed");
    assert_eq!(wrong("").1, "an empty pattern");
    assert_eq!(LinePattern::parse("a\nb").unwrap_err().message, "only one line can stand here");
}

#[test]
fn a_role_that_is_not_known_is_no_error_but_has_a_nearest() {
    assert!(Pattern::parse("buton").is_ok());
    assert_eq!(nearest_role("buton"), Some("button"));
    assert_eq!(nearest_role("xyzzyplugh"), None);
    assert!(is_known_role("statictext") && !is_known_role("Save"));
}

#[test]
fn an_outline_holds_no_expression() {
    let error = Outline::parse("main\n  button /Save/").unwrap_err();
    assert_eq!(error.range, 14..20);
}
