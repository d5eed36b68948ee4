//! A real browser: launched, asked, ended.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod browser_common;

use std::time::Duration;

use browser_common::{Evaluate, PageEnable, Traces, end, event, launch, launch_with, soon, wait_until, within};
use playscript::browser::{Browser, BrowserError, LaunchOptions};
use playscript::cdp::CallError;
use playscript::cdp::target::CloseTarget;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

#[tokio::test(flavor = "multi_thread")]
async fn it_says_what_it_is() {
    let browser = launch().await;
    let major = browser.version().split('.').next().unwrap();
    assert!(major.parse::<u32>().unwrap() > 100, "{}", browser.version());
    assert!(browser.product().contains(major), "{}", browser.product());
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn contexts_share_nothing_and_tabs_come_to_who_opened_them() {
    let browser = launch().await;
    let (first, second) = tokio::join!(browser.new_context(soon()), browser.new_context(soon()));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_ne!(first.id(), second.id());
    let tabs = tokio::join!(
        first.new_target("about:blank", soon()),
        first.new_target("about:blank", soon()),
        second.new_target("about:blank", soon()),
        second.new_target("about:blank", soon()),
    );
    let tabs = [tabs.0, tabs.1, tabs.2, tabs.3].map(Result::unwrap);
    for (index, tab) in tabs.iter().enumerate() {
        assert!(tabs[..index].iter().all(|other| other.id != tab.id));
        let sum = tab.session.call(&Evaluate::new("40 + 2"), soon()).await.unwrap();
        assert_eq!(sum.result.value, 42);
    }
    // None of them passes for a pop-up.
    let none = tokio::time::timeout(Duration::from_millis(50), first.next_target()).await;
    assert!(none.is_err(), "{none:?}");

    let events = tabs[0].session.events();
    first.dispose(soon()).await.unwrap();
    end(events).await;
    assert!(within("the end", first.next_target()).await.is_none());
    let error = tabs[0].session.call(&Evaluate::new("1"), soon()).await.unwrap_err();
    assert!(matches!(error, CallError::Detached { .. }), "{error:?}");
    let lives = tabs[2].session.call(&Evaluate::new("1"), soon()).await.unwrap();
    assert_eq!(lives.result.value, 1);
    browser.close().await;
}

/// A server that answers everything with this page.
async fn page(text: &'static str) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = socket.read(&mut request).await;
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
            let length = text.len();
            let answer = format!("{head}\r\nContent-Length: {length}\r\n\r\n{text}");
            let _ = socket.write_all(answer.as_bytes()).await;
        }
    });
    address
}

/// Runs a script in every page of a tab before the page's own.
#[derive(serde::Serialize)]
struct AddScript {
    source: &'static str,
}

impl playscript::cdp::Command for AddScript {
    const METHOD: &'static str = "Page.addScriptToEvaluateOnNewDocument";
    type Reply = playscript::cdp::Empty;
}

