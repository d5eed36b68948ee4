//! Names of snapshot files.

use std::path::{Component, Path, PathBuf};

/// How long each half of a file's name may be, in bytes. Both, with what stands around them, stay well under the 255 that
/// file systems allow.
const LONGEST: usize = 100;
/// How much is kept of a half that is too long.
const KEPT: usize = 70;

/// What a snapshot is known by: the scenario file, relative to the project's folder, and the name its step gives it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The scenario file, relative to the project's folder.
    pub scenario: PathBuf,
    /// The name in `snapshot: NAME`.
    pub name: String,
}

impl Key {
    /// A key.
    pub fn new(scenario: impl Into<PathBuf>, name: impl Into<String>) -> Key {
        Key { scenario: scenario.into(), name: name.into() }
    }

    /// The file's name without `.snap`: `auth/login.yaml` and `signed-in` are `auth__login__signed-in`.
    ///
    /// Different keys have different names. Letters, digits, `-`, `.` and single `_` stay as they are, everything else is
    /// written as `%XX`, so that `__` only ever stands between parts. A half that is too long is cut and ends in `%~`
    /// and a hash of the whole.
    pub fn stem(&self) -> String {
        format!("{}__{}", cut(scenario_part(&self.scenario)), cut(encoded(&self.name)))
    }

    /// The first half of the file's name, which all snapshots of a scenario share.
    pub(super) fn scenario_stem(scenario: &Path) -> String {
        cut(scenario_part(scenario))
    }

    /// The scenario's path with slashes, on every system.
    pub(super) fn source(&self) -> String {
        slashed(&self.scenario)
    }
}

/// A path with slashes, on every system.
pub(super) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .filter(|part| *part != Component::CurDir)
        .map(|part| if part == Component::RootDir { "".into() } else { part.as_os_str().to_string_lossy() })
        .collect();
    parts.join("/")
}

/// The folder that scenarios stand in as a rule says nothing; a scenario of the same name elsewhere is a clash that is told.
fn scenario_part(path: &Path) -> String {
    let path = slashed(path);
    let path = path.strip_prefix("scenarios/").unwrap_or(&path);
    let path = path.strip_suffix(".yaml").unwrap_or(path);
    let parts: Vec<String> = path.split('/').map(encoded).collect();
    parts.join("__")
}

/// One part of a name, with everything encoded that a file system, a shell or insta would read otherwise.
fn encoded(part: &str) -> String {
    if part.is_empty() {
        return "%".to_owned();
    }
    let mut name = String::with_capacity(part.len());
    let mut characters = part.chars().peekable();
    while let Some(character) = characters.next() {
        let plain = match character {
            // Two in a row, or one beside the `__` between parts, could not be told from it.
            '_' => !name.is_empty() && characters.peek().is_some_and(|next| *next != '_'),
            // Files that start with a dot are hidden from `cargo insta`.
            '.' => !name.is_empty() && characters.peek().is_some(),
            '-' => true,
            other => other.is_alphanumeric(),
        };
        if plain {
            name.push(character);
        } else {
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                name.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    name
}

fn cut(name: String) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let mut end = KEPT;
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}%~{:016x}", name[..end].trim_end_matches('_'), hash(&name))
}

/// FNV-1a: the same on every machine and in every version, which the standard library's hasher does not promise.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn stem(scenario: &str, name: &str) -> String {
        Key::new(scenario, name).stem()
    }

    #[test]
    fn names_are_readable_and_kept_apart_by_path() {
        assert_eq!(stem("login.yaml", "signed-in"), "login__signed-in");
        assert_eq!(stem("a/login.yaml", "x"), "a__login__x");
        assert_eq!(stem("./b/login.yaml", "x"), "b__login__x");
        assert_eq!(stem("login.yml", "turn-7"), "login.yml__turn-7");
        assert_eq!(stem("a__login.yaml", "x"), "a%5F_login__x");
        assert_eq!(stem("to_do.yaml", "_x_"), "to_do__%5Fx%5F");
        assert_eq!(stem("café.yaml", "Größe 1/2"), "café__Größe%201%2F2");
        assert_eq!(stem("../x.yaml", ".hidden"), "%2E%2E__x__%2Ehidden");
        assert_eq!(stem("x.yaml", "a\nb:\\*?\u{202e}"), "x__a%0Ab%3A%5C%2A%3F%E2%80%AE");
        assert_eq!(stem("x.yaml", ""), "x__%");
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let long = "é".repeat(3000);
        let (one, two) = (stem("x.yaml", &format!("{long}1")), stem("x.yaml", &format!("{long}2")));
        assert_ne!(one, two);
        for stem in [one, two, stem(&format!("{long}/{long}.yaml"), &long)] {
            assert!(stem.len() + ".snap.new".len() < 230, "{stem}");
        }
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof!["[ab_./%~ -]{0,8}", "\\PC{0,12}", ".{0,6}", "[a_]{60,120}"]
    }

    proptest! {
        #[test]
        fn different_keys_have_different_files(
            keys in proptest::collection::vec((proptest::collection::vec("[ab_.% -]{1,6}|[a_]{40,60}", 1..4), text()), 2..40)
        ) {
            let mut seen: HashMap<String, (String, String)> = HashMap::new();
            for (folders, name) in keys {
                let scenario = slashed(Path::new(&format!("{}.yaml", folders.join("/"))));
                let stem = stem(&scenario, &name);
                let key = (scenario, name);
                prop_assert!(stem.len() <= 2 * LONGEST + 2);
                prop_assert!(!stem.starts_with('.') && !stem.contains(['/', '\\', ':', ' ', '*', '\n']));
                let other = seen.entry(stem.clone()).or_insert_with(|| key.clone());
                prop_assert_eq!(&*other, &key, "both are {}", stem);
                // The name that insta takes from the file is ours.
                let (_, insta_name) = stem.rsplit_once("__").unwrap();
                prop_assert_eq!(insta_name, cut(encoded(&key.1)));
            }
        }
    }
}
