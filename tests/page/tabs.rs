//! Tabs: listed by what they are, and always one that is current.

use playscript::page::Until;

use crate::support::{millis, open, run, secs, tabs};

#[test]
fn tabs_are_listed_by_id_name_and_origin_never_by_title() {
    run(async {
        let (tabs, page, server) = open("<title>Secret title</title>").await;
        let new = tabs.open_new(Some("shop"), None, secs(5)).await.unwrap();
        assert_eq!((&*new.id, new.name.as_deref(), &*new.origin, new.current), ("t2", Some("shop"), "about:", true));
        let list = tabs.list();
        assert_eq!(list.len(), 2);
        assert_eq!(format!("{}/", list[0].origin), server.url("/"));
        assert!(!list[0].current && list[1].current);
        assert!(!format!("{list:?}").contains("Secret"));
        assert_eq!(list[1].to_string(), "t2 shop *  about:");
        assert_eq!(list[0].to_string(), format!("t1  {}", list[0].origin));
        tabs.select("t1").unwrap();
        assert_eq!(tabs.current().target_id(), page.target_id());
        assert!(tabs.select("shop").unwrap().current);
        assert_eq!(tabs.select("t9").unwrap_err().to_string(), "no such tab: t9 — list with `tabs`");
    });
}

#[test]
fn closing_the_current_tab_falls_to_the_first_and_after_the_last_comes_an_empty_one() {
    run(async {
        let (tabs, _page, server) = open("<title>First</title>").await;
        tabs.open_new(None, Some(&server.url("/")), secs(5)).await.unwrap();
        tabs.close("t2", secs(5)).await.unwrap();
        assert_eq!(tabs.list().iter().map(|tab| (&*tab.id, tab.current)).collect::<Vec<_>>(), [("t1", true)]);
        tabs.close("t1", secs(5)).await.unwrap();
        let list = tabs.list();
        assert_eq!((list.len(), &*list[0].origin, list[0].current), (1, "about:", true));
        tabs.current().open(&server.url("/"), Until::Load, secs(5)).await.unwrap();
    });
}

#[test]
fn a_pop_up_joins_the_list_does_not_become_current_and_is_waited_for() {
    run(async {
        let (tabs, page, server) = open(
            "<title>Opener</title><script>
              addEventListener('hashchange', () => open('/pop'));
            </script>",
        )
        .await;
        server
            .page("/pop", "<title>Pop</title><p>Popped<script>addEventListener('hashchange', () => close())</script>");
        let since = tabs.opened();
        page.open(&server.url("/#1"), Until::Load, secs(5)).await.unwrap();
        let info = tabs.next_opened(since, Some("pop"), secs(5)).await.unwrap();
        assert_eq!((&*info.id, info.name.as_deref(), info.current), ("t2", Some("pop"), false));
        assert_eq!(tabs.current().target_id(), page.target_id());
        let pop = tabs.get("pop").unwrap();
        assert_eq!(pop.text(secs(5)).await.unwrap(), "Popped");
        assert_eq!(page.title(secs(5)).await.unwrap(), "Opener");
        // It closes itself, and the list knows.
        let _ = pop.open(&server.url("/pop#x"), Until::Load, secs(5)).await;
        let mut rest = tabs.list().len();
        while rest != 1 {
            tokio::task::yield_now().await;
            rest = tabs.list().len();
        }
        let error = pop.text(secs(5)).await.unwrap_err();
        assert_eq!(error.to_string(), "the tab was closed");
        let error = tabs.next_opened(tabs.opened(), None, millis(100)).await.unwrap_err();
        assert!(error.to_string().starts_with("no new tab was opened within 1"), "{error}");
    });
}

#[test]
fn two_tabs_work_side_by_side() {
    run(async {
        let tabs = tabs().await;
        let (_other, _page, server) =
            open("<title>x</title><p id=n>0</p><script>setInterval(() => n.textContent++, 5)</script>").await;
        let one = tabs.current();
        tabs.open_new(None, None, secs(5)).await.unwrap();
        let two = tabs.current();
        let (a, b) = (server.url("/"), server.url("/"));
        let (a, b) = tokio::join!(one.open(&a, Until::Load, secs(5)), two.open(&b, Until::Load, secs(5)));
        a.unwrap();
        b.unwrap();
        // The one behind has frames too.
        let act = one.begin_act();
        drop(act);
        one.settle(secs(5)).await.unwrap();
        assert!(one.text(secs(5)).await.unwrap().parse::<u32>().unwrap() > 0);
    });
}
