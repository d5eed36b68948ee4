//! Targets in every form, and every word where they are none.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::deferred::Deferred;
use super::diagnostic::Problems;
use super::node::Node;
use super::source::Source;
use super::target::{By, Has, Target};
use super::text_match::TextMatch;
use super::values::Values;
use super::yaml;

fn node(value: &str) -> Node {
    let mut problems = Problems::default();
    let root = yaml::read(&Source::new("f", &format!("a: {value}\n")), &mut problems);
    assert!(problems.is_empty(), "{value}: {problems:?}");
    root.unwrap().get("a").unwrap().clone()
}

fn target(value: &str) -> Target {
    let mut problems = Problems::default();
    let found = Target::from_node(&node(value), &mut problems);
    assert!(problems.is_empty(), "{value}: {problems:?}");
    found.unwrap()
}

/// How a target was understood.
fn understood(target: &Target) -> String {
    let kind = match &target.by {
        By::Line(_) => "line",
        By::Name(_) => "name",
        By::Ref(_) => "ref",
        By::Css(_) => "css",
        By::Role { .. } => "role",
        By::Point { .. } => "point",
        _ => "by",
    };
    format!("{kind}: {target}")
}

#[test]
fn targets_that_are_text() {
    let cases = [
        ("button \"Save\"", "line: button \"Save\""),
        ("button /^Save/", "line: button /^Save/"),
        ("button", "line: button"),
        ("Button \"Save\"", "line: Button \"Save\""),
        ("checkbox \"News\" [checked]", "line: checkbox \"News\" [checked]"),
        ("textbox \"City\" = \"Oslo\"", "line: textbox \"City\" = \"Oslo\""),
        ("button \"Save\" [ref_3]", "line: button \"Save\""),
        ("'\"Save\"'", "name: \"Save\""),
        ("'\"button\"'", "name: \"button\""),
        ("'\"a \\\"b\\\"\"'", "name: \"a \"b\"\""),
        ("Save", "name: \"Save\""),
        ("\"Save\"", "name: \"Save\""),
        ("Sign in", "name: \"Sign in\""),
        ("Details", "name: \"Details\""),
        ("Search", "name: \"Search\""),
        ("search", "line: search"),
        ("StaticText", "line: StaticText"),
        ("Iframe \"Payment\"", "line: Iframe \"Payment\""),
        ("Iframe", "line: Iframe"),
        ("/^Save/", "line: /^Save/"),
        ("'\"Save\" [disabled]'", "line: \"Save\" [disabled]"),
        ("ref_3", "ref: ref_3"),
        ("007", "name: \"007\""),
        ("Price [EUR]", "name: \"Price [EUR]\""),
        ("Total = 5", "name: \"Total = 5\""),
        ("Say \"hello\"", "name: \"Say \"hello\"\""),
        ("Überblick", "name: \"Überblick\""),
        ("list of cats", "name: \"list of cats\""),
    ];
    for (value, meant) in cases {
        assert_eq!(understood(&target(value)), meant, "{value}");
    }
}

#[test]
fn targets_that_are_maps() {
    let cases = [
        ("{ css: \"#save\" }", "css: css \"#save\""),
        ("{ label: Email }", "by: label \"Email\""),
        ("{ text: /Total/ }", "by: text /Total/"),
        ("{ placeholder: Search }", "by: placeholder \"Search\""),
        ("{ alt: A cat }", "by: alt \"A cat\""),
        ("{ title: Close }", "by: title \"Close\""),
        ("{ test-id: save }", "by: test-id \"save\""),
        ("{ role: button, name: Save }", "role: button \"Save\""),
        ("{ role: button, name: /save/i }", "role: button /save/i"),
        ("{ role: checkbox }", "role: checkbox"),
        ("{ x: 200, y: 150.5 }", "point: x 200, y 150.5"),
        ("{ x: 20px, y: -1 }", "point: x 20, y -1"),
        (
            "{ role: checkbox, within: { role: listitem, has: \"feed the cat\" } }",
            "role: checkbox within listitem has \"feed the cat\"",
        ),
        (
            "{ target: button \"Remove\", within: region \"Cart\", nth: 2 }",
            "line: button \"Remove\" nth 2 within region \"Cart\"",
        ),
        ("{ css: p, frame: Iframe \"Payment\" }", "css: css \"p\" in frame Iframe \"Payment\""),
        ("{ role: row, has: cell \"Oslo\" }", "role: row has cell \"Oslo\""),
        ("{ role: row, has: /^\\d+$/ }", "role: row has /^\\d+$/"),
    ];
    for (value, meant) in cases {
        assert_eq!(understood(&target(value)), meant, "{value}");
    }
    assert!(matches!(target("{ role: row, has: cell \"Oslo\" }").has, Some(Has::Pattern(_))));
    let quoted = target("{ role: row, has: '\"Oslo\"' }").has;
    assert!(matches!(quoted, Some(Has::Text(TextMatch::Exact(text))) if text == "Oslo"));
    assert_eq!(target("{ css: p, nth: 3 }").nth, Some(3));
}

