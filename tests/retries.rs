//! What failed is performed again: with all of it new, at the end, alone; and what came of it is told.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use common::{Project, Ran, signal, until};

/// A server outside of all scenarios, which remembers who has asked: pages that are flaky.
struct Server {
    address: SocketAddr,
    asked: Arc<Asked>,
}

#[derive(Default)]
struct Asked {
    /// Paths in the order in which they were asked for.
    log: Mutex<Vec<String>>,
    news: Condvar,
}

impl Asked {
    /// How often a path was asked for.
    fn times(&self, path: &str) -> usize {
        self.log.lock().unwrap().iter().filter(|asked| *asked == path).count()
    }

    /// Waits until so many paths were asked for in all; whether that came to be.
    fn wait_for(&self, number: usize, limit: Duration) -> bool {
        let log = self.log.lock().unwrap();
        let (log, _) = self.news.wait_timeout_while(log, limit, |log| log.len() < number).unwrap();
        log.len() >= number
    }
}

impl Server {
    /// Answers each request with what `page` makes of its path, of which time it is asked for, and of who has asked.
    fn start(page: impl Fn(&str, usize, &Asked) -> String + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Asked::default());
        let (shared, page) = (asked.clone(), Arc::new(page));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (asked, page) = (shared.clone(), page.clone());
                // A page that went away reads no answer.
                std::thread::spawn(move || answer(&stream, &asked, &*page));
            }
        });
        Server { address, asked }
    }

    /// A scenario that opens a page of it and performs steps there.
    fn scenario(&self, head: &str, path: &str, steps: &[&str]) -> String {
        let steps: String = steps.iter().map(|step| format!("  - {step}\n")).collect();
        format!(
            "{head}\nstep-timeout: 300ms\nsteps:\n  - open: http://{}{path}\n    timeout: 30s\n{steps}",
            self.address
        )
    }

    fn log(&self) -> Vec<String> {
        self.asked.log.lock().unwrap().clone()
    }
}

fn answer(mut stream: &TcpStream, asked: &Asked, page: &dyn Fn(&str, usize, &Asked) -> String) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut cookie = String::new();
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        if header.to_lowercase().starts_with("cookie:") {
            cookie = header;
        }
    }
    // Browsers ask for icons, and open connections to have them.
    if path.is_empty() || path == "/favicon.ico" {
        return write!(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
    asked.log.lock().unwrap().push(path.clone());
    asked.news.notify_all();
    let body = page(&path, asked.times(&path), asked).replace("COOKIE", if cookie.is_empty() { "none" } else { "old" });
    let body = format!("<!doctype html><html lang=en><title>Flaky</title><main>{body}</main>");
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: seen=yes\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Says which time it is asked for.
fn counting() -> Server {
    Server::start(|_, time, _| format!("<h1>Time {time}</h1><p>cookies: COOKIE</p>"))
}

const SECOND: &str = "assert-tree-contains: heading \"Time 2\"";
const NEVER: &str = "assert-tree-contains: heading \"Never\"";

fn run_with(project: &Project, args: &[&str], env: &[(&str, &str)]) -> Ran {
    Ran::of(&project.command(args).envs(env.iter().copied()).output().unwrap())
}

fn times(text: &str, word: &str) -> usize {
    text.matches(word).count()
}

#[test]
fn what_passes_the_second_time_is_flaky_and_why_it_failed_is_told() {
    for workers in ["1", "4"] {
        let server = counting();
        let project = Project::new();
        project.write("a.yaml", &server.scenario("name: Prices\nretries: 2", "/a", &[SECOND]));
        project.write("b.yaml", &server.scenario("name: Steady", "/b", &["assert: true"]));
        let ran = project.run(&["run", ".", "--workers", workers]).expect_code(0);
        let ran = ran.expect_words(&[
            "Prices (1 of 3): the page does not contain this line",
            "Prices (2 of 3)\n",
            "attempt 1:\nerror: the page does not contain this line",
            "~     heading \"Time 1\"",
            "= picture: playscript-report/a/step-2.png",
            "     1 passed, 1 flaky in ",
        ]);
        let lines: Vec<&str> = ran.out.lines().filter(|line| line.contains(" [") && line.contains("s] ")).collect();
        let words: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
        let retry = words.iter().position(|word| *word == "RETRY").unwrap();
        let flaky = words.iter().position(|word| *word == "FLAKY").unwrap();
        let pass = words.iter().position(|word| *word == "PASS").unwrap();
        assert!(retry < flaky && pass < flaky, "{}", ran.out);
        assert_eq!(times(&ran.out, "FAIL"), 0, "{}", ran.out);
        assert_eq!(server.asked.times("/a"), 2);
        assert!(!project.folder().join("playscript-report/a-attempt-2").exists(), "nothing of the second failed");
    }
}

#[test]
fn what_never_passes_fails_with_the_reasons_of_all_attempts() {
    let server = counting();
    let project = Project::new();
    project.write("a.yaml", &server.scenario("name: Prices", "/a", &[NEVER]));
    let ran = project.run(&["run", "a.yaml", "--retries", "2"]).expect_code(1);
    let ran = ran.expect_words(&[
        "Prices (1 of 3): ",
        "Prices (2 of 3): ",
        "FAIL [",
        "Prices (3 of 3)\nattempt 1:\nerror: ",
        "attempt 2:\nerror: ",
        "attempt 3:\nerror: ",
        "heading \"Time 3\"",
        "0 passed, 1 failed in ",
    ]);
    assert_eq!((times(&ran.out, "RETRY"), times(&ran.out, "FAIL")), (2, 2), "{}", ran.out);
    for folder in ["a", "a-attempt-2", "a-attempt-3"] {
        let picture = project.folder().join("playscript-report").join(folder).join("step-2.png");
        assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"), "{picture:?}");
    }

    let always = Server::start(|_, _, _| "<h1>Always</h1>".to_owned());
    project.write("a.yaml", &always.scenario("name: Prices\nretries: 2", "/a", &[NEVER]));
    let ran = project.run(&["run", "a.yaml"]).expect_code(1);
    let ran = ran.expect_words(&["(3 of 3)\nattempt 1, and the same in attempts 2 and 3:\nerror: "]);
    assert_eq!(times(&ran.out, "error: "), 1, "{}", ran.out);
    assert_eq!(always.asked.times("/a"), 3);
    project.write("a.yaml", &always.scenario("name: Prices\nretries: 1", "/a", &[NEVER]));
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&["attempt 1, and the same in attempt 2:\n"]);
}

#[test]
fn nothing_of_the_attempt_before_is_left() {
    let server = counting();
    let project = Project::new();
    let page = "<title>Own</title><h1></h1><script>\
                document.querySelector('h1').textContent = 'before: ' + localStorage.getItem('before');\
                localStorage.setItem('before', 'yes')</script>";
    let head = format!("name: Fresh\nretries: 1\npages: {{ /: \"{page}\" }}");
    let own = "open: /\n  - assert-tree-contains: 'heading \"before: null\"'";
    project.write(
        "a.yaml",
        &server.scenario(&head, "/a", &["assert-text: { of: paragraph, is: 'cookies: none' }", SECOND, own]),
    );
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["Fresh (2 of 2)\n", "0 passed, 1 flaky"]);
}

