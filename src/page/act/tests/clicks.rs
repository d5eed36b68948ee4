//! What a page sees of a click.

use super::stage::{Stage, after, at, css, soon};
use crate::cdp::input::MouseButton;
use crate::page::PageError;
use crate::page::act::Click;
use crate::scenario::Modifiers;

const RECORDER: &str = "<button id=b style='position:absolute;left:40px;top:40px;width:100px;height:30px'>Tap</button><script>\
for (const t of ['pointerover','mousemove','pointerdown','mousedown','pointerup','mouseup','click','dblclick','auxclick','contextmenu'])\
 b.addEventListener(t, e => { if (t === 'contextmenu') e.preventDefault(); if (!e.isTrusted) more('UNTRUSTED'); more(t + ':' + e.button + ':' + e.buttons + ':' + e.detail); });</script>";

#[tokio::test(flavor = "multi_thread")]
async fn the_events_of_clicks_are_those_of_a_mouse() {
    let stage = Stage::with(RECORDER).await;
    stage.click("#b").await;
    let single = "pointerdown:0:1:0 mousedown:0:1:1 pointerup:0:0:0 mouseup:0:0:1 click:0:0:1";
    let log = stage.log().await;
    assert_eq!(
        log.split_once(" pointerdown").map(|(_, rest)| format!("pointerdown{rest}")).as_deref(),
        Some(single),
        "{log}"
    );
    assert!(log.contains("mousemove:0:0:0") && !log.contains("UNTRUSTED"), "{log}");

    stage.ask::<()>("void (document.getElementById('log').textContent = 'nothing')").await;
    let double = Click { times: 2, ..Click::default() };
    stage.page.click(&css("#b"), &double, soon()).await.unwrap();
    let log = stage.log().await;
    let clicks: Vec<_> = log.split(' ').filter(|event| event.contains("click")).collect();
    assert_eq!(clicks, ["click:0:0:1", "click:0:0:2", "dblclick:0:0:2"], "{log}");
    assert_eq!(log.matches("mousedown").count(), 2, "{log}");

    stage.ask::<()>("void (document.getElementById('log').textContent = 'nothing')").await;
    let right = Click { button: MouseButton::Right, ..Click::default() };
    stage.page.click(&css("#b"), &right, soon()).await.unwrap();
    let log = stage.log().await;
    assert!(log.contains("mousedown:2:2:1") && log.contains("contextmenu:2") && log.contains("auxclick:2"), "{log}");
    assert!(!log.contains(" click:"), "{log}");

    stage.ask::<()>("void (document.getElementById('log').textContent = 'nothing')").await;
    let middle = Click { button: MouseButton::Middle, ..Click::default() };
    stage.page.click(&css("#b"), &middle, soon()).await.unwrap();
    let log = stage.log().await;
    assert!(log.contains("mousedown:1:4:1") && log.contains("auxclick:1"), "{log}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_an_offset_and_modifiers() {
    let stage = Stage::with(
        "<div id=d style='position:absolute;left:100px;top:50px;width:300px;height:200px;background:#ddd'></div><script>\
         onmousedown = e => log([e.clientX, e.clientY, e.shiftKey, e.ctrlKey].join());\
         let keys = ''; onkeydown = e => keys += '+' + e.key; onkeyup = e => { keys += '-' + e.key; document.title = keys };</script>",
    )
    .await;
    stage.page.click(&at(200.0, 150.0), &Click::default(), soon()).await.unwrap();
    assert_eq!(stage.log().await, "200,150,false,false");
    let corner = Click { at: Some((5.0, 7.0)), ..Click::default() };
    stage.page.click(&css("#d"), &corner, soon()).await.unwrap();
    assert_eq!(stage.log().await, "105,57,false,false");
    let held = Click { modifiers: Modifiers::SHIFT.with(Modifiers::CONTROL), ..Click::default() };
    stage.page.click(&css("#d"), &held, soon()).await.unwrap();
    assert_eq!(stage.log().await, "250,150,true,true");
    assert_eq!(stage.ask::<String>("document.title").await, "+Control+Shift-Shift-Control");
    stage.click("#d").await;
    assert_eq!(stage.log().await, "250,150,false,false");
    let error = stage.page.click(&at(5000.0, 10.0), &Click::default(), soon()).await.unwrap_err();
    assert!(error.to_string().contains("outside the window, which is 1280 by 720"), "{error}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn handlers_that_open_dialogs_leave_or_close() {
    let stage = Stage::new(&[
        (
            "/",
            "<button id=a onclick=\"alert('hi'); log('after alert')\">Alert</button>\
             <button id=d onmousedown=\"confirm('sure?'); more('down')\" onclick=\"more('click')\">Down</button>\
             <a id=l href=/next>Next</a>",
        ),
        ("/next", "<h1>Next</h1><button id=c onclick='log(1)'>Here</button>"),
    ])
    .await;
    stage.open("/").await;
    stage.click("#a").await;
    assert_eq!(stage.log().await, "after alert");
    stage.ask::<()>("void (document.getElementById('log').textContent = 'nothing')").await;
    stage.click("#d").await;
    assert!(stage.log().await.starts_with("down"));
    stage.click("#l").await;
    // The next act finds the next page by itself.
    stage.click("#c").await;
    assert_eq!(stage.log().await, "1");
    assert_eq!(stage.page.dialogs().len(), 2);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_closes_itself_was_clicked() {
    let stage = Stage::new(&[
        ("/", "<button id=o onclick=\"open('/popup', '', 'width=300,height=200')\">Open</button>"),
        ("/popup", "<button id=z onclick='log(++n)'>Z</button><script>let n = 0</script><button id=b onclick='window.close()'>Close</button>"),
    ])
    .await;
    stage.open("/").await;
    stage.click("#o").await;
    let popup = stage.tabs.next_opened(0, None, soon()).await.unwrap();
    let popup = stage.tabs.get(&popup.id).unwrap();
    // Its window was that of the empty page before it; it is watched all the same, and pressed once.
    popup.click(&css("#z"), &Click::default(), soon()).await.unwrap();
    let log = popup.evaluate::<String>(popup.main_frame(), "document.getElementById('log').textContent", soon()).await;
    assert_eq!(log.unwrap(), "1");
    popup.click(&css("#b"), &Click::default(), soon()).await.unwrap();
    let stopped = tokio::time::timeout_at(soon(), popup.core().until_stopped()).await.unwrap();
    assert!(matches!(stopped, PageError::Closed), "{stopped}");
    stage.end().await;
}

/// Ends the renderer.
#[derive(serde::Serialize)]
struct Crash {}

impl crate::cdp::Command for Crash {
    const METHOD: &'static str = "Page.crash";
    type Reply = crate::cdp::Empty;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_crashes_in_its_handler_does_not_hang_the_click() {
    let stage = Stage::with("<button id=b onclick='for (;;);'>Spin</button>").await;
    let start = tokio::time::Instant::now();
    let (selector, click) = (css("#b"), Click::default());
    // The handler has begun when a question to the page gets no answer any more.
    let spinning = async {
        let ask = async || stage.page.evaluate::<i32>(stage.page.main_frame(), "1", after(200)).await;
        while ask().await.is_ok() {}
        stage.page.session().send(&Crash {});
    };
    let error = tokio::select! {
        _ = async { spinning.await; std::future::pending::<()>().await } => unreachable!(),
        clicked = stage.page.click(&selector, &click, soon()) => clicked.unwrap_err(),
    };
    assert!(matches!(error, PageError::Crashed), "{error}");
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_takes_milliseconds() {
    let stage = Stage::with("<button id=b onclick='log(++n)' style='transition:background .5s'>Go</button><style>#b:hover{background:red}</style><script>let n = 0</script>").await;
    stage.click("#b").await;
    let mut fastest = std::time::Duration::MAX;
    for _ in 0..50 {
        let start = tokio::time::Instant::now();
        stage.click("#b").await;
        fastest = fastest.min(start.elapsed());
    }
    assert_eq!(stage.log().await, "51");
    // A frame is 16.7 ms: none was waited for, not even while the colour is on its way.
    assert!(fastest < std::time::Duration::from_millis(14), "{fastest:?}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_without_an_end_is_said_to_be_busy() {
    let stage =
        Stage::with("<button id=b onclick='for (const end = Date.now() + 1500; Date.now() < end;);'>Spin</button>")
            .await;
    let error = stage.page.click(&css("#b"), &Click::default(), after(500)).await.unwrap_err();
    // It was pressed all the same, and nobody should press it again without a look.
    assert!(
        error.to_string().contains("was pressed, and then") && error.to_string().contains("script is busy"),
        "{error}"
    );
    stage.end().await;
}
