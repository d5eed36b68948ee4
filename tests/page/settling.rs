//! What is waited for after an act, and what pages log, ask and show meanwhile.

use std::time::{Duration, Instant};

use playscript::page::{Area, Click, Format, Level, Look, PageSettings, Source, Until};

use crate::support::{Route, click, millis, open, open_with, outline, run, secs, target};

#[test]
fn dialogs_never_hang_and_are_told_with_their_answers() {
    run(async {
        let (_tabs, page, _server) = open(
            "<p id=log></p><script>
              setTimeout(() => { alert('Saved!'); log.textContent = 'sure ' + confirm('Sure?') + ' name ' + prompt('Name?', 'x'); });
            </script>",
        )
        .await;
        let mut changes = page.changes();
        while page.text(secs(5)).await.unwrap().is_empty() {
            assert!(changes.changed(secs(5)).await.unwrap());
        }
        assert_eq!(page.text(secs(5)).await.unwrap(), "sure false name null");
        let told: Vec<String> = page.dialogs().iter().map(ToString::to_string).collect();
        assert_eq!(told, ["alert: Saved! (accepted)", "confirm: Sure? (dismissed)", "prompt: Name? (dismissed)"]);
    });
}

#[test]
fn the_console_is_kept_with_its_places() {
    run(async {
        let (_tabs, page, server) =
            open("<script>console.warn('%s apples', 3, {a: 1});\nnull.x;</script><img src=/missing.png>").await;
        let entries = page.console();
        let of = |source: Source| {
            entries.iter().find(|entry| entry.source == source).unwrap_or_else(|| panic!("{entries:?}"))
        };
        assert_eq!((of(Source::Console).level, &*of(Source::Console).text), (Level::Warning, "3 apples {a: 1}"));
        assert_eq!(of(Source::Exception).line, Some(2));
        assert!(of(Source::Exception).text.starts_with("TypeError"), "{entries:?}");
        assert_eq!(of(Source::Network).url.as_deref(), Some(&*server.url("/missing.png")));
        assert_eq!(page.page_errors(0).len(), 1);
        assert!(page.page_errors(page.console_count()).is_empty());
    });
}

#[test]
fn a_look_waits_for_the_requests_of_an_act_but_not_for_a_long_poll() {
    run(async {
        let (_tabs, page, server) = open(
            "<p id=log>before</p><script>
              addEventListener('hashchange', () => fetch('/data').then(r => r.text()).then(t => log.textContent = t));
            </script>",
        )
        .await;
        server.route(
            "/data",
            Route {
                body: "af".to_owned(),
                rest: "ter".to_owned(),
                pause: Duration::from_millis(200),
                ..Route::default()
            },
        );
        page.open(&server.url("/#1"), Until::Load, secs(5)).await.unwrap();
        assert_eq!(page.text(secs(5)).await.unwrap(), "after");
        server.route("/data", Route { silent: true, ..Route::default() });
        page.open(&server.url("/#2"), Until::Load, secs(5)).await.unwrap();
        let begun = Instant::now();
        assert_eq!(page.text(secs(5)).await.unwrap(), "after");
        let waited = begun.elapsed();
        assert!(waited > Duration::from_millis(450) && waited < Duration::from_secs(4), "{waited:?}");
        // Once.
        let mut quickest = Duration::MAX;
        for _ in 0..5 {
            let begun = Instant::now();
            page.text(secs(5)).await.unwrap();
            quickest = quickest.min(begun.elapsed());
        }
        assert!(quickest < Duration::from_millis(300), "{quickest:?}");
    });
}

#[test]
fn a_document_that_an_act_went_to_is_waited_for_however_slow_it_is() {
    run(async {
        let (_tabs, page, server) = open("<title>One</title><a href=/slow>Go</a><img src=/silent>").await;
        server.route("/silent", Route { silent: true, ..Route::default() });
        server.route(
            "/slow",
            Route {
                wait: Duration::from_millis(900),
                body: "<title>Two</title><p>there".to_owned(),
                ..Route::default()
            },
        );
        click(&page, "link \"Go\"").await;
        assert_eq!(page.read(secs(5)).await.unwrap().title, "Two");
    });
}

#[test]
fn an_animation_frame_of_an_act_has_had_its_turn() {
    run(async {
        for seed in [None, Some(7)] {
            let settings = PageSettings { seed, ..PageSettings::default() };
            let html = "<p id=log>before</p><script>
              addEventListener('hashchange', () => requestAnimationFrame(() => log.textContent = 'after'));
            </script>";
            let (_tabs, page, server) = open_with(settings, html).await;
            page.text(secs(5)).await.unwrap();
            page.open(&server.url("/#1"), Until::Load, secs(5)).await.unwrap();
            assert_eq!(page.text(secs(5)).await.unwrap(), "after", "seed {seed:?}");
        }
    });
}

