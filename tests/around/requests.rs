//! The requests that pages made.

use crate::common::Project;

const PAGE: &str = r#"
pages:
  /: |
    <!doctype html><title>Shop</title>
    <script>const pay = amount => fetch('/api/pay?try=1', {method: 'POST', body: JSON.stringify({amount, currency: 'EUR', items: [{id: 7, n: 1}]})})</script>
    <button onclick="pay(42)">Pay</button>
    <button onclick="setTimeout(pay, 300, 1)">Pay later</button>
steps:
  - open: /
  - mock: { url: /api/pay, status: 402 }
"#;

#[test]
fn requests_are_waited_for_and_told_apart_by_method_body_and_count() {
    let project = Project::new();
    project.write(
        "a.yaml",
        &format!(
            "{PAGE}{}",
            r#"
  - assert-requests: { url: /api/pay, count: 0 }
  - click: Pay later
  - assert-requests: /api/pay
  - click: Pay
  - assert-requests: { url: /api/pay?try=1, method: post, count: 2 }
  - assert-requests: { url: /pay.*/, count: 1, json: { amount: 42, items: [{ id: 7 }] } }
  - assert-requests: { url: "*", count: 1, body: '/"amount":1,/' }
  - assert-requests: { url: /, method: GET, count: 1 }
  - { assert-requests: { url: /api/pay, count: 1 }, fails: the page made this request 2 times }
  - { assert-requests: { url: /api/refund }, fails: the page made no such request, timeout: 200ms }
"#
        ),
    );
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn a_failure_shows_what_was_asked_for_instead() {
    let project = Project::new();
    project.write("a.yaml", &format!("{PAGE}  - click: Pay\n  - {{ assert-requests: {{ url: /api/pay, json: {{ amount: 43 }} }}, timeout: 300ms }}\n"));
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&[
        "the page made no request with this body",
        "none after 300 ms",
        r#"POST /api/pay?try=1 → 402, mocked  {"amount":42"#,
    ]);
}

#[test]
fn mistakes_are_told_at_load() {
    let project = Project::new();
    project.write(
        "a.yaml",
        "steps:\n  - assert-requests\n  - assert-requests: { url: /a, count: -1 }\n  - assert-requests: { url: /a, methods: GET }\n  - assert-requests: { url: /a, body: /(/ }\n",
    );
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&[
        "`assert-requests` needs an address or a part of it",
        "`count` is a whole number of at least 0",
        "did you mean `method`?",
        "this regular expression does not parse",
    ]);
}
