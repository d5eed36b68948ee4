//! Fetching over HTTP.

use std::io::{Read, Write};
use std::time::Duration;

use ureq::Agent;
use ureq::http::Response;
use url::{Host, Url};

use super::checksum::{Checksums, Wrong};
use super::index::INDEX;
use super::{InstallError, Progress};

/// How long a server may take to be reached.
const REACHING: Duration = Duration::from_secs(15);
/// How long a server may say nothing.
const SILENCE: Duration = Duration::from_secs(60);
/// A list of versions has some 20 kB.
const LONGEST_INDEX: u64 = 16 << 20;

/// Fetches from the servers of Chrome for Testing, or from a mirror with the same paths.
pub(super) struct Downloads {
    mirror: Option<Url>,
    agent: Agent,
}

impl Downloads {
    pub(super) fn new(mirror: Option<&str>) -> Result<Downloads, InstallError> {
        let mirror = mirror.map(address).transpose()?;
        let mut config = Agent::config_builder()
            .timeout_connect(Some(REACHING))
            .timeout_recv_response(Some(SILENCE))
            .timeout_per_read(Some(SILENCE));
        // A mirror on this machine is not behind the proxy of the environment.
        if mirror.as_ref().is_some_and(is_loopback) {
            config = config.proxy(None);
        }
        Ok(Downloads { mirror, agent: config.build().into() })
    }

    /// Where the list of versions is.
    pub(super) fn index(&self) -> String {
        self.here(INDEX)
    }

    /// The same file on the mirror, if there is one.
    pub(super) fn here(&self, url: &str) -> String {
        let (Some(mirror), Ok(parsed)) = (&self.mirror, Url::parse(url)) else {
            return url.to_owned();
        };
        format!("{}{}", mirror.as_str().trim_end_matches('/'), parsed.path())
    }

    pub(super) fn text(&self, url: &str) -> Result<Vec<u8>, InstallError> {
        let mut body = Vec::new();
        let mut reader = self.get(url)?.into_body().into_with_config().limit(LONGEST_INDEX).reader();
        reader.read_to_end(&mut body).map_err(|error| out_of_reach(url, &error.to_string()))?;
        Ok(body)
    }

    /// Writes the file and holds it against the checksums that its server announces; how many those
    /// were.
    pub(super) fn file(
        &self,
        url: &str,
        to: &mut impl Write,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<usize, InstallError> {
        let response = self.get(url)?;
        let announced: Vec<String> = response
            .headers()
            .get_all("x-goog-hash")
            .into_iter()
            .filter_map(|value| Some(value.to_str().ok()?.to_owned()))
            .collect();
        let total = response.body().content_length();
        let mut reader = response.into_body().into_reader();
        let mut sums = Checksums::default();
        let mut bytes = 0;
        let mut chunk = vec![0; 256 << 10];
        loop {
            let length = reader.read(&mut chunk).map_err(|error| out_of_reach(url, &error.to_string()))?;
            if length == 0 {
                break;
            }
            to.write_all(&chunk[..length])
                .map_err(|error| out_of_reach(url, &format!("cannot be written: {error}")))?;
            sums.update(&chunk[..length]);
            bytes += length as u64;
            progress(Progress::Downloaded { bytes, total });
        }
        if let Some(total) = total.filter(|total| *total != bytes) {
            return Err(out_of_reach(url, &format!("it was cut off after {bytes} of {total} bytes")));
        }
        sums.check(announced.iter().map(String::as_str)).map_err(|Wrong { kind, announced, found }| {
            InstallError::WrongChecksum { url: url.to_owned(), kind, announced, found }
        })
    }

    fn get(&self, url: &str) -> Result<Response<ureq::Body>, InstallError> {
        self.agent.get(url).call().map_err(|error| match error {
            ureq::Error::StatusCode(status) => out_of_reach(url, &format!("the server answers with status {status}")),
            error => out_of_reach(url, &error.to_string()),
        })
    }
}

fn address(mirror: &str) -> Result<Url, InstallError> {
    let full = if mirror.contains("://") { mirror.to_owned() } else { format!("https://{mirror}") };
    let bad =
        |error: url::ParseError| out_of_reach(mirror, &format!("PLAYSCRIPT_DOWNLOAD_HOST is no address: {error}"));
    Url::parse(&full).map_err(bad)
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn out_of_reach(url: &str, reason: &str) -> InstallError {
    InstallError::OutOfReach { url: url.to_owned(), reason: reason.to_owned() }
}