#[test]
fn retries_run_at_the_end_and_each_alone() {
    // All four are held until all four have come: they run side by side. A retry is held until another comes, or, as it
    // should be, for a while in which none does.
    let server = Server::start(|path, time, asked| {
        if path.starts_with("/end") {
            return "<h1>End</h1>".to_owned();
        }
        if time == 1 {
            let all = asked.wait_for(4, Duration::from_secs(20));
            return format!("<h1>Time 1</h1><p>{}</p>", if all { "together" } else { "not together" });
        }
        let so_far = asked.log.lock().unwrap().len();
        let beside = asked.wait_for(so_far + 1, Duration::from_millis(400));
        format!("<h1>Time {time}</h1><p>{}</p>", if beside { "beside another" } else { "alone" })
    });
    let project = Project::new();
    let names = ["a", "b", "c", "d"];
    for name in names {
        let end = format!("open: http://{}/end-{name}", server.address);
        let steps = [SECOND, "assert-text: { of: paragraph, is: alone }", &end];
        project.write(&format!("{name}.yaml"), &server.scenario("retries: 1", &format!("/{name}"), &steps));
    }
    let ran = project.run(&["run", ".", "--workers", "4"]).expect_code(0).expect_words(&["0 passed, 4 flaky"]);
    assert_eq!(times(&ran.out, "StaticText \"together\""), 4, "the first attempts run side by side: {}", ran.out);
    let log = server.log();
    let retries: Vec<&str> = log[4..].iter().map(String::as_str).collect();
    assert_eq!(retries, ["/a", "/end-a", "/b", "/end-b", "/c", "/end-c", "/d", "/end-d"]);
}

