//! The columns that all lines of a run share: what, how long, which file, and then words.

use std::path::Path;
use std::time::Duration;

use console::{measure_text_width, truncate_str};

use super::super::visible_line;

/// Columns of `PASS [  0.31s]`, which is also the indent of what stands below it.
const STATUS: usize = 14;
/// The file column at the start; it grows with longer names.
const NARROWEST: usize = 18;
/// Files in this folder are named without it: it is where scenarios live.
const HOME: &str = "scenarios";

/// Widths that all lines share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    file: usize,
    widest: usize,
}

impl Columns {
    pub(super) fn new(width: Option<usize>) -> Self {
        // A name may take two fifths of the screen; the rest is for what happens.
        let widest = width.map_or(48, |width| (width * 2 / 5).clamp(8, 48));
        Self { file: NARROWEST.min(widest), widest }
    }

    /// Makes room for a name: lines that follow are aligned to it.
    pub(super) fn learn(&mut self, file: &Path) {
        self.file = self.file.max(measure_text_width(&short(file)).min(self.widest));
    }

    /// The file, padded or with its beginning left out.
    pub(super) fn file(&self, file: &Path) -> String {
        self.fit(&short(file))
    }

    /// Any text in the file column.
    pub(super) fn fit(&self, text: &str) -> String {
        let width = measure_text_width(text);
        if width <= self.file {
            return format!("{text}{}", " ".repeat(self.file - width));
        }
        // The end of a path tells more than its beginning.
        let mut from = text.char_indices().map(|(at, _)| at);
        let tail = from.find(|at| measure_text_width(&text[*at..]) < self.file).map_or("", |at| &text[at..]);
        let cut = format!("…{tail}");
        let missing = self.file.saturating_sub(measure_text_width(&cut));
        format!("{cut}{}", " ".repeat(missing))
    }
}

/// The file as it is named in a line: without the folder where scenarios live.
fn short(file: &Path) -> String {
    let shown = file.strip_prefix("./").unwrap_or(file);
    let shown = shown.strip_prefix(HOME).ok().filter(|rest| !rest.as_os_str().is_empty()).unwrap_or(shown);
    visible_line(&shown.display().to_string()).into_owned()
}

/// The time behind a label: `PASS [  0.31s]`, `FLAKY [ 1.02s]`; both together are always as wide, so that what follows
/// is aligned.
pub(super) fn time(label: &str, took: Option<Duration>) -> String {
    let room = STATUS.saturating_sub(label.len() + 3);
    let time = took.map_or_else(|| "-".to_owned(), |took| format!("{:.2}s", took.as_secs_f64()));
    format!("[{time:>room$}]")
}

/// A label that stands where a status stands, without a time.
pub(super) fn label(label: &str) -> String {
    format!("{label:<STATUS$}")
}

/// Cuts a line to the terminal, if there is one, so that it does not wrap.
pub(super) fn cut(line: &str, width: Option<usize>) -> String {
    match width {
        Some(width) => truncate_str(line, width, "…").into_owned(),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_always_as_wide() {
        let took = |ms| Some(Duration::from_millis(ms));
        assert_eq!(time("PASS", took(310)), "[  0.31s]");
        assert_eq!(time("FLAKY", took(1020)), "[ 1.02s]");
        assert_eq!(time("FAIL", took(125_310)), "[125.31s]");
        assert_eq!(time("SKIP", None), "[      -]");
        assert_eq!(label("NOTE"), "NOTE          ");
    }

    #[test]
    fn names_are_aligned_and_long_ones_lose_their_beginning() {
        let mut columns = Columns::new(Some(60));
        assert_eq!(columns.file(Path::new("scenarios/login.yaml")), "login.yaml        ");
        assert_eq!(columns.file(Path::new("./scenarios/login.yaml")), "login.yaml        ");
        columns.learn(Path::new("deep/down/in/another/folder/checkout.yaml"));
        let deep = Path::new("deep/down/in/another/folder/checkout.yaml");
        assert_eq!(columns.file(deep), "…er/folder/checkout.yaml");
        assert_eq!(columns.file(Path::new("a.yaml")).len(), 24);
    }

    #[test]
    fn wide_characters_count_as_two() {
        let columns = Columns::new(None);
        assert_eq!(measure_text_width(&columns.file(Path::new("登录.yaml"))), 18);
        let long = "登录登录登录登录登录登录.yaml";
        assert_eq!(measure_text_width(&columns.file(Path::new(long))), 18);
    }

    #[test]
    fn a_file_called_like_the_folder_keeps_its_name() {
        assert_eq!(short(Path::new("scenarios")), "scenarios");
        assert_eq!(short(Path::new("other/scenarios/a.yaml")), "other/scenarios/a.yaml");
    }

    #[test]
    fn lines_are_cut_only_for_a_terminal() {
        assert_eq!(cut("a long line", Some(6)), "a lon…");
        assert_eq!(cut("a long line", None), "a long line");
    }
}
