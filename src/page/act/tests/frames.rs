//! Frames of the same and of another origin.

use super::stage::{Stage, after, css, soon};
use crate::page::act::Click;

const INNER: &str = "<div style='height:900px'>top</div><button id=t style='margin-left:60px' onclick=\"log('hit ' + event.isTrusted)\">In</button><input id=i oninput='log(this.value)'><div style='height:900px'></div>\
<script>addEventListener('pointerdown', e => document.title = 'down on ' + e.target.nodeName, true)</script>";

#[tokio::test(flavor = "multi_thread")]
async fn scrolled_turned_and_zoomed_frames() {
    let frame = |src: &str, style: &str| {
        format!(
            "<div style='height:1400px'></div><div style='overflow:auto;width:600px;height:300px'><div style='height:800px;padding:400px 0 0 30px'>\
             <iframe id=f src='{src}' width=300 height=180 style='{style}'></iframe></div></div><div style='height:1400px'></div>"
        )
    };
    let plain = "border:9px solid;padding:4px";
    let turned = "border:9px solid;padding:4px;transform:rotate(12deg) scale(.8)";
    let zoomed = "border:9px solid;padding:4px;zoom:1.4";
    let pages: Vec<(String, String)> = [("plain", plain), ("turned", turned), ("zoomed", zoomed)]
        .iter()
        .flat_map(|(name, style)| {
            [
                (format!("/same/{name}"), frame("/in", style)),
                (format!("/other/{name}"), frame("OTHER/in", style)),
                (format!("/nested/{name}"), frame(&format!("OTHER/middle/{name}"), style)),
                (
                    format!("/middle/{name}"),
                    format!("<iframe src='/in' width=220 height=140 style='margin:20px;{style}'></iframe>"),
                ),
            ]
        })
        .chain([("/in".to_owned(), INNER.to_owned())])
        .collect();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(path, body)| (&**path, &**body)).collect();
    let stage = Stage::new(&pages).await;
    for (path, _) in pages.iter().filter(|(path, _)| !path.starts_with("/middle") && *path != "/in") {
        stage.open(path).await;
        let clicked = stage.page.click(&css("#t"), &Click::default(), after(3000)).await;
        assert!(clicked.is_ok(), "{path}: {clicked:?}");
        assert_eq!(
            stage.ask_frame::<String>("/in", "document.getElementById('log').textContent").await,
            "hit true",
            "{path}"
        );
        stage.page.type_text(&css("#i"), "hällo", false, soon()).await.unwrap();
        assert_eq!(
            stage.ask_frame::<String>("/in", "document.getElementById('log').textContent").await,
            "hällo",
            "{path}"
        );
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_covers_a_frame_is_named() {
    let stage = Stage::new(&[
        ("/", "<iframe src=OTHER/in width=300 height=200></iframe><div role=alert aria-label=Veil style='position:fixed;inset:0;background:#0005' onclick=\"log('veil')\"></div>"),
        ("/in", "<button id=t onclick=\"log('hit')\">In</button>"),
    ])
    .await;
    stage.open("/").await;
    let error = stage.refused("#t", 400).await;
    assert!(error.to_string().contains("is covered by alert \"Veil\""), "{error}");
    assert_eq!(stage.log().await, "nothing");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_that_takes_the_place_and_a_frame_that_goes() {
    let stage = Stage::new(&[
        (
            "/takes",
            "<button id=keep style='position:absolute;left:20px;top:20px;width:150px;height:60px' onclick=\"more('keep')\">Keep</button>\
             <iframe id=f src=OTHER/in style='position:absolute;left:400px;top:20px;width:150px;height:60px'></iframe>\
             <script>let n = 0; keep.addEventListener('pointermove', () => { if (++n === 1) { f.style.left = '20px'; setTimeout(() => f.style.left = '400px', 200) } })</script>",
        ),
        ("/in", "<body onpointerdown=\"log('in')\" onclick=\"log('in')\">frame"),
        ("/goes", "<iframe src=/bye></iframe><script>onmessage = () => { document.querySelector('iframe').remove(); log('removed') }</script>"),
        ("/bye", "<button id=t onclick=\"parent.document.getElementById('log').textContent = 'removed'; parent.document.querySelector('iframe').remove()\">Close me</button>"),
    ])
    .await;
    stage.open("/takes").await;
    stage.page.click(&css("#keep"), &Click::default(), soon()).await.unwrap();
    assert_eq!(stage.log().await, "keep");
    assert_eq!(stage.ask_frame::<String>("/in", "document.getElementById('log').textContent").await, "nothing");
    stage.open("/goes").await;
    stage.click("#t").await;
    assert_eq!(stage.log().await, "removed");
    stage.end().await;
}
