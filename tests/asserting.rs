//! Assertions about one element: what they say when they do not hold.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{Project, Ran};

const PAGE: &str = r#"<!doctype html><html lang=en><title>Berths</title><main><h1>Berths</h1>
  <label>Boat <input value=Heron></label> <label>Word <input type=password value=sesame></label>
  <label>Quay <select><option value=n>North</option><option value=s>South</option></select></label>
  <label><input type=checkbox> Power</label> <p role=status>Two are free</p><form aria-label=Find><input type=search><button></button></form>
  <ul><li>A</li><li>B</li></ul><iframe title=Harbour srcdoc='<button>Ring</button>'></iframe></main>"#;

fn run(steps: &str) -> Ran {
    let project = Project::new();
    project.write("pages/index.html", PAGE);
    project.write("a.yaml", &format!("name: A\nserve: pages\nstep-timeout: 1s\nsteps:\n  - open: /\n{steps}"));
    project.run(&["run", "a.yaml"])
}

#[test]
fn what_holds_passes() {
    run(r#"
  - assert-text: { of: status, is: Two are free }
  - assert-text: { of: status, has: are, not: /none/ }
  - assert-value: { of: textbox "Boat", is: /^He/ }
  - assert-value: { of: combobox "Quay", is: n, not: South }
  - assert-value: { of: { label: Word }, is: sesame }
  - assert-count: { of: listitem, is: "{{ 1 + 1 }}", has: 1, not: 3 }
  - assert-count: { of: alert, is: 0 }
  - assert-names: list
  - click: textbox "Boat"
  - assert-focus: textbox "Boat"
  - press: { key: Escape, on: button "Ring" }
  - assert-focus: button "Ring"
"#)
    .expect_code(0);
}

#[test]
fn what_does_not_hold_says_what_is_there() {
    let cases: &[(&str, &[&str])] = &[
        (
            "assert-text: { of: status, is: One is free }",
            &["the element shows another text", "it is not \"One is free\"", "its text, after 1 s", "Two are free"],
        ),
        ("assert-text: { of: textbox \"Boat\", has: Heron }", &["(none)", "`assert-value`"]),
        ("assert-text: { of: alert, has: x }", &["nothing on the page is alert"]),
        ("assert-value: { of: combobox \"Quay\", is: South }", &["it is not \"South\"", "North", "(sent as n)"]),
        ("assert-value: { of: checkbox, is: on }", &["holds no value", "`[checked]`"]),
        ("assert-value: { of: status, is: on }", &["holds no value", "`assert-text`"]),
        (
            "assert-count: { of: listitem, is: 3 }",
            &["there are 2 of listitem", "the number that is wanted is 3", "the elements, after 1 s"],
        ),
        ("assert-focus: textbox \"Boat\"", &["does not have the focus", "keys go to the page"]),
        (
            "assert-names",
            &[
                "2 interactive elements have no name",
                "searchbox  in form \"Find\"",
                "button  in form \"Find\"",
                "aria-label",
            ],
        ),
    ];
    for (step, words) in cases {
        // One at a time, since the first failure ends a scenario.

        run(&format!("  - {step}\n")).expect_code(1).expect_words(words);
    }
    let hidden = run("  - assert-value: { of: { label: Word }, is: open }\n").expect_code(1);
    assert!(hidden.all().contains("(hidden, 6 characters)") && !hidden.all().contains("sesame"), "{}", hidden.all());
}

#[test]
fn mistakes_are_told_without_a_browser() {
    let project = Project::new();
    project.write(
        "a.yaml",
        "name: A\nsteps:\n  - assert-text: { of: status }\n  - assert-count: { of: listitem, is: many }\n  \
         - assert-count: { of: { x: 1, y: 2 }, is: 1 }\n  - assert-value: { of: textbox, is: /(/ }\n",
    );
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&[
        "a.yaml:3:5",
        "`is`, `has` or `not` is missing",
        "a.yaml:4:39",
        "this is not a whole number",
        "a place in the viewport can't be counted",
        "this regular expression does not parse",
    ]);
}

