//! The terminal as the moving lines are drawn on it.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::TermLike;

/// A terminal on which every drawn line ends where its text ends.
///
/// indicatif fills each line with blanks and lets the terminal wrap. The cursor then rests at the right edge, where the
/// `^C` that a terminal echoes falls onto the next line and moves everything by one; and a terminal that is made wider
/// joins lines that were wrapped. So a filler becomes "clear to the end of the line", and the line feed is written
/// when a next line really comes.
#[derive(Debug)]
pub(super) struct Screen<T> {
    term: T,
    state: Mutex<Next>,
}

/// What indicatif writes next: for each line its text, then its filler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    FirstLine,
    Filler,
    FurtherLine,
}

impl<T> Screen<T> {
    pub(super) fn new(term: T) -> Self {
        Self { term, state: Mutex::new(Next::FirstLine) }
    }

    fn state(&self) -> MutexGuard<'_, Next> {
        // What a panic left behind is still one of three words.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) {
        *self.state() = Next::FirstLine;
    }
}

impl<T: TermLike> TermLike for Screen<T> {
    fn width(&self) -> u16 {
        self.term.width()
    }

    fn height(&self) -> u16 {
        self.term.height()
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.begin();
        self.term.move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.begin();
        self.term.move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.term.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.term.move_cursor_left(n)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.begin();
        self.term.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if text == "\r" {
            self.begin();
            return self.term.write_str(text);
        }
        let mut next = self.state();
        match *next {
            Next::FirstLine | Next::FurtherLine => {
                if *next == Next::FurtherLine {
                    self.term.write_str("\r\n")?;
                }
                *next = Next::Filler;
                self.term.write_str(text)
            }
            Next::Filler => {
                *next = Next::FurtherLine;
                self.term.write_str("\u{1b}[K")
            }
        }
    }

    fn clear_line(&self) -> io::Result<()> {
        self.term.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.begin();
        self.term.flush()
    }
}
