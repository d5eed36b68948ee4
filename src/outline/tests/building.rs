//! From the nodes Chrome tells to lines. The trees are recorded from Chromium 156.

use std::collections::HashMap;

use super::*;

/// A recorded tree; page/ makes the same of the protocol's own messages.
fn tree(json: &str) -> RawTree<'static> {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Number(number) => number_text(number.as_f64().unwrap()),
        other => other.to_string(),
    };
    let node = |node: &serde_json::Value| RawNode {
        id: text(&node["id"]).into(),
        children: node["children"].as_array().into_iter().flatten().map(|id| text(id).into()).collect(),
        ignored: node["ignored"] == true,
        role: node["role"].as_str().unwrap_or_default().to_owned().into(),
        name: node["name"].as_str().unwrap_or_default().to_owned().into(),
        description: node["description"].as_str().map(|text| text.to_owned().into()),
        value: node.get("value").map(|value| text(value).into()),
        properties: (node["properties"].as_object().into_iter().flatten())
            .map(|(name, value)| RawProperty { name: name.clone().into(), value: text(value).into() })
            .collect(),
        password: false,
        handle: node["handle"].as_u64().map(|id| Handle(u32::try_from(id).unwrap())),
    };
    RawTree { nodes: value.as_array().unwrap().iter().map(node).collect() }
}

fn built(json: &str) -> String {
    let page = build(&tree(json), &HashMap::new());
    let text = page.text(Refs::Shown);
    // Whatever Chrome gives is printed so that it can be pasted.
    assert!(contains(&page, &pattern(&text)).is_ok());
    assert!(equals(&page, &pattern(&text)).is_ok());
    text
}

#[test]
fn texts_of_one_element_are_one_line() {
    assert_eq!(built(include_str!("trees/texts.json")), include_str!("trees/texts.txt"));
}

#[test]
fn states() {
    assert_eq!(built(include_str!("trees/states.json")), include_str!("trees/states.txt"));
}

#[test]
fn a_password_shows_neither_its_text_nor_its_length() {
    assert_eq!(built(include_str!("trees/password.json")), include_str!("trees/password.txt"));
}

#[test]
fn awkward_names_stay_one_line_each() {
    assert_eq!(built(include_str!("trees/awkward.json")), include_str!("trees/awkward.txt"));
}

#[test]
fn wrappers_hand_their_children_up() {
    assert_eq!(built(include_str!("trees/wrappers.json")), include_str!("trees/wrappers.txt"));
}

#[test]
fn roles_and_fields() {
    assert_eq!(built(include_str!("trees/roles.json")), include_str!("trees/roles.txt"));
}

fn node(id: &'static str, role: &'static str, name: &'static str, children: &[&'static str]) -> RawNode<'static> {
    RawNode {
        id: id.into(),
        role: role.into(),
        name: name.into(),
        children: children.iter().map(|&id| id.into()).collect(),
        ..RawNode::default()
    }
}

#[test]
fn frames_are_set_in_at_any_depth() {
    let mut outer = node("2", "Iframe", "Booking", &[]);
    outer.handle = Some(Handle(7));
    let mut inner = node("2", "Iframe", "", &[]);
    inner.handle = Some(Handle(8));
    let root =
        RawTree { nodes: vec![node("1", "RootWebArea", "Top", &["2", "3"]), outer, node("3", "paragraph", "", &[])] };
    // The innermost document claims to hold the outer frame again.
    let mut circle = node("2", "Iframe", "", &[]);
    circle.handle = Some(Handle(7));
    let frames = HashMap::from([
        (Handle(7), RawTree { nodes: vec![node("1", "RootWebArea", "Form", &["2"]), inner] }),
        (
            Handle(8),
            RawTree {
                nodes: vec![node("1", "RootWebArea", "", &["4", "2"]), node("4", "button", "Book now", &[]), circle],
            },
        ),
    ]);
    assert_eq!(
        build(&root, &frames).text(Refs::Shown),
        "RootWebArea \"Top\"\n  Iframe \"Booking\"\n    RootWebArea \"Form\"\n      Iframe\n        RootWebArea\n          \
         button \"Book now\" [ref_1]\n          Iframe\n  paragraph\n"
    );
}

#[test]
fn circles_missing_nodes_and_nothing_at_all() {
    let circle = RawTree { nodes: vec![node("1", "main", "", &["2", "9"]), node("2", "group", "", &["1", "2"])] };
    assert_eq!(build(&circle, &HashMap::new()).text(Refs::Shown), "main\n  group\n");
    assert_eq!(build(&RawTree::default(), &HashMap::new()), Outline::default());
}

#[test]
fn a_password_that_is_told_in_clear_is_masked_with_all_that_is_in_it() {
    let mut field = node("1", "textbox", "Pass", &["2"]);
    field.value = Some("correct-horse".into());
    field.password = true;
    let tree = RawTree { nodes: vec![field, node("2", "StaticText", "correct-horse", &[])] };
    assert_eq!(build(&tree, &HashMap::new()).text(Refs::Shown), "textbox \"Pass\" = \"••••••••\" [ref_1]\n");
}

#[test]
fn numbers_are_told_as_they_were_meant() {
    assert_eq!(number_text(0.400_000_005_960_464_5), "0.4");
    assert_eq!(number_text(7.0), "7");
    assert_eq!(number_text(0.1), "0.1");
}
