//! Typing into all kinds of fields.

use super::stage::{Stage, after, css, soon};
use crate::page::PageError;

impl Stage {
    async fn types(&self, selector: &str, text: &str) -> Option<String> {
        self.page
            .type_text(&css(selector), text, false, soon())
            .await
            .unwrap_or_else(|error| panic!("{selector}: {error}"))
            .notice
    }

    async fn type_refused(&self, selector: &str, text: &str) -> PageError {
        self.page.type_text(&css(selector), text, false, after(300)).await.unwrap_err()
    }

    async fn value(&self, selector: &str) -> String {
        self.ask(&format!("document.querySelector('{selector}').value")).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn typing_replaces_and_clears() {
    let stage = Stage::with(
        "<input id=i value='old name' oninput=\"log('[' + this.value + '] ' + event.isTrusted + ' ' + event.inputType)\">\
         <textarea id=t oninput=\"log('[' + this.value + ']')\">old line</textarea>\
         <div id=d contenteditable oninput=\"log('[' + this.innerText + ']')\">old <b>rich</b></div><label id=l>Label <input id=li></label>\
         <input id=p type=password><input id=e type=email value=a@b.c><input id=q type=search value=x><input id=n type=number value=3>",
    )
    .await;
    assert_eq!(stage.types("#i", "new").await, None);
    assert_eq!(stage.log().await, "[new] true insertText");
    assert_eq!(stage.types("#t", "new").await, None);
    assert_eq!(stage.log().await, "[new]");
    assert_eq!(stage.types("#d", "new").await, None);
    assert_eq!(stage.log().await, "[new]");
    for id in ["#i", "#t", "#d"] {
        assert_eq!(stage.types(id, "").await, None);
        let log = stage.log().await;
        assert!(log.starts_with("[]") || log == "[\n]", "{id}: {log}");
    }
    stage.types("#l", "by label").await;
    assert_eq!(stage.value("#li").await, "by label");
    for (id, text) in [("#e", "ada@example.com"), ("#q", "find"), ("#n", "-12.5"), ("#p", "s3cret")] {
        assert_eq!(stage.types(id, text).await, None);
        assert_eq!(stage.value(id).await, text);
    }
    // Joined emoji, a combining accent and other scripts.
    let all = "你好 👨\u{200d}👩\u{200d}👧 e\u{301} Ж";
    assert_eq!(stage.types("#i", all).await, None);
    assert_eq!(stage.value("#i").await, all);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_and_editors_with_a_state_of_their_own() {
    let stage = Stage::with(
        "<input id=i><button id=b disabled onclick=\"log('made ' + state)\">Create</button><div id=e contenteditable role=textbox style='min-height:30px'></div><script>\
         let state = '', seen = ''; const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');\
         Object.defineProperty(i, 'value', { get() { return native.get.call(this) }, set(v) { seen = String(v); native.set.call(this, v) } });\
         i.addEventListener('input', () => { const v = native.get.call(i); if (v !== seen) { seen = v; state = v; b.disabled = !v } });\
         function keep() { if (native.get.call(i) !== state) native.set.call(i, state); requestAnimationFrame(keep) } keep();\
         let model = ''; e.addEventListener('beforeinput', ev => { ev.preventDefault(); const all = model && String(getSelection()).length >= model.length;\
           if (ev.inputType === 'insertText') model = (all ? '' : model) + ev.data; else if (ev.inputType.startsWith('delete')) model = all ? '' : model.slice(0, -1);\
           requestAnimationFrame(() => { e.textContent = model; log('model ' + model) }) });</script>",
    )
    .await;
    assert_eq!(stage.types("#i", "abc").await, None);
    stage.click("#b").await;
    assert_eq!(stage.log().await, "made abc");
    assert_eq!(stage.types("#e", "hello").await, None);
    assert_eq!(stage.log().await, "model hello");
    assert_eq!(stage.types("#e", "new").await, None);
    assert_eq!(stage.log().await, "model new");
    stage.types("#e", "").await;
    stage.until("document.getElementById('log').textContent === 'model '").await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_with_a_form_of_their_own() {
    let kinds = ["date", "time", "datetime-local", "week", "month", "color"];
    let mut body: String = kinds
        .iter()
        .map(|kind| format!("<input id={kind} type={kind} oninput=\"more('i')\" onchange=\"log(this.value)\">"))
        .collect();
    body.push_str(
        "<input id=range type=range min=0 max=100 step=5 value=10 onchange='log(this.value)'><input id=n type=number>",
    );
    let stage = Stage::with(&body).await;
    for (id, text, held) in [
        ("date", "2031-02-03", "2031-02-03"),
        ("time", "07:05", "07:05"),
        ("datetime-local", "2031-02-03T07:05", "2031-02-03T07:05"),
        ("week", "2031-W05", "2031-W05"),
        ("month", "2031-02", "2031-02"),
        ("color", "#DC143C", "#dc143c"),
        ("range", "95", "95"),
    ] {
        assert_eq!(stage.types(&format!("#{id}"), text).await, None, "{id}");
        assert_eq!(stage.log().await, held);
        assert_eq!(stage.value(&format!("#{id}")).await, held);
    }
    assert_eq!(stage.types("#range", "93").await.as_deref(), Some("the field holds \"95\""));
    for (id, text, form) in [
        ("date", "31/12/2031", "a date like 2031-02-03"),
        ("time", "7 o'clock", "a time like 07:05"),
        ("week", "2031-02", "a week like 2031-W05"),
        ("color", "crimsonish", "a colour like #dc143c"),
        ("range", "loud", "it takes a number"),
        ("n", "abc", "a number like 12"),
        ("n", "1-2", "a number like 12"),
    ] {
        let error = stage.type_refused(&format!("#{id}"), text).await.to_string();
        assert!(error.contains(form), "{id}: {error}");
    }
    assert_eq!(stage.value("#date").await, "2031-02-03");
    stage.types("#date", "").await;
    assert_eq!(stage.value("#date").await, "");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn line_breaks_are_text_and_never_enter() {
    let stage = Stage::with(
        "<form onsubmit=\"more('SUBMITTED');return false\"><textarea id=t rows=4></textarea><input id=i value=old><button>Send</button></form>\
         <div id=c contenteditable onkeydown=\"if (event.key === 'Enter') { event.preventDefault(); more('SENT') }\"></div>",
    )
    .await;
    for by_key in [false, true] {
        stage.page.type_text(&css("#t"), "one\ntwo", by_key, soon()).await.unwrap();
        assert_eq!(stage.value("#t").await, "one\ntwo");
        let typed = stage.page.type_text(&css("#c"), "a\nb", by_key, soon()).await.unwrap();
        assert_eq!(typed.notice, None);
        assert_eq!(
            stage.ask::<String>("document.getElementById('c').innerText.trim()").await.replace("\n\n", "\n"),
            "a\nb"
        );
    }
    let error = stage.type_refused("#i", "one\ntwo").await.to_string();
    assert!(error.contains("a field of one line, and the text has a line break"), "{error}");
    assert_eq!(stage.value("#i").await, "old");
    assert_eq!(stage.log().await, "nothing");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_typed_into_says_why() {
    let stage = Stage::with(
        "<input id=a value=fixed readonly oninput=\"log('changed')\"><input id=b value=off disabled><p id=c>Words</p><button id=d>Only</button>\
         <select id=e><option>1</option></select><input id=f type=checkbox><input id=g type=file><input id=h value=x aria-readonly=true>\
         <input id=s onfocus='other.focus()'><input id=other><input id=late readonly>\
         <input id=pw type=password disabled><input id=m maxlength=5><input id=pm type=password maxlength=5>",
    )
    .await;
    for (id, why) in [
        ("#a", "it is read-only"),
        ("#b", "it is disabled"),
        ("#c", "not editable"),
        ("#d", "not editable"),
        ("#e", "use `select`"),
        ("#f", "use `check`"),
        ("#g", "use `upload`"),
        ("#h", "read-only (aria-readonly)"),
        ("#s", "did not let it have the focus"),
        ("#pw", "it is disabled"),
    ] {
        let error = stage.type_refused(id, "zzz-secret").await;
        assert!(error.to_string().contains(why), "{id}: {error}");
        assert!(!format!("{error:?}").contains("zzz"), "{error:?}");
    }
    assert_eq!(stage.ask::<String>("[a, b, h, other].map(e => e.value).join()").await, "fixed,off,x,");
    assert_eq!(stage.log().await, "nothing");
    stage.ask::<()>("void setTimeout(() => document.getElementById('late').readOnly = false, 200)").await;
    assert_eq!(stage.types("#late", "now").await, None);
    assert_eq!(
        stage.types("#m", "1234567").await.as_deref(),
        Some("the field holds \"12345\" (it takes at most 5 characters)")
    );
    assert_eq!(
        stage.types("#pm", "1234567").await.as_deref(),
        Some("the field holds something else than what was typed")
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typing_key_by_key() {
    let stage = Stage::with(
        "<input id=i value=old><script>for (const t of ['keydown', 'keyup']) i.addEventListener(t, e => more((t === 'keydown' ? '+' : '-') + e.key + (e.shiftKey ? '^' : '')));</script>",
    )
    .await;
    let typed = stage.page.type_text(&css("#i"), "aB?é漢", true, soon()).await.unwrap();
    assert_eq!(typed.notice, None);
    assert_eq!(stage.value("#i").await, "aB?é漢");
    assert_eq!(stage.log().await, "+a -a +Shift^ +B^ -B^ -Shift +Shift^ +?^ -?^ -Shift");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn text_does_not_go_where_the_page_moves_the_focus() {
    // The focus moves after the field got it: the text must not land in the other field.
    let stage = Stage::with(
        "<input id=a onfocus='queueMicrotask(() => setTimeout(() => b.focus()))' value=first><input id=b value=second>",
    )
    .await;
    let error = stage.page.type_text(&css("#a"), "third", false, after(1000)).await;
    let values: (String, String) =
        stage.ask("[document.getElementById('a').value, document.getElementById('b').value]").await;
    assert_eq!(values.1, "second");
    match error {
        Ok(_) => assert_eq!(values.0, "third"),
        Err(error) => assert!(error.to_string().contains("focus"), "{error}"),
    }
    stage.end().await;
}
