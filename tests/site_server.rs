//! The embedded server over raw sockets: every byte of head and body is read as it came.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::time::Duration;

use playscript::site::{Site, SiteSpec};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

/// Longer than anything here takes, so that a hang is a failure.
const LIMIT: Duration = Duration::from_secs(20);

struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a text")
    }
}

struct Client(BufReader<TcpStream>);

impl Client {
    async fn new(site: &Site) -> Client {
        Client(BufReader::new(TcpStream::connect(("127.0.0.1", site.port())).await.unwrap()))
    }

    async fn ask(&mut self, first_line: &str, headers: &str) -> Answer {
        let request = format!("{first_line} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}\r\n");
        self.0.write_all(request.as_bytes()).await.unwrap();
        timeout(LIMIT, self.answer(first_line.starts_with("HEAD "))).await.expect("an answer in time")
    }

    async fn answer(&mut self, without_body: bool) -> Answer {
        let mut head = String::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.0.read_line(&mut line).await.unwrap(), 0, "closed within the head: {head:?}");
            if line == "\r\n" {
                break;
            }
            head.push_str(&line);
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut answer = Answer { status, head, body: Vec::new() };
        let length = answer.header("content-length").map(|length| length.parse().unwrap());
        if !without_body && status != 204 {
            answer.body = vec![0; length.expect("a length")];
            self.0.read_exact(&mut answer.body).await.unwrap();
        }
        answer
    }

    async fn is_closed(&mut self) -> bool {
        timeout(LIMIT, self.0.read_u8()).await.expect("closed in time").is_err()
    }
}

async fn get(site: &Site, path: &str) -> Answer {
    Client::new(site).await.ask(&format!("GET {path}"), "").await
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

async fn served(files: &[(&str, &str)], pages: &[(&str, &str)]) -> (TempDir, Site) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    let pages = pages.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let site =
        Site::start(SiteSpec { folder: Some(folder.path().to_owned()), pages, ..SiteSpec::default() }).await.unwrap();
    (folder, site)
}

