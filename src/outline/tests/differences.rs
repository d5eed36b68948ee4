//! How what does not hold is drawn.

use super::*;

#[track_caller]
fn missed(page: &str, text: &str) -> (String, String, String) {
    let mismatch = contains(&outline(page), &pattern(text)).unwrap_err();
    (text[mismatch.range].to_owned(), mismatch.label, mismatch.nearest)
}

#[track_caller]
fn unequal(page: &str, text: &str) -> (String, String, String) {
    let mismatch = equals(&outline(page), &pattern(text)).unwrap_err();
    (text[mismatch.range].to_owned(), mismatch.label, mismatch.nearest)
}

const HOME: &str = "RootWebArea \"Home\"\n  banner\n    link \"Logo\"\n  main\n    heading \"Welcome, Adam\" [level=1]\n    link \"Sign out\"\n";

#[test]
fn the_name_differs() {
    let (place, label, nearest) = missed(HOME, "main\n  heading \"Welcome, Ada\" [level=1]\n  link \"Sign out\"\n");
    assert_eq!(place, "heading \"Welcome, Ada\" [level=1]");
    assert_eq!(label, "the name differs; nothing else does");
    assert_eq!(nearest, "  main\n~   heading \"Welcome, Adam\" [level=1]\n    link \"Sign out\"\n");
}

#[test]
fn an_expression_that_matches_is_no_difference() {
    let (place, _, nearest) = missed(HOME, "main\n  heading /^Welcome/\n  link \"Sign in\"\n");
    assert_eq!(place, "link \"Sign in\"");
    assert_eq!(nearest, "  main\n    heading \"Welcome, Adam\" [level=1]\n~   link \"Sign out\"\n");
}

#[test]
fn all_that_differs_is_marked() {
    let (place, _, nearest) = missed(HOME, "main\n  heading \"Welcome, Ada\"\n  link \"Sign in\"\n  button \"Go\"\n");
    assert_eq!(place, "heading \"Welcome, Ada\"");
    assert_eq!(nearest, "  main\n~   heading \"Welcome, Adam\" [level=1]\n~   link \"Sign out\"\n-   button \"Go\"\n");
}

#[test]
fn states_values_and_roles_are_named() {
    let page =
        "checkbox \"News\"\nheading \"Hi\" [level=2]\ntextbox \"City\" = \"Oslo\"\nlink \"Save\"\nlink \"Load\"\n";
    assert_eq!(missed(page, "checkbox \"News\" [checked]").1, "the state [checked] is missing");
    assert_eq!(missed(page, "heading \"Hi\" [level=1]").1, "the state [level=1] differs: here it is [level=2]");
    assert_eq!(missed(page, "textbox \"City\" = \"Rome\"").1, "the value differs; nothing else does");
    assert_eq!(missed(page, "button \"Save\"").1, "the role differs; nothing else does");
    assert_eq!(missed(page, "textbox \"Cit\" = \"Rome\"").1, "the name and the value differ");
    assert_eq!(missed(page, "grid").1, "no such role here");
    assert_eq!(missed(page, "chekbox").1, "no such role here; did you mean `checkbox`?");
    assert_eq!(missed(page, "link \"Quite another\"").1, "no `link` of that name here");
    assert_eq!(missed(page, "\"zzz\"").1, "nothing of that name here");
}

#[test]
fn the_only_line_of_a_role_is_the_one_meant() {
    let (_, label, nearest) = missed("main\n  heading \"Oh no\" [level=1]\n", "main\n  heading \"Welcome\" [level=1]");
    assert_eq!(label, "the name differs; nothing else does");
    assert_eq!(nearest, "  main\n~   heading \"Oh no\" [level=1]\n");
}

#[test]
fn what_stands_elsewhere_or_in_another_order() {
    let page = "main\n  button \"A\"\n  button \"B\"\ncontentinfo\n  button \"C\"\n";
    let (_, label, nearest) = missed(page, "main\n  button \"B\"\n  button \"A\"\n");
    assert_eq!(label, "the order differs: it does not come after `button \"B\"`");
    assert_eq!(nearest, "  main\n    button \"A\"\n    button \"B\"\n-   button \"A\"\n");
    let (_, label, nearest) = missed(page, "main\n  button \"C\"\n");
    assert_eq!(label, "it is on the page, but not inside `main`");
    assert_eq!(nearest, "  main\n-   button \"C\"\n    button \"A\"\n    button \"B\"\n");
}

