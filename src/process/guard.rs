//! A guard for each program: a tiny process that outlives us when we are killed, and tidies up in
//! our place.
//!
//! It waits on a pipe that only we hold. We write to it the number of the program's process group
//! and, once everything is tidied up, `done`. When the pipe ends without that word, we were killed:
//! the guard ends the group and removes the temporary folder. It is a shell script, since a shell
//! is on every system that has the pipe transport, needs no hook in the program that uses this
//! library, and takes a millisecond to start.

use std::io::{self, PipeWriter, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// `$1` is the temporary folder, or nothing. `$2` is for how many rounds the program may end by
/// itself first, and `$3` the signal that it is asked to by (0 for none). `$4`, unless it is
/// nothing, stands in the environment of the program's processes. Once they are killed it takes a
/// hundred rounds at most: the dead stay in their group when nobody reaps them, so a folder that
/// stays away is enough.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
group=
while read -r line; do
  case $line in
    done) exit 0 ;;
    *) group=$line ;;
  esac
done
send() {
  gone=yes
  if [ -n "$group" ] && kill -s "$1" -- "-$group" 2>/dev/null; then gone=; fi
  if [ -n "$2" ]; then
    for file in $(grep -Fls -- "$2" /proc/[0-9]*/environ 2>/dev/null); do
      process=${file#/proc/}
      if kill -s "$1" "${process%/environ}" 2>/dev/null; then gone=; fi
    done
  fi
}
round=0
away=0
while [ "$round" -lt $(($2 + 100)) ]; do
  signal=KILL
  if [ "$round" -lt "$2" ]; then signal=0; fi
  if [ "$round" -eq 0 ] && [ "$2" -gt 0 ]; then signal=$3; fi
  send "$signal" "$4"
  if [ -n "$gone" ] || [ "$signal" = KILL ]; then
    if [ -n "$1" ]; then rm -rf -- "$1" 2>/dev/null; fi
    if [ -n "$1" ] && [ -e "$1" ]; then away=0; else away=$((away + 1)); fi
    if [ "$away" -ge 3 ] || { [ -n "$gone" ] && [ "$away" -ge 1 ]; }; then exit 0; fi
  fi
  round=$((round + 1))
  sleep 0.05 2>/dev/null || sleep 1
done
"#;

/// How long a round takes.
const ROUND: Duration = Duration::from_millis(50);

/// What a guard has to do once we are gone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duty<'a> {
    /// The temporary folder that is removed.
    pub folder: Option<&'a Path>,
    /// How long the program may take to end by itself before it is killed.
    pub grace: Duration,
    /// Whether it is asked to end (by SIGTERM), and does not end anyhow.
    pub ask: bool,
    /// What stands in the environment of all its processes.
    pub mark: Option<&'a str>,
}

/// The guard of one program.
#[derive(Debug)]
pub struct Guard {
    child: Child,
    pipe: PipeWriter,
}

impl Guard {
    /// Starts it. It stands in a process group of its own, so that a Ctrl-C at the terminal does
    /// not end it before us.
    ///
    /// # Errors
    /// When the machine has no shell, or no room for one more process.
    pub fn start(duty: Duty<'_>) -> io::Result<Guard> {
        let (reader, pipe) = io::pipe()?;
        let rounds = duty.grace.as_millis().div_ceil(ROUND.as_millis());
        let child = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "playscript-guard"])
            .arg(duty.folder.unwrap_or(Path::new("")))
            .arg(rounds.to_string())
            .arg(if duty.ask { "TERM" } else { "0" })
            .arg(duty.mark.unwrap_or_default())
            // Neither a folder nor an output of ours is kept open by it.
            .current_dir("/")
            .stdin(reader)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok(Guard { child, pipe })
    }

    /// Where the program's process writes its own number, before it becomes the program.
    pub(super) fn pipe(&self) -> &PipeWriter {
        &self.pipe
    }

    /// Everything is tidied up.
    pub fn dismiss(mut self) {
        let _ = self.pipe.write_all(b"done\n");
        drop(self.pipe);
        let _ = self.child.wait();
    }
}
