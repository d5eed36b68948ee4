//! Going to addresses: what comes, what does not, and what is said then.

use std::time::{Duration, Instant};

use playscript::page::{PageError, PageSettings, Until};

use crate::support::{Route, Server, millis, open, run, secs, tabs_with};

fn header(line: &str) -> Vec<String> {
    vec![line.to_owned()]
}

#[test]
fn a_page_opens_and_its_address_is_known_without_asking() {
    run(async {
        let (_tabs, page, server) = open("<title>Hi</title><p>Hello").await;
        assert_eq!(page.url(), server.url("/"));
        assert_eq!(page.title(secs(5)).await.unwrap(), "Hi");
        assert_eq!(page.text(secs(5)).await.unwrap(), "Hello");
        page.open(&server.url("/#part"), Until::Load, secs(5)).await.unwrap();
        assert_eq!(page.url(), server.url("/#part"));
        page.open("about:blank", Until::Load, secs(5)).await.unwrap();
        assert_eq!(page.text(secs(5)).await.unwrap(), "");
    });
}

#[test]
fn back_forward_and_reload() {
    run(async {
        let (_tabs, page, server) = open("<title>One</title>").await;
        server.page("/two", "<title>Two</title><p id=n>");
        page.open(&server.url("/two"), Until::Load, secs(5)).await.unwrap();
        page.back(secs(5)).await.unwrap();
        assert_eq!(page.title(secs(5)).await.unwrap(), "One");
        page.forward(secs(5)).await.unwrap();
        assert_eq!(page.title(secs(5)).await.unwrap(), "Two");
        server.page("/two", "<title>Two again</title>");
        page.reload(secs(5)).await.unwrap();
        assert_eq!(page.title(secs(5)).await.unwrap(), "Two again");
        let error = page.forward(secs(5)).await.unwrap_err();
        assert_eq!(error.to_string(), "there is no page to go forward to");
    });
}

#[test]
fn a_refused_connection_asks_whether_the_application_runs_and_the_tab_stays_usable() {
    run(async {
        let (_tabs, page, server) = open("<title>Here</title>").await;
        let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        let error =
            page.open(&format!("http://127.0.0.1:{free}/"), Until::Load, secs(5)).await.unwrap_err().to_string();
        assert!(
            error.contains("net::ERR_CONNECTION_REFUSED") && error.contains("is the application running"),
            "{error}"
        );
        page.open(&server.url("/"), Until::Load, secs(5)).await.unwrap();
        assert_eq!(page.title(secs(5)).await.unwrap(), "Here");
    });
}