#[tokio::test]
async fn files_and_pages_are_found_as_a_front_end_developer_expects() {
    let files = [
        ("index.html", "home"),
        ("about.html", "about"),
        ("docs/index.html", "docs"),
        ("docs/page one.html", "one"),
        ("grüße/東京.html", "tokyo"),
        ("team.html", "team page"),
        ("team/logo.svg", "<svg/>"),
        ("plain", "no extension"),
        ("both.html", "file"),
    ];
    let pages = [("/both.html", "inline"), ("/extra", "an extra page"), ("/style.css", "a{}"), ("/sp%20ace", "space")];
    let (_folder, site) = served(&files, &pages).await;
    for (path, body, content_type) in [
        ("/", "home", "text/html; charset=utf-8"),
        ("/index.html", "home", "text/html; charset=utf-8"),
        ("/?a=1", "home", "text/html; charset=utf-8"),
        ("/about", "about", "text/html; charset=utf-8"),
        ("/about.html", "about", "text/html; charset=utf-8"),
        ("/docs/", "docs", "text/html; charset=utf-8"),
        ("/docs/page%20one", "one", "text/html; charset=utf-8"),
        ("/gr%C3%BC%C3%9Fe/%E6%9D%B1%E4%BA%AC.html", "tokyo", "text/html; charset=utf-8"),
        ("/team", "team page", "text/html; charset=utf-8"),
        ("/team/logo.svg", "<svg/>", "image/svg+xml; charset=utf-8"),
        ("/plain", "no extension", "application/octet-stream"),
        ("/both", "inline", "text/html; charset=utf-8"),
        ("/both.html", "inline", "text/html; charset=utf-8"),
        ("/extra", "an extra page", "text/html; charset=utf-8"),
        ("/style.css", "a{}", "text/css; charset=utf-8"),
        ("/sp%20ace", "space", "text/html; charset=utf-8"),
    ] {
        let answer = get(&site, path).await;
        assert_eq!((answer.status, answer.text()), (200, body), "{path}");
        assert_eq!(answer.header("content-type"), Some(content_type), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(answer.header("etag"), None);
        assert_eq!(answer.header("last-modified"), None);
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    let moved = get(&site, "/docs?a=1&b=2").await;
    assert_eq!((moved.status, moved.header("location")), (302, Some("/docs/?a=1&b=2")));
}

#[tokio::test]
async fn inline_pages_alone_and_the_two_spellings_of_the_index() {
    let spec =
        |path: &str| SiteSpec { pages: vec![(path.to_owned(), "<h1>Hi</h1>".to_owned())], ..SiteSpec::default() };
    for key in ["/", "/index.html", "index.html", ""] {
        let site = Site::start(spec(key)).await.unwrap();
        for path in ["/", "/index.html"] {
            assert_eq!(get(&site, path).await.text(), "<h1>Hi</h1>", "{key} {path}");
        }
        let missing = get(&site, "/nope").await;
        assert_eq!(missing.status, 404);
        assert!(missing.text().contains("/nope"), "{}", missing.text());
    }
    let error = Site::start(spec("/search?q=1")).await.expect_err("a query in a page's path");
    assert!(error.to_string().contains("/search?q=1"), "{error}");
}

#[tokio::test]
async fn a_folder_that_is_none_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "file.txt", "x");
    for name in ["nowhere", "file.txt"] {
        let spec = SiteSpec { folder: Some(folder.path().join(name)), ..SiteSpec::default() };
        let error = Site::start(spec).await.expect_err("an error");
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[tokio::test]
async fn there_is_no_way_out_of_the_folder() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.txt", "SECRET");
    write(outside.path(), "site/index.html", "home");
    write(outside.path(), "site/.env", "SECRET");
    write(outside.path(), "site/.git/config", "SECRET");
    write(outside.path(), "site/.well-known/x.txt", "public");
    let folder = outside.path().join("site");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.path().join("secret.txt"), folder.join("link.txt")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.join("up")).unwrap();
        std::os::unix::fs::symlink("index.html", folder.join("inside.html")).unwrap();
        std::os::unix::fs::symlink("loop", folder.join("loop")).unwrap();
    }
    let site = Site::start(SiteSpec { folder: Some(folder), ..SiteSpec::default() }).await.unwrap();
    let absolute = outside.path().join("secret.txt").display().to_string();
    let machine = outside.path().display().to_string();
    for path in [
        "/../secret.txt".to_owned(),
        "/%2e%2e/secret.txt".to_owned(),
        "/%2E%2E/secret.txt".to_owned(),
        "/.%2e/secret.txt".to_owned(),
        "/..%2fsecret.txt".to_owned(),
        "/..%5csecret.txt".to_owned(),
        "/..\\secret.txt".to_owned(),
        "/x/../../secret.txt".to_owned(),
        "/%252e%252e/secret.txt".to_owned(),
        "/secret.txt%00.html".to_owned(),
        "/.env".to_owned(),
        "/.git/config".to_owned(),
        "/link.txt".to_owned(),
        "/up/secret.txt".to_owned(),
        "/up".to_owned(),
        "/loop".to_owned(),
        format!("/{absolute}"),
        absolute.clone(),
        format!("/{}", absolute.replace('/', "%2f")),
        "/%ff".to_owned(),
        format!("/{}", "a".repeat(5000)),
    ] {
        let answer = get(&site, &path).await;
        assert!(matches!(answer.status, 403 | 404), "{path}: {}", answer.status);
        assert!(!answer.text().contains("SECRET"), "{path}");
        // Whoever asked may have sent the folder's path; the answer must not tell it by itself.
        assert!(path.contains("tmp") || !answer.text().contains(&machine), "{path}: {}", answer.text());
    }
    assert_eq!(get(&site, "/.well-known/x.txt").await.text(), "public");
    #[cfg(unix)]
    assert_eq!(get(&site, "/inside.html").await.text(), "home");
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_in_the_folder_does_not_hang_the_request() {
    let (folder, site) = served(&[], &[]).await;
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap();
    assert!(made.success());
    assert_eq!(get(&site, "/pipe").await.status, 404);
}

#[tokio::test]
async fn a_missing_page_says_what_was_looked_for() {
    let (_folder, site) = served(&[("about.html", "x"), ("empty/other.txt", "x")], &[("/", "x")]).await;
    let answer = get(&site, "/abuot").await;
    assert_eq!(answer.status, 404);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    for said in ["<code>/abuot</code>", "<code>abuot.html</code>", "<code>/about.html</code> meant?", "<code>/</code>"]
    {
        assert!(answer.text().contains(said), "{said}: {}", answer.text());
    }
    let folder = get(&site, "/empty/").await;
    assert_eq!(folder.status, 404);
    assert!(folder.text().contains("has no <code>index.html</code>"), "{}", folder.text());
    assert!(get(&site, "/empty").await.text().contains("has no <code>index.html</code>"));
    assert!(!get(&site, "/%3Cscript%3E").await.text().contains("<script>"));
}

