//! The user's own application: started once, waited for, kept an eye on, and ended with all of its processes.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::net::TcpListener;
use std::process::Child;
use std::time::Duration;

use common::{Project, Ran, is_alive, signal, until};

const LONG: Duration = Duration::from_secs(30);

/// Goes on once a step has taken this picture.
const UNTIL_UP: &str = "until [ -e up.png ]; do sleep 0.02; done";

fn project() -> Project {
    let project = Project::new();
    project.write("site/index.html", "<!doctype html><link rel=icon href=\"data:,\"><title>Shop</title><h1>Shop</h1>");
    project
}

/// A scenario about an application that a shell starts at a free port.
fn scenario(start: &str, more: &str, steps: &str) -> String {
    format!(
        "app:\n  start: |\n    {}\n  url: http://127.0.0.1:0\n{more}\nsteps:\n  - open: /\n{steps}",
        start.replace('\n', "\n    ")
    )
}

/// The numbers that the application has written, one a line, once there are so many.
fn numbers(project: &Project, count: usize) -> Vec<u32> {
    let read = || -> Vec<u32> {
        let text = fs::read_to_string(project.folder().join("numbers")).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    };
    until("the application has written its numbers", LONG, || read().len() == count);
    read()
}

fn strike(child: &Child, name: &str) {
    signal::send(name, &child.id().to_string());
}

fn alive(numbers: &[u32]) -> Vec<u32> {
    numbers.iter().copied().filter(|number| is_alive(*number)).collect()
}

/// An application of three processes: a shell, a server, and one that has left for a session of its own.
const THREE: &str = "setsid sh -c 'echo $$ >>numbers; exec sleep 600' &\necho $$ >>numbers\nplayscript serve site &\necho $! >>numbers\nwait";

#[test]
fn scenarios_that_say_the_same_share_one_application() {
    let project = project();
    let text = scenario("echo started >>started\nexec playscript serve site", "", "  - assert-title: Shop\n");
    project.write("a.yaml", &text).write("b.yaml", &text).write("c.yaml", &text);
    let other = text.replace("  url:", "  env: { COLOUR: green }\n  url:");
    project.run(&["run", "--workers", "2", "a.yaml", "b.yaml", "c.yaml"]).expect_code(0).expect_words(&["3 passed"]);
    assert_eq!(fs::read_to_string(project.folder().join("started")).unwrap(), "started\n");
    project.write("c.yaml", &other);
    project.run(&["run", "--workers", "2", "a.yaml", "b.yaml", "c.yaml"]).expect_code(0);
    assert_eq!(fs::read_to_string(project.folder().join("started")).unwrap(), "started\n".repeat(3));
}

#[test]
fn its_folder_its_environment_and_its_arguments_are_as_written() {
    let project = project();
    project.write(
        "scenarios/a.yaml",
        r#"
app:
  start: [sh, -c, 'echo "$1 $GREETING" >seen; exec playscript serve "$2"', sh, a  b, .]
  in: ../site
  env: { GREETING: good  day }
  url: http://localhost:0
fail-on: [outside-requests]
steps:
  - open: /
  - assert-title: Shop
  - assert: base ~ '/' == url
  - assert-url: /
"#,
    );
    project.run(&["run"]).expect_code(0);
    assert_eq!(fs::read_to_string(project.folder().join("site/seen")).unwrap(), "a  b good  day\n");
}

#[test]
fn the_projects_application_is_for_scenarios_without_pages() {
    let project = project();
    project.write(
        "playscript.yaml",
        "app:\n  start: echo started >>started; exec playscript serve site\n  url: http://127.0.0.1:0\n  ready-within: 90s\n",
    );
    project.write(
        "scenarios/own.yaml",
        "pages: { /: '<title>Own</title>' }\nsteps:\n  - open: /\n  - assert-title: Own\n",
    );
    project.run(&["run"]).expect_code(0);
    assert!(!project.folder().join("started").exists(), "it was started for nothing");
    project.write("scenarios/shop.yaml", "steps:\n  - open: /\n  - assert-title: Shop\n");
    project.run(&["run"]).expect_code(0).expect_words(&["2 passed"]);
    let config = project.run(&["config"]).expect_code(0).out;
    for words in [["app.ready-within", "90s", "playscript.yaml:2"], ["app.reuse", "false", "playscript.yaml:2"]] {
        let line = config.lines().find(|line| line.starts_with(words[0])).unwrap();
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), words);
    }
}

