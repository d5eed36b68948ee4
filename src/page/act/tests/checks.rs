//! What has to be so before a press.

use std::time::Duration;

use tokio::time::Instant;

use super::stage::{Stage, css, soon};
use crate::page::act::Click;
use crate::scenario::Target;

#[tokio::test(flavor = "multi_thread")]
async fn what_covers_is_named_and_not_pressed() {
    let stage = Stage::with(
        "<button id=s style='position:absolute;left:100px;top:100px' onclick=\"log('sent')\">Send</button>\
         <div id=veil role=dialog aria-label=Cookies style='position:fixed;inset:0;background:#0005' onclick=\"more('veil')\">\
         <div style='margin:200px auto;width:200px;background:#fff'>Take one <button id=ok onclick='veil.remove();event.stopPropagation();log(\"gone\")'>OK</button></div></div>",
    )
    .await;
    let error = stage.refused("#s", 500).await;
    assert!(error.to_string().contains("is covered by dialog \"Cookies\""), "{error}");
    assert_eq!(error.details(), [("in the way".to_owned(), "dialog \"Cookies\"".to_owned())]);
    assert_eq!(stage.log().await, "nothing");
    stage.click("#ok").await;
    assert_eq!(stage.log().await, "gone");
    stage.click("#s").await;
    assert_eq!(stage.log().await, "sent");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_right_place_of_an_element() {
    let stage = Stage::new(&[
        (
            "/lines",
            "<p style='width:220px;font:16px monospace' onclick=\"log('text')\">aaaaaaaaaaaaaaaaaa <a id=t href=#x onclick=\"event.stopPropagation();log('link')\">bbbb cc</a> dd</p>",
        ),
        (
            "/sticky",
            "<div style='position:sticky;top:0;height:80px;background:#cde' onclick=\"log('head')\">Head</div><div style='height:1500px'></div>\
             <button id=t onclick=\"log('row')\">Row</button><div style='height:1500px'></div>\
             <script>onload = () => scrollTo(0, t.offsetTop - 30)</script>",
        ),
        (
            "/nested",
            "<div style='width:250px;height:120px;overflow:auto'><div style='height:900px;padding-top:500px'>\
             <div style='width:200px;height:90px;overflow:auto'><div style='width:800px;height:600px;position:relative'>\
             <button id=t style='position:absolute;left:600px;top:500px' onclick=\"log('deep ' + event.isTrusted)\">Deep</button></div></div></div></div>",
        ),
        (
            "/badge",
            "<button id=t style='position:absolute;left:20px;top:20px;width:200px;height:60px' onclick=\"log('button')\">Wide</button>\
             <b style='position:absolute;left:100px;top:30px;width:40px;height:40px;background:red' onclick=\"log('badge')\">9</b>",
        ),
        ("/ring", "<svg width=200 height=200><circle id=t cx=100 cy=100 r=90 fill=none stroke=black stroke-width=20 onclick=\"log('ring')\"/></svg>"),
        ("/through", "<button onclick=\"log('button')\"><span id=t style='pointer-events:none'>Inner</span></button>"),
        ("/contents", "<div id=t style='display:contents' onclick=\"log('contents')\"><p>Words</p></div>"),
    ])
    .await;
    for (path, log) in [
        ("/lines", "link"),
        ("/sticky", "row"),
        ("/nested", "deep true"),
        ("/badge", "button"),
        ("/ring", "ring"),
        ("/through", "button"),
        ("/contents", "contents"),
    ] {
        stage.open(path).await;
        stage.click("#t").await;
        assert_eq!(stage.log().await, log, "{path}");
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_control_that_only_its_label_shows() {
    let stage = Stage::with(
        "<style>.v{position:absolute;width:1px;height:1px;clip-path:inset(50%);overflow:hidden}.o{position:relative;display:inline-block}\
         .o input{position:absolute;opacity:0;width:0;height:0}.o span{padding:8px 24px;background:#ddd}</style>\
         <label><input id=a class=v type=checkbox onchange=\"more('a' + this.checked)\"><span>News</span></label>\
         <label class=o><input id=b type=checkbox onchange=\"more('b' + this.checked)\"><span>Terms</span></label>\
         <input id=c type=radio style='display:none' onchange=\"more('c')\"><label for=c>Choice with a <a href=#x>link</a></label>",
    )
    .await;
    for id in ["#a", "#b", "#c"] {
        stage.click(id).await;
    }
    assert_eq!(stage.log().await, "atrue btrue c");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_says_why_and_is_waited_for() {
    let stage = Stage::with(
        "<button id=a disabled onclick=\"log('a')\">A</button><fieldset disabled><legend>Group</legend><div><button id=b onclick=\"log('b')\"><i id=bi>B</i></button></div></fieldset>\
         <button id=c aria-disabled=true onclick=\"log('c')\">C</button><div inert><button id=d onclick=\"log('d')\">D</button></div>\
         <button id=late disabled onclick=\"log('late')\">Late</button>",
    )
    .await;
    for (id, why) in [
        ("#a", "it is disabled;"),
        ("#b", "it is disabled by its group \"Group"),
        ("#bi", "it is disabled by its group \"Group"),
        ("#c", "it is disabled (aria-disabled)"),
        ("#d", "which is inert"),
    ] {
        let error = stage.refused(id, 300).await.to_string();
        assert!(error.contains(why), "{id}: {error}");
    }
    assert_eq!(stage.log().await, "nothing");
    stage.ask::<()>("void setTimeout(() => document.getElementById('late').disabled = false, 300)").await;
    stage.click("#late").await;
    assert_eq!(stage.log().await, "late");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_says_why_and_is_waited_for() {
    let stage = Stage::with(
        "<button id=a style='display:none'>A</button><button id=b style='visibility:hidden'>B</button>\
         <div id=c style='width:0;height:0;overflow:hidden'></div><details><summary>S</summary><button id=d>D</button></details>\
         <select><option id=e>E</option></select><button id=f style='position:fixed;left:-500px'>F</button>\
         <button id=late style='display:none' onclick=\"log('late')\">Late</button>",
    )
    .await;
    for (id, why) in [
        ("#a", "not displayed"),
        ("#b", "hidden by its style"),
        ("#c", "of no size"),
        ("#d", "inside shut details"),
        ("#e", "`select`"),
        ("#f", "outside the window"),
    ] {
        let error = stage.refused(id, 300).await.to_string();
        assert!(error.contains(why), "{id}: {error}");
    }
    stage.ask::<()>("void setTimeout(() => document.getElementById('late').style.display = '', 300)").await;
    stage.click("#late").await;
    assert_eq!(stage.log().await, "late");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_moves_by_itself() {
    let stage = Stage::new(&[
        (
            "/endless",
            "<style>@keyframes p{from{transform:scale(1)}50%{transform:scale(1.2)}to{transform:scale(1)}}#t{animation:p .8s infinite}</style>\
             <button id=t style='margin:60px' onclick=\"log('hit')\">Pulse</button>",
        ),
        (
            "/slide",
            "<style>#p{position:fixed;left:800px;top:80px;width:200px;height:100px;background:#eef;transition:left .6s linear}</style>\
             <button id=o onclick=\"p.style.left='300px'\">Open</button><div id=p><a id=t href=#t onclick=\"log('at ' + p.getBoundingClientRect().left)\">Thread</a></div>",
        ),
    ])
    .await;
    stage.open("/endless").await;
    // It never stands still; a busy machine is slow only now and then.
    let mut quickest = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        stage.click("#t").await;
        quickest = quickest.min(start.elapsed());
        assert_eq!(stage.log().await, "hit");
    }
    assert!(quickest < Duration::from_millis(600), "{quickest:?}");
    stage.open("/slide").await;
    stage.click("#o").await;
    stage.click("#t").await;
    assert_eq!(stage.log().await, "at 300");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_element_that_is_drawn_anew_is_found_anew() {
    let stage = Stage::with(
        "<div id=app></div><script>let n = 0; function draw() { n++; app.innerHTML = '<button id=m>Menu</button><button id=t disabled>Team</button>'; const mine = n;\
         t.onclick = () => log('team ' + mine); m.onclick = () => log('menu'); if (n > 3) t.disabled = false; else setTimeout(draw, 300) } draw()</script>",
    )
    .await;
    stage.page.click(&css("#t"), &Click::default(), soon()).await.unwrap();
    assert_eq!(stage.log().await, "team 4");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn shadow_trees_closed_and_slotted() {
    let stage = Stage::with(
        "<x-card><b id=slotted onclick=\"more('light')\">Slotted</b></x-card><script>customElements.define('x-card', class extends HTMLElement {\
         constructor() { super(); const root = this.attachShadow({ mode: 'open' });\
         root.innerHTML = '<button id=outer><slot></slot></button><x-inner></x-inner><div id=over style=\"position:absolute;left:0;top:200px;width:90px;height:40px;background:#aaa\">over</div><button id=under style=\"position:absolute;left:5px;top:205px;z-index:-1\">Under</button>';\
         root.getElementById('outer').onclick = () => more('outer') } });\
         customElements.define('x-inner', class extends HTMLElement { constructor() { super(); const root = this.attachShadow({ mode: 'closed' });\
         root.innerHTML = '<p>inside</p><button id=closed>Closed</button>'; root.getElementById('closed').onclick = () => more('closed'); this.probe = root } });</script>",
    )
    .await;
    stage.click("#slotted").await;
    stage.click("#outer").await;
    assert_eq!(stage.log().await, "light outer light outer");
    let closed = Target::parse("button \"Closed\"").unwrap();
    stage.page.click(&closed, &Click::default(), soon()).await.unwrap();
    assert_eq!(stage.log().await, "light outer light outer closed");
    let error = stage.refused("#under", 300).await;
    assert!(error.to_string().contains("covered by generic \"over\" (<div#over>)"), "{error}");
    stage.end().await;
}