#[tokio::test]
async fn a_favicon_is_quietly_absent_and_served_when_there() {
    let (folder, site) = served(&[], &[]).await;
    let answer = get(&site, "/favicon.ico").await;
    assert_eq!((answer.status, answer.header("content-length")), (204, None));
    write(folder.path(), "favicon.ico", "icon");
    let answer = get(&site, "/favicon.ico").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("image/x-icon")));
}

#[tokio::test]
async fn ranges_of_small_and_great_files() {
    let small: Vec<u8> = (0..=255).collect();
    let great: Vec<u8> = (0..1_000_000_u32).flat_map(u32::to_le_bytes).collect();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "small.bin", &small);
    write(folder.path(), "great.bin", &great);
    write(folder.path(), "empty.bin", b"");
    let site = Site::start(SiteSpec { folder: Some(folder.path().to_owned()), ..SiteSpec::default() }).await.unwrap();
    let mut client = Client::new(&site).await;
    for (name, bytes) in [("small.bin", &small), ("great.bin", &great)] {
        let length = bytes.len();
        for (range, part) in [
            ("0-0", 0..1),
            ("10-19", 10..20),
            ("100-", 100..length),
            ("-7", length - 7..length),
            ("-99999999", 0..length),
            ("200-99999999999999999999", 200..length),
        ] {
            let answer = client.ask(&format!("GET /{name}"), &format!("Range: bytes={range}\r\n")).await;
            assert_eq!(answer.status, 206, "{name} {range}");
            let told = format!("bytes {}-{}/{length}", part.start, part.end - 1);
            assert_eq!(answer.header("content-range"), Some(told.as_str()), "{name} {range}");
            assert!(answer.body == bytes[part], "{name} {range}");
        }
        for range in ["bytes=0-1,5-6", "lines=1-2", "bytes=9-3", "rubbish"] {
            let answer = client.ask(&format!("GET /{name}"), &format!("Range: {range}\r\n")).await;
            assert_eq!(answer.status, 200, "{name} {range}");
            assert!(answer.body == *bytes, "{name} {range}");
        }
        let answer = client.ask(&format!("GET /{name}"), &format!("Range: bytes={length}-\r\n")).await;
        let told = format!("bytes */{length}");
        assert_eq!((answer.status, answer.header("content-range")), (416, Some(told.as_str())));
        let answer = client.ask(&format!("GET /{name}"), "Range: bytes=0-0\r\nIf-Range: \"x\"\r\n").await;
        assert_eq!(answer.status, 200, "nothing to compare an If-Range with");
        let answer = client.ask(&format!("HEAD /{name}"), "Range: bytes=0-0\r\n").await;
        let told = length.to_string();
        assert_eq!((answer.status, answer.header("content-length")), (200, Some(told.as_str())));
        assert_eq!(answer.header("accept-ranges"), Some("bytes"));
    }
    assert_eq!(client.ask("GET /empty.bin", "Range: bytes=0-\r\n").await.status, 416);
    assert_eq!(client.ask("GET /empty.bin", "").await.status, 200);
}

#[tokio::test]
async fn one_connection_serves_many_requests_and_head_has_no_body() {
    let (_folder, site) = served(&[("index.html", "home")], &[]).await;
    let mut client = Client::new(&site).await;
    for _ in 0..50 {
        let head = client.ask("HEAD /", "").await;
        assert_eq!((head.status, head.header("content-length")), (200, Some("4")));
        // A body after HEAD would be read as the head of this answer.
        assert_eq!(client.ask("GET /", "").await.text(), "home");
        assert_eq!(client.ask("HEAD /nope", "").await.status, 404);
    }
    assert_eq!(site.request_count(), 150);
}

#[tokio::test]
async fn other_methods_are_refused() {
    let (_folder, site) = served(&[("index.html", "home")], &[]).await;
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"] {
        let answer = Client::new(&site).await.ask(&format!("{method} /"), "Content-Length: 0\r\n").await;
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD")), "{method}");
    }
}

#[tokio::test]
async fn requests_are_logged_with_what_was_sent() {
    let (_folder, site) = served(&[("index.html", "home")], &[]).await;
    let mut client = Client::new(&site).await;
    client.ask("GET /?q=%C3%BC", "").await;
    client.ask("HEAD /", "").await;
    client.ask("POST /form", "Content-Length: 0\r\n").await;
    let requests = site.requests();
    let told: Vec<_> = requests.iter().map(|r| (r.method.as_str(), r.path.as_str(), r.status)).collect();
    assert_eq!(told, [("GET", "/?q=%C3%BC", Some(200)), ("HEAD", "/", Some(200)), ("POST", "/form", Some(405))]);
    assert_eq!((requests[0].bytes, requests[1].bytes), (4, 0));
    assert_eq!(requests[0].host, "127.0.0.1");
}

