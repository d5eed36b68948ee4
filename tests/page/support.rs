//! One browser for all tests, and a server of a few lines that can do what a folder of files can't.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use playscript::browser::{Browser, LaunchOptions};
use playscript::cdp::runtime::CallFunctionOn;
use playscript::outline::Refs;
use playscript::page::{Page, PageSettings, Tabs, Until};
use playscript::scenario::Target;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;
use tokio::time::Instant;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
static BROWSER: OnceCell<Browser> = OnceCell::const_new();

/// Runs a test on the runtime that the shared browser lives on. No test may hang.
pub(crate) fn run(test: impl Future<Output = ()>) {
    RUNTIME.block_on(async {
        tokio::time::timeout(Duration::from_secs(60), test).await.expect("the test hangs");
    });
}

pub(crate) fn secs(seconds: u64) -> Instant {
    Instant::now() + Duration::from_secs(seconds)
}

pub(crate) fn millis(millis: u64) -> Instant {
    Instant::now() + Duration::from_millis(millis)
}

/// Tabs of a fresh context of the shared browser.
pub(crate) async fn tabs_with(settings: PageSettings) -> Tabs {
    let browser = BROWSER
        .get_or_init(|| async {
            // Frames of another site get a process of their own, as in browsers with memory enough.
            let extra_args = vec!["--site-per-process".to_owned(), "--no-sandbox".to_owned()];
            let options = LaunchOptions { extra_args, ..LaunchOptions::default() };
            Browser::launch(&options, secs(30)).await.unwrap()
        })
        .await;
    let context = browser.new_context(secs(10)).await.unwrap();
    Tabs::new(context, settings, secs(10)).await.unwrap()
}

pub(crate) async fn tabs() -> Tabs {
    tabs_with(PageSettings::default()).await
}

/// A tab that shows a page of the given HTML.
pub(crate) async fn open(html: &str) -> (Tabs, Arc<Page>, Server) {
    open_with(PageSettings::default(), html).await
}

pub(crate) async fn open_with(settings: PageSettings, html: &str) -> (Tabs, Arc<Page>, Server) {
    let server = Server::start().await;
    server.page("/", html);
    let tabs = tabs_with(settings).await;
    let page = tabs.current();
    page.open(&server.url("/"), Until::Load, secs(10)).await.unwrap();
    (tabs, page, server)
}

/// The outline without refs.
pub(crate) async fn outline(page: &Page) -> String {
    page.outline(secs(10)).await.unwrap().outline.text(Refs::Hidden)
}

/// A target, as it is written.
pub(crate) fn target(text: &str) -> Target {
    Target::parse(text).unwrap()
}

/// Calls the element's own `click`, which is enough to set something off.
pub(crate) async fn click(page: &Page, text: &str) {
    let _act = page.begin_act();
    let element = page.locate(&target(text), secs(5)).await.unwrap();
    let call = CallFunctionOn {
        function_declaration: "function() { this.click() }",
        object_id: Some(element.object_id()),
        execution_context_id: None,
        arguments: &[],
        return_by_value: true,
        await_promise: false,
    };
    element.session().call(&call, secs(5)).await.unwrap();
}

/// What the server does with a path.
#[derive(Clone)]
pub(crate) struct Route {
    pub(crate) status: &'static str,
    pub(crate) headers: Vec<String>,
    /// Before anything is sent.
    pub(crate) wait: Duration,
    /// Sent at once, then.
    pub(crate) body: String,
    /// Then comes nothing for this long …
    pub(crate) pause: Duration,
    /// … and then this.
    pub(crate) rest: String,
    /// Or nothing comes at all until the client leaves.
    pub(crate) silent: bool,
}

impl Default for Route {
    fn default() -> Self {
        Route {
            status: "200 OK",
            wait: Duration::ZERO,
            headers: Vec::new(),
            body: String::new(),
            pause: Duration::ZERO,
            rest: String::new(),
            silent: false,
        }
    }
}

#[derive(Clone)]
pub(crate) struct Server {
    port: u16,
    routes: Arc<Mutex<HashMap<String, Route>>>,
}

impl Server {
    pub(crate) async fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Server { port: listener.local_addr().unwrap().port(), routes: Arc::default() };
        let routes = server.routes.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, routes.clone()));
            }
        });
        server
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The same server as another site.
    pub(crate) fn other(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    pub(crate) fn page(&self, path: &str, html: &str) {
        let body = format!("<!doctype html><html lang=en><meta charset=utf-8>{html}");
        self.route(path, Route { body, ..Route::default() });
    }

    pub(crate) fn route(&self, path: &str, route: Route) {
        self.routes.lock().unwrap().insert(path.to_owned(), route);
    }
}

async fn answer(mut stream: TcpStream, routes: Arc<Mutex<HashMap<String, Route>>>) {
    let mut head = Vec::new();
    let mut piece = [0; 4096];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return,
            Ok(count) => head.extend(&piece[..count]),
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let mut route = routes.lock().unwrap().get(path).cloned();
    if path == "/auth" && head.contains("Authorization: Basic YWRhOnB3") {
        route = routes.lock().unwrap().get("/inside").cloned();
    }
    let route = route.unwrap_or(Route { status: "404 Not Found", body: "nothing here".to_owned(), ..Route::default() });
    if route.silent {
        // Until the client leaves.
        let _ = stream.read(&mut piece).await;
        return;
    }
    if !route.wait.is_zero() {
        tokio::time::sleep(route.wait).await;
    }
    let mut text = format!("HTTP/1.1 {}\r\nConnection: close\r\nCache-Control: no-store\r\n", route.status);
    if !route.headers.iter().any(|header| header.starts_with("Content-Type")) {
        text.push_str("Content-Type: text/html\r\n");
    }
    for header in &route.headers {
        text.push_str(header);
        text.push_str("\r\n");
    }
    text.push_str("\r\n");
    text.push_str(&route.body);
    if stream.write_all(text.as_bytes()).await.is_err() || stream.flush().await.is_err() {
        return;
    }
    if !route.pause.is_zero() {
        // The slowness of the server is what such a route is for.
        tokio::time::sleep(route.pause).await;
    }
    let _ = stream.write_all(route.rest.as_bytes()).await;
    let _ = stream.shutdown().await;
}
