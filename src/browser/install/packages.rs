//! Installing by the system's package manager.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;

use super::{InstallError, Progress};
use crate::browser::Surroundings;
use crate::process::again_while_busy;

/// How many of the last lines of a failure are shown.
const LINES: usize = 12;

/// A package manager and how it installs a browser.
struct Manager {
    program: &'static str,
    /// The arguments that make it ready; a failure of it does not yet matter.
    refresh: &'static [&'static str],
    /// The arguments before the name of the package.
    install: &'static [&'static str],
    /// Names of packages, best first.
    packages: &'static [&'static str],
    needs_root: bool,
}

const MANAGERS: &[Manager] = &[
    Manager {
        program: "apt-get",
        refresh: &["update"],
        install: &["install", "--yes", "--no-install-recommends"],
        packages: &["chromium-headless-shell", "chromium"],
        needs_root: true,
    },
    Manager {
        program: "dnf",
        refresh: &[],
        install: &["install", "--assumeyes"],
        packages: &["chromium-headless", "chromium"],
        needs_root: true,
    },
    Manager {
        program: "apk",
        refresh: &["update"],
        install: &["add", "--no-progress"],
        packages: &["chromium-headless-shell", "chromium"],
        needs_root: true,
    },
    Manager {
        program: "pacman",
        refresh: &[],
        install: &["-Sy", "--noconfirm", "--needed"],
        packages: &["chromium"],
        needs_root: true,
    },
    Manager {
        program: "brew",
        refresh: &[],
        install: &["install", "--cask"],
        packages: &["google-chrome"],
        needs_root: false,
    },
    Manager {
        program: "winget",
        refresh: &[],
        install: &[
            "install",
            "--exact",
            "--silent",
            "--accept-package-agreements",
            "--accept-source-agreements",
            "--id",
        ],
        packages: &["Google.Chrome"],
        needs_root: false,
    },
];

/// Installs the first package that can be had. The caller looks for what has come of it.
pub(super) fn install(
    surroundings: &Surroundings,
    root: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), InstallError> {
    let found = MANAGERS.iter().find_map(|manager| Some((manager, program(surroundings, manager.program)?)));
    let (manager, path) = found.ok_or_else(|| {
        let names: Vec<&str> = MANAGERS.iter().map(|manager| manager.program).collect();
        InstallError::NoPackageManager(names.join(", "))
    })?;
    let mut before = Vec::new();
    if manager.needs_root && !root {
        let by_hand = format!("sudo {} {} {}", manager.program, manager.install.join(" "), manager.packages[0]);
        let sudo = sudo(surroundings).ok_or(InstallError::NoRights { manager: manager.program, command: by_hand })?;
        before.push(sudo);
        before.push("-n".into());
    }
    before.push(path);
    let run = |arguments: &[&str], progress: &mut dyn FnMut(Progress)| run(&before, arguments, surroundings, progress);
    if !manager.refresh.is_empty() {
        // A list that is out of reach in part may still have the package.
        let _ = run(manager.refresh, progress);
    }
    let mut outcome = Ok(());
    for package in manager.packages {
        let arguments: Vec<&str> = manager.install.iter().chain([package]).copied().collect();
        outcome = run(&arguments, progress);
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

/// `sudo`, if it asks for nothing.
fn sudo(surroundings: &Surroundings) -> Option<PathBuf> {
    let sudo = program(surroundings, "sudo")?;
    let quiet = Command::new(&sudo)
        .args(["-n", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    quiet.is_ok_and(|status| status.success()).then_some(sudo)
}

fn program(surroundings: &Surroundings, name: &str) -> Option<PathBuf> {
    let name = if cfg!(windows) { format!("{name}.exe") } else { name.to_owned() };
    surroundings.program_folders().map(|folder| folder.join(&name)).find(|path| path.is_file())
}

/// Runs it, with each line of its output told as it comes.
fn run(
    before: &[PathBuf],
    arguments: &[&str],
    surroundings: &Surroundings,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), InstallError> {
    let words: Vec<String> = before.iter().map(|word| word.display().to_string()).collect();
    let shown = format!("{} {}", words.join(" "), arguments.join(" "));
    progress(Progress::Step(format!("running {shown}")));
    let failed = |how: String, output: String| InstallError::PackageManager { command: shown.clone(), how, output };
    let Some((first, rest)) = before.split_first() else {
        return Ok(());
    };
    let mut command = Command::new(first);
    command.args(rest).args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // No questions, whoever asks them. `sudo` drops the variable, and without a terminal they are
    // not asked either.
    command.env("DEBIAN_FRONTEND", "noninteractive");
    if let Some(path) = &surroundings.path {
        command.env("PATH", path);
    }
    let mut child = again_while_busy(|| command.spawn()).map_err(|error| failed(error.to_string(), String::new()))?;
    let (sender, lines) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        tell(output, sender.clone());
    }
    if let Some(output) = child.stderr.take() {
        tell(output, sender);
    }
    let mut last = std::collections::VecDeque::new();
    for line in lines {
        if last.len() == LINES {
            last.pop_front();
        }
        last.push_back(line.clone());
        progress(Progress::Output(line));
    }
    let status = child.wait().map_err(|error| failed(error.to_string(), String::new()))?;
    if status.success() {
        return Ok(());
    }
    Err(failed(status.to_string(), Vec::from(last).join("\n")))
}

fn tell(output: impl Read + Send + 'static, lines: mpsc::Sender<String>) {
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        while let Ok(1..) = output.read_until(b'\n', &mut line) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            line.clear();
            if lines.send(text).is_err() {
                break;
            }
        }
    });
}
