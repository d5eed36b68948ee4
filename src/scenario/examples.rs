//! Rows of `examples`: in the scenario, in a CSV file or in a JSON file.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;

use super::diagnostic::{Diagnostic, Problems, shown};
use super::head::is_value_name;
use super::node::{Key, Kind, Node};
use super::source::{Place, Source};
use super::yaml;

/// How much of a row its label shows, in characters: more would push everything else off a line.
const LABEL: usize = 60;

/// One row: the scenario is run once with it.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its values by name, in the order in which they were written.
    pub values: Vec<(String, Json)>,
    /// Where it stands.
    pub place: Place,
}

impl Row {
    /// What tells it from others, for titles: `city=Oslo, rain=true`.
    #[must_use]
    pub fn label(&self) -> String {
        let whole = self.pairs().join(", ");
        if whole.chars().count() <= LABEL {
            return whole;
        }
        let cut: String = whole.chars().take(LABEL - 1).collect();
        format!("{cut}…")
    }

    /// Whether this is the row that somebody means: by its label, or by some of its values, as in `city=Oslo` or `city=Oslo, rain=true`.
    #[must_use]
    pub fn is(&self, wanted: &str) -> bool {
        let (pairs, wanted) = (self.pairs(), wanted.trim());
        let has = |one: &str| pairs.iter().any(|pair| pair == one.trim());
        // A value may have a comma in it.
        wanted == self.label() || wanted == pairs.join(", ") || has(wanted) || wanted.split(',').all(has)
    }

    fn pairs(&self) -> Vec<String> {
        self.values.iter().map(|(name, value)| format!("{name}={}", written(value))).collect()
    }
}

fn written(value: &Json) -> String {
    match value {
        Json::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// Reads `examples:`; what is wrong is told where it stands, in the file of the rows too.
pub(super) fn read(source: &Source, node: &Node, problems: &mut Problems) -> Vec<Row> {
    let told = problems.len();
    let rows = match &node.kind {
        Kind::List(items) => in_place(items, node, problems),
        _ => from_file(source, node, problems),
    };
    if problems.len() == told {
        same_names(&rows, problems);
    }
    rows
}

fn in_place(items: &[Node], node: &Node, problems: &mut Problems) -> Vec<Row> {
    if items.is_empty() {
        problems.add(
            Diagnostic::new("`examples` has no rows")
                .at(node.place.clone())
                .label("the scenario would never run")
                .next("write `- { city: Oslo }` for each row, or delete the line"),
        );
    }
    items.iter().filter_map(|item| row_of(item, Node::value, problems)).collect()
}

/// The row that a map is.
fn row_of(item: &Node, value_of: impl Fn(&Node) -> Json, problems: &mut Problems) -> Option<Row> {
    let entries = item.want_map("a row of `examples`", problems)?;
    if entries.is_empty() {
        problems.add(
            Diagnostic::new("a row of `examples` holds nothing")
                .at(item.place.clone())
                .label("no names")
                .next("write { name: value }"),
        );
    }
    let mut values = Vec::new();
    for (key, value) in entries {
        if is_value_name(key, "`examples`", problems) {
            values.push((key.name.clone(), value_of(value)));
        }
    }
    Some(Row { values, place: item.place.clone() })
}

fn from_file(source: &Source, node: &Node, problems: &mut Problems) -> Vec<Row> {
    let Some(file) = node.want_text("`examples`", problems).map(str::trim) else { return Vec::new() };
    let path = source.path.parent().unwrap_or(Path::new("")).join(file);
    let kind = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    if !matches!(kind.as_deref(), Some("csv" | "json")) {
        problems.add(
            Diagnostic::new("`examples` is a list of rows, or a .csv or .json file")
                .at(node.place.clone())
                .label("neither of them")
                .next("write `examples: [{ city: Oslo }]`, or `examples: cities.csv`"),
        );
        return Vec::new();
    }
    if !path.is_file() {
        problems.add(
            Diagnostic::new(format!("there is no file `{}`", shown(file)))
                .at(node.place.clone())
                .label("not found beside this file")
                .detail("looked for", shown(&path.display().to_string()))
                .next("make the file, or correct its name; it is relative to this file"),
        );
        return Vec::new();
    }
    let Some(rows) = Source::read(&path, problems) else { return Vec::new() };
    if rows.text.trim().is_empty() {
        problems.add(
            Diagnostic::new(format!("`{}` is empty", path.display()))
                .at(node.place.clone())
                .label("named here")
                .next("write the rows into it, below a line of names where it is a .csv"),
        );
        return Vec::new();
    }
    if kind.as_deref() == Some("csv") { from_csv(&rows, problems) } else { from_json(&rows, problems) }
}

/// A line of names, then a line a row. Values are texts, whatever they look like.
fn from_csv(source: &Arc<Source>, problems: &mut Problems) -> Vec<Row> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(source.text.as_bytes());
    let mut records = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let start = record.position().map_or(0, csv::Position::byte);
                records.push((usize::try_from(start).unwrap_or(0), record));
            }
            // Reading from memory, of text that is UTF-8, of rows of any length: nothing is left that could fail.
            Err(error) => problems.add(Diagnostic::new(error.to_string()).at(Place::new(source, 0..0))),
        }
    }
    let ends = records.iter().skip(1).map(|(start, _)| *start).chain([source.text.len()]).collect::<Vec<_>>();
    let mut rows = records.into_iter().zip(ends).map(|((start, record), end)| (trimmed(source, start..end), record));
    let Some((range, header)) = rows.next() else { return Vec::new() };
    let header_place = Place::new(source, range);
    let Some(names) = names_of(&header_place, &header, problems) else { return Vec::new() };
    let told = problems.len();
    let mut found = Vec::new();
    for (range, record) in rows {
        let place = Place::new(source, range);
        if record.len() == names.len() {
            let values = names.iter().cloned().zip(record.iter().map(Json::from)).collect();
            found.push(Row { values, place });
            continue;
        }
        let values = if record.len() == 1 { "1 value".to_owned() } else { format!("{} values", record.len()) };
        let next = if record.len() > names.len() {
            "put a value that holds a comma in quotes: \"Oslo, Norway\""
        } else {
            "write a comma for each value that is left out"
        };
        problems.add(
            Diagnostic::new("a row is not as long as the line of names")
                .at(place)
                .label(format!("{values}, and the names are {}", names.join(", ")))
                .next(next),
        );
    }
    if found.is_empty() && problems.len() == told {
        problems.add(
            Diagnostic::new("the file has names and no rows")
                .at(header_place)
                .label("the first line names the columns")
                .next("write the rows below it"),
        );
    }
    found
}

