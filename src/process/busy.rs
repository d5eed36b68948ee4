//! Starting a program that was just written.

use std::io;
use std::time::Duration;

/// Starts it, again if need be: a child that another thread is just starting has a copy of every
/// open file for a moment, and a program that is open for writing anywhere cannot be started.
pub fn again_while_busy<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 0..50 {
        match start() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(2));
            }
            outcome => return outcome,
        }
    }
    start()
}
