//! Standard output and standard error. A reader that goes away (`| head -1`) is nobody's mistake: the rest is not said.

use std::io::{self, ErrorKind, Write};

use crate::report::terminal::Look;
use crate::report::{render_all, visible_line};
use crate::scenario::Diagnostic;

use super::failure::Failure;

/// Writes to standard output what the command is for.
pub(super) fn out(text: &str) -> Result<(), Failure> {
    out_bytes(format!("{text}\n").as_bytes())
}

/// The same, for what is not text.
pub(super) fn out_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(unwritten(&error)),
        _ => Ok(()),
    }
}

/// Standard output could not be written.
pub(super) fn unwritten(error: &io::Error) -> Failure {
    Failure::world(
        Diagnostic::new("standard output can't be written")
            .detail("the system says", error.to_string())
            .next("check the disk that the output is written to"),
    )
}

/// Tells on standard error what is wrong.
pub(super) fn wrong<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) {
    let look = Look::of_stderr();
    let text = render_all(diagnostics, look.paint, look.width);
    if !text.is_empty() {
        note(&text);
    }
}

/// Tells what was decided for the user.
pub(super) fn notices(notices: &[String]) {
    let paint = Look::of_stderr().paint;
    for notice in notices {
        note(&paint.faint(visible_line(notice)));
    }
}

/// Tells something on standard error.
pub(super) fn note(text: &str) {
    // There is no third place to complain to.
    let _ = io::stderr().lock().write_all(format!("{text}\n").as_bytes());
}
