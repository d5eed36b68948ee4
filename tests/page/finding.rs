//! Finding elements by targets.

use std::time::{Duration, Instant};

use playscript::page::{Page, PageError};
use playscript::scenario::{By, Has, Target, TextMatch};

use crate::support::{click, millis, open, run, secs, target};

fn by(by: By) -> Target {
    Target::new(by)
}

fn exact(text: &str) -> TextMatch {
    TextMatch::parse(text).unwrap()
}

async fn found(page: &Page, target: &Target) -> String {
    page.locate(target, secs(3)).await.unwrap().description
}

#[test]
fn every_kind_of_target_finds_its_element() {
    run(async {
        let (_tabs, page, _server) = open(
            "<main><button id=save class=big>Save</button><label>Email <input id=mail></label>
             <input id=q placeholder='Find it'><img alt='A cat' width=9 height=9><p title=Hint>Some <b>bold</b> words</p>
             <div data-testid=box>Boxed</div><input type=checkbox aria-label=News checked></main>",
        )
        .await;
        assert_eq!(found(&page, &target("button \"Save\"")).await, "button \"Save\"");
        assert_eq!(found(&page, &target("button /^Sa/")).await, "button \"Save\"");
        assert_eq!(found(&page, &target("\"Save\"")).await, "button \"Save\"");
        assert!(found(&page, &target("checkbox \"News\" [checked]")).await.starts_with("checkbox \"News\""));
        assert_eq!(found(&page, &by(By::Css("#save".into()))).await, "<button id=\"save\" class=\"big\">Save");
        assert!(found(&page, &by(By::Label(exact("Email")))).await.contains("id=\"mail\""));
        assert!(found(&page, &by(By::Label(exact("/^Em/")))).await.contains("id=\"mail\""));
        assert!(found(&page, &by(By::Placeholder(exact("Find it")))).await.contains("id=\"q\""));
        assert!(found(&page, &by(By::Alt(exact("A cat")))).await.starts_with("<img"));
        assert!(found(&page, &by(By::Title(exact("Hint")))).await.starts_with("<p"));
        assert!(found(&page, &by(By::TestId("box".into()))).await.contains("Boxed"));
        assert!(found(&page, &by(By::Text(exact("Some bold words")))).await.starts_with("<p"));
        assert!(found(&page, &by(By::Text(exact("/^Boxed$/")))).await.starts_with("<div"));
        // A text in several pieces by its name.
        let pieces = found(&page, &target("\"Some bold words\"")).await;
        assert_eq!(pieces, "StaticText \"Some bold words\"");
        let role = By::Role { role: "Button".into(), name: Some(exact("/av/")) };
        assert_eq!(found(&page, &by(role)).await, "button \"Save\"");
    });
}

#[test]
fn a_text_stands_for_the_element_around_it() {
    run(async {
        let (_tabs, page, _server) =
            open("<p id=log></p><div onclick=\"log.textContent = 'div'\">Just text</div>").await;
        click(&page, "\"Just text\"").await;
        assert!(page.text(secs(5)).await.unwrap().contains("div"));
    });
}

#[test]
fn narrowing_by_what_is_around_in_and_before() {
    run(async {
        let (_tabs, page, server) = open("<p>x").await;
        server.page("/in", "<button>Pay</button>");
        server.page(
            "/",
            &format!(
                "<ul><li>feed the cat <input type=checkbox class=c></li><li>feed the dog <input type=checkbox class=c></li></ul>
                 <section aria-label=Cart><button>Pay</button></section><div id=side><button>Pay</button></div>
                 <iframe title=Payment src='{}'></iframe>",
                server.other("/in")
            ),
        );
        page.open(&server.url("/"), playscript::page::Until::Load, secs(5)).await.unwrap();
        let item = |text: &str| Target {
            has: Some(Has::Text(exact(text))),
            ..by(By::Role { role: "listitem".into(), name: None })
        };
        let within = |inner: Target, outer: Target| Target { within: Some(Box::new(outer)), ..inner };
        let checkbox = || by(By::Role { role: "checkbox".into(), name: None });
        let dog = page.locate(&within(checkbox(), item("feed the dog")), secs(3)).await.unwrap();
        let second = page.locate(&Target { nth: Some(2), ..checkbox() }, secs(3)).await.unwrap();
        let css = page.locate(&within(by(By::Css(".c".into())), item("feed the dog")), secs(3)).await.unwrap();
        assert_eq!(dog.backend_node_id, second.backend_node_id);
        assert_eq!(dog.backend_node_id, css.backend_node_id);
        // A container that only the document knows, and a css one that holds a text.
        let side = within(target("button \"Pay\""), by(By::Css("#side".into())));
        let cart = within(target("button \"Pay\""), target("region \"Cart\""));
        let (side, cart) = (page.locate(&side, secs(3)).await.unwrap(), page.locate(&cart, secs(3)).await.unwrap());
        assert_ne!(side.backend_node_id, cart.backend_node_id);
        let holding = Target { has: Some(Has::Text(exact("feed the cat"))), ..by(By::Css("li".into())) };
        assert!(found(&page, &holding).await.contains("feed the cat"));
        // A part of the text is enough where nothing holds it as a whole.
        let list = "<ul><li>Enamel mug<button>Buy</button><li>Enamel <b>mug</b> large<button>Buy</button><li>Cup<button>Buy</button></ul>";
        server.page("/part", list);
        page.open(&server.url("/part"), playscript::page::Until::Load, secs(5)).await.unwrap();
        for (text, count) in [("Enamel", 2), ("Enamel mug", 1), ("mug large", 1), ("Cup", 1), ("Plate", 0)] {
            assert_eq!(page.locate_all(&item(text), secs(3)).await.unwrap().len(), count, "{text}");
            let css = Target { has: Some(Has::Text(exact(text))), ..by(By::Css("li".into())) };
            assert_eq!(page.locate_all(&css, secs(3)).await.unwrap().len(), count, "{text} by css");
        }
        page.open(&server.url("/"), playscript::page::Until::Load, secs(5)).await.unwrap();
        let nowhere = within(target("button \"Pay\""), target("region \"Basket\""));
        let error = page.locate(&nowhere, millis(600)).await.unwrap_err();
        let PageError::NotFound { next, .. } = &error else { panic!("{error}") };
        assert_eq!(next.as_deref(), Some("it is looked for in region \"Basket\", and nothing on the page is that"));
        let frame = Target { frame: Some(Box::new(target("Iframe \"Payment\""))), ..target("button \"Pay\"") };
        let framed = page.locate(&frame, secs(3)).await.unwrap();
        assert_ne!(framed.frame, page.main_frame());
        assert_ne!(framed.session().id(), page.session().id());
        let all = page.locate_all(&target("button \"Pay\""), secs(3)).await.unwrap();
        assert_eq!(all.len(), 3);
    });
}