/// Elements and roles of every kind that a browser tells apart.
const EVERY_KIND: &str = r#"<!doctype html><html lang=en><title>All</title><main><h1>h</h1><article>a</article><section aria-label=s>s</section>
  <nav>n</nav><aside>a</aside><search>s</search><address>a</address><header>h</header><footer>f</footer><hgroup><h2>h</h2></hgroup>
  <p><abbr title=a>a</abbr> <code>c</code> <del>d</del> <ins>i</ins> <em>e</em> <strong>s</strong> <mark>m</mark> <sub>s</sub> <sup>s</sup> <time>t</time> <dfn>d</dfn>
  <ruby>漢<rt>kan</rt></ruby><blockquote>b</blockquote><pre>p</pre><output>o</output><hr><label>l <input></label>
  <input type=search><input type=number><input type=range><input type=date><input type=time><input type=datetime-local><input type=color><input type=file>
  <input type=checkbox><input type=radio><input type=image alt=i><input list=d><datalist id=d><option>o</datalist><textarea></textarea><progress></progress>
  <meter value=.4></meter><select><option>a<optgroup label=g><option>b</optgroup></select><select multiple><option>m</select>
  <details open><summary>s</summary>x</details><details name=n><summary>s</summary>x</details><dl><dt>t<dd>d</dl><ul><li>a</ul>
  <table><caption>c</caption><thead><tr><th>h<tbody><tr><th scope=row>r<td>d</table><table><tr><td>layout</table>
  <fieldset><legend>l</legend></fieldset><figure><img alt=z><figcaption>f</figcaption></figure><iframe srcdoc=i title=f></iframe><img alt=a>
  <svg aria-label=s width=9 height=9><g><title>t</title></g><text y=9>x</text></svg><canvas>c</canvas><video controls></video><audio controls></audio>
  <math><mfrac><mi>a</mi><mn>2</mn></mfrac><msqrt><mi>x</mi></msqrt><mtable><mtr><mtd>1</mtd></mtr></mtable><mo>+</mo></math>
  <object data=x></object><embed src=x.pdf><button aria-haspopup=menu>h</button><button aria-pressed=true>t</button><dialog open>d</dialog>
  <div role=alert>a</div><div role=alertdialog>a</div><div role=application>a</div><div role=feed>f</div><div role=grid><div role=row><div role=gridcell>g</div></div></div>
  <div role=log>l</div><div role=menubar><div role=menuitem>m</div><div role=menuitemcheckbox>m</div><div role=menuitemradio>m</div></div><div role=menu>m</div>
  <div role=marquee>m</div><div role=note>n</div><div role=img aria-label=i>i</div><div role=radiogroup>r</div><div role=scrollbar>s</div><div role=spinbutton>s</div>
  <div role=status>s</div><div role=switch>s</div><div role=tablist><div role=tab>t</div></div><div role=tabpanel>t</div><div role=timer>t</div><div role=toolbar>t</div>
  <div role=tooltip>t</div><div role=tree><div role=treeitem>t</div></div><div role=treegrid>t</div><div role=suggestion>s</div><div role=comment>c</div>
  <div role=doc-toc>d</div><div role=doc-chapter aria-label=c>d</div><div role=doc-noteref>d</div><div role=graphics-symbol aria-label=g>g</div></main>"#;

#[test]
fn every_role_that_a_browser_gives_may_be_written() {
    let project = Project::new();
    project.write("all.html", EVERY_KIND);
    let read = project.run(&["read", "all.html", "--max-chars", "200000"]).expect_code(0);
    let lines = read.out.lines().filter(|line| !line.trim_start().starts_with(['[', '"']));
    let roles: std::collections::BTreeSet<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(roles.len() > 80 && roles.contains("image") && roles.contains("SvgRoot"), "{roles:?}");
    let steps: String = roles.iter().map(|role| format!("  - assert-tree-contains: |\n      {role}\n")).collect();
    project.write("roles.yaml", &format!("pages: {{ /: hi }}\nsteps:\n  - open: /\n{steps}"));
    project.run(&["check", "roles.yaml"]).expect_code(0);
}

#[test]
fn a_role_that_no_browser_gives_is_told_when_it_only_comes_while_playing() {
    for step in
        ["assert-tree-lacks: \"{{ role }} 'x'\"", "assert-tree-lacks: \"{{ role }}\"", "assert: count(role ~ '') == 0"]
    {
        let project = Project::new();
        let text = format!("pages: {{ /: hi }}\nvariables: {{ role: img }}\nsteps:\n  - open: /\n  - {step}\n");
        project.write("a.yaml", &text.replace("'x'", "[disabled]"));
        let ran = project.run(&["run", "a.yaml"]);
        assert!(ran.code != Some(0) && ran.all().contains("there is no role `img`"), "{step}: {}", ran.all());
    }
}
