//! Where lines go: written one after the other, or above a moving part.

use std::io::{self, ErrorKind, Write};

use super::progress::Progress;

/// Where lines go.
pub(super) enum Output {
    /// One after the other, into a file, a pipe or a log.
    Still(Lines),
    /// Above the lines that move.
    Moving(Progress),
}

impl Output {
    /// One line or several, without a line feed at the end.
    pub(super) fn print(&mut self, text: &str) {
        match self {
            Output::Still(lines) => lines.write(text),
            Output::Moving(progress) => progress.print(text),
        }
    }

    /// Takes the moving part away.
    pub(super) fn settle(&mut self) {
        if let Output::Moving(progress) = self {
            progress.clear();
        }
    }

    /// Why not everything could be written. A reader that went away (`| head -1`) is no failure of ours.
    pub(super) fn failure(&mut self) -> Option<io::Error> {
        match self {
            Output::Still(lines) => lines.failure.take(),
            Output::Moving(_) => None,
        }
    }
}

/// Lines written to a stream that may go away at any time.
pub(super) struct Lines {
    to: Box<dyn Write + Send>,
    /// The reader went away or the disk is full: the run goes on, its lines are lost.
    lost: bool,
    failure: Option<io::Error>,
}

impl Lines {
    pub(super) fn new(to: Box<dyn Write + Send>) -> Self {
        Self { to, lost: false, failure: None }
    }

    fn write(&mut self, text: &str) {
        if self.lost {
            return;
        }
        // One write, so that lines of a run that shares its log with others stay whole.
        let written = self.to.write_all(format!("{text}\n").as_bytes()).and_then(|()| self.to.flush());
        if let Err(error) = written {
            self.lost = true;
            if error.kind() != ErrorKind::BrokenPipe {
                self.failure = Some(error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that fails from the second line on.
    struct Failing(ErrorKind, usize);

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1 == 1 { Ok(bytes.len()) } else { Err(self.0.into()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_went_away_is_no_failure_and_a_full_disk_is() {
        for (kind, fails) in [(ErrorKind::BrokenPipe, false), (ErrorKind::StorageFull, true)] {
            let mut output = Output::Still(Lines::new(Box::new(Failing(kind, 0))));
            for line in ["one", "two", "three"] {
                output.print(line);
            }
            assert_eq!(output.failure().is_some(), fails, "{kind}");
        }
    }
}
