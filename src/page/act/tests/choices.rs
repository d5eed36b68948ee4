//! Lists, boxes, files, areas: what a page sees of choosing.

use super::stage::{Stage, after, css, soon};
use crate::page::act::Click;
use crate::scenario::TextMatch;

fn texts(texts: &[&str]) -> Vec<TextMatch> {
    texts.iter().map(|text| TextMatch::parse(text).unwrap()).collect()
}

impl Stage {
    async fn choose(&self, selector: &str, wanted: &[&str]) {
        let chosen = self.page.choose(&css(selector), &texts(wanted), soon()).await.unwrap();
        assert_eq!(chosen.notice, None);
    }

    async fn not_chosen(&self, selector: &str, wanted: &[&str]) -> String {
        let error = self.page.choose(&css(selector), &texts(wanted), after(300)).await.unwrap_err();
        format!("{error} {:?}", error.details())
    }

    async fn clear(&self) {
        self.ask::<()>("void (document.getElementById('log').textContent = 'nothing')").await;
    }
}

const SELECT: &str = "<select id=s><option value=a>Apple<option value=b>Bread<option value=c disabled>Cherry<option hidden style='display:none'>Ghost\
    <optgroup label=More><option value=d>Date<option value=e>Elder</optgroup></select>\
    <select id=m multiple size=5><option>One<option selected>Two<option>Three<option>Four</select><script>\
    for (const t of ['input','change']) addEventListener(t, e => more((e.isTrusted ? '' : 'UNTRUSTED-') + t + ':' + [...e.target.selectedOptions].map(o => o.value)));</script>";