/// The names in the first line.
fn names_of(place: &Place, header: &csv::StringRecord, problems: &mut Problems) -> Option<Vec<String>> {
    let told = problems.len();
    let mut names: Vec<String> = Vec::new();
    if header.len() == 1 && place.text().contains([';', '\t']) {
        problems.add(
            Diagnostic::new("the columns are not separated by commas")
                .at(place.clone())
                .label("read as one name")
                .next("write `city,country`, and quotes around values that hold a comma"),
        );
        return None;
    }
    for name in header {
        let name = name.trim().to_owned();
        let at = place.text().find(name.as_str()).map_or(place.range.clone(), |at| {
            let start = place.range.start + at;
            start..start + name.len()
        });
        let key = Key { name: name.clone(), place: Place::new(&place.source, at) };
        if name.is_empty() {
            problems.add(
                Diagnostic::new("a column has no name")
                    .at(place.clone())
                    .label("the first line names the columns")
                    .next("write a name for each column, such as `city,country`"),
            );
        } else if names.contains(&name) {
            problems.add(
                Diagnostic::new(format!("two columns are called `{}`", shown(&name)))
                    .at(place.clone())
                    .label("the first line names the columns")
                    .next("choose another name for one of them"),
            );
        } else {
            is_value_name(&key, "the first line, which names the columns", problems);
        }
        names.push(name);
    }
    (problems.len() == told).then_some(names)
}

/// Without the line ends around it.
fn trimmed(source: &Source, range: Range<usize>) -> Range<usize> {
    let text = source.text.get(range.clone()).unwrap_or_default();
    let start = range.start + text.len() - text.trim_start_matches(['\n', '\r']).len();
    start..(start + text.trim().len()).min(source.text.len())
}

/// A list of objects. Values keep their kinds.
fn from_json(source: &Arc<Source>, problems: &mut Problems) -> Vec<Row> {
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&source.text) {
        let line = source.line(error.line());
        let at = (line.start + error.column().saturating_sub(1)).min(line.end);
        let text = error.to_string();
        let text = text.split(" at line ").next().unwrap_or(&text).to_owned();
        problems.add(
            Diagnostic::new("this is not JSON")
                .at(Place::new(source, at..at + 1))
                .label(text)
                .next("write a list of objects: [{ \"city\": \"Oslo\" }]"),
        );
        return Vec::new();
    }
    // JSON is YAML too, whose tree knows its places.
    let Some(root) = yaml::read(source, problems) else { return Vec::new() };
    match root.items() {
        Some([]) | None => {
            problems.add(
                Diagnostic::new("the rows are a list of objects")
                    .at(root.place.clone())
                    .label(if root.items().is_some() {
                        "this list is empty".to_owned()
                    } else {
                        format!("this is {}", root.kind_name())
                    })
                    .next("write [{ \"city\": \"Oslo\" }]"),
            );
            Vec::new()
        }
        Some(items) => items.iter().filter_map(|item| row_of(item, Node::json, problems)).collect(),
    }
}

/// Every row has the names of the first one.
fn same_names(rows: &[Row], problems: &mut Problems) {
    let Some((first, others)) = rows.split_first() else { return };
    let names = |row: &Row| row.values.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let wanted = names(first);
    for row in others {
        let here = names(row);
        let missing = wanted.iter().find(|name| !here.contains(name));
        let more = here.iter().find(|name| !wanted.contains(name));
        let (title, next) = match (missing, more) {
            (Some(name), _) => {
                (format!("this row has no `{name}`"), format!("write it, `{name}: …`, as in the first row"))
            }
            (None, Some(name)) => (
                format!("the first row has no `{name}`"),
                "every row has the same names: write it there too".to_owned(),
            ),
            (None, None) => continue,
        };
        problems.add(
            Diagnostic::new(title)
                .at(row.place.clone())
                .label(format!("the first row has {}", wanted.join(", ")))
                .next(next),
        );
    }
}
