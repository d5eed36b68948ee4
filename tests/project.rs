//! What stands around scenarios: settings and where they come from, variables, a project begun, files laid out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;

use common::{Project, Ran};

fn line<'a>(out: &'a str, name: &str) -> Vec<&'a str> {
    let line = out
        .lines()
        .find(|line| line.split_whitespace().next() == Some(name))
        .unwrap_or_else(|| panic!("no {name} in\n{out}"));
    line.split_whitespace().skip(1).collect()
}

#[test]
fn a_flag_wins_over_the_environment_over_the_file_over_what_is_usual() {
    let project = Project::new();
    let usual = project.run(&["config"]).expect_code(0).out;
    assert_eq!(line(&usual, "timeout"), ["5m", "usual"]);
    assert_eq!(line(&usual, "headed"), ["false", "usual"]);
    project.write("playscript.yaml", "# ours\nworkers: 3\nheaded: true\nstep-timeout: 2s\nchrome: bin/chrome\n");
    let file = project.run(&["config"]).expect_code(0).out;
    assert_eq!(line(&file, "workers"), ["3", "playscript.yaml:2"]);
    assert_eq!(line(&file, "headed"), ["true", "playscript.yaml:3"]);
    assert_eq!(line(&file, "chrome"), ["bin/chrome", "playscript.yaml:5"]);
    let mut command = project.command(&["config", "--timeout", "1s"]);
    command.envs([("PLAYSCRIPT_WORKERS", "4"), ("PLAYSCRIPT_TIMEOUT", "9s"), ("PLAYSCRIPT_HEADED", "0")]);
    let all = Ran::of(&command.output().unwrap()).expect_code(0).out;
    assert_eq!(line(&all, "workers"), ["4", "PLAYSCRIPT_WORKERS"]);
    assert_eq!(line(&all, "step-timeout"), ["1s", "--timeout"]);
    assert_eq!(line(&all, "headed"), ["false", "PLAYSCRIPT_HEADED"]);
    // From a folder below, the file is named as seen from there.
    project.write("scenarios/a.yaml", "steps:\n  - read\n");
    let mut below = project.command(&["config"]);
    let below = Ran::of(&below.current_dir(project.folder().join("scenarios")).output().unwrap()).expect_code(0).out;
    assert_eq!(line(&below, "workers"), ["3", "../playscript.yaml:2"]);
}

#[test]
fn the_browser_of_the_file_is_shown_key_by_key() {
    let project = Project::new();
    let keys = "locale: nb_NO\n  touch: true\n  permissions: [clipboard-read]\n";
    project.write("playscript.yaml", &format!("workers: 2\nbrowser:\n  {keys}"));
    let out = project.run(&["config"]).expect_code(0).out;
    assert_eq!(line(&out, "browser.locale"), ["nb-NO", "playscript.yaml:3"]);
    assert_eq!(line(&out, "browser.touch"), ["true", "playscript.yaml:3"]);
    assert_eq!(line(&out, "browser.permissions"), ["clipboard-read", "playscript.yaml:3"]);
    assert_eq!(line(&out, "browser.viewport"), ["1280x720", "usual"]);
    assert_eq!(line(&out, "browser.reduced-motion"), ["true", "usual"]);
    assert!(!out.contains("user-agent"), "{out}");
}

#[test]
fn steps_are_told_with_the_values_that_are_at_hand() {
    let project = Project::new();
    let steps = "  - for-each:\n      name: id\n      in: [tee, mug]\n      steps:\n        - open: \"/?id={{ id }}\"\n  - assert-title: \"{{ title }}\"\n  - open: \"{{ base }}/?n={{ random() }}\"\n";
    project.write("a.yaml", &format!("name: A\npages: {{ /: \"<title>Home</title>\" }}\nsteps:\n{steps}"));
    project.run(&["run", "--verbose", "a.yaml"]).expect_code(0).expect_words(&[
        "open /?id=tee",
        "open /?id=mug",
        "{{ title }}",
        "open {{ base }}/?n={{ random() }}",
    ]);
}

#[test]
fn the_folder_of_scenarios_may_be_named() {
    let project = Project::new();
    project.write("playscript.yaml", "scenarios: e2e\n");
    project.run(&["check"]).expect_code(2).expect_words(&["there is no folder `e2e` here"]);
    project.write("e2e/a.yaml", "name: A\npages: { /: \"<title>A</title>\" }\nsteps:\n  - open: /\n");
    project.run(&["run"]).expect_code(0).expect_words(&["1 passed"]);
    let out = project.run(&["config"]).expect_code(0).out;
    assert_eq!(line(&out, "scenarios"), ["e2e", "playscript.yaml:1"]);
}

