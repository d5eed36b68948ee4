//! The reference page is fresh: its verbs are those that the program knows.
//!
//! `UPDATE=1 cargo test --test reference` writes it anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

/// A part of the page, between its markers.
fn part(page: &str, name: &str, fresh: &str) -> String {
    let (begin, end) = (format!("<!-- {name}:begin -->\n"), format!("<!-- {name}:end -->"));
    let (before, rest) = page.split_once(&begin).expect("the page has a marker where the part begins");
    let (_, after) = rest.split_once(&end).expect("the page has a marker where the part ends");
    format!("{before}{begin}\n{fresh}\n{end}{after}")
}

#[test]
fn the_reference_lists_keys_and_verbs_as_they_are() {
    let path = common::of_repository("docs/reference.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let fresh = part(&page, "head", &playscript::steps::head_reference());
    let fresh = part(&fresh, "routes", &playscript::steps::keys_reference(playscript::scenario::ROUTE));
    let fresh = part(&fresh, "events", &playscript::steps::keys_reference(playscript::scenario::ROUTE_EVENT));
    let fresh = part(&fresh, "app", &playscript::steps::keys_reference(playscript::scenario::APP));
    let fresh = part(&fresh, "project", &playscript::steps::keys_reference(playscript::run::PROJECT));
    let fresh = part(&fresh, "verbs", &playscript::steps::reference());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    } else if fresh != page {
        panic!("docs/reference.md is stale: run `UPDATE=1 cargo test --test reference` and look at the change");
    }
}

#[test]
fn every_verb_is_shown_by_a_bundled_scenario() {
    let mut all = String::new();
    for entry in std::fs::read_dir(common::of_repository("scenarios")).unwrap().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "yaml") {
            all.push_str(&std::fs::read_to_string(entry.path()).unwrap());
        }
    }
    let missing: Vec<&str> = playscript::steps::ALL
        .iter()
        .map(|spec| spec.name)
        .filter(|name| {
            !all.lines().any(|line| {
                let item = line.trim_start().trim_start_matches("- ").trim_start_matches("{ ");
                item.trim_end() == *name || item.starts_with(&format!("{name}:"))
            })
        })
        .collect();
    assert!(missing.is_empty(), "no bundled scenario shows {}", missing.join(", "));
}