#[tokio::test]
async fn both_origins_give_the_same_pages() {
    let (_folder, site) = served(&[("index.html", "home")], &[]).await;
    let port = site.port();
    assert_eq!(site.base(), format!("http://127.0.0.1:{port}"));
    assert_eq!(site.other(), format!("http://localhost:{port}"));
    for address in tokio::net::lookup_host(("localhost", port)).await.unwrap() {
        let mut client = Client(BufReader::new(TcpStream::connect(address).await.unwrap()));
        assert_eq!(client.ask("GET /", "").await.text(), "home", "{address}");
    }
    if let Ok(stream) = TcpStream::connect(("::1", port)).await {
        assert_eq!(Client(BufReader::new(stream)).ask("GET /", "").await.text(), "home");
    }
}

#[tokio::test]
async fn what_is_no_http_does_not_disturb_the_others() {
    let (_folder, site) = served(&[("index.html", "home")], &[]).await;
    let mut idle = Client::new(&site).await;
    for bytes in [&b"\x16\x03\x01\x02\x00\x01\x00"[..], b"GET\r\n\r\n", b"\0\0\0\0\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"]
    {
        let mut stream = TcpStream::connect(("127.0.0.1", site.port())).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut answer = Vec::new();
        let _ = timeout(LIMIT, stream.read_to_end(&mut answer)).await.expect("closed in time");
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{bytes:?}");
    }
    assert_eq!(idle.ask("GET /", "").await.text(), "home");
}

#[tokio::test]
async fn a_file_that_becomes_shorter_breaks_the_connection_rather_than_the_promise() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "great.bin", vec![7; 32 << 20]);
    let site = Site::start(SiteSpec { folder: Some(folder.path().to_owned()), ..SiteSpec::default() }).await.unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", site.port())).await.unwrap();
    stream.write_all(b"GET /great.bin HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    let mut first = [0; 1000];
    stream.read_exact(&mut first).await.unwrap();
    write(folder.path(), "great.bin", b"short");
    let mut rest = Vec::new();
    let _ = timeout(LIMIT, stream.read_to_end(&mut rest)).await.expect("closed in time");
    assert!(rest.len() < 32 << 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_closes_connections_and_the_port() {
    let (_folder, site) = served(&[("index.html", "home")], &[]).await;
    let port = site.port();
    let mut idle = Client::new(&site).await;
    assert_eq!(idle.ask("GET /", "").await.text(), "home");
    drop(site);
    assert!(idle.is_closed().await);
    // The listener goes with the task, which ends soon after; a new server may then have the port.
    timeout(LIMIT, async {
        while tokio::net::TcpListener::bind(("127.0.0.1", port)).await.is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the port is free again");
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_lets_an_answer_under_way_end_and_closes_idle_connections() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = vec![7; 32 << 20];
    write(folder.path(), "great.bin", &bytes);
    let site = Site::start(SiteSpec { folder: Some(folder.path().to_owned()), ..SiteSpec::default() }).await.unwrap();
    let mut idle = Client::new(&site).await;
    assert_eq!(idle.ask("HEAD /great.bin", "").await.status, 200);
    let mut busy = Client::new(&site).await;
    busy.0.write_all(b"GET /great.bin HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    // The head is read, the body fills the socket's buffers.
    busy.0.fill_buf().await.unwrap();
    let closing = tokio::spawn(site.close(Instant::now() + LIMIT));
    let answer = timeout(LIMIT, busy.answer(false)).await.expect("an answer in time");
    assert!(answer.body == bytes);
    assert!(idle.is_closed().await);
    timeout(LIMIT, closing).await.expect("closed in time").unwrap();

    // An answer that nobody reads is cut at the deadline.
    let site = Site::start(SiteSpec { folder: Some(folder.path().to_owned()), ..SiteSpec::default() }).await.unwrap();
    let mut stuck = Client::new(&site).await;
    stuck.0.write_all(b"GET /great.bin HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    stuck.0.fill_buf().await.unwrap();
    timeout(LIMIT, site.close(Instant::now() + Duration::from_millis(50))).await.expect("closed in time");
    let mut rest = Vec::new();
    let _ = timeout(LIMIT, stuck.0.read_to_end(&mut rest)).await.expect("closed in time");
    assert!(rest.len() < bytes.len());
}
