//! `routes` over raw sockets, as a scenario writes them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use playscript::scenario::{Problems, Source, parse};
use playscript::site::{Site, SiteSpec};
use playscript::steps::VOCABULARY;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

/// Longer than anything here takes, so that a hang is a failure.
const LIMIT: Duration = Duration::from_secs(20);

const PAGES: &str = "pages: { /: home, /private: secret, /slow: late }\n";

fn spec(head: &str) -> SiteSpec {
    let mut problems = Problems::default();
    let text = format!("{head}steps:\n  - open: /\n");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/routes-test.yaml");
    let scenario = parse(Source::new(file, &text), &VOCABULARY, &mut problems).unwrap();
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(told, Vec::<String>::new());
    SiteSpec { folder: scenario.serve, pages: scenario.pages, routes: scenario.routes }
}

async fn site(routes: &str) -> Site {
    Site::start(spec(&format!("{PAGES}routes:\n{routes}"))).await.unwrap()
}

async fn asked(site: &Site, request: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", site.port())).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    BufReader::new(stream)
}

/// All that comes until the connection is closed.
async fn raw(site: &Site, first_line: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    let head =
        format!("{first_line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n");
    let mut stream = asked(site, &format!("{head}{body}")).await;
    let mut answer = Vec::new();
    timeout(LIMIT, stream.read_to_end(&mut answer)).await.expect("closed in time").expect("closed in peace");
    String::from_utf8(answer).unwrap()
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn all(&self, name: &str) -> Vec<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).collect()
    }

    fn header(&self, name: &str) -> &str {
        self.all(name).first().copied().unwrap_or_default()
    }
}