#[test]
fn who_needs_what_is_flaky_runs_after_its_retry_and_before_others() {
    for workers in ["1", "4"] {
        let server = counting();
        let project = Project::new();
        project.write("a.yaml", &server.scenario("name: Flaky", "/a", &[SECOND]));
        project.write("b.yaml", &server.scenario("name: First", "/b", &[SECOND]));
        project.write("c.yaml", &server.scenario("name: Second\nneeds: b.yaml", "/c", &["assert: true"]));
        let ran = project.run(&["run", ".", "--workers", workers, "--retries", "1"]).expect_code(0);
        ran.expect_words(&["First (2 of 2)", "Second\n", "1 passed, 2 flaky"]);
        let log = server.log();
        assert_eq!(log[2..], ["/b", "/c", "/a"], "{log:?}");

        let server = counting();
        project.write("a.yaml", &server.scenario("name: Flaky", "/a", &[SECOND]));
        project.write("b.yaml", &server.scenario("name: First", "/b", &[NEVER]));
        project.write("c.yaml", &server.scenario("name: Second\nneeds: b.yaml", "/c", &["assert: true"]));
        let ran = project.run(&["run", ".", "--workers", workers, "--retries", "1"]).expect_code(1);
        ran.expect_words(&["b.yaml, which did not pass)", "0 passed, 1 flaky, 1 failed, 1 skipped"]);
        assert_eq!(server.asked.times("/c"), 0);
    }
}

#[test]
fn what_is_flaky_fails_the_run_where_that_is_wished() {
    let flag: &[&str] = &["--fail-on-flaky"];
    for (file, args, env, code) in [
        ("", &[][..], &[][..], 0),
        ("", flag, &[], 1),
        ("", &[], &[("PLAYSCRIPT_FAIL_ON_FLAKY", "1")], 1),
        ("fail-on-flaky: true\n", &[], &[], 1),
        ("fail-on-flaky: true\n", &[], &[("PLAYSCRIPT_FAIL_ON_FLAKY", "0")], 0),
    ] {
        let server = counting();
        let project = Project::new();
        project.write("playscript.yaml", file);
        project.write("a.yaml", &server.scenario("retries: 1", "/a", &[SECOND]));
        let ran = run_with(&project, &[&["run", "a.yaml"], args].concat(), env).expect_code(code);
        let ran = ran.expect_words(&["FLAKY [", "0 passed, 1 flaky in"]);
        assert_eq!(ran.out.contains("what is flaky fails this run"), code == 1, "{}", ran.out);
    }
}

#[test]
fn the_scenario_wins_over_the_flag_over_the_environment_over_the_file() {
    let project = Project::new();
    project.write("playscript.yaml", "retries: 3\n");
    let env = ("PLAYSCRIPT_RETRIES", "2");
    for (head, args, env, attempts) in [
        ("name: A", &[][..], &[][..], 4),
        ("name: A", &[], &[env], 3),
        ("name: A", &["--retries", "1"], &[env], 2),
        ("retries: 0", &["--retries", "1"], &[env], 1),
    ] {
        let server = counting();
        project.write("a.yaml", &server.scenario(head, "/a", &[NEVER]));
        run_with(&project, &[&["run", "a.yaml"], args].concat(), env).expect_code(1).expect_words(&["1 failed"]);
        assert_eq!(server.asked.times("/a"), attempts, "{head} {args:?} {env:?}");
    }
    let line = |ran: Ran| {
        let line = ran.out.lines().find(|line| line.starts_with("retries")).unwrap().to_owned();
        line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line(project.run(&["config"])), "3 playscript.yaml:1");
    assert_eq!(line(run_with(&project, &["config"], &[env])), "2 PLAYSCRIPT_RETRIES");
    assert_eq!(line(run_with(&project, &["config", "--retries", "1"], &[env])), "1 --retries");
    assert_eq!(line(Project::new().run(&["config"])), "0 usual");
    for wrong in ["11", "-1", "many", "1.5", ""] {
        let flag = format!("--retries={wrong}");
        project.run(&["run", &flag]).expect_code(2).expect_words(&["--retries"]);
    }
    project.run(&["run", "--retries=11"]).expect_code(2).expect_words(&["say a number from 0 to 10"]);
}

#[test]
fn what_would_come_to_the_same_is_not_performed_again() {
    for (head, step, code, words) in [
        ("expected-to-fail: issue 12", NEVER, 0, "failed as expected"),
        ("expected-to-fail: issue 12", "assert: true", 1, "was expected to fail, and passed"),
        ("name: New", "snapshot: new", 1, "there is no snapshot"),
        ("skip: not today", NEVER, 0, "1 skipped"),
    ] {
        let server = counting();
        let project = Project::new();
        project.write("a.yaml", &server.scenario(head, "/a", &[step]));
        let ran = project.run(&["run", "a.yaml", "--retries", "2"]).expect_code(code).expect_words(&[words]);
        assert!(!ran.out.contains("RETRY") && !ran.out.contains("attempt"), "{}", ran.out);
        assert!(server.asked.times("/a") <= 1);
    }
}

