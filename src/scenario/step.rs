//! Steps still unread by verb.

use super::diagnostic::{Diagnostic, Problems, nearest, shown};
use super::head_keys::{HEAD, names_of};
use super::node::{Key, Kind, Node};
use super::source::Place;

/// The words that make up a step: handed in, so that this room need not know any verb.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary<'a> {
    /// Every verb.
    pub verbs: &'a [&'a str],
    /// Every key that may stand beside a verb: `name`, `timeout`, `when`, `then` …
    pub extras: &'a [&'a str],
    /// Words that other tools have for a verb, in lower case and without hyphens, each with the verb.
    pub elsewhere: &'a [(&'a str, &'a str)],
    /// Words that other tools have for what is no verb here, each with the reason and what to write.
    pub notes: &'a [(&'a str, &'a str, &'a str)],
    /// The arguments of a verb.
    pub fields: fn(&str) -> Vec<&'static str>,
}

impl<'a> Vocabulary<'a> {
    /// The verb that other tools call by this word.
    fn meant(&self, word: &str) -> Option<&'a str> {
        let plain = plain(word);
        self.elsewhere.iter().find(|(foreign, _)| *foreign == plain).map(|(_, verb)| *verb)
    }

    /// Why a word of other tools is no verb here, and what to write.
    fn note(&self, word: &str) -> Option<(&'a str, &'a str)> {
        let plain = plain(word);
        self.notes.iter().find(|(foreign, ..)| *foreign == plain).map(|(_, why, next)| (*why, *next))
    }
}

