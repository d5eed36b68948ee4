//! Events and sessions.

use serde::Deserialize;

use super::peer::{ASK, Peer, late, reply};
use crate::cdp::CallError;

fn event(session: &str, name: &str) -> String {
    format!(r#"{{"method":"Test.{name}","params":{{"text":"{name} of {session}"}},"sessionId":"{session}"}}"#)
}

fn attached(parent: &str, session: &str) -> String {
    format!(
        r#"{{"method":"Target.attachedToTarget","params":{{"sessionId":"{session}","targetInfo":{{}}}},"sessionId":"{parent}"}}"#
    )
}

fn detached(session: &str) -> String {
    format!(r#"{{"method":"Target.detachedFromTarget","params":{{"sessionId":"{session}"}}}}"#)
}

#[tokio::test]
async fn events_come_to_their_session_in_order_and_can_be_borrowed_from() {
    #[derive(Deserialize)]
    struct Params<'a> {
        text: &'a str,
    }
    let (connection, mut peer) = Peer::pair();
    let (mut a, mut b, mut root) =
        (connection.session("A").events(), connection.session("B").events(), connection.root().events());
    let mut a_again = connection.session("A").events();
    peer.say(&event("A", "one")).await;
    peer.say(&event("B", "two")).await;
    peer.say(&event("C", "nobody")).await;
    peer.say(r#"{"method":"Test.bare"}"#).await;
    peer.say(&event("A", "three")).await;

    let one = a.next().await.unwrap();
    assert_eq!((one.method.as_str(), one.read::<Params<'_>>().unwrap().text), ("Test.one", "one of A"));
    assert_eq!(a.next().await.unwrap().method, "Test.three");
    assert_eq!(a_again.next().await.unwrap().method, "Test.one");
    assert_eq!(b.next().await.unwrap().method, "Test.two");
    let bare = root.next().await.unwrap();
    assert_eq!(bare.method, "Test.bare");
    bare.read::<crate::cdp::Empty>().unwrap();
    drop(peer);
    assert!(a.next().await.is_none());
}

#[tokio::test]
async fn a_session_that_is_detached_fails_its_calls_and_ends_its_events_and_those_below_it() {
    let (connection, mut peer) = Peer::pair();
    let mut events = connection.root().events();
    for message in [attached("", "tab"), attached("tab", "frame"), attached("frame", "worker"), attached("", "other")] {
        peer.say(&message).await;
    }
    for _ in 0..2 {
        events.next().await.unwrap();
    }
    let [tab, frame, worker, other] = ["tab", "frame", "worker", "other"].map(|id| connection.session(id));
    let pending = [&tab, &frame, &worker].map(|session| session.submit(&ASK));
    let lives = other.submit(&ASK);
    let mut ended = worker.events();
    let mut lively = other.events();

    peer.say(&detached("tab")).await;
    for pending in pending {
        let error = pending.await_by(late()).await.unwrap_err();
        assert!(matches!(error, CallError::Detached { method: "Test.ask" }), "{error:?}");
    }
    assert!(ended.next().await.is_none());
    assert!(worker.is_detached() && worker.events().next().await.is_none());
    assert!(matches!(frame.call(&ASK, late()).await, Err(CallError::Detached { .. })));

    let mut id = 0;
    while peer.command().await.is_some_and(|seen| {
        id = seen.id;
        seen.session_id.as_deref() != Some("other")
    }) {}
    peer.say(&event("other", "alive")).await;
    peer.say(&reply(id, "alive")).await;
    assert_eq!(lives.await_by(late()).await.unwrap().answer, "alive");
    assert_eq!(lively.next().await.unwrap().method, "Test.alive");
}

#[tokio::test]
async fn a_session_that_the_browser_does_not_know_is_detached() {
    let (connection, mut peer) = Peer::pair();
    let session = connection.session("gone");
    let mut events = session.events();
    let pending = session.submit(&ASK);
    let id = peer.command().await.unwrap().id;
    peer.say(&format!(r#"{{"id":{id},"error":{{"code":-32001,"message":"Session with given id not found."}}}}"#)).await;
    assert!(matches!(pending.await_by(late()).await, Err(CallError::Detached { .. })));
    assert!(events.next().await.is_none());
    assert!(session.is_detached());
}
