//! The body of an answer: bytes at hand, a part of a file read as it is sent, or what comes in its time.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_util::Stream;
use hyper::body::{Frame, SizeHint};
use tokio::fs::File;
use tokio::io::{AsyncRead, ReadBuf};

use super::log::Entry;

/// How much of a file is read at a time.
const PIECE: usize = 64 * 1024;

enum Source {
    Bytes(Bytes),
    File {
        file: File,
        left: u64,
        piece: Vec<u8>,
    },
    /// Of no length that could be told before.
    Stream(Pieces),
}

/// Pieces that come in their time.
type Pieces = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

/// The body of an answer; counts what it hands over in the request log.
pub(super) struct Body {
    source: Source,
    entry: Option<Arc<Entry>>,
}

impl Body {
    pub(super) fn empty() -> Body {
        Body::bytes(Bytes::new())
    }

    pub(super) fn bytes(bytes: Bytes) -> Body {
        Body { source: Source::Bytes(bytes), entry: None }
    }

    /// The next `length` bytes of a file, from where it stands.
    pub(super) fn file(file: std::fs::File, length: u64) -> Body {
        let source = Source::File { file: File::from_std(file), left: length, piece: Vec::new() };
        Body { source, entry: None }
    }

    /// Whatever comes, until it ends.
    pub(super) fn stream(pieces: Pieces) -> Body {
        Body { source: Source::Stream(pieces), entry: None }
    }

    pub(super) fn counted(self, entry: Arc<Entry>) -> Body {
        Body { entry: Some(entry), ..self }
    }

    /// How much is left, where that is known.
    fn left(&self) -> Option<u64> {
        match &self.source {
            Source::Bytes(bytes) => Some(bytes.len() as u64),
            Source::File { left, .. } => Some(*left),
            Source::Stream(_) => None,
        }
    }
}

impl Source {
    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        match self {
            Source::Bytes(bytes) if bytes.is_empty() => Poll::Ready(None),
            Source::Bytes(bytes) => Poll::Ready(Some(Ok(std::mem::take(bytes)))),
            Source::Stream(pieces) => pieces.as_mut().poll_next(context).map(|piece| piece.map(Ok)),
            Source::File { left: 0, .. } => Poll::Ready(None),
            Source::File { file, left, piece } => {
                let size = usize::try_from(*left).unwrap_or(PIECE).min(PIECE);
                piece.resize(size, 0);
                let mut buffer = ReadBuf::new(piece);
                if let Err(error) = ready!(Pin::new(file).poll_read(context, &mut buffer)) {
                    return Poll::Ready(Some(Err(error)));
                }
                let read = buffer.filled().len();
                if read == 0 {
                    // The file became shorter after its length was promised; the connection has to break.
                    return Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into())));
                }
                *left -= read as u64;
                let mut piece = std::mem::take(piece);
                piece.truncate(read);
                Poll::Ready(Some(Ok(Bytes::from(piece))))
            }
        }
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let piece = ready!(self.source.poll_piece(context));
        if let (Some(Ok(bytes)), Some(entry)) = (&piece, &self.entry) {
            entry.sent(bytes.len());
        }
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.left() == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.left().map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
