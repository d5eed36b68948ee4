//! The one kind of complaint, and the collector of complaints.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::node::Key;
use super::source::Place;

/// What is wrong: a syntax error, a bad flag and a failed assertion alike.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// What is wrong, in one line.
    pub title: String,
    /// Where.
    pub place: Option<Place>,
    /// What stands under the mark. May be empty.
    pub label: String,
    /// What else is known.
    pub details: Vec<Detail>,
    /// What to do next.
    pub next: Option<String>,
}

/// One thing more that is known about what is wrong: "the page, nearest part, after 5 s" and its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// What it is.
    pub title: String,
    /// The text, one line or several.
    pub text: String,
}

impl Diagnostic {
    /// A complaint without a place.
    pub fn new(title: impl Into<String>) -> Diagnostic {
        Diagnostic { title: title.into(), place: None, label: String::new(), details: Vec::new(), next: None }
    }

    /// A complaint of several lines, as the errors of other rooms are written: the first says what is wrong, `what: …`
    /// lines tell what there is, and the others are the next move.
    pub fn from_lines(text: &str) -> Diagnostic {
        let mut lines = text.lines();
        let mut diagnostic = Diagnostic::new(lines.next().unwrap_or_default());
        let mut next: Vec<&str> = Vec::new();
        // What a program said is quoted to the end, whatever its lines look like.
        let mut quoting = false;
        for line in lines {
            let split =
                line.split_once(": ").filter(|(title, _)| title.split(' ').count() <= 3 && !title.contains('`'));
            match (quoting, diagnostic.details.last_mut(), split) {
                (true, Some(Detail { text, .. }), _) => {
                    text.push('\n');
                    text.push_str(line);
                }
                (_, _, Some((title, text))) => {
                    quoting = title.starts_with("it said");
                    diagnostic = diagnostic.detail(title, text);
                }
                _ => next.push(line),
            }
        }
        if next.is_empty() { diagnostic } else { diagnostic.next(next.join("\n")) }
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, place: Place) -> Diagnostic {
        self.place = Some(place);
        self
    }

    /// Says what stands under the mark.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Adds what else is known.
    #[must_use]
    pub fn detail(mut self, title: impl Into<String>, text: impl Into<String>) -> Diagnostic {
        self.details.push(Detail { title: title.into(), text: text.into() });
        self
    }

    /// Says what to do next.
    #[must_use]
    pub fn next(mut self, next: impl Into<String>) -> Diagnostic {
        self.next = Some(next.into());
        self
    }
}

/// One line, for logs and tests; reports draw an excerpt instead.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.title)?;
        if !self.label.is_empty() {
            write!(f, " ({})", self.label)?;
        }
        if let Some(next) = &self.next {
            write!(f, "; {next}")?;
        }
        Ok(())
    }
}

/// Everything that is wrong, told at once.
///
/// It also takes down the names that expressions mention and that steps declare: which names are known is only clear
/// when the whole file has been read, so [`Problems::check_names`] comes last.
#[derive(Debug, Default)]
pub struct Problems {
    all: Vec<Diagnostic>,
    guessed: Vec<Place>,
    told: HashSet<(PathBuf, Range<usize>, String)>,
    names: Taken,
    using: Vec<(PathBuf, Place)>,
    used: usize,
    paths: Vec<Place>,
    verbs_listed: bool,
}

/// Names that were taken down.
#[derive(Debug, Default)]
pub struct Taken {
    pub(super) mentions: Vec<Mention>,
    pub(super) declared: BTreeMap<String, Option<Place>>,
}

/// A name that was mentioned.
#[derive(Clone, Debug)]
pub(super) struct Mention {
    pub(super) of: Mentioned,
    pub(super) name: String,
    pub(super) place: Place,
    /// Where the file that mentions it is used.
    pub(super) used_at: Option<Place>,
}

/// What a name that was mentioned stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mentioned {
    Value,
    User,
}

/// How many files a scenario may use, those that they use included: what is more goes round in a way that nobody wants.
const MOST_USED: usize = 1_000;

impl Problems {
    /// Adds a complaint, unless it is about a place where the text itself was wrong and could only be guessed.
    pub fn add(&mut self, diagnostic: Diagnostic) {
        if let Some(place) = &diagnostic.place {
            // A file that is used several times is read each time; what is wrong with it is told once.
            let known = (place.source.path.clone(), place.range.clone(), diagnostic.title.clone());
            if self.guessed(place) || !self.told.insert(known) {
                return;
            }
        }
        self.all.push(diagnostic);
    }

