//! Keys and chords: `Enter`, `w`, `Control+Shift+K`, `+`.

use std::fmt;

use super::diagnostic::{Diagnostic, Problems, nearest, shown};
use super::key_table::{ALIASES, CHARACTERS, NAMED, Named};
use super::node::Node;

/// A set of modifier keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers(u8);

impl Modifiers {
    /// No modifier.
    pub const NONE: Modifiers = Modifiers(0);
    /// Alt (Option on a Mac).
    pub const ALT: Modifiers = Modifiers(1);
    /// Control.
    pub const CONTROL: Modifiers = Modifiers(2);
    /// Meta (Command on a Mac, the Windows key elsewhere).
    pub const META: Modifiers = Modifiers(4);
    /// Shift.
    pub const SHIFT: Modifiers = Modifiers(8);

    /// The bits of the browser's input protocol: Alt 1, Control 2, Meta 4, Shift 8.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether nothing is held.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of `other` are among these.
    pub fn contains(self, other: Modifiers) -> bool {
        self.0 & other.0 == other.0
    }

    /// These and those of `other`.
    #[must_use]
    pub fn with(self, other: Modifiers) -> Modifiers {
        Modifiers(self.0 | other.0)
    }

    /// The keys to hold for it, in the order a hand would: Control, Alt, Meta, Shift.
    pub fn keys(self) -> Vec<KeyName> {
        let order = [
            (Modifiers::CONTROL, "Control"),
            (Modifiers::ALT, "Alt"),
            (Modifiers::META, "Meta"),
            (Modifiers::SHIFT, "Shift"),
        ];
        let held = order.iter().filter(|(one, _)| self.contains(*one));
        held.filter_map(|(_, name)| named(name)).map(KeyName::of).collect()
    }

    /// Reads one modifier: `Shift`, `Ctrl`, `Cmd`, `Option`, `ControlOrMeta` and so on, in any case.
    pub fn parse(name: &str) -> Result<Modifiers, KeyError> {
        modifier(name).ok_or_else(|| {
            let next = match nearest(name, MODIFIER_NAMES.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? Modifiers are {}", MODIFIER_NAMES.join(", ")),
                None => format!("modifiers are {}", MODIFIER_NAMES.join(", ")),
            };
            KeyError { message: format!("`{}` is not a modifier", shown(name)), next }
        })
    }

    /// Reads one modifier, or a list of them.
    pub fn from_node(node: &Node, problems: &mut Problems) -> Option<Modifiers> {
        let items = node.items().unwrap_or(std::slice::from_ref(node));
        let mut all = Modifiers::NONE;
        let mut good = true;
        for item in items {
            let Some(text) = item.want_text("a modifier", problems) else {
                good = false;
                continue;
            };
            for name in text.split('+') {
                match Modifiers::parse(name.trim()) {
                    Ok(one) => all = all.with(one),
                    Err(error) => {
                        problems.add(error.diagnostic(item));
                        good = false;
                    }
                }
            }
        }
        good.then_some(all)
    }
}

/// A key as a page is told about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyName {
    /// The page's `key`: `a`, `A`, `Enter`.
    pub key: String,
    /// The page's `code`: `KeyA`; empty for a character that is on no US keyboard.
    pub code: &'static str,
    /// The page's `keyCode`, 0 for a character that is on no US keyboard.
    pub key_code: u32,
    /// The text that the key types.
    pub text: Option<String>,
    /// 0 standard, 1 left, 2 right, 3 numeric keypad.
    pub location: u32,
}

impl KeyName {
    fn of(named: &Named) -> KeyName {
        KeyName {
            key: named.key.to_owned(),
            code: named.code,
            key_code: named.key_code,
            text: named.text.map(str::to_owned),
            location: named.location,
        }
    }

    /// The key of a character, and whether Shift is held for it on a US keyboard. `\n` is Enter and `\t` is Tab, as when
    /// a text is typed key by key.
    pub fn of_character(character: char) -> (KeyName, bool) {
        let name = match character {
            '\n' | '\r' => Some("Enter"),
            '\t' => Some("Tab"),
            ' ' => Some("Space"),
            _ => None,
        };
        if let Some(named) = name.and_then(named) {
            return (KeyName::of(named), false);
        }
        let found = CHARACTERS.iter().find(|(plain, shifted, ..)| *plain == character || *shifted == character);
        let (code, key_code, shift) =
            found.map_or(("", 0, false), |(_, shifted, code, key_code)| (*code, *key_code, *shifted == character));
        let text = character.to_string();
        (KeyName { key: text.clone(), code, key_code, text: Some(text), location: 0 }, shift)
    }

