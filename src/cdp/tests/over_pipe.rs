use std::time::Duration;

use serde::Deserialize;
use tokio::time::Instant;

use super::peer::{ASK, Ask, Peer, late, reply};
use crate::cdp::CallError;

/// A number that the protocol never gives out.
const STRANGE: u64 = 987_654;

#[tokio::test]
async fn an_answer_comes_to_its_caller() {
    let (connection, mut peer) = Peer::pair();
    let root = connection.root();
    let (said, seen) = tokio::join!(root.call(&ASK, late()), peer.answer("yes"));
    assert_eq!(said.unwrap().answer, "yes");
    assert_eq!((seen.method.as_str(), seen.session_id), ("Test.ask", None));
    assert_eq!(seen.params, serde_json::json!({"question": "?"}));
    assert_eq!(connection.pending_calls(), 0);
}

#[tokio::test]
async fn answers_may_come_in_another_order() {
    let (connection, mut peer) = Peer::pair();
    let session = connection.session("S");
    let first = session.submit(&Ask { question: "1" });
    let second = session.submit(&Ask { question: "2" });
    let seen = [peer.command().await.unwrap(), peer.command().await.unwrap()];
    let questions = seen.each_ref().map(|seen| seen.params["question"].clone());
    assert_eq!(questions, ["1", "2"], "commands keep their order");
    assert!(seen.iter().all(|seen| seen.session_id.as_deref() == Some("S")));
    peer.say(&reply(seen[1].id, "second")).await;
    peer.say(&reply(seen[0].id, "first")).await;
    assert_eq!(first.await_by(late()).await.unwrap().answer, "first");
    assert_eq!(second.await_by(late()).await.unwrap().answer, "second");
}