#[test]
fn what_it_says_during_a_scenario_stands_with_the_failure_and_in_the_log() {
    let project = project();
    // Whether its address is said before or after the first answer is anybody's guess.
    let start =
        format!("echo early\nplayscript serve site >/dev/null &\n{UNTIL_UP}\necho \"the key is $KEY\" >&2\nwait");
    let steps = "  - look: { path: up.png }\n  - assert-tree-contains: heading \"Never\"\n    timeout: 2s\n";
    project.write("a.yaml", &scenario(&start, "  log: logs/app.log\nsecrets: [KEY]", steps));
    let ran = Ran::of(&project.command(&["run", "a.yaml"]).env("KEY", "hunter2").output().unwrap()).expect_code(1);
    let told = ran.all();
    assert!(told.contains("= the application said: the key is •••\n"), "{told}");
    assert!(!told.contains("early") && !told.contains("hunter2"), "{told}");
    let log = fs::read_to_string(project.folder().join("logs/app.log")).unwrap();
    assert_eq!(log, "early\nthe key is •••\n");
}

#[test]
fn a_port_that_is_taken_is_told_at_once() {
    let project = project();
    let stranger = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = stranger.local_addr().unwrap().port();
    let text = scenario("touch started", "", "").replace("127.0.0.1:0", &format!("127.0.0.1:{port}"));
    project.write("a.yaml", &text);
    let ran = project.run(&["run", "a.yaml"]).expect_code(3);
    ran.expect_words(&[&format!("port {port} is taken"), " --> a.yaml:4:8", "`reuse: true`", "port 0"]);
    assert!(!project.folder().join("started").exists());
}

#[test]
fn another_application_of_the_run_at_the_same_port_is_named() {
    let project = project();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let start = format!("exec playscript serve site --port {port}");
    let text = scenario(&start, "", "").replace("127.0.0.1:0", &format!("127.0.0.1:{port}"));
    project.write("a.yaml", &text).write("b.yaml", &text.replace("exec playscript", "exec  playscript"));
    let ran = project.run(&["run", "--workers", "1", "a.yaml", "b.yaml"]).expect_code(3);
    ran.expect_words(&["1 passed, 1 broken", "by another application of this run", "the other: a.yaml:4:8"]);
}

