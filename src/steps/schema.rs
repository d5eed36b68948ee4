//! The language as a JSON Schema (draft-07, which editors know best), from the lists that `check` and the reference use.

use serde_json::{Map, Value as Json, json};

use super::spec::{Field, Kind, Spec};
use super::step::compile;
use super::{ALL, EXTRAS, VOCABULARY, beside};
use crate::outline::known_roles;
use crate::scenario::{
    HEAD, Holds, KeySpec, Problems, RawStep, Source, TAKEN, TARGET_KEYS, TARGET_KINDS, key_names, read_yaml,
};

/// What ends a pattern in whose place steps may have a template.
const OR_TEMPLATE: &str = r"|\{\{";
/// A duration as `scenario::duration` reads it, or a template.
const DURATION: &str = r"^\s*\d+(\.\d{1,3})?(h|m|s|ms)(\d+(\.\d{1,3})?(m|s|ms))*\s*$|\{\{";
/// Width and height, or a template.
const SIZE: &str = r"^\s*\d{1,5}\s*[x×]\s*\d{1,5}\s*$|\{\{";
/// A text that says something.
const FILLED: &str = r"\S";
/// The same, on one line.
const ONE_LINE: &str = r"^\s*\S.*\s*$";
/// An address of a server.
const ADDRESS: &str = r"^\s*[hH][tT][tT][pP][sS]?://";
/// A name that can stand in an expression.
const NAME: &str = "^[A-Za-z_][A-Za-z0-9_]*$";

/// A path, perhaps with a method before it.
const ROUTE: &str = r"^\s*(([gG][eE][tT]|[hH][eE][aA][dD]|[pP][oO][sS][tT]|[pP][uU][tT]|[pP][aA][tT][cC][hH]|[dD][eE][lL][eE][tT][eE]|[oO][pP][tT][iI][oO][nN][sS])\s+)?/[^#]*$";
/// The name of a header.
const HEADER: &str = r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$";

/// The schema of a scenario file.
#[must_use]
pub fn schema() -> Json {
    let mut head = keys(HEAD);
    merge(
        &mut head,
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "A playscript scenario",
            "description": "Which pages are served, what is done to them, and what must then be true.",
            "required": ["steps"],
            "definitions": definitions(),
        }),
    );
    head
}

/// What stands at several places.
fn definitions() -> Json {
    json!({
        "scalar": { "type": ["string", "number", "boolean"] },
        "steps": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/step" } },
        "step": step(),
        "target": target(),
        "keys": pressed(),
    })
}

/// The schema of another file, that has these keys and no others.
#[must_use]
pub fn keys_schema(specs: &[KeySpec], title: &str, description: &str) -> Json {
    merged(
        keys(specs),
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": title,
            "description": description,
            // A file in which nothing is said, or only comments, is one too.
            "type": ["object", "null"],
            "definitions": definitions(),
        }),
    )
}

/// The pattern without the templates that steps may have in its place.
fn plain(pattern: &str) -> &str {
    pattern.strip_suffix(OR_TEMPLATE).unwrap_or(pattern)
}