    /// The modifier that this key is.
    pub fn modifier(&self) -> Option<Modifiers> {
        match self.key.as_str() {
            "Alt" => Some(Modifiers::ALT),
            "Control" => Some(Modifiers::CONTROL),
            "Meta" => Some(Modifiers::META),
            "Shift" => Some(Modifiers::SHIFT),
            _ => None,
        }
    }
}

/// Keys pressed together: `Control+Shift+K`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chord {
    /// What is held: the modifiers as written, and Shift where the character needs it on a US keyboard (`A`, `?`, `+`).
    pub modifiers: Modifiers,
    /// The keys, at least one.
    pub keys: Vec<KeyName>,
    written: String,
}

/// Why a text is not a key or a chord.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {next}")]
pub struct KeyError {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub next: String,
}

impl KeyError {
    /// The complaint, at the text it is about.
    pub fn diagnostic(&self, node: &Node) -> Diagnostic {
        Diagnostic::new(&*self.message).at(node.place.clone()).label("no such key").next(&*self.next)
    }
}

const MODIFIER_NAMES: &[&str] = &["Control", "Shift", "Alt", "Meta", "ControlOrMeta"];

/// The names of keys, for editors to offer; characters and chords are keys as well.
pub fn key_names() -> Vec<&'static str> {
    NAMED.iter().map(|named| named.name).collect()
}

impl Chord {
    /// Reads a chord. Names are read in any case; one character is itself. With Control, Alt or Meta, a letter's case means
    /// nothing (`Control+A` is `Control+a`): Shift is held only if it is written, as menus write it.
    pub fn parse(text: &str) -> Result<Chord, KeyError> {
        let parts = parts(text)?;
        let mut modifiers = Modifiers::NONE;
        let mut names = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            match modifier(part) {
                Some(one) if index + 1 < parts.len() => modifiers = modifiers.with(one),
                _ => names.push(*part),
            }
        }
        let commanding = Modifiers(modifiers.0 & !Modifiers::SHIFT.0);
        let mut keys = Vec::new();
        for name in names {
            let (mut key, shift) = key(name, modifiers)?;
            if shift {
                modifiers = modifiers.with(Modifiers::SHIFT);
            }
            if !commanding.is_empty() {
                key.text = None;
            }
            keys.push(key);
        }
        Ok(Chord { modifiers, keys, written: text.to_owned() })
    }

    /// Reads a chord from a file.
    pub fn from_node(node: &Node, problems: &mut Problems) -> Option<Chord> {
        let text = node.want_text("a key", problems)?;
        match Chord::parse(text) {
            Ok(chord) => Some(chord),
            Err(error) => {
                problems.add(error.diagnostic(node));
                None
            }
        }
    }
}

/// As it was written.
impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.written))
    }
}

/// The names between the `+`s; a `+` that ends the text is a key itself.
fn parts(text: &str) -> Result<Vec<&str>, KeyError> {
    if text == " " {
        return Ok(vec![" "]);
    }
    let text = text.trim();
    let missing = |message: String| KeyError { message, next: "write a key, such as Enter, w or Control+K".to_owned() };
    let (names, plus) = match text.strip_suffix('+') {
        Some("") => return Ok(vec!["+"]),
        Some(before) => match before.trim_end().strip_suffix('+') {
            Some(names) => (names, true),
            None => return Err(missing(format!("a key is missing after `{}`", shown(text)))),
        },
        None => (text, false),
    };
    let mut parts: Vec<&str> = names.split('+').map(str::trim).collect();
    if parts.iter().any(|part| part.is_empty()) {
        return Err(missing(if text.is_empty() {
            "a key is missing".to_owned()
        } else {
            format!("a key is missing in `{}`", shown(text))
        }));
    }
    if plus {
        parts.push("+");
    }
    Ok(parts)
}

fn modifier(name: &str) -> Option<Modifiers> {
    if name.eq_ignore_ascii_case("ControlOrMeta") || name.eq_ignore_ascii_case("CmdOrCtrl") {
        return Some(if cfg!(target_os = "macos") { Modifiers::META } else { Modifiers::CONTROL });
    }
    let named = named(name)?;
    KeyName::of(named).modifier()
}

fn named(name: &str) -> Option<&'static Named> {
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
    let name = alias.map_or(name, |(_, name)| name);
    NAMED.iter().find(|named| named.name.eq_ignore_ascii_case(name))
}

