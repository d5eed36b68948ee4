//! Answers in the place of servers.

use crate::common::Project;

/// A page that shows what a call came to.
const CALLER: &str = r#"
pages:
  /: |
    <!doctype html><title>Caller</title><p role=status id=out></p>
    <script>
      const say = text => { out.textContent += text + '; ' };
      const call = (url, options) => fetch(url, options)
        .then(async answer => say(answer.status + ':' + (answer.headers.get('x-kind') ?? '') + ':' + await answer.text()), () => say('failed'));
    </script>
    <button onclick="call('/api/one')">One</button>
    <button onclick="call('/api/two', {method: 'POST', body: '{}'})">Two</button>
    <button onclick="call('http://api.elsewhere.test/pay', {method: 'PUT', headers: {'content-type': 'application/json', 'x-key': '1'}, body: '{}'})">Elsewhere</button>
    <button onclick="call('http://api.elsewhere.test/pay', {method: 'PUT', credentials: 'include', headers: {'x-key': '1'}, body: '{}'})">With cookies</button>
"#;

fn passes(steps: &str) -> String {
    let project = Project::new();
    project.write("a.yaml", &format!("{CALLER}steps:\n  - open: /\n{steps}"));
    project.run(&["run", "a.yaml"]).expect_code(0).all()
}

#[test]
fn answers_have_status_headers_and_a_body_and_the_newest_mock_wins() {
    passes(
        r#"
  - mock: { url: "/api/*", status: 503, body: down }
  - mock: { url: /api/one, headers: { X-Kind: mock }, json: { n: [1, two] } }
  - click: One
  - click: Two
  - wait-for: status /200:mock:\{"n":\[1,"two"\]\};/
  - wait-for: status /503::down;/
  - mock: { url: /api/one, times: 1, body: last }
  - click: One
  - wait-for: status /200::last;/
  - click: One
  - wait-for: status /last; 200:mock/
"#,
    );
}

#[test]
fn a_mock_answers_other_origins_that_the_browser_asks_first() {
    passes(
        r#"
  - mock: { url: "http://api.elsewhere.test/*", method: PUT, json: { paid: true } }
  - click: Elsewhere
  - wait-for: status /^200::\{"paid":true\};$/
  - click: With cookies
  - wait-for: status /true\}; 200::\{"paid":true\};$/
  - assert-requests: { url: "http://api.elsewhere.test/pay", method: PUT, count: 2 }
  - assert-requests: { url: "*", method: OPTIONS, count: 0 }
"#,
    );
}

#[test]
fn a_connection_fails_and_an_answer_takes_its_time() {
    let told = passes(
        r#"
  - mock: { url: /api/one, abort: true }
  - mock: { url: /api/two, delay: 300ms, body: late }
  - mock: { url: /api/three, body: never asked for }
  - click: One
  - wait-for: status "failed;"
  - click: Two
  - wait-for: status /200::late/
"#,
    );
    assert!(told.contains("no request used the mock of line 19: mock /api/three"), "{told}");
    assert!(!told.contains("mock /api/one"), "{told}");
}

#[test]
fn values_are_filled_in_with_their_types() {
    let project = Project::new();
    project.write("cards/declined.json", r#"{"from":"a file"}"#).write(
        "a.yaml",
        &format!(
            "{CALLER}variables: {{ price: 42, who: Ada }}\nsteps:\n  - open: /{}",
            r#"
  - mock: { url: "{{ base }}/api/one", json: { price: "{{ price }}", to: "for {{ who }}" }, headers: { x-kind: "{{ who }}" } }
  - click: One
  - wait-for: 'status /200:Ada:\{"price":42,"to":"for Ada"\}/'
  - mock: { url: "*/two", method: post, file: cards/declined.json }
  - click: Two
  - wait-for: 'status /\{"from":"a file"\}/'
"#
        ),
    );
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn frames_of_other_origins_pop_ups_workers_and_redirects_are_mocked_too() {
    let project = Project::new();
    project.write(
        "a.yaml",
        r#"
pages:
  /: |
    <!doctype html><title>Home</title><p role=status id=out></p><iframe title=Frame></iframe>
    <button onclick="window.open('/pop')">Open</button>
    <button onclick="const w = new Worker('/worker.js'); w.onmessage = m => out.textContent = m.data">Work</button>
    <button onclick="fetch('/old').then(a => a.text()).then(t => out.textContent = t)">Go</button>
    <script>document.querySelector('iframe').src = location.href.replace('127.0.0.1', 'localhost') + 'frame'</script>
  /frame: "<!doctype html><title>Frame</title><p id=f role=status></p><script>fetch('/who').then(a => a.text()).then(t => f.textContent = 'frame ' + t)</script>"
  /pop: "<!doctype html><title>Pop</title><p id=f role=status></p><script>fetch('/who').then(a => a.text()).then(t => f.textContent = 'pop-up ' + t)</script>"
  /worker.js: "fetch('/who').then(a => a.text()).then(t => postMessage('worker ' + t))"
steps:
  - mock: { url: /who, body: is mocked }
  - mock: { url: /old, status: 302, headers: { location: /new } }
  - mock: { url: /new, body: moved here }
  - open: /
  - wait-for: status "frame is mocked"
  - click: Work
  - wait-for: status "worker is mocked"
  - click: Go
  - wait-for: status "moved here"
  - { click: Open, opens: pop }
  - { wait-for: 'status "pop-up is mocked"', tab: pop }
  - assert-requests: { url: /who, count: 3 }
"#,
    );
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn a_document_is_mocked_as_well() {
    let project = Project::new();
    project.write(
        "a.yaml",
        r#"
steps:
  - mock: { url: "http://nowhere.test/*", body: "<title>Here</title><h1>Anyway</h1>", headers: { Content-Type: text/html } }
  - open: http://nowhere.test/a?b=c
  - assert-title: Here
  - assert-url: /a?b=c
"#,
    );
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn mistakes_are_told_at_load() {
    let project = Project::new();
    project.write(
        "a.yaml",
        r#"
steps:
  - mock: { status: 200 }
  - mock: { url: /a, status: 99 }
  - mock: { url: /a, json: 1, body: x }
  - mock: { url: /a, abort: true, status: 500 }
  - mock: { url: "/(/" }
  - mock: { url: "" }
  - mock: { url: /a, method: "GET POST" }
  - mock: { url: /a, file: not/there.json }
  - mock: { url: /a, times: 0, delay: soon }
  - mock: { url: /a, headers: { "a b": c } }
  - mock: { url: /a, statuss: 200 }
  - mock: { url: /a, json: { a: "{{ 1 + }}" } }
"#,
    );
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&[
        "`mock` needs `url`",
        "`status` is an HTTP status from 200 to 599",
        "`json` and `body` exclude each other",
        "`abort` and `status` exclude each other",
        "this regular expression does not parse",
        "no address is named here",
        "`GET POST` is not a method",
        "there is no file `not/there.json`",
        "`times` is a whole number of at least 1",
        "`delay` is not a duration",
        "`a b` can't be the name of a header",
        "did you mean `status`?",
        "12 ",
    ]);
}
