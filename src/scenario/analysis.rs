//! What an expression mentions, and the same expression with strict comparisons.

use std::ops::Range;

use super::tokens::{Sort, Token};

/// The function that comparisons become; see [`super::functions`].
pub(super) const COMPARE: &str = "__compare";
/// The function that arithmetic and `~` become.
pub(super) const OPERATE: &str = "__operate";
/// The function that a name beside a `~` becomes: what it is as text, with its spelling.
pub(super) const SPELLED: &str = "__spelled";

const KEYWORDS: &[&str] =
    &["and", "or", "not", "in", "is", "if", "else", "true", "false", "none", "True", "False", "None"];
const COMPARISONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];
/// Operators, those that bind more loosely first; comparisons are looser still.
const OPERATORS: &[&[&str]] = &[&["+", "-"], &["~"], &["*", "/", "//", "%"], &["**"]];

/// A word with its bytes.
pub(super) type Word = (String, Range<usize>);

/// What an expression is made of.
#[derive(Default, Debug)]
pub(super) struct Analysis {
    /// Names of values: `score`, `env.X`.
    pub(super) names: Vec<Word>,
    /// Names of functions that are called.
    pub(super) functions: Vec<Word>,
    /// Names of filters.
    pub(super) filters: Vec<Word>,
    /// Names of tests.
    pub(super) tests: Vec<Word>,
    /// Patterns written as literals: the function, and the literal with its quotes.
    pub(super) patterns: Vec<Word>,
    /// The expression with each comparison, and each operator, as a call that refuses text beside a number.
    pub(super) strict: String,
    /// The way to the value, where the expression is nothing else: `row`, `price` of `row.price`.
    pub(super) path: Option<Vec<String>>,
}

/// Takes an expression apart. It must be one that parses.
pub(super) fn analyse(text: &str, tokens: &[Token]) -> Analysis {
    let mut analysis = Analysis::default();
    let words: Vec<&str> = tokens.iter().map(|token| text.get(token.range.clone()).unwrap_or_default()).collect();
    let mut strict = Strict::default();
    if let Some((path, end)) = path(tokens, &words, 0)
        && (end == words.len() || usual(&words, end))
    {
        analysis.path = Some(path);
    }
    let mut index = 0;
    while let (Some(token), Some(word)) = (tokens.get(index), words.get(index).copied()) {
        let role = role(tokens, &words, index);
        let found = (word.to_owned(), token.range.clone());
        match role {
            Role::Value => {
                let member = member(tokens, &words, index);
                match member {
                    Some((name, end)) => analysis.names.push((format!("{word}.{name}"), token.range.start..end)),
                    None => analysis.names.push(found),
                }
            }
            Role::Function => {
                let literal = sort(tokens, index + 2) == Some(Sort::Text) && words.get(index + 3) == Some(&")");
                if matches!(word, "count" | "has") && literal {
                    let literal = words.get(index + 2).copied().unwrap_or_default();
                    let range = tokens.get(index + 2).map_or(0..0, |token| token.range.clone());
                    analysis.patterns.push((literal.to_owned(), range));
                }
                analysis.functions.push(found);
            }
            Role::Filter => analysis.filters.push(found),
            Role::Test => analysis.tests.push(found),
            Role::Boundary | Role::Comparison | Role::Operator | Role::Open | Role::Close | Role::Other => {}
        }
        let spaced = |at: usize| {
            let end = if at == 0 { 0 } else { tokens.get(at - 1).map_or(0, |token| token.range.end) };
            tokens.get(at).and_then(|token| text.get(end..token.range.start)).unwrap_or_default()
        };
        if let Some(end) = joined(tokens, &words, index).filter(|_| role == Role::Value)
            && let Some(path) = tokens.get(end - 1).and_then(|last| text.get(token.range.start..last.range.end))
        {
            strict.word(spaced(index), &format!("{SPELLED}({path:?}, {path})"), Role::Value);
            index = end;
            continue;
        }
        let not_in = role == Role::Comparison && word == "not";
        let word = if not_in { "not in" } else { word };
        // The space between words is kept, so that `1 in x` stays three words.
        strict.word(spaced(index), word, role);
        index += if not_in { 2 } else { 1 };
    }
    analysis.strict = strict.finish();
    analysis
}