    /// Whether some of what stands there was wrong as text, and could only be guessed.
    pub fn guessed(&self, place: &Place) -> bool {
        self.guessed.iter().any(|guessed| guessed.overlaps(place))
    }

    /// Adds a complaint about text that is then read as if it were something else: what that leads to at the same place
    /// is not the author's.
    pub(super) fn add_guessed(&mut self, diagnostic: Diagnostic) {
        let place = diagnostic.place.clone();
        self.add(diagnostic);
        self.guessed.extend(place);
    }

    /// Whether a complaint about an unknown verb is the one that lists all verbs: the first.
    pub(super) fn lists_verbs(&mut self) -> bool {
        !std::mem::replace(&mut self.verbs_listed, true)
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How much is wrong.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// What is wrong, in the order it was found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.all.iter()
    }

    /// What is wrong, file by file and from top to bottom; what has no place comes first.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        self.all.sort_by(|a, b| order(a).cmp(&order(b)));
        // Two readers of one text may both stumble over it; the same place and the same next move are one mistake.
        self.all.dedup_by(|b, a| a.place.is_some() && a.next.is_some() && order(a) == order(b) && a.next == b.next);
        self.all
    }

    /// Takes down that an expression mentions a name (`score`, `env.X`). Templates and expressions do this themselves.
    pub fn mention(&mut self, name: &str, place: Place) {
        self.names.mentions.push(Mention { of: Mentioned::Value, name: name.to_owned(), place, used_at: None });
    }

    /// The secrets that were mentioned since the last check, each where it is mentioned first.
    pub fn secrets_mentioned(&self) -> Vec<Key> {
        let mut seen = BTreeSet::new();
        let values = self.names.mentions.iter().filter(|mention| mention.of == Mentioned::Value);
        let secrets = values.filter_map(|mention| Some((mention.name.strip_prefix("secret.")?, &mention.place)));
        let first = secrets.filter(|(name, _)| seen.insert(name.to_owned()));
        first.map(|(name, place)| Key { name: name.to_owned(), place: place.clone() }).collect()
    }

    /// Takes down that a step is performed as a user.
    pub fn mention_user(&mut self, name: &str, place: Place) {
        self.names.mentions.push(Mention { of: Mentioned::User, name: name.to_owned(), place, used_at: None });
    }

    /// Takes down that a step makes a name known (`set`, `for-each`, a script's result), for the whole file.
    pub fn declare(&mut self, name: &str) {
        self.names.declared.entry(name.to_owned()).or_default();
    }

    /// The same, at a place of the file: a name that readings have already is told there.
    pub fn declare_at(&mut self, name: &str, place: Place) {
        self.names.declared.entry(name.to_owned()).or_default().get_or_insert(place);
    }

    /// A file begins to be used at a place, until [`Problems::end_part`]. A file that would use itself, on whatever way
    /// round, is a problem; so is a number of used files that nobody can mean. `false` when it is not to be used.
    pub fn begin_part(&mut self, path: &Path, place: &Place) -> bool {
        if self.using.is_empty() {
            self.used = 0;
        }
        self.used += 1;
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let wanted = whole(path);
        let user = |place: &Place| whole(&place.source.path);
        let around: Vec<&Place> = self.using.iter().map(|(_, place)| place).chain([place]).collect();
        if let Some(from) = around.iter().position(|place| user(place) == wanted) {
            let way: Vec<String> =
                around.iter().skip(from).map(|place| format!("{place} uses {}", shown(place.text()))).collect();
            self.add(
                Diagnostic::new("files use each other in a circle")
                    .at(place.clone())
                    .label("this file is being used already")
                    .detail("the way round", way.join("\n"))
                    .next("take one of these steps away"),
            );
            return false;
        }
        if self.used > MOST_USED {
            self.add(
                Diagnostic::new(format!("more than {MOST_USED} files are used in one scenario"))
                    .at(place.clone())
                    .label("this one is too many")
                    .next("put steps that are used so often into a loop"),
            );
            return false;
        }
        self.using.push((wanted, place.clone()));
        true
    }

    /// The file that was begun last has been read.
    pub fn end_part(&mut self) {
        self.using.pop();
    }

    /// The names that were taken down so far, to be given to [`Problems::join_names`].
    pub fn set_names_apart(&mut self) -> Taken {
        std::mem::take(&mut self.names)
    }

    /// Goes on with names that were set apart; those taken down since are forgotten.
    pub fn put_names_back(&mut self, names: Taken) {
        self.names = names;
    }

    /// Joins the names of a used file to those of the file that uses it, at this place. Mentions of names that the used
    /// file is given or has itself are settled. Gives the names that the used file mentions.
    pub fn join_names(&mut self, outer: Taken, is_known: impl Fn(&str) -> bool, place: &Place) -> BTreeSet<String> {
        let inner = std::mem::replace(&mut self.names, outer);
        self.names.declared.extend(inner.declared);
        let mut mentioned = BTreeSet::new();
        for mut mention in inner.mentions {
            if mention.of == Mentioned::Value {
                mentioned.insert(mention.name.clone());
                if is_known(&mention.name) {
                    continue;
                }
            }
            mention.used_at.get_or_insert_with(|| place.clone());
            self.names.mentions.push(mention);
        }
        mentioned
    }

    /// Whether anything is wrong with this file.
    pub fn has_any_in(&self, file: &Path) -> bool {
        self.all.iter().any(|diagnostic| diagnostic.place.as_ref().is_some_and(|place| place.source.path == file))
    }

    /// Takes down that a step opens a path, which has to be a path of something that the scenario serves.
    pub fn needs_pages(&mut self, place: &Place) {
        self.paths.push(place.clone());
    }

    /// Complains of the first path that was taken down since the last check, where nothing is served.
    pub fn check_pages(&mut self, serves: bool) {
        let paths = std::mem::take(&mut self.paths);
        if let Some(place) = paths.into_iter().next().filter(|_| !serves) {
            self.add(
                Diagnostic::new("this path has no pages to be looked up in")
                    .at(place)
                    .label("the scenario serves nothing")
                    .next(
                        "add `serve: FOLDER`, `pages:` or `app:` to the scenario, or open a whole address (http://…)",
                    ),
            );
        }
    }

    /// The names that were mentioned since the last check, with their places, and those declared.
    pub(super) fn take_names(&mut self) -> Taken {
        std::mem::take(&mut self.names)
    }
}

