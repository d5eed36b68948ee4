//! Reading pages as outlines.

use std::time::{Duration, Instant};

use playscript::cdp::{Command, Empty};
use playscript::outline::Refs;
use playscript::page::{PageSettings, Until};

use crate::support::{Route, Server, millis, open, open_with, outline, run, secs, tabs};

#[test]
fn names_texts_and_ignored_wrappers() {
    run(async {
        let (_tabs, page, _server) = open(
            "<title>Wrappers</title>
             <div role=presentation><div><button><span><svg aria-hidden=true></svg></span><span>Add pear</span></button></div></div>
             <ul role=none><li role=none>Plain <a href=#x><b>Read</b> the <i>notes</i></a></ul><div><div><p>Deep</p></div></div>",
        )
        .await;
        assert_eq!(
            outline(&page).await,
            "RootWebArea \"Wrappers\"\n  button \"Add pear\"\n  StaticText \"•\"\n  StaticText \"Plain\"\n  link \"Read the notes\"\n  paragraph\n    StaticText \"Deep\"\n"
        );
    });
}

#[test]
fn owned_options_stand_where_they_are_owned() {
    run(async {
        let (_tabs, page, _server) = open(
            "<title>t</title><div role=listbox aria-label=Fruit aria-owns='b'><div role=option aria-selected=true>Apple</div></div>
             <p>Between</p><div role=option id=b>Banana</div>",
        )
        .await;
        let text = outline(&page).await;
        let list = text.find("listbox \"Fruit\"").unwrap();
        let (apple, banana, between) =
            (text.find("Apple").unwrap(), text.find("Banana").unwrap(), text.find("Between").unwrap());
        assert!(list < apple && apple < banana && banana < between, "{text}");
        assert_eq!(text.matches("Banana").count(), 1, "{text}");
    });
}

#[test]
fn a_password_is_never_shown() {
    run(async {
        let (_tabs, page, _server) = open(
            "<label>Login <input value=robin></label><label>Pass <input type=password value=correct-horse></label>",
        )
        .await;
        let text = outline(&page).await;
        assert!(text.contains("textbox \"Login\" = \"robin\"") && text.contains("textbox \"Pass\""), "{text}");
        assert!(!text.contains("horse") && !text.contains(&"•".repeat(13)), "{text}");
    });
}

#[test]
fn shadow_trees_open_and_closed_with_slotted_text_once() {
    run(async {
        let (_tabs, page, _server) = open(
            "<x-card>Slotted</x-card><script>
              const root = document.querySelector('x-card').attachShadow({ mode: 'closed' });
              root.innerHTML = '<h2>Card</h2><button>Act</button><p><slot></slot></p>';
            </script>",
        )
        .await;
        let text = outline(&page).await;
        assert!(text.contains("heading \"Card\" [level=2]") && text.contains("button \"Act\""), "{text}");
        assert_eq!(text.matches("Slotted").count(), 1, "{text}");
    });
}

#[test]
fn what_a_modal_dialog_hides_is_not_there() {
    run(async {
        let (_tabs, page, _server) = open(
            "<button>Pay</button><dialog aria-label=Sure><button>Keep</button></dialog><script>document.querySelector('dialog').showModal()</script>",
        )
        .await;
        let text = outline(&page).await;
        assert!(text.contains("dialog \"Sure\" [modal]") && text.contains("Keep") && !text.contains("Pay"), "{text}");
    });
}

