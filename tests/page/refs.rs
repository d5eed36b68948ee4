//! Refs: checked, never guessed.

use playscript::page::Until;

use crate::support::{click, open, run, secs, target};

async fn ref_of(page: &playscript::page::Page, name: &str) -> String {
    let seen = page.read(secs(5)).await.unwrap();
    let (number, _) = seen.outline.refs().find(|(_, line)| seen.outline.lines[*line].name == name).unwrap();
    format!("ref_{number}")
}

#[test]
fn the_four_errors() {
    run(async {
        let (_tabs, page, server) =
            open("<button id=b>One</button><button onclick='b.hidden = true'>Hide</button>").await;
        let error = async |text: &str| page.locate(&target(text), secs(2)).await.unwrap_err().to_string();
        assert_eq!(error("ref_1").await, "no refs for this tab — `read` first");
        let one = ref_of(&page, "One").await;
        assert_eq!(error("ref_9").await, "unknown ref: ref_9 — `read` first");
        assert_eq!(page.locate(&target(&one), secs(2)).await.unwrap().description, "button \"One\" [ref_1]");
        click(&page, "button \"Hide\"").await;
        assert_eq!(error(&one).await, "element is not visible — `read` again");
        // Another document by a link, not by `open`.
        server.page("/second", "<button onclick=\"document.title = 'wrong'\">One</button>");
        server.page("/", "<button>One</button><a href=/second>Go</a>");
        page.open(&server.url("/"), Until::Load, secs(5)).await.unwrap();
        assert_eq!(error("ref_1").await, "no refs for this tab — `read` first");
        let one = ref_of(&page, "One").await;
        click(&page, "link \"Go\"").await;
        page.settle(secs(5)).await.unwrap();
        assert_eq!(error(&one).await, "page changed since `read` — `read` again");
        assert_eq!(page.title(secs(5)).await.unwrap(), "");
    });
}

#[test]
fn a_ref_stays_with_its_element_when_others_come_in_front() {
    run(async {
        let (_tabs, page, _server) = open(
            "<p id=log></p><div id=box><button>Alpha</button><button>Beta</button></div><button id=ins>Insert</button><script>
              box.onclick = e => log.textContent = 'clicked ' + e.target.textContent;
              ins.onclick = () => { const b = document.createElement('button'); b.textContent = 'Zero'; box.prepend(b) };
            </script>",
        )
        .await;
        let beta = ref_of(&page, "Beta").await;
        click(&page, "button \"Insert\"").await;
        click(&page, &beta).await;
        assert!(page.text(secs(5)).await.unwrap().contains("clicked Beta"));
    });
}

#[test]
fn an_element_that_was_drawn_anew_is_found_again_only_without_doubt() {
    run(async {
        let (_tabs, page, _server) = open(
            "<p id=log></p><div id=app></div><button onclick=draw()>Draw</button><script>
              let n = 0;
              function draw() {
                n++;
                app.innerHTML = '<button>Menu</button><button>Team</button><button>Twin</button><button>Twin</button>';
                app.onclick = e => log.textContent = e.target.textContent + n;
              }
              draw();
            </script>",
        )
        .await;
        let team = ref_of(&page, "Team").await;
        let twin = ref_of(&page, "Twin").await;
        click(&page, "button \"Draw\"").await;
        click(&page, &team).await;
        assert!(page.text(secs(5)).await.unwrap().contains("Team2"));
        let error = page.locate(&target(&twin), secs(2)).await.unwrap_err().to_string();
        assert_eq!(error, "page changed since `read` — `read` again");
    });
}

#[test]
fn an_element_that_is_gone_is_told_as_such() {
    run(async {
        let (_tabs, page, _server) =
            open("<div role=dialog id=d><button>Move it</button></div><button onclick=d.remove()>Drop</button>").await;
        let moved = ref_of(&page, "Move it").await;
        click(&page, "button \"Drop\"").await;
        let error = page.locate(&target(&moved), secs(2)).await.unwrap_err().to_string();
        assert_eq!(error, "page changed since `read` — `read` again");
    });
}
