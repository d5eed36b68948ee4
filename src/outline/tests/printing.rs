//! Outlines as text.

use super::*;

#[test]
fn refs_number_the_interactive_lines_in_reading_order() {
    let mut page = outline("main\n  button \"A\" [ref_1]\n  paragraph\n    link \"B\" [ref_2]\n");
    assert_eq!(page.refs().collect::<Vec<_>>(), [(1, 1), (2, 3)]);
    assert_eq!(page.text(Refs::Shown), "main\n  button \"A\" [ref_1]\n  paragraph\n    link \"B\" [ref_2]\n");
    assert_eq!(page.text(Refs::Hidden), "main\n  button \"A\"\n  paragraph\n    link \"B\"\n");
    assert_eq!(page.part(2).text(Refs::Shown), "paragraph\n  link \"B\" [ref_1]\n");
    assert_eq!(page.subtree(0), 0..4);
    assert_eq!(page.subtree(9), 9..9);
    assert_eq!(page.part(9), Outline::default());
    page.lines[1].name = "[ref_9] button \"fake\"".to_owned();
    assert_eq!(page.text(Refs::Shown).lines().nth(1).unwrap(), "  button \"[ref_9] button \\\"fake\\\"\" [ref_1]");
}

#[test]
fn characters_that_do_not_show_are_shown() {
    let line = Line { role: "button".to_owned(), name: "a\u{202e}b\u{0}c\nd".to_owned(), ..Line::default() };
    let page = Outline { lines: vec![line] };
    assert_eq!(page.text(Refs::Hidden), "button \"a\\u{202e}b\\u{0}c\\nd\"\n");
}

#[test]
fn a_cut_is_made_at_a_line_and_counted() {
    let page = outline("a\nb\nc\nd\n");
    assert_eq!(page.capped(Refs::Shown, 8), "a\nb\nc\nd\n");
    assert_eq!(page.capped(Refs::Shown, 5), "a\nb\n[2 of 4 lines shown]\n");
    assert_eq!(page.capped(Refs::Shown, 0), "[0 of 4 lines shown]\n");
}

#[test]
fn one_long_text_does_not_hide_what_follows_it() {
    let page = outline(&format!("paragraph\n  StaticText \"{}\"\nbutton \"After\" [ref_1]\n", "wörd ".repeat(9000)));
    let capped = page.capped(Refs::Shown, 12_000);
    assert!(capped.contains("wörd…\"") || capped.contains("…\""), "{capped}");
    assert!(capped.ends_with("button \"After\" [ref_1]\n"), "{capped}");
    assert!(contains(&page, &pattern(&capped)).is_ok());
    assert!(contains(&outline("StaticText \"Loading data\""), &pattern("\"Loading…\"")).is_err());
}

#[test]
fn very_deep_trees_are_flat_here() {
    let lines = (0..100_000).map(|depth| Line { depth: depth.min(2_000), role: "group".to_owned(), ..Line::default() });
    let page = Outline { lines: lines.collect() };
    assert_eq!(page.subtree(0), 0..100_000);
    assert_eq!(page.content(0), "");
}

#[test]
fn the_text_of_a_subtree() {
    let page = outline(concat!(
        "listitem\n  ListMarker \"•\"\n  StaticText \"See\"\n  link \"the docs\"\n  button \"Icon star\"\n    StaticText \"Icon\"\n",
        "    image \"star\"\n  textbox \"Name\" = \"Ada\"\nstatus\n  StaticText \"Score: 12\"\n",
    ));
    assert_eq!(page.content(0), "See the docs Icon star");
    assert_eq!(page.content(8), "Score: 12");
    assert_eq!(page.content(99), "");
}