/// What a word does where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Value,
    Function,
    Filter,
    Test,
    /// Ends the operand of a comparison: `and`, `or`, a prefixed `not`, `if`, `else`, `,`, `:`, `=`.
    Boundary,
    Comparison,
    /// Calculates, or joins texts.
    Operator,
    Open,
    Close,
    Other,
}

fn role(tokens: &[Token], words: &[&str], index: usize) -> Role {
    let word = words.get(index).copied().unwrap_or_default();
    let before = |count: usize| index.checked_sub(count).and_then(|at| words.get(at).copied());
    let after = words.get(index + 1).copied();
    match sort(tokens, index) {
        Some(Sort::Sign) => match word {
            "(" | "[" | "{" => Role::Open,
            ")" | "]" | "}" => Role::Close,
            "," | ":" | "=" => Role::Boundary,
            _ if COMPARISONS.contains(&word) => Role::Comparison,
            // `-` may be a sign, or the first of a test's argument.
            _ if binding(word) > 0 && !starts_operand(tokens, words, index) && !is_test(tokens, words, index) => {
                Role::Operator
            }
            _ => Role::Other,
        },
        Some(Sort::Name) => {
            let is = Some("is");
            let attribute = before(1) == Some(".");
            // `x.is` is an attribute, and what follows it no test.
            let testing = |at: usize| before(at) == is && before(at + 1) != Some(".");
            if attribute {
                Role::Other
            } else if before(1) == Some("|") {
                Role::Filter
            } else if (testing(1) && word != "not") || (before(1) == Some("not") && testing(2)) {
                Role::Test
            } else if word == "not" && testing(1) {
                Role::Other
            } else if word == "in" || (word == "not" && after == Some("in") && !starts_operand(tokens, words, index)) {
                Role::Comparison
            } else if matches!(word, "and" | "or" | "not" | "if" | "else") {
                Role::Boundary
            } else if KEYWORDS.contains(&word) || (after == Some("=") && matches!(before(1), Some("(" | ","))) {
                // The name of an argument is no name of a value.
                Role::Other
            } else if after == Some("(") {
                Role::Function
            } else {
                Role::Value
            }
        }
        _ => Role::Other,
    }
}

/// How closely an operator binds; 0 for a comparison, and for what is no operator.
fn binding(word: &str) -> usize {
    OPERATORS.iter().position(|level| level.contains(&word)).map_or(0, |level| level + 1)
}

/// Whether the word before is the name of a test.
fn is_test(tokens: &[Token], words: &[&str], index: usize) -> bool {
    index.checked_sub(1).is_some_and(|before| role(tokens, words, before) == Role::Test)
}

/// The way to a value that begins at a word, `row.price` or `prices[0]`, and the word behind it.
pub(super) fn path(tokens: &[Token], words: &[&str], from: usize) -> Option<(Vec<String>, usize)> {
    if role(tokens, words, from) != Role::Value {
        return None;
    }
    let mut path = vec![(*words.get(from)?).to_owned()];
    let mut at = from + 1;
    loop {
        let inside = words.get(at + 1).copied().unwrap_or_default();
        match (words.get(at).copied(), sort(tokens, at + 1), words.get(at + 2).copied()) {
            (Some("."), Some(Sort::Name | Sort::Number), _) => at += 2,
            (Some("["), Some(Sort::Text | Sort::Number), Some("]")) if !inside.contains('\\') => at += 3,
            _ => return Some((path, at)),
        }
        path.push(inside.trim_matches(['"', '\'']).to_owned());
    }
}

