//! What the tests of the whole program share: a project in a temporary folder, the program run in it, and a count of
//! what a run has left behind.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod signal;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A project of its own, with a temporary folder that only its browsers use.
pub struct Project {
    root: tempfile::TempDir,
}

impl Project {
    pub fn new() -> Project {
        let root = tempfile::Builder::new().prefix("playscript-test-").tempdir().unwrap();
        std::fs::create_dir(root.path().join("tmp")).unwrap();
        std::fs::create_dir(root.path().join("project")).unwrap();
        Project { root }
    }

    /// The project's folder.
    pub fn folder(&self) -> PathBuf {
        self.root.path().join("project")
    }

    /// Where this project's browsers keep their temporary files.
    pub fn temp(&self) -> PathBuf {
        self.root.path().join("tmp")
    }

    pub fn write(&self, path: &str, text: &str) -> &Project {
        let path = self.folder().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// The program in this project, with nothing of the surroundings that could change what it does.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_playscript"));
        command.args(args).current_dir(self.folder()).env("TMPDIR", self.temp()).stdin(Stdio::null());
        for name in ["CI", "INSTA_UPDATE", "NO_COLOR", "CLICOLOR_FORCE", "INSTA_FORCE_PASS"] {
            command.env_remove(name);
        }
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        let output = self.command(args).output().unwrap();
        Ran::of(&output)
    }

    pub fn spawn(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The processes of this project's browsers: those that name its temporary folder, and all that descend from them.
    /// (A descendant whose parent has died is not found; whoever needs that remembers the numbers.)
    pub fn browsers(&self) -> Vec<u32> {
        let needle = self.temp().to_string_lossy().into_owned();
        let chromes: Vec<Process> = processes().into_iter().filter(|process| process.is_chrome).collect();
        let mut found: Vec<u32> =
            chromes.iter().filter(|process| process.command.contains(&needle)).map(|process| process.pid).collect();
        loop {
            let before = found.len();
            for process in &chromes {
                if found.contains(&process.parent) && !found.contains(&process.pid) {
                    found.push(process.pid);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// Whether a page is up in one of this project's browsers: it has a renderer.
    pub fn shows_a_page(&self) -> bool {
        let browsers = self.browsers();
        processes().iter().any(|process| browsers.contains(&process.pid) && process.command.contains("--type=renderer"))
    }

    /// What stands in the temporary folder.
    pub fn leftovers(&self) -> Vec<PathBuf> {
        std::fs::read_dir(self.temp()).unwrap().flatten().map(|entry| entry.path()).collect()
    }
}

/// A process, as far as these tests care.
struct Process {
    pid: u32,
    parent: u32,
    command: String,
    is_chrome: bool,
}

fn processes() -> Vec<Process> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        // One that ends meanwhile leaves nothing to read.
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let program = std::fs::read_link(entry.path().join("exe")).unwrap_or_default();
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name of the program, in brackets, may hold anything; the parent is the second word behind it.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        all.push(Process {
            pid,
            parent: parent.unwrap_or(0),
            command: String::from_utf8_lossy(&command).into_owned(),
            is_chrome: program.to_string_lossy().contains("chrom"),
        });
    }
    all
}

/// Whether a process of that number is there.
pub fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // A zombie is dead; only its number is still taken.
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

/// How the program ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: &Output) -> Ran {
        Ran {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Both streams.
    pub fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    #[track_caller]
    pub fn expect_code(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "out:\n{}\nerr:\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub fn expect_words(self, words: &[&str]) -> Ran {
        let all = self.all();
        for word in words {
            assert!(all.contains(word), "not said: {word:?}\n{all}");
        }
        self
    }
}

/// Looks again and again until something is so; a test that waits for ever is told what it waited for.
#[track_caller]
pub fn until(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < limit, "waited {limit:?} in vain: {what}");
        // A poll of the process table, which tells nobody of its changes.
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The path of a file of the repository.
pub fn of_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
