//! The search itself.

use std::path::{Path, PathBuf};

use super::places::{APPLICATIONS, BROWSERS, HEADLESS_SHELLS};
use super::{Found, Kind, Surroundings};
use crate::browser::install::installed;
use crate::browser::{BrowserError, LaunchOptions};

/// Finds the browser to launch: the one that is named by option, `PLAYSCRIPT_CHROME` or
/// configuration; else the newest that playscript has installed; else what the system has. A run
/// without a window prefers the headless shell.
pub fn find(options: &LaunchOptions) -> Result<Found, BrowserError> {
    find_in(options, &Surroundings::from_env())
}

/// The same in other surroundings than this process's.
pub fn find_in(options: &LaunchOptions, surroundings: &Surroundings) -> Result<Found, BrowserError> {
    let named = [
        (&options.program, "--chrome"),
        (&surroundings.chrome, "PLAYSCRIPT_CHROME"),
        (&options.configured, "the configuration"),
    ];
    for (path, named_by) in named {
        if let Some(path) = path {
            let found = check(path, named_by, surroundings)?;
            if options.headed && found.kind == Kind::HeadlessShell {
                return Err(BrowserError::NoWindows { path: found.path, named_by });
            }
            return Ok(found);
        }
    }
    let wanted = |found: &Found| !(options.headed && found.kind == Kind::HeadlessShell);
    if let Some(found) = installed(surroundings).into_iter().find(wanted) {
        return Ok(found);
    }
    let candidates = candidates(options.headed, surroundings);
    if let Some(path) = candidates.iter().find(|path| is_program(path)) {
        return Ok(Found::at(path.clone()));
    }
    Err(nothing(options.headed, surroundings))
}

/// A program that was named: a path, or the name of a program on the `PATH`.
fn check(path: &Path, named_by: &'static str, surroundings: &Surroundings) -> Result<Found, BrowserError> {
    let mut path = path.to_owned();
    if path.components().count() == 1 && !path.exists() {
        let on_path = surroundings.program_folders().map(|folder| folder.join(&path)).find(|path| is_program(path));
        path = on_path.unwrap_or(path);
    }
    let Ok(metadata) = path.metadata() else {
        return Err(BrowserError::NoSuchFile { path, named_by });
    };
    if !metadata.is_file() {
        let reason = if metadata.is_dir() { " (it is a folder)" } else { "" };
        return Err(BrowserError::NotExecutable { path, named_by, reason: reason.to_owned() });
    }
    if !is_program(&path) {
        let reason = " (the file is not marked as executable)".to_owned();
        return Err(BrowserError::NotExecutable { path, named_by, reason });
    }
    Ok(Found::at(path))
}

/// Every path that would do, best first.
fn candidates(headed: bool, surroundings: &Surroundings) -> Vec<PathBuf> {
    let on_path = |names: &[&str]| -> Vec<PathBuf> {
        let folders: Vec<PathBuf> = surroundings.program_folders().collect();
        names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).collect()
    };
    let in_applications = |kind: Kind| {
        let places =
            surroundings.applications.iter().flat_map(|folder| APPLICATIONS.iter().map(move |name| folder.join(name)));
        places.filter(move |path| Kind::of(path) == kind)
    };
    let mut candidates = Vec::new();
    if !headed {
        candidates.extend(on_path(HEADLESS_SHELLS));
        candidates.extend(in_applications(Kind::HeadlessShell));
    }
    candidates.extend(on_path(BROWSERS));
    candidates.extend(in_applications(Kind::Full));
    candidates
}

