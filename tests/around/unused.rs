//! What a scenario has prepared, and nothing used; and what failed after a failure.

use crate::common::Project;

const PAGE: &str = r#"
pages:
  /: |
    <!doctype html><title>Cart</title><p role=status id=out>waiting</p>
    <button onclick="fetch('/api/pay', {method: 'POST'}).then(answer => out.textContent = 'answer ' + answer.status)">Pay</button>
    <button onclick="out.textContent = 'removed'">Remove</button>
"#;

fn run(steps: &str) -> (Option<i32>, String) {
    let project = Project::new();
    project.write("a.yaml", &format!("{PAGE}{steps}"));
    let ran = project.run(&["run", "a.yaml"]);
    (ran.code, ran.all())
}

#[test]
fn an_answer_that_no_dialog_asked_for_is_noted_at_the_end() {
    let (code, told) =
        run("steps:\n  - open: /\n  - dialog: accept\n  - click: Remove\n  - wait-for: status \"removed\"\n");
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("no dialog needed the answer of line 9: dialog accept"), "{told}");
    let (code, told) = run("steps:\n  - open: /\n  - dialog: { then: accept, expect: Really? }\n  - click: Remove\n");
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("the dialog never came"), "{told}");
}

#[test]
fn a_failure_says_which_mocks_nothing_used_and_which_requests_came_near_them() {
    let steps = "steps:
  - mock: { url: /api/pays, json: {} }
  - mock: { url: /api/pay, method: PUT, json: {} }
  - mock: { url: /somewhere/else.json, json: {} }
  - open: /
  - click: Pay
  - assert-text: { of: status, is: answer 200 }
    timeout: 2s
";
    let (code, told) = run(steps);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("not used so far"), "{told}");
    for line in [
        "line 8: mock /api/pays (near it: POST /api/pay → 405)",
        "line 9: mock PUT /api/pay (near it: POST /api/pay → 405)",
        "line 10: mock /somewhere/else.json\n",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
}

#[test]
fn a_request_with_another_body_is_told_by_the_first_key_that_differs() {
    let page = PAGE.replace("{method: 'POST'}", "{method: 'POST', body: JSON.stringify({card: '4242', amount: 9})}");
    let project = Project::new();
    let steps = "steps:\n  - open: /\n  - click: Pay\n  - assert-requests: { url: /api/pay, json: { amount: 9, card: 4242 } }\n    timeout: 2s\n";
    project.write("a.yaml", &format!("{page}{steps}"));
    let told = "what differs: `card` is the text \"4242\"; the number 4242 is wanted: put it in quotes";
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&[told]);
}

#[test]
fn a_step_of_after_that_fails_after_a_failure_is_told_with_its_reason() {
    let steps = "steps:
  - open: /
  - assert-text: { of: status, is: gone }
    timeout: 200ms
after:
  - click: Nope
    timeout: 200ms
";
    let (code, told) = run(steps);
    assert_eq!(code, Some(1), "{told}");
    for words in ["shows another text (and 1 more)", "nothing on the page is \"Nope\"", "in `after`"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}
