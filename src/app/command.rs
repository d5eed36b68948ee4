//! The command that an application is started with.

use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, PipeReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::scenario::{AppSetting, AppStart};

/// The variable by which the processes of an application are known, wherever they go.
const MARK: &str = "PLAYSCRIPT_APP";

/// A command, where all that it says can be read, and the text that stands in the environment of its processes.
pub(super) struct Prepared {
    pub(super) command: Command,
    pub(super) output: PipeReader,
    #[cfg_attr(not(unix), allow(dead_code))]
    pub(super) mark: String,
}

/// The command of an application. `port` is one that was chosen for it.
///
/// Both of its outputs go to one pipe, so that lines stay in their order.
pub(super) fn prepare(setting: &AppSetting, start: &AppStart, port: Option<u16>) -> io::Result<Prepared> {
    let (output, writer) = io::pipe()?;
    // Each of these begins with other random numbers.
    let number = format!("{:016x}", RandomState::new().build_hasher().finish());
    let mut command = match start {
        AppStart::Shell(line) => shell(line),
        AppStart::Program(words) => {
            let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
            let mut command = Command::new(program);
            command.args(arguments);
            command
        }
    };
    command
        .current_dir(&setting.folder)
        .env(MARK, &number)
        // Kept open as long as it runs: bundlers that watch files take the end of their input for that of their work.
        .stdin(Stdio::piped())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    if let Some(path) = path_with_us(std::env::var_os("PATH"), std::env::current_exe().ok().as_deref()) {
        command.env("PATH", path);
    }
    if let Some(port) = port {
        command.env("PORT", port.to_string());
    }
    command.envs(setting.env.iter().map(|(name, value)| (name, value)));
    Ok(Prepared { command, output, mark: format!("{MARK}={number}") })
}

#[cfg(unix)]
fn shell(line: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]);
    command
}

#[cfg(not(unix))]
fn shell(line: &str) -> Command {
    use std::os::windows::process::CommandExt;
    let mut command = Command::new("cmd");
    // With these, all between the first and the last quote is the line as it is.
    command.raw_arg(format!("/D /S /C \"{line}\""));
    command
}

/// The path with the folder of this program at its end, so that `playscript serve` is found wherever it is installed, and nothing
/// else is found there that would not be otherwise.
fn path_with_us(path: Option<OsString>, exe: Option<&Path>) -> Option<OsString> {
    let folder = exe?.parent()?;
    let path = path?;
    let mut folders: Vec<_> = std::env::split_paths(&path).collect();
    folders.push(folder.to_owned());
    std::env::join_paths(folders).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn our_own_folder_comes_last() {
        let path = path_with_us(Some("/usr/bin:/bin".into()), Some(Path::new("/opt/x/playscript")));
        assert_eq!(path, Some("/usr/bin:/bin:/opt/x".into()));
    }
}
