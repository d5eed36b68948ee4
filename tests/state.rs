//! `state`: what one scenario's browser has kept, another's begins with.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Project;

/// Tells what its first script finds, and keeps what it is given.
const PAGE: &str = "<!doctype html><html lang=en><title>Kept</title><p role=status></p><script>\
    const found = `cookie ${document.cookie || '-'}, local ${localStorage.a ?? '-'}, session ${sessionStorage.b ?? '-'}`;\
    addEventListener('DOMContentLoaded', () => { const say = document.querySelector('p'); say.textContent = found; });\
    onmessage = event => { localStorage.a = sessionStorage.b = event.data; };</script>";

const KEEP: &str =
    "document.cookie = 'c=1; Max-Age=3600'; localStorage.a = 'lo \"<\\/script>'; sessionStorage.b = 'se'";
const FOUND: &str = "cookie c=1, local lo \"</script>, session se";

fn project() -> Project {
    let project = Project::new();
    project.write("pages/index.html", PAGE);
    project.write(
        "login.yaml",
        &format!(
            "name: Login\nserve: pages\nsteps:\n  - open: /\n  - script: {}\n  - state: {{ save: kept/state.json }}\n",
            serde_json::to_string(KEEP).unwrap()
        ),
    );
    project
}

fn found(what: &str) -> String {
    format!("  - assert-text: {{ of: status, is: {} }}\n", serde_json::to_string(what).unwrap())
}

fn loading(head: &str, steps: &str) -> String {
    format!("name: Loads\nserve: pages\nneeds: [login.yaml]\n{head}steps:\n{steps}")
}

#[test]
fn what_one_scenario_saves_is_there_before_the_first_script_of_another() {
    let project = project();
    let load = "  - state: { load: kept/state.json }\n  - open: /\n";
    for name in ["a.yaml", "b.yaml", "c.yaml"] {
        project.write(name, &loading("", &format!("{load}{}", found(FOUND))));
    }
    for workers in ["1", "2", "8"] {
        project
            .run(&["run", "a.yaml", "b.yaml", "c.yaml", "--workers", workers])
            .expect_code(0)
            .expect_words(&["4 passed"]);
    }
    let file = project.folder().join("kept/state.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let state: serde_json::Value = serde_json::from_str(&text).unwrap();
    // The port is another one in every run.
    assert_eq!(state["origins"][0]["origin"], "{{ base }}", "{text}");
    assert_eq!(
        state["origins"][0]["localStorage"],
        serde_json::json!([{ "name": "a", "value": "lo \"</script>" }]),
        "{text}"
    );
    assert_eq!(state["origins"][0]["sessionStorage"][0]["name"], "b", "{text}");
    let cookie = &state["cookies"][0];
    assert_eq!((&cookie["name"], &cookie["domain"]), (&"c".into(), &"127.0.0.1".into()), "{text}");
    assert_eq!((&cookie["httpOnly"], &cookie["path"]), (&false.into(), &"/".into()), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    let beside: Vec<_> = std::fs::read_dir(file.parent().unwrap()).unwrap().flatten().collect();
    assert_eq!(beside.len(), 1, "{beside:?}");
}

#[test]
fn what_a_page_changes_afterwards_is_not_undone() {
    let project = project();
    let gone = found("cookie -, local -, session -");
    let forget = "document.cookie = 'c=; Max-Age=0'; localStorage.clear(); sessionStorage.clear()";
    project.write(
        "a.yaml",
        &loading(
            "",
            &format!(
                "  - state: {{ load: kept/state.json }}\n  - open: /\n{}  - script: {}\n  - reload\n{gone}  - open: /index.html\n{gone}",
                found(FOUND),
                serde_json::to_string(forget).unwrap(),
            ),
        ),
    );
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["2 passed"]);
    // A page that is open already has it as well, at once.
    let now = "  - script: { run: \"localStorage.a + sessionStorage.b + document.cookie\", into: now }\n  - assert: now == 'lo \"</script>sec=1'\n";
    project.write(
        "a.yaml",
        &loading(
            "",
            &format!(
                "  - open: /\n{}  - state: {{ load: kept/state.json }}\n{now}  - reload\n{}",
                found("cookie -, local -, session -"),
                found(FOUND)
            ),
        ),
    );
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["2 passed"]);
}

