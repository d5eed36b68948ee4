//! `look: { snapshot }`: what a page looks like is held against a stored picture.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{Project, Ran};

/// A blue box that another colour can be asked for, beside one that is another in each run.
const PAGE: &str = "<!doctype html><html lang=en><title>Box</title><style>body { margin: 0 }\
    div { position: absolute; width: 80px; height: 60px; top: 10px }</style>\
    <div role=img aria-label=Box style='left: 10px; background: blue'></div>\
    <div role=img aria-label=Chance style='left: 110px'></div>\
    <div role=img aria-label=Chance style='left: 210px'></div>\
    <script>for (const [at, box] of document.querySelectorAll('[aria-label=Chance]').entries())\
    box.style.background = `hsl(${Math.random() * 300} 90% ${30 + at * 20}%)`;</script>";
const LOOK: &str = "  - look: { snapshot: box, masks: image \"Chance\" }\n";

fn project(page: &str) -> Project {
    let project = Project::new();
    // What passes may take its time on a busy machine, which draws pictures slowly; what is to fail says its own.
    project.write("playscript.yaml", "step-timeout: 30s\n");
    project.write("pages/index.html", page);
    project
}

fn scenario(project: &Project, steps: &str) {
    project.write("box.yaml", &format!("name: Box\nserve: pages\nsteps:\n  - open: /\n{steps}"));
}

fn stored(project: &Project, steps: &str) {
    scenario(project, steps);
    let output = project.command(&["run", "box.yaml"]).env("INSTA_UPDATE", "always").output().unwrap();
    Ran::of(&output).expect_code(0).expect_words(&["snapshot stored: snapshots/box__box.snap"]);
}

