//! Launching a browser.

use std::ffi::OsString;
use std::time::Duration;

use tokio::time::Instant;

use super::machine::{self, Machine, NO_SANDBOX_HERE};
use super::process::{Process, spawn};
use super::profile::Profile;
use super::running::{Browser, Launched};
use super::switches::{Setting, command_line};
use super::targets::Targets;
use super::workdir::{Place, sweep};
use super::{BrowserError, Found, Kind, LaunchOptions, Sandbox, find, product};
use crate::cdp::browser::{GetVersion, Version};
use crate::cdp::{CallError, Connection, LastWords};
use crate::process::{Phase, Said};

/// How long the last words of a browser that has gone are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The code with which Chrome ends when another one uses its profile.
const PROFILE_IN_USE: &str = "exited with code 21";

impl Browser {
    /// Launches a browser: a fresh profile in a temporary folder, unless the options name one.
    pub async fn launch(options: &LaunchOptions, deadline: Instant) -> Result<Browser, BrowserError> {
        let found = find(options)?;
        sweep_once();
        let mut machine = machine::look(options.sandbox);
        let started = start(&found, options, &machine, deadline).await;
        match started {
            // Some hindrances show only when Chrome tries.
            Err(BrowserError::ExitedAtOnce { said, .. })
                if options.sandbox == Sandbox::Auto && machine.sandbox && machine::blames_the_sandbox(&said) =>
            {
                machine.sandbox = false;
                machine.notices.push(NO_SANDBOX_HERE.to_owned());
                start(&found, options, &machine, deadline).await
            }
            started => started,
        }
    }
}

async fn start(
    found: &Found,
    options: &LaunchOptions,
    machine: &Machine,
    deadline: Instant,
) -> Result<Browser, BrowserError> {
    let begun = Instant::now();
    let claimed = options.profile.as_deref().map(Profile::claim).transpose()?;
    let keeps_profile = claimed.is_some();
    let place = Place::choose(found.kind == Kind::Full);
    let own = claimed.as_ref().map(|profile| profile.path().to_owned());
    let profile = own.unwrap_or_else(|| place.profile());

    let setting =
        Setting { headed: options.headed, sandbox: machine.sandbox, small_shared_memory: machine.small_shared_memory };
    let mut arguments = command_line(setting, &options.extra_args);
    let mut user_data = OsString::from("--user-data-dir=");
    user_data.push(&profile);
    arguments.push(user_data);

    let (process, said, connection) = spawn(&found.path, arguments, place, claimed, deadline).await?;
    connection.set_last_words(last_words(&process, &said));
    let launched = Launched { process, profile, keeps_profile };
    let version = first_answer(&connection, found, &launched, &said, begun, deadline).await?;
    let targets = Targets::follow(&connection, deadline).await?;
    Ok(Browser {
        connection,
        targets,
        launched: Some(launched),
        product: product::name(found.brand(), &version.product),
        version: product::version(&version.product).to_owned(),
        notices: machine.notices.clone(),
        windows: found.kind == Kind::Full,
    })
}

/// Proves that the program is a browser.
async fn first_answer(
    connection: &Connection,
    found: &Found,
    launched: &Launched,
    said: &Said,
    begun: Instant,
    deadline: Instant,
) -> Result<Version, BrowserError> {
    let path = found.path.clone();
    match connection.root().call(&GetVersion {}, deadline).await {
        Ok(version) => Ok(version),
        Err(CallError::Gone { .. }) => {
            let phase = launched.process.phase();
            let how = phase.borrow().how().unwrap_or("closed its pipe").to_owned();
            if launched.keeps_profile && how == PROFILE_IN_USE {
                let holder = "another browser".to_owned();
                return Err(BrowserError::ProfileInUse { profile: launched.profile.clone(), holder });
            }
            let how = how.replacen("exited", "exited at once", 1);
            Err(BrowserError::ExitedAtOnce { path, how, said: said.last_lines() })
        }
        Err(CallError::TimedOut { .. }) => {
            Err(BrowserError::NoAnswer { path, waited: begun.elapsed(), said: said.last_lines() })
        }
        Err(error) => Err(error.into()),
    }
}

/// What runs before this one have left, once a process: it is not worth a look at the temporary
/// folder for each browser.
fn sweep_once() {
    static SWEPT: std::sync::Once = std::sync::Once::new();
    SWEPT.call_once(|| {
        // Nobody waits for it.
        let _ = std::thread::Builder::new().name("sweeping".to_owned()).spawn(sweep);
    });
}

/// What the browser said last and how it ended; both may come a moment after its pipe has closed.
fn last_words(process: &Process, said: &Said) -> LastWords {
    let (phase, said) = (process.phase(), said.clone());
    Box::new(move || {
        let (mut phase, said) = (phase.clone(), said.clone());
        Box::pin(async move {
            let all = async {
                let _ = phase.wait_for(|phase| *phase != Phase::Running).await;
                said.finished().await;
            };
            let _ = tokio::time::timeout(LAST_WORDS, all).await;
            let how = format!("it {}", phase.borrow().how().unwrap_or("closed its pipe"));
            match said.last_lines() {
                lines if lines.is_empty() => how,
                lines => format!("{how}\nit said last: {lines}"),
            }
        })
    })
}