/// Column, marked text and words.
fn faults(value: &str) -> Vec<String> {
    let mut problems = Problems::default();
    assert!(Target::from_node(&node(value), &mut problems).is_none(), "{value}");
    let line = |diagnostic: super::Diagnostic| {
        let place = diagnostic.place.unwrap();
        let column = place.source.line_column(place.range.start).1;
        format!(
            "{column} [{}] {} | {} | {}",
            place.text(),
            diagnostic.title,
            diagnostic.label,
            diagnostic.next.unwrap_or_default()
        )
    };
    problems.into_iter().map(line).collect()
}

#[test]
fn what_is_no_target_says_so() {
    let cases: &[(&str, &[&str])] = &[
        ("", &["1 [a] a target must be text | this is nothing | write \"\" for an empty text"]),
        ("\"\"", &["5 [] this is not a target | a target is missing | name what you mean, such as button \"Save\""]),
        (
            "ref_x",
            &["4 [ref_x] this is not a target | a ref is `ref_` and a number | write ref_1, as `read` prints it"],
        ),
        (
            "buton \"Save\"",
            &[
                "4 [buton] this is not a target | there is no role `buton`; did you mean `button`? | write `button`; a name with quotes in it stands in quotes as a whole",
            ],
        ),
        (
            "button Save all",
            &[
                "11 [Save all] this is not a target | a name behind a role stands in quotes | write button \"Save all\", or \"button Save all\" if that is the whole name",
            ],
        ),
        (
            "button \"Save\" [chcked]",
            &["19 [chcked] this is not a target | unknown state `chcked` | did you mean [checked]?"],
        ),
        ("{ csss: x }", &["6 [csss] a target has no `csss` | did you mean `css`? | write `css`"]),
        ("{ reff: ref_3 }", &["6 [reff] a target has no `reff` | a ref is a target by itself | write it alone: ref_3"]),
        (
            "{ ref: ref_3 }",
            &["6 [ref] a ref is a target by itself | not a key | write it in the target's place: ref_3"],
        ),
        (
            "{ css: x, text: y }",
            &[
                "14 [text] a target has both `css` and `text` | the second of two ways to name it | keep one; `within` and `has` narrow it",
            ],
        ),
        (
            "{ name: Save }",
            &[
                "4 [{ name: Save }] a target without anything to find it by | `name` stands beside `role` | add `role`, or write the name alone: \"Save\"",
            ],
        ),
        (
            "{ css: x, name: y }",
            &["14 [name] `name` stands beside `role` | there is no `role` | add `role`, or leave `name` out"],
        ),
        ("{ x: 5 }", &["6 [x] `x` without `y` | a place needs both | write { x: 200, y: 150 }"]),
        ("{ x: a, y: 1 }", &["9 [a] `x` must be a number | not a number of CSS pixels | write { x: 200, y: 150 }"]),
        ("{ role: buton }", &["12 [buton] there is no role `buton` | did you mean `button`? | write `button`"]),
        (
            "{ css: a, nth: 0 }",
            &["19 [0] `nth` must be a whole number from 1 | not such a number | write `nth: 1` for the first"],
        ),
        ("{ css: '' }", &["11 [''] `css` is empty | nothing to find | fill it in"]),
        (
            "{ text: /(/ }",
            &[
                "12 [/(/] this regular expression does not parse | unclosed group | correct it; a backslash before a sign means the sign itself",
            ],
        ),
        ("[a]", &["4 [[a]] a target must be text | this is a list | write one text, without `[ ]` and `- `"]),
        (
            "{ css: a, within: buton \"x\" }",
            &[
                "22 [buton] this is not a target | there is no role `buton`; did you mean `button`? | write `button`; a name with quotes in it stands in quotes as a whole",
            ],
        ),
    ];
    for (value, said) in cases {
        assert_eq!(faults(value), *said, "{value}");
    }
}

#[test]
fn values_are_filled_in_when_the_step_is_performed() {
    let mut problems = Problems::default();
    let found: Deferred<Target> = Deferred::parse(&node("'button \"{{ label }}\"'"), &mut problems).unwrap();
    assert!(problems.is_empty());
    let mut values = Values::default();
    values.scope.insert("label".to_owned(), "Save".into());
    assert_eq!(understood(&found.get(&values).unwrap()), "line: button \"Save\"");
    assert_eq!(found.get(&Values::default()).unwrap_err().title, "`label` has no value here");
    let ready: Deferred<Target> = Deferred::parse(&node("Save"), &mut problems).unwrap();
    assert!(matches!(ready, Deferred::Ready(_)));
    let wrong: Option<Deferred<Target>> = Deferred::parse(&node("'{{ a| }}'"), &mut problems);
    assert!(wrong.is_none() && problems.len() == 1);
}
