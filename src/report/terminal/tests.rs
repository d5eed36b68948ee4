//! Whole runs of hand-made events, as they are read.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::InMemoryTerm;

use super::output::Output;
use super::progress::Progress;
use super::*;
use crate::report::Paint;
use crate::run::{Attempt, CaseEnded, CaseId, CaseTitle, Event, Play, RunEnded, RunStarted, Verdict};
use crate::scenario::{Detail, Diagnostic, Place, Source};

/// What was written, shared with the one who wrote it.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn told(look: Look, verbosity: Verbosity, events: &[Event]) -> String {
    let paper = Paper::default();
    let mut terminal = Terminal::to(paper.clone(), look, verbosity);
    for event in events {
        terminal.take(event);
    }
    let written = paper.0.lock().unwrap().clone();
    String::from_utf8(written).unwrap()
}

fn plain(events: &[Event]) -> String {
    told(Look::PLAIN, Verbosity::Normal, events)
}

fn started(cases: usize, workers: usize) -> Event {
    let browser = "Chromium 156 (headless shell)".to_owned();
    Event::RunStarted(RunStarted { cases, workers, browser, notices: vec![] })
}

fn title(file: &str, name: &str) -> Arc<CaseTitle> {
    Arc::new(CaseTitle { file: file.into(), name: name.into() })
}

fn begin(case: usize, title: &Arc<CaseTitle>) -> Event {
    Event::CaseStarted { case: CaseId(case), title: Arc::clone(title), attempt: 1 }
}

fn end(case: usize, title: &Arc<CaseTitle>, took: u64, verdict: Verdict) -> Event {
    let took = Duration::from_millis(took);
    let title = Arc::clone(title);
    Event::CaseEnded(Box::new(CaseEnded {
        case: CaseId(case),
        title,
        verdict,
        took,
        steps: 3,
        play: None,
        also: Vec::new(),
        earlier: Vec::new(),
        attempts: 1,
    }))
}

fn place(file: &str, text: &str, marked: &str) -> Place {
    let start = text.find(marked).unwrap();
    let source = Source::new(file, text);
    Place { source, range: start..start + marked.len() }
}

fn step(case: usize, what: &str) -> Event {
    Event::StepStarted { case: CaseId(case), what: what.into(), place: place("scenarios/login.yaml", LOGIN, "- click") }
}

fn step_ended(case: usize) -> Event {
    Event::StepEnded { case: CaseId(case), took: Duration::from_millis(30), passed: true }
}

const LOGIN: &str =
    "steps:\n  - open: /\n  - click: button \"Sign in\"\n  - assert-tree-contains: |\n      heading \"Welcome, Ada\"\n";

fn wrong_heading() -> Verdict {
    Verdict::Failed(Box::new(Diagnostic {
        title: "the page does not contain this line".into(),
        place: Some(place("scenarios/login.yaml", LOGIN, "heading \"Welcome, Ada\"")),
        label: "the name differs; nothing else does".into(),
        details: vec![
            Detail {
                title: "the page, nearest part, after 5 s".into(),
                text: "  main\n~   heading \"Welcome, Adam\" [level=1]".into(),
            },
            Detail { title: "again".into(), text: "playscript run scenarios/login.yaml".into() },
        ],
        next: None,
    }))
}

fn no_browser() -> Verdict {
    Verdict::Broken(Box::new(Diagnostic {
        title: "the browser went away".into(),
        place: None,
        label: String::new(),
        details: vec![Detail { title: "its last words".into(), text: "Trace/breakpoint trap".into() }],
        next: Some("run again with --verbose".into()),
    }))
}

fn totals(passed: usize, failed: usize) -> RunEnded {
    RunEnded { passed, failed, took: Duration::from_millis(4120), ..RunEnded::default() }
}

