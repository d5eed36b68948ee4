//! What an application says, written to a file on its way.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use crate::scenario::Mask;

/// A line longer than this, in bytes, is written in parts.
const LONGEST_LINE: usize = 64 << 10;

/// A reader whose text goes to a file as well, line by line and without secrets.
pub(super) struct Tee<R> {
    reader: R,
    log: Option<Log>,
}

/// The file.
pub(super) struct Log {
    file: File,
    mask: Mask,
    line: Vec<u8>,
}

impl Log {
    /// Makes the file anew, and its folders.
    pub(super) fn create(path: &Path, mask: Mask) -> io::Result<Log> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        Ok(Log { file: File::create(path)?, mask, line: Vec::new() })
    }

    fn take(&mut self, said: &[u8]) -> io::Result<()> {
        self.line.extend_from_slice(said);
        let whole = match self.line.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => end + 1,
            None if self.line.len() > LONGEST_LINE => self.line.len(),
            None => return Ok(()),
        };
        let lines: Vec<u8> = self.line.drain(..whole).collect();
        self.write(&lines)
    }

    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        if self.mask.forms().next().is_none() {
            return self.file.write_all(lines);
        }
        self.file.write_all(self.mask.text(&String::from_utf8_lossy(lines)).as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.line);
        self.write(&rest)
    }
}

impl<R: Read> Tee<R> {
    pub(super) fn new(reader: R, log: Option<Log>) -> Tee<R> {
        Tee { reader, log }
    }
}

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        if let Some(log) = &mut self.log {
            let said = buffer.get(..length).unwrap_or_default();
            let written = if said.is_empty() { log.finish() } else { log.take(said) };
            // A disk that is full is no reason to keep the application from going on.
            if written.is_err() {
                self.log = None;
            }
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Gives its text a few bytes at a time.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(3).min(buffer.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    #[test]
    fn a_secret_is_not_written_wherever_its_parts_arrive() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logs/app.log");
        let log = Log::create(&path, Mask::new(["hunter2"])).unwrap();
        let text = "key: hunter2, hunter2\nready\nno end: hunter2";
        let mut passed = String::new();
        Tee::new(Drops(text.as_bytes()), Some(log)).read_to_string(&mut passed).unwrap();
        assert_eq!(passed, text);
        assert_eq!(std::fs::read_to_string(path).unwrap(), "key: •••, •••\nready\nno end: •••");
    }
}