#[test]
fn what_scenarios_need_not_say_themselves() {
    let project = Project::new();
    let common = "variables: { city: Oslo, street: \"Gate {{ city }}\" }\nclock: { at: 2031-05-06T07:08:09Z, runs: false }\n\
        fail-on: [failed-requests]\nwhenever:\n  dialog \"Cookies\":\n    - click: button \"Reject\"\n\
        redact:\n  - { pattern: \"berth \\\\d+\", with: berth N }\n";
    project.write("playscript.yaml", common);
    let page = "<!doctype html><html lang=en><title>Home</title><dialog open aria-label=Cookies>\
        <button onclick=this.parentElement.remove()>Reject</button></dialog>\
        <button onclick='year.textContent = new Date().getUTCFullYear()' style='position:absolute;top:0;left:50%'>Ask</button>\
        <style>dialog { position: fixed; inset: 0; width: 100%; height: 100% }</style>\
        <p id=year role=status></p><p>At berth 17</p>";
    project.write("pages/index.html", page);
    let head = "serve: ../pages\nsteps:\n  - open: /\n";
    let asks = "  - click: button \"Ask\"\n  - assert-text: { of: status, is: \"2031\" }\n";
    project.write(
        "scenarios/plain.yaml",
        &format!("name: Plain\n{head}{asks}  - assert: city == 'Oslo' and street == 'Gate Oslo'\n  - snapshot: home\n"),
    );
    project.write("scenarios/own.yaml", &format!("name: Own\nvariables: {{ city: Bergen }}\nwhenever: {{}}\n{head}  - assert: street == 'Gate Bergen'\n  - assert-tree-contains: dialog \"Cookies\"\n  - click: button \"Ask\"\n  - assert-tree-contains: dialog \"Cookies\"\n"));
    let ran = project.command(&["run"]).env("INSTA_UPDATE", "always").output().unwrap();
    Ran::of(&ran).expect_code(0).expect_words(&["2 passed"]);
    let stored = fs::read_to_string(project.folder().join("snapshots/plain__home.snap")).unwrap();
    assert!(stored.contains("At berth N"), "{stored}");

    project.write("scenarios/lost.yaml", &format!("name: Lost\n{head}  - script: \"fetch('/gone')\"\n"));
    project.run(&["run", "scenarios/lost.yaml"]).expect_code(1).expect_words(&["/gone"]);
    project.write(
        "scenarios/lost.yaml",
        &format!("name: Lost\nfail-on: {{ failed-requests: false }}\n{head}  - script: \"fetch('/gone')\"\n"),
    );
    project.run(&["run", "scenarios/lost.yaml"]).expect_code(0);

    let out = project.run(&["config"]).expect_code(0).out;
    assert_eq!(line(&out, "fail-on"), ["[failed-requests]", "playscript.yaml:3"]);
    assert_eq!(line(&out, "clock"), ["2031-05-06T07:08:09Z,", "standing", "still", "playscript.yaml:2"]);
    assert_eq!(line(&out, "whenever"), ["dialog", "\"Cookies\"", "playscript.yaml:5"]);
    // What is wrong in it is told once, however many scenarios there are.
    project.write("playscript.yaml", &common.replace("button", "buton"));
    let wrong = project.run(&["check"]).expect_code(2).expect_words(&["playscript.yaml:6"]);
    assert_eq!(wrong.err.matches("error").count(), 1, "{}", wrong.err);
}

#[test]
fn what_is_wrong_with_the_settings_is_told_before_anything_runs() {
    let project = Project::new();
    project.write("playscript.yaml", "wokers: 3\n").write("scenarios/a.yaml", "steps:\n  - clik: Save\n");
    for command in ["run", "check"] {
        let said = ["playscript.yaml:1:1", "did you mean `workers`?", "scenarios/a.yaml:2:5", "2 mistakes"];
        project.run(&[command]).expect_code(2).expect_words(&said);
    }
    project.run(&["config"]).expect_code(2).expect_words(&["did you mean `workers`?"]);
}

