//! Holding outlines against stored ones, on a real folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use playscript::outline::Outline;
use playscript::snapshot::{
    Change, Clash, Held, Key, Policy, Redaction, SnapshotError, Standing, Store, Taken, Taker, Update, accept, pending,
    reject, unreferenced,
};
use tempfile::TempDir;

const HOME: &str = "RootWebArea \"Home\"\n  main\n    heading \"Welcome, Ada\" [level=1]\n    link \"Sign out\"";
const HERE: Policy = Policy { update: Update::Auto, ci: false };
const SERVER: Policy = Policy { update: Update::Auto, ci: true };
const ALWAYS: Policy = Policy { update: Update::Always, ci: false };
const FORCE: Policy = Policy { update: Update::Force, ci: false };

fn project() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn store(project: &TempDir, policy: Policy) -> Store {
    Store::new(project.path(), policy)
}

/// Every file of the project with its bytes.
fn files(project: &TempDir) -> BTreeMap<String, String> {
    let walk = walkdir::WalkDir::new(project.path()).into_iter().map(Result::unwrap);
    walk.filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix(project.path()).unwrap().display().to_string();
            (name, std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

fn names(project: &TempDir) -> Vec<String> {
    files(project).into_keys().collect()
}

struct Step<'a> {
    scenario: &'a str,
    name: &'a str,
    line: u32,
    row: &'a str,
    redactions: &'a [Redaction],
}

const STEP: Step = Step { scenario: "scenarios/login.yaml", name: "home", line: 14, row: "", redactions: &[] };
const FILE: &str = "snapshots/login__home.snap";
const PENDING: &str = "snapshots/login__home.snap.new";

impl Step<'_> {
    fn on<T>(&self, text: &str, act: impl FnOnce(&Taken<'_>) -> T) -> T {
        let outline = Outline::parse(text).expect("an outline");
        act(&Taken { by: &self.taker(), outline: &outline, redactions: self.redactions })
    }

    fn taker(&self) -> Taker {
        Taker {
            key: Key::new(self.scenario, self.name),
            line: self.line,
            description: "A visitor signs in".to_owned(),
            row: self.row.to_owned(),
        }
    }

    fn hold(&self, store: &Store, text: &str) -> Result<Held, SnapshotError> {
        self.on(text, |taken| store.hold(taken))
    }

    fn standing(&self, store: &Store, text: &str) -> Standing {
        self.on(text, |taken| store.standing(taken)).unwrap()
    }
}

fn with_home(policy: Policy) -> (TempDir, Store) {
    let project = project();
    STEP.hold(&store(&project, ALWAYS), HOME).unwrap();
    let store = store(&project, policy);
    (project, store)
}

#[test]
fn a_first_run_writes_for_review_and_fails_until_it_is_accepted() {
    let project = project();
    let error = STEP.hold(&store(&project, HERE), HOME).unwrap_err();
    let SnapshotError::Missing { path, written } = &error else { panic!("{error:?}") };
    assert_eq!((path.as_path(), written.as_deref()), (Path::new(FILE), Ok(Path::new(PENDING))));
    assert!(error.next("playscript run a.yaml").contains(PENDING), "{}", error.next(""));
    assert!(error.next("playscript run a.yaml").ends_with("INSTA_UPDATE=always playscript run a.yaml"));
    assert_eq!(names(&project), [PENDING]);
    let expected = "---\nsource: scenarios/login.yaml\nassertion_line: 14\ndescription: A visitor signs in\nexpression: \"snapshot: home\"\n---\n";
    assert_eq!(files(&project)[PENDING], format!("{expected}{HOME}\n"));

    let waiting = pending(project.path()).unwrap().pop().unwrap().unwrap();
    assert_eq!(waiting.source, Some(("scenarios/login.yaml".to_owned(), Some(14))));
    assert!(matches!(&waiting.change, Change::Outline { new, stored: None } if new == HOME));
    assert_eq!(accept(&waiting.path).unwrap(), project.path().join(FILE));
    assert_eq!(names(&project), [FILE]);
    assert_eq!(STEP.hold(&store(&project, SERVER), HOME).unwrap(), Held::Matches);
    assert!(pending(project.path()).unwrap().is_empty());
}

#[test]
fn a_build_server_writes_nothing_and_fails() {
    for update in [Update::Auto, Update::Always, Update::Force, Update::No] {
        let policy = Policy { update, ci: true };
        let empty = project();
        let error = STEP.hold(&store(&empty, policy), HOME).unwrap_err();
        assert!(matches!(error, SnapshotError::Missing { written: Err(_), .. }), "{update}: {error:?}");
        assert!(names(&empty).is_empty() && !empty.path().join("snapshots").exists(), "{update}");

        let (project, store) = with_home(policy);
        let before = files(&project);
        let error = STEP.hold(&store, &HOME.replace("Ada", "Adam")).unwrap_err();
        assert!(matches!(error, SnapshotError::Differs { written: Err(_), .. }), "{update}: {error:?}");
        assert!(error.details()[0].1.contains("+     heading \"Welcome, Adam\" [level=1]"), "{:?}", error.details());
        assert_eq!(files(&project), before, "{update}");
    }
    // Only where it was said.
    let project = project();
    let policy = Policy { update: Update::New, ci: true };
    assert!(STEP.hold(&store(&project, policy), HOME).is_err());
    assert_eq!(names(&project), [PENDING]);
}

#[test]
fn every_mode_does_what_it_means_to_insta() {
    let changed = HOME.replace("Ada", "Bob");
    // What is there after a new one, and after a changed one.
    for (update, new, differs) in [
        (Update::Auto, &[PENDING][..], &[FILE, PENDING][..]),
        (Update::New, &[PENDING], &[FILE, PENDING]),
        (Update::Always, &[FILE], &[FILE]),
        (Update::Force, &[FILE], &[FILE]),
        (Update::Unseen, &[FILE], &[FILE, PENDING]),
        (Update::No, &[], &[FILE]),
    ] {
        let policy = Policy { update, ci: false };
        let empty = project();
        let held = STEP.hold(&store(&empty, policy), HOME);
        assert_eq!(names(&empty), new, "{update}");
        assert_eq!(held.ok(), new.contains(&FILE).then(|| Held::Created { path: FILE.into() }), "{update}");

        let (project, store) = with_home(policy);
        let held = STEP.hold(&store, &changed);
        assert_eq!(names(&project), differs, "{update}");
        let in_place = matches!(update, Update::Always | Update::Force);
        assert_eq!(held.ok(), in_place.then(|| Held::Updated { path: FILE.into() }), "{update}");
        assert_eq!(files(&project)[FILE].contains("Bob"), in_place, "{update}");
    }
}

#[test]
fn what_is_pending_goes_when_it_matches_again() {
    let (project, store) = with_home(HERE);
    assert!(STEP.hold(&store, &HOME.replace("Ada", "Bob")).is_err());
    assert_eq!(names(&project), [FILE, PENDING]);
    assert_eq!(STEP.hold(&store, HOME).unwrap(), Held::Matches);
    assert_eq!(names(&project), [FILE]);
    assert!(STEP.hold(&store, &HOME.replace("Ada", "Bob")).is_err());
    reject(&project.path().join(PENDING)).unwrap();
    assert_eq!(names(&project), [FILE]);
}

#[test]
fn asking_how_it_stands_writes_nothing() {
    let empty = project();
    assert_eq!(STEP.standing(&store(&empty, ALWAYS), HOME), Standing::Missing);
    assert!(names(&empty).is_empty());
    let (project, store) = with_home(ALWAYS);
    let before = files(&project);
    assert_eq!(STEP.standing(&store, &HOME.replace("Ada", "Bob")), Standing::Differs);
    assert_eq!(STEP.standing(&store, HOME), Standing::Matches);
    assert_eq!(files(&project), before);
}

#[test]
fn line_ends_pass_and_are_not_rewritten() {
    for policy in [HERE, SERVER, ALWAYS] {
        let (project, store) = with_home(policy);
        let crlf = files(&project)[FILE].replace('\n', "\r\n");
        std::fs::write(project.path().join(FILE), &crlf).unwrap();
        assert_eq!(STEP.hold(&store, HOME).unwrap(), Held::Matches);
        assert_eq!(files(&project)[FILE], crlf);
    }
    // `force` rewrites it once and is stable afterwards.
    let (project, store) = with_home(FORCE);
    let lf = files(&project)[FILE].clone();
    std::fs::write(project.path().join(FILE), lf.replace('\n', "\r\n")).unwrap();
    assert_eq!(STEP.hold(&store, HOME).unwrap(), Held::Updated { path: FILE.into() });
    assert_eq!(files(&project)[FILE], lf);
    assert_eq!(STEP.hold(&store, HOME).unwrap(), Held::Matches);
}

#[test]
fn a_hand_written_line_matches_and_survives_every_acceptance() {
    let (project, _) = with_home(HERE);
    let path = project.path().join(FILE);
    let edited = files(&project)[FILE].replace("heading \"Welcome, Ada\"", "heading /^Welcome, /");
    std::fs::write(&path, &edited).unwrap();
    for policy in [HERE, SERVER, ALWAYS] {
        assert_eq!(STEP.hold(&store(&project, policy), &HOME.replace("Ada", "Bob")).unwrap(), Held::Matches);
        assert_eq!(files(&project)[FILE], edited, "a match writes nothing");
    }
    assert_eq!(STEP.hold(&store(&project, FORCE), &HOME.replace("Ada", "Bob")).unwrap(), Held::Matches);
    assert_eq!(files(&project)[FILE], edited, "not even when forced");

    let changed =
        HOME.replace("Ada", "Eve").replace("    link \"Sign out\"", "    link \"Help\"\n    link \"Sign out\"");
    let error = STEP.hold(&store(&project, HERE), &changed).unwrap_err();
    let drawing = &error.details()[0].1;
    assert!(drawing.contains("+     link \"Help\"") && drawing.contains("      heading /^Welcome, /"), "{drawing}");
    assert!(!drawing.contains("Eve") && !drawing.contains("\n- "), "{drawing}");
    accept(&project.path().join(PENDING)).unwrap();
    assert!(
        files(&project)[FILE].contains("    heading /^Welcome, / [level=1]\n    link \"Help\"\n"),
        "{}",
        files(&project)[FILE]
    );
    assert_eq!(STEP.hold(&store(&project, SERVER), &changed).unwrap(), Held::Matches);

    STEP.hold(&store(&project, ALWAYS), &changed.replace("Help", "Hilfe")).unwrap();
    assert!(files(&project)[FILE].contains("/^Welcome, /") && files(&project)[FILE].contains("Hilfe"));
}

#[test]
fn a_hand_written_line_that_is_no_pattern_is_told() {
    let (project, store) = with_home(HERE);
    let edited = files(&project)[FILE].replace("heading \"Welcome, Ada\"", "heading /[/");
    std::fs::write(project.path().join(FILE), edited).unwrap();
    let error = STEP.hold(&store, HOME).unwrap_err();
    let SnapshotError::Differs { notes, .. } = &error else { panic!("{error:?}") };
    // Front matter of five lines, then the third line of the outline.
    assert!(notes.len() == 1 && notes[0].contains("line 8 "), "{notes:?}");
}

#[test]
fn a_stored_file_that_is_none_is_told_with_its_place_and_kept() {
    for policy in [HERE, SERVER, ALWAYS, FORCE] {
        let (project, store) = with_home(policy);
        std::fs::write(project.path().join(FILE), "<<<<<<< ours\n---\nsource: x\n").unwrap();
        let before = files(&project);
        let error = STEP.hold(&store, HOME).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{FILE}:1: ")), "{error}");
        assert_eq!(files(&project), before);
    }
}

#[test]
fn redactions_are_applied_before_storing_and_before_comparing() {
    let redactions = [
        Redaction::new(regex::Regex::new(r"\d{4}-\d\d-\d\d").unwrap(), "DATE"),
        Redaction::new(regex::Regex::new("secret (?<who>\\w+)").unwrap(), "${who}\n'"),
        Redaction::new(regex::Regex::new("^ +").unwrap(), ""),
    ];
    let step = Step { redactions: &redactions, ..STEP };
    let project = project();
    let page = "main\n  time \"2026-01-02\"\n  text \"secret Ada\"";
    step.hold(&store(&project, ALWAYS), page).unwrap();
    assert!(
        files(&project)[FILE].ends_with("---\nmain\n  time \"DATE\"\n  text \"Ada '\"\n"),
        "{}",
        files(&project)[FILE]
    );
    assert_eq!(step.hold(&store(&project, SERVER), &page.replace("2026-01-02", "2027-12-31")).unwrap(), Held::Matches);
    assert!(step.hold(&store(&project, SERVER), &page.replace("2026-01-02", "soon")).is_err());
}

#[test]
fn two_scenarios_of_one_name_are_kept_apart_and_two_steps_are_refused() {
    let project = project();
    let store = store(&project, ALWAYS);
    let (a, b) = (Step { scenario: "a/login.yaml", ..STEP }, Step { scenario: "b/login.yaml", ..STEP });
    a.hold(&store, HOME).unwrap();
    b.hold(&store, "main").unwrap();
    assert_eq!(names(&project), ["snapshots/a__login__home.snap", "snapshots/b__login__home.snap"]);
    // Again, as in a retry or a loop.
    assert_eq!(a.hold(&store, HOME).unwrap(), Held::Matches);
    for (other, both) in
        [(Step { line: 20, ..STEP }, [":14", ":20"]), (Step { name: "HOME", line: 30, ..STEP }, [":14", ":30"])]
    {
        STEP.hold(&store, HOME).unwrap();
        let before = files(&project);
        let error = other.hold(&store, "main").unwrap_err();
        assert!(matches!(error, SnapshotError::Clash(_)), "{error:?}");
        assert!(both.iter().all(|place| error.to_string().contains(place)), "{error}");
        assert_eq!(files(&project), before);
    }
}

#[test]
fn rows_may_share_a_snapshot_while_they_show_one_page() {
    let project = project();
    let (oslo, rome) = (Step { row: "city=Oslo", ..STEP }, Step { row: "city=Rome", ..STEP });
    let first = store(&project, ALWAYS);
    oslo.hold(&first, HOME).unwrap();
    assert_eq!(rome.hold(&first, HOME).unwrap(), Held::Matches);
    let error = rome.hold(&first, "main").unwrap_err();
    assert!(matches!(error, SnapshotError::Clash(Clash::TwoRows { .. })), "{error:?}");
    assert!(files(&project)[FILE].contains("Welcome"));
    // Each alone may change it in a run of its own.
    rome.hold(&store(&project, ALWAYS), "main").unwrap();
}

#[test]
fn what_no_scenario_names_any_more_is_listed_and_deleted() {
    let project = project();
    std::fs::create_dir_all(project.path().join("scenarios")).unwrap();
    for name in ["login.yaml", "todo.yaml"] {
        std::fs::write(project.path().join("scenarios").join(name), "").unwrap();
    }
    let before = store(&project, ALWAYS);
    let todo = Step { scenario: "scenarios/todo.yaml", ..STEP };
    for step in [
        STEP,
        Step { name: "old", line: 15, ..STEP },
        Step { name: "later", ..todo },
        Step { scenario: "scenarios/removed.yaml", ..STEP },
    ] {
        step.hold(&before, HOME).unwrap();
    }
    std::fs::write(project.path().join("snapshots/rust__test.snap"), "---\nsource: src/lib.rs\n---\nx\n").unwrap();
    std::fs::write(project.path().join("snapshots/broken.snap"), "?").unwrap();

    // Now `login` ran to its end and named `home` only; `todo` failed before it came to `later`.
    let now = store(&project, HERE);
    STEP.hold(&now, HOME).unwrap();
    let finished = [PathBuf::from("scenarios/login.yaml")];
    let list = unreferenced(project.path(), now.claims(), &finished).unwrap();
    let listed: Vec<_> =
        list.iter().map(|one| one.path.strip_prefix(project.path()).unwrap().display().to_string()).collect();
    assert_eq!(listed, ["snapshots/login__old.snap", "snapshots/removed__home.snap"]);
    for one in &list {
        one.delete().unwrap();
    }
    assert!(unreferenced(project.path(), now.claims(), &finished).unwrap().is_empty());
    assert!(names(&project).contains(&"snapshots/rust__test.snap".to_owned()));
    assert!(unreferenced(tempfile::tempdir().unwrap().path(), now.claims(), &finished).unwrap().is_empty());
}

#[test]
fn only_pending_files_are_accepted_and_rejected() {
    let (project, _) = with_home(HERE);
    for path in [FILE, "scenarios/login.yaml", "snapshots/none.snap.new"] {
        assert!(accept(&project.path().join(path)).is_err(), "{path}");
    }
    assert!(reject(&project.path().join(FILE)).is_err());
    std::fs::write(project.path().join(PENDING), "no front matter").unwrap();
    assert!(matches!(pending(project.path()).unwrap()[..], [Err(SnapshotError::Format(_))]));
    assert!(accept(&project.path().join(PENDING)).is_err());
    assert!(files(&project)[FILE].contains("Welcome"));
}

#[cfg(unix)]
#[test]
fn a_folder_that_can_not_be_written_is_an_error_that_names_the_file() {
    let project = project();
    std::fs::write(project.path().join("snapshots"), "a file where the folder belongs").unwrap();
    let error = STEP.hold(&store(&project, ALWAYS), HOME).unwrap_err();
    assert!(matches!(error, SnapshotError::Io { .. }), "{error:?}");
    assert!(error.to_string().contains(FILE), "{error}");
}