/// A word in lower case and without hyphens.
fn plain(word: &str) -> String {
    word.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

/// A step: its verb, its argument, and what stands beside it.
#[derive(Clone, Debug)]
pub struct RawStep {
    /// The verb.
    pub verb: Key,
    /// What stands behind the verb; `None` for a bare verb, and for one with nothing behind its colon.
    pub argument: Option<Node>,
    /// The other keys of the item.
    pub extra: Vec<(Key, Node)>,
    /// The whole item.
    pub place: Place,
}

impl RawStep {
    /// The value of a key beside the verb.
    pub fn extra(&self, name: &str) -> Option<&Node> {
        self.extra.iter().find(|(key, _)| key.name == name).map(|(_, value)| value)
    }

    /// The argument, or a complaint that it is missing. `next` says what to write.
    pub fn want_argument(&self, next: &str, problems: &mut Problems) -> Option<&Node> {
        if self.argument.is_none() {
            problems.add(
                Diagnostic::new(format!("`{}` says nothing more", self.verb.name))
                    .at(self.verb.place.clone())
                    .label("something is missing behind it")
                    .next(next),
            );
        }
        self.argument.as_ref()
    }

    /// Reads a list of steps: the `steps` of a file, of a loop, of `then` …
    pub fn list(node: &Node, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Vec<RawStep> {
        match &node.kind {
            Kind::List(items) => items.iter().filter_map(|item| RawStep::item(item, vocabulary, problems)).collect(),
            Kind::Map(entries) => {
                let first = entries.first().map(|(key, _)| key);
                let diagnostic = match first.filter(|key| key.name.starts_with('-')) {
                    Some(key) => Diagnostic::new("a step has no blank behind its `-`")
                        .at(key.place.clone())
                        .label("read as a key")
                        .next(format!("write `- {}: …`", shown(key.name.trim_start_matches('-')))),
                    None => Diagnostic::new("steps must be a list")
                        .at(node.place.clone())
                        .label("this is a map")
                        .next(format!("begin each step with `- `: `- {}: …`", first.map_or("open", |key| &key.name))),
                };
                problems.add(diagnostic);
                Vec::new()
            }
            Kind::Scalar { text, .. } => {
                let verb = if vocabulary.verbs.contains(&text.as_str()) { text } else { "open: /" };
                problems.add(
                    Diagnostic::new("steps must be a list")
                        .at(node.place.clone())
                        .label(format!("this is {}", node.kind_name()))
                        .next(format!("write each step on a line of its own below: `  - {verb}`")),
                );
                Vec::new()
            }
        }
    }

    /// Reads one step.
    pub fn item(node: &Node, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Option<RawStep> {
        match &node.kind {
            Kind::Scalar { text, .. } if !node.is_null() => bare(node, text, vocabulary, problems),
            Kind::Map(entries) if !entries.is_empty() => from_map(node, entries, vocabulary, problems),
            _ => {
                problems.add(
                    Diagnostic::new("a step is missing")
                        .at(node.place.clone())
                        .label(format!("this is {}", node.kind_name()))
                        .next("write a verb behind `- `, such as `- open: /`, or delete the line"),
                );
                None
            }
        }
    }
}

fn bare(node: &Node, text: &str, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Option<RawStep> {
    let verb = Key { name: text.to_owned(), place: node.place.clone() };
    if vocabulary.verbs.contains(&text) {
        return Some(RawStep { verb, argument: None, extra: Vec::new(), place: node.place.clone() });
    }
    // `- click Save`: the colon is missing.
    let first = text.split([' ', ':']).next().unwrap_or(text);
    if first.len() < text.len() && vocabulary.verbs.contains(&first) {
        let rest = text.get(first.len()..).unwrap_or_default().trim_start_matches(':').trim();
        problems.add(
            Diagnostic::new(format!("`{first}` has no `: ` behind it"))
                .at(node.place_in(0..first.len()))
                .label("read as a text")
                .next(format!("write `- {first}: {}`", shown(rest))),
        );
        return None;
    }
    let diagnostic = unknown_verb(&verb, vocabulary, problems);
    problems.add(diagnostic);
    None
}

fn from_map(
    node: &Node,
    entries: &[(Key, Node)],
    vocabulary: &Vocabulary<'_>,
    problems: &mut Problems,
) -> Option<RawStep> {
    let is_verb = |key: &Key| vocabulary.verbs.contains(&key.name.as_str());
    let is_extra = |key: &Key| vocabulary.extras.contains(&key.name.as_str());
    let mut verbs = entries.iter().filter(|(key, _)| is_verb(key) && !is_extra(key)).collect::<Vec<_>>();
    if verbs.is_empty() {
        // A word that is both (`name`, say) is the verb where nothing else is.
        verbs.extend(entries.iter().filter(|(key, _)| is_verb(key)).take(1));
    }
    let verb = verbs.first().map(|(key, _)| key.place.range.start);
    let mut good = true;
    let mut misspelt_verb = false;
    let mut told_outside = false;
    for (index, (key, _)) in entries.iter().enumerate().filter(|(_, (key, _))| !is_verb(key) && !is_extra(key)) {
        good = false;
        if verbs.is_empty() && !misspelt_verb && may_be_verb(key, index, vocabulary) {
            misspelt_verb = true;
            let diagnostic = unknown_verb(key, vocabulary, problems);
            problems.add(diagnostic);
        } else if let [(verb, argument)] = verbs.as_slice()
            && let Some(diagnostic) = outside(verb, argument, key, vocabulary)
        {
            // The others in this column are told with the first.
            if !std::mem::replace(&mut told_outside, true) {
                problems.add(diagnostic);
            }
        } else {
            let title = format!("a step has no `{}`", shown(&key.name));
            problems.add(key.unknown(&title, vocabulary.extras));
        }
    }
    if let [(first, _), rest @ ..] = verbs.as_slice() {
        for (second, _) in rest {
            good = false;
            problems.add(
                Diagnostic::new(format!("two verbs in one step: `{}` and `{}`", first.name, second.name))
                    .at(second.place.clone())
                    .label("the second")
                    .next(format!("begin a new item: `- {}: …`", second.name)),
            );
        }
    }
    if verbs.is_empty() && !misspelt_verb {
        let place = entries.first().map_or(&node.place, |(key, _)| &key.place);
        problems.add(
            Diagnostic::new("a step without a verb")
                .at(place.clone())
                .label("none of these keys is a verb")
                .next("say what is done: `open`, `click`, `type` …"),
        );
    }
    if !good {
        return None;
    }
    let (verb, argument) = entries.iter().find(|(key, _)| Some(key.place.range.start) == verb)?;
    let others = entries.iter().filter(|(key, _)| key.place.range.start != verb.place.range.start);
    Some(RawStep {
        verb: verb.clone(),
        // `press: ~` is not a verb alone: what reads it says that it needs quotes.
        argument: Some(argument.clone()).filter(|argument| !argument.is_null() || argument.text() != Some("")),
        extra: others.cloned().collect(),
        place: node.place.clone(),
    })
}

/// An argument of the verb that stands in the verb's column.
fn outside(verb: &Key, argument: &Node, key: &Key, vocabulary: &Vocabulary<'_>) -> Option<Diagnostic> {
    let diagnostic = Diagnostic::new(format!("a step has no `{}`", shown(&key.name))).at(key.place.clone());
    if verb.name == "if" && key.name == "steps" {
        return Some(diagnostic.label("these are the steps of `if`").next("write `then:`"));
    }
    if !(vocabulary.fields)(&verb.name).contains(&key.name.as_str()) {
        return None;
    }
    let verb = &verb.name;
    let next = match &argument.kind {
        Kind::Scalar { text, .. } if argument.is_null() && text.is_empty() => {
            format!("indent it by two more than `{verb}:`, with all that belongs to it")
        }
        Kind::Map(_) => format!("line it up with the arguments of `{verb}`"),
        _ => {
            let fields: Vec<String> =
                (vocabulary.fields)(verb).into_iter().take(4).map(|field| format!("`{field}:`")).collect();
            format!("write its arguments on lines below `{verb}:`, indented by two more: {}", fields.join(", "))
        }
    };
    Some(diagnostic.label(format!("it belongs to `{verb}`")).next(next))
}

/// Without a known verb, the first unknown key is taken for one, unless it is nearer to a key that stands beside verbs.
fn may_be_verb(key: &Key, index: usize, vocabulary: &Vocabulary<'_>) -> bool {
    let known = vocabulary.meant(&key.name).is_some() || vocabulary.note(&key.name).is_some();
    if known || index == 0 && names_of(HEAD).contains(&key.name.as_str()) {
        return true;
    }
    let near = nearest(&key.name, vocabulary.verbs.iter().chain(vocabulary.extras).copied());
    match near {
        Some(near) => vocabulary.verbs.contains(&near),
        None => index == 0,
    }
}

fn unknown_verb(key: &Key, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Diagnostic {
    let diagnostic = Diagnostic::new(format!("there is no verb `{}`", shown(&key.name))).at(key.place.clone());
    if let Some(verb) = vocabulary.meant(&key.name) {
        return diagnostic.label(format!("`{verb}` does this here")).next(format!("write `{verb}`"));
    }
    if let Some((why, next)) = vocabulary.note(&key.name) {
        return diagnostic.label(why).next(next);
    }
    if names_of(HEAD).contains(&key.name.as_str()) {
        return Diagnostic::new(format!("`{}` belongs to the head of a scenario", key.name))
            .at(key.place.clone())
            .label("not a step: it holds for the whole scenario")
            .next(format!("write `{}:` above `steps:`, in the column of `steps`", key.name));
    }
    let unknown = key.unknown(&diagnostic.title, vocabulary.verbs);
    let near = nearest(&key.name, vocabulary.verbs.iter().copied()).is_some();
    if near || problems.lists_verbs() {
        return unknown;
    }
    // All of them are told once; more often they hide what else is wrong.
    unknown.next("choose one of the verbs that are listed at the first mistake of this kind")
}
