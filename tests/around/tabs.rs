//! Several tabs: which one a failure is about.

use crate::common::{Project, Ran};

const PAGE: &str = r#"
pages:
  /: <!doctype html><title>Shop</title><h1>Shop</h1><a href=/help target=_blank>Help</a>
  /help: <!doctype html><title>Help</title><h1>Help</h1><button onclick="window.close()">Done</button>
"#;

fn run(steps: &str) -> Ran {
    let project = Project::new();
    project.write("a.yaml", &format!("{PAGE}steps:\n  - open: /\n{steps}"));
    project.run(&["run", "a.yaml"])
}

const OPENS: &str = "  - click: link \"Help\"\n    opens: help\n";

#[test]
fn a_failure_says_which_tab_it_is_about_and_which_others_there_are() {
    for step in ["assert-url: /help", "assert-tree-contains: heading \"Help\"", "wait-for: heading \"Help\""] {
        run(&format!("{OPENS}  - {step}\n    timeout: 1s\n")).expect_code(1).expect_words(&[
            "tabs:",
            "t1 * (this step)  /\n",
            "t2 help  /help\n",
            "`tab: help` beside this step, or `- tab-select: help` before it",
        ]);
    }
    let alone = run("  - assert-url: /help\n    timeout: 1s\n").expect_code(1);
    assert!(!alone.out.contains("tabs"), "{}", alone.out);
}

#[test]
fn steps_go_on_in_the_tab_that_an_act_opened_only_when_they_say_so() {
    let steps =
        "  - assert-url: /\n  - assert-url: /help\n    tab: help\n  - tab-select: help\n  - assert-url: /help\n";
    run(&format!("{OPENS}{steps}")).expect_code(0);
}

#[test]
fn a_tab_that_is_not_there_is_told_with_those_that_are() {
    run(&format!("{OPENS}  - tab-select: Help\n")).expect_code(1).expect_words(&[
        "no such tab: Help",
        "tabs:",
        "t1 *",
        "t2 help",
    ]);
}

#[test]
fn two_tabs_have_two_names_and_one_that_has_closed_gives_its_name_back() {
    let again = run(&format!("{OPENS}{OPENS}")).expect_code(1);
    again.expect_words(&["another tab is called help already", "t2 help", "a.yaml:9"]);
    run("  - tab-new: { as: help, url: /help }\n  - tab-new: { as: help, url: /help }\n")
        .expect_code(1)
        .expect_words(&["another tab is called help already"]);
    let closes = "  - click: button \"Done\"\n    tab: help\n";
    run(&format!("{OPENS}{closes}{OPENS}{closes}")).expect_code(0);
}
