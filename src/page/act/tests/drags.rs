//! What a page sees of a drag.

use super::stage::{Stage, after, at, css, soon};
use crate::page::act::DropAt;

const DND: &str = "<style>div{position:absolute;top:50px;width:100px;height:60px}</style>\
    <div id=a draggable=true style='left:20px'>A</div><div id=b style='left:300px'>B</div><script>\
    for (const t of ['pointerdown','mousedown','dragstart','dragenter','drop','dragend','pointercancel','pointerup','mouseup','click']) addEventListener(t, e => {\
     if (t === 'dragstart') e.dataTransfer.setData('text/plain', 'hello'); if (t === 'drop') e.preventDefault();\
     if (t !== 'dragenter' || e.target.id === 'b') more((e.isTrusted ? '' : 'UNTRUSTED-') + t + ':' + e.target.id + (t === 'drop' ? ':' + e.dataTransfer.getData('text/plain') + e.dataTransfer.files.length : '')) });\
    b.addEventListener('dragover', e => e.preventDefault());</script>";

#[tokio::test(flavor = "multi_thread")]
async fn drag_and_drop_is_that_of_a_mouse() {
    let stage = Stage::with(DND).await;
    let (from, to) = (css("#a"), css("#b"));
    stage.page.drag(&from, DropAt::Target(&to), 10, soon()).await.unwrap();
    let seen = "pointerdown:a mousedown:a dragstart:a pointercancel:a dragenter:b drop:b:hello0 dragend:a";
    assert_eq!(stage.log().await, seen);
    stage.click("#b").await;
    assert_eq!(stage.log().await, format!("{seen} pointerdown:b mousedown:b pointerup:b mouseup:b click:b"));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drag_that_fails_on_its_way_drops_nothing() {
    let stage = Stage::with(DND).await;
    let (from, to) = (css("#a"), css("#gone"));
    let error = stage.page.drag(&from, DropAt::Target(&to), 10, after(600)).await.unwrap_err();
    assert!(error.to_string().contains("#gone"), "{error}");
    stage.until("document.getElementById('log').textContent.includes('dragend')").await;
    let log = stage.log().await;
    assert!(!log.contains("drop"), "{log}");
    stage.ask::<()>("void (document.getElementById('log').textContent = 'nothing')").await;
    stage.click("#b").await;
    assert_eq!(stage.log().await, "pointerdown:b mousedown:b pointerup:b mouseup:b click:b");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_is_dropped_on_may_come_with_the_drag() {
    let stage = Stage::with(&DND.replace(
        "b.addEventListener",
        "const gone = b; gone.remove(); addEventListener('dragstart', () => setTimeout(() => document.body.append(gone))); gone.addEventListener",
    ))
    .await;
    let (from, to) = (css("#a"), css("#b"));
    stage.page.drag(&from, DropAt::Target(&to), 10, soon()).await.unwrap();
    assert!(stage.log().await.contains("drop:b:hello0 dragend:a"), "{}", stage.log().await);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_follows_the_pointer_sees_every_move() {
    let stage = Stage::with(
        "<div id=k style='position:absolute;left:50px;top:50px;width:20px;height:20px;background:red'></div>\
         <div id=cover style='position:absolute;left:300px;top:40px;width:60px;height:60px'></div><script>\
         let moves = 0; k.onpointerdown = e => { k.setPointerCapture(e.pointerId); more('down') };\
         k.onpointermove = e => { if (!(e.buttons & 1)) return; moves++; k.style.left = e.clientX - 10 + 'px' };\
         k.onpointerup = e => more('up:' + e.clientX + ':' + moves)</script>",
    )
    .await;
    stage.page.drag(&css("#k"), DropAt::By { x: 100.0, y: 0.0 }, 5, soon()).await.unwrap();
    assert_eq!(stage.log().await, "down up:160:5");
    // From a place to a place, and what is dragged may cover what it is dropped on.
    stage.page.drag(&at(160.0, 60.0), DropAt::Target(&at(200.0, 60.0)), 2, soon()).await.unwrap();
    assert_eq!(stage.log().await, "down up:160:5 down up:200:7");
    stage.page.drag(&css("#k"), DropAt::Target(&css("#cover")), 3, soon()).await.unwrap();
    assert!(stage.log().await.contains("up:330:"), "{}", stage.log().await);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_covers_the_place_is_told_before_anything_is_pressed() {
    let stage = Stage::with(&format!(
        "{DND}<aside aria-label=Ad style='position:absolute;left:250px;top:0;width:300px;height:300px;background:gold'>Ad</aside>"
    ))
    .await;
    let (from, to) = (css("#a"), css("#b"));
    let error = stage.page.drag(&from, DropAt::Target(&to), 10, after(500)).await.unwrap_err();
    assert!(error.to_string().contains("cannot be dropped on: it is covered by complementary \"Ad\""), "{error}");
    assert_eq!(stage.log().await, "nothing");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_dropped_as_from_outside() {
    let stage = Stage::with(DND).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("süß file.txt");
    std::fs::write(&file, "12345").unwrap();
    stage.page.drop_files(&[file], &css("#b"), soon()).await.unwrap();
    assert_eq!(stage.log().await, "dragenter:b drop:b:1");
    stage.end().await;
}