#[test]
fn a_run_that_passed() {
    let login = title("scenarios/login.yaml", "A visitor signs in");
    let todo = title("scenarios/todo.yaml", "A todo list keeps its promises [city=Oslo]");
    let events = [
        started(2, 1),
        begin(0, &login),
        end(0, &login, 310, Verdict::Passed),
        begin(1, &todo),
        end(1, &todo, 280, Verdict::Passed),
        Event::RunEnded(totals(2, 0)),
    ];
    insta::assert_snapshot!(plain(&events), @"
         2 scenarios, 1 worker, Chromium 156 (headless shell)
    PASS [  0.31s] login.yaml          A visitor signs in
    PASS [  0.28s] todo.yaml           A todo list keeps its promises [city=Oslo]
         2 passed in 4.1 s
    ");
}

#[test]
fn a_failure_is_one_line_when_it_happens_and_whole_at_the_end() {
    let login = title("scenarios/login.yaml", "A visitor signs in");
    let todo = title("scenarios/todo.yaml", "A todo list");
    let events = [
        started(2, 2),
        begin(0, &login),
        begin(1, &todo),
        end(0, &login, 5210, wrong_heading()),
        end(1, &todo, 280, Verdict::Passed),
        Event::RunEnded(totals(1, 1)),
    ];
    insta::assert_snapshot!(plain(&events), @r#"
         2 scenarios, 2 workers, Chromium 156 (headless shell)
    FAIL [  5.21s] login.yaml          A visitor signs in: the page does not contain this line
    PASS [  0.28s] todo.yaml           A todo list

    FAIL [  5.21s] scenarios/login.yaml  A visitor signs in
    error: the page does not contain this line
     --> scenarios/login.yaml:5:7
      |
    3 |   - click: button "Sign in"
    4 |   - assert-tree-contains: |
    5 |       heading "Welcome, Ada"
      |       ^^^^^^^^^^^^^^^^^^^^^^ the name differs; nothing else does
      |
      = the page, nearest part, after 5 s:
          main
        ~   heading "Welcome, Adam" [level=1]
      = again: playscript run scenarios/login.yaml

         1 passed, 1 failed in 4.1 s
    "#);
    // Quiet leaves out what went well, and nothing else.
    let quiet = told(Look::PLAIN, Verbosity::Quiet, &events);
    assert!(quiet.starts_with("FAIL"), "no blank line comes first");
    insta::assert_snapshot!(quiet, @r#"
    FAIL [  5.21s] scenarios/login.yaml  A visitor signs in
    error: the page does not contain this line
     --> scenarios/login.yaml:5:7
      |
    3 |   - click: button "Sign in"
    4 |   - assert-tree-contains: |
    5 |       heading "Welcome, Ada"
      |       ^^^^^^^^^^^^^^^^^^^^^^ the name differs; nothing else does
      |
      = the page, nearest part, after 5 s:
          main
        ~   heading "Welcome, Adam" [level=1]
      = again: playscript run scenarios/login.yaml

         1 passed, 1 failed in 4.1 s
    "#);
}

fn attempt(number: usize, took: u64, verdict: Verdict) -> Attempt {
    let Verdict::Failed(why) = verdict else { panic!("an attempt that did not fail") };
    Attempt { number, why, also: Vec::new(), took: Duration::from_millis(took) }
}

fn again(case: usize, title: &Arc<CaseTitle>, attempt: &Attempt) -> Event {
    Event::AttemptFailed { case: CaseId(case), title: Arc::clone(title), attempt: Box::new(attempt.clone()), of: 3 }
}

fn end_after(earlier: Vec<Attempt>, event: Event) -> Event {
    let Event::CaseEnded(ended) = event else { panic!("not an end") };
    Event::CaseEnded(Box::new(CaseEnded { earlier, attempts: 3, ..*ended }))
}

fn gone_astray() -> Verdict {
    Verdict::Failed(Box::new(Diagnostic::new("the page is gone astray")))
}

/// What passes in a retry, what fails in all, and what is stopped on its way.
fn retried() -> Vec<Event> {
    let login = title("scenarios/login.yaml", "A visitor signs in");
    let todo = title("scenarios/todo.yaml", "A todo list");
    let cart = title("scenarios/cart.yaml", "Prices");
    let of_login = attempt(1, 5210, wrong_heading());
    let mut second = attempt(2, 5220, wrong_heading());
    // Where its picture is, and how long it waited, is no other reason.
    second.why.details[0].title = "the page, nearest part, after 5.1 s".into();
    second.why.details.push(Detail { title: "picture".into(), text: "report/todo-attempt-2/step-3.png".into() });
    let of_todo = vec![attempt(1, 5210, wrong_heading()), second];
    let of_cart = attempt(1, 40, gone_astray());
    vec![
        started(3, 1),
        begin(0, &login),
        again(0, &login, &of_login),
        begin(1, &todo),
        again(1, &todo, &of_todo[0]),
        begin(2, &cart),
        again(2, &cart, &of_cart),
        begin(0, &login),
        end_after(vec![of_login], end(0, &login, 1020, Verdict::Flaky)),
        begin(1, &todo),
        again(1, &todo, &of_todo[1]),
        begin(1, &todo),
        end_after(of_todo, end(1, &todo, 300, gone_astray())),
        end_after(vec![of_cart], end(2, &cart, 0, Verdict::Interrupted)),
        Event::RunEnded(RunEnded { flaky: 1, flaky_fails: true, interrupted: 1, ..totals(0, 1) }),
    ]
}

#[test]
fn every_attempt_is_a_line_and_its_reason_is_told_at_the_end() {
    insta::assert_snapshot!(plain(&retried()), @r#"
         3 scenarios, 1 worker, Chromium 156 (headless shell)
    RETRY [ 5.21s] login.yaml          A visitor signs in (1 of 3): the page does not contain this line
    RETRY [ 5.21s] todo.yaml           A todo list (1 of 3): the page does not contain this line
    RETRY [ 0.04s] cart.yaml           Prices (1 of 3): the page is gone astray
    FLAKY [ 1.02s] login.yaml          A visitor signs in (2 of 3)
    RETRY [ 5.22s] todo.yaml           A todo list (2 of 3): the page does not contain this line
    FAIL [  0.30s] todo.yaml           A todo list (3 of 3): the page is gone astray
    STOP [  0.00s] cart.yaml           Prices (1 of 3)

    FLAKY [ 1.02s] scenarios/login.yaml  A visitor signs in (2 of 3)
    attempt 1:
    error: the page does not contain this line
     --> scenarios/login.yaml:5:7
      |
    3 |   - click: button "Sign in"
    4 |   - assert-tree-contains: |
    5 |       heading "Welcome, Ada"
      |       ^^^^^^^^^^^^^^^^^^^^^^ the name differs; nothing else does
      |
      = the page, nearest part, after 5 s:
          main
        ~   heading "Welcome, Adam" [level=1]
      = again: playscript run scenarios/login.yaml

    FAIL [  0.30s] scenarios/todo.yaml  A todo list (3 of 3)
    attempt 1, and the same in attempt 2:
    error: the page does not contain this line
     --> scenarios/login.yaml:5:7
      |
    3 |   - click: button "Sign in"
    4 |   - assert-tree-contains: |
    5 |       heading "Welcome, Ada"
      |       ^^^^^^^^^^^^^^^^^^^^^^ the name differs; nothing else does
      |
      = the page, nearest part, after 5 s:
          main
        ~   heading "Welcome, Adam" [level=1]
      = again: playscript run scenarios/login.yaml

    attempt 3:
    error: the page is gone astray

    STOP [  0.00s] scenarios/cart.yaml  Prices (1 of 3)
    attempt 1:
    error: the page is gone astray

         what is flaky fails this run, as `fail-on-flaky` says
         0 passed, 1 flaky, 1 failed, 1 interrupted in 4.1 s
    "#);
    // Quiet leaves out the lines, and no reason.
    let quiet = told(Look::PLAIN, Verbosity::Quiet, &retried());
    assert!(quiet.starts_with("FLAKY [ 1.02s] scenarios/login.yaml") && !quiet.contains("RETRY"), "{quiet}");
    let coloured = told(Look { paint: Paint::Coloured, ..Look::PLAIN }, Verbosity::Normal, &retried());
    assert_eq!(console::strip_ansi_codes(&coloured), plain(&retried()));
}

#[test]
fn what_is_to_be_retried_is_counted_on_the_screen() {
    let mut screen = Screen::new();
    for (events, foot) in [(0..7, "0 of 3, 3 to retry  "), (7..13, "2 of 3, 1 failed, 1 to retry  ")] {
        let mut shown = screen.show(&retried()[events]);
        // The screen is drawn so often a second and no more.
        let since = std::time::Instant::now();
        while !shown.lines().last().unwrap().trim_start().starts_with(foot) {
            assert!(since.elapsed() < Duration::from_secs(5), "{shown}");
            shown = screen.show(&[]);
        }
    }
}

#[test]
fn what_one_cause_broke_is_told_once() {
    let one = title("scenarios/one.yaml", "One");
    let two = title("scenarios/two.yaml", "Two");
    let three = title("scenarios/three.yaml", "Three");
    let events = [
        started(3, 2),
        begin(0, &one),
        begin(1, &two),
        end(1, &two, 1500, no_browser()),
        end(0, &one, 1510, no_browser()),
        end(2, &three, 0, Verdict::Skipped("needs a printer".into())),
        Event::RunEnded(RunEnded { broken: 2, skipped: 1, took: Duration::from_secs(65), ..RunEnded::default() }),
    ];
    insta::assert_snapshot!(plain(&events), @"
         3 scenarios, 2 workers, Chromium 156 (headless shell)
    BROKE [ 1.50s] two.yaml            Two: the browser went away
    BROKE [ 1.51s] one.yaml            One: the browser went away
    SKIP [      -] three.yaml          Three (needs a printer)

    BROKE [ 1.51s] scenarios/one.yaml  One
    BROKE [ 1.50s] scenarios/two.yaml  Two
    error: the browser went away
      = its last words: Trace/breakpoint trap
      = next: run again with --verbose

         0 passed, 2 broken, 1 skipped in 1 min 5 s
    ");
}

#[test]
fn an_interrupted_run_says_so() {
    let login = title("scenarios/login.yaml", "A visitor signs in");
    let todo = title("scenarios/todo.yaml", "A todo list");
    let events = [
        started(9, 2),
        begin(0, &login),
        begin(1, &todo),
        end(0, &login, 310, Verdict::Passed),
        end(1, &todo, 120, Verdict::Interrupted),
        // This one never began: it is counted, and needs no line.
        end(2, &title("scenarios/later.yaml", "Later"), 0, Verdict::Interrupted),
        Event::RunEnded(RunEnded { interrupted: 8, ..totals(1, 0) }),
    ];
    insta::assert_snapshot!(plain(&events), @"
         9 scenarios, 2 workers, Chromium 156 (headless shell)
    PASS [  0.31s] login.yaml          A visitor signs in
    STOP [  0.12s] todo.yaml           A todo list
         1 passed, 8 interrupted in 4.1 s
    ");
}

#[test]
fn notices_plays_and_snapshots() {
    let game = title("scenarios/2048.yaml", "The corner strategy");
    let play = Play {
        moves: 412,
        took: Duration::from_millis(4292),
        median: Duration::from_micros(6100),
        p95: Duration::from_micros(8900),
        readings: vec![("score".into(), "2012".into()), ("over".into(), "false".into())],
    };
    let ended = CaseEnded {
        case: CaseId(0),
        title: Arc::clone(&game),
        verdict: Verdict::Passed,
        took: Duration::from_millis(4800),
        steps: 1000,
        play: Some(play),
        also: Vec::new(),
        earlier: Vec::new(),
        attempts: 1,
    };
    let run = RunEnded {
        pending: vec!["snapshots/2048__end.snap.new".into()],
        unreferenced: ["a", "b"].map(|name| PathBuf::from(format!("snapshots/{name}.snap"))).to_vec(),
        ..totals(1, 0)
    };
    let events = [
        Event::RunStarted(RunStarted {
            cases: 1,
            workers: 1,
            browser: "Chromium 156".into(),
            notices: vec!["running as root: the sandbox is off".into()],
        }),
        begin(0, &game),
        Event::Notice { case: CaseId(0), text: "the dialog \"Leave?\" was dismissed".into() },
        Event::CaseEnded(Box::new(ended)),
        Event::RunEnded(run),
    ];
    insta::assert_snapshot!(plain(&events), @r#"
         1 scenario, 1 worker, Chromium 156
         running as root: the sandbox is off
    NOTE           2048.yaml           the dialog "Leave?" was dismissed
    PASS [  4.80s] 2048.yaml           The corner strategy
         412 moves, 96 a second, input to changed page 6 ms median, 9 ms 95th
         score 2012, over false

         1 snapshot waits for review:
           snapshots/2048__end.snap.new
         look and choose  playscript review
         keep all of it   INSTA_UPDATE=always playscript run

         2 stored snapshots that no scenario names any more:
           snapshots/a.snap
           snapshots/b.snap
         remove them  playscript run --unreferenced=delete

         1 passed in 4.1 s
    "#);
}

#[test]
fn the_summary_names_commands_that_work_here_and_why_a_run_ended_early() {
    let run = RunEnded {
        pending: vec!["snapshots/a__b.snap.new".into()],
        interrupted: 1,
        out_of_time: Some(Duration::from_secs(90)),
        ..totals(1, 0)
    };
    let commands = super::Commands { again: "playscript run a.yaml".to_owned() };
    let lines = super::lines::Writer::new(Look::PLAIN).summary(&run, &commands);
    insta::assert_snapshot!(lines.join("\n"), @r"
         1 snapshot waits for review:
           snapshots/a__b.snap.new
         look and choose  playscript review
         keep all of it   INSTA_UPDATE=always playscript run a.yaml

         the run's time was up after 1 min 30 s: raise --run-timeout, or run less
         1 passed, 1 interrupted in 4.1 s
    ");
}

#[test]
fn verbose_shows_steps_and_what_they_produced() {
    let login = title("scenarios/login.yaml", "A visitor signs in");
    let output = "RootWebArea \"Sign in\"\n  button \"Sign in\" [ref_1]\u{1b}[2J";
    let place = place("scenarios/login.yaml", LOGIN, "- open");
    let events = [
        begin(0, &login),
        Event::StepStarted { case: CaseId(0), what: "group \"enter\"".into(), place: place.clone() },
        step(0, "read"),
        Event::StepOutput { case: CaseId(0), verb: "read", text: output.into(), place },
        step_ended(0),
        Event::StepEnded { case: CaseId(0), took: Duration::from_millis(60), passed: false },
        // An end without a beginning must not take the report down.
        step_ended(0),
    ];
    insta::assert_snapshot!(told(Look::PLAIN, Verbosity::Verbose, &events), @r#"
         [  0.03s] login.yaml:3        read
              RootWebArea "Sign in"
                button "Sign in" [ref_1]\e[2J
    FAIL [  0.06s] login.yaml:2        group "enter"
    "#);
    assert_eq!(told(Look::PLAIN, Verbosity::Normal, &events), "");
}

#[test]
fn names_from_files_and_pages_do_not_drive_the_terminal() {
    let evil = title("scenarios/\u{1b}[2J.yaml", "\u{1b}]0;x\u{7}\nname");
    let events = [
        started(1, 1),
        begin(0, &evil),
        Event::Notice { case: CaseId(0), text: "\u{9b}2J\rnotice".into() },
        end(0, &evil, 1, Verdict::Skipped("\u{202e}why".into())),
    ];
    let text = told(Look::PLAIN, Verbosity::Verbose, &events);
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn lines_are_cut_to_a_terminal_and_whole_in_a_pipe() {
    let long = title("scenarios/a/very/long/way/down/to/the/scenario.yaml", &"long ".repeat(30));
    let events = [begin(0, &long), end(0, &long, 10, wrong_heading())];
    let narrow = told(Look { width: Some(60), ..Look::PLAIN }, Verbosity::Normal, &events);
    insta::assert_snapshot!(narrow, @"FAIL [  0.01s] …wn/to/the/scenario.yaml  long long long lon…");
    assert!(plain(&events).contains(&"long ".repeat(30)));
}

#[test]
fn colours_change_nothing_but_colour() {
    let login = title("scenarios/login.yaml", "A visitor signs in");
    let events = [
        started(1, 1),
        begin(0, &login),
        step(0, "click"),
        step_ended(0),
        end(0, &login, 1, wrong_heading()),
        Event::RunEnded(RunEnded { pending: vec!["a.snap.new".into()], ..totals(0, 1) }),
    ];
    let coloured = Look { paint: Paint::Coloured, ..Look::PLAIN };
    let coloured = told(coloured, Verbosity::Verbose, &events);
    assert!(coloured.contains("\u{1b}[31m"));
    assert_eq!(console::strip_ansi_codes(&coloured), told(Look::PLAIN, Verbosity::Verbose, &events));
}

/// A screen of 80 columns, with the moving part.
struct Screen {
    glass: InMemoryTerm,
    terminal: Terminal,
}

impl Screen {
    fn new() -> Self {
        let glass = InMemoryTerm::new(30, 80);
        let look = Look { paint: Paint::Plain, motion: Motion::Moving, width: Some(80) };
        let progress = Progress::new(glass.clone(), 255, look.paint, look.width);
        Self { terminal: Terminal::new(Output::Moving(progress), look, Verbosity::Normal), glass }
    }

    fn show(&mut self, events: &[Event]) -> String {
        for event in events {
            self.terminal.take(event);
        }
        self.terminal.tick();
        // Times of the foot depend on the clock: only their form is held.
        let text = regex::Regex::new(r"\d+\.\d s$").unwrap().replace_all(&self.glass.contents(), "0.0 s").into_owned();
        regex::Regex::new("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]").unwrap().replace_all(&text, "⠙").into_owned()
    }
}

#[test]
fn many_workers_each_have_a_line_that_tells_what_they_do() {
    let mut screen = Screen::new();
    let game = title("scenarios/2048.yaml", "The corner strategy");
    let frames = title("scenarios/frames.yaml", "Frames");
    let login = title("scenarios/login.yaml", "A visitor signs in");
    let readings = vec![("score".to_owned(), "1180".to_owned())];
    let middle = screen.show(&[
        started(3, 3),
        begin(0, &game),
        begin(1, &frames),
        begin(2, &login),
        step(0, "repeat until over"),
        step(0, "press ArrowDown"),
        Event::Moved { case: CaseId(0), moves: 412, readings },
        step_ended(0),
        step(0, "press ArrowLeft"),
        step(1, "click button \"Pay\""),
        end(2, &login, 310, Verdict::Passed),
    ]);
    insta::assert_snapshot!(middle, @r#"
         3 scenarios, 3 workers, Chromium 156 (headless shell)
    PASS [  0.31s] login.yaml          A visitor signs in
    ⠙ 2048.yaml           move 412  score 1180
    ⠙ frames.yaml         click button "Pay"
    ⠙
         1 of 3  0.0 s
    "#);
    // The worker that found nothing more to do gives its line back.
    screen.show(&[]);
    insta::assert_snapshot!(screen.show(&[]), @r#"
         3 scenarios, 3 workers, Chromium 156 (headless shell)
    PASS [  0.31s] login.yaml          A visitor signs in
    ⠙ 2048.yaml           move 412  score 1180
    ⠙ frames.yaml         click button "Pay"
         1 of 3  0.0 s
    "#);
    let last = screen.show(&[
        end(0, &game, 4800, Verdict::Passed),
        end(1, &frames, 900, wrong_heading()),
        Event::RunEnded(totals(2, 1)),
    ]);
    insta::assert_snapshot!(last, @r#"
         3 scenarios, 3 workers, Chromium 156 (headless shell)
    PASS [  0.31s] login.yaml          A visitor signs in
    PASS [  4.80s] 2048.yaml           The corner strategy
    FAIL [  0.90s] frames.yaml         Frames: the page does not contain this line

    FAIL [  0.90s] scenarios/frames.yaml  Frames
    error: the page does not contain this line
     --> scenarios/login.yaml:5:7
      |
    3 |   - click: button "Sign in"
    4 |   - assert-tree-contains: |
    5 |       heading "Welcome, Ada"
      |       ^^^^^^^^^^^^^^^^^^^^^^ the name differs; nothing else does
      |
      = the page, nearest part, after 5 s:
          main
        ~   heading "Welcome, Adam" [level=1]
      = again: playscript run scenarios/login.yaml

         2 passed, 1 failed in 0.0 s
    "#);
}

#[tokio::test]
async fn follow_ends_with_its_senders_and_hands_the_totals_back() {
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    sender.send(Event::RunEnded(totals(2, 1))).unwrap();
    drop(sender);
    let (_stop, stopped) = tokio::sync::watch::channel(false);
    let (ended, failure) = Terminal::to(io::sink(), Look::PLAIN, Verbosity::Quiet).follow(receiver, stopped).await;
    assert_eq!(ended.map(|ended| (ended.passed, ended.failed)), Some((2, 1)));
    assert!(failure.is_none());
}

#[tokio::test]
async fn a_stop_is_acknowledged_once() {
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let paper = Paper::default();
    let report = tokio::spawn(Terminal::to(paper.clone(), Look::PLAIN, Verbosity::Quiet).follow(receiver, stopped));
    stop.send(true).unwrap();
    // The report may also lose sight of the signals before the run ends.
    drop(stop);
    while paper.0.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    drop(sender);
    report.await.unwrap();
    let written = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    assert_eq!(written, "     stopping; once more to stop at once\n");
}

#[test]
fn a_failure_says_how_many_others_stand_beside_it() {
    let why = || Diagnostic::new("the text is another one than it should be");
    let ended = CaseEnded { also: vec![why(), why()], ..failed_once(why()) };
    let line = |look| told(look, Verbosity::Normal, &[Event::CaseEnded(Box::new(ended.clone()))]);
    assert!(line(Look::PLAIN).contains("than it should be (and 2 more)\n"), "{}", line(Look::PLAIN));
    let narrow = Look { width: Some(70), ..Look::PLAIN };
    let first = line(narrow).lines().next().unwrap_or_default().to_owned();
    assert!(first.ends_with("… (and 2 more)") && console::measure_text_width(&first) <= 70, "{first}");
}

fn failed_once(why: Diagnostic) -> CaseEnded {
    let title = Arc::new(CaseTitle { file: "login.yaml".into(), name: "A visitor signs in".into() });
    let verdict = Verdict::Failed(Box::new(why));
    let (took, also, earlier) = (Duration::from_millis(310), Vec::new(), Vec::new());
    CaseEnded { case: CaseId(0), title, verdict, took, steps: 3, play: None, also, earlier, attempts: 1 }
}
