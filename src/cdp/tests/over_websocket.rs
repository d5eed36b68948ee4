use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, accept_async};

use super::peer::{ASK, Seen, late, reply};
use crate::cdp::{CallError, ConnectError, Connection};

type Server = WebSocketStream<TcpStream>;

async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/devtools/browser/1", listener.local_addr().unwrap());
    (listener, url)
}

async fn pair() -> (Connection, Server) {
    let (listener, url) = listener().await;
    let server = async {
        let (socket, _) = listener.accept().await.unwrap();
        accept_async(socket).await.unwrap()
    };
    let (connection, server) = tokio::join!(Connection::over_websocket(&url, late()), server);
    (connection.unwrap(), server)
}

async fn command(server: &mut Server) -> Seen {
    let message = server.next().await.unwrap().unwrap();
    serde_json::from_str(message.to_text().unwrap()).unwrap()
}

#[tokio::test]
async fn thirty_megabytes_come_in_one_frame() {
    const SIZE: usize = 30 << 20;
    let (connection, mut server) = pair().await;
    let pending = connection.root().submit(&ASK);
    let id = command(&mut server).await.id;
    let answering = server.send(Message::text(reply(id, &"x".repeat(SIZE))));
    let (said, sent) = tokio::join!(pending.await_by(late()), answering);
    sent.unwrap();
    assert_eq!(said.unwrap().answer.len(), SIZE);
}

#[tokio::test]
async fn garbage_pings_and_strangers_harm_nobody() {
    let (connection, mut server) = pair().await;
    let pending = connection.root().submit(&ASK);
    let id = command(&mut server).await.id;
    server.send(Message::text("garbage")).await.unwrap();
    server.send(Message::Ping("are you there".into())).await.unwrap();
    server.send(Message::binary(reply(id + 1000, "whose?"))).await.unwrap();
    server.send(Message::text(reply(id, "here"))).await.unwrap();
    assert_eq!(pending.await_by(late()).await.unwrap().answer, "here");
}

#[tokio::test]
async fn a_server_that_closes_or_breaks_off_fails_the_calls_at_once() {
    let (connection, mut server) = pair().await;
    let pending = connection.root().submit(&ASK);
    command(&mut server).await;
    server.close(None).await.unwrap();
    let error = pending.await_by(late()).await.unwrap_err();
    assert_eq!(error.to_string(), "the browser has gone: the browser closed the connection");

    let (connection, mut server) = pair().await;
    let pending = connection.root().submit(&ASK);
    command(&mut server).await;
    // The head of a text frame of 1000 bytes, and only two of them.
    let mut socket = server.into_inner();
    tokio::io::AsyncWriteExt::write_all(&mut socket, &[0x81, 126, 0x03, 0xe8, b'{', b'"']).await.unwrap();
    drop(socket);
    let error = pending.await_by(late()).await.unwrap_err();
    assert!(matches!(&error, CallError::Gone { last_words } if last_words.contains("broke")), "{error:?}");
}

#[tokio::test]
async fn closing_does_not_wait_for_a_server_that_does_not_answer() {
    let (connection, server) = pair().await;
    let pending = connection.root().submit(&ASK);
    let begun = Instant::now();
    connection.close();
    let error = pending.await_by(late()).await.unwrap_err();
    assert!(matches!(error, CallError::Gone { .. }));
    assert!(begun.elapsed() < Duration::from_secs(10));
    drop(server);
}

#[tokio::test]
async fn what_is_no_browser_is_told_apart() {
    let (listener, url) = listener().await;
    let serving = tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        let mut socket = tokio::io::BufReader::new(socket);
        let mut line = String::new();
        while tokio::io::AsyncBufReadExt::read_line(&mut socket, &mut line).await.unwrap() > 2 {}
        let answer = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
        tokio::io::AsyncWriteExt::write_all(&mut socket, answer).await.unwrap();
        // Silence from here on.
        socket
    });
    let error = Connection::over_websocket(&url, late()).await.unwrap_err();
    assert!(matches!(&error, ConnectError::Handshake { reason, .. } if reason.contains("404")), "{error}");
    drop(serving.await.unwrap());

    let (silent, url) = listener_that_says_nothing().await;
    let error = Connection::over_websocket(&url, Instant::now() + Duration::from_millis(50)).await.unwrap_err();
    assert!(matches!(error, ConnectError::TimedOut { .. }), "{error}");
    drop(silent);
    let error = Connection::over_websocket(&url, late()).await.unwrap_err();
    assert!(matches!(error, ConnectError::Unreachable { .. }), "{error}");
    for url in ["wss://127.0.0.1/", "nonsense", "http://127.0.0.1/"] {
        let error = Connection::over_websocket(url, late()).await.unwrap_err();
        assert!(matches!(error, ConnectError::Address { .. }), "{error}");
    }
}

async fn listener_that_says_nothing() -> (TcpListener, String) {
    listener().await
}
