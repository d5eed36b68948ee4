//! The house keeps its order: a room uses only rooms that stand above it, and a file is one idea.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

/// The rooms from the ground up, as `lib.rs` tells them.
const ROOMS: &[&str] = &[
    "outline", "scenario", "cdp", "process", "browser", "page", "site", "app", "snapshot", "steps", "run", "report",
    "cli",
];

/// Rooms that may not know each other although one stands above the other.
const STRANGERS: &[(&str, &str)] = &[
    ("cdp", "outline"),
    ("cdp", "scenario"),
    ("process", "outline"),
    ("process", "scenario"),
    ("process", "cdp"),
    ("browser", "outline"),
    ("site", "cdp"),
    ("site", "browser"),
    ("site", "page"),
    ("app", "outline"),
    ("app", "cdp"),
    ("app", "browser"),
    ("app", "page"),
    ("app", "site"),
    ("snapshot", "cdp"),
    ("snapshot", "browser"),
    ("snapshot", "page"),
    ("snapshot", "site"),
    ("snapshot", "app"),
    ("steps", "cdp"),
    ("steps", "app"),
    ("report", "app"),
    ("run", "cdp"),
    ("report", "page"),
    ("report", "cdp"),
];

/// More than this, and a file is two files.
const MOST_LINES: usize = 800;

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(&root).sort_by_file_name() {
        let entry = entry.unwrap();
        if entry.path().extension().is_some_and(|extension| extension == "rs") {
            let name = entry.path().strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            files.push((name, std::fs::read_to_string(entry.path()).unwrap()));
        }
    }
    files
}

/// The rooms that a source text names after `crate::`.
fn rooms_named(text: &str) -> Vec<&str> {
    let mut named = Vec::new();
    for line in text.lines().map(str::trim_start).filter(|line| !line.starts_with("//")) {
        for (start, _) in line.match_indices("crate::") {
            let rest = &line[start + "crate::".len()..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            named.extend(ROOMS.iter().copied().find(|room| *room == &rest[..end]));
        }
    }
    named
}

#[test]
fn a_room_uses_only_rooms_above_it() {
    let mut wrong = Vec::new();
    let files = sources();
    assert!(files.len() > ROOMS.len(), "the sources were not found");
    for (name, text) in &files {
        let Some(own) = ROOMS.iter().position(|room| name.starts_with(&format!("{room}/"))) else { continue };
        for used in rooms_named(text) {
            let reaches_up = ROOMS.iter().position(|room| *room == used).unwrap() > own;
            if reaches_up || STRANGERS.contains(&(ROOMS[own], used)) {
                wrong.push(format!("src/{name} uses {used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "a room reaches where it may not:\n{}", wrong.join("\n"));
}

#[test]
fn every_room_is_on_the_map() {
    let map = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    for room in ROOMS {
        assert!(map.contains(&format!("//! - [`{room}`]: ")), "lib.rs has no sentence for {room}");
    }
}

#[test]
fn no_file_is_two_files() {
    let long: Vec<String> = sources()
        .iter()
        .filter(|(_, text)| text.lines().count() > MOST_LINES)
        .map(|(name, text)| format!("src/{name}: {} lines", text.lines().count()))
        .collect();
    assert!(long.is_empty(), "these files are more than one idea:\n{}", long.join("\n"));
}

#[test]
fn unsafe_code_stands_in_one_file() {
    let places: Vec<String> = sources()
        .into_iter()
        .filter(|(_, text)| text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains("unsafe {")))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(places, ["process/start.rs"]);
}
