//! Flags about the browser, the same for every command that starts one.

use std::path::PathBuf;

use clap::Args;
use clap::builder::FalseyValueParser;

use crate::browser::{LaunchOptions, Sandbox};
use crate::run::project_file;
use crate::scenario::Problems;

use super::paths;

/// Which browser.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Browser")]
pub(super) struct WhichBrowser {
    /// Show the browser in a window
    #[arg(long, env = "PLAYSCRIPT_HEADED", hide_env = true, value_parser = FalseyValueParser::new())]
    headed: bool,

    // `PLAYSCRIPT_CHROME` is read where the browser is searched for, which then says who named it.
    /// The Chrome, Chromium, Edge or headless shell to use [default: the first that is found]
    #[arg(long, value_name = "PATH")]
    chrome: Option<PathBuf>,
}

impl WhichBrowser {
    /// The flags as the browser room wants them.
    pub(super) fn launch_options(&self) -> LaunchOptions {
        // What is wrong with the file is told by the commands that are about scenarios.
        let configured =
            project_file(&paths::here().project, &mut Problems::default()).chrome.map(|chrome| chrome.value);
        LaunchOptions { program: self.chrome.clone(), configured, headed: self.headed, ..LaunchOptions::default() }
    }
}

/// Which browser, and how it is started.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Browser")]
pub(super) struct BrowserFlags {
    #[command(flatten)]
    which: WhichBrowser,

    /// Install a browser first if the machine has none
    #[arg(long, env = "PLAYSCRIPT_INSTALL_BROWSER", hide_env = true, value_parser = FalseyValueParser::new())]
    pub(super) install_browser: bool,

    /// Start Chrome without its sandbox; done by itself where Chrome cannot start with it
    #[arg(long, env = "PLAYSCRIPT_NO_SANDBOX", hide_env = true, value_parser = FalseyValueParser::new())]
    no_sandbox: bool,

    /// Start Chrome with its sandbox, come what may
    #[arg(long, overrides_with = "no_sandbox")]
    sandbox: bool,
}

impl BrowserFlags {
    /// The flags as the browser room wants them.
    pub(super) fn launch_options(&self) -> LaunchOptions {
        LaunchOptions {
            sandbox: match (self.sandbox, self.no_sandbox) {
                // A flag wins over the environment.
                (true, _) => Sandbox::On,
                (_, true) => Sandbox::Off,
                _ => Sandbox::Auto,
            },
            ..self.which.launch_options()
        }
    }
}
