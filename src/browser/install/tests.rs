//! Installing from a server and by package managers that are ours.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashMap;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::index::{PROGRAM, platform};
use super::{InstallError, Installed, Progress, install_in, installed};
use crate::browser::{Kind, Surroundings};

const VERSION: &str = "999.1.2.3";
const INDEX: &str = "/chrome-for-testing/last-known-good-versions-with-downloads.json";
const ARCHIVE: &str = "/chrome-for-testing-public/999.1.2.3/shell.zip";
const BROWSER: &str = "#!/bin/sh\necho 'Pretended Chrome 999.1.2.3'\n";

/// An answer of the server.
#[derive(Clone)]
struct Answer {
    status: u16,
    hash: Option<String>,
    body: Vec<u8>,
    /// How many bytes it says the body has.
    length: usize,
}

impl Answer {
    fn ok(body: Vec<u8>) -> Answer {
        Answer { status: 200, hash: None, length: body.len(), body }
    }
}

/// A server with these files, and a machine that knows of nothing else.
struct World {
    folder: tempfile::TempDir,
    asked: Arc<Mutex<Vec<String>>>,
    files: Arc<Mutex<HashMap<String, Answer>>>,
    surroundings: Surroundings,
    told: Vec<Progress>,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let surroundings = Surroundings {
            path: Some(folder.path().join("bin").into()),
            cache: Some(folder.path().join("cache")),
            download_host: Some(format!("http://{}", listener.local_addr().unwrap())),
            ..Surroundings::default()
        };
        let files = Arc::new(Mutex::new(HashMap::new()));
        let asked = Arc::new(Mutex::new(Vec::new()));
        serve(listener, Arc::clone(&files), Arc::clone(&asked));
        World { folder, asked, files, surroundings, told: Vec::new() }
    }

    /// One that has Chrome for Testing for this system, in this archive.
    fn with_archive(archive: Vec<u8>) -> World {
        let world = World::new();
        let download = format!("https://storage.example{ARCHIVE}");
        let index = serde_json::json!({"channels": {
            "Beta": {"version": "1000.0.0.0", "downloads": {}},
            "Stable": {"version": VERSION, "revision": "1", "downloads": {
                "chrome": [{"platform": platform(), "url": "https://storage.example/wrong"}],
                "chrome-headless-shell": [
                    {"platform": "other", "url": "https://storage.example/wrong"},
                    {"platform": platform(), "url": download},
                ],
            }},
        }});
        world.put(INDEX, Answer::ok(index.to_string().into_bytes()));
        let md5 = STANDARD.encode(Md5::digest(&archive));
        world.put(ARCHIVE, Answer { hash: Some(format!("md5={md5}")), ..Answer::ok(archive) });
        world
    }

    fn put(&self, path: &str, answer: Answer) {
        self.files.lock().unwrap().insert(path.to_owned(), answer);
    }

    fn change(&self, path: &str, change: impl FnOnce(&mut Answer)) {
        change(self.files.lock().unwrap().get_mut(path).unwrap());
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.folder.path().join("bin").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A package manager that writes down what it is asked and has these packages.
    fn package_manager(&self, name: &str, packages: &[&str]) {
        let folder = self.folder.path().display();
        let packages = packages.join(" ");
        self.program(
            name,
            &format!(
                "#!/bin/sh\nPATH=/usr/bin:/bin\necho \"$DEBIAN_FRONTEND $0 $*\" >>{folder}/log\n\
                 echo reading lists\necho on the other output >&2\n\
                 for word in \"$@\"; do last=$word; done\n\
                 case $last in update) exit 100 ;; esac\n\
                 for package in {packages}; do\n\
                   if [ \"$package\" = \"$last\" ]; then\n\
                     printf '#!/bin/sh\\necho \"Packaged %s 998\"\\n' \"$last\" >{folder}/bin/\"$last\"\n\
                     chmod +x {folder}/bin/\"$last\"; exit 0\n\
                   fi\n\
                 done\necho \"Unable to locate package $last\"; exit 100\n"
            ),
        );
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    fn install(&mut self, root: bool) -> Result<Installed, InstallError> {
        let told = &mut self.told;
        install_in(&self.surroundings, root, &mut |progress| {
            told.push(progress);
        })
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache/chrome")
    }

    /// Everything in the cache; nothing half done may stay.
    fn cached(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.cache()) else {
            return Vec::new();
        };
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

fn serve(listener: TcpListener, files: Arc<Mutex<HashMap<String, Answer>>>, asked: Arc<Mutex<Vec<String>>>) {
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let mut request = Vec::new();
            let mut chunk = [0; 4096];
            while !request.windows(4).any(|window| window == b"\r\n\r\n") {
                match socket.read(&mut chunk) {
                    Ok(length @ 1..) => request.extend_from_slice(&chunk[..length]),
                    _ => break,
                }
            }
            let request = String::from_utf8_lossy(&request).into_owned();
            let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
            asked.lock().unwrap().push(path.clone());
            let missing = Answer { status: 404, ..Answer::ok(Vec::new()) };
            let answer = files.lock().unwrap().get(&path).cloned().unwrap_or(missing);
            let hash = answer.hash.map(|hash| format!("x-goog-hash: {hash}\r\n")).unwrap_or_default();
            let head = format!(
                "HTTP/1.1 {} X\r\nContent-Length: {}\r\n{hash}Connection: close\r\n\r\n",
                answer.status, answer.length
            );
            let _ = socket.write_all(head.as_bytes());
            let _ = socket.write_all(&answer.body);
        }
    });
}

