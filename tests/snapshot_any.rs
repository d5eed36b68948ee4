//! Any outline there can be is stored, read again by us and by insta, and matches.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::borrow::Cow;

use playscript::outline::{Line, Outline, Refs, State};
use playscript::snapshot::{Held, Key, Policy, SnapshotError, Store, Taken, Taker, Update, accept};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    let tricky = [
        "say \"hi\" \\ ok",
        "/",
        "/api/v1/",
        "/[a/",
        "-",
        "---",
        "[ref_1] button \"fake\"",
        "a: b # c",
        " spaced  out ",
        "two\nlines",
        "cr\r\nlf",
        "tab\tbed",
        "\u{1b}[31m",
        "\0",
        "\u{202e}right",
        "\u{feff}",
        "\u{85}\u{2028}",
        "= \"x\"",
        "…",
        "",
    ];
    prop_oneof![
        proptest::sample::select(tricky.to_vec()).prop_map(str::to_owned),
        "[a-z ]{0,10}",
        "\\PC{0,10}",
        any::<String>(),
        // A very long name is stored whole.
        "[a-z\"]{1990,2010}",
    ]
}

fn outline() -> impl Strategy<Value = Outline> {
    let role =
        proptest::sample::select(vec!["button", "link", "StaticText", "heading", "textbox", "checkbox", "Iframe"]);
    let states =
        proptest::sample::subsequence(vec![("checked", None), ("disabled", None), ("expanded", Some("false"))], 0..=3);
    let line = (0_usize..3, role, text(), proptest::option::of(text()), states, any::<bool>());
    proptest::collection::vec(line, 1..20).prop_map(|lines| {
        let mut depth = 0_usize;
        let lines = lines.into_iter().enumerate().map(|(index, (deeper, role, name, value, states, interactive))| {
            // At most one deeper than the line above, as in any tree.
            depth = if index == 0 { 0 } else { (depth + 1).saturating_sub(deeper).max(1) };
            let states = states
                .into_iter()
                .map(|(name, value)| State { name: Cow::Borrowed(name), value: value.map(str::to_owned) });
            Line { depth, role: role.to_owned(), name, value, states: states.collect(), interactive, ..Line::default() }
        });
        Outline { lines: lines.collect() }
    })
}

fn hold(project: &std::path::Path, update: Update, name: &str, outline: &Outline) -> Result<Held, SnapshotError> {
    let key = Key::new("any.yaml", name);
    let by = Taker { key, line: 1, description: name.to_owned(), row: String::new() };
    let taken = Taken { by: &by, outline, redactions: &[] };
    Store::new(project, Policy { update, ci: false }).hold(&taken)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_stored_matches_and_is_read_alike_by_insta(outline in outline(), name in text()) {
        let project = tempfile::tempdir().unwrap();
        let held = hold(project.path(), Update::Always, &name, &outline).unwrap();
        let Held::Created { path } = held else { panic!("{held:?}") };
        prop_assert_eq!(hold(project.path(), Update::No, &name, &outline).unwrap(), Held::Matches);

        let path = project.path().join(path);
        let by_insta = insta::Snapshot::from_file(&path).unwrap();
        let text = outline.text(Refs::Hidden);
        prop_assert_eq!(by_insta.as_text().unwrap().to_string(), text.trim_end());
        let bytes = std::fs::read_to_string(&path).unwrap();
        by_insta.save(&path).unwrap();
        prop_assert_eq!(std::fs::read_to_string(&path).unwrap(), bytes);
        // What was stored is an outline again, and that outline matches too.
        let again = Outline::parse(&by_insta.as_text().unwrap().to_string()).unwrap();
        prop_assert_eq!(hold(project.path(), Update::No, &name, &again).unwrap(), Held::Matches);
    }

    #[test]
    fn whatever_it_changes_to_differs_and_matches_once_accepted(old in outline(), new in outline(), wild in any::<prop::sample::Index>()) {
        let project = tempfile::tempdir().unwrap();
        let Held::Created { path } = hold(project.path(), Update::Always, "x", &old).unwrap() else { panic!("not created") };
        let path = project.path().join(path);
        // One stored line becomes a pattern that matches every node of its role.
        let mut lines: Vec<String> = old.text(Refs::Hidden).lines().map(str::to_owned).collect();
        let chosen = wild.index(lines.len());
        let role = &old.lines[chosen].role;
        lines[chosen] = format!("{}{role} /(?s).*/", "  ".repeat(old.lines[chosen].depth));
        std::fs::write(&path, format!("---\nsource: any.yaml\n---\n{}\n", lines.join("\n"))).unwrap();
        prop_assert_eq!(hold(project.path(), Update::No, "x", &old).unwrap(), Held::Matches);

        match hold(project.path(), Update::Auto, "x", &new) {
            Ok(held) => prop_assert_eq!(held, Held::Matches),
            Err(SnapshotError::Differs { written: Ok(pending), difference, .. }) => {
                let is_mark = |line: &str| line.starts_with(['+', '-']);
                prop_assert!(difference.lines().any(is_mark), "{}", difference);
                accept(&project.path().join(pending)).unwrap();
                prop_assert_eq!(hold(project.path(), Update::No, "x", &new).unwrap(), Held::Matches);
            }
            Err(other) => panic!("{other:?}"),
        }
    }
}
