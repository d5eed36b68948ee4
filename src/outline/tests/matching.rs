//! Which patterns hold.

use std::time::{Duration, Instant};

use super::*;

const PAGE: &str = r#"RootWebArea "Todo"
  main
    heading "Todo" [level=1]
    list "Things"
      listitem
        StaticText "feed the cat"
        button "Delete"
      listitem
        checkbox "water plants" [checked]
        button "Delete"
    textbox "City" = "Oslo"
    status
      StaticText "Score: 42 points"
    alert "Game over"
    alert
      paragraph
        StaticText "Game"
      StaticText "over"
"#;

fn holds(text: &str) -> bool {
    contains(&outline(PAGE), &pattern(text)).is_ok()
}

#[test]
fn parts_that_are_given_must_match() {
    assert!(holds("BUTTON \"Delete\""));
    assert!(holds("\"Delete\""));
    assert!(holds("heading /^to/i [level=1]"));
    assert!(holds("textbox = \"Oslo\""));
    assert!(holds("textbox = /^O.l/"));
    assert!(holds("button = \"\""));
    assert!(!holds("button \"delete\""));
    assert!(!holds("heading \"Todo\" [level=2]"));
    assert!(!holds("textbox = \"\""));
    assert!(!holds("heading \"Tod\""));
    assert!(holds("heading /Tod/"));
    assert!(holds("heading \"  Todo \""));
}

#[test]
fn children_match_descendants_in_order_with_others_between() {
    assert!(holds("main\n  StaticText \"feed the cat\"\n  checkbox"));
    assert!(holds("RootWebArea\n  button\n  button"));
    assert!(!holds("RootWebArea\n  button\n  button\n  button"));
    assert!(!holds("main\n  checkbox\n  StaticText \"feed the cat\""));
    assert!(!holds("listitem\n  StaticText \"feed the cat\"\n  checkbox"));
    // The first list item has a button but no check box: the search must go on.
    assert!(holds("listitem\n  checkbox\n  button \"Delete\""));
    assert!(holds("heading\nlist\n  listitem\n    button\nstatus"));
    assert!(!holds("status\nheading"));
}

#[test]
fn a_text_role_matches_by_name_or_by_text() {
    for text in ["status \"Score: 42 points\"", "status /Score: (\\d+)/", "alert \"Game over\"", "listitem /^feed/"] {
        assert!(holds(text), "{text}");
    }
    let page = outline(PAGE);
    let over = LinePattern::parse("alert \"Game over\"").unwrap();
    assert_eq!(over.find(&page).len(), 2);
    assert!(!holds("status \"Score\""));
    assert!(!holds("main /Score/"));
    let score = LinePattern::parse("status /Score: (\\d+)/").unwrap();
    assert!(score.has_group());
    let line = score.find(&page)[0];
    assert_eq!(score.capture_in(&page, line).as_deref(), Some("42"));
    assert_eq!(score.capture(&page.lines[line]), None);
    let named = Line { role: "status".to_owned(), name: "Score: 7".to_owned(), ..Line::default() };
    assert_eq!(score.capture(&named).as_deref(), Some("7"));
    let value = LinePattern::parse("textbox \"City\" = /(.)l/").unwrap();
    assert_eq!(value.capture(&page.lines[10]).as_deref(), Some("s"));
    assert!(!over.has_group());
    let all = LinePattern::parse("status /(.*)/").unwrap();
    assert_eq!(all.capture_in(&page, line).as_deref(), Some("Score: 42 points"));
}

#[test]
fn states_that_are_off() {
    let page = outline(concat!(
        "checkbox \"on\" [checked]\ncheckbox \"off\"\ncheckbox \"half\" [checked=mixed]\nbutton \"plain\"\n",
        "button \"toggle\" [pressed=false]\nbutton \"menu\" [expanded=false]\ntab \"two\"\ntextbox \"bad\" [invalid=grammar]\n",
    ));
    let names = |text: &str| -> Vec<String> {
        let lines = LinePattern::parse(text).unwrap().find(&page);
        lines.into_iter().map(|line| page.lines[line].name.clone()).collect()
    };
    assert_eq!(names("[checked]"), ["on"]);
    assert_eq!(names("[checked=true]"), ["on"]);
    assert_eq!(names("[checked=mixed]"), ["half"]);
    assert_eq!(names("[checked=false]"), ["off"]);
    assert_eq!(names("[pressed=false]"), ["toggle"]);
    assert_eq!(names("[expanded=false]"), ["menu"]);
    assert_eq!(names("[selected=false]"), ["two"]);
    assert_eq!(names("button [disabled=false]"), ["plain", "toggle", "menu"]);
    assert_eq!(names("[invalid=grammar]"), ["bad"]);
    assert_eq!(names("textbox [invalid=false]"), [""; 0]);
}

#[test]
fn equals_wants_exactly_the_children() {
    let page = outline(PAGE);
    let equal = |text: &str| equals(&page, &pattern(text)).is_ok();
    assert!(equal("listitem\n  StaticText \"feed the cat\"\n  button"));
    assert!(equal("list\n  listitem\n    StaticText\n    button\n  listitem\n    checkbox\n    button"));
    assert!(!equal("list\n  listitem\n    StaticText\n    button"));
    assert!(!equal("list"));
    assert!(!equal("list\n  listitem\n    button\n  listitem\n    checkbox\n    button"));
    assert!(equal("status \"Score: 42 points\""));
    assert!(equal("textbox\nstatus /Score/\nalert \"Game over\"\nalert \"Game over\""));
    assert!(!equal("textbox\nalert"));
    assert!(equal(PAGE));
}

#[test]
fn lacks_is_the_opposite() {
    let page = outline(PAGE);
    assert!(lacks(&page, &pattern("dialog")).is_ok());
    let mismatch = lacks(&page, &pattern("list\n  checkbox")).unwrap_err();
    assert_eq!(mismatch.nearest, "+ list \"Things\"\n      …\n+     checkbox \"water plants\" [checked]\n");
}

#[test]
fn the_closest_lines_come_first() {
    let page = outline(
        "button \"Save\"\nbutton \"Save as…\"\nlink \"Save\"\nbutton \"Cancel\"\nstatus\n  StaticText \"Saved\"\n",
    );
    let near = |text: &str| closest(&page, &LinePattern::parse(text).unwrap(), 3);
    assert_eq!(near("button \"Svae\"")[0], 0);
    assert_eq!(near("link \"Save as\"")[0], 2);
    assert_eq!(near("status \"saved\"")[0], 4);
    assert_eq!(near("grid \"zzz\""), [0; 0]);
}

/// A page on which a search that tries every way would not end.
#[test]
fn ten_thousand_lines_against_two_hundred() {
    let mut page = String::new();
    for row in 0..2_000 {
        let deep = "  ".repeat(row % 50);
        page.push_str(&format!(
            "{deep}group\n{deep}  listitem\n{deep}    StaticText \"x\"\n{deep}    button \"Delete\"\n{deep}  group\n"
        ));
    }
    let page = outline(&page);
    let mut wanted = String::from("group\n");
    for _ in 0..99 {
        wanted.push_str("  listitem\n    /x|y/\n");
    }
    wanted.push_str("  button \"Missing\"\n");
    let wanted = pattern(&wanted);
    let start = Instant::now();
    assert!(contains(&page, &wanted).is_err());
    assert!(equals(&page, &wanted).is_err());
    assert!(contains(&page, &Pattern::from_outline(&page)).is_ok());
    // Generous, for a busy machine and an unoptimised build; trying every way would take for ever, whatever the machine.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
