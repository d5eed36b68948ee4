//! Messages over two pipes, each message ended by a zero byte: how a launched browser is spoken to.

use std::ffi::CStr;
use std::io;
use std::sync::Weak;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

use super::Connection;
use super::connection::Inner;

/// How much is asked for in one read; as much as a Linux pipe can be made to hold without a
/// privilege.
const CHUNK: usize = 1 << 20;
/// A buffer that has grown past this is let go after its message, so that a small message does not
/// keep it.
const LARGE: usize = 4 * CHUNK;
/// Commands that wait together go out in one write, up to about this many bytes.
const BATCH: usize = 64 << 10;

impl Connection {
    /// Speaks over a pair of pipes: `reader` is what the browser writes, `writer` what it reads.
    /// Must be called within the runtime.
    #[cfg(unix)]
    pub fn over_pipe(reader: std::os::fd::OwnedFd, writer: std::os::fd::OwnedFd) -> io::Result<Connection> {
        let reader = tokio::net::unix::pipe::Receiver::from_owned_fd(reader)?;
        let writer = tokio::net::unix::pipe::Sender::from_owned_fd(writer)?;
        Ok(Connection::over_streams(reader, writer))
    }

    /// The same over any pair of byte streams.
    pub(super) fn over_streams(
        reader: impl AsyncRead + Unpin + Send + 'static,
        writer: impl AsyncWrite + Unpin + Send + 'static,
    ) -> Connection {
        let (connection, outbox) = Connection::new();
        // The reading task holds no clone: the connection ends with its last user.
        let inner = std::sync::Arc::downgrade(&connection.inner);
        tokio::spawn(write(writer, outbox));
        tokio::spawn(read(reader, inner));
        connection
    }
}

async fn write(mut writer: impl AsyncWrite + Unpin, mut outbox: mpsc::UnboundedReceiver<String>) {
    let mut batch = Vec::new();
    while let Some(message) = outbox.recv().await {
        batch.clear();
        batch.extend_from_slice(message.as_bytes());
        batch.push(0);
        while batch.len() < BATCH
            && let Ok(message) = outbox.try_recv()
        {
            batch.extend_from_slice(message.as_bytes());
            batch.push(0);
        }
        // A browser that no longer reads is about to end, and the reading task will tell of it.
        if writer.write_all(&batch).await.is_err() || writer.flush().await.is_err() {
            break;
        }
    }
}

async fn read(mut reader: impl AsyncRead + Unpin, inner: Weak<Inner>) {
    let mut frames = Frames::default();
    let reason = loop {
        match frames.fill(&mut reader).await {
            Ok(0) if frames.is_empty() => break "the pipe was closed".to_owned(),
            Ok(0) => break "the pipe was closed in the middle of a message".to_owned(),
            Ok(_) => {}
            Err(error) => break format!("the pipe cannot be read: {error}"),
        }
        let Some(inner) = inner.upgrade() else { return };
        while let Some(message) = frames.take() {
            inner.receive(message);
        }
    };
    if let Some(inner) = inner.upgrade() {
        inner.ended(&reason).await;
    }
}

/// Cuts a stream of bytes at its zero bytes. Each byte is looked at once, and messages are parts of
/// the buffer, not copies.
#[derive(Default)]
struct Frames {
    buffer: BytesMut,
    /// How much of the buffer is known to hold no zero byte.
    seen: usize,
}

impl Frames {
    async fn fill(&mut self, reader: &mut (impl AsyncRead + Unpin)) -> io::Result<usize> {
        if self.buffer.capacity() - self.buffer.len() < CHUNK / 16 {
            self.buffer.reserve(CHUNK);
        }
        reader.read_buf(&mut self.buffer).await
    }

    fn take(&mut self) -> Option<Bytes> {
        // The library's search for the zero byte looks at many bytes at a time.
        let Ok(rest) = CStr::from_bytes_until_nul(&self.buffer[self.seen..]) else {
            self.seen = self.buffer.len();
            return None;
        };
        let end = self.seen + rest.count_bytes();
        let mut message = self.buffer.split_to(end + 1);
        message.truncate(end);
        self.seen = 0;
        if end > LARGE {
            self.buffer = BytesMut::from(&self.buffer[..]);
        }
        Some(message.freeze())
    }

    fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }
}
