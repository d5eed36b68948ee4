//! Secrets, kept out of sight.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::diagnostic::Diagnostic;
use super::source::{Place, Source};

/// What stands for a secret wherever it would be shown.
pub const MASKED: &str = "•••";
/// A secret shorter than this, in characters, would mask half of every text, and is refused.
pub const SHORTEST_SECRET: usize = 3;

/// What browsers encode in the query of an address.
const QUERY: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'\'');

/// Knows the secrets of a scenario in every form that they are met in.
#[derive(Clone, Default)]
pub struct Mask {
    /// Longest first, so that a secret that holds another one goes as a whole.
    forms: Vec<String>,
}

/// Not the secrets themselves.
impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mask").field("forms", &self.forms.len()).finish()
    }
}

impl Mask {
    /// A mask for these secrets.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Mask {
        let mut forms: Vec<String> = secrets.into_iter().flat_map(forms).collect();
        forms.retain(|form| form.chars().count() >= SHORTEST_SECRET);
        forms.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        forms.dedup();
        Mask { forms }
    }

    /// The forms of all secrets, the longest first: for those who replace them in their own way.
    pub fn forms(&self) -> impl Iterator<Item = &str> {
        self.forms.iter().map(String::as_str)
    }

    /// The text without secrets.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut masked = Cow::Borrowed(text);
        for form in &self.forms {
            if masked.contains(form.as_str()) {
                masked = Cow::Owned(masked.replace(form.as_str(), MASKED));
            }
        }
        masked
    }

    /// Masks a text where it stands.
    pub fn apply(&self, text: &mut String) {
        if let Cow::Owned(masked) = self.text(text) {
            *text = masked;
        }
    }

    /// Masks everything that a complaint says and shows.
    pub fn apply_to(&self, diagnostic: &mut Diagnostic) {
        if self.forms.is_empty() {
            return;
        }
        self.apply(&mut diagnostic.title);
        self.apply(&mut diagnostic.label);
        for detail in &mut diagnostic.details {
            self.apply(&mut detail.title);
            self.apply(&mut detail.text);
        }
        if let Some(next) = &mut diagnostic.next {
            self.apply(next);
        }
        if let Some(place) = &mut diagnostic.place {
            self.apply_to_place(place);
        }
    }

    /// Masks the text that excerpts of this place are cut from; what it marks stays where it is.
    pub fn apply_to_place(&self, place: &mut Place) {
        if !self.forms.iter().any(|form| place.source.text.contains(form.as_str())) {
            return;
        }
        let mut text = place.source.text.clone();
        for form in &self.forms {
            let stars: String = form.bytes().map(|byte| if byte == b'\n' { '\n' } else { '*' }).collect();
            text = text.replace(form.as_str(), &stars);
        }
        let source = Source::new(&place.source.path, &text);
        *place = Place::new(&source, place.range.clone());
    }
}

/// How a secret may be met: as it is, on one line, quoted as the outline and JSON quote, and encoded for an address.
fn forms(secret: &str) -> Vec<String> {
    let folded = secret.split_whitespace().collect::<Vec<_>>().join(" ");
    let quoted = folded.replace('\\', "\\\\").replace('"', "\\\"");
    let json = serde_json::Value::from(secret).to_string();
    let json = json.trim_start_matches('"').strip_suffix('"').unwrap_or_default().to_owned();
    let plus: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let percent = plus.replace('+', "%20");
    let query = utf8_percent_encode(secret, QUERY).to_string();
    vec![secret.to_owned(), secret.trim().to_owned(), folded, quoted, json, plus, percent, query]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_secret_is_masked_in_every_form() {
        let mask = Mask::new(["s3cret \"& word", "s3cret"]);
        for text in [
            "s3cret \"& word",
            "textbox = \"s3cret \\\"& word\"",
            "/?q=s3cret+%22%26+word",
            "/?q=s3cret%20%22%26%20word",
            "/?q=s3cret%20%22&%20word",
            "s3cret",
        ] {
            let masked = mask.text(text);
            assert!(masked.contains(MASKED), "{text}");
            assert!(!masked.contains("s3cret") && !masked.contains("word"), "{masked}");
        }
        assert!(matches!(mask.text("nothing of it"), Cow::Borrowed(_)));
        assert!(!format!("{mask:?}").contains("s3cret"));
    }

    #[test]
    fn an_excerpt_keeps_its_lines_and_marks() {
        let mask = Mask::new(["hunter2"]);
        let source = Source::new("a.yaml", "- type: hunter2\n- click: Save\n");
        let mut place = Place::new(&source, 25..29);
        assert_eq!(place.text(), "Save");
        mask.apply_to_place(&mut place);
        assert_eq!(place.text(), "Save");
        assert_eq!(place.source.text, "- type: *******\n- click: Save\n");
    }
}