/// Whether nothing but what stands for a missing value follows: `|default("…")`.
fn usual(words: &[&str], from: usize) -> bool {
    let depth = |depth: i32, word: &&str| match *word {
        "(" => depth + 1,
        ")" => depth - 1,
        _ => depth,
    };
    matches!(words.get(from..), Some(["|", "default" | "d", "(", inside @ .., ")"])
        if inside.iter().scan(0, |now, word| { *now = depth(*now, word); Some(*now) }).all(|now| now >= 0))
}

/// Where the way to a value ends that is a whole operand of `~`.
fn joined(tokens: &[Token], words: &[&str], index: usize) -> Option<usize> {
    let before = index.checked_sub(1).and_then(|at| words.get(at).copied()).unwrap_or("(");
    let (_, end) = path(tokens, words, index)?;
    let after = words.get(end).copied().unwrap_or(")");
    let tight = |word: &str| binding(word) > binding("~") || matches!(word, "|" | "." | "(" | "[" | "is");
    let starts = before == "~" || matches!(before, "(" | "[" | "{" | "," | ":" | "=" | "+");
    let starts =
        starts || COMPARISONS.contains(&before) || matches!(before, "if" | "else" | "and" | "or" | "not" | "in");
    (starts && !tight(after) && (before == "~" || after == "~")).then_some(end)
}

/// Whether nothing that could be a left operand stands before a word.
fn starts_operand(tokens: &[Token], words: &[&str], index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else {
        return true;
    };
    match sort(tokens, before) {
        Some(Sort::Sign) => !matches!(words.get(before).copied(), Some(")" | "]" | "}")),
        Some(Sort::Name) => matches!(words.get(before).copied(), Some("and" | "or" | "not" | "if" | "else" | "in")),
        _ => false,
    }
}

/// `X` of `env.X`, `env["X"]`, `secret.X`, and where it ends.
fn member(tokens: &[Token], words: &[&str], index: usize) -> Option<(String, usize)> {
    if !matches!(words.get(index).copied(), Some("env" | "secret")) {
        return None;
    }
    match words.get(index + 1).copied()? {
        "." if sort(tokens, index + 2) == Some(Sort::Name) => {
            let token = tokens.get(index + 2)?;
            Some((words.get(index + 2)?.to_string(), token.range.end))
        }
        "[" if sort(tokens, index + 2) == Some(Sort::Text) && words.get(index + 3).copied() == Some("]") => {
            let token = tokens.get(index + 3)?;
            Some((words.get(index + 2)?.trim_matches(['"', '\'']).to_owned(), token.range.end))
        }
        _ => None,
    }
}

fn sort(tokens: &[Token], index: usize) -> Option<Sort> {
    tokens.get(index).map(|token| token.sort)
}

/// Writes the expression anew: `a < b` between two boundaries becomes `__compare(a, "<", b)`, and `a + b - c` becomes
/// `__operate(a, "+", b, "-", c)`.
#[derive(Default)]
struct Strict {
    out: String,
    /// What is open around the innermost bracket.
    levels: Vec<Level>,
    level: Level,
}

/// What is open inside of a bracket.
#[derive(Default)]
struct Level {
    /// Where its present operand starts.
    start: usize,
    /// The calls that are open: how closely the operator of each binds, and where it starts.
    calls: Vec<(usize, usize)>,
}

impl Strict {
    fn word(&mut self, space: &str, word: &str, role: Role) {
        match role {
            Role::Comparison | Role::Operator => return self.operator(word, role),
            Role::Boundary | Role::Close => self.end(),
            _ => {}
        }
        self.out.push_str(space);
        if role == Role::Close {
            self.level = self.levels.pop().unwrap_or_default();
        }
        if role == Role::Open {
            self.levels.push(std::mem::take(&mut self.level));
        }
        self.out.push_str(word);
        if matches!(role, Role::Open | Role::Boundary) {
            self.out.push(' ');
            self.level = Level { start: self.out.len(), calls: Vec::new() };
        }
    }

