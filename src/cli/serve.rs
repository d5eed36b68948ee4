//! `playscript serve`: a folder as scenarios that `serve` it have it, until it is stopped.

use std::io::ErrorKind;
use std::path::PathBuf;

use clap::Args;
use tokio::time::Instant;

use crate::scenario::Diagnostic;
use crate::site::{Site, SiteSpec};

use super::failure::Failure;
use super::outcome::Outcome;
use super::{say, signals, visit};

/// Serve a folder on this machine, as scenarios that `serve` it have it
///
/// Prints its address, and serves until it is stopped (Ctrl-C): to look at the pages of a scenario by hand, or as the
/// application of scenarios (`app: { start: playscript serve site, url: "http://127.0.0.1:0" }`).
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript serve site                 at a port that is free (or at that of PORT)
  playscript serve site --port 8080     at this one

Exit codes: 0 stopped, 2 there is no such folder, 3 the port is taken")]
pub(super) struct Flags {
    /// The folder
    #[arg(default_value = ".")]
    folder: PathBuf,

    /// The port [default: that of the environment's PORT, else one that is free]
    #[arg(long, short, value_name = "NUMBER", env = "PORT", hide_env = true)]
    port: Option<u16>,
}

pub(super) fn run(flags: &Flags) -> Result<Outcome, Failure> {
    let shown = flags.folder.display();
    if !flags.folder.is_dir() {
        let what = if flags.folder.exists() { "is no folder" } else { "is not there" };
        let next = "name a folder that holds pages: playscript serve site";
        return Err(Failure::wrong(Diagnostic::new(format!("{shown} {what}")).next(next)));
    }
    visit::runtime()?.block_on(async {
        let mut stop = signals::stop();
        let spec = SiteSpec { folder: Some(flags.folder.clone()), ..SiteSpec::default() };
        let site = Site::start_at(spec, flags.port).await.map_err(|error| match (error.kind(), flags.port) {
            (ErrorKind::AddrInUse, Some(port)) => Failure::world(
                Diagnostic::new(format!("port {port} is taken"))
                    .next("end what listens there, or leave `--port` out for one that is free"),
            ),
            _ => Failure::world(
                Diagnostic::new(format!("the folder {shown} can't be served"))
                    .detail("the system says", error.to_string()),
            ),
        })?;
        say::out(&format!("{}/", site.base()))?;
        // Without signals nothing ever stops it.
        if stop.wait_for(|stop| *stop).await.is_err() {
            std::future::pending::<()>().await;
        }
        site.close(Instant::now()).await;
        Ok(Outcome::Passed)
    })
}
