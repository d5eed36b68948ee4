//! The other end of a connection, in the hands of a test.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::time::Instant;

use crate::cdp::{Command, Connection};

/// A command that any peer of a test understands.
#[derive(Debug, Serialize)]
pub(super) struct Ask {
    pub(super) question: &'static str,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Said {
    pub(super) answer: String,
}

impl Command for Ask {
    const METHOD: &'static str = "Test.ask";
    type Reply = Said;
}

pub(super) const ASK: Ask = Ask { question: "?" };

/// What a peer sees of a command.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Seen {
    pub(super) id: u64,
    pub(super) method: String,
    pub(super) session_id: Option<String>,
    pub(super) params: serde_json::Value,
}

/// Far away: no test that is well waits for it.
pub(super) fn late() -> Instant {
    Instant::now() + Duration::from_secs(30)
}

/// A browser at the other end of two real pipes.
pub(super) struct Peer {
    reader: BufReader<Receiver>,
    writer: Sender,
}

impl Peer {
    pub(super) fn pair() -> (Connection, Peer) {
        let (browser_reads, writer) = rustix::pipe::pipe().unwrap();
        let (reader, browser_writes) = rustix::pipe::pipe().unwrap();
        let connection = Connection::over_pipe(reader, writer).unwrap();
        let reader = BufReader::new(Receiver::from_owned_fd(browser_reads).unwrap());
        let writer = Sender::from_owned_fd(browser_writes).unwrap();
        (connection, Peer { reader, writer })
    }

    /// The next command; `None` when the other side has closed.
    pub(super) async fn command(&mut self) -> Option<Seen> {
        let mut message = Vec::new();
        self.reader.read_until(0, &mut message).await.unwrap();
        if message.pop() != Some(0) {
            return None;
        }
        Some(serde_json::from_slice(&message).unwrap())
    }

    /// Sends bytes as they are.
    pub(super) async fn bytes(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).await.unwrap();
    }

    /// Sends a message.
    pub(super) async fn say(&mut self, message: &str) {
        self.bytes(message.as_bytes()).await;
        self.bytes(&[0]).await;
    }

    /// Answers the next command.
    pub(super) async fn answer(&mut self, answer: &str) -> Seen {
        let seen = self.command().await.unwrap();
        self.say(&reply(seen.id, answer)).await;
        seen
    }
}

/// An answer as Chrome writes it.
pub(super) fn reply(id: u64, answer: &str) -> String {
    format!(r#"{{"id":{id},"result":{{"answer":"{answer}"}}}}"#)
}