#[test]
fn a_seed_makes_chance_and_dates_repeatable_in_frames_too() {
    run(async {
        let script = "[Math.random(), crypto.randomUUID(), new Date().toISOString(), setTimeout.toString()].join(' ')";
        let html = format!(
            "<p id=log></p><iframe srcdoc=\"<p id=log></p><script>log.textContent = {script}</script>\"></iframe><script>log.textContent = {script}</script>"
        );
        let mut seen = Vec::new();
        for seed in [7, 7, 8] {
            let settings = PageSettings { seed: Some(seed), ..PageSettings::default() };
            let (_tabs, page, _server) = open_with(settings, &html).await;
            seen.push(page.text(secs(5)).await.unwrap());
        }
        assert!(seen[0].contains("2026-01-01") && seen[0].contains("[native code]"), "{}", seen[0]);
        let parts: Vec<&str> = seen[0].split("\n\n").collect();
        assert_eq!(parts.len(), 2, "{}", seen[0]);
        assert_eq!(seen[0], seen[1]);
        assert_ne!(seen[0], seen[2]);
    });
}

#[test]
fn pictures_have_the_size_and_format_asked_for() {
    run(async {
        let (_tabs, page, _server) = open("<body style='margin:0'><div style='height:3000px'>x</div>").await;
        let size = |png: &[u8]| {
            assert_eq!(&png[1..4], b"PNG");
            let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
            (side(16), side(20))
        };
        let look = |of: Area, format: Format| {
            let page = page.clone();
            async move { page.look(&Look { of, format }, secs(10)).await.unwrap() }
        };
        assert_eq!(size(&look(Area::Viewport, Format::Png).await), (1280, 720));
        assert_eq!(size(&look(Area::Full, Format::Png).await), (1280, 3000));
        assert_eq!(size(&look(Area::Region(10.0, 10.0, 100.0, 50.0), Format::Png).await), (100, 50));
        assert_eq!(&look(Area::Viewport, Format::Jpeg(70)).await[..2], [0xff, 0xd8]);
        assert_eq!(&look(Area::Viewport, Format::Webp(70)).await[8..12], *b"WEBP");
        let error =
            page.look(&Look { of: Area::Region(0.0, 0.0, 0.0, 5.0), format: Format::Png }, secs(5)).await.unwrap_err();
        assert!(error.to_string().contains("no size"), "{error}");
    });
}

#[test]
fn changes_are_told_as_they_happen_and_quiet_pages_tell_nothing() {
    run(async {
        let (_tabs, page, server) = open(
            "<p id=log>before</p><x-box></x-box><script>
              const root = document.querySelector('x-box').attachShadow({ mode: 'open' });
              root.innerHTML = '<b>deep</b>';
              addEventListener('hashchange', () => setTimeout(() => root.firstChild.textContent = location.hash, 60));
            </script>",
        )
        .await;
        page.text(secs(5)).await.unwrap();
        let mut quickest = Duration::MAX;
        for turn in 1..5 {
            let mut changes = page.changes();
            page.open(&server.url(&format!("/#{turn}")), Until::Load, secs(5)).await.unwrap();
            let begun = Instant::now();
            // The new address is told at once; then the text in the shadow tree. Far sooner than the safety net looks again.
            loop {
                assert!(changes.changed(secs(5)).await.unwrap());
                if page.text(secs(5)).await.unwrap().contains(&format!("#{turn}")) {
                    break;
                }
            }
            quickest = quickest.min(begun.elapsed());
        }
        assert!(quickest < Duration::from_millis(240), "{quickest:?}");
        let mut changes = page.changes();
        let begun = Instant::now();
        assert!(
            !changes.changed(Instant::now().checked_add(Duration::from_millis(200)).unwrap().into()).await.unwrap()
        );
        assert!(begun.elapsed() >= Duration::from_millis(200));
    });
}

#[test]
fn an_act_in_a_frame_that_leaves_waits_for_the_document_that_comes() {
    run(async {
        let (_tabs, page, server) = open("<iframe title=F src=/first></iframe>").await;
        let slow = |body: &str| Route { wait: Duration::from_millis(700), body: body.to_owned(), ..Route::default() };
        server.page("/first", "<a href=/second>Next</a>");
        server.route("/second", slow("<a href=/third>Next</a>"));
        server.route("/third", slow("<h1>The end</h1>"));
        page.reload(secs(5)).await.unwrap();
        for _ in 0..2 {
            page.settle(secs(5)).await.unwrap();
            page.click(&target("link \"Next\""), &Click::default(), secs(5)).await.unwrap();
        }
        let (mut changes, deadline) = (page.changes(), secs(5));
        while !outline(&page).await.contains("The end") {
            assert!(changes.changed(deadline).await.unwrap());
        }
    });
}

#[test]
fn a_page_that_is_on_its_way_elsewhere_is_not_called_busy() {
    run(async {
        let (_tabs, page, server) = open("<a href=/silent>Go</a><button>Here</button>").await;
        server.route("/silent", Route { silent: true, ..Route::default() });
        page.click(&target("link \"Go\""), &Click::default(), secs(5)).await.unwrap();
        // The browser may already ask the page nothing.
        page.settle(millis(300)).await.ok();
        let error = page.click(&target("button \"Here\""), &Click::default(), millis(500)).await.unwrap_err();
        assert!(error.to_string().contains(&format!("on its way to {}", server.url("/silent"))), "{error}");
    });
}
