//! Expressions and templates: what they give, and every word where they give nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::diagnostic::Problems;
use super::expression::Expression;
use super::names::Known;
use super::node::Node;
use super::source::Source;
use super::template::Template;
use super::values::{Reason, Values};
use super::yaml;
use crate::outline::Outline;

/// `text` as the value of `a`, in double quotes.
fn node(text: &str) -> Node {
    let mut problems = Problems::default();
    let file = format!("a: {}\n", serde_json::to_string(text).unwrap());
    let root = yaml::read(&Source::new("f", &file), &mut problems);
    assert!(problems.is_empty(), "{problems:?}");
    root.unwrap().get("a").unwrap().clone()
}

fn expression(text: &str) -> Expression {
    let mut problems = Problems::default();
    let found = Expression::parse(&node(text), &mut problems);
    found.unwrap_or_else(|| panic!("{text}: {problems:?}"))
}

fn template(text: &str) -> Template {
    let mut problems = Problems::default();
    let found = Template::parse(&node(text), &mut problems);
    found.unwrap_or_else(|| panic!("{text}: {problems:?}"))
}

fn values() -> Values {
    let mut values = Values::seeded(7);
    let scope = json!({
        "score": 1180, "best": 1.5, "name": "Ada", "over": false, "gone": null, "list": [1, "x"], "row": {"city": "007", "in": 3},
        "env": {"HOME": "/home"}, "secret": {"KEY": "hush"}, "turn": 3,
    });
    values.scope = scope.as_object().unwrap().clone().into_iter().collect();
    let outline = "RootWebArea \"t\"\n  button \"Save\"\n  button \"Cancel\"\n  status \"Score: 12\"\n";
    values.outline = Some(Arc::new(Outline::parse(outline).unwrap()));
    values
}

#[test]
fn expressions_have_values() {
    let cases: &[(&str, Value)] = &[
        ("score", json!(1180)),
        ("{{ score }}", json!(1180)),
        ("over or score >= 2000", json!(false)),
        ("over or score >= 1000", json!(true)),
        ("not over and name == 'Ada'", json!(true)),
        ("score + 20", json!(1200)),
        ("score / 2", json!(590.0)),
        ("score // 100 * 2", json!(22)),
        ("1 < turn < 5", json!(true)),
        ("5 < turn < 9", json!(false)),
        ("turn in [1, 2, 3]", json!(true)),
        ("turn not in [1, 2]", json!(true)),
        ("'d' in name", json!(true)),
        ("'city' in row", json!(true)),
        ("row.city", json!("007")),
        ("row.city|int == 7", json!(true)),
        ("name|upper ~ '!'", json!("ADA!")),
        ("env.HOME", json!("/home")),
        ("secret['KEY']|length", json!(4)),
        ("gone", json!(null)),
        ("gone == none", json!(true)),
        ("gone is none", json!(true)),
        ("gone == 3", json!(false)),
        ("score != none", json!(true)),
        ("list", json!([1, "x"])),
        ("{'a': score > 1}", json!({"a": true})),
        ("'big' if score > 1000 else 'small'", json!("big")),
        ("best == 1.5", json!(true)),
        ("score == 1180.0", json!(true)),
        ("count('button')", json!(2)),
        ("count(\"button 'x'\"|replace(\"'\", '\"'))", json!(0)),
        ("has('button \"Save\"')", json!(true)),
        ("has('button \"Send\"')", json!(false)),
        ("count('status /Score: (\\\\d+)/')", json!(1)),
        ("[3, 1, 2]|select('gt', 1)|list", json!([3, 2])),
        ("score is gt 3", json!(true)),
        ("random(4, 4)", json!(4)),
        ("unset|default('x')", json!("x")),
        ("unset is defined", json!(false)),
        ("-turn", json!(-3)),
        ("row.in == 3", json!(true)),
    ];
    for (text, value) in cases {
        assert_eq!(expression(text).evaluate(&values()).unwrap(), *value, "{text}");
    }
}

