//! What is said about files that are not the YAML they were meant to be: every word of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::diagnostic::Problems;
use super::node::Node;
use super::source::Source;
use super::yaml;

fn read(text: &str) -> (Option<Node>, Vec<String>) {
    let mut problems = Problems::default();
    let source = Source::from_bytes(std::path::Path::new("f"), text.as_bytes(), &mut problems).unwrap();
    let node = yaml::read(&source, &mut problems);
    let lines = problems.into_iter().map(|diagnostic| {
        let place = diagnostic.place.unwrap();
        let at = place.to_string().replacen("f:", "", 1);
        let (title, label, next) = (diagnostic.title, diagnostic.label, diagnostic.next.unwrap());
        format!("{at} [{}] {title} | {label} | {next}", place.text())
    });
    (node, lines.collect())
}

/// A file, what is said about it, and whether there is a tree to go on with.
type Case = (&'static str, &'static [&'static str], bool);

#[test]
fn each_fault_has_its_words() {
    for (text, said, tree) in CASES {
        let (node, lines) = read(text);
        assert_eq!(lines, *said, "{text:?}");
        assert_eq!(node.is_some(), *tree, "{text:?}");
    }
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("steps:\n  - click: button \"Save: all\"\n", &[
        "2:12 [button \"Save: all\"] `: ` inside a text without quotes | `: ` makes this a key | put it in quotes: 'button \"Save: all\"'"
    ], true),
    ("steps:\n  - type: { into: a, text: a #b }\n", &[
        "2:28 [a #b] ` #` inside a text without quotes | from ` #` on this is a comment | put it in quotes: \"a #b\"; a comment has a space behind its `#`"
    ], true),
    ("steps:\n  - click: a: b\n    name: x\n", &[
        "2:12 [a: b] `: ` inside a text without quotes | `: ` makes this a key | put it in quotes: \"a: b\""
    ], true),
    ("steps:\n\t- open: /\n", &[
        "2:1 [\t] a tab in the indentation | a tab indents this line | indent with spaces, two for each level"
    ], true),
    ("steps:\n  - open: /\n\t- click: x\n", &[
        "3:1 [\t] a tab in the indentation | a tab indents this line | indent with spaces, two for each level"
    ], false),
    ("steps:\n  - click:\n\t  css: x\n", &[
        "3:1 [\t  ] a tab in the indentation | a tab indents this line | indent with spaces, two for each level"
    ], false),
    ("steps:\n  - click: \"Save\" button\n", &[
        "2:19 [button] text behind a closing quote | outside of the quotes | put all of it in quotes: '\"Save\" button'"
    ], true),
    ("steps:\n  - click: \"Save\n  - open: /\n", &[
        "2:12 [\"] a quote is not closed | it begins here | close it on the same line; in double quotes, \\\" is a quote"
    ], true),
    ("steps:\n  - click: {{ name }}\n", &[
        "2:12 [{{ name }}] `{{` needs quotes around it | read as a map | put it in quotes: \"{{ name }}\""
    ], true),
    ("steps:\n  - click: {{ name }} x\n", &[
        "2:12 [{{ name }} x] `{{` needs quotes around it | read as a map | put it in quotes: \"{{ name }} x\""
    ], true),
    ("steps:\n  - press: [a, b\n  - open: /\n", &[
        "2:12 [[] a bracket is not closed by `]` | it begins here | close it; texts with `: `, `,` or brackets need quotes"
    ], true),
    ("steps:\n  - press: a]\n", &[], true),
    ("steps:\n  - press: ]\n", &[
        "2:12 []] a text can't begin with `]` | in YAML, `]` belongs to lists and maps | put it in quotes: \"]\""
    ], true),
    ("steps:\n  - press: @\n", &[
        "2:12 [@] a text can't begin with `@` | in YAML, `@` is reserved | put it in quotes: \"@\""
    ], true),
    ("steps:\n  - press: `\n", &[
        "2:12 [`] a text can't begin with a backtick | in YAML, a backtick is reserved | put it in quotes: \"`\""
    ], true),
    ("steps:\n  - press: %\n", &[
        "2:12 [%] a text can't begin with `%` | in YAML, `%` begins a directive | put it in quotes: \"%\""
    ], true),
    ("steps:\n  - press: *\n", &[
        "2:12 [*] a text can't begin with `*` | in YAML, `*` repeats a value that `&` named | put it in quotes: \"*\""
    ], true),
    ("steps:\n  - press: &\n", &[
        "2:12 [&] a text can't begin with `&` | in YAML, `&` names a value | put it in quotes: \"&\""
    ], true),
    ("steps:\n  - press: !\n", &[
        "2:12 [!] tags are not used in scenarios | in YAML, `!` begins a tag | put the text in quotes, or delete the tag"
    ], true),
    ("steps:\n  - press: |\n", &[], true),
    ("steps:\n  - press: >\n", &[], true),
    ("steps:\n  - press: -\n", &[
        "2:12 [-] a text can't begin with `-` | in YAML, `-` begins a list item | put it in quotes: \"-\""
    ], true),
    ("steps:\n  - press: ?\n", &[
        "2:12 [?] a text can't begin with `?` | in YAML, `?` begins a key | put it in quotes: \"?\""
    ], true),
    ("steps:\n  - press: :\n", &[
        "2:12 [:] a text can't begin with `:` | in YAML, `:` ends a key | put it in quotes: \":\""
    ], true),
    ("steps:\n  - press: ,\n", &[
        "2:12 [,] a text can't begin with `,` | in YAML, `,` belongs to lists and maps | put it in quotes: \",\""
    ], true),
    ("steps:\n  - press: '\n", &[
        "2:12 ['] a quote is not closed | it begins here | close it on the same line; in double quotes, \\\" is a quote"
    ], true),
    ("steps:\n  - press: #\n", &[
        "2:12 [#] ` #` inside a text without quotes | from ` #` on this is a comment | put it in quotes: \"#\"; a comment has a space behind its `#`"
    ], true),
    ("steps:\n  - press: *save\n", &[
        "2:12 [*save] a text can't begin with `*` | in YAML, `*` repeats a value that `&` named | put it in quotes: \"*save\""
    ], true),
    ("steps:\n  - press: \"a\\qb\"\n", &[
        "2:14 [\\q] `\\q` is not an escape | not known in double quotes | use single quotes: 'a\\qb'; in double ones a backslash is `\\\\`"
    ], true),
    ("steps:\n  - press: \"a\\u12\"\n", &[
        "2:14 [\\u] `\\u` is not an escape | it needs four hexadecimal digits of a character | write all of them, as in \"\\u00e9\""
    ], true),
    ("steps:\n - open: /\n  - click: x\n", &[
        "3:3 [- click: x] this item is not lined up with the others | its `- ` stands in another column | give every `- ` of a list the same indentation"
    ], false),
    ("steps:\n  - open: /\n - click: x\n", &[
        "3:2 [- click: x] this item is not lined up with the others | its `- ` stands in another column | give every `- ` of a list the same indentation"
    ], false),
    ("name: x\n steps:\n  - open: /\n", &[
        "2:2 [steps:] this line is indented too far | read as more of the text above | line it up with the key above; a text of several lines needs quotes or `|`", 
        "3:3 [- open:] this line is indented too far | read as more of the text above | line it up with the key above; a text of several lines needs quotes or `|`"
    ], true),
    ("steps:\n  - click: Save\n      name: x\n", &[
        "3:7 [name:] this line is indented too far | read as more of the text above | line it up with the key above; a text of several lines needs quotes or `|`"
    ], true),
    ("steps:\n  - click: Save\n   name: x\n", &[
        "3:4 [name: x] this line is not lined up with what it belongs to | no list or map goes on in this column | keys of one step or map begin in the same column"
    ], false),
    ("steps:\n  - click\n    name: x\n", &[
        "2:5 [click] `click` has no colon | read as a text that goes on below | write `- click:`, for `name:` stands beside it"
    ], true),
    ("steps:\n  - click: Save\n  name: x\n", &[
        "3:3 [name: x] this line is not lined up with what it belongs to | no list or map goes on in this column | keys of one step or map begin in the same column"
    ], false),
    ("name: x\nsteps\n  - a\n", &[
        "2:1 [steps] this line is no key | a `:` is missing | write `steps:`"
    ], false),
    ("name: x\nsteps:\n- a\n- b: 1\n", &[], true),
    ("name: a\nname\nsteps: []\n", &[
        "2:1 [name] this line is no key | a `:` is missing | write `name:`"
    ], false),
    ("a: 1\n---\nb: 2\n", &[
        "2:1 [---] a second document in one file | `---` begins another document | put each scenario in a file of its own, or delete this line"
    ], true),
    ("a: 1\n...\nb: 2\n", &[
        "3:1 [] a second document in one file | another document begins here | put each scenario in a file of its own, or delete this line"
    ], true),
    ("%YAML 1.2\n---\na: 1\n", &[], true),
    ("a: &x 1\nb: *x\n", &[], true),
    ("? [a]\n: b\n", &[
        "1:3 [[a]] a key must be a plain word | this is not text | write `key: value`"
    ], true),
    ("a: !!str 5\n", &[
        "1:4 [!!str] tags are not used in scenarios | in YAML, `!` begins a tag | put the text in quotes, or delete the tag"
    ], true),
    ("a: |\n  x\n y\nb: 1\n", &[
        "3:2 [y] this line is not lined up with what it belongs to | no list or map goes on in this column | keys of one step or map begin in the same column"
    ], false),
    ("a: |2\n   x\n  y\nb: 1\n", &[], true),
    ("a:\nb:   # c\nc: ~\nd:\n  -\n  - \n", &[], true),
    ("a: b\n  # comment\n  c\n", &[
        "2:3 [# comment] a comment inside a text | the text goes on below it | move the comment above the text, or put the whole text in quotes"
    ], false),
    ("a: b #c\n  d\n", &[
        "1:4 [b #c] ` #` inside a text without quotes | from ` #` on this is a comment | put it in quotes: \"b #c\"; a comment has a space behind its `#`"
    ], true),
    ("a: {b: c\nd: e\n", &[
        "1:4 [{] a bracket is not closed by `}` | it begins here | close it; texts with `: `, `,` or brackets need quotes"
    ], true),
    ("a: {b: c #d}\ne: f\n", &[
        "1:8 [c #d] ` #` inside a text without quotes | from ` #` on this is a comment | put it in quotes: \"c #d\"; a comment has a space behind its `#`"
    ], true),
    ("a: \u{feff}b\n", &[
        "1:4 [\u{FEFF}] a byte-order mark inside the file | an invisible character | delete it"
    ], true),
    ("\u{85}a: b\n", &[
        "1:1 [�] a raw control character, U+0085 | not allowed here | delete it, or write it as an escape in double quotes: \"\\u0085\""
    ], true),
    ("a: \"x\n\n  y\\\n   z\" # c\nb: 'it''s'   # d\nc: plain\n  more\n\nd: >\n  one\n  two\n\n  three\n", &[], true),
    ("a: button \"x\": y\n", &[
        "1:4 [button \"x\": y] `: ` inside a text without quotes | `: ` makes this a key | put it in quotes: 'button \"x\": y'"
    ], true),
    ("- button \"Save: all\"\n", &[
        "1:3 [button \"Save: all\"] `: ` inside a text without quotes | `: ` makes this a key | put it in quotes: 'button \"Save: all\"'"
    ], true),
    ("a: /x: y/\n", &[
        "1:4 [/x: y/] `: ` inside a text without quotes | `: ` makes this a key | put it in quotes: \"/x: y/\""
    ], true),
    ("a: b:\n", &[
        "1:4 [b:] `: ` inside a text without quotes | `: ` makes this a key | put it in quotes: \"b:\""
    ], true),
    ("a: [x: y]\nb: [\"q: z\"]", &[], true),
    ("a: {x:y}\n", &[], true),
    ("a: {url: http://x/y, b: c}\n", &[], true),
    ("a: - b\n", &[
        "1:4 [- b] a text can't begin with `-` | in YAML, `-` begins a list item | put it in quotes: \"- b\""
    ], true),
    ("a: \"button \"x\"\"\n", &[
        "1:13 [x\"\"] text behind a closing quote | outside of the quotes | quotes around quotes are of the other kind: 'button \"x\"'"
    ], true),
    ("- a: 1\n-b: 2\n- c: 3\n", &[
        "2:1 [-b: 2] this is no list item | a space is missing behind `-` | write `- b: 2`"
    ], false),
    ("a: 'x' 'y'\n", &[
        "1:8 ['y'] text behind a closing quote | outside of the quotes | put all of it in quotes: \"'x' 'y'\""
    ], true),
    ("<<: *x\n", &[
        "1:5 [*x] a text can't begin with `*` | in YAML, `*` repeats a value that `&` named | put it in quotes: \"*x\""
    ], true),
    ("a: \"b\" : c\n", &[
        "1:8 [: c] text behind a closing quote | outside of the quotes | put all of it in quotes: '\"b\" : c'"
    ], true),
];