#[test]
fn settings_of_the_file_are_those_of_the_run() {
    let project = Project::new();
    project.write("playscript.yaml", "step-timeout: 300ms\nreport-folder: out\nbrowser: { viewport: 400x300 }\n");
    project.write(
        "scenarios/a.yaml",
        "variables: { city: Oslo }\npages:\n  /: |\n    <title>T</title><p role=status></p><script>\n      \
         document.querySelector('p').textContent = innerWidth + ' wide';\n    </script>\nsteps:\n  - open: /\n  \
         - assert-tree-contains: status \"400 wide\"\n  - assert: city == 'Rome'\n",
    );
    let ran = project.run(&["run"]).expect_code(1);
    assert!(ran.all().contains("scenarios/a.yaml:10"), "{}", ran.all());
    assert!(project.folder().join("out").is_dir() && !project.folder().join("playscript-report").exists());
    project.run(&["run", "--var", "city=Rome"]).expect_code(0);
    let again = ["again: playscript run scenarios/a.yaml --var 'city=New York'"];
    project.run(&["run", "--var", "city=New York"]).expect_code(1).expect_words(&again);
    let unknown = project.run(&["run", "--var", "citty=Rome"]).expect_code(2);
    unknown.expect_words(&["no scenario has a variable `citty`", "did you mean `city`?"]);
}

#[test]
fn a_project_that_was_begun_passes_and_nothing_of_it_is_written_over() {
    let project = Project::new();
    project.write("playscript.yaml", "# mine\n");
    let ran = project.run(&["init"]).expect_code(0);
    assert_eq!(
        ran.out,
        "kept   playscript.yaml\nwrote  .gitignore\nwrote  scenarios/first.yaml\nwrote  scenarios/pages/first/index.html\n\
         wrote  playscript.schema.json\nwrote  playscript.project.schema.json\nwrote  .github/workflows/playscript.yml\nnext: playscript run\n"
    );
    assert_eq!(fs::read_to_string(project.folder().join("playscript.yaml")).unwrap(), "# mine\n");
    project.run(&["run"]).expect_code(0).expect_words(&["first.yaml", "1 passed"]);
    project.run(&["fmt", "--check"]).expect_code(0);
    project.write("scenarios/first.yaml", "changed");
    assert!(!project.run(&["init"]).expect_code(0).out.contains("wrote"));
    assert_eq!(fs::read_to_string(project.folder().join("scenarios/first.yaml")).unwrap(), "changed");
    let elsewhere = project.run(&["init", "shop"]).expect_code(0);
    elsewhere.expect_words(&["wrote  shop/playscript.yaml", "next: cd shop && playscript run"]);
    let mut config = project.command(&["config"]);
    Ran::of(&config.current_dir(project.folder().join("shop")).output().unwrap())
        .expect_code(0)
        .expect_words(&["playscript.yaml:10"]);
}

#[test]
fn files_are_laid_out_or_told() {
    let project = Project::new();
    project.write("scenarios/a.yaml", "steps:\r\n- open:  /   # go\r\n- click: {css: '#a'}\r\n");
    project.write("scenarios/b.yaml", "steps:\n  - read\n");
    let told = project.run(&["fmt", "--check"]).expect_code(2);
    told.expect_words(&["scenarios/a.yaml:2:1", "it would read", "next: playscript fmt scenarios/a.yaml"]);
    let ran = project.run(&["fmt"]).expect_code(0);
    assert_eq!(ran.out, "laid out  scenarios/a.yaml\n2 files, 1 of them changed\n");
    let text = fs::read_to_string(project.folder().join("scenarios/a.yaml")).unwrap();
    assert_eq!(text, "steps:\n  - open: /  # go\n  - click: { css: '#a' }\n");
    assert_eq!(project.run(&["fmt", "--check"]).expect_code(0).out, "2 files, as they should be\n");
    project.write("scenarios/c.yaml", "steps: [\n");
    project.run(&["fmt"]).expect_code(2).expect_words(&["scenarios/c.yaml:1:8", "a bracket is not closed"]);
    assert_eq!(fs::read_to_string(project.folder().join("scenarios/c.yaml")).unwrap(), "steps: [\n");
}

#[test]
fn bundled_scenarios_are_laid_out() {
    let project = Project::new();
    let folder = common::of_repository("scenarios");
    project.run(&["fmt", "--check", folder.to_str().unwrap()]).expect_code(0);
}