#[test]
fn text_is_never_silently_compared_with_a_number() {
    let turn = "turn the text into a number with `|int` or `|float`, or put the number in quotes";
    let cases = [
        ("name == 3", "\"Ada\" == 3 compares text with a number", turn),
        ("score != '1180'", "1180 != \"1180\" compares a number with text", turn),
        ("row.city >= 7", "\"007\" >= 7 compares text with a number", turn),
        ("over or name > 1", "\"Ada\" > 1 compares text with a number", turn),
        ("1 < name < 5", "1 < \"Ada\" compares a number with text", turn),
        ("'3' in [1, 2]", "\"3\" in 1 compares text with a number", ""),
        ("3 in name", "3 in \"Ada\" compares a number with text", turn),
        ("score is gt '3'", "1180 > \"3\" compares a number with text", turn),
        ("over == 0", "false == 0 compares true or false with a number", "compare values of one kind"),
        ("name == true", "\"Ada\" == true compares text with true or false", "compare values of one kind"),
        ("list > 3", "[1, 'x'] > 3 compares a list with a number", "compare values of one kind"),
    ];
    for (text, message, next) in cases {
        let error = expression(text).evaluate(&values()).unwrap_err();
        if text.contains("in [") {
            assert!(error.message.ends_with("compares text with a number"), "{text}: {}", error.message);
            continue;
        }
        assert_eq!((&*error.message, error.next.as_deref()), (message, Some(next)), "{text}");
        assert_eq!(error.reason, Reason::Wrong, "{text}");
        assert_eq!(error.place.unwrap().to_string(), "f:1:5", "{text}");
    }
}

#[test]
fn text_is_never_silently_calculated_with() {
    let join = "turn the text into a number with `|float` or `|int`; to join texts, write `~` for `+`";
    let turn = "turn the text into a number with `|float` or `|int`";
    let cases = [
        ("'50' * 2 == 100", "\"50\" * 2 calculates with text and a number", turn),
        ("name + 1", "\"Ada\" + 1 calculates with text and a number", join),
        ("1 + 2 + name", "3 + \"Ada\" calculates with a number and text", join),
        ("score - name|upper", "1180 - \"ADA\" calculates with a number and text", turn),
        ("'9' - '5'", "\"9\" - \"5\" calculates with text and text", turn),
        ("list * 1000000000", "[1, 'x'] * 1000000000 calculates with a list and a number", "calculate with numbers"),
        ("over + 1", "false + 1 calculates with true or false and a number", "calculate with numbers"),
        ("gone + 1", "there is nothing to calculate with in none + 1", "`x|default(0, true)`"),
    ];
    for (text, message, next) in cases {
        let error = expression(text).evaluate(&values()).unwrap_err();
        assert!(error.next.clone().unwrap().contains(next), "{text}: {error:?}");
        assert_eq!(error.message, message, "{text}");
    }
    let cases = [
        ("2 + 3 * 2 ** 2 - 4 // 3 % 5", json!(13)),
        ("2 - 3 - 4", json!(-5)),
        ("-score + 1180 * -(1 - 2)", json!(0)),
        ("'a' + 'b' ~ 1 + 'c'", json!("ab1c")),
        ("[1] + [2]", json!([1, 2])),
        ("row.city|int + list[0]", json!(8)),
        ("{'a': 1 + 1}.a * [3 - 1][0]", json!(4)),
        ("over ~ 1", json!("false1")),
        ("1 if (score + 1) is odd else 2", json!(1)),
    ];
    for (text, value) in cases {
        assert_eq!(expression(text).evaluate(&values()).unwrap(), value, "{text}");
    }
}

#[test]
fn a_number_is_printed_as_it_was_written_and_calculated_with_as_a_number() {
    let mut values = values();
    let spelled = |text: &str| Value::Number(super::number(text).unwrap());
    values.scope.insert("price".to_owned(), spelled("24.00"));
    values.scope.insert("row".to_owned(), Value::Object([("price".to_owned(), spelled("9.90"))].into_iter().collect()));
    values.scope.insert("prices".to_owned(), Value::Array(vec![spelled("1.50"), spelled("2")]));
    let cases = [
        ("{{ price }}", "24.00"),
        ("€{{ price }} and {{row.price}}", "€24.00 and 9.90"),
        ("{{ prices[0] }}, {{ row['price'] }}, {{ prices }}", "1.50, 9.90, [1.50,2]"),
        ("{{ '€' ~ price }}, {{ row.price ~ '€' ~ prices[0] }}", "€24.00, 9.90€1.50"),
        ("{{ price|default('none') }}", "24.00"),
        ("{{ price * 2 + 0.5 }}", "48.5"),
        ("{{ 'cheap' if price < 25 else 'dear' }}", "cheap"),
    ];
    for (text, rendered) in cases {
        assert_eq!(template(text).render(&values).unwrap(), rendered, "{text}");
    }
    for text in ["price == 24", "price == 24.0", "row.price * 2 == 19.8", "price in [24]", "prices[0] + 1 == 2.5"] {
        assert!(expression(text).holds(&values).unwrap(), "{text}");
    }
    assert_eq!(template("{{ price }}").value(&values).unwrap().to_string(), "24.00");
    assert_eq!(template("{{ prices }}").value(&values).unwrap().to_string(), "[1.50,2]");
}