fn pending(project: &Project) -> Vec<String> {
    let entries = std::fs::read_dir(project.folder().join("snapshots")).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "new")).collect()
}

#[test]
fn a_snapshot_that_differed_once_leaves_nothing_to_review() {
    let pages = |path: &str, time: usize, _: &Asked| match (path, time) {
        ("/a", 2) => "<h1>Strange</h1>".to_owned(),
        _ => "<h1>Usual</h1>".to_owned(),
    };
    let odd = "if: has('heading \"Strange\"')\n    then: [snapshot: usual]";
    let project = Project::new();
    for step in ["snapshot: usual", odd] {
        let server = Server::start(pages);
        project.write("a.yaml", &server.scenario("retries: 1", "/a", &["snapshot: usual"]));
        run_with(&project, &["run", "a.yaml"], &[("INSTA_UPDATE", "always")]).expect_code(0);
        project.write("a.yaml", &server.scenario("retries: 1", "/a", &[step]));
        let ran = project.run(&["run", "a.yaml"]).expect_code(0);
        let ran = ran.expect_words(&["the page differs from its snapshot", "0 passed, 1 flaky"]);
        assert!(!ran.out.contains("for review:"), "{}", ran.out);
        assert_eq!(pending(&project), Vec::<String>::new(), "{step}");
        assert_eq!(server.asked.times("/a"), 3);
    }
    let server = Server::start(|_, _, _| "<h1>Another</h1>".to_owned());
    project.write("a.yaml", &server.scenario("retries: 1", "/a", &["snapshot: usual"]));
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&["1 snapshot waits for review:", "in attempt 2:"]);
    assert_eq!(pending(&project).len(), 1);
}

#[test]
fn each_row_is_performed_again_by_itself() {
    let server = counting();
    let project = Project::new();
    let head = "name: Row\nretries: 2\nexamples: [{ path: a, n: 1 }, { path: b, n: 2 }, { path: c, n: 9 }]";
    let heading = "assert-tree-contains: 'heading \"Time {{ n }}\"'";
    project.write("a.yaml", &server.scenario(head, "/{{ path }}", &[heading]));
    let ran = project.run(&["run", "a.yaml", "--workers", "2"]).expect_code(1);
    ran.expect_words(&[
        "Row [path=a, n=1]\n",
        "Row [path=b, n=2] (2 of 3)\n",
        "Row [path=c, n=9] (3 of 3)",
        "1 passed, 1 flaky, 1 failed in",
        "playscript-report/a-row-3-attempt-3/step-2.png",
    ]);
    assert_eq!(["/a", "/b", "/c"].map(|path| server.asked.times(path)), [1, 2, 3]);
}

#[test]
fn secrets_of_every_attempt_stay_hidden() {
    let server = Server::start(|_, time, _| format!("<h1>pa55word-{time}</h1>"));
    let project = Project::new();
    let head = "name: Hidden\nretries: 1\nsecrets: [WORD]";
    let heading = "assert-tree-contains: 'heading \"{{ secret.WORD }}-2\"'";
    project.write("a.yaml", &server.scenario(head, "/a", &[heading]));
    let ran = run_with(&project, &["run", "a.yaml"], &[("WORD", "pa55word")]).expect_code(0);
    let ran = ran.expect_words(&["1 flaky", "attempt 1:"]);
    assert!(!ran.all().contains("pa55word"), "{}", ran.all());
}

#[cfg(unix)]
#[test]
fn ctrl_c_in_a_retry_ends_it_and_keeps_the_reason() {
    let server = Server::start(|_, time, asked| {
        if time > 1 {
            // Never answered while the test lasts.
            asked.wait_for(usize::MAX, Duration::from_secs(60));
        }
        "<h1>Slow</h1>".to_owned()
    });
    let project = Project::new();
    project.write("a.yaml", &server.scenario("name: Slow\nretries: 2", "/a", &[NEVER]));
    project.write("b.yaml", &server.scenario("name: Next\nretries: 2", "/b", &[NEVER]));
    let child = project.spawn(&["run", ".", "--workers", "2"]);
    until("a retry is under way", Duration::from_secs(60), || server.asked.times("/a") == 2);
    signal::send("-INT", &child.id().to_string());
    let ran = Ran::of(&child.wait_with_output().unwrap()).expect_code(130);
    let ran = ran.expect_words(&[
        "Slow (1 of 3)",
        "attempt 1:\nerror: the page does not contain this line",
        "0 passed, 2 interrupted in",
    ]);
    assert_eq!(times(&ran.out, "STOP"), 4, "{}", ran.out);
    assert_eq!((server.asked.times("/a"), server.asked.times("/b")), (2, 1));
}
