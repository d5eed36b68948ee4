//! `routes` in a real browser: what pages see of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::time::{Duration, Instant};

use common::Project;

const PAGE: &str = r"<!doctype html><html lang=en><title>T</title><p role=status>nothing</p><ol></ol><button>Go</button><script>
const [status, list] = [document.querySelector('p'), document.querySelector('ol')];
const say = (text) => status.textContent = text;
const add = (text) => { const item = document.createElement('li'); item.textContent = text; list.append(item) };
async function ask(path, init) {
  try {
    const answer = await fetch(path, init);
    say(`${answer.status} ${answer.headers.get('X-Note')} ${await answer.text()}`);
  } catch (error) { say(`failed: ${error.message}`) }
}
document.querySelector('button').onclick = async () => { GO };
</script>";

/// A scenario whose button does something.
fn scenario(go: &str, head: &str, steps: &str) -> String {
    let page = PAGE.replace("GO", go).replace('\n', "\n    ");
    format!("{head}\npages:\n  /: |\n    {page}\n  /inside: <h1>Inside</h1>\nsteps:\n  - open: /\n{steps}")
}

#[test]
fn a_call_gets_its_status_headers_body_and_turns() {
    let project = Project::new();
    let head = "routes:\n  POST /api/pay: { status: 402, headers: { X-Note: no }, json: { error: declined } }\n  /api/*: [{ status: 503 }, { body: later }]";
    project.write(
        "a.yaml",
        &scenario(
            "await ask('/api/pay', { method: 'POST', body: 'x'.repeat(3_000_000) }); add(status.textContent); \
             await ask('/api/a'); add(status.textContent); await ask('/api/b'); add(status.textContent); \
             await ask('/api/pay'); add(status.textContent)",
            head,
            "  - click: Go\n  - wait-for: |\n      listitem \"402 no {\\\"error\\\":\\\"declined\\\"}\"\n      listitem \"503 null\"\n      listitem \"200 null later\"\n      listitem \"200 null later\"\n  - assert-requests: { url: /api/pay, method: POST, count: 1 }\n",
        ),
    );
    project.run(&["run", "a.yaml"]).expect_code(0);
    // A mock stands before a route.
    let mocked = std::fs::read_to_string(project.folder().join("a.yaml")).unwrap();
    let mocked =
        mocked.replace("  - click: Go\n", "  - mock: { url: /api/pay, method: POST, json: mocked }\n  - click: Go\n");
    project.write("a.yaml", &mocked.replace("402 no {\\\"error\\\":\\\"declined\\\"}", "200 null \\\"mocked\\\""));
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn a_dropped_connection_fails_a_call_that_recovers_by_trying_again() {
    let project = Project::new();
    // Calls before it leave a connection behind that the browser would use again.
    let go = "await ask('/inside'); await ask('/inside'); await ask('/cut'); add(status.textContent); await ask('/cut'); add(status.textContent)";
    let head = "routes:\n  /cut: [{ drop: true }, { body: back }]";
    let steps = "  - click: Go\n  - wait-for: |\n      listitem \"failed: Failed to fetch\"\n      listitem \"200 null back\"\n";
    project.write("a.yaml", &scenario(go, head, steps));
    project.write("b.yaml", &scenario(go, &format!("fail-on: [failed-requests]\n{head}"), steps));
    project.write("c.yaml", "routes:\n  /: { drop: true }\nsteps:\n  - { open: /, fails: ERR_EMPTY_RESPONSE }\n");
    project.run(&["run", "a.yaml", "c.yaml"]).expect_code(0).expect_words(&["2 passed"]);
    project
        .run(&["run", "b.yaml"])
        .expect_code(1)
        .expect_words(&["a request of the page failed", "GET /cut → net::ERR_EMPTY_RESPONSE"]);
}

#[test]
fn redirects_are_followed_and_passwords_asked_for() {
    let project = Project::new();
    let head = "routes:\n  /old: { redirect: /inside }\n  /form: { redirect: /inside, status: 303 }\n  /inside: { headers: { X-Note: seen } }\n  /private: { auth: { user: ada, password: pw }, headers: { Content-Type: text/html }, body: <h1>Secret</h1> }";
    let steps = "  - open: /old\n  - assert-url: /inside\n  - assert-tree-contains: heading \"Inside\"\n\
        \x20 - open: /\n  - click: Go\n  - wait-for: status /^200 seen /\n\
        \x20 - { open: /private, fails: 401 }\n\
        \x20 - { open: { url: /private, auth: { user: ada, password: no } }, fails: does not take this user }\n\
        \x20 - open: { url: /private, auth: { user: ada, password: pw } }\n  - assert-tree-contains: heading \"Secret\"\n";
    project.write("a.yaml", &scenario("await ask('/form', { method: 'POST' })", head, steps));
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn an_event_source_hears_events_and_connects_again_where_its_stream_ends() {
    let project = Project::new();
    let go = "const source = new EventSource('/events'); \
        source.onmessage = (event) => add(event.data); \
        source.addEventListener('tick', (event) => add(`tick ${event.lastEventId} ${JSON.parse(event.data).n}`))";
    let head = "routes:\n  /events:\n    - { events: [{ data: \"a\\nb\" }, { event: tick, data: { n: 1 }, id: 3, retry: 10ms, after: 20ms }], close: true }\n    - { events: [{ data: again }] }";
    let steps = "  - click: Go\n  - wait-for: |\n      listitem \"a b\"\n      listitem \"tick 3 1\"\n      listitem \"again\"\n  - assert-requests: { url: /events, count: 2 }\n";
    project.write("a.yaml", &scenario(go, head, steps));
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn the_second_origin_has_the_same_routes() {
    let project = Project::new();
    let go = "await ask(`http://localhost:${location.port}/api`); add(status.textContent); await ask(`http://localhost:${location.port}/closed`); add(status.textContent)";
    let head =
        "routes:\n  /api: { headers: { Access-Control-Allow-Origin: \"*\" }, body: open }\n  /closed: { body: closed }";
    let steps = "  - click: Go\n  - wait-for: |\n      listitem \"200 null open\"\n      listitem /^failed/\n";
    project.write("a.yaml", &scenario(go, head, steps));
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn no_run_waits_for_an_answer_that_nobody_waits_for() {
    let project = Project::new();
    let go = "ask('/slow'); new EventSource('/events').onmessage = (event) => say(event.data)";
    let head = "routes:\n  /slow: { json: 1, delay: 60s }\n  /events: { events: [{ data: listening }, { data: b, after: 60s }] }";
    project.write("a.yaml", &scenario(go, head, "  - click: Go\n  - wait-for: status \"listening\"\n"));
    let started = Instant::now();
    project.run(&["run", "a.yaml"]).expect_code(0);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    project.write("b.yaml", "routes:\n  /: { json: 1, delay: 60s }\nsteps:\n  - open: /\n    timeout: 300ms\n");
    let started = Instant::now();
    project.run(&["run", "b.yaml"]).expect_code(1);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert!(project.browsers().is_empty(), "{:?}", project.browsers());
}