#[test]
fn what_is_not_there_says_so() {
    let cases = [
        ("scor > 3", "`scor` has no value here", "did you mean `score`?"),
        ("scor", "`scor` has no value here", "did you mean `score`?"),
        ("env.XYZ ~ 'x'", "`env.XYZ` has no value here", "give it a value before this step"),
        ("unset + 1", "`unset` has no value here", "give it a value before this step"),
        ("row.town", "`row.town` has no value here", "look at the names behind its dots and brackets"),
        ("gone > 3", "there is nothing to compare in none > 3", "ask first whether it is there: `x is not none and …`"),
    ];
    for (text, message, next) in cases {
        let error = expression(text).evaluate(&values()).unwrap_err();
        assert_eq!((&*error.message, error.next.as_deref()), (message, Some(next)), "{text}");
        assert_eq!(error.reason, Reason::Absent, "{text}");
    }
    let error = expression("count('button')").evaluate(&Values::default()).unwrap_err();
    assert_eq!((&*error.message, error.reason), ("there is no page yet", Reason::Absent));
}

#[test]
fn only_true_and_false_are_conditions() {
    let holds = |text: &str| expression(text).holds(&values()).map_err(|error| (error.message, error.next.unwrap()));
    assert_eq!(holds("score > 3"), Ok(true));
    assert_eq!(holds("over"), Ok(false));
    assert_eq!(holds("gone"), Ok(false));
    let cases = [
        ("score", "`score` is a number (1180), not true or false", "compare it: `score > 0`"),
        ("env.HOME", "`env.HOME` is text (/home), not true or false", "compare it: `env.HOME != \"\"`"),
        ("list", "`list` is a list or map ([1, 'x']), not true or false", "compare it: `list|length > 0`"),
    ];
    for (text, message, next) in cases {
        assert_eq!(holds(text), Err((message.to_owned(), next.to_owned())), "{text}");
    }
}

#[test]
fn random_is_repeatable_and_cycles_turn() {
    let values = values();
    let draw = |values: &Values| expression("random()").evaluate(values).unwrap().as_f64().unwrap();
    let first = [draw(&values), draw(&values)];
    assert_ne!(first[0], first[1]);
    let again = self::values();
    assert_eq!([draw(&again), draw(&again)], first);
    let cycle = expression("cycle('Left', 'Up', 'Right')");
    let turns: Vec<Value> = (0..4).map(|_| cycle.evaluate(&values).unwrap()).collect();
    assert_eq!(turns, [json!("Left"), json!("Up"), json!("Right"), json!("Left")]);
    assert_eq!(expression("cycle('a', 'b')").evaluate(&values).unwrap(), json!("a"));
}

/// What is said when a text is read as an expression: place, marked text, and words.
fn faults(text: &str) -> Vec<String> {
    let mut problems = Problems::default();
    assert!(Expression::parse(&node(text), &mut problems).is_none(), "{text}");
    lines(problems)
}

fn lines(problems: Problems) -> Vec<String> {
    let line = |diagnostic: super::Diagnostic| {
        let place = diagnostic.place.unwrap();
        let column = place.source.line_column(place.range.start).1;
        let (title, label, next) = (diagnostic.title, diagnostic.label, diagnostic.next.unwrap_or_default());
        format!("{column} [{}] {title} | {label} | {next}", place.text())
    };
    problems.into_iter().map(line).collect()
}

#[test]
fn expressions_that_do_not_parse() {
    let cases: &[(&str, &[&str])] = &[
        ("", &["5 [] an expression is missing | nothing is here | write one, such as `score >= 300`"]),
        ("{{ }}", &["7 [ ] an expression is missing | nothing is here | write one, such as `score >= 300`"]),
        ("name == 'x", &["13 ['x] this text has no closing quote | it begins here | close the quote"]),
        ("a && b", &["7 [&] this expression does not parse | unexpected character | write `and` for `&&`"]),
        (
            "a = 3",
            &["7 [=] this expression does not parse | unexpected input after expression | write `==` to compare"],
        ),
        ("nme|uper", &["9 [uper] there is no filter `uper` | did you mean `upper`? | write `upper`"]),
        ("x is od", &["10 [od] there is no test `od` | did you mean `odd`? | write `odd`"]),
        ("cout('button')", &["5 [cout] there is no function `cout` | did you mean `count`? | write `count`"]),
        (
            "count('button [chcked]')",
            &["20 [chcked] this pattern does not parse | unknown state `chcked` | did you mean [checked]?"],
        ),
        ("{{ a }} and {{ b }}", &["7 [ a }} and {{ b ] x"]),
    ];
    for (text, said) in cases {
        let found = faults(text);
        if text.contains("and {{") {
            assert!(found[0].contains("this expression does not parse"), "{found:?}");
            assert!(found[0].ends_with("write the expression without `{{ }}`, or all of it inside"), "{found:?}");
            continue;
        }
        assert_eq!(found, *said, "{text}");
    }
    assert!(faults("a || b")[0].ends_with("write `or` for `||`"));
    assert!(faults("!a")[0].ends_with("write `not` for `!`"));
    assert!(faults(&"(".repeat(5_000))[0].contains("this expression does not parse"));
    assert!(faults(&"a".repeat(20_000))[0].contains("longer than 10000 characters"));
}

