//! A browser, a tab and pages on two origins of loopback.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::browser::{Browser, LaunchOptions};
use crate::page::act::Click;
use crate::page::{Page, PageError, PageSettings, Tabs, Until};
use crate::scenario::{By, Chord, Target};

pub(super) struct Stage {
    pub(super) page: Arc<Page>,
    pub(super) tabs: Tabs,
    browser: Browser,
    port: u16,
    server: JoinHandle<()>,
}

/// What every page begins with: a line that says what it saw, at a place where no test clicks.
const HEAD: &str = "<!doctype html><meta charset=utf-8><p id=log style='position:fixed;right:0;bottom:0;margin:0;pointer-events:none'>nothing</p>\
<script>const log = text => document.getElementById('log').textContent = text;\
const more = text => log((document.getElementById('log').textContent + ' ' + text).replace(/^nothing /, ''));</script>";

pub(super) fn soon() -> Instant {
    after(10_000)
}

pub(super) fn after(ms: u64) -> Instant {
    Instant::now() + Duration::from_millis(ms)
}

pub(super) fn css(selector: &str) -> Target {
    Target { by: By::Css(selector.to_owned()), within: None, has: None, nth: None, frame: None }
}

pub(super) fn at(x: f64, y: f64) -> Target {
    Target { by: By::Point { x, y }, ..css("") }
}

pub(super) fn chord(text: &str) -> Chord {
    Chord::parse(text).unwrap()
}

impl Stage {
    pub(super) async fn new(pages: &[(&str, &str)]) -> Stage {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let pages: HashMap<String, String> = pages
            .iter()
            .map(|(path, body)| {
                ((*path).to_owned(), format!("{HEAD}{}", body.replace("OTHER", &format!("http://localhost:{port}"))))
            })
            .collect();
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, pages.clone()));
            }
        });
        let browser = Browser::launch(&LaunchOptions::default(), soon()).await.unwrap();
        let context = browser.new_context(soon()).await.unwrap();
        let tabs = Tabs::new(context, PageSettings::default(), soon()).await.unwrap();
        Stage { page: tabs.current(), tabs, browser, port, server }
    }

    /// One page, open.
    pub(super) async fn with(body: &str) -> Stage {
        let stage = Stage::new(&[("/", body)]).await;
        stage.open("/").await;
        stage
    }

    pub(super) async fn open(&self, path: &str) {
        let url = format!("http://127.0.0.1:{}{path}", self.port);
        self.page.open(&url, Until::Load, soon()).await.unwrap();
    }

    /// What the page says it saw.
    pub(super) async fn log(&self) -> String {
        self.ask("document.getElementById('log').textContent").await
    }

    pub(super) async fn ask<T: serde::de::DeserializeOwned>(&self, expression: &str) -> T {
        self.page.evaluate(self.page.main_frame(), expression, soon()).await.unwrap()
    }

    /// Asks the frame whose address ends so, once it has loaded.
    pub(super) async fn ask_frame<T: serde::de::DeserializeOwned>(&self, path: &str, expression: &str) -> T {
        loop {
            let frame = {
                let found = |state: &mut crate::page::state::State| {
                    state
                        .frames
                        .iter()
                        .find(|frame| frame.url.ends_with(path) && frame.loaded)
                        .map(|frame| frame.id.clone())
                };
                self.page.core().until(soon(), found).await.unwrap().unwrap()
            };
            // A frame of the former page may just be on its way out.
            match self.page.evaluate(&frame, expression, soon()).await {
                Err(error) if error.is_passing() => tokio::task::yield_now().await,
                other => return other.unwrap(),
            }
        }
    }

    /// Waits until the expression holds: for what comes after an act by the page's own time.
    pub(super) async fn until(&self, expression: &str) {
        let text = format!(
            "new Promise(done => {{ const look = () => {{ if ({expression}) done(true); else requestAnimationFrame(look) }}; look() }})"
        );
        self.ask::<bool>(&text).await;
    }

    pub(super) async fn click(&self, selector: &str) {
        self.page.click(&css(selector), &Click::default(), soon()).await.unwrap();
    }

    /// A click that has to fail within its time.
    pub(super) async fn refused(&self, selector: &str, ms: u64) -> PageError {
        self.page.click(&css(selector), &Click::default(), after(ms)).await.unwrap_err()
    }

    pub(super) async fn end(self) {
        self.server.abort();
        self.browser.close().await;
    }
}

async fn serve(mut stream: TcpStream, pages: HashMap<String, String>) {
    let mut request = Vec::new();
    let mut part = [0; 4096];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut part).await {
            Ok(count) if count > 0 => request.extend_from_slice(&part[..count]),
            _ => return,
        }
    }
    let request = String::from_utf8_lossy(&request);
    let path = request.split(' ').nth(1).unwrap_or("/").split('?').next().unwrap_or("/");
    let (status, body) = pages.get(path).map_or(("404 Not Found", ""), |body| ("200 OK", body.as_str()));
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
}