/// A map with these keys and no others.
fn keys(specs: &[KeySpec]) -> Json {
    let properties: Map<String, Json> =
        specs.iter().map(|key| (key.name.to_owned(), with_doc(holds(key.holds), key.doc, None))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn all(specs: &[KeySpec]) -> Vec<&'static str> {
    specs.iter().map(|key| key.name).collect()
}

fn holds(holds: Holds) -> Json {
    let named = |values: Json| {
        json!({
            "type": "object",
            "propertyNames": { "pattern": NAME, "not": { "enum": TAKEN } },
            "additionalProperties": values,
        })
    };
    // Settings hold it too, whose schema has no definitions.
    let text = json!({ "type": ["string", "number", "boolean"] });
    match holds {
        Holds::Text => filled(),
        Holds::Like(shape) => json!({ "type": ["string", "number", "boolean"], "pattern": shape }),
        Holds::TextMatch | Holds::AnyText => scalar(),
        Holds::Texts => one_or_more(&filled()),
        Holds::Names => one_or_more(&json!({ "type": "string", "pattern": NAME })),
        Holds::NamesOrUsual => json!({ "anyOf": [
            one_or_more(&json!({ "type": "string", "pattern": NAME })),
            { "type": "object", "propertyNames": { "pattern": NAME }, "additionalProperties": scalar() },
        ] }),
        Holds::Choice(words) => json!({ "enum": words }),
        Holds::Words(words) => json!({ "type": "array", "items": { "enum": words } }),
        Holds::Number => kind(Kind::Number),
        Holds::Whole(least) => json!({ "type": "integer", "minimum": least }),
        Holds::Between(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Holds::Boolean => kind(Kind::Boolean),
        Holds::Duration => json!({ "type": "string", "pattern": plain(DURATION) }),
        Holds::Size => json!({ "type": "string", "pattern": plain(SIZE) }),
        Holds::Target => kind(Kind::Target),
        // Roles are read in any case; those of lower case are all known.
        Holds::Role => json!({ "anyOf": [{ "enum": known_roles() }, { "type": "string", "pattern": r"[A-Z]|\{\{" }] }),
        Holds::Pages => {
            json!({ "type": "object", "propertyNames": { "pattern": "^/" }, "additionalProperties": scalar() })
        }
        Holds::Routes(specs) => {
            let several = json!({ "type": "array", "minItems": 1, "items": keys(specs) });
            json!({
                "type": "object",
                "propertyNames": { "pattern": ROUTE },
                "additionalProperties": { "anyOf": [merged(keys(specs), json!({ "minProperties": 1 })), several] },
            })
        }
        Holds::Headers => json!({
            "type": "object",
            "propertyNames": { "pattern": HEADER },
            "additionalProperties": one_or_more(&scalar()),
        }),
        Holds::Any => json!({}),
        Holds::ListOf(specs) => json!({ "type": "array", "items": keys(specs) }),
        Holds::Together(specs) => merged(keys(specs), json!({ "required": all(specs) })),
        Holds::Values => named(json!({})),
        Holds::Readings => named(filled()),
        Holds::MapsOf(specs) => {
            json!({ "type": "array", "items": merged(keys(specs), json!({ "required": all(specs) })) })
        }
        Holds::Keys(specs) => keys(specs),
        Holds::KeysWith(specs, needed) => merged(keys(specs), json!({ "required": needed })),
        Holds::Command => json!({ "anyOf": [filled(), { "type": "array", "minItems": 1, "items": text }] }),
        Holds::Address => json!({ "type": "string", "pattern": ADDRESS }),
        Holds::TextsByName => json!({ "type": "object", "additionalProperties": text }),
        Holds::Switches(specs) => {
            let words: Vec<&str> = specs.iter().map(|key| key.name).collect();
            json!({ "anyOf": [{ "type": "array", "items": { "enum": words } }, keys(specs)] })
        }
        Holds::Steps => kind(Kind::Steps),
        Holds::Whenever => json!({ "type": "object", "additionalProperties": kind(Kind::Steps) }),
        Holds::Rows => {
            let row = merged(named(json!({})), json!({ "minProperties": 1 }));
            json!({ "anyOf": [
                { "type": "array", "minItems": 1, "items": row },
                { "type": "string", "pattern": r"\.([cC][sS][vV]|[jJ][sS][oO][nN])\s*$" },
            ] })
        }
        Holds::TextOr(specs) => {
            json!({ "anyOf": [words(), merged(keys(specs), json!({ "required": all(specs) }))] })
        }
        Holds::TextOrFirst(specs) => {
            let first: Vec<&str> = all(specs).into_iter().take(1).collect();
            json!({ "anyOf": [words(), merged(keys(specs), json!({ "required": first }))] })
        }
    }
}

fn step() -> Json {
    let mut properties = Map::new();
    for field in EXTRAS {
        properties.insert(field.name.to_owned(), with_doc(kind(field.kind), field.doc, None));
    }
    for spec in ALL {
        properties.insert(spec.name.to_owned(), with_doc(argument(spec), spec.summary, Some(spec.example)));
    }
    // Some arguments stand beside their verb, and without it they have no business there.
    let mut together = Map::new();
    for spec in ALL {
        let fields: Vec<&Field> = beside(spec.name).iter().filter_map(|name| spec.field(name)).collect();
        let needed: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
        if !needed.is_empty() {
            together.insert(spec.name.to_owned(), json!(needed));
        }
        for field in fields {
            properties.insert(field.name.to_owned(), with_doc(kind(field.kind), field.doc, None));
            together.insert(field.name.to_owned(), json!([spec.name]));
        }
    }
    // A word that is both a verb and a key beside verbs is the verb only where nothing else is.
    let only_verbs = ALL.iter().filter(|spec| !EXTRAS.iter().any(|field| field.name == spec.name));
    let verbs: Vec<Json> = only_verbs.map(|spec| json!({ "required": [spec.name] })).collect();
    let alone: Vec<&&Spec> = ALL.iter().filter(|spec| stands_alone(spec)).collect();
    let names: Vec<&str> = alone.iter().map(|spec| spec.name).collect();
    let docs: Vec<&str> = alone.iter().map(|spec| spec.summary).collect();
    json!({
        "description": "A verb with its argument, and what stands beside it.",
        "anyOf": [
            { "type": "object", "properties": properties, "additionalProperties": false, "oneOf": verbs, "dependencies": together },
            { "enum": names, "markdownEnumDescriptions": docs },
        ],
    })
}

/// Whether the verb needs nothing behind it: found out as `check` does.
fn stands_alone(spec: &Spec) -> bool {
    let mut problems = Problems::default();
    let source = Source::new("", &format!("- {}\n", spec.name));
    let Some(node) = read_yaml(&source, &mut problems) else { return false };
    let raw = RawStep::list(&node, &VOCABULARY, &mut problems);
    compile(&raw, &mut problems).len() == 1 && problems.is_empty()
}

/// What may stand behind a verb: its fields, or its short form.
fn argument(spec: &Spec) -> Json {
    let short = spec.short.and_then(|name| spec.field(name));
    let mut forms = Vec::new();
    if let Some(field) = short {
        forms.push(kind(field.kind));
    }
    // Behind such a verb every map is its short form.
    if !spec.fields.is_empty() && beside(spec.name).is_empty() && short.is_none_or(|field| field.kind != Kind::Map) {
        forms.push(fields(spec.fields));
    }
    if stands_alone(spec) {
        forms.push(json!({ "type": "null" }));
    }
    match forms.as_slice() {
        [only] => only.clone(),
        _ => json!({ "anyOf": forms }),
    }
}

fn fields(fields: &[Field]) -> Json {
    let properties: Map<String, Json> =
        fields.iter().map(|field| (field.name.to_owned(), with_doc(kind(field.kind), field.doc, None))).collect();
    let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn kind(kind: Kind) -> Json {
    match kind {
        Kind::Text | Kind::TextMatch | Kind::UrlPattern => scalar(),
        Kind::Value => json!({}),
        Kind::Target => json!({ "$ref": "#/definitions/target" }),
        Kind::Targets => one_or_more(&json!({ "$ref": "#/definitions/target" })),
        Kind::Pattern => filled(),
        // `until: over` and `when: 1 < 2` are texts, `while: true` is not.
        Kind::Expression => filled(),
        Kind::Duration => json!({ "type": "string", "pattern": DURATION }),
        Kind::Number => json!({ "anyOf": [{ "type": "number" }, { "type": "string", "pattern": r"\{\{" }] }),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Keys => json!({ "$ref": "#/definitions/keys" }),
        Kind::Steps => json!({ "$ref": "#/definitions/steps" }),
        Kind::Texts => one_or_more(&scalar()),
        Kind::Map => json!({ "type": "object" }),
        Kind::List => json!({ "anyOf": [{ "type": "array", "minItems": 1 }, { "type": "string", "pattern": FILLED }] }),
        Kind::Branches => json!({ "type": "array", "items": {
            "type": "object",
            "properties": {
                "if": with_doc(filled(), "What is asked where nothing before it held.", None),
                "then": with_doc(json!({ "$ref": "#/definitions/steps" }), "What is done where it holds.", None),
            },
            "required": ["if", "then"],
            "additionalProperties": false,
        } }),
    }
}

fn target() -> Json {
    let mut map = keys(TARGET_KEYS);
    let kinds: Vec<Json> = TARGET_KINDS.iter().map(|kind| json!({ "required": [kind] })).collect();
    merge(&mut map, json!({ "oneOf": kinds, "dependencies": { "name": ["role"], "x": ["y"], "y": ["x"] } }));
    let line = json!({ "type": ["string", "number", "boolean"], "pattern": ONE_LINE });
    json!({
        "description": "One element: an outline line (`button \"Save\"`), a name, `ref_3`, or a map.",
        "anyOf": [line, map],
    })
}

fn pressed() -> Json {
    let one = json!({ "anyOf": [{ "enum": key_names() }, scalar()] });
    json!({
        "description": "A key, a chord such as Control+Shift+K, or a list of keys held together.",
        "anyOf": [{ "enum": key_names() }, { "type": ["string", "number", "boolean"], "minLength": 1 }, { "type": "array", "minItems": 1, "items": one }],
    })
}

/// Text may be written without quotes whatever it looks like.
fn scalar() -> Json {
    json!({ "$ref": "#/definitions/scalar" })
}

fn filled() -> Json {
    json!({ "type": ["string", "number", "boolean"], "pattern": FILLED })
}

/// A text that is no yes or no.
fn words() -> Json {
    json!({ "type": ["string", "number"], "pattern": FILLED })
}

fn one_or_more(item: &Json) -> Json {
    json!({ "anyOf": [item, { "type": "array", "items": item }] })
}

/// Adds what the editor shows. Beside a `$ref` everything is passed over in draft-07.
fn with_doc(schema: Json, doc: &str, example: Option<&str>) -> Json {
    let mut schema = if schema.get("$ref").is_some() { json!({ "allOf": [schema] }) } else { schema };
    let mut shown = json!({ "description": doc });
    if let Some(example) = example {
        merge(&mut shown, json!({ "markdownDescription": format!("{doc}\n\n```yaml\n{example}\n```") }));
    }
    merge(&mut schema, shown);
    schema
}

fn merged(mut one: Json, more: Json) -> Json {
    merge(&mut one, more);
    one
}

fn merge(into: &mut Json, more: Json) {
    if let (Json::Object(into), Json::Object(more)) = (into, more) {
        into.extend(more);
    }
}
