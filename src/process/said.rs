//! What a program says: its end is kept, for the message when it goes.

use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

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
    tail: Arc<Mutex<Vec<u8>>>,
    progress: watch::Receiver<Progress>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// So many bytes were said.
    Saying(usize),
    Finished,
}

impl Said {
    /// Reads until the output ends, on a thread of its own.
    pub fn listen(mut output: impl Read + Send + 'static) -> std::io::Result<Said> {
        let tail = Arc::new(Mutex::new(Vec::new()));
        let (sender, progress) = watch::channel(Progress::Saying(0));
        let kept = Arc::clone(&tail);
        std::thread::Builder::new().name("listening".to_owned()).spawn(move || {
            let mut chunk = [0; 4096];
            let mut total = 0;
            while let Ok(length @ 1..) = output.read(&mut chunk) {
                keep(&mut kept.lock().unwrap_or_else(PoisonError::into_inner), &chunk[..length]);
                total += length;
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

    /// The last lines.
    pub fn last_lines(&self) -> String {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&tail);
        let mut lines: Vec<&str> = text.lines().rev().filter(|line| !line.trim().is_empty()).take(LINES).collect();
        lines.reverse();
        lines.join("\n")
    }
}

fn keep(tail: &mut Vec<u8>, said: &[u8]) {
    tail.extend_from_slice(said);
    if tail.len() > 2 * KEPT {
        tail.drain(..tail.len() - KEPT);
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
        assert!(said.tail.lock().unwrap().len() <= 2 * KEPT);
    }

    fn io_cursor(text: String) -> std::io::Cursor<Vec<u8>> {
        std::io::Cursor::new(text.into_bytes())
    }
}