/// The key of a name or character under these modifiers, and whether it needs Shift.
fn key(name: &str, modifiers: Modifiers) -> Result<(KeyName, bool), KeyError> {
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
    let name = alias.map_or(name, |(_, name)| name);
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return Ok(KeyName::of_character(under(character, modifiers)));
    }
    // A letter with its accents is one character to a person, and several to a computer.
    if let Some(named) = named(name) {
        return Ok((KeyName::of(named), false));
    }
    let code = CHARACTERS.iter().find(|(_, _, code, _)| code.eq_ignore_ascii_case(name));
    if let Some((plain, ..)) = code {
        return Ok(KeyName::of_character(under(*plain, modifiers)));
    }
    if modifier(name).is_some() {
        // `ControlOrMeta` alone.
        let name = if cfg!(target_os = "macos") { "Meta" } else { "Control" };
        if let Some(named) = NAMED.iter().find(|named| named.name == name) {
            return Ok((KeyName::of(named), false));
        }
    }
    let names = NAMED.iter().map(|named| named.name).chain(ALIASES.iter().map(|(alias, _)| *alias));
    // `Ctrl-A`, as editors write it.
    let dashed = name.contains('-').then(|| name.replace('-', "+")).filter(|chord| Chord::parse(chord).is_ok());
    let next = match dashed.as_deref().or_else(|| nearest(name, names)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "keys are single characters and names: Enter, Tab, Escape, Space, Backspace, Delete, Insert, Home, End, \
                 PageUp, PageDown, ArrowLeft, ArrowUp, ArrowRight, ArrowDown, F1 to F24, Shift, Control, Alt, Meta, CapsLock, \
                 ContextMenu, Numpad0 to Numpad9, NumpadEnter, MediaPlayPause"
            .to_owned(),
    };
    Err(KeyError { message: format!("`{}` is not a key", shown(name)), next })
}