#[test]
fn one_that_runs_already_is_used_where_that_is_wanted_and_left_running() {
    let project = project();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let reuse = format!("app: {{ start: touch started, url: \"{url}\", reuse: true }}\nsteps:\n  - open: /\n");
    let mut server = project.spawn(&["serve", "site", "--port", &port.to_string()]);
    until("it listens", LONG, || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    project.write("a.yaml", &reuse).write("b.yaml", &format!("app: {{ url: \"{url}\" }}\nsteps:\n  - open: /\n"));
    let ran = project.run(&["run", "--verbose", "a.yaml", "b.yaml"]).expect_code(0);
    ran.expect_words(&["2 passed", "already is used"]);
    assert!(!project.folder().join("started").exists() && server.try_wait().unwrap().is_none());
    strike(&server, "-TERM");
    assert_eq!(server.wait().unwrap().code(), Some(0));
    let text = format!("app: {{ url: \"{url}\", ready-within: 200ms }}\nsteps:\n  - open: /\n");
    let ran = project.write("b.yaml", &text).run(&["run", "b.yaml"]).expect_code(3);
    ran.expect_words(&["did not answer within 200 ms", "seen last: connection refused", "`start: npm run dev`"]);
}

#[test]
fn one_that_ends_before_it_answers_is_told_at_once_and_at_length_once() {
    let project = project();
    let text = scenario("echo compiling\necho \"no such module: cart\" >&2\nexit 3", "  ready-within: 10m", "");
    project.write("a.yaml", &text).write("b.yaml", &text);
    let told = project.run(&["run", "--workers", "1", "a.yaml", "b.yaml"]).expect_code(3).expect_words(&[
        "the application ended before it answered",
        "it exited with code 3, and never answered here",
        "compiling\n    no such module: cart",
        "next: run it by hand in ",
        ", line by line",
        "see what is told of it with the first scenario",
        "2 broken",
    ]);
    assert_eq!(told.all().matches("it said last").count(), 1, "{}", told.all());
    project.write("a.yaml", &scenario("true &", "", ""));
    project
        .run(&["run", "a.yaml"])
        .expect_code(3)
        .expect_words(&["it said last: nothing", "start it so that it stays"]);
    project.write("a.yaml", "app: { start: [no-such-program], url: 'http://127.0.0.1:0' }\nsteps:\n  - open: /\n");
    project.run(&["run", "a.yaml"]).expect_code(3).expect_words(&["can't be started: No such file or directory"]);
}

#[test]
fn one_that_never_answers_is_told_in_time_and_ended() {
    let project = project();
    let text = scenario("echo $$ >>numbers\necho waiting for nobody\nexec sleep 600", "  ready-within: 300ms", "");
    project.write("a.yaml", &text);
    let ran = project.run(&["run", "a.yaml"]).expect_code(3);
    ran.expect_words(&["did not answer within 300 ms", "it said last: waiting for nobody", "`ready-within: 2m`"]);
    assert_eq!(alive(&numbers(&project, 1)), [0; 0]);
}

#[test]
fn one_that_ends_in_mid_run_is_named_by_the_scenarios_that_fail_by_it() {
    let project = project();
    let start = format!("playscript serve site &\n{UNTIL_UP}\nkill $!\necho out of stock\nexit 7");
    let gone = "  - look: { path: up.png }\n  - script: \"for (;;) { try { await fetch('/') } catch { return 1 } }\"\n  - open: /\n";
    project.write("a.yaml", &scenario(&start, "", gone)).write("b.yaml", &scenario(&start, "", ""));
    let ran = project.run(&["run", "--workers", "1", "a.yaml", "b.yaml"]).expect_code(1);
    ran.expect_words(&[
        "2 failed",
        "= application:\n     it exited with code 7, and said last:\n     out of stock",
        "error: the application exited with code 7 while the run went on\n --> a.yaml:8:8",
    ]);
}

#[test]
fn what_it_keeps_in_a_browser_is_for_the_next_run_whatever_its_port() {
    let project = project();
    let keep = "  - script: \"localStorage.setItem('cart', 'tea')\"\n  - state: { save: kept.json }\n";
    project.write("a.yaml", &scenario("exec playscript serve site", "", keep));
    project.run(&["run", "a.yaml"]).expect_code(0);
    let load = scenario("exec playscript serve site", "", "  - assert-title: Shop\n");
    let load = load.replace("  - open: /\n", "  - state: { load: kept.json }\n  - open: /\n");
    let asked = "  - script: { run: \"return localStorage.getItem('cart')\", into: cart }\n  - assert: cart == 'tea'\n";
    project.write("b.yaml", &format!("{load}{asked}"));
    project.run(&["run", "b.yaml"]).expect_code(0);
}

#[test]
fn its_input_does_not_end_before_it_does() {
    let project = project();
    project.write(
        "a.yaml",
        &scenario("playscript serve site &\ncat\necho no more input\nexit 9", "", "  - assert-title: Shop\n"),
    );
    project.run(&["run", "a.yaml"]).expect_code(0);
}

#[test]
fn all_of_its_processes_end_with_the_run() {
    let project = project();
    project.write("a.yaml", &scenario(THREE, "", ""));
    project.run(&["run", "a.yaml"]).expect_code(0);
    // Nothing is left once the program has ended.
    assert_eq!(alive(&numbers(&project, 3)), [0; 0]);
}

#[test]
fn one_that_does_not_want_to_end_is_ended() {
    let project = project();
    let stubborn = THREE.replace("setsid sh -c '", "setsid sh -c 'trap \"\" TERM; ");
    assert_ne!(stubborn, THREE);
    project.write("a.yaml", &scenario(&format!("trap '' TERM\n{stubborn}"), "", ""));
    project.run(&["run", "a.yaml"]).expect_code(0);
    assert_eq!(alive(&numbers(&project, 3)), [0; 0]);
}

#[test]
fn one_that_tidies_up_when_it_is_asked_to_end_has_time_for_it() {
    let project = project();
    // To many programs a second request says that there is no time left.
    let start = "trap 'echo asked >>asked' TERM\nplayscript serve site &\nuntil [ -s asked ]; do sleep 0.02; done\nsleep 0.3\necho tidied >tidied";
    project.write("a.yaml", &scenario(start, "", ""));
    project.run(&["run", "a.yaml"]).expect_code(0);
    assert_eq!(fs::read_to_string(project.folder().join("tidied")).unwrap(), "tidied\n");
    assert_eq!(fs::read_to_string(project.folder().join("asked")).unwrap(), "asked\n");
}

#[test]
fn it_ends_however_the_run_is_ended() {
    for (signal, code) in [("-INT", Some(130)), ("-TERM", Some(130)), ("-KILL", None)] {
        let project = project();
        let wait = "  - look: { path: up.png }\n  - wait-for: heading \"Never\"\n    timeout: 100s\n";
        project.write("a.yaml", &scenario(THREE, "", wait));
        let mut child = project.spawn(&["run", "a.yaml"]);
        until("the page is up", LONG, || project.folder().join("up.png").exists());
        let numbers = numbers(&project, 3);
        assert_eq!(alive(&numbers), numbers, "{signal}");
        strike(&child, signal);
        assert_eq!(child.wait().unwrap().code(), code, "{signal}");
        if code.is_some() {
            assert_eq!(alive(&numbers), [0; 0], "{signal}");
        }
        until("all of it has ended", LONG, || alive(&numbers).is_empty());
    }
}

#[test]
fn ctrl_c_ends_one_that_is_still_starting() {
    let project = project();
    project.write("a.yaml", &scenario("echo $$ >>numbers\nexec sleep 600", "  ready-within: 10m", ""));
    let mut child = project.spawn(&["run", "a.yaml"]);
    let numbers = numbers(&project, 1);
    strike(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(alive(&numbers), [0; 0]);
}

#[test]
fn a_second_ctrl_c_leaves_nothing_of_one_that_does_not_want_to_end() {
    let project = project();
    let start = "trap 'echo asked >asked' TERM\necho $$ >>numbers\nwhile :; do sleep 0.05; done";
    project.write("a.yaml", &scenario(start, "  ready-within: 10m", ""));
    let mut child = project.spawn(&["run", "a.yaml"]);
    let numbers = numbers(&project, 1);
    strike(&child, "-INT");
    until("it is asked to end", LONG, || project.folder().join("asked").exists());
    strike(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    until("all of it has ended", LONG, || alive(&numbers).is_empty());
}

#[test]
fn serve_says_what_keeps_it_from_serving() {
    let project = project();
    project.run(&["serve", "sit"]).expect_code(2).expect_words(&["sit is not there", "next:"]);
    project.run(&["serve", "site/index.html"]).expect_code(2).expect_words(&["is no folder"]);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    project.run(&["serve", "site", "--port", &port]).expect_code(3).expect_words(&[&format!("port {port} is taken")]);
}