#[test]
fn shells_get_their_completions() {
    let project = Project::new();
    for (shell, word) in [("bash", "complete -F"), ("zsh", "#compdef playscript"), ("fish", "complete -c playscript")] {
        project.run(&["completions", shell]).expect_code(0).expect_words(&[word, "check"]);
    }
}

#[test]
fn pictures_of_a_scenario_have_one_folder_wherever_it_is_run_from_and_none_of_a_former_run() {
    let project = Project::new();
    let scenario = |title: &str| {
        format!(
            "pages: {{ /: '<title>Home</title>' }}\nsteps:\n  - open: /\n  - assert-title: {title}\n    timeout: 300ms\n"
        )
    };
    project.write("playscript.yaml", "workers: 1\n").write("scenarios/a/home.yaml", &scenario("Away"));
    let picture = project.folder().join("playscript-report/scenarios-a-home/step-2.png");
    project.run(&["run"]).expect_code(1).expect_words(&["playscript-report/scenarios-a-home/step-2.png"]);
    assert!(picture.exists());
    fs::remove_file(&picture).unwrap();
    let mut below = project.command(&["run", "home.yaml"]);
    below.current_dir(project.folder().join("scenarios/a"));
    Ran::of(&below.output().unwrap())
        .expect_code(1)
        .expect_words(&["../../playscript-report/scenarios-a-home/step-2.png"]);
    assert!(picture.exists());
    // Once it passes, nothing of the failure is left; what somebody else put there is.
    project
        .write("playscript-report/scenarios-a-home/notes.txt", "mine")
        .write("scenarios/a/home.yaml", &scenario("Home"));
    project.run(&["run"]).expect_code(0);
    assert!(!picture.exists() && picture.with_file_name("notes.txt").exists());
}

#[test]
fn what_a_machine_lacks_is_no_mistake_of_a_file() {
    let project = Project::new();
    let steps = "pages: { /: <p>Shop</p> }\nsteps: [open: /]\n";
    project.write("a.yaml", &format!("name: A\nsecrets: [NO_SUCH_WORD]\nenv: NO_SUCH_STAGE\n{steps}"));
    project.write("b.yaml", &format!("secrets: [NO_SUCH_WORD, SHORT]\n{steps}"));
    project.write("c.yaml", &format!("tags: [free]\n{steps}"));
    project.write(
        "d.yaml",
        &format!("env: {{ NO_SUCH_STAGE: \"\" }}\nsecrets: [NO_SUCH_KEY]\nskip: {{ when: not env.NO_SUCH_STAGE, why: no stage }}\n{steps}"),
    );
    let all = ["a.yaml", "b.yaml", "c.yaml", "d.yaml"];
    project.run(&[&["check"][..], &all].concat()).expect_code(0).expect_words(&["4 files, nothing wrong"]);
    let mut command = project.command(&[&["run"][..], &all].concat());
    let ran = Ran::of(&command.env("SHORT", "ab").output().unwrap()).expect_code(2).expect_words(&[
        "the environment has no NO_SUCH_WORD",
        "a.yaml:2:11",
        "= needed by:",
        "b.yaml",
        "the environment has no NO_SUCH_STAGE",
        "env: { NO_SUCH_STAGE: \"\" }",
        "the secret SHORT is shorter than",
    ]);
    assert_eq!(ran.all().matches("has no NO_SUCH_WORD").count(), 1, "{}", ran.all());
    // What is not run, or skipped, lacks nothing.
    assert!(!ran.all().contains("NO_SUCH_KEY"), "{}", ran.all());
    project.run(&["run", "--tag", "free", "a.yaml", "c.yaml"]).expect_code(0);
}

#[test]
fn a_variable_of_the_environment_may_have_a_usual_value() {
    let project = Project::new();
    let head =
        "env: { NO_SUCH_STAGE: \"\", NO_SUCH_PORT: 3000 }\nskip: { when: not env.NO_SUCH_STAGE, why: no stage }\n";
    let steps = "pages: { /: <p>Shop</p> }\nsteps:\n  - open: /\n  - assert: env.NO_SUCH_STAGE == 'x' and env.NO_SUCH_PORT|int == 3000\n";
    project.write("a.yaml", &format!("{head}{steps}"));
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["no stage"]);
    Ran::of(&project.command(&["run", "a.yaml"]).env("NO_SUCH_STAGE", "x").output().unwrap())
        .expect_code(0)
        .expect_words(&["1 passed"]);
}