impl IntoIterator for Problems {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

fn order(diagnostic: &Diagnostic) -> Option<(&std::path::Path, usize)> {
    diagnostic.place.as_ref().map(|place| (place.source.path.as_path(), place.range.start))
}

/// The known word that was most likely meant, if any is near.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let allowed = match word.chars().count() {
        0 => return None,
        1..=2 => 1,
        length => length.div_ceil(3),
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let distance = strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
        // A word of two letters is one edit from every other one; only something shared makes it a likeness.
        let shares = word.chars().any(|letter| candidate.to_lowercase().contains(letter));
        if distance <= allowed && shares && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Text from a file as it may stand in a message: on one line, control and bidirectional characters escaped, not long.
pub fn shown(text: &str) -> String {
    const MAX: usize = 60;
    let mut out = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == MAX {
            out.push('…');
            break;
        }
        let bidi = matches!(character, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || bidi {
            out.push_str(&escaped(character));
        } else {
            out.push(character);
        }
    }
    out
}

/// A character as YAML writes it between double quotes, so that what a message shows can be written in a scenario: `\r`, `\u202e`.
pub fn escaped(character: char) -> String {
    match character {
        '\0' => "\\0".to_owned(),
        '\u{7}' => "\\a".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\u{b}' => "\\v".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        '\u{1b}' => "\\e".to_owned(),
        other => match u32::from(other) {
            code @ 0..=0xff => format!("\\x{code:02x}"),
            code @ 0x100..=0xffff => format!("\\u{code:04x}"),
            code => format!("\\U{code:08x}"),
        },
    }
}

/// A path as it is typed in a shell: in quotes where it needs them.
pub fn shell_word(path: &std::path::Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ',' | ':' | '@' | '%' | '=');
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_sorted_into_what_there_is_and_what_to_do() {
        let text = "no browser was found\nlooked for: chromium, chrome\nin: /bin\ninstall one: with `x`, or name one";
        let diagnostic = Diagnostic::from_lines(text);
        assert_eq!(diagnostic.title, "no browser was found");
        let details: Vec<_> = diagnostic.details.iter().map(|d| (d.title.as_str(), d.text.as_str())).collect();
        assert_eq!(details[..2], [("looked for", "chromium, chrome"), ("in", "/bin")]);
    }

    #[test]
    fn what_a_program_said_is_kept_whole() {
        let diagnostic = Diagnostic::from_lines("it ended\nit said: one\ntwo\nx: three");
        assert_eq!(diagnostic.details[0].text, "one\ntwo\nx: three");
        assert_eq!(diagnostic.next, None);
        assert_eq!(Diagnostic::from_lines("a\ndo `b: c` next").next.as_deref(), Some("do `b: c` next"));
    }
}