#[test]
fn a_download_is_told_at_once_and_the_former_page_is_still_there() {
    run(async {
        let (_tabs, page, server) = open("<title>Former</title>").await;
        let headers = header("Content-Disposition: attachment; filename=\"report.csv\"");
        server.route("/dl", Route { headers, body: "a,b".to_owned(), ..Route::default() });
        let begun = Instant::now();
        let error = page.open(&server.url("/dl"), Until::Load, secs(10)).await.unwrap_err();
        assert!(matches!(&error, PageError::Download { name } if name == "report.csv"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        assert_eq!(page.title(secs(5)).await.unwrap(), "Former");
        server.route("/none", Route { status: "204 No Content", ..Route::default() });
        let error = page.open(&server.url("/none"), Until::Load, secs(5)).await.unwrap_err().to_string();
        assert!(error.contains("nothing to show"), "{error}");
        assert_eq!(page.title(secs(5)).await.unwrap(), "Former");
    });
}

#[test]
fn basic_access_is_told_and_credentials_in_the_address_are_used_but_not_shown() {
    run(async {
        let (_tabs, page, server) = open("<title>Outside</title>").await;
        let headers = header("WWW-Authenticate: Basic realm=\"x\"");
        server.route(
            "/auth",
            Route { status: "401 Unauthorized", headers, body: "<h1>No".to_owned(), ..Route::default() },
        );
        server.page("/inside", "<title>Inside</title>");
        let error = page.open(&server.url("/auth"), Until::Load, secs(5)).await.unwrap_err();
        assert!(matches!(error, PageError::Unauthorized { status: 401, .. }), "{error}");
        let with = server.url("/auth").replace("http://", "http://ada:pw@");
        page.open(&with, Until::Load, secs(5)).await.unwrap();
        assert_eq!(page.title(secs(5)).await.unwrap(), "Inside");
        assert!(!page.url().contains("pw"), "{}", page.url());
    });
}

#[test]
fn a_redirect_loop_and_a_missing_scheme_are_named() {
    run(async {
        let (_tabs, page, server) = open("<title>x</title>").await;
        let headers = vec![format!("Location: {}", server.url("/round"))];
        server.route("/round", Route { status: "302 Found", headers, ..Route::default() });
        let error = page.open(&server.url("/round"), Until::Load, secs(5)).await.unwrap_err().to_string();
        assert!(error.contains("in a circle"), "{error}");
        let error = page.open("/login", Until::Load, secs(5)).await.unwrap_err().to_string();
        assert!(error.contains("scheme"), "{error}");
    });
}

#[test]
fn a_silent_server_and_an_endless_picture_are_told_apart() {
    run(async {
        let (_tabs, page, server) = open("<title>x</title>").await;
        server.route("/silent", Route { silent: true, ..Route::default() });
        let error = page.open(&server.url("/silent"), Until::Load, millis(400)).await.unwrap_err();
        assert!(error.to_string().contains("did not answer"), "{error}");
        server.page("/picture", "<title>Nearly</title><img src=/silent>");
        let error = page.open(&server.url("/picture"), Until::Load, millis(600)).await.unwrap_err();
        assert!(error.to_string().contains("did not finish loading"), "{error}");
        assert!(error.details()[0].1.contains("/silent"), "{:?}", error.details());
        // Committed is enough for those who say so.
        page.open(&server.url("/picture"), Until::Commit, secs(5)).await.unwrap();
        assert_eq!(page.title(secs(5)).await.unwrap(), "Nearly");
    });
}

#[test]
fn a_page_that_polls_for_ever_opens_and_only_idle_waits_for_it() {
    run(async {
        let (_tabs, page, server) = open("<title>x</title>").await;
        server.route("/slow", Route { silent: true, ..Route::default() });
        server.page("/poll", "<title>Poll</title><script>fetch('/slow')</script>");
        let begun = Instant::now();
        page.open(&server.url("/poll"), Until::Load, secs(10)).await.unwrap();
        assert_eq!(page.text(secs(10)).await.unwrap(), "");
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
        let error = page.open(&server.url("/poll"), Until::Idle, millis(1200)).await.unwrap_err();
        assert!(error.to_string().contains("did not come to rest"), "{error}");
        page.open(&server.url("/"), Until::Idle, secs(5)).await.unwrap();
    });
}

#[test]
fn a_crash_is_told_at_once_and_the_next_open_works() {
    run(async {
        let (_tabs, page, server) = open("<title>Alive</title><h1>Alive").await;
        let begun = Instant::now();
        let error = page.open("chrome://crash", Until::Load, secs(20)).await.unwrap_err();
        assert!(error.to_string().starts_with("the page crashed"), "{error}");
        let error = page.text(secs(20)).await.unwrap_err();
        assert!(error.to_string().starts_with("the page crashed"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        page.open(&server.url("/"), Until::Load, secs(10)).await.unwrap();
        assert_eq!(page.text(secs(5)).await.unwrap(), "Alive");
        assert_eq!(page.title(secs(5)).await.unwrap(), "Alive");
    });
}

#[test]
fn a_busy_script_is_not_a_crash() {
    run(async {
        let (_tabs, page, server) =
            open("<title>Busy</title><script>setTimeout(() => { for (;;); }, 50)</script>").await;
        // The loop begins a moment after the load; from then on nothing is answered.
        let error = loop {
            if let Err(error) = page.title(millis(500)).await {
                break error;
            }
        };
        assert!(error.to_string().contains("its script is busy"), "{error}");
        server.page("/next", "<title>Next</title>");
        page.open(&server.url("/next"), Until::Load, secs(10)).await.unwrap();
        assert_eq!(page.title(secs(5)).await.unwrap(), "Next");
    });
}

#[test]
fn the_settings_reach_the_page() {
    run(async {
        let settings = PageSettings { width: 390, height: 844, device_scale: 2.0, ..PageSettings::default() };
        let tabs = tabs_with(settings).await;
        let server = Server::start().await;
        let script = "document.title = [innerWidth, innerHeight, devicePixelRatio, document.hasFocus(), matchMedia('(prefers-reduced-motion: reduce)').matches]";
        server.page("/", &format!("<meta name=viewport content=width=device-width><script>{script}</script>"));
        let page = tabs.current();
        page.open(&server.url("/"), Until::Load, secs(5)).await.unwrap();
        assert_eq!(page.title(secs(5)).await.unwrap(), "390,844,2,true,true");
    });
}