fn nothing(headed: bool, surroundings: &Surroundings) -> BrowserError {
    let shells = if headed { &[] } else { HEADLESS_SHELLS };
    let names = shells.iter().chain(BROWSERS).map(ToString::to_string).collect();
    let installed = surroundings.cache.iter().map(|cache| cache.join("chrome").display().to_string());
    let programs = surroundings.program_folders().map(|folder| folder.display().to_string());
    let usual = surroundings.applications.iter().filter(|folder| folder.parent().is_some());
    let usual = usual.map(|folder| folder.display().to_string());
    let mut places: Vec<String> = installed.chain(programs).chain(usual).collect();
    if surroundings.applications.iter().any(|folder| folder.parent().is_none()) {
        places.extend(["/opt", "/usr/bin", "/usr/lib", "/snap/bin"].map(str::to_owned));
    }
    let mut seen = std::collections::HashSet::new();
    places.retain(|place| seen.insert(place.clone()));
    BrowserError::NotFound { names, places }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    struct Machine {
        folder: tempfile::TempDir,
        surroundings: Surroundings,
    }

    impl Machine {
        fn new() -> Machine {
            let folder = tempfile::tempdir().unwrap();
            let surroundings = Surroundings {
                path: Some(folder.path().join("bin").into()),
                cache: Some(folder.path().join("cache")),
                applications: vec![folder.path().join("root")],
                ..Surroundings::default()
            };
            Machine { folder, surroundings }
        }

        fn file(&self, name: &str, mode: u32) -> PathBuf {
            let path = self.folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        }

        fn program(&self, name: &str) -> PathBuf {
            self.file(name, 0o755)
        }

        fn find(&self, options: &LaunchOptions) -> Result<Found, BrowserError> {
            find_in(options, &self.surroundings)
        }
    }

    fn headed() -> LaunchOptions {
        LaunchOptions { headed: true, ..LaunchOptions::default() }
    }

    #[test]
    fn the_headless_shell_is_preferred_only_without_a_window() {
        let machine = Machine::new();
        let full = machine.program("bin/google-chrome");
        let shell = machine.program("bin/chromium-headless-shell");
        let found = machine.find(&LaunchOptions::default()).unwrap();
        assert_eq!((found.path, found.kind), (shell, Kind::HeadlessShell));
        let found = machine.find(&headed()).unwrap();
        assert_eq!((found.path, found.kind), (full, Kind::Full));
    }

    #[test]
    fn the_option_comes_before_the_variable_before_the_configuration() {
        let mut machine = Machine::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| machine.program(name));
        machine.program("bin/chromium");
        let mut options =
            LaunchOptions { program: Some(a.clone()), configured: Some(c.clone()), ..LaunchOptions::default() };
        machine.surroundings.chrome = Some(b.clone());
        assert_eq!(machine.find(&options).unwrap().path, a);
        options.program = None;
        assert_eq!(machine.find(&options).unwrap().path, b);
        machine.surroundings.chrome = None;
        assert_eq!(machine.find(&options).unwrap().path, c);
    }

    #[test]
    fn what_we_installed_comes_before_what_the_system_has_and_the_newest_first() {
        let machine = Machine::new();
        machine.program("bin/chrome-headless-shell");
        machine.program("cache/chrome/99.0.1.2/chrome-headless-shell-linux64/chrome-headless-shell");
        let newest = machine.program("cache/chrome/156.0.1.2/chrome-headless-shell-linux64/chrome-headless-shell");
        let found = machine.find(&LaunchOptions::default()).unwrap();
        assert_eq!(found.path, newest);
        assert_eq!(found.version.as_deref(), Some("156.0.1.2"));
    }

    #[test]
    fn a_place_off_the_path_is_searched() {
        let machine = Machine::new();
        let chrome = machine.program("root/opt/google/chrome/chrome");
        assert_eq!(machine.find(&LaunchOptions::default()).unwrap().path, chrome);
    }

    #[test]
    fn a_name_is_looked_up_on_the_path() {
        let machine = Machine::new();
        let mine = machine.program("bin/my-browser");
        let options = LaunchOptions { program: Some("my-browser".into()), ..LaunchOptions::default() };
        assert_eq!(machine.find(&options).unwrap().path, mine);
    }

    #[test]
    fn nothing_found_names_names_places_and_the_next_move() {
        let machine = Machine::new();
        machine.file("bin/chromium", 0o644);
        let message = machine.find(&LaunchOptions::default()).unwrap_err().to_string();
        let bin = machine.folder.path().join("bin").display().to_string();
        for part in [
            "chrome-headless-shell",
            "google-chrome",
            "chromium",
            "microsoft-edge",
            &bin,
            "playscript browser install",
            "PLAYSCRIPT_CHROME",
        ] {
            assert!(message.contains(part), "{part} is missing in: {message}");
        }
        let message = machine.find(&headed()).unwrap_err().to_string();
        assert!(!message.contains("headless"), "{message}");
    }

    #[test]
    fn the_headless_shell_is_not_taken_for_a_browser_with_windows() {
        let mut machine = Machine::new();
        machine.surroundings.chrome = Some(machine.program("chromium-headless-shell"));
        machine.find(&LaunchOptions::default()).unwrap();
        let message = machine.find(&headed()).unwrap_err().to_string();
        assert!(message.contains("PLAYSCRIPT_CHROME") && message.contains("no windows"), "{message}");
    }

    #[test]
    fn a_named_program_must_be_one() {
        let mut machine = Machine::new();
        machine.surroundings.chrome = Some("/nonexistent".into());
        let message = machine.find(&LaunchOptions::default()).unwrap_err().to_string();
        assert!(
            message.contains("PLAYSCRIPT_CHROME names /nonexistent") && message.contains("no such file"),
            "{message}"
        );

        machine.surroundings.chrome = Some(machine.file("plain", 0o644));
        let message = machine.find(&LaunchOptions::default()).unwrap_err().to_string();
        assert!(message.contains("not marked as executable"), "{message}");

        machine.surroundings.chrome = Some(machine.folder.path().to_owned());
        let message = machine.find(&LaunchOptions::default()).unwrap_err().to_string();
        assert!(message.contains("it is a folder"), "{message}");
    }
}
