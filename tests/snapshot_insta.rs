//! The files, in both directions, against insta itself and against `cargo insta`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use playscript::outline::Outline;
use playscript::snapshot::{
    Change, Held, Key, Picture, Policy, Store, Taken, TakenPicture, Taker, Tolerance, Update, accept, pending,
};

const PAGE: &str = "RootWebArea \"Home\"\n  heading \"say \\\"hi\\\" \\\\ ok\" [level=3]\n  link \"/api/v1/\"\n  link \"/[a/\"\n  button \"---\"\n  button \"grüße 東京\"";
const STEM: &str = "login__signed-in";

fn hold(project: &Path, update: Update, page: &str) -> Option<Held> {
    let outline = Outline::parse(page).expect("an outline");
    let taken = Taken { by: &taker(), outline: &outline, redactions: &[] };
    Store::new(project, Policy { update, ci: false }).hold(&taken).ok()
}

fn taker() -> Taker {
    let key = Key::new("scenarios/login.yaml", "signed-in");
    Taker { key, line: 9, description: "A visitor: signs in".to_owned(), row: String::new() }
}

fn file(project: &Path, end: &str) -> PathBuf {
    project.join("snapshots").join(format!("{STEM}{end}"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Not a test by itself: run by [`insta`] in a process of its own, as insta takes its settings from the environment, prints
/// and panics.
#[test]
#[ignore = "run by the other tests, with an environment of its own"]
fn insta_asserts() {
    // Asked for with `--include-ignored`, it has nothing to assert.
    let Ok(folder) = std::env::var("SNAPSHOTS") else { return };
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_description("By insta: itself");
    settings.bind(|| match (std::env::var("PAGE"), std::env::var_os("PICTURE")) {
        (_, Some(picture)) => {
            insta::assert_binary_snapshot!(&format!("{STEM}.png"), std::fs::read(picture).unwrap());
        }
        (Ok(page), None) => insta::assert_snapshot!(STEM, page),
        _ => panic!("nothing to assert"),
    });
}

/// Lets insta assert that a page is the snapshot; whether it was.
fn insta(project: &Path, update: &str, page: &str) -> bool {
    insta_with(project, update, "PAGE", page.as_ref())
}

fn insta_with(project: &Path, update: &str, variable: &str, value: &OsStr) -> bool {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "insta_asserts"])
        .env("SNAPSHOTS", project.join("snapshots"))
        .env(variable, value)
        .env("INSTA_WORKSPACE_ROOT", project)
        .env("INSTA_UPDATE", update)
        .env_remove("CI")
        .env_remove("TF_BUILD")
        .env_remove("INSTA_FORCE_PASS")
        .env_remove("INSTA_PENDING_DIR")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("running 1 test"), "{told}");
    output.status.success()
}

#[test]
fn insta_reads_what_we_write() {
    let project = tempfile::tempdir().unwrap();
    hold(project.path(), Update::Always, PAGE).unwrap();
    let snapshot = insta::Snapshot::from_file(&file(project.path(), ".snap")).unwrap();
    assert_eq!(snapshot.as_text().unwrap().to_string(), PAGE);
    assert_eq!(snapshot.snapshot_name(), Some("signed-in"));
    assert_eq!(snapshot.module_name(), "login");
    assert_eq!(snapshot.metadata().source(), Some("scenarios/login.yaml"));
    assert_eq!(snapshot.metadata().description(), Some("A visitor: signs in"));
    assert_eq!(snapshot.metadata().expression(), Some("snapshot: signed-in"));
    assert_eq!(snapshot.metadata().assertion_line(), None);

    assert!(hold(project.path(), Update::New, "main").is_none());
    let waiting = insta::Snapshot::from_file(&file(project.path(), ".snap.new")).unwrap();
    assert_eq!(waiting.metadata().assertion_line(), Some(9));
    assert_eq!(waiting.as_text().unwrap().to_string(), "main");
}

#[test]
fn insta_asserts_against_what_we_write() {
    let project = tempfile::tempdir().unwrap();
    hold(project.path(), Update::Always, PAGE).unwrap();
    assert!(insta(project.path(), "no", PAGE));
    assert!(!insta(project.path(), "no", "main"));
}

#[test]
fn we_hold_against_what_insta_writes() {
    let project = tempfile::tempdir().unwrap();
    assert!(insta(project.path(), "always", PAGE));
    assert_eq!(hold(project.path(), Update::No, PAGE), Some(Held::Matches));
    assert_eq!(hold(project.path(), Update::No, "main"), None);
}

#[test]
fn we_accept_what_insta_left_pending_as_insta_would() {
    let project = tempfile::tempdir().unwrap();
    assert!(!insta(project.path(), "new", PAGE));
    let waiting = pending(project.path()).unwrap().pop().unwrap().unwrap();
    assert!(matches!(&waiting.change, Change::Outline { new, .. } if new == PAGE));
    assert_eq!(waiting.description.as_deref(), Some("By insta: itself"));
    let by_insta = project.path().join("by-insta.snap");
    insta::Snapshot::from_file(&waiting.path).unwrap().save(&by_insta).unwrap();
    accept(&waiting.path).unwrap();
    assert_eq!(read(&file(project.path(), ".snap")), read(&by_insta));
    assert!(!waiting.path.exists());
}

