//! The keys that the language has beside verbs: what each holds and what it is for. The reference, the schema and `check`
//! read the same lists.

use super::browser::{COLOUR_SCHEMES, LOCALE, PERMISSION_WORDS, TIME_ZONE, USER_AGENT};
use super::retries::MOST_RETRIES;

/// What a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Text.
    Text,
    /// Text of this shape, a regular expression.
    Like(&'static str),
    /// Text, perhaps an empty one.
    AnyText,
    /// Text or `/regex/`.
    TextMatch,
    /// One text, or a list of them.
    Texts,
    /// One name, or a list of them, that stand behind a dot in expressions.
    Names,
    /// One name, or a list of them, that stand behind a dot in expressions; or a map of them with texts.
    NamesOrUsual,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of some of these words.
    Words(&'static [&'static str]),
    /// A number.
    Number,
    /// A whole number of at least this much.
    Whole(u64),
    /// A whole number from the first of these to the second.
    Between(u64, u64),
    /// Yes or no.
    Boolean,
    /// A duration: `300ms`, `5s`.
    Duration,
    /// Width and height: `390x844`.
    Size,
    /// A target.
    Target,
    /// A role, as `read` shows it.
    Role,
    /// Paths that begin with `/`, each with the HTML of its page.
    Pages,
    /// Paths, perhaps with a method before them, each with a map of these keys or a list of such maps.
    Routes(&'static [KeySpec]),
    /// Names of headers with their values.
    Headers,
    /// Anything.
    Any,
    /// Names with any values.
    Values,
    /// Names, each with an outline line.
    Readings,
    /// A list of maps with these keys, all of them needed.
    MapsOf(&'static [KeySpec]),
    /// A list of maps with some of these keys.
    ListOf(&'static [KeySpec]),
    /// A map with these keys.
    Keys(&'static [KeySpec]),
    /// A map with these keys, all of them needed.
    Together(&'static [KeySpec]),
    /// A map with these keys, of which the second list names those that are needed.
    KeysWith(&'static [KeySpec], &'static [&'static str]),
    /// Names, each with a text.
    TextsByName,
    /// A line for the shell, or a list of a program and its arguments.
    Command,
    /// An http or https address.
    Address,
    /// A list of some of these words, or a map that says of each whether it counts.
    Switches(&'static [KeySpec]),
    /// A list of steps.
    Steps,
    /// Outline lines, each with its steps.
    Whenever,
    /// A list of maps with any values, or the name of a file.
    Rows,
    /// A text, or a map with these keys, all of them needed.
    TextOr(&'static [KeySpec]),
    /// A text, or a map with these keys, of which the first is needed.
    TextOrFirst(&'static [KeySpec]),
}

impl Holds {
    /// What it holds in words, for the reference.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Holds::Text | Holds::AnyText | Holds::Like(_) => "a text".into(),
            Holds::TextMatch => "a text or a /regex/".into(),
            Holds::Texts => "a text, or a list of them".into(),
            Holds::Names => "a name, or a list of them".into(),
            Holds::NamesOrUsual => "a name, a list of them, or a map of names with texts".into(),
            Holds::Choice(words) => format!("one of {}", words.join(", ")),
            Holds::Words(words) => format!("a list of {}", words.join(", ")),
            Holds::Number => "a number".into(),
            Holds::Whole(least) => format!("a whole number of at least {least}"),
            Holds::Between(least, most) => format!("a whole number from {least} to {most}"),
            Holds::Boolean => "true or false".into(),
            Holds::Duration => "a duration, such as 300ms or 5s".into(),
            Holds::Size => "width and height, such as 390x844".into(),
            Holds::Target => "a target".into(),
            Holds::Role => "a role".into(),
            Holds::Pages => "paths with their HTML".into(),
            Holds::Routes(_) => "paths, each with an answer or a list of them".into(),
            Holds::Headers => "names with their values".into(),
            Holds::Any => "anything".into(),
            Holds::Values => "names with their values".into(),
            Holds::Readings => "names, each with an outline line".into(),
            Holds::MapsOf(keys) => format!("a list of maps with {}", quoted(keys)),
            Holds::ListOf(keys) => format!("a list of maps; each may have {}", quoted(keys)),
            Holds::Together(keys) => format!("a map with {}", quoted(keys)),
            Holds::Keys(keys) => format!("a map; it may have {}", quoted(keys)),
            Holds::KeysWith(keys, needed) => {
                let needed: Vec<String> = needed.iter().map(|name| format!("`{name}`")).collect();
                format!("a map with {}; it may have {}", needed.join(", "), quoted_but(keys, &needed))
            }
            Holds::TextsByName => "names, each with a text".into(),
            Holds::Command => "a line for the shell, or a list of a program and its arguments".into(),
            Holds::Address => "an http or https address".into(),
            Holds::Switches(keys) => format!("a list of {}; or a map of them with true or false", quoted(keys)),
            Holds::Steps => "a list of steps".into(),
            Holds::Whenever => "outline lines, each with a list of steps".into(),
            Holds::Rows => "a list of maps, or a .csv or .json file".into(),
            Holds::TextOr(keys) => format!("a text, or a map with {}", quoted(keys)),
            Holds::TextOrFirst(keys) => {
                let (first, others) = keys.split_at(keys.len().min(1));
                format!("a text, or a map with {}, and perhaps {}", quoted(first), quoted(others))
            }
        }
    }
}

fn quoted(keys: &[KeySpec]) -> String {
    let names: Vec<String> = keys.iter().map(|key| format!("`{}`", key.name)).collect();
    names.join(", ")
}

fn quoted_but(keys: &[KeySpec], others: &[String]) -> String {
    let names = keys.iter().map(|key| format!("`{}`", key.name)).filter(|name| !others.contains(name));
    names.collect::<Vec<_>>().join(", ")
}

/// A key, what it holds, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySpec {
    /// The key.
    pub name: &'static str,
    /// What it holds.
    pub holds: Holds,
    /// A sentence for the reference and the editor.
    pub doc: &'static str,
}

/// A key, what it holds, and what it is for.
pub const fn key(name: &'static str, holds: Holds, doc: &'static str) -> KeySpec {
    KeySpec { name, holds, doc }
}

pub(super) fn names_of(keys: &[KeySpec]) -> Vec<&'static str> {
    keys.iter().map(|key| key.name).collect()
}

/// Keys of `browser:`.
pub static BROWSER: &[KeySpec] = &[
    key("viewport", Holds::Size, "The size of the page's window in CSS pixels, such as 390x844; 1280x720 if left out."),
    key("device-scale", Holds::Number, "Device pixels to a CSS pixel, such as 2."),
    key("locale", Holds::Like(LOCALE), "The language and its conventions, such as de-DE."),
    key("time-zone", Holds::Like(TIME_ZONE), "The time zone by its name, such as Europe/Oslo."),
    key("colour-scheme", Holds::Choice(COLOUR_SCHEMES), "Whether pages are asked to be light or dark."),
    key("reduced-motion", Holds::Boolean, "Whether pages are asked for little motion; they are if left out."),
    key("touch", Holds::Boolean, "Whether there is a touch screen."),
    key("user-agent", Holds::Like(USER_AGENT), "The name that the browser gives to servers and pages."),
    key(
        "permissions",
        Holds::Words(&PERMISSION_WORDS),
        "What pages may do without asking, such as [geolocation, clipboard-read]; all else is refused.",
    ),
    key("offline", Holds::Boolean, "Whether there is no network from the start; mocks answer all the same."),
    key("geolocation", Holds::Keys(GEOLOCATION), "Where the device is; allows pages to know."),
];

/// Keys of `geolocation:`.
pub(super) static GEOLOCATION: &[KeySpec] = &[
    key("latitude", Holds::Number, "Degrees north of the equator."),
    key("longitude", Holds::Number, "Degrees east of Greenwich."),
    key("accuracy", Holds::Number, "Metres; 1 if left out."),
];

/// Words of `fail-on:`.
pub static FAIL_ON: &[KeySpec] = &[
    key("page-errors", Holds::Boolean, "A page throws an error that nothing catches; usual."),
    key("console-errors", Holds::Boolean, "A page logs an error."),
    key("failed-requests", Holds::Boolean, "A request gets no answer, or a status from 400 on."),
    key("outside-requests", Holds::Boolean, "A request goes elsewhere than to what is served or was opened."),
];

/// Keys of each of `redact:`.
pub static REDACTION: &[KeySpec] = &[
    key("pattern", Holds::Text, "A regular expression, with or without slashes around it."),
    key("with", Holds::Text, "What stands there instead; `$1` is the first group."),
];

/// Keys of `skip:`.
pub(super) static SKIP: &[KeySpec] = &[
    key("when", Holds::Text, "The scenario is skipped where this expression holds; it can't ask the page."),
    key("why", Holds::Text, "The reason, for reports."),
];

/// Keys of `expected-to-fail:`.
pub(super) static EXPECTED: &[KeySpec] = &[
    key("why", Holds::Text, "The reason, for reports."),
    key(
        "message",
        Holds::TextMatch,
        "What the failure says, in its first line, at its mark or in what it found: a part of it, or a /regex/.",
    ),
];

/// Keys of `clock:`.
pub static CLOCK: &[KeySpec] = &[
    key("at", Holds::Text, "A moment with its offset, such as `2026-03-01T09:00:00+01:00`."),
    key(
        "runs",
        Holds::Boolean,
        "Whether dates go on from there; with `false` they stand still, while timers and animations go on as ever.",
    ),
];

/// Keys of an answer under `routes:`.
pub static ROUTE: &[KeySpec] = &[
    key("status", Holds::Between(200, 599), "The HTTP status: 200 unless told, and 302 of a redirect."),
    key("headers", Holds::Headers, "Headers; a list of values sends one of the same name for each."),
    key("json", Holds::Any, "The body, as JSON."),
    key("body", Holds::AnyText, "The body, as text; plain text unless `headers` have a Content-Type."),
    key("file", Holds::Text, "The body, from a file beside the scenario, whose ending says what it is."),
    key("redirect", Holds::Text, "Where to go instead: a path or a whole address."),
    key("events", Holds::ListOf(ROUTE_EVENT), "An event stream, for an EventSource."),
    key("close", Holds::Boolean, "Whether the stream ends after its last event; it stays open unless told."),
    key("drop", Holds::Boolean, "No answer at all: the connection is closed."),
    key("delay", Holds::Duration, "How long the answer takes."),
    key("auth", Holds::Together(AUTH), "Who may have it; everybody else is asked for a password (401)."),
];

/// Keys of an event of a stream.
pub static ROUTE_EVENT: &[KeySpec] = &[
    key("data", Holds::Any, "What it says: text as it is, everything else as JSON."),
    key("event", Holds::Text, "Its type; `message` if left out."),
    key("id", Holds::Text, "What a browser that connects again names as the last it has seen."),
    key("after", Holds::Duration, "How long after the one before it, or after the beginning."),
    key("retry", Holds::Duration, "How long a browser waits before it connects again."),
];

/// Keys of `auth:`.
pub(super) static AUTH: &[KeySpec] =
    &[key("user", Holds::Text, "The user."), key("password", Holds::AnyText, "The password.")];

/// Keys of `app:`.
pub static APP: &[KeySpec] = &[
    key(
        "start",
        Holds::Command,
        "How it is started; a list does without a shell. Where it is left out, it must run already.",
    ),
    key(
        "url",
        Holds::Address,
        "Where it answers, such as `http://localhost:3000`. With port 0 a free port is chosen, and the program is told it as `PORT`.",
    ),
    key(
        "ready-within",
        Holds::Duration,
        "How long it may take until it answers with anything but a status from 500 on; 60s if left out.",
    ),
    key("in", Holds::Text, "The folder that it is started in, relative to this file; that of this file if left out."),
    key("env", Holds::TextsByName, "Variables of its environment, beside those of playscript itself."),
    key("log", Holds::Text, "A file that takes all it says, relative to the project's folder."),
    key("reuse", Holds::Boolean, "Whether one that answers at `url` already is used instead, and left running."),
];

/// Keys of a scenario.
pub static HEAD: &[KeySpec] = &[
    key(
        "name",
        Holds::Text,
        "What the scenario is about, in a sentence, perhaps with values of its row, `{{ city }}`; the file's name if left out.",
    ),
    key("tags", Holds::Texts, "Words to choose scenarios by, such as `[smoke, login]`."),
    key("serve", Holds::Text, "A folder beside this file that is served to the browser, for this scenario alone."),
    key("pages", Holds::Pages, "Small pages in the scenario itself, each path with its HTML."),
    key(
        "routes",
        Holds::Routes(ROUTE),
        "What the site answers that a file can't say, by path (`/api/items/*`), perhaps with a method before it (`POST /api/pay`).",
    ),
    key(
        "app",
        Holds::KeysWith(APP, &["url"]),
        "Your own application, started once a run and ended with it, instead of pages that are served.",
    ),
    key("seed", Holds::Whole(0), "A whole number that makes the page's own chance repeatable."),
    key(
        "clock",
        Holds::TextOr(CLOCK),
        "The time that pages are told, such as `2026-03-01T09:00:00Z` or, of the row, `{{ start }}`. It goes on from there; with `runs: false` dates stand still, and timers and animations go on.",
    ),
    key("variables", Holds::Values, "Names with their values, for `{{ … }}` and expressions."),
    key(
        "readings",
        Holds::Readings,
        "Named values read from the page: a line whose `/regex/` has a group, or a line that may be there.",
    ),
    key(
        "env",
        Holds::NamesOrUsual,
        "Environment variables that expressions may use, as `env.NAME`: those that must be set, or each with its value where it is not.",
    ),
    key(
        "secrets",
        Holds::Names,
        "Environment variables that expressions may use as `secret.NAME`, masked wherever anything is printed.",
    ),
    key("timeout", Holds::Duration, "How long the whole scenario may take, such as 2m."),
    key("step-timeout", Holds::Duration, "How long each step may take that does not say so itself, such as 5s."),
    key(
        "retries",
        Holds::Between(0, MOST_RETRIES as u64),
        "How often the scenario is performed again when it fails, with all of it new, when all others have run.",
    ),
    key("redact", Holds::MapsOf(REDACTION), "What is replaced in snapshots before they are stored."),
    key("browser", Holds::Keys(BROWSER), "The browser's own settings."),
    key(
        "users",
        Holds::Texts,
        "Users, each with cookies and tabs of its own; a step's `as` says whose it is, and is the first's unless told.",
    ),
    key("fail-on", Holds::Switches(FAIL_ON), "What fails the scenario by itself; `[page-errors]` if left out."),
    key(
        "examples",
        Holds::Rows,
        "Rows of values: the scenario is run once with each, side by side; a row's names stand for its values.",
    ),
    key(
        "needs",
        Holds::Texts,
        "Scenarios, relative to this file, that run before this one, once a run; it is skipped where one does not pass.",
    ),
    key(
        "whenever",
        Holds::Whenever,
        "What is done when a line of the outline stands in an act's way, such as a question about cookies.",
    ),
    key("skip", Holds::TextOr(SKIP), "Why the scenario is not run; with `when`, only where an expression holds."),
    key(
        "expected-to-fail",
        Holds::TextOrFirst(EXPECTED),
        "Why the scenario is expected to fail: it fails when it passes, and with `message`, when it fails otherwise.",
    ),
    key("before", Holds::Steps, "Steps before the others."),
    key("after", Holds::Steps, "Steps that are performed however the scenario ended."),
    key("steps", Holds::Steps, "What is done, in order, and what must then be true."),
];
