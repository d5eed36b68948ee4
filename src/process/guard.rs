//! A guard for each browser: a tiny process that outlives us when we are killed, and tidies up in
//! our place.
//!
//! It waits on a pipe that only we hold. We write to it the number of the browser's process group
//! and, once everything is tidied up, `done`. When the pipe ends without that word, we were killed:
//! the guard kills the group and removes the temporary folder. It is a shell script, since a shell
//! is on every system that has the pipe transport, needs no hook in the program that uses this
//! library, and takes a millisecond to start.

use std::io::{self, PipeWriter, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// `$1` is the temporary folder, `$2` is for how many rounds the browser may end by itself first
/// (it does, when its pipe closes), as one with a profile of the user's should. A hundred rounds at
/// most: the dead stay in their group when nobody reaps them, so a folder that stays away is
/// enough.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
group=
while read -r line; do
  case $line in
    done) exit 0 ;;
    *) group=$line ;;
  esac
done
round=0
away=0
while [ "$round" -lt 100 ]; do
  signal=KILL
  if [ "$round" -lt "$2" ]; then signal=0; fi
  gone=yes
  if [ -n "$group" ] && kill -s "$signal" -- "-$group" 2>/dev/null; then gone=; fi
  if [ -n "$gone" ] || [ "$signal" = KILL ]; then
    rm -rf -- "$1" 2>/dev/null
    if [ -e "$1" ]; then away=0; else away=$((away + 1)); fi
    if [ "$away" -ge 3 ] || { [ -n "$gone" ] && [ "$away" -ge 1 ]; }; then exit 0; fi
  fi
  round=$((round + 1))
  sleep 0.05 2>/dev/null || sleep 1
done
"#;

/// How many rounds a browser with a profile of the user's has for ending by itself.
const GRACE: &str = "40";

/// The guard of one browser.
#[derive(Debug)]
pub struct Guard {
    child: Child,
    pipe: PipeWriter,
}

impl Guard {
    /// Starts it. It stands in a process group of its own, so that a Ctrl-C at the terminal does
    /// not end it before us.
    pub fn start(folder: &Path, keeps_profile: bool) -> io::Result<Guard> {
        let (reader, pipe) = io::pipe()?;
        let child = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "playscript-guard"])
            .arg(folder)
            .arg(if keeps_profile { GRACE } else { "0" })
            // Neither a folder nor an output of ours is kept open by it.
            .current_dir("/")
            .stdin(reader)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok(Guard { child, pipe })
    }

    /// Where the browser's process writes its own number, before it becomes the browser.
    pub fn pipe(&self) -> &PipeWriter {
        &self.pipe
    }

    /// Everything is tidied up.
    pub fn dismiss(mut self) {
        let _ = self.pipe.write_all(b"done\n");
        drop(self.pipe);
        let _ = self.child.wait();
    }
}