#[tokio::test(flavor = "multi_thread")]
async fn pop_ups_are_caught_before_they_run() {
    let browser = launch().await;
    let context = browser.new_context(soon()).await.unwrap();
    let other = browser.new_context(soon()).await.unwrap();
    let tab = context.new_target("about:blank", soon()).await.unwrap();
    let page = page("<script>first = typeof early</script>").await;
    let early = AddScript { source: "early = 1" };
    let openers = [
        &format!("window.open('{page}')"),
        &format!("window.open('{page}', '', 'noopener')"),
        &format!(
            "document.body.innerHTML = '<a target=_blank href=\"{page}\">x</a>', \
             document.body.firstChild.click()"
        ),
    ];
    for opener in openers {
        tab.session.send(&Evaluate::new(opener));
        let pop_up = within("a pop-up", context.next_target()).await.unwrap();
        assert_eq!(pop_up.opener.as_deref(), Some(tab.id.as_str()), "{opener}");
        // What is set up now is set up before its page runs.
        let mut events = pop_up.session.events();
        pop_up.session.send(&PageEnable {});
        pop_up.session.send(&early);
        pop_up.resume();
        event(&mut events, "Page.loadEventFired").await;
        let first = pop_up.session.call(&Evaluate::new("first"), soon()).await.unwrap();
        assert_eq!(first.result.value, "number", "{opener}");
        let close = CloseTarget { target_id: &pop_up.id };
        browser.connection().root().call(&close, soon()).await.unwrap();
        end(events).await;
    }
    let stray = tokio::time::timeout(Duration::from_millis(50), other.next_target()).await;
    assert!(stray.is_err(), "{stray:?}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_a_call_is_pending() {
    let browser = launch().await;
    let traces = Traces::of(&browser);
    let context = browser.new_context(soon()).await.unwrap();
    let tab = context.new_target("about:blank", soon()).await.unwrap();
    let pending = tab.session.submit(&Evaluate::new("for (;;) {}"));
    let begun = Instant::now();
    let main = traces.processes().into_iter().find(|line| !line.contains("/bin/sh")).unwrap();
    let main = main.split(' ').next().unwrap();
    browser_common::signal::send("-KILL", main);
    let error = pending.await_by(soon()).await.unwrap_err();
    let message = error.to_string();
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert!(message.starts_with("the browser has gone: it "), "{message}");
    assert!(message.contains("signal 9") || message.contains("code 137"), "{message}");
    assert!(context.next_target().await.is_none());
    assert!(matches!(browser.gone().await, CallError::Gone { .. }));
    assert!(browser.new_context(soon()).await.is_err());
    // Without a word to it: it tidies up after itself.
    traces.wait_until_gone();
    drop(browser);
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_leaves_nothing() {
    let browser = launch().await;
    let traces = Traces::of(&browser);
    let context = browser.new_context(soon()).await.unwrap();
    context.new_target("about:blank", soon()).await.unwrap();
    assert!(traces.folder.exists() && !traces.processes().is_empty());
    browser.close().await;
    assert!(!traces.folder.exists());
    wait_until("no process", || {
        let processes = traces.processes();
        if processes.is_empty() { Ok(()) } else { Err(format!("{processes:?}")) }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_leaves_nothing() {
    let browser = launch().await;
    let traces = Traces::of(&browser);
    drop(browser);
    traces.wait_until_gone();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_launch_that_is_given_up_leaves_nothing() {
    let extra = format!("--playscript-test={}", std::process::id());
    let options = LaunchOptions { extra_args: vec![extra.clone()], ..LaunchOptions::default() };
    for wait in [0, 1, 3, 10, 20] {
        let launching = Browser::launch(&options, soon());
        let _ = tokio::time::timeout(Duration::from_millis(wait), launching).await;
    }
    wait_until("no process", || {
        let processes = browser_common::processes(extra.as_ref(), None);
        if processes.is_empty() { Ok(()) } else { Err(format!("{processes:?}")) }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_of_the_users_is_kept_and_not_shared() {
    let profile = tempfile::tempdir().unwrap();
    let options = LaunchOptions { profile: Some(profile.path().join("mine")), ..LaunchOptions::default() };
    let browser = launch_with(&options).await;
    let begun = Instant::now();
    let error = Browser::launch(&options, soon()).await.unwrap_err();
    assert!(matches!(&error, BrowserError::ProfileInUse { .. }), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(2));
    let context = browser.new_context(soon()).await.unwrap();
    context.new_target("about:blank", soon()).await.unwrap();
    let leader = browser.pid().unwrap();
    browser.close().await;
    assert!(profile.path().join("mine").is_dir());
    wait_until("no process", || {
        let processes = browser_common::processes(profile.path(), Some(leader));
        if processes.is_empty() { Ok(()) } else { Err(format!("{processes:?}")) }
    });
    launch_with(&options).await.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_runs_is_connected_to_and_left_running() {
    let profile = tempfile::tempdir().unwrap();
    let options = LaunchOptions {
        profile: Some(profile.path().to_owned()),
        extra_args: vec!["--remote-debugging-port=0".to_owned()],
        ..LaunchOptions::default()
    };
    let runs = launch_with(&options).await;
    let mut port = String::new();
    wait_until("a port", || {
        let file = std::fs::read_to_string(profile.path().join("DevToolsActivePort"));
        port = file.map_err(|error| error.to_string())?.lines().next().unwrap_or_default().to_owned();
        if port.is_empty() { Err("empty".to_owned()) } else { Ok(()) }
    });
    for url in [format!("http://127.0.0.1:{port}"), format!("localhost:{port}")] {
        let browser = Browser::connect(&url, soon()).await.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(browser.version(), runs.version());
        assert_eq!(browser.pid(), None);
        let context = browser.new_context(soon()).await.unwrap();
        let tab = context.new_target("about:blank", soon()).await.unwrap();
        tab.session.send(&Evaluate::new("window.open('about:blank')"));
        let pop_up = within("a pop-up", context.next_target()).await.unwrap();
        assert_eq!(pop_up.opener, Some(tab.id));
        // A message of more than 16 MB comes through.
        let long = Evaluate::new("'x'.repeat(20 << 20)");
        let long = tab.session.call(&long, soon()).await.unwrap();
        assert_eq!(long.result.value.as_str().unwrap().len(), 20 << 20);
        browser.close().await;
    }
    let context = runs.new_context(soon()).await.unwrap();
    context.new_target("about:blank", soon()).await.unwrap();
    runs.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_of_twenty_megabytes_comes_over_the_pipe() {
    let browser = launch().await;
    let context = browser.new_context(soon()).await.unwrap();
    let tab = context.new_target("about:blank", soon()).await.unwrap();
    let long = tab.session.call(&Evaluate::new("'x'.repeat(20 << 20)"), soon()).await.unwrap();
    assert_eq!(long.result.value.as_str().unwrap().len(), 20 << 20);
    browser.close().await;
}
