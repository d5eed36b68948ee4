//! What a program says: its end is kept, for the message when it goes.

use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// How a browser that listens on a port names its address.
#[cfg(not(unix))]
const LISTENING: &str = "DevTools listening on ";

/// How much is kept.
const KEPT: usize = 8 << 10;
/// How many lines of it are shown.
const LINES: usize = 12;

/// The end of what a program has said.
#[derive(Debug, Clone)]
pub struct Said {
    tail: Arc<Mutex<Tail>>,
    progress: watch::Receiver<Progress>,
}

#[derive(Debug, Default)]
struct Tail {
    bytes: Vec<u8>,
    /// How many bytes were said, those that are not kept included.
    total: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// So many bytes were said.
    Saying(usize),
    Finished,
}

impl Said {
    /// Reads until the output ends, on a thread of its own.
    ///
    /// # Errors
    /// When there is no room for one more thread.
    pub fn listen(mut output: impl Read + Send + 'static) -> std::io::Result<Said> {
        let tail = Arc::new(Mutex::new(Tail::default()));
        let (sender, progress) = watch::channel(Progress::Saying(0));
        let kept = Arc::clone(&tail);
        std::thread::Builder::new().name("listening".to_owned()).spawn(move || {
            let mut chunk = [0; 4096];
            loop {
                let length = match output.read(&mut chunk) {
                    Ok(length @ 1..) => length,
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                    _ => break,
                };
                let total = kept.lock().unwrap_or_else(PoisonError::into_inner).keep(&chunk[..length]);
                sender.send_replace(Progress::Saying(total));
            }
            sender.send_replace(Progress::Finished);
        })?;
        Ok(Said { tail, progress })
    }

    /// Resolves when everything has been said.
    pub async fn finished(&self) {
        let _ = self.progress.clone().wait_for(|progress| *progress == Progress::Finished).await;
    }

    /// The address that the browser listens on; `None` when it ends without naming one.
    #[cfg(not(unix))]
    pub async fn address(&self) -> Option<String> {
        let mut progress = self.progress.clone();
        loop {
            let finished = *progress.borrow_and_update() == Progress::Finished;
            let lines = self.last_lines();
            let named = lines.lines().find_map(|line| line.strip_prefix(LISTENING));
            if let Some(address) = named {
                return Some(address.trim().to_owned());
            }
            if finished || progress.changed().await.is_err() {
                return None;
            }
        }
    }

    /// How many bytes were said so far: what is said after now, see [`Said::last_lines_since`].
    pub fn so_far(&self) -> usize {
        self.tail().total
    }

    /// The last lines.
    pub fn last_lines(&self) -> String {
        self.last_lines_since(0)
    }

    /// The last lines of what was said after so many bytes.
    pub fn last_lines_since(&self, bytes: usize) -> String {
        let tail = self.tail();
        let known = tail.total.saturating_sub(bytes).min(tail.bytes.len());
        let text = String::from_utf8_lossy(&tail.bytes[tail.bytes.len() - known..]);
        let mut lines: Vec<&str> = text.lines().rev().filter(|line| !line.trim().is_empty()).take(LINES).collect();
        lines.reverse();
        lines.join("\n")
    }

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tail {
    fn keep(&mut self, said: &[u8]) -> usize {
        self.bytes.extend_from_slice(said);
        if self.bytes.len() > 2 * KEPT {
            self.bytes.drain(..self.bytes.len() - KEPT);
        }
        self.total += said.len();
        self.total
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[tokio::test]
    async fn only_the_end_is_kept() {
        let text: String = (0..100_000).map(|line| format!("line {line}\n\n")).collect();
        let said = Said::listen(io_cursor(text)).unwrap();
        said.finished().await;
        let lines = said.last_lines();
        assert_eq!(lines.lines().count(), LINES);
        assert!(lines.ends_with("line 99999") && lines.starts_with("line 99988"), "{lines}");
        assert!(said.tail.lock().unwrap().bytes.len() <= 2 * KEPT);
    }

    #[tokio::test]
    async fn what_was_said_before_can_be_left_out() {
        let said = Said::listen(io_cursor("one\ntwo\n".to_owned())).unwrap();
        said.finished().await;
        assert_eq!((said.so_far(), said.last_lines_since(4)), (8, "two".to_owned()));
        assert_eq!((said.last_lines(), said.last_lines_since(8)), ("one\ntwo".to_owned(), String::new()));
    }

    fn io_cursor(text: String) -> std::io::Cursor<Vec<u8>> {
        std::io::Cursor::new(text.into_bytes())
    }
}
