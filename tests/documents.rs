//! What the documents show is true: their YAML passes `check`, their commands and flags exist, the failure that the
//! README prints is the one that is printed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::collections::BTreeSet;

use common::Project;

const DOCUMENTS: [&str; 2] = ["README.md", "docs/reference.md"];

fn document(path: &str) -> String {
    std::fs::read_to_string(common::of_repository(path)).unwrap()
}

/// The fenced blocks of a document: their first line's number, their language, their text.
fn blocks(text: &str) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String, String)> = None;
    for (index, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((index + 2, language.trim().to_owned(), String::new())),
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some((_, _, body)), None) => {
                body.push_str(line);
                body.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block without an end");
    found
}

/// A block as a whole scenario: a list of steps and keys of a head get what they lack.
fn scenario(block: &str) -> String {
    let first = block.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or_default();
    if first.starts_with("- ") {
        format!("pages: {{ /: '<p>x</p>' }}\nsteps:\n{block}")
    } else if block.lines().any(|line| line.starts_with("steps:")) {
        block.to_owned()
    } else {
        format!("{block}steps:\n  - read\n")
    }
}

#[test]
fn every_yaml_block_passes_check() {
    let project = Project::new();
    let mut count = 0;
    for path in DOCUMENTS {
        for (line, _, block) in blocks(&document(path)).into_iter().filter(|(_, language, _)| language == "yaml") {
            for folder in block.lines().filter_map(|line| line.strip_prefix("serve: ")) {
                let folder = folder.split('#').next().unwrap_or(folder).trim();
                std::fs::create_dir_all(project.folder().join(folder)).unwrap();
            }
            // Files that a step names must be there: data, or steps that take what they are given.
            for file in block.split("file: ").skip(1).filter_map(|rest| rest.split([',', ' ', '}', '\n']).next()) {
                let given = ["email", "password"].into_iter().filter(|name| block.contains(&format!("{name}: ")));
                let part: String = given
                    .map(|name| format!("- type: {{ into: textbox \"{name}\", text: \"{{{{ {name} }}}}\" }}\n"))
                    .collect();
                project.write(file, if file.ends_with(".yaml") { &part } else { "{}" });
            }
            let name = format!("{}-{line}.yaml", path.replace('/', "-"));
            project.write(&name, &scenario(&block));
            count += 1;
            let ran = project.run(&["check", &name]);
            assert_eq!(ran.code, Some(0), "{path}, line {line}:\n{block}\n{}{}", ran.out, ran.err);
        }
    }
    assert!(count > 30, "only {count} blocks were found");
}

/// All that stands between single backquotes, and every line of a block without a language or of shell.
fn code(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (_, language, body) in blocks(text) {
        if language.is_empty() || language == "sh" {
            found.extend(body.lines().map(|line| line.trim_start_matches("$ ").to_owned()));
        }
    }
    let mut prose = true;
    for line in text.lines() {
        if line.starts_with("```") {
            prose = !prose;
        } else if prose {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

#[test]
fn every_command_and_flag_that_the_readme_names_exists() {
    let project = Project::new();
    let (mut commands, mut flags) = (BTreeSet::new(), BTreeSet::new());
    for text in code(&document("README.md")) {
        let text = text.split('#').next().unwrap_or(&text);
        let ours = text.split_once("playscript ").or_else(|| text.split_once("cargo run --release -- "));
        let words: Vec<&str> = ours.map_or(text, |(_, rest)| rest).split_whitespace().collect();
        let command = ours.and(words.first().copied()).filter(|word| word.chars().all(|c| c.is_ascii_lowercase()));
        if let Some(command) = command {
            commands.insert(command.to_owned());
        }
        for flag in words.iter().filter(|word| {
            word.strip_prefix("--").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        }) {
            // Those of cargo itself stand with it.
            if ours.is_some() || !text.starts_with("cargo") {
                flags.insert((command.unwrap_or("run").to_owned(), (*flag).to_owned()));
            }
        }
    }
    for wanted in ["run", "check", "read", "look", "browser", "help"] {
        assert!(commands.contains(wanted), "the README does not name `{wanted}`: {commands:?}");
    }
    for command in &commands {
        if command != "help" {
            project.run(&["help", command]).expect_code(0);
        }
    }
    assert!(flags.len() >= 3, "{flags:?}");
    for (command, flag) in &flags {
        let help = project.run(&[command, "--help"]).expect_code(0);
        let known = help.out.split(|c: char| c.is_whitespace() || c == ',').any(|word| word == flag);
        assert!(known, "`playscript {command}` has no {flag}");
    }
}

#[test]
fn every_file_that_is_linked_is_there() {
    for path in DOCUMENTS.iter().chain(&["CONTRIBUTING.md", "CHANGELOG.md"]) {
        let folder = common::of_repository(path);
        let folder = folder.parent().unwrap();
        let text = document(path);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with('#') && !link.contains("://")) {
            let file = link.split('#').next().unwrap_or(link);
            assert!(folder.join(file).exists(), "{path} links to {link}, which is not there");
        }
    }
}

#[test]
#[cfg(unix)]
fn the_failure_that_the_readme_prints_is_the_one_that_is_printed() {
    let readme = document("README.md");
    let all = blocks(&readme);
    let (_, _, shown) = all.iter().find(|(_, _, body)| body.starts_with("FAIL [")).expect("the README shows a failure");
    let (_, _, first) =
        all.iter().find(|(_, language, _)| language == "yaml").expect("the README begins with a scenario");
    let project = Project::new();
    std::os::unix::fs::symlink(common::of_repository("scenarios"), project.folder().join("scenarios")).unwrap();
    let wrong = first.replace("\"Welcome, Ada\"", "\"Welcome, Adam\"");
    assert_ne!(&wrong, first, "the scenario expects another heading now");
    project.write("sign-in.yaml", &wrong);
    let ran = project.run(&["run", "sign-in.yaml"]).expect_code(1);
    let from = |text: &str| text.find("error:").map(|at| text[at..].to_owned()).unwrap_or_default();
    let printed = from(&ran.out);
    let printed = printed.split("\n\n").next().unwrap_or_default();
    assert_eq!(printed.trim_end(), from(shown).trim_end());
}