#[test]
fn the_nearest_place_is_chosen_among_many() {
    let mut page = String::from("list\n");
    for row in 0..30 {
        page.push_str(&format!("  listitem\n    StaticText \"thing {row}\"\n    button \"Edit {row}\"\n"));
    }
    let (place, label, nearest) = missed(&page, "listitem\n  StaticText \"thing 20\"\n  button \"Edit 2O\"\n");
    assert_eq!(place, "button \"Edit 2O\"");
    assert_eq!(label, "the name differs; nothing else does");
    assert_eq!(nearest, "  listitem\n    StaticText \"thing 20\"\n~   button \"Edit 20\"\n");
    // Nothing is met but the list items: the one that has the most of what is wanted is shown.
    let (_, _, nearest) = missed(&page, "listitem\n  button \"Edit 2O\"\n");
    assert!(nearest.contains("~   button \"Edit 2"), "{nearest}");
}

#[test]
fn a_large_page_is_shown_in_part() {
    let mut page = String::from("main\n");
    for row in 0..500 {
        page.push_str(&format!("  paragraph\n    StaticText \"text {row}\"\n"));
    }
    page.push_str("  button \"Send now\"\n  link \"end\"\n");
    let (_, label, nearest) = missed(&page, "main\n  button \"Send nov\"\n");
    assert_eq!(label, "the name differs; nothing else does");
    assert!(nearest.contains("~   button \"Send now\"\n    link \"end\"\n"), "{nearest}");
    assert!(nearest.lines().count() < 20, "{nearest}");
    let (_, _, nearest) = missed(&page, "dialog \"Cookies\"\n  button \"Reject\"\n");
    assert!(nearest.starts_with("- dialog \"Cookies\"\n"), "{nearest}");
}

#[test]
fn nothing_to_show_of_an_empty_page() {
    let (_, label, nearest) = missed("", "main\n  button");
    assert_eq!((label.as_str(), nearest.as_str()), ("no such role here", "- main\n-   button\n"));
}

#[test]
fn equality_shows_what_is_more_and_what_is_less() {
    let page = "main\n  list\n    listitem \"a\"\n    listitem \"b\"\n    listitem \"c\"\n";
    let (place, label, nearest) = unequal(page, "list\n  listitem \"a\"\n  listitem \"c\"\n");
    assert_eq!(place, "list");
    assert_eq!(label, "the page has more here: `listitem \"b\"`");
    assert_eq!(nearest, "  list\n    listitem \"a\"\n+   listitem \"b\"\n    listitem \"c\"\n");
    let (place, label, nearest) =
        unequal(page, "list\n  listitem \"a\"\n  listitem \"b\"\n  listitem /c/\n  listitem \"dd\"\n");
    assert_eq!((place.as_str(), label.as_str()), ("listitem \"dd\"", "this line is missing on the page"));
    assert_eq!(nearest, "  list\n    listitem \"a\"\n    listitem \"b\"\n    listitem \"c\"\n-   listitem \"dd\"\n");
    let (_, label, _) = unequal(page, "table");
    assert_eq!(label, "no such role here");
}

#[test]
fn why_a_line_does_not_match() {
    let line = &outline("checkbox \"News\" [disabled]").lines[0];
    let why = |text: &str| LinePattern::parse(text).unwrap().why_not(line);
    assert_eq!(why("checkbox"), None);
    assert_eq!(why("checkbox [checked]").as_deref(), Some("the state [checked] is missing"));
    assert_eq!(why("radio \"Now\"").as_deref(), Some("the role and the name differ"));
}

#[test]
fn one_change_in_a_large_equality_is_one_mark() {
    let mut page = String::from("main\n");
    for row in 0..2_000 {
        page.push_str(&format!("  status\n    StaticText \"text {row}\"\n"));
    }
    let wanted = page.replace("\"text 1200\"", "\"text twelve\"");
    let (place, label, nearest) = unequal(&page, &wanted);
    assert_eq!(place, "StaticText \"text twelve\"");
    assert_eq!(label, "the name differs; nothing else does");
    let marked: Vec<&str> = nearest.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(marked, ["~     StaticText \"text 1200\""], "{nearest}");
    // A leaf that is matched by its text stands for the lines in it.
    let short = "main\n  status \"text 0\"\n  status \"text 1\"\n  alert \"text 2\"\n";
    let (_, label, nearest) =
        unequal("main\n  status\n    StaticText \"text 0\"\n  status\n    StaticText \"text 1\"\n", short);
    assert_eq!(label, "this line is missing on the page");
    assert_eq!(
        nearest,
        "  main\n    status\n      StaticText \"text 0\"\n    status\n      StaticText \"text 1\"\n-   alert \"text 2\"\n"
    );
}