/// An archive of these entries: name, mode, text.
fn archive(entries: &[(&str, u32, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, mode, text) in entries {
        writer.start_file(*name, SimpleFileOptions::default().unix_permissions(*mode)).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn good_archive() -> Vec<u8> {
    let program = format!("shell/{PROGRAM}");
    archive(&[("shell/LICENSE", 0o644, "text"), (&program, 0o4777, BROWSER), ("shell/locales/en.pak", 0o600, "x")])
}

#[test]
fn a_download_is_checked_unpacked_proven_and_found_again() {
    let mut world = World::with_archive(good_archive());
    let done = world.install(true).unwrap();
    assert_eq!(done.version, "Pretended Chrome 999.1.2.3");
    assert_eq!((done.browser.kind, done.browser.version.as_deref()), (Kind::HeadlessShell, Some(VERSION)));
    assert_eq!(done.browser.path, world.cache().join(VERSION).join("shell").join(PROGRAM));
    let mode = |name: &str| fs::metadata(done.browser.path.with_file_name(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode(PROGRAM), mode("LICENSE")), (0o755, 0o644));
    assert_eq!(world.cached(), [VERSION]);
    assert_eq!(installed(&world.surroundings), [done.browser]);
    let size = good_archive().len() as u64;
    assert!(world.told.contains(&Progress::Downloaded { bytes: size, total: Some(size) }), "{:?}", world.told);

    world.install(true).unwrap();
    assert_eq!(*world.asked.lock().unwrap(), [INDEX, ARCHIVE, INDEX], "it is fetched once");

    // One that does not start any more is replaced.
    fs::write(world.cache().join(VERSION).join("shell").join(PROGRAM), "#!/bin/sh\nexit 1\n").unwrap();
    world.install(true).unwrap();
    assert_eq!(world.asked.lock().unwrap().len(), 5);
    assert_eq!(world.cached(), [VERSION]);
}

#[test]
fn a_wrong_checksum_is_refused() {
    let mut world = World::with_archive(good_archive());
    world.package_manager("apt-get", &["chromium"]);
    world.change(ARCHIVE, |answer| answer.body[50] ^= 1);
    let error = world.install(true).unwrap_err();
    assert!(matches!(&error, InstallError::WrongChecksum { kind: "MD5", .. }), "{error}");
    assert!(error.to_string().contains("nothing was installed"), "{error}");
    assert!(world.cached().is_empty(), "{:?}", world.cached());
    assert_eq!(world.log(), "", "no package is installed behind its back");
}

#[test]
fn without_a_checksum_the_archives_own_are_left() {
    let mut world = World::with_archive(good_archive());
    world.change(ARCHIVE, |answer| answer.hash = None);
    world.install(true).unwrap();
    assert!(
        world.told.iter().any(|told| matches!(told, Progress::Step(step) if step.contains("announces no checksum")))
    );

    let mut world = World::with_archive(good_archive());
    let stored = archive(&[(&format!("shell/{PROGRAM}"), 0o755, &BROWSER.repeat(50))]);
    world.change(ARCHIVE, |answer| {
        *answer = Answer::ok(stored);
        answer.body[60] ^= 0x55;
    });
    let error = world.install(true).unwrap_err();
    assert!(matches!(error, InstallError::BadArchive { .. }), "{error}");
    assert!(world.cached().is_empty());
}

#[test]
fn a_download_that_is_cut_off_installs_nothing() {
    let mut world = World::with_archive(good_archive());
    world.change(ARCHIVE, |answer| answer.body.truncate(100));
    let error = world.install(true).unwrap_err();
    let InstallError::Neither { download, packages } = &error else { panic!("{error}") };
    assert!(matches!(**download, InstallError::OutOfReach { .. }), "{download}");
    assert!(matches!(**packages, InstallError::NoPackageManager(_)), "{packages}");
    assert!(world.cached().is_empty(), "{:?}", world.cached());
}

#[test]
fn archives_that_mean_harm_touch_nothing_outside() {
    let program = format!("shell/{PROGRAM}");
    let mut link = ZipWriter::new(Cursor::new(Vec::new()));
    link.add_symlink("shell", "/tmp", SimpleFileOptions::default()).unwrap();
    let link = link.finish().unwrap().into_inner();
    let with = |name: &str| archive(&[(name, 0o755, "evil"), (&program, 0o755, BROWSER)]);
    for (bad, reason) in [
        (with("../../evil"), "outside"),
        (with("shell/../../evil"), "outside"),
        (with("/evil"), "outside"),
        (with("..\\evil"), "outside"),
        (with("C:\\evil"), "outside"),
        (link, "link"),
        (b"no archive at all".to_vec(), ""),
        (archive(&[("shell/other", 0o755, "x")]), "no headless shell"),
    ] {
        let mut world = World::with_archive(bad);
        let error = world.install(true).unwrap_err();
        assert!(matches!(&error, InstallError::BadArchive { .. }), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
        assert!(world.cached().is_empty(), "{:?}", world.cached());
        assert!(!world.folder.path().join("cache/evil").exists() && !world.folder.path().join("evil").exists());
    }
}

#[test]
fn lists_that_cannot_be_used_say_so() {
    let evil = r#"{"channels":{"Stable":{"version":"../../evil","downloads":{}}}}"#;
    for (index, reason) in [
        ("no list", "expected"),
        (r#"{"channels":{}}"#, "no Stable channel"),
        (r#"{"channels":{"Stable":{"version":"1.2"}}}"#, "no chrome-headless-shell for"),
        (evil, "no version"),
    ] {
        let mut world = World::new();
        world.put(INDEX, Answer::ok(index.as_bytes().to_vec()));
        let error = world.install(true).unwrap_err();
        assert!(matches!(&error, InstallError::BadIndex { .. }), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn out_of_reach_the_package_manager_is_asked_and_heard() {
    let mut world = World::new();
    world.package_manager("apt-get", &["chromium-headless-shell", "chromium"]);
    let done = world.install(true).unwrap();
    assert_eq!(done.version, "Packaged chromium-headless-shell 998");
    assert_eq!(done.browser.kind, Kind::HeadlessShell);
    let apt = world.folder.path().join("bin/apt-get").display().to_string();
    let log = world.log();
    let lines: Vec<&str> = log.lines().collect();
    let install = format!("noninteractive {apt} install --yes --no-install-recommends chromium-headless-shell");
    assert_eq!(lines, [&format!("noninteractive {apt} update"), &install]);
    for line in ["reading lists", "on the other output"] {
        assert!(world.told.contains(&Progress::Output(line.to_owned())), "{:?}", world.told);
    }
    assert!(world.told.iter().any(|told| matches!(told, Progress::Step(step) if step.contains("status 404"))));
}

#[test]
fn the_second_package_does_when_the_first_is_unknown() {
    let mut world = World::new();
    world.package_manager("apk", &["chromium"]);
    let done = world.install(true).unwrap();
    assert_eq!((done.version.as_str(), done.browser.kind), ("Packaged chromium 998", Kind::Full));
}

#[test]
fn a_download_that_does_not_start_gives_way_to_a_package() {
    let program = format!("shell/{PROGRAM}");
    let broken = "#!/bin/sh\necho 'error while loading shared libraries: libnss3.so' >&2\nexit 127\n";
    let mut world = World::with_archive(archive(&[(&program, 0o755, broken)]));
    world.package_manager("dnf", &["chromium-headless"]);
    let error = world.install(true).unwrap_err().to_string();
    assert!(error.contains("no browser was found"), "{error}");
    assert!(world.cached().is_empty());

    let mut world = World::with_archive(archive(&[(&program, 0o755, broken)]));
    world.package_manager("pacman", &["chromium"]);
    assert_eq!(world.install(true).unwrap().version, "Packaged chromium 998");
    assert!(world.told.iter().any(|told| matches!(told, Progress::Step(step) if step.contains("libnss3.so"))));
}

#[test]
fn without_the_rights_of_root_sudo_is_used_only_if_it_does_not_ask() {
    let mut world = World::new();
    world.package_manager("apt-get", &["chromium"]);
    let error = world.install(false).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("sudo apt-get install --yes --no-install-recommends chromium"), "{message}");
    assert_eq!(world.log(), "");

    world.program("sudo", "#!/bin/sh\nexit 1\n");
    assert!(world.install(false).is_err());
    assert_eq!(world.log(), "");

    world.program("sudo", "#!/bin/sh\n[ \"$1\" = -n ] || exit 1\nshift\n[ \"$1\" = true ] || exec \"$@\"\n");
    assert_eq!(world.install(false).unwrap().version, "Packaged chromium 998");
}

#[test]
fn when_both_ways_fail_both_reasons_are_told() {
    let mut world = World::new();
    world.package_manager("apt-get", &[]);
    let message = world.install(true).unwrap_err().to_string();
    for part in ["by download", "status 404", "by the system's packages", "Unable to locate package chromium", "100"] {
        assert!(message.contains(part), "{part} is missing in: {message}");
    }
}