#[tokio::test(flavor = "multi_thread")]
async fn a_native_list_sees_one_trusted_choice() {
    let stage = Stage::with(SELECT).await;
    stage.choose("#s", &["Elder"]).await;
    assert_eq!(stage.log().await, "input:e change:e");
    stage.choose("#s", &["Elder"]).await;
    assert_eq!(stage.log().await, "input:e change:e", "it was chosen already");
    stage.clear().await;
    stage.choose("#s", &["b"]).await;
    assert_eq!(stage.log().await, "input:b change:b", "by its value");
    assert!(stage.not_chosen("#s", &["Cherry"]).await.contains("has the option \"Cherry\", but it is disabled"));
    let error = stage.not_chosen("#s", &["Eldar"]).await;
    assert!(error.contains("has no option \"Eldar\"") && error.contains("\\\"Elder\\\" (value e)"), "{error}");
    assert!(stage.not_chosen("#s", &["Apple", "Bread"]).await.contains("takes one option, not 2"));
    assert!(stage.not_chosen("#s", &["/e/"]).await.contains("options /e/: choose by the value"));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_several_holds_exactly_what_is_named() {
    let stage = Stage::with(SELECT).await;
    stage.choose("#m", &["Four", "One"]).await;
    let log = stage.log().await;
    assert!(log.ends_with("change:One,Four") && !log.contains("UNTRUSTED"), "{log}");
    stage.choose("#m", &[]).await;
    assert_eq!(stage.ask::<u32>("document.querySelector('#m').selectedOptions.length").await, 0);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_does_not_open_is_chosen_from_by_script_and_told() {
    let stage = Stage::with(&format!("{SELECT}<script>s.onmousedown = e => e.preventDefault()</script>")).await;
    let chosen = stage.page.choose(&css("#s"), &texts(&["Date"]), soon()).await.unwrap();
    assert!(chosen.notice.unwrap().contains("chosen by script"));
    assert_eq!(stage.log().await, "UNTRUSTED-input:d UNTRUSTED-change:d");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn options_that_come_later_are_waited_for() {
    let stage = Stage::with(
        "<select id=s><option>Wait</select><script>setTimeout(() => s.add(new Option('Late')), 300); s.onchange = () => log(s.value)</script>\
         <input id=f list=l><datalist id=l><option>x</datalist>",
    )
    .await;
    stage.choose("#s", &["Late"]).await;
    assert_eq!(stage.log().await, "Late");
    assert!(stage.not_chosen("#f", &["x"]).await.contains("use `type`"));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_of_the_pages_own_are_clicked() {
    let stage = Stage::with(
        "<button id=c aria-haspopup=listbox aria-expanded=false aria-controls=l>City</button>\
         <ul id=l role=listbox hidden><li role=option data-value=osl>Oslo<li role=option>Bergen</ul>\
         <div role=listbox id=b aria-multiselectable=true><div role=option aria-selected=true>Red</div><div role=option aria-selected=false>Green</div><div role=option aria-selected=false>Blue</div></div>\
         <script>c.onclick = () => setTimeout(() => { l.hidden = false; c.ariaExpanded = 'true' }, 100);\
         l.onclick = e => { more(e.isTrusted + ':' + e.target.textContent); l.hidden = true; c.ariaExpanded = 'false' };\
         b.onclick = e => { e.target.ariaSelected = e.target.ariaSelected !== 'true'; more(e.target.textContent) }</script>",
    )
    .await;
    stage.choose("#c", &["osl"]).await;
    stage.choose("#c", &["Bergen"]).await;
    assert_eq!(stage.log().await, "true:Oslo true:Bergen");
    stage.clear().await;
    stage.choose("#b", &["Green", "Blue"]).await;
    assert_eq!(stage.log().await, "Red Green Blue");
    stage.choose("#b", &["Green", "Blue"]).await;
    assert_eq!(stage.log().await, "Red Green Blue");
    assert!(stage.not_chosen("#b", &["Pink"]).await.contains("has no option \"Pink\""));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn boxes_are_checked_once() {
    let stage = Stage::with(
        "<label>News <input type=checkbox id=n style='position:absolute;opacity:0;width:0;height:0'></label><input type=checkbox id=i checked>\
         <input type=radio name=r id=r1 checked><input type=radio name=r id=r2><span role=switch id=w aria-checked=false tabindex=0>Wifi</span>\
         <button id=x>No box</button><input type=checkbox id=dead onclick='return false'>\
         <script>i.indeterminate = true; w.onclick = () => setTimeout(() => w.ariaChecked = w.ariaChecked !== 'true', 100);\
         addEventListener('click', e => { if (e.target.id) more(e.target.id + (e.isTrusted ? '' : '!')) })</script>",
    )
    .await;
    let set = async |selector: &str, on: bool| stage.page.set_checked(&css(selector), on, soon()).await.unwrap();
    set("#n", true).await;
    set("#n", true).await;
    set("#r1", true).await;
    set("#r2", true).await;
    set("#w", true).await;
    set("#w", true).await;
    set("#w", false).await;
    // The label's click reaches the box as one that the browser made of a trusted one.
    assert_eq!(stage.log().await, "n r2 w w");
    set("#i", true).await;
    assert!(stage.ask::<bool>("i.checked && !i.indeterminate && n.checked").await);
    let refused = async |selector: &str, on: bool| {
        stage.page.set_checked(&css(selector), on, after(500)).await.unwrap_err().to_string()
    };
    assert!(refused("#r2", false).await.contains("a radio is unchecked by checking another one"));
    assert!(refused("#x", true).await.contains("cannot be checked: it is no checkbox, radio or switch"));
    assert!(refused("#dead", true).await.contains("it was clicked, and nothing changed"));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_go_to_inputs_and_through_buttons() {
    let stage = Stage::with(
        "<input type=file id=h style='display:none'><button id=b onclick='h.click()'>Choose</button><button id=no>Nothing</button>\
         <input type=file id=m multiple><input type=file id=d webkitdirectory><input type=file id=off disabled><script>\
         for (const t of ['input','change']) addEventListener(t, e => more((e.isTrusted ? '' : 'UNTRUSTED-') + t + ':' + [...e.target.files].map(f => (f.webkitRelativePath || f.name) + ':' + f.size).sort()));</script>",
    )
    .await;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["süß file.txt", "two.txt"] {
        std::fs::write(path(name), "12345").unwrap();
    }
    let give = async |selector: &str, names: &[&str], ms: u64| {
        let files: Vec<_> = names.iter().map(|name| path(name)).collect();
        stage.page.upload(&css(selector), &files, after(ms)).await
    };
    give("#b", &["süß file.txt"], 5000).await.unwrap();
    assert_eq!(stage.log().await, "input:süß file.txt:5 change:süß file.txt:5");
    stage.clear().await;
    give("#m", &["süß file.txt", "two.txt"], 5000).await.unwrap();
    assert!(stage.log().await.ends_with("change:süß file.txt:5,two.txt:5"));
    stage.clear().await;
    give("#h", &["two.txt"], 5000).await.unwrap();
    assert!(stage.log().await.ends_with("change:two.txt:5"), "hidden");
    stage.clear().await;
    give("#d", &[""], 5000).await.unwrap();
    // The browser lists a folder's files in its own time.
    let by = std::time::Instant::now() + std::time::Duration::from_secs(5);
    while !stage.log().await.contains("/two.txt:5") {
        assert!(std::time::Instant::now() < by, "{}", stage.log().await);
    }
    stage.clear().await;
    let refused = async |selector: &str, names: &[&str]| give(selector, names, 400).await.unwrap_err().to_string();
    assert!(refused("#b", &["two.txt", "süß file.txt"]).await.contains("takes one file, not 2"));
    assert!(refused("#m", &[""]).await.contains("takes files, not a folder"));
    assert!(refused("#d", &["two.txt"]).await.contains("takes one folder"));
    assert!(refused("#off", &["two.txt"]).await.contains("disabled"));
    assert!(refused("#no", &["two.txt"]).await.contains("no file chooser opened"));
    assert_eq!(stage.log().await, "nothing");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn areas_of_a_picture_are_clicked_and_hovered() {
    let stage = Stage::with(
        "<div style='height:2000px'></div><img usemap='#m' width=200 height=100 style='border:5px solid;padding:3px' alt=Map src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"100\"/>'>\
         <map name=m><area id=c shape=circle coords='50,50,30' href='#c' alt=C><area id=p shape=poly coords='100,0,200,0,200,100' href='#p' alt=P></map>\
         <area id=lost coords='0,0,9,9' href='#lost' alt=Lost>\
         <script>for (const a of [c, p]) { a.onclick = e => more(a.id + e.isTrusted); a.onmouseover = () => more('over-' + a.id) }</script>",
    )
    .await;
    stage.page.hover(&css("#c"), soon()).await.unwrap();
    stage.click("#c").await;
    stage.page.click(&css("#p"), &Click::default(), soon()).await.unwrap();
    assert_eq!(stage.log().await, "over-c ctrue over-p ptrue");
    assert!(stage.refused("#lost", 300).await.to_string().contains("an area of no picture"));
    stage.end().await;
}