/// What a character becomes under the modifiers that are written with it.
fn under(character: char, modifiers: Modifiers) -> char {
    if modifiers.contains(Modifiers::SHIFT) {
        let plain = CHARACTERS.iter().find(|(plain, ..)| *plain == character);
        return plain.map_or(character, |(_, shifted, ..)| *shifted);
    }
    if modifiers.is_empty() { character } else { character.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    /// key, code, keyCode, text, Shift held.
    fn one(text: &str) -> (String, &'static str, u32, Option<String>, Modifiers) {
        let chord = Chord::parse(text).unwrap();
        assert_eq!(chord.keys.len(), 1, "{text}");
        let key = chord.keys.into_iter().next().unwrap();
        (key.key, key.code, key.key_code, key.text, chord.modifiers)
    }

    #[test]
    fn characters_have_the_code_of_a_us_keyboard() {
        let cases = [
            ("a", "KeyA", 65, false),
            ("1", "Digit1", 49, false),
            ("/", "Slash", 191, false),
            (";", "Semicolon", 186, false),
            ("-", "Minus", 189, false),
            ("[", "BracketLeft", 219, false),
            (".", "Period", 190, false),
            ("`", "Backquote", 192, false),
            ("'", "Quote", 222, false),
            ("\\", "Backslash", 220, false),
            ("=", "Equal", 187, false),
            (",", "Comma", 188, false),
            ("A", "KeyA", 65, true),
            ("?", "Slash", 191, true),
            ("+", "Equal", 187, true),
            ("~", "Backquote", 192, true),
            ("é", "", 0, false),
            ("漢", "", 0, false),
            ("😀", "", 0, false),
        ];
        for (text, code, key_code, shift) in cases {
            let held = if shift { Modifiers::SHIFT } else { Modifiers::NONE };
            assert_eq!(one(text), (text.to_owned(), code, key_code, Some(text.to_owned()), held), "{text}");
        }
    }

    #[test]
    fn names_in_any_case_and_their_aliases() {
        let cases = [
            ("Enter", "Enter", "Enter", 13, Some("\r")),
            ("enter", "Enter", "Enter", 13, Some("\r")),
            ("Return", "Enter", "Enter", 13, Some("\r")),
            ("ESC", "Escape", "Escape", 27, None),
            ("tab", "Tab", "Tab", 9, None),
            ("Space", " ", "Space", 32, Some(" ")),
            (" ", " ", "Space", 32, Some(" ")),
            ("left", "ArrowLeft", "ArrowLeft", 37, None),
            ("ArrowDown", "ArrowDown", "ArrowDown", 40, None),
            ("F24", "F24", "F24", 135, None),
            ("ctrl", "Control", "ControlLeft", 17, None),
            ("Cmd", "Meta", "MetaLeft", 91, None),
            ("Option", "Alt", "AltLeft", 18, None),
            ("shiftright", "Shift", "ShiftRight", 16, None),
            ("Numpad5", "5", "Numpad5", 101, Some("5")),
            ("NumpadEnter", "Enter", "NumpadEnter", 13, Some("\r")),
            ("MediaPlayPause", "MediaPlayPause", "MediaPlayPause", 179, None),
            ("ContextMenu", "ContextMenu", "ContextMenu", 93, None),
            ("CapsLock", "CapsLock", "CapsLock", 20, None),
            ("KeyW", "w", "KeyW", 87, Some("w")),
            ("Digit7", "7", "Digit7", 55, Some("7")),
        ];
        for (text, key, code, key_code, typed) in cases {
            let expected = (key.to_owned(), code, key_code, typed.map(str::to_owned), Modifiers::NONE);
            assert_eq!(one(text), expected, "{text}");
        }
    }

    #[test]
    fn chords() {
        let control_shift = Modifiers::CONTROL.with(Modifiers::SHIFT);
        let cases = [
            ("Control+a", "a", "KeyA", None, Modifiers::CONTROL),
            ("Control+A", "a", "KeyA", None, Modifiers::CONTROL),
            ("Control+Shift+K", "K", "KeyK", None, control_shift),
            ("ctrl + shift + k", "K", "KeyK", None, control_shift),
            ("Shift+a", "A", "KeyA", Some("A"), Modifiers::SHIFT),
            ("Shift+1", "!", "Digit1", Some("!"), Modifiers::SHIFT),
            ("Shift+Tab", "Tab", "Tab", None, Modifiers::SHIFT),
            ("Control++", "+", "Equal", None, control_shift),
            ("Control+Plus", "+", "Equal", None, control_shift),
            ("Control+-", "-", "Minus", None, Modifiers::CONTROL),
            ("Alt+ArrowLeft", "ArrowLeft", "ArrowLeft", None, Modifiers::ALT),
            ("Control+Shift", "Shift", "ShiftLeft", None, Modifiers::CONTROL),
            ("Control+Enter", "Enter", "Enter", None, Modifiers::CONTROL),
        ];
        for (text, key, code, typed, held) in cases {
            let found = one(text);
            assert_eq!((&*found.0, found.1, found.3.as_deref(), found.4), (key, code, typed, held), "{text}");
        }
        let both = Chord::parse("ArrowUp+Space").unwrap();
        assert_eq!(both.keys.iter().map(|key| &*key.key).collect::<Vec<_>>(), ["ArrowUp", " "]);
        assert_eq!(Chord::parse("ControlOrMeta+c").unwrap().keys.len(), 1);
    }

    #[test]
    fn what_is_no_key_says_so() {
        let missing = "write a key, such as Enter, w or Control+K";
        let cases = [
            ("Entr", "`Entr` is not a key", "did you mean `Enter`?"),
            ("ArowLeft", "`ArowLeft` is not a key", "did you mean `ArrowLeft`?"),
            ("Control+", "a key is missing after `Control+`", missing),
            ("", "a key is missing", missing),
            ("Control++K", "a key is missing in `Control++K`", missing),
            ("Ctrl-A", "`Ctrl-A` is not a key", "did you mean `Ctrl+A`?"),
            ("Contrl+K", "`Contrl` is not a key", "did you mean `Control`?"),
        ];
        for (text, message, next) in cases {
            let error = Chord::parse(text).unwrap_err();
            assert_eq!((&*error.message, &*error.next), (message, next), "{text}");
        }
        assert!(
            Chord::parse("hello world").unwrap_err().next.starts_with("keys are single characters and names: Enter")
        );
        let error = Modifiers::parse("Shfit").unwrap_err();
        assert_eq!(error.next, "did you mean `Shift`? Modifiers are Control, Shift, Alt, Meta, ControlOrMeta");
    }

    #[test]
    fn modifiers_are_keys_in_the_order_of_a_hand() {
        let names: Vec<String> =
            Modifiers::SHIFT.with(Modifiers::CONTROL).keys().into_iter().map(|key| key.key).collect();
        assert_eq!(names, ["Control", "Shift"]);
        assert_eq!(Modifiers::SHIFT.with(Modifiers::ALT).bits(), 9);
    }

    #[test]
    fn every_name_leads_to_its_own_key() {
        for named in NAMED {
            let chord = Chord::parse(named.name).unwrap();
            assert_eq!(chord.keys.first().unwrap().code, named.code, "{}", named.name);
        }
        for (alias, _) in ALIASES {
            assert!(Chord::parse(alias).is_ok(), "{alias}");
        }
    }
}