#[test]
fn unknown_names_are_told_at_load() {
    let mut problems = Problems::default();
    let mut known = Known::default();
    for name in ["score", "over", "env.HOME", "secret.PASSWORD"] {
        known.add(name);
    }
    let texts = [
        "scoer > 3 and url != title",
        "env.HOM",
        "env.PATH",
        "secret.TOKEN",
        "env",
        "item",
        "nonsense_word",
        "base ~ other ~ turn",
    ];
    for text in texts {
        assert!(Expression::parse(&node(text), &mut problems).is_some(), "{text}");
    }
    assert!(Template::parse(&node("Hi {{ secret.PASWORD }} and {{ score }}"), &mut problems).is_some());
    problems.declare("item");
    problems.check_names(&known);
    let mut said: Vec<String> = problems.iter().map(|one| one.to_string().replacen("f:1:", "", 1)).collect();
    said.sort();
    assert_eq!(
        said,
        [
            "11: `secret.PASWORD` is not known (did you mean `secret.PASSWORD`?); write `secret.PASSWORD`",
            "5: `env.HOM` is not known (did you mean `env.HOME`?); write `env.HOME`",
            "5: `env.PATH` is not known (not listed under `env:`); list it: `env: [PATH]`",
            "5: `env` is not known (one of several); say which one: env.NAME",
            "5: `nonsense_word` is not known (no value has this name); known here: base, env.HOME, item, other, over, score, \
             secret.PASSWORD, title, turn, url; add it under `variables:`, or put text in quotes",
            "5: `scoer` is not known (did you mean `score`?); write `score`",
            "5: `secret.TOKEN` is not known (not listed under `secrets:`); list it: `secrets: [TOKEN]`",
        ]
    );
}

#[test]
fn templates_are_rendered() {
    let cases = [
        ("Hi {{ name }}!", "Hi Ada!"),
        ("{{ name }}{{ score }}", "Ada1180"),
        ("turn-{{ turn }}\n", "turn-3\n"),
        ("{{ '}}' }} {{ {'a': {'b': 1}}.a.b }}", "}} 1"),
        ("{{ \"{{\" }}", "{{"),
        ("{% if x %} {# c #} }} {", "{% if x %} {# c #} }} {"),
        ("{{ list }}", "[1,\"x\"]"),
        ("{{ best }} {{ over }}", "1.5 false"),
        ("{{ '<b>' }}", "<b>"),
        ("{{ row.city }}", "007"),
        ("{{ gone|default('-', true) }}", "-"),
    ];
    for (text, rendered) in cases {
        assert_eq!(template(text).render(&values()).unwrap(), rendered, "{text}");
    }
    assert_eq!(template("{{ score }}").value(&values()).unwrap(), json!(1180));
    assert_eq!(template(" {{ score }}").value(&values()).unwrap(), json!(" 1180"));
    assert_eq!(template("{{ a }}x").plain(), None);
    assert_eq!(template("{{ a ~ count('row') }}{{ b }}").names().names.len(), 2);
    assert!(template("{{ a ~ count('row') }}").names().page);
    let error = template("a {{ gone }}").render(&values()).unwrap_err();
    assert_eq!(error.message, "`gone` is nothing here");
    assert_eq!(error.place.unwrap().to_string(), "f:1:10");
    assert_eq!(Template::literal("{{ x }}").plain(), Some("{{ x }}"));
}

#[test]
fn templates_that_do_not_parse() {
    let faults = |text: &str| {
        let mut problems = Problems::default();
        assert!(Template::parse(&node(text), &mut problems).is_none(), "{text}");
        lines(problems)
    };
    assert_eq!(
        faults("a {{ name"),
        ["7 [{{] `{{` is not closed | it begins here | end it with `}}`; `{{ \"{{\" }}` writes two braces"]
    );
    assert_eq!(faults("{{ 'x }} b"), ["8 ['x ] this text has no closing quote | it begins here | close the quote"]);
    let two = faults("{{ a|uper }} {{ b|lowr }}");
    assert_eq!(two.len(), 2, "{two:?}");
}

