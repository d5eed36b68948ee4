//! The switches that a browser is launched with, each with its reason.

use std::ffi::OsString;

/// A switch and why it is there.
#[derive(Debug, Clone, Copy)]
pub struct Switch {
    /// As it stands on the command line.
    pub text: &'static str,
    /// When it is given.
    pub when: When,
    /// Why.
    pub reason: &'static str,
}

/// When a switch is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Always.
    Always,
    /// Without a window.
    Headless,
    /// Chrome cannot start with its sandbox here, or the user does not want it.
    NoSandbox,
    /// The shared memory of this machine is small.
    SmallSharedMemory,
}

const fn always(text: &'static str, reason: &'static str) -> Switch {
    Switch { text, when: When::Always, reason }
}

const fn headless(text: &'static str, reason: &'static str) -> Switch {
    Switch { text, when: When::Headless, reason }
}

/// All of them. Isolation of sites, the limits of storage and the checks of certificates stay as
/// users have them.
pub const SWITCHES: &[Switch] = &[
    // How it is spoken to, and how it begins and ends.
    always("--no-startup-window", "no tab that nobody asked for; saves a process"),
    always("--no-first-run", "no page of welcome"),
    always("--no-default-browser-check", "no question whether to be the default browser"),
    always(
        "--enable-automation",
        "no questions to save passwords or restore pages; pages are told by `navigator.webdriver`",
    ),
    Switch { text: "--headless", when: When::Headless, reason: "no window" },
    always("--disable-breakpad", "no crash reporter, which would live in a session of its own and outlive the run"),
    always("--disable-crash-reporter", "the same for the headless shell"),
    always("--password-store=basic", "no question by the keyring of the desktop"),
    always("--use-mock-keychain", "the same on macOS"),
    always("--disable-prompt-on-repost", "no question that nobody could answer"),
    always("--disable-hang-monitor", "the same"),
    always("--disable-search-engine-choice-screen", "the same"),
    // A browser under test speaks to the pages under test only.
    always(
        "--disable-background-networking",
        "no requests of the browser's own, which cost time and fail on closed networks",
    ),
    always("--disable-component-update", "the same"),
    always("--disable-sync", "the same"),
    always("--disable-domain-reliability", "the same"),
    always("--disable-client-side-phishing-detection", "the same"),
    always("--metrics-recording-only", "the same: figures about its use are not sent"),
    always("--disable-default-apps", "nothing is installed at the first start of a profile"),
    always("--disable-extensions", "extensions of the system change pages"),
    always(
        "--disable-component-extensions-with-background-pages",
        "extensions that come with the browser cost processes",
    ),
    always("--disable-field-trial-config", "the features that users have, not those of a trial"),
    always("--disable-features=Translate", "no bubble over the page"),
    always(
        "--disable-features=MediaRouter",
        "no search for devices in the network, which asks for permission on some systems",
    ),
    always("--disable-features=OptimizationHints", "no requests of the browser's own"),
    always("--disable-features=HttpsUpgrades", "a page under http is asked for under http, at once"),
    // Several tabs at work side by side.
    always("--disable-background-timer-throttling", "tabs that are not in front run as fast as the one that is"),
    always("--disable-backgrounding-occluded-windows", "the same for windows behind others"),
    always("--disable-renderer-backgrounding", "the same for their processes"),
    always(
        "--disable-ipc-flooding-protection",
        "a page that plays hundreds of moves a second may use its history as often",
    ),
    // What a page may do.
    always("--disable-popup-blocking", "a pop-up that a script opens is seen, not swallowed"),
    always("--disable-back-forward-cache", "going back loads the page, each time the same way"),
    always("--allow-pre-commit-input", "input that comes before a new page's first picture is taken, not dropped"),
    headless(
        "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
        "pages see a mouse, as with a window",
    ),
    headless("--mute-audio", "nobody listens"),
    Switch {
        text: "--enable-unsafe-swiftshader",
        when: When::Headless,
        reason: "WebGL works without a graphics card; the pages are the user's own",
    },
    // The same page everywhere.
    always(
        "--lang=en-US",
        "the browser's own words, such as those about a field that is not filled in, in one language",
    ),
    always("--force-color-profile=srgb", "the same colours on every screen"),
    headless("--font-render-hinting=none", "letters in the same places on every system"),
    headless("--disable-lcd-text", "letters without coloured edges, which depend on the screen"),
    headless("--hide-scrollbars", "scroll bars differ in width between systems, and would be in pictures"),
    headless("--window-size=1280,720", "the size that pages are given, from the start"),
    always(
        "--enable-blink-features=ComputedAccessibilityInfo",
        "role and name of an element can be asked for in the page, ten times faster than by the protocol",
    ),
    // This machine.
    Switch {
        text: "--disable-gpu",
        when: When::Headless,
        reason: "the graphics card, where there is one, is not tried: the same pictures everywhere, and a quicker start",
    },
    Switch {
        text: "--no-sandbox",
        when: When::NoSandbox,
        reason: "Chrome does not start with its sandbox as root or without user namespaces",
    },
    Switch {
        text: "--disable-dev-shm-usage",
        when: When::SmallSharedMemory,
        reason: "tabs crash when /dev/shm is full, as the 64 MB of a container soon are; the temporary folder is used instead",
    },
];