/// A picture of one pixel.
fn picture(colour: [u8; 4]) -> Picture {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().write_image_data(&colour).unwrap();
    Picture::decode(&bytes).unwrap()
}

fn hold_picture(project: &Path, update: Update, picture: &Picture) -> Option<Held> {
    let taken = TakenPicture { by: &taker(), picture, tolerance: Tolerance::Pixels(0) };
    Store::new(project, Policy { update, ci: false }).hold_picture(&taken).ok()
}

#[test]
fn a_picture_is_one_of_instas_binary_snapshots() {
    let (red, blue) = (picture([255, 0, 0, 255]), picture([0, 0, 255, 255]));
    let bytes = red.encode().unwrap();

    let ours = tempfile::tempdir().unwrap();
    hold_picture(ours.path(), Update::Always, &red).unwrap();
    let snapshot = insta::Snapshot::from_file(&file(ours.path(), ".snap")).unwrap();
    assert_eq!(snapshot.metadata().expression(), Some("look: { snapshot: signed-in }"));
    assert!(snapshot.as_text().is_none());
    assert!(insta_with(ours.path(), "no", "PICTURE", file(ours.path(), ".snap.png").as_ref()));
    assert!(hold_picture(ours.path(), Update::New, &blue).is_none());
    assert!(!insta_with(ours.path(), "no", "PICTURE", file(ours.path(), ".snap.new.png").as_ref()));

    let theirs = tempfile::tempdir().unwrap();
    let png = theirs.path().join("red.png");
    std::fs::write(&png, bytes).unwrap();
    assert!(!insta_with(theirs.path(), "new", "PICTURE", png.as_ref()));
    let waiting = pending(theirs.path()).unwrap().pop().unwrap().unwrap();
    assert!(matches!(&waiting.change, Change::Picture { stored: None, .. }));
    accept(&waiting.path).unwrap();
    assert_eq!(hold_picture(theirs.path(), Update::No, &red), Some(Held::Matches));
    assert_eq!(hold_picture(theirs.path(), Update::No, &blue), None);
    let mut left: Vec<_> =
        std::fs::read_dir(theirs.path().join("snapshots")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, [format!("{STEM}.snap").as_str(), format!("{STEM}.snap.png").as_str()]);
}

/// `cargo insta`, if this machine has it. A test without it says so.
fn cargo_insta(test: &str) -> Option<PathBuf> {
    let program = std::env::var_os("CARGO_INSTA").map_or_else(|| PathBuf::from("cargo-insta"), PathBuf::from);
    match Command::new(&program).arg("--version").output() {
        Ok(output) if output.status.success() => Some(program),
        _ => {
            // Written past the test harness, which shows what tests print only when they fail.
            use std::io::Write;
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED {test}: cargo-insta is not installed (cargo install cargo-insta --version '~1.49', or set CARGO_INSTA)"
            );
            None
        }
    }
}

fn run(program: &Path, project: &Path, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(project).env_remove("CI").output().unwrap();
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {told}");
    told
}

#[test]
fn cargo_insta_lists_accepts_and_rejects_what_we_left_pending() {
    let Some(program) = cargo_insta("cargo_insta_lists_accepts_and_rejects_what_we_left_pending") else {
        return;
    };
    let project = tempfile::tempdir().unwrap();
    // It works in Cargo packages only.
    std::fs::create_dir(project.path().join("src")).unwrap();
    std::fs::write(project.path().join("src/lib.rs"), "").unwrap();
    std::fs::write(project.path().join("Cargo.toml"), "[package]\nname = \"pages\"\nedition = \"2021\"\n[workspace]\n")
        .unwrap();
    assert!(hold(project.path(), Update::Auto, PAGE).is_none());
    let listed = run(&program, project.path(), &["pending-snapshots"]);
    assert!(listed.contains(&format!("{STEM}.snap")), "{listed}");

    // Accepted by it and by us, the file is the same.
    let ours = tempfile::tempdir().unwrap();
    assert!(hold(ours.path(), Update::Auto, PAGE).is_none());
    accept(&file(ours.path(), ".snap.new")).unwrap();
    let told = run(&program, project.path(), &["accept"]);
    assert_eq!(read(&file(project.path(), ".snap")), read(&file(ours.path(), ".snap")), "{told}");
    assert!(!file(project.path(), ".snap.new").exists());
    assert_eq!(hold(project.path(), Update::No, PAGE), Some(Held::Matches));

    let before = read(&file(project.path(), ".snap"));
    assert!(hold(project.path(), Update::Auto, "main").is_none());
    assert!(file(project.path(), ".snap.new").exists());
    run(&program, project.path(), &["reject"]);
    assert!(!file(project.path(), ".snap.new").exists());
    assert_eq!(read(&file(project.path(), ".snap")), before);
}