#[test]
fn each_user_has_a_state_of_its_own() {
    let project = project();
    let steps = format!(
        "  - as: bob\n    state: {{ load: kept/state.json }}\n  - open: /\n{}  - as: bob\n    open: /\n  - as: bob\n  {}",
        found("cookie -, local -, session -"),
        found(FOUND).replacen("  - ", "  ", 1),
    );
    project.write("a.yaml", &loading("users: [ada, bob]\n", &steps));
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["2 passed"]);
}

#[test]
fn frames_of_another_site_have_what_they_kept_inside_of_it() {
    let project = project();
    let outer = "<!doctype html><html lang=en><title>Outer</title><iframe title=inner></iframe><script>\
        document.querySelector('iframe').src = location.href.replace('127.0.0.1', 'localhost').replace('outer.html', '')</script>";
    project.write("pages/outer.html", outer);
    let keep = "document.querySelector('iframe').contentWindow.postMessage('in', '*')";
    let seen = |what: &str| {
        format!("  - assert-text: {{ of: {{ role: status, frame: Iframe \"inner\" }}, is: \"{what}\" }}\n")
    };
    let nothing = seen("cookie -, local -, session -");
    project.write("login.yaml", &format!("name: Login\nserve: pages\nsteps:\n  - open: /outer.html\n{nothing}  - script: \"{keep}\"\n  - open: /outer.html\n{}  - state: {{ save: kept/state.json }}\n", seen("cookie -, local in, session in")));
    // Apart from what the same site kept when it was a page of its own.
    project.write(
        "a.yaml",
        &loading(
            "",
            &format!(
                "  - state: {{ load: kept/state.json }}\n  - open: /outer.html\n{}  - open: \"{{{{ other }}}}/\"\n{}",
                seen("cookie -, local in, session in"),
                found("cookie -, local -, session -")
            ),
        ),
    );
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["2 passed"]);
    let text = std::fs::read_to_string(project.folder().join("kept/state.json")).unwrap();
    assert!(text.contains("{{ other }}") && text.contains("\"within\": \"{{ base }}\""), "{text}");
}

#[test]
fn a_state_that_can_not_be_loaded_says_what_to_do() {
    let project = Project::new();
    project.write("pages/index.html", PAGE);
    let scenario = |head: &str, step: &str| format!("name: A\n{head}steps:\n  - state: {step}\n");
    let of_base = "{\"cookies\": [], \"origins\": [{\"origin\": \"{{ base }}\", \"localStorage\": [{\"name\": \"a\", \"value\": \"b\"}]}]}";
    let bad_cookie = "{\"cookies\": [{\"name\": \"a;x\", \"value\": \"b\", \"domain\": \"host\", \"path\": \"/\"}]}";
    project.write("half.json", "{\"cookies\": [").write("list.json", "[1]").write("base.json", of_base);
    project.write("cookie.json", bad_cookie).write("origin.json", &of_base.replace("{{ base }}", "nowhere"));
    let cases: &[(&str, &str, i32, &[&str])] = &[
        (
            "",
            "{ load: gone.json }",
            1,
            &["there is no saved state `gone.json`", "a.yaml:3:20", "name it under `needs:`"],
        ),
        (
            "",
            "{ load: half.json }",
            1,
            &["`half.json` is not a saved state", "line 1", "name the scenario that does so under `needs:`"],
        ),
        ("", "{ load: list.json }", 1, &["`list.json` is not a saved state"]),
        ("", "{ load: base.json }", 1, &["`base.json` holds what belongs to {{ base }}", "`serve:`"]),
        ("", "{ load: origin.json }", 1, &["`nowhere`", "no origin"]),
        ("", "{ load: cookie.json }", 1, &["the browser refuses the cookie `a;x` of `host`"]),
        ("", "{ load: ../a.json }", 2, &["outside the project's folder", "a.yaml:3:20"]),
        ("", "{ save: /tmp/a.json }", 2, &["outside the project's folder"]),
        ("variables: { up: .. }\n", "{ save: \"{{ up }}/a.json\" }", 1, &["outside the project's folder"]),
        ("", "{ save: a.json, load: a.json }", 2, &["`state` needs one of `save` and `load`"]),
        ("", "{}", 2, &["`state` needs one of `save` and `load`"]),
    ];
    for (head, step, code, words) in cases {
        project.write("a.yaml", &scenario(head, step));
        project.run(&["run", "a.yaml"]).expect_code(*code).expect_words(words);
    }
    #[cfg(unix)]
    {
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), project.folder().join("out")).unwrap();
        project.write("a.yaml", &scenario("", "{ save: out/deep/a.json }"));
        project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&["outside the project's folder"]);
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
