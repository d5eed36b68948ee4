#![allow(clippy::unwrap_used)]

use super::*;
use crate::report::Paint;
use crate::scenario::{Place, Source};

const LOGIN: &str = r#"name: A visitor signs in
tags: [smoke, login]
serve: pages/login
steps:
  - open: /
  - type: { into: textbox "Email", text: ada@example.com }
  - type: { into: textbox "Password", text: "secret" }
  - click: button "Sign in"

  - assert-tree-contains: |
      main
        heading "Welcome, Ada" [level=1]
        link "Sign out"
"#;

pub(crate) fn place(text: &str, marked: &str) -> Place {
    let start = text.find(marked).unwrap();
    let source = Source::new("scenarios/login.yaml", text);
    Place { source, range: start..start + marked.len() }
}

fn detail(title: &str, text: &str) -> Detail {
    Detail { title: title.into(), text: text.into() }
}

fn failed_assertion() -> Diagnostic {
    Diagnostic {
        title: "the page does not contain this line".into(),
        place: Some(place(LOGIN, r#"heading "Welcome, Ada""#)),
        label: "the name differs; nothing else does".into(),
        details: vec![
            detail(
                "the page, nearest part, after 5 s",
                "  main\n~   heading \"Welcome, Adam\" [level=1]\n    link \"Sign out\"",
            ),
            detail("console", "TypeError: user is undefined (app.js:41)"),
            detail("picture", "playscript-report/login/step-5.png"),
            detail("again", "playscript run scenarios/login.yaml"),
        ],
        next: None,
    }
}

#[test]
fn a_failed_assertion_is_drawn_like_a_mistake_in_the_file() {
    insta::assert_snapshot!(render(&failed_assertion(), Paint::Plain, None), @r#"
    error: the page does not contain this line
      --> scenarios/login.yaml:12:9
       |
    10 |   - assert-tree-contains: |
    11 |       main
    12 |         heading "Welcome, Ada" [level=1]
       |         ^^^^^^^^^^^^^^^^^^^^^^ the name differs; nothing else does
       |
       = the page, nearest part, after 5 s:
           main
         ~   heading "Welcome, Adam" [level=1]
             link "Sign out"
       = console: TypeError: user is undefined (app.js:41)
       = picture: playscript-report/login/step-5.png
       = again: playscript run scenarios/login.yaml
    "#);
}

#[test]
fn a_mistake_without_details_ends_with_its_next_move() {
    let diagnostic = Diagnostic {
        title: "unknown verb: clik".into(),
        place: Some(place("name: x\nsteps:\n  - clik: button\n", "clik")),
        label: "no verb of this name".into(),
        details: vec![],
        next: Some("did you mean `click`?".into()),
    };
    insta::assert_snapshot!(render(&diagnostic, Paint::Plain, None), @"
    error: unknown verb: clik
     --> scenarios/login.yaml:3:5
      |
    1 | name: x
    2 | steps:
    3 |   - clik: button
      |     ^^^^ no verb of this name
      |
      = next: did you mean `click`?
    ");
}

#[test]
fn what_has_no_place_still_has_its_details_and_next_move() {
    let diagnostic = Diagnostic {
        title: "no Chrome was found".into(),
        place: None,
        label: String::new(),
        details: vec![detail("looked for", "chromium in PATH\ngoogle-chrome in PATH")],
        next: Some("playscript browser install".into()),
    };
    insta::assert_snapshot!(render(&diagnostic, Paint::Plain, None), @"
    error: no Chrome was found
      = looked for:
        chromium in PATH
        google-chrome in PATH
      = next: playscript browser install
    ");
}

#[test]
fn several_are_told_apart_by_a_blank_line() {
    let one = Diagnostic { title: "one".into(), place: None, label: String::new(), details: vec![], next: None };
    let two = Diagnostic { title: "two".into(), ..one.clone() };
    assert_eq!(render_all([&one, &two], Paint::Plain, None), "error: one\n\nerror: two");
}

#[test]
fn nothing_a_page_or_file_holds_reaches_the_terminal_raw() {
    let evil = "\u{1b}]0;title\u{7}\u{9b}31m\u{202e}\0";
    let text = format!("name: {evil}x\n");
    let diagnostic = Diagnostic {
        title: evil.into(),
        place: Some(place(&text, "x")),
        label: evil.into(),
        details: vec![detail(evil, evil), detail(evil, &format!("{evil}\n{evil}"))],
        next: Some(evil.into()),
    };
    let plain = render(&diagnostic, Paint::Plain, None);
    assert!(!plain.contains(|c: char| c.is_control() && c != '\n'), "{plain:?}");
    assert!(!plain.contains('\u{202e}'), "{plain:?}");
    let coloured = render(&diagnostic, Paint::Coloured, None);
    // What is left of the coloured form without its own colours is the plain one.
    assert_eq!(console::strip_ansi_codes(&coloured), plain);
}

#[test]
fn colours_change_nothing_but_colour() {
    let coloured = render(&failed_assertion(), Paint::Coloured, None);
    assert!(coloured.contains("\u{1b}[33m~   heading"), "{coloured:?}");
    assert_eq!(console::strip_ansi_codes(&coloured), render(&failed_assertion(), Paint::Plain, None));
}

#[test]
fn a_list_with_dashes_is_no_difference() {
    assert!(is_difference("  main\n~   heading"));
    assert!(is_difference("- gone\n  kept"));
    assert!(!is_difference("- one\n- two"));
    assert!(!is_difference("button \"A\"\nbutton \"B\""));
}

#[test]
fn the_frame_fits_line_numbers_of_any_length() {
    let text = format!("{}steps: [x]\n", "# a line\n".repeat(998));
    let diagnostic = Diagnostic {
        title: "a list where steps were expected".into(),
        place: Some(place(&text, "[x]")),
        label: "this".into(),
        details: vec![detail("a", "1")],
        next: None,
    };
    insta::assert_snapshot!(render(&diagnostic, Paint::Plain, None), @"
    error: a list where steps were expected
       --> scenarios/login.yaml:999:8
        |
    997 | # a line
    998 | # a line
    999 | steps: [x]
        |        ^^^ this
        |
        = a: 1
    ");
}