#[test]
fn shadow_trees_are_searched_open_and_closed() {
    run(async {
        let (_tabs, page, _server) = open(
            "<x-open></x-open><x-shut></x-shut><script>
              const tree = (tag, mode, html) => { document.querySelector(tag).attachShadow({ mode }).innerHTML = html };
              tree('x-open', 'open', '<button class=o>Open one</button>');
              tree('x-shut', 'closed', '<button class=s>Shut one</button>');
            </script>",
        )
        .await;
        assert!(found(&page, &by(By::Css(".o".into()))).await.contains("Open one"));
        assert!(found(&page, &by(By::Css(".s".into()))).await.contains("Shut one"));
        assert_eq!(found(&page, &target("button \"Shut one\"")).await, "button \"Shut one\"");
    });
}

#[test]
fn several_are_listed_and_none_gets_the_closest_names() {
    run(async {
        let (_tabs, page, _server) =
            open("<button>Delete</button><button>Delete</button><button>Save draft</button>").await;
        let begun = Instant::now();
        let error = page.locate(&target("button \"Delete\""), secs(20)).await.unwrap_err();
        assert!(begun.elapsed() < Duration::from_secs(4));
        assert_eq!(error.to_string(), "2 elements on the page are button \"Delete\"");
        assert_eq!(error.details()[0].1, "nth: 1  button \"Delete\"\nnth: 2  button \"Delete\"");
        let error = page.locate(&target("button \"Save drafts\""), millis(300)).await.unwrap_err();
        assert!(
            matches!(&error, PageError::NotFound { closest, .. } if closest[0] == "button \"Save draft\""),
            "{error:?}"
        );
        let error = page.locate(&by(By::Css("p[".into())), millis(300)).await.unwrap_err();
        assert!(error.to_string() == "`p[` is no CSS selector", "{error}");
        let error = page.locate(&by(By::Point { x: 1.0, y: 1.0 }), millis(300)).await.unwrap_err();
        assert!(error.to_string().contains("a place and no element"), "{error}");
    });
}

#[test]
fn a_target_is_waited_for_and_found_as_soon_as_it_is_there() {
    run(async {
        let (_tabs, page, _server) = open("<div id=app></div><script>setTimeout(() => { app.innerHTML = '<button id=late>Late</button>' }, 300)</script>").await;
        let begun = Instant::now();
        let (by_line, by_css) = (target("button \"Late\""), by(By::Css("#late".into())));
        let (line, css) = tokio::join!(page.locate(&by_line, secs(5)), page.locate(&by_css, secs(5)));
        assert_eq!(line.unwrap().backend_node_id, css.unwrap().backend_node_id);
        assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    });
}

#[test]
fn twins_without_a_name_are_listed_with_their_text() {
    run(async {
        let html = "<p role=status>3 items</p><p role=status><b>Saved</b> just now</p><p role=status></p>";
        let (_tabs, page, _server) = open(html).await;
        let error = page.locate(&target("status"), secs(5)).await.unwrap_err();
        let told = error.details()[0].1.clone();
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines, ["nth: 1  status — 3 items", "nth: 2  status — Saved just now", "nth: 3  status"]);
    });
}

#[test]
fn twins_on_a_page_that_never_rests_are_told_long_before_the_deadline() {
    run(async {
        // So many lines that it changes during every look.
        let html = "<button>Delete</button><button>Delete</button><p id=tick></p><ol></ol><script>\
            for (let i = 0; i < 3000; i++) document.querySelector('ol').append(document.createElement('li'));\
            setInterval(() => { tick.textContent = Math.random() }, 1)</script>";
        let (_tabs, page, _server) = open(html).await;
        let begun = Instant::now();
        let error = page.locate(&target("button \"Delete\""), secs(30)).await.unwrap_err();
        assert!(matches!(error, PageError::Ambiguous { count: 2, .. }), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    });
}

#[test]
fn hidden_twins_do_not_count() {
    run(async {
        let (_tabs, page, _server) = open("<button class=b hidden>Old</button><button class=b>New</button>").await;
        assert!(found(&page, &by(By::Css(".b".into()))).await.contains("New"));
    });
}