#[tokio::test]
async fn garbage_and_unknown_numbers_harm_nobody() {
    let (connection, mut peer) = Peer::pair();
    let pending = connection.root().submit(&ASK);
    let seen = peer.command().await.unwrap();
    for odd in [
        "",
        "garbage",
        "{",
        "[1,2]",
        "null",
        r#"{"id":-1,"result":{}}"#,
        r#"{"id":99999999999999999999999,"result":{}}"#,
        r#"{"method":7}"#,
    ] {
        peer.say(odd).await;
    }
    peer.say(r#"{"error":{"code":-32700,"message":"Message must be a valid JSON"}}"#).await;
    peer.bytes(b"\xff\xfe{\"id\":\0").await;
    peer.say(&reply(STRANGE, "whose?")).await;
    peer.say(&reply(seen.id, "here")).await;
    assert_eq!(pending.await_by(late()).await.unwrap().answer, "here");
}

#[tokio::test]
async fn an_answer_may_have_its_parts_in_another_order_and_spaces() {
    let (connection, mut peer) = Peer::pair();
    let pending = connection.root().submit(&ASK);
    let id = peer.command().await.unwrap().id;
    peer.say(&format!(r#" {{ "result": {{"answer": "caf\u00e9"}}, "sessionId": "", "id": {id} }}"#)).await;
    assert_eq!(pending.await_by(late()).await.unwrap().answer, "café");
}

#[tokio::test]
async fn a_refusal_has_the_browsers_words() {
    let (connection, mut peer) = Peer::pair();
    let pending = connection.root().submit(&ASK);
    let id = peer.command().await.unwrap().id;
    peer.say(&format!(
        r#"{{"id":{id},"error":{{"code":-32602,"message":"Invalid parameters","data":"question: string expected"}}}}"#
    ))
    .await;
    let error = pending.await_by(late()).await.unwrap_err();
    assert!(matches!(&error, CallError::Refused { method: "Test.ask", code: -32602, .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "Test.ask: the browser refused: Invalid parameters: question: string expected (-32602)"
    );
}

#[tokio::test]
async fn an_answer_that_does_not_fit_says_where() {
    let (connection, mut peer) = Peer::pair();
    let pending = connection.root().submit(&ASK);
    let id = peer.command().await.unwrap().id;
    peer.say(&format!(r#"{{"id":{id},"result":{{"answer":12345}}}}"#)).await;
    let message = pending.await_by(late()).await.unwrap_err().to_string();
    assert!(message.contains("Test.ask") && message.contains("12345"), "{message}");
}

#[tokio::test]
async fn a_message_of_thirty_megabytes_is_read_and_borrowed_from() {
    #[derive(Deserialize)]
    struct Borrowed<'a> {
        answer: &'a str,
    }
    const SIZE: usize = 30 << 20;
    let (connection, mut peer) = Peer::pair();
    let pending = connection.root().submit(&ASK);
    let seen = peer.command().await.unwrap();
    let begun = Instant::now();
    let peer = tokio::spawn(async move {
        peer.say(&reply(seen.id, &"x".repeat(SIZE))).await;
        // The connection goes on after it, and in small buffers.
        peer.answer("small").await;
        peer
    });
    let text = pending.text_by(late()).await.unwrap();
    assert_eq!(text.read::<Borrowed<'_>>().unwrap().answer.len(), SIZE);
    assert_eq!(connection.root().call(&ASK, late()).await.unwrap().answer, "small");
    assert!(begun.elapsed() < Duration::from_secs(10), "quadratic? {:?}", begun.elapsed());
    drop(peer.await.unwrap());
}

#[tokio::test]
async fn many_messages_in_one_read_and_one_message_in_many() {
    let (connection, mut peer) = Peer::pair();
    let pending: Vec<_> = (0..100).map(|_| connection.root().submit(&ASK)).collect();
    let mut all = Vec::new();
    for index in 0..100 {
        let id = peer.command().await.unwrap().id;
        all.extend_from_slice(reply(id, &index.to_string()).as_bytes());
        all.push(0);
    }
    let (together, apart) = all.split_at(all.len() / 2);
    peer.bytes(together).await;
    for byte in apart {
        peer.bytes(&[*byte]).await;
    }
    for (index, pending) in pending.into_iter().enumerate() {
        assert_eq!(pending.await_by(late()).await.unwrap().answer, index.to_string());
    }
}

#[tokio::test]
async fn a_deadline_ends_the_call_and_a_late_answer_harms_nobody() {
    let (connection, mut peer) = Peer::pair();
    let root = connection.root();
    let error = root.call(&ASK, Instant::now() + Duration::from_millis(30)).await.unwrap_err();
    assert!(
        matches!(&error, CallError::TimedOut { method: "Test.ask", waited } if *waited >= Duration::from_millis(30)),
        "{error:?}"
    );
    assert_eq!(connection.pending_calls(), 0);
    peer.answer("too late").await;
    let (said, _) = tokio::join!(root.call(&ASK, late()), peer.answer("in time"));
    assert_eq!(said.unwrap().answer, "in time");
}

#[tokio::test]
async fn a_call_that_is_dropped_leaves_nothing_behind() {
    let (connection, _peer) = Peer::pair();
    let root = connection.root();
    let call = tokio::spawn(async move { root.call(&ASK, late()).await });
    while connection.pending_calls() == 0 {
        tokio::task::yield_now().await;
    }
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    assert_eq!(connection.pending_calls(), 0);
    drop(connection.root().submit(&ASK));
    assert_eq!(connection.pending_calls(), 0);
}

#[tokio::test]
async fn what_is_sent_keeps_its_place_and_waits_for_nobody() {
    let (connection, mut peer) = Peer::pair();
    let root = connection.root();
    for _ in 0..1000 {
        root.send(&Ask { question: "sent" });
    }
    assert_eq!(connection.pending_calls(), 0);
    let pending = root.submit(&Ask { question: "called" });
    for _ in 0..1000 {
        assert_eq!(peer.answer("who cares").await.params["question"], "sent");
    }
    assert_eq!(peer.answer("I do").await.params["question"], "called");
    assert_eq!(pending.await_by(late()).await.unwrap().answer, "I do");
}

#[tokio::test]
async fn when_the_browser_goes_every_call_fails_at_once_with_its_last_words() {
    let (connection, mut peer) = Peer::pair();
    connection.set_last_words(Box::new(|| Box::pin(async { "it was ended by signal 9".to_owned() })));
    let mut events = connection.root().events();
    let pending = [connection.root().submit(&ASK), connection.session("S").submit(&ASK)];
    let id = peer.command().await.unwrap().id;
    // In the middle of a message, too.
    peer.bytes(&reply(id, "half").as_bytes()[..10]).await;
    drop(peer);
    for pending in pending {
        let error = pending.await_by(late()).await.unwrap_err();
        assert_eq!(error.to_string(), "the browser has gone: it was ended by signal 9");
    }
    assert!(connection.is_closed());
    connection.closed().await;
    assert!(events.next().await.is_none());
    assert!(connection.session("S").events().next().await.is_none());
    let error = connection.root().call(&ASK, late()).await.unwrap_err();
    assert!(matches!(error, CallError::Gone { last_words } if last_words.contains("signal 9")));
    assert_eq!(connection.pending_calls(), 0);
}

/// A page whose events end says that its tab was closed, unless the browser has gone: that must be known by then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_end_after_the_browser_is_known_to_have_gone() {
    for _ in 0..10 {
        let (connection, peer) = Peer::pair();
        let mut events = connection.session("S").events();
        // Many, so that ending them all takes long enough to be caught at it.
        let others: Vec<_> = (0..20_000).map(|other| connection.session(&other.to_string()).events()).collect();
        let runtime = tokio::runtime::Handle::current();
        // On a thread of its own, which does not take turns with the one that ends them.
        let following = tokio::task::spawn_blocking(move || {
            runtime.block_on(async {
                while events.next().await.is_some() {}
                connection.is_closed()
            })
        });
        drop(peer);
        assert!(following.await.unwrap());
        drop(others);
    }
}

#[tokio::test]
async fn without_words_the_end_of_the_pipe_is_told() {
    let (connection, mut peer) = Peer::pair();
    let pending = connection.root().submit(&ASK);
    peer.bytes(b"{\"id\"").await;
    drop(peer);
    let message = pending.await_by(late()).await.unwrap_err().to_string();
    assert!(message.contains("closed in the middle of a message"), "{message}");
}

#[tokio::test]
async fn the_pipe_closes_with_the_last_user_and_on_command() {
    let (connection, mut peer) = Peer::pair();
    let session = connection.session("S");
    drop(connection);
    session.send(&ASK);
    assert!(peer.command().await.is_some(), "a session keeps the connection");
    drop(session);
    assert!(peer.command().await.is_none());

    let (connection, mut peer) = Peer::pair();
    connection.root().send(&ASK);
    connection.close();
    assert!(peer.command().await.is_some(), "what was sent before is sent");
    assert!(peer.command().await.is_none());
    let error = connection.root().call(&ASK, late()).await.unwrap_err();
    assert!(matches!(error, CallError::Gone { .. }));
}
