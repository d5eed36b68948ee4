//! Presses that would hit something else are stopped.

use super::stage::{Stage, css, soon};
use crate::page::act::Click;

#[tokio::test(flavor = "multi_thread")]
async fn a_button_that_changes_places_under_the_pointer() {
    // When the pointer comes, another button takes the place; the press that follows at once must not hit it.
    let stage = Stage::with(
        "<style>button{position:absolute;top:50px;width:120px;height:40px}</style><input id=i style='position:absolute;top:200px'>\
         <form onsubmit=\"more('SUBMITTED');return false\"><button id=keep type=button style='left:20px'>Keep</button><button id=drop style='left:220px'>Delete</button></form>\
         <script>let swaps = 0; keep.addEventListener('pointermove', () => { document.body.dataset.swaps = ++swaps; if (swaps > 2) return; [keep.style.left, drop.style.left] = [drop.style.left, keep.style.left] });\
         for (const b of [keep, drop]) for (const t of ['pointerdown','mousedown','focus','mouseup','click']) b.addEventListener(t, () => more(b.id + '-' + t));\
         addEventListener('pointerdown', e => more('window-' + e.target.id), true)</script>",
    )
    .await;
    stage.page.click(&css("#keep"), &Click::default(), soon()).await.unwrap();
    let log = stage.log().await;
    assert_eq!(log, "window-keep keep-pointerdown keep-mousedown keep-focus keep-mouseup keep-click");
    // The places were changed twice, so two presses were stopped, before any listener of the page saw them.
    assert_eq!(stage.ask::<String>("document.body.dataset.swaps").await, "3");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_button_that_always_runs_away_is_given_up() {
    let stage = Stage::with(
        "<style>button{position:absolute;top:50px;width:120px;height:40px}</style><button id=keep style='left:20px'>Keep</button><button id=drop style='left:220px'>Delete</button>\
         <script>keep.addEventListener('pointermove', () => { [keep.style.left, drop.style.left] = [drop.style.left, keep.style.left] });\
         for (const b of [keep, drop]) for (const t of ['pointerdown','mousedown','mouseup','click']) b.addEventListener(t, () => more(b.id + '-' + t));</script>",
    )
    .await;
    let error = stage.refused("#keep", 1500).await;
    assert!(error.to_string().contains("it moves, and each time button \"Delete\" was at its place"), "{error}");
    assert_eq!(stage.log().await, "nothing");
    // The watch is over: what is pressed next is pressed.
    stage.click("#drop").await;
    assert!(stage.log().await.ends_with("drop-click"));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_that_is_given_up_leaves_no_watch() {
    let stage = Stage::with("<button id=a disabled>A</button><button id=b onclick=\"log('b')\">B</button>").await;
    let (selector, click) = (css("#a"), Click::default());
    let given_up = stage.page.click(&selector, &click, soon());
    tokio::select! {
        biased;
        _ = given_up => panic!("it is disabled"),
        () = stage.until("true") => {}
    }
    stage.click("#b").await;
    assert_eq!(stage.log().await, "b");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_writes_itself_anew_is_watched_all_the_same() {
    let stage = Stage::with(
        "<button id=b>Go</button><script>var n = 0; var own = document.documentElement.outerHTML;\
         document.onclick = () => { document.open(); document.write(own); document.close(); document.title = String(++n);\
         document.onclick = () => { document.title = String(++n) } }</script>",
    )
    .await;
    for _ in 0..3 {
        stage.click("#b").await;
    }
    assert_eq!(stage.ask::<String>("document.title").await, "3");
    stage.end().await;
}
