//! Signals, for the tests that end processes.

/// Sends a signal. A bare machine has no program for that; its shell can.
pub(crate) fn send(signal: &str, whom: &str) {
    let name = signal.trim_start_matches('-');
    let sent =
        std::process::Command::new("/bin/sh").args(["-c", "kill -s \"$1\" -- \"$2\"", "kill", name, whom]).status();
    assert!(sent.unwrap().success(), "{signal} {whom}");
}
