//! Messages over a WebSocket: how a browser that already runs is spoken to.

use std::io;
use std::sync::Weak;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::Connection;
use super::connection::Inner;
use super::error::seconds;

/// How long a peer may take to answer that the connection is to be closed.
const CLOSING: Duration = Duration::from_secs(1);

/// Why no connection came about.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Not an address of the kind `ws://host:port/…`.
    #[error("{url} is no address of a browser: {reason}")]
    Address {
        /// The address as given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing listens there.
    #[error("nothing answers at {address}: {source}")]
    Unreachable {
        /// Host and port.
        address: String,
        /// The system's reason.
        source: io::Error,
    },
    /// Something listens there, but it speaks no DevTools protocol.
    #[error("{url} answers, but not as a browser does: {reason}")]
    Handshake {
        /// The address as given.
        url: String,
        /// What it answered.
        reason: String,
    },
    /// No answer until the deadline.
    #[error("{url} did not answer within {}", seconds(*.waited))]
    TimedOut {
        /// The address as given.
        url: String,
        /// How long was waited.
        waited: Duration,
    },
}

impl Connection {
    /// Speaks over a WebSocket. The socket is opened to the address itself: proxies of the
    /// environment play no part.
    pub async fn over_websocket(url: &str, deadline: Instant) -> Result<Connection, ConnectError> {
        let begun = Instant::now();
        match tokio::time::timeout_at(deadline, open(url)).await {
            Ok(Ok(socket)) => Ok(Connection::over_socket(socket)),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(ConnectError::TimedOut { url: url.to_owned(), waited: begun.elapsed() }),
        }
    }

    fn over_socket(socket: WebSocketStream<TcpStream>) -> Connection {
        let (connection, outbox) = Connection::new();
        let inner = std::sync::Arc::downgrade(&connection.inner);
        let (sink, stream) = socket.split();
        let mut reader = tokio::spawn(read(stream, inner.clone()));
        tokio::spawn(async move {
            write(sink, outbox).await;
            // Closed from this side, or the socket is broken. A peer that never answers the closing
            // must not hold the socket.
            if tokio::time::timeout(CLOSING, &mut reader).await.is_err() {
                reader.abort();
                if let Some(inner) = inner.upgrade() {
                    inner.ended("the connection was closed").await;
                }
            }
        });
        connection
    }
}

async fn open(url: &str) -> Result<WebSocketStream<TcpStream>, ConnectError> {
    let address = |reason: &str| ConnectError::Address { url: url.to_owned(), reason: reason.to_owned() };
    let parsed = url::Url::parse(url).map_err(|error| address(&error.to_string()))?;
    if parsed.scheme() != "ws" {
        return Err(address("it must begin with ws:// (encrypted connections are not supported)"));
    }
    let host = parsed.host_str().ok_or_else(|| address("it names no host"))?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = parsed.port_or_known_default().unwrap_or(80);
    let socket = TcpStream::connect((host, port))
        .await
        .map_err(|source| ConnectError::Unreachable { address: format!("{host}:{port}"), source })?;
    // Small commands must not wait for each other.
    let _ = socket.set_nodelay(true);
    // Chrome sends each message as one frame, and a tree of a large page has many megabytes.
    let limits = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
    match client_async_with_config(url, socket, Some(limits)).await {
        Ok((socket, _)) => Ok(socket),
        Err(error) => {
            let reason = match error {
                tungstenite::Error::Http(response) => format!("HTTP {}", response.status()),
                other => other.to_string(),
            };
            Err(ConnectError::Handshake { url: url.to_owned(), reason })
        }
    }
}

type Socket = WebSocketStream<TcpStream>;

async fn write(mut sink: SplitSink<Socket, Message>, mut outbox: mpsc::UnboundedReceiver<String>) {
    while let Some(message) = outbox.recv().await {
        if sink.feed(Message::text(message)).await.is_err() {
            return;
        }
        while let Ok(message) = outbox.try_recv() {
            if sink.feed(Message::text(message)).await.is_err() {
                return;
            }
        }
        if sink.flush().await.is_err() {
            return;
        }
    }
    let _ = sink.send(Message::Close(None)).await;
}

async fn read(mut stream: SplitStream<Socket>, inner: Weak<Inner>) {
    let reason = loop {
        let message = match stream.next().await {
            Some(Ok(Message::Text(text))) => Bytes::from(text),
            Some(Ok(Message::Binary(bytes))) => bytes,
            // Pings are answered by the library.
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
            Some(Ok(Message::Close(frame))) => match frame {
                Some(frame) if !frame.reason.is_empty() => {
                    break format!("the browser closed the connection: {}", frame.reason);
                }
                _ => break "the browser closed the connection".to_owned(),
            },
            Some(Err(error)) => break format!("the connection broke: {error}"),
            None => break "the connection was closed".to_owned(),
        };
        let Some(inner) = inner.upgrade() else { return };
        inner.receive(message);
    };
    if let Some(inner) = inner.upgrade() {
        inner.ended(&reason).await;
    }
}