#[test]
fn unquoted_braces_are_told_to_be_quoted() {
    let mut problems = Problems::default();
    yaml::read(&Source::new("f", "a: {{ over }}\n"), &mut problems);
    assert_eq!(
        lines(problems),
        ["4 [{{ over }}] `{{` needs quotes around it | read as a map | put it in quotes: \"{{ over }}\""]
    );
}

proptest! {
    #[test]
    fn text_without_braces_renders_to_itself(text in "([^{]|\\{[^{])*") {
        let text = text.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "");
        prop_assume!(!text.contains("{{"));
        if text.is_empty() { return Ok(()); }
        let found = template(&text);
        prop_assert_eq!(found.plain(), Some(text.as_str()));
        prop_assert_eq!(found.render(&Values::default()).unwrap(), text);
    }

    #[test]
    fn any_text_can_be_written_in_braces(text in "[ -~é]{0,20}") {
        let literal = serde_json::to_string(&text).unwrap();
        let found = template(&format!("<{{{{ {literal} }}}}>"));
        prop_assert_eq!(found.render(&Values::default()).unwrap(), format!("<{text}>"));
    }

    #[test]
    fn no_expression_makes_reading_panic(text in "([a-z]{1,3}|[0-9.]{1,3}|[ =<>!+*/|.,:()\\[\\]{}'\"]|in|not|is|and){0,24}") {
        prop_assume!(!text.trim().is_empty());
        let mut problems = Problems::default();
        if let Some(found) = Expression::parse(&node(&text), &mut problems) {
            let _ = found.evaluate(&values());
        }
        Template::parse(&node(&format!("x {{{{{text}}}}} y {{{{")), &mut problems);
    }

    #[test]
    fn strict_comparisons_agree_with_plain_ones(a in -5_i64..5, b in -5_i64..5, c in -5_i64..5, first in 0..6_usize, second in 0..6_usize) {
        let signs = ["==", "!=", "<", "<=", ">", ">="];
        let holds = |left: i64, sign: usize, right: i64| match signs[sign] {
            "==" => left == right, "!=" => left != right, "<" => left < right, "<=" => left <= right, ">" => left > right, _ => left >= right,
        };
        let text = format!("{a} {} {b} {} {c} or ({a} + 1 {} {b} and not {c} {} {b})", signs[first], signs[second], signs[second], signs[first]);
        let expected = (holds(a, first, b) && holds(b, second, c)) || (holds(a + 1, second, b) && !holds(c, first, b));
        prop_assert_eq!(expression(&text).evaluate(&Values::default()).unwrap(), json!(expected));
    }
}

#[test]
fn no_arithmetic_ends_the_program() {
    let texts = [
        "'x' * 9999999999999",
        "[1] * 9999999999999",
        "2 ** 99999",
        "1 // 0",
        "5 % 0",
        "1 / 0",
        "'abc'[::0]",
        "range(0, 10, 0)",
        "range(9999999999999)|list",
        "1e999",
        "0 ** -1",
        "cycle()",
        "['a']|map('indent', 9999999999999)|list",
    ];
    for text in texts {
        assert!(expression(text).evaluate(&values()).is_err(), "{text}");
    }
    for text in
        ["-9223372036854775808 // -1", "9223372036854775807 * 9223372036854775807", "1e300|int", "1.5|round(99999)"]
    {
        assert!(expression(text).evaluate(&values()).is_ok(), "{text}");
    }
    assert!(faults("'a'|indent(9999999999999)")[0].contains("there is no filter `indent`"));
}

#[test]
fn every_filter_and_test_that_is_known_is_there() {
    for name in super::functions::FILTERS {
        let error = expression(&format!("'x'|{name}")).evaluate(&values()).err();
        assert!(error.is_none_or(|error| !error.message.contains("is unknown")), "{name}");
    }
    for name in super::functions::TESTS {
        let error = expression(&format!("'x' is {name}")).evaluate(&values()).err();
        assert!(error.is_none_or(|error| !error.message.contains("is unknown")), "{name}");
    }
    // What an unknown one would say.
    let unknown = super::functions::ENVIRONMENT.compile_expression("'x'|nothing").unwrap().eval(()).unwrap_err();
    assert!(unknown.detail().unwrap().contains("is unknown"));
}