async fn ask_with(site: &Site, first_line: &str, headers: &str) -> Answer {
    let answer = raw(site, first_line, headers, "").await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head: {answer:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

async fn ask(site: &Site, first_line: &str) -> Answer {
    ask_with(site, first_line, "").await
}

#[tokio::test]
async fn answers_have_a_status_headers_and_a_body() {
    let site = site(
        r#"
  /json: { json: { n: 1, list: [a, true, null] } }
  /text: { body: "a,b\n", status: 201 }
  /csv: { body: "a,b", headers: { Content-Type: text/csv, X-Note: "grüße", Set-Cookie: [a=1, b=2], Cache-Control: max-age=60 } }
  /file: { file: rows-of-examples.csv }
  /gone: { status: 410 }
  /none: { status: 204 }
"#,
    )
    .await;
    let json = ask(&site, "GET /json?any=query").await;
    assert_eq!((json.status, &*json.body), (200, r#"{"list":["a",true,null],"n":1}"#));
    assert_eq!((json.header("content-type"), json.header("cache-control")), ("application/json", "no-store"));
    let text = ask(&site, "PUT /text").await;
    assert_eq!((text.status, &*text.body, text.header("content-type")), (201, "a,b\n", "text/plain; charset=utf-8"));
    let csv = ask(&site, "GET /csv").await;
    assert_eq!((csv.header("content-type"), csv.header("x-note")), ("text/csv", "grüße"));
    assert_eq!((csv.all("set-cookie"), csv.header("cache-control")), (vec!["a=1", "b=2"], "max-age=60"));
    let file = ask(&site, "GET /file").await;
    assert_eq!((file.status, file.header("content-type")), (200, "text/csv; charset=utf-8"));
    assert_eq!(file.body, std::fs::read_to_string("scenarios/rows-of-examples.csv").unwrap());
    let part = ask_with(&site, "GET /file", "Range: bytes=0-2\r\n").await;
    assert_eq!((part.status, part.body.len()), (206, 3));
    assert_eq!((ask(&site, "GET /gone").await.status, ask(&site, "GET /none").await.status), (410, 204));
    assert_eq!(ask(&site, "GET /").await.body, "home");
    let missing = ask(&site, "GET /nope").await;
    assert!(missing.status == 404 && missing.body.contains("<code>/csv</code>"), "{}", missing.body);
}

#[tokio::test]
async fn the_most_exact_route_answers_and_of_those_alike_the_first() {
    let site = site(
        r#"
  /api/*: { body: star }
  /api/items/*: { body: later star }
  /api/items: { body: items }
  POST /api/items: { body: made }
  /api/items?page=2: { body: second page }
  GET /api/items?page=*: { body: some page }
  /grüße aus: { body: hello }
  /100%25: { body: percent }
  /find?q=a*: { body: found }
"#,
    )
    .await;
    for (request, body) in [
        ("GET /api/x", "star"),
        ("GET /api/items/7/parts", "star"),
        ("GET /api/items", "items"),
        ("PATCH /api/items?x=1", "items"),
        ("POST /api/items", "made"),
        ("GET /api/items?page=2", "second page"),
        ("GET /api/items?page=3", "items"),
        ("GET /gr%C3%BC%C3%9Fe%20aus", "hello"),
        ("GET /100%25", "percent"),
        ("GET /find?q=abc", "found"),
        ("GET /find?q=a://x/api/items", "found"),
    ] {
        assert_eq!(ask(&site, request).await.body, body, "{request}");
    }
    assert_eq!(ask(&site, "GET /find?q=b").await.status, 404);
}

#[tokio::test]
async fn methods_without_a_route_are_told_which_there_are() {
    let site =
        site("\n  POST /pay: { status: 402 }\n  GET /list: { json: [1] }\n  DELETE /private: { status: 204 }\n").await;
    let get = ask(&site, "GET /pay").await;
    assert_eq!((get.status, get.header("allow")), (405, "POST"));
    let head = ask(&site, "HEAD /list").await;
    assert_eq!((head.status, head.header("content-length"), &*head.body), (200, "3", ""));
    let put = ask(&site, "PUT /list").await;
    assert_eq!((put.status, put.header("allow")), (405, "GET, HEAD"));
    // A page answers GET although there is only a route for something else.
    assert_eq!(ask(&site, "GET /private").await.body, "secret");
    assert_eq!(ask(&site, "DELETE /private").await.status, 204);
    let post = ask(&site, "POST /private").await;
    assert_eq!((post.status, post.header("allow")), (405, "DELETE, GET, HEAD"));
}

#[tokio::test]
async fn what_answers_get_answers_head_unless_the_path_has_a_route_for_it() {
    let routes = "\n  /api/*: { status: 404 }\n  GET /api/items: { status: 201 }\n  GET /own: { status: 201 }\n  HEAD /own: { status: 202 }\n";
    let site = site(routes).await;
    for (request, status) in [
        ("HEAD /api/items", 201),
        ("HEAD /api/x", 404),
        ("HEAD /own", 202),
        ("GET /own", 201),
        ("POST /api/items", 404),
    ] {
        assert_eq!(ask(&site, request).await.status, status, "{request}");
    }
}

#[tokio::test]
async fn answers_take_turns_and_the_last_one_stays() {
    let site = site(
        "\n  /api: [{ status: 503 }, { status: 429, headers: { Retry-After: 1 } }, { json: ok }]\n  /: [{ status: 500 }, {}]\n",
    )
    .await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(ask(&site, "GET /api").await.status);
    }
    assert_eq!(statuses, [503, 429, 200, 200]);
    assert_eq!(ask(&site, "GET /").await.status, 500);
    assert_eq!(ask(&site, "GET /").await.body, "home");
}

#[tokio::test]
async fn an_icon_that_browsers_ask_for_by_themselves_takes_no_turn() {
    let site = site("\n  /*: [{ status: 503 }, { body: ok }]\n").await;
    assert_eq!(ask(&site, "GET /favicon.ico").await.status, 204);
    assert_eq!(ask(&site, "GET /a").await.status, 503);
    let site = self::site("\n  /favicon.ico: { status: 410 }\n").await;
    assert_eq!(ask(&site, "GET /favicon.ico").await.status, 410);
}

#[tokio::test]
async fn a_password_stands_before_what_is_served_and_takes_no_turn() {
    let auth = "auth: { user: ada, password: \"p:w ü\" }";
    let site = site(&format!(
        "\n  /private: {{ {auth}, headers: {{ X-Seen: 1 }} }}\n  /api: [{{ {auth}, json: 1 }}, {{ {auth}, json: 2 }}]\n"
    ))
    .await;
    // `ada:p:w ü`, `ada:no`.
    let (right, wrong) = ("Authorization: Basic YWRhOnA6dyDDvA==\r\n", "Authorization: Basic YWRhOm5v\r\n");
    for headers in ["", wrong, "Authorization: Bearer YWRhOnA6dyDDvA==\r\n", "Authorization: Basic %\r\n"] {
        for path in ["/private", "/api"] {
            let refused = ask_with(&site, &format!("GET {path}"), headers).await;
            assert_eq!(refused.status, 401, "{path} {headers}");
            assert!(refused.header("www-authenticate").starts_with("Basic realm="), "{}", refused.head);
            assert!(!refused.body.contains("secret"));
        }
    }
    let page = ask_with(&site, "GET /private", right).await;
    assert_eq!((page.status, &*page.body, page.header("x-seen")), (200, "secret", "1"));
    for body in ["1", "2", "2"] {
        assert_eq!(ask_with(&site, "GET /api", &right.replace("Basic", "basic")).await.body, body);
    }
}

#[tokio::test]
async fn a_redirect_says_where_to_go() {
    let site = site("\n  /old: { redirect: \"/new page?x=1#top\" }\n  POST /form: { redirect: /done, status: 303 }\n  /out: { redirect: \"https://example.com/ü\", status: 308 }\n").await;
    for (request, status, location) in [
        ("GET /old", 302, "/new%20page?x=1#top"),
        ("POST /form", 303, "/done"),
        ("GET /out", 308, "https://example.com/%C3%BC"),
    ] {
        let answer = ask(&site, request).await;
        assert_eq!((answer.status, answer.header("location")), (status, location), "{request}");
    }
}

#[tokio::test]
async fn a_dropped_connection_carries_nothing_and_is_logged() {
    let site = site("\n  /cut: [{ drop: true }, { json: back }]\n").await;
    assert_eq!(raw(&site, "POST /cut", "", "some body").await, "");
    // Nobody keeps a connection that a browser would ask again on by itself.
    let mut kept = asked(&site, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    let mut answer = String::new();
    timeout(LIMIT, kept.read_to_string(&mut answer)).await.expect("closed in time").unwrap();
    assert!(answer.contains("connection: close"), "{answer}");
    assert_eq!(ask(&site, "GET /cut").await.body, "\"back\"");
    let told: Vec<_> = site.requests().iter().map(|request| request.status).collect();
    assert_eq!(told, [None, Some(200), Some(200)]);
}

#[tokio::test]
async fn a_delay_is_waited_for_and_what_was_sent_is_taken_in() {
    let site = site("\n  /slow: { delay: 150ms }\n  POST /upload: { status: 413 }\n").await;
    let started = Instant::now();
    assert_eq!(ask(&site, "GET /slow").await.body, "late");
    assert!(started.elapsed() >= Duration::from_millis(150));
    let answer = raw(&site, "POST /upload", "", &"x".repeat(8 << 20)).await;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}

#[tokio::test]
async fn events_come_in_their_time_and_the_stream_stays_open() {
    let events = r#"[{ data: "one\ntwo" }, { event: tick, id: 7, retry: 2s, data: { n: 1 }, after: 100ms }]"#;
    let site = site(&format!("\n  /events: {{ events: {events}, headers: {{ X-Accel-Buffering: no }} }}\n  /ends: {{ events: [{{ data: 1 }}], close: true }}\n")).await;
    let mut stream = asked(&site, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n").await;
    let started = Instant::now();
    let mut lines: Vec<String> = Vec::new();
    let read = async {
        while lines.last().is_none_or(|line| line != r#"data: {"n":1}"#) {
            let mut line = String::new();
            assert_ne!(stream.read_line(&mut line).await.unwrap(), 0, "{lines:?}");
            lines.push(line.trim_end().to_owned());
        }
    };
    timeout(LIMIT, read).await.expect("all events in time");
    assert!(started.elapsed() >= Duration::from_millis(100));
    for wanted in [
        "content-type: text/event-stream",
        "x-accel-buffering: no",
        "data: one",
        "data: two",
        "event: tick",
        "id: 7",
        "retry: 2000",
    ] {
        assert!(lines.iter().any(|line| line == wanted), "{wanted}: {lines:?}");
    }
    let head = ask(&site, "HEAD /events").await;
    assert_eq!((head.status, head.header("content-length"), &*head.body), (200, "", ""));
    let whole = ask(&site, "GET /ends").await.body;
    assert!(whole.contains("data: 1\n\n") && whole.ends_with("0\r\n\r\n"), "{whole:?}");

    // The first stream is still open: the end of the site is what ends it, whatever time it is given.
    let mut late = asked(&site, "GET /events HTTP/1.1\r\nHost: x\r\n\r\n").await;
    late.fill_buf().await.unwrap();
    timeout(LIMIT, site.close(Instant::now() + Duration::from_secs(600))).await.expect("closed at once");
    let mut rest = Vec::new();
    let _ = timeout(LIMIT, stream.read_to_end(&mut rest)).await.expect("ended with the site");
}

#[tokio::test]
async fn no_delay_outlives_the_site() {
    let routes = "\n  /late: { json: 1, delay: 10m }\n  /events: { events: [{ data: a, after: 10m }] }\n";
    for gently in [true, false] {
        let site = site(routes).await;
        let mut waiting = Vec::new();
        for path in ["/late", "/events"] {
            waiting.push(asked(&site, &format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")).await);
        }
        // Its head is here, so the others have been accepted as well.
        waiting[1].fill_buf().await.unwrap();
        if gently {
            timeout(LIMIT, site.close(Instant::now() + Duration::from_secs(600))).await.expect("closed at once");
        } else {
            drop(site);
        }
        for mut stream in waiting {
            let mut rest = Vec::new();
            let _ = timeout(LIMIT, stream.read_to_end(&mut rest)).await.expect("ended with the site");
        }
    }
}