    fn operator(&mut self, word: &str, role: Role) {
        let binds = binding(word);
        let mut start = self.level.start;
        // What binds more closely than this is its left operand.
        while let Some((_, from)) = self.level.calls.pop_if(|(held, _)| *held > binds) {
            self.out.push(')');
            start = from;
        }
        // One call takes all operators that bind alike, from left to right.
        if self.level.calls.last().is_none_or(|(held, _)| *held < binds) {
            let function = if role == Role::Comparison { COMPARE } else { OPERATE };
            self.out.insert_str(start, &format!("{function}("));
            self.level.calls.push((binds, start));
        }
        self.out.push_str(&format!(", \"{word}\", "));
        self.level.start = self.out.len();
    }

    fn end(&mut self) {
        for _ in self.level.calls.drain(..) {
            self.out.push(')');
        }
    }

    fn finish(mut self) -> String {
        self.end();
        self.out
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::super::tokens::tokens;
    use super::*;

    fn analysed(text: &str) -> Analysis {
        let tokens: Vec<Token> = tokens(text, 0).map(Result::unwrap).collect();
        analyse(text, &tokens)
    }

    fn squeezed(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
    }

    #[test]
    fn comparisons_become_calls() {
        let cases = [
            ("over or score >= 2000", "over or __compare(score, \">=\", 2000)"),
            (
                "a + 1 < b|int and not c == d",
                "__compare(__operate(a, \"+\", 1), \"<\", b|int) and not __compare(c, \"==\", d)",
            ),
            ("a + b * c - d", "__operate(a, \"+\", __operate(b, \"*\", c), \"-\", d)"),
            ("a * b + c", "__operate(__operate(a, \"*\", b), \"+\", c)"),
            ("(a + b) * -c", "__operate((__operate(a, \"+\", b)), \"*\", -c)"),
            ("x is divisibleby -3 or f(a=-1)", "x is divisibleby -3 or f(a= -1)"),
            ("'a' ~ b.c ~ d|int", "__operate('a', \"~\", __spelled(\"b.c\", b.c), \"~\", d|int)"),
            ("1 < a < 5", "__compare(1, \"<\", a, \"<\", 5)"),
            ("(a == 1) == (b != 2)", "__compare((__compare(a, \"==\", 1)), \"==\", (__compare(b, \"!=\", 2)))"),
            ("x not in [1, y == 2]", "__compare(x, \"not in\", [1, __compare(y, \"==\", 2)])"),
            ("not x in y", "not __compare(x, \"in\", y)"),
            (
                "a == 1 if b > 2 else c < 3",
                "__compare(a, \"==\", 1) if __compare(b, \">\", 2) else __compare(c, \"<\", 3)",
            ),
            ("x is not none and y is in z", "x is not none and y is in z"),
            ("f(a == 1, b=c < 2)", "f(__compare(a, \"==\", 1), b= __compare(c, \"<\", 2))"),
            ("{\"a\": x > 1}.a", "{\"a\": __compare(x, \">\", 1)}.a"),
            ("'a == b'", "'a == b'"),
            ("row.in == 1", "__compare(row.in, \"==\", 1)"),
        ];
        for (text, strict) in cases {
            let found = squeezed(&analysed(text).strict);
            assert_eq!(found.replace("[ ", "[").replace("{ ", "{"), strict, "{text}");
        }
    }

    #[test]
    fn names_are_those_of_values() {
        let names = |text: &str| analysed(text).names.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names("over or score >= limit|default(2)"), ["over", "score", "limit"]);
        assert_eq!(names("env.HOME ~ secret['KEY'] ~ row.name ~ env"), ["env.HOME", "secret.KEY", "row", "env"]);
        assert_eq!(names("x is divisibleby y and true and f(key=z)"), ["x", "y", "z"]);
        let found = analysed("count('button') > random() and a|upper is odd");
        assert_eq!(found.functions.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), ["count", "random"]);
        assert_eq!(found.filters.first().unwrap().0, "upper");
        assert_eq!(found.tests.first().unwrap().0, "odd");
        assert_eq!(found.patterns, [("'button'".to_owned(), 6..14)]);
    }
}