#[test]
fn frames_of_any_origin_and_depth_are_part_of_the_page() {
    run(async {
        let (_tabs, page, server) = open("<p>start").await;
        server.page("/deep", "<title>d</title><button>Deep</button>");
        server.page(
            "/mid",
            &format!(
                "<title>m</title><button>Mid</button><iframe title=In src='{}'></iframe><p>after",
                server.url("/deep")
            ),
        );
        server.page("/top", &format!("<title>t</title><iframe title=Other src='{}'></iframe><iframe title=Same srcdoc='<button>Same</button>'></iframe><p>end", server.other("/mid")));
        page.open(&server.url("/top"), Until::Load, secs(10)).await.unwrap();
        let text = outline(&page).await;
        let shape: Vec<String> = text
            .lines()
            .map(|line| {
                format!(
                    "{}{}",
                    " ".repeat(line.len() - line.trim_start().len()),
                    line.trim().split(" [").next().unwrap()
                )
            })
            .collect();
        assert_eq!(
            shape,
            [
                "RootWebArea \"t\"",
                "  Iframe \"Other\"",
                "    RootWebArea \"m\"",
                "      button \"Mid\"",
                "      Iframe \"In\"",
                "        RootWebArea \"d\"",
                "          button \"Deep\"",
                "      paragraph",
                "        StaticText \"after\"",
                "  Iframe \"Same\"",
                "    RootWebArea",
                "      button \"Same\"",
                "  paragraph",
                "    StaticText \"end\"",
            ],
            "{text}"
        );
    });
}

#[test]
fn a_bare_root_of_a_page_that_still_loads_is_not_taken() {
    run(async {
        let tabs = tabs().await;
        let page = tabs.current();
        let server = Server::start().await;
        // Waited for in vain it would be each time; a busy machine is slow only now and then.
        let mut quickest = Duration::MAX;
        for _ in 0..5 {
            let begun = Instant::now();
            assert_eq!(outline(&page).await, "RootWebArea \"\"\n".replace(" \"\"", ""));
            quickest = quickest.min(begun.elapsed());
        }
        assert!(quickest < Duration::from_millis(500), "{quickest:?}");
        let body = "<!doctype html><html><head><title>Drip</title></head>".to_owned() + &" ".repeat(2000);
        let rest = "<body><h1>Real page</h1></body>".to_owned();
        server.route("/drip", Route { body, rest, pause: Duration::from_millis(400), ..Route::default() });
        page.open(&server.url("/drip"), Until::Commit, secs(5)).await.unwrap();
        assert!(outline(&page).await.contains("heading \"Real page\""));
        // A document that never gets further is shown as it is.
        let body = "<!doctype html><title>Stuck</title>".to_owned() + &" ".repeat(2000);
        server.route("/stuck", Route { body, pause: Duration::from_secs(30), ..Route::default() });
        page.open(&server.url("/stuck"), Until::Commit, secs(5)).await.unwrap();
        let seen = page.outline(millis(400)).await.unwrap();
        assert_eq!(seen.title, "Stuck");
    });
}

#[test]
fn a_chain_of_moves_never_breaks_a_read() {
    run(async {
        let (_tabs, page, server) = open("<p>start").await;
        server.page("/a", "<meta http-equiv=refresh content='0; url=/b'><p>Moving");
        server.page("/b", "<p>Almost<script>setTimeout(() => location.replace('/c'), 40)</script>");
        server.page("/c", "<title>Final</title><button>Arrived</button>");
        page.open(&server.url("/a"), Until::Load, secs(5)).await.unwrap();
        let deadline = secs(5);
        loop {
            let mut changes = page.changes();
            // Read as fast as can be, so that reads are cut in two.
            if page.outline(deadline).await.unwrap().title == "Final" {
                break;
            }
            assert!(changes.changed(deadline).await.unwrap());
        }
        assert_eq!(page.url(), server.url("/c"));
    });
}

#[test]
fn the_browsers_own_error_page_is_not_taken_for_the_page() {
    run(async {
        let (_tabs, page, _server) = open("<p>x").await;
        let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        page.open(&format!("http://127.0.0.1:{free}/"), Until::Load, secs(5)).await.unwrap_err();
        let error = page.outline(secs(5)).await.unwrap_err().to_string();
        assert!(error.starts_with("no page is open: cannot open http://127.0.0.1"), "{error}");
    });
}

#[test]
fn content_that_comes_late_is_seen_when_it_comes() {
    run(async {
        let (_tabs, page, _server) = open("<main><p>Loading</p></main><script>setTimeout(() => { document.querySelector('main').innerHTML = '<button>Open</button>' }, 400)</script>").await;
        // At the deadline the wait would end without it. How soon it is seen is a matter of the machine's load.
        let deadline = secs(5);
        let mut reads = 0;
        let mut changes = page.changes();
        loop {
            reads += 1;
            if outline(&page).await.contains("button \"Open\"") {
                break;
            }
            assert!(changes.changed(deadline).await.unwrap());
        }
        assert!(reads < 8, "{reads} reads");
    });
}