fn names(project: &Project, folder: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(project.folder().join(folder)) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn what_differs_fails_and_is_drawn_and_can_be_accepted() {
    let project = project(PAGE);
    stored(&project, LOOK);
    project.run(&["run", "box.yaml"]).expect_code(0);
    assert_eq!(names(&project, "snapshots"), ["box__box.snap", "box__box.snap.png"]);

    // Ten rows of the box become another colour.
    project.write(
        "pages/index.html",
        &PAGE.replace("background: blue", "background: linear-gradient(red 10px, blue 10px)"),
    );
    let short = LOOK.replace("}\n", "}\n    timeout: 3s\n");
    scenario(&project, &short);
    project.run(&["run", "box.yaml"]).expect_code(1).expect_words(&[
        "the page differs from its picture snapshots/box__box.snap.png",
        "800 of",
        "the 80x10 pixels from 10,10 on",
        "box__box.difference.png",
        "snapshots/box__box.snap.new.png",
    ]);
    assert_eq!(
        names(&project, "snapshots"),
        ["box__box.snap", "box__box.snap.new", "box__box.snap.new.png", "box__box.snap.png"]
    );
    let drawn = names(&project, "playscript-report/box");
    for what in ["stored", "page", "difference"] {
        assert!(drawn.contains(&format!("box__box.{what}.png")), "{drawn:?}");
    }

    // As much as that may differ; what waited for review is out of date.
    scenario(&project, &LOOK.replace(" }", ", tolerance: 800 }"));
    project.run(&["run", "box.yaml"]).expect_code(0);
    assert_eq!(names(&project, "snapshots"), ["box__box.snap", "box__box.snap.png"]);
    scenario(&project, &short.replace(" }", ", tolerance: 799 }"));
    project.run(&["run", "box.yaml"]).expect_code(1);

    let output = project.command(&["run", "box.yaml"]).env("INSTA_UPDATE", "always").output().unwrap();
    Ran::of(&output).expect_code(0).expect_words(&["snapshot stored anew"]);
    assert_eq!(names(&project, "snapshots"), ["box__box.snap", "box__box.snap.png"]);
    scenario(&project, LOOK);
    project.run(&["run", "box.yaml"]).expect_code(0);
}

#[test]
fn a_build_server_writes_no_picture() {
    let project = project(PAGE);
    scenario(&project, LOOK);
    let output = project.command(&["run", "box.yaml"]).env("CI", "true").output().unwrap();
    Ran::of(&output).expect_code(1).expect_words(&["there is no snapshot snapshots/box__box.snap yet", "CI is set"]);
    assert_eq!(names(&project, "snapshots"), Vec::<String>::new());
}

#[test]
fn another_size_is_told() {
    let project = project(PAGE);
    stored(&project, "  - look: { snapshot: box, of: image \"Box\" }\n");
    scenario(&project, "  - look: { snapshot: box, of: image \"Chance\" }\n");
    project.write("pages/index.html", &PAGE.replace("width: 80px; height: 60px", "width: 90px; height: 60px"));
    scenario(&project, "  - look: { snapshot: box, of: image \"Box\" }\n    timeout: 3s\n");
    project.run(&["run", "box.yaml"]).expect_code(1).expect_words(&["it is 90x60 pixels, and the stored one is 80x60"]);
}

#[test]
fn a_mask_that_covers_nothing_is_told() {
    let project = project(PAGE);
    scenario(&project, "  - look: { snapshot: box, masks: [image \"Chance\", banner] }\n    timeout: 2s\n");
    project.run(&["run", "box.yaml"]).expect_code(1).expect_words(&["nothing is there to be masked: banner"]);
    // One that comes late is waited for.
    let late = "<script>setTimeout(() => document.body.append(document.createElement('header')), 300)</script>";
    project.write("pages/index.html", &format!("{PAGE}{late}"));
    stored(&project, "  - look: { snapshot: box, masks: [image \"Chance\", banner] }\n");
}

#[test]
fn what_moves_is_caught_at_rest_and_moves_on() {
    let page = "<!doctype html><html lang=en><title>Moves</title><style>body { margin: 0 }\
        @keyframes turn { to { background: red; transform: rotate(90deg) } }\
        .turn { width: 50px; height: 50px; margin: 20px; background: blue; animation: turn 400ms infinite }\
        .once { width: 50px; height: 50px; background: blue; animation: turn 20s forwards }\
        img, iframe { width: 60px; height: 60px; border: 0 } input { font-size: 40px; width: 200px }</style>\
        <div class=turn></div><div class=once></div><input aria-label=Name autofocus>\
        <div id=open></div><div id=closed></div><iframe src=inner.html title=Inner></iframe><img src=late.svg alt=Late>\
        <script>for (const mode of ['open', 'closed']) document.getElementById(mode).attachShadow({ mode }).innerHTML =\
        `${document.querySelector('style').outerHTML}<div class=turn></div><input>`;</script>";
    let project = project(page);
    project.write("pages/inner.html", "<!doctype html><style>body { animation: turn 300ms infinite alternate } @keyframes turn { to { background: lime } }</style>");
    project
        .write("late.svg", "<svg xmlns='http://www.w3.org/2000/svg'><rect width='60' height='60' fill='teal'/></svg>");
    let steps = "  - look: { snapshot: box }\n  - script: { run: \"return [document.getAnimations().length, \
        document.getAnimations()[0].playbackRate, document.adoptedStyleSheets.length].join()\", into: after }\n  - assert: after == '2,1,0'\n";
    let head = "name: Box\nserve: pages\nsteps:\n  - mock: { url: \"*late.svg\", file: late.svg, delay: 700ms }\n  - open: { url: /, wait: commit }\n";
    project.write("box.yaml", &format!("{head}{steps}"));
    let output = project.command(&["run", "box.yaml"]).env("INSTA_UPDATE", "always").output().unwrap();
    Ran::of(&output).expect_code(0);
    let rows: String = (0..8).map(|row| format!("  - {{ row: {row} }}\n")).collect();
    project.write("box.yaml", &format!("examples:\n{rows}{head}{steps}"));
    project.run(&["run", "box.yaml"]).expect_code(0).expect_words(&["8 passed"]);
}

#[test]
fn what_comes_later_without_a_word_is_waited_for() {
    let page = |start: &str| {
        format!(
            "<!doctype html><html lang=en><title>Canvas</title><canvas role=img aria-label=Box></canvas><script>\
             const paint = document.querySelector('canvas').getContext('2d');\
             const fill = colour => {{ paint.fillStyle = colour; paint.fillRect(0, 0, 300, 150); }};\
             fill('{start}'); setTimeout(() => fill('green'), 600);</script>"
        )
    };
    let project = project(&page("green"));
    let look = "  - look: { snapshot: box, of: image \"Box\" }\n";
    stored(&project, look);
    project.write("pages/index.html", &page("red"));
    scenario(&project, look);
    project.run(&["run", "box.yaml"]).expect_code(0);
}

#[test]
fn outlines_and_pictures_are_told_apart() {
    let project = project(PAGE);
    stored(&project, LOOK);
    scenario(&project, "  - snapshot: box\n");
    project.run(&["run", "box.yaml"]).expect_code(1).expect_words(&["it holds a picture, not an outline"]);
    std::fs::write(project.folder().join("snapshots/box__box.snap.png"), "no picture").unwrap();
    scenario(&project, LOOK);
    project.run(&["run", "box.yaml"]).expect_code(1).expect_words(&["the picture can't be read"]);
    std::fs::remove_file(project.folder().join("snapshots/box__box.snap.png")).unwrap();
    project.run(&["run", "box.yaml"]).expect_code(1).expect_words(&["its picture is missing"]);
}

#[test]
fn a_picture_that_nothing_names_goes_with_its_file() {
    let project = Project::new();
    project.write("scenarios/pages/index.html", PAGE);
    project.write("scenarios/box.yaml", &format!("name: Box\nserve: pages\nsteps:\n  - open: /\n{LOOK}"));
    let output = project.command(&["run"]).env("INSTA_UPDATE", "always").output().unwrap();
    Ran::of(&output).expect_code(0);
    project.write("scenarios/box.yaml", "name: Box\nserve: pages\nsteps:\n  - open: /\n");
    project.run(&["run", "--unreferenced", "reject"]).expect_code(1).expect_words(&["snapshots/box__box.snap"]);
    project.run(&["run", "--unreferenced", "delete"]).expect_code(0);
    assert_eq!(names(&project, "snapshots"), Vec::<String>::new());
}
