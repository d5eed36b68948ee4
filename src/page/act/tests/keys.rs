//! The keyboard.

use std::time::Duration;

use super::stage::{Stage, after, chord, css, soon};
use crate::page::act::{Hold, Repeat};

const KEYS: &str = "<input id=i value='hello world'><script>let n = 0; for (const t of ['keydown','keypress','keyup']) addEventListener(t, e => {\
 if (e.isTrusted) more([t, e.key, e.code, e.keyCode, e.which, e.repeat, e.location, (e.shiftKey ? 'S' : '') + (e.ctrlKey ? 'C' : '') + (e.altKey ? 'A' : '') + (e.metaKey ? 'M' : '')].join('/')) })</script>";

impl Stage {
    async fn presses(&self, keys: &[&str]) {
        let chords: Vec<_> = keys.iter().map(|key| chord(key)).collect();
        self.page.press(&chords, Hold::default(), None, soon()).await.unwrap();
    }

    /// The log since the last time.
    async fn news(&self) -> String {
        self.ask("(log => { const text = log.textContent; log.textContent = 'nothing'; return text })(document.getElementById('log'))").await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_sees_of_keys() {
    let stage = Stage::with(KEYS).await;
    for (key, expected) in [
        ("a", "keydown/a/KeyA/65/65/false/0/ keypress/a/KeyA/97/97/false/0/ keyup/a/KeyA/65/65/false/0/"),
        ("/", "keydown///Slash/191/191/false/0/ keypress///Slash/47/47/false/0/ keyup///Slash/191/191/false/0/"),
        ("Space", "keydown/ /Space/32/32/false/0/ keypress/ /Space/32/32/false/0/ keyup/ /Space/32/32/false/0/"),
        ("Escape", "keydown/Escape/Escape/27/27/false/0/ keyup/Escape/Escape/27/27/false/0/"),
        (
            "Enter",
            "keydown/Enter/Enter/13/13/false/0/ keypress/Enter/Enter/13/13/false/0/ keyup/Enter/Enter/13/13/false/0/",
        ),
        (
            "Numpad5",
            "keydown/5/Numpad5/101/101/false/3/ keypress/5/Numpad5/53/53/false/3/ keyup/5/Numpad5/101/101/false/3/",
        ),
        ("ShiftRight", "keydown/Shift/ShiftRight/16/16/false/2/S keyup/Shift/ShiftRight/16/16/false/2/"),
        (
            "?",
            "keydown/Shift/ShiftLeft/16/16/false/1/S keydown/?/Slash/191/191/false/0/S keypress/?/Slash/63/63/false/0/S keyup/?/Slash/191/191/false/0/S keyup/Shift/ShiftLeft/16/16/false/1/",
        ),
        (
            "Control+Shift+K",
            "keydown/Control/ControlLeft/17/17/false/1/C keydown/Shift/ShiftLeft/16/16/false/1/SC keydown/K/KeyK/75/75/false/0/SC keyup/K/KeyK/75/75/false/0/SC keyup/Shift/ShiftLeft/16/16/false/1/C keyup/Control/ControlLeft/17/17/false/1/",
        ),
    ] {
        stage.presses(&[key]).await;
        assert_eq!(stage.news().await, expected, "{key}");
    }
    stage.presses(&["ArrowUp", "Space"]).await;
    let log = stage.news().await;
    let order: Vec<_> =
        log.split(" key").map(|event| event.rsplit_once("/false").map_or(event, |(start, _)| start)).collect();
    assert_eq!(
        order.iter().map(|event| event.split('/').next().unwrap().trim_start_matches("key")).collect::<Vec<_>>(),
        ["down", "down", "press", "up", "up"],
        "{log}"
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_do_what_keys_do() {
    let stage = Stage::with(
        "<form onsubmit=\"log('submitted ' + q.value);return false\"><input id=q name=q></form><textarea id=t oninput='log(JSON.stringify(this.value))'></textarea>\
         <a id=l href=#l onclick=\"log('link')\">Link</a><button id=b onclick=\"log('button')\">B</button><input id=i value='hello world'>",
    )
    .await;
    stage.page.type_text(&css("#q"), "abc", false, soon()).await.unwrap();
    stage.presses(&["Enter"]).await;
    assert_eq!(stage.log().await, "submitted abc");
    let enter = [chord("Enter")];
    for (id, expected) in [("#t", "\"\\n\""), ("#l", "link"), ("#b", "button")] {
        stage.page.press(&enter, Hold::default(), Some(&css(id)), soon()).await.unwrap();
        assert_eq!(stage.log().await, expected);
    }
    stage.presses(&["Tab"]).await;
    assert_eq!(stage.ask::<String>("document.activeElement.id").await, "i");
    stage.presses(&["ControlOrMeta+a"]).await;
    assert_eq!(
        stage.ask::<(u32, u32)>("[document.activeElement.selectionStart, document.activeElement.selectionEnd]").await,
        (0, 11)
    );
    stage.presses(&["Backspace"]).await;
    stage.presses(&["x"]).await;
    stage.presses(&["Shift+y"]).await;
    assert_eq!(stage.ask::<String>("document.activeElement.value").await, "xY");
    let error = stage.page.press(&enter, Hold::default(), Some(&css("p")), after(200)).await.unwrap_err();
    assert!(error.to_string().contains("not focusable"), "{error}");
    stage.end().await;
}

const HELD: &str = "<script>let d = 0, r = 0, u = 0; onkeydown = e => { e.repeat ? r++ : d++; show(e) }; onkeyup = e => { u++; show(e) };\
 function show(e) { log(d + ' ' + r + ' ' + u) }</script>";

#[tokio::test(flavor = "multi_thread")]
async fn a_held_key_repeats_as_a_keyboard_does() {
    let stage = Stage::with(HELD).await;
    let right = [chord("ArrowRight")];
    let hold = |ms, repeat| Hold { duration: Some(Duration::from_millis(ms)), repeat };
    let start = tokio::time::Instant::now();
    stage.page.press(&right, hold(1000, Repeat::Keyboard), None, soon()).await.unwrap();
    assert!(start.elapsed() >= Duration::from_millis(1000) && start.elapsed() < Duration::from_secs(4));
    let log = stage.log().await;
    let counts: Vec<u32> = log.split(' ').map(|count| count.parse().unwrap()).collect();
    assert!(counts[0] == 1 && (8..=40).contains(&counts[1]) && counts[2] == 1, "{log}");
    stage.open("/").await;
    stage.page.press(&right, hold(100, Repeat::Keyboard), None, soon()).await.unwrap();
    assert_eq!(stage.log().await, "1 0 1");
    stage.open("/").await;
    stage.page.press(&right, hold(600, Repeat::Never), None, soon()).await.unwrap();
    assert_eq!(stage.log().await, "1 0 1");
    stage.open("/").await;
    let often = Repeat::Every { after: Duration::ZERO, every: Duration::from_millis(20) };
    stage.page.press(&right, hold(300, often), None, soon()).await.unwrap();
    let log = stage.log().await;
    assert!(
        log.starts_with("1 ") && log.ends_with(" 1") && log.split(' ').nth(1).unwrap().parse::<u32>().unwrap() >= 5,
        "{log}"
    );
    let error = stage.page.press(&right, hold(5000, Repeat::Never), None, after(1000)).await.unwrap_err();
    assert!(error.to_string().contains("longer `timeout`"), "{error}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_come_up_when_the_step_is_given_up() {
    let stage = Stage::with(HELD).await;
    let keys = [chord("Shift+ArrowRight")];
    let hold = Hold { duration: Some(Duration::from_secs(5)), repeat: Repeat::Never };
    tokio::select! {
        biased;
        _ = stage.page.press(&keys, hold, None, soon()) => panic!("it is held for longer"),
        () = stage.until("document.getElementById('log').textContent === '2 0 0'") => {}
    }
    stage.until("document.getElementById('log').textContent === '2 0 2'").await;
    assert_eq!(stage.page.held().all(), []);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_leaves_while_a_key_is_held() {
    let stage = Stage::new(&[
        ("/", "<script>let n = 0; onkeydown = () => { if (++n === 3) location.href = '/next' }</script>"),
        (
            "/next",
            "<a id=c href=#x onclick=\"log('shift ' + event.shiftKey);return false\">Check</a><script>onkeydown = e => more('down ' + e.repeat); onkeyup = e => more('up')</script>",
        ),
    ])
    .await;
    stage.open("/").await;
    let often = Repeat::Every { after: Duration::from_millis(20), every: Duration::from_millis(20) };
    let hold = Hold { duration: Some(Duration::from_secs(8)), repeat: often };
    let start = tokio::time::Instant::now();
    stage.page.press(&[chord("Shift+ArrowRight")], hold, None, soon()).await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
    assert_eq!(stage.page.held().all(), []);
    stage.click("#c").await;
    assert_eq!(stage.log().await, "shift false");
    stage.ask::<()>("void (document.getElementById('log').textContent = 'nothing')").await;
    stage.presses(&["ArrowRight"]).await;
    assert_eq!(stage.log().await, "down false up");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_stay_down_over_acts() {
    let stage = Stage::with("<button id=b onclick='log(event.shiftKey)'>B</button>").await;
    stage.page.key_down(&chord("Shift"), soon()).await.unwrap();
    stage.click("#b").await;
    assert_eq!(stage.log().await, "true");
    stage.page.key_up(&chord("Shift"), soon()).await.unwrap();
    stage.click("#b").await;
    assert_eq!(stage.log().await, "false");
    let error = stage.page.key_up(&chord("w"), soon()).await.unwrap_err();
    assert!(error.to_string().contains("the key w is not down"), "{error}");
    stage.page.key_down(&chord("w"), soon()).await.unwrap();
    stage.page.release_all(soon()).await.unwrap();
    assert_eq!(stage.page.held().all(), []);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_takes_milliseconds_and_typing_too() {
    let stage = Stage::with("<input id=i><script>let n = 0; onkeydown = () => log(++n)</script>").await;
    let mut fastest = [Duration::MAX; 2];
    for turn in 1..=30 {
        let start = tokio::time::Instant::now();
        stage.presses(&["ArrowUp"]).await;
        assert_eq!(stage.log().await, turn.to_string());
        fastest[0] = fastest[0].min(start.elapsed());
    }
    for turn in 0..30 {
        let start = tokio::time::Instant::now();
        stage.page.type_text(&css("#i"), &format!("text {turn}"), false, soon()).await.unwrap();
        fastest[1] = fastest[1].min(start.elapsed());
    }
    // A frame is 16.7 ms: none was waited for.
    assert!(fastest.iter().all(|time| *time < Duration::from_millis(14)), "{fastest:?}");
    stage.end().await;
}