#[test]
fn ten_thousand_nodes_are_read_whole() {
    run(async {
        let (_tabs, page, _server) = open("<div id=l></div><script>l.innerHTML = Array.from({ length: 5000 }, (_, i) => `<div><a href='#${i}'>Entry ${i}</a></div>`).join('')</script>").await;
        let text = outline(&page).await;
        assert_eq!(text.matches("link \"Entry ").count(), 5000);
        assert!(text.contains("link \"Entry 4999\""));
    });
}

#[test]
fn a_message_of_more_than_sixteen_megabytes_is_read() {
    run(async {
        // Long names make a large message of few nodes.
        let (_tabs, page, _server) = open("<body><script>for (let i = 0; i < 180; i++) { const b = document.createElement('button'); b.ariaLabel = `${i} ` + 'x'.repeat(100000); document.body.append(b) }</script>").await;
        let seen = page.outline(secs(30)).await.unwrap();
        let bytes: usize = seen.outline.lines.iter().map(|line| line.name.len()).sum();
        assert!(bytes > 16 * 1024 * 1024, "{bytes}");
    });
}

/// A key, as the acting half of the room sends it.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Key {
    #[serde(rename = "type")]
    kind: &'static str,
    key: &'static str,
    code: &'static str,
    windows_virtual_key_code: u32,
}

impl Command for Key {
    const METHOD: &'static str = "Input.dispatchKeyEvent";
    type Reply = Empty;
}

/// A board of sixteen cells that every arrow key changes.
const BOARD: &str = "<title>Board</title><h1>Board</h1><p role=status id=s>0</p><div role=grid aria-label=Board id=g></div><script>
  let n = 0, cells = [];
  for (let r = 0; r < 4; r++) {
    const row = document.createElement('div'); row.setAttribute('role', 'row'); g.append(row);
    for (let c = 0; c < 4; c++) { const d = document.createElement('div'); d.setAttribute('role', 'gridcell'); row.append(d); cells.push(d) }
  }
  const draw = () => { cells.forEach((d, i) => { d.ariaLabel = String((n * 7 + i) % 11); d.textContent = d.ariaLabel }); s.textContent = n };
  addEventListener('keydown', () => { n++; draw() });
  draw();
</script>";

#[test]
fn every_read_after_a_key_sees_what_the_key_did() {
    run(async {
        for seed in [Some(7), None] {
            let settings = PageSettings { seed, ..PageSettings::default() };
            let (_tabs, page, _server) = open_with(settings, BOARD).await;
            let key = |kind| Key { kind, key: "ArrowLeft", code: "ArrowLeft", windows_virtual_key_code: 37 };
            let turns = 60;
            page.read(secs(5)).await.unwrap();
            let begun = Instant::now();
            for turn in 1..=turns {
                let act = page.begin_act();
                page.session().call(&key("rawKeyDown"), secs(5)).await.unwrap();
                page.session().call(&key("keyUp"), secs(5)).await.unwrap();
                drop(act);
                let seen = page.read(secs(5)).await.unwrap();
                let text = seen.outline.text(Refs::Shown);
                assert!(text.contains(&format!("StaticText \"{turn}\"")), "{text}");
            }
            // Only told, since it depends on the machine: `cargo test --release --test page after_a_key -- --nocapture`.
            println!("seed {seed:?}: {:.0} turns a second", f64::from(turns) / begun.elapsed().as_secs_f64());
        }
    });
}

#[test]
fn half_a_character_in_a_page_does_not_hide_the_rest_of_it() {
    run(async {
        let (_tabs, page, _server) =
            open("<p id=p></p><button>Save</button><script>p.textContent = 'cut \u{1f600}'.slice(0, 5)</script>").await;
        assert!(outline(&page).await.contains("\"cut \u{fffd}\""), "{}", outline(&page).await);
        assert_eq!(page.text(secs(5)).await.unwrap().lines().next(), Some("cut \u{fffd}"));
    });
}