/// What the choice of switches depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    pub(super) headed: bool,
    pub(super) sandbox: bool,
    pub(super) small_shared_memory: bool,
}

/// Switches of which Chrome heeds only the last one given, and whose values are lists.
const LISTS: &[&str] = &[
    "--disable-features",
    "--enable-features",
    "--disable-blink-features",
    "--enable-blink-features",
    "--blink-settings",
];

/// The command line for this setting, with the user's own switches at its end.
pub(super) fn command_line(setting: Setting, extra: &[String]) -> Vec<OsString> {
    let given = |switch: &&Switch| match switch.when {
        When::Always => true,
        When::Headless => !setting.headed,
        When::NoSandbox => !setting.sandbox,
        When::SmallSharedMemory => setting.small_shared_memory,
    };
    let ours = SWITCHES.iter().filter(given).map(|switch| switch.text);
    let mut line: Vec<OsString> = Vec::new();
    let mut lists: Vec<(&str, Vec<&str>)> = Vec::new();
    for text in ours.chain(extra.iter().map(String::as_str)) {
        match text.split_once('=') {
            Some((name, value)) if LISTS.contains(&name) => match lists.iter_mut().find(|(list, _)| *list == name) {
                Some((_, values)) => values.push(value),
                None => lists.push((name, vec![value])),
            },
            _ => line.push(text.into()),
        }
    }
    line.extend(lists.into_iter().map(|(name, values)| format!("{name}={}", values.join(",")).into()));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Setting = Setting { headed: false, sandbox: true, small_shared_memory: false };

    fn texts(setting: Setting, extra: &[&str]) -> Vec<String> {
        let extra: Vec<String> = extra.iter().map(ToString::to_string).collect();
        command_line(setting, &extra).into_iter().map(|text| text.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn every_switch_has_a_reason_and_stands_once() {
        for (index, switch) in SWITCHES.iter().enumerate() {
            assert!(switch.text.starts_with("--"), "{}", switch.text);
            assert!(!switch.reason.is_empty(), "{} has no reason", switch.text);
            assert!(SWITCHES[..index].iter().all(|other| other.text != switch.text), "{} stands twice", switch.text);
        }
    }

    #[test]
    fn lists_are_joined_since_only_the_last_one_counts() {
        let line = texts(PLAIN, &["--disable-features=Mine", "--enable-features=A", "--enable-features=B"]);
        let disabled: Vec<&String> = line.iter().filter(|text| text.starts_with("--disable-features=")).collect();
        assert_eq!(disabled, ["--disable-features=Translate,MediaRouter,OptimizationHints,HttpsUpgrades,Mine"]);
        assert!(line.contains(&"--enable-features=A,B".to_owned()));
    }

    #[test]
    fn the_sandbox_stays_on_unless_it_cannot() {
        assert!(!texts(PLAIN, &[]).contains(&"--no-sandbox".to_owned()));
        assert!(texts(Setting { sandbox: false, ..PLAIN }, &[]).contains(&"--no-sandbox".to_owned()));
    }

    #[test]
    fn a_window_has_its_scroll_bars() {
        assert!(texts(PLAIN, &[]).contains(&"--hide-scrollbars".to_owned()));
        let headed = texts(Setting { headed: true, ..PLAIN }, &[]);
        assert!(!headed.contains(&"--hide-scrollbars".to_owned()) && !headed.contains(&"--headless".to_owned()));
    }
}
