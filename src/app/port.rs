//! Ports: one that is free, and whether one is taken.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::time::Duration;

use tokio::net::{TcpStream, lookup_host};
use url::{Host, Url};

/// How long a connection to a port of this machine may take. One that takes longer is nobody's.
const CONNECTING: Duration = Duration::from_secs(1);
/// How many ports are tried. Each is one that was free on 127.0.0.1 a moment ago.
const TRIES: usize = 64;

/// A port of loopback that nobody listens at now. Nobody holds it either, until the application does.
pub(super) fn free() -> io::Result<u16> {
    for _ in 0..TRIES {
        let four = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = four.local_addr()?.port();
        // `localhost` is both; a machine without IPv6 has the one only.
        match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            _ => return Ok(port),
        }
    }
    Err(io::ErrorKind::AddrInUse.into())
}

/// Whether somebody listens where the address leads.
pub(super) async fn is_taken(url: &Url) -> bool {
    let Some(port) = url.port_or_known_default() else { return false };
    let addresses: Vec<_> = match url.host() {
        Some(Host::Ipv4(address)) => vec![(address, port).into()],
        Some(Host::Ipv6(address)) => vec![(address, port).into()],
        Some(Host::Domain(name)) if is_local(name) => {
            vec![(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()]
        }
        Some(Host::Domain(name)) => lookup_host((name, port)).await.map(Iterator::collect).unwrap_or_default(),
        None => Vec::new(),
    };
    for address in addresses {
        if matches!(tokio::time::timeout(CONNECTING, TcpStream::connect(address)).await, Ok(Ok(_))) {
            return true;
        }
    }
    false
}

/// Whether browsers take this name for the machine itself (RFC 6761), although its own resolver may not know it:
/// `shop.localhost`.
fn is_local(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

/// Whether an address leads to the machine itself.
pub(super) fn is_of_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_local(name),
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
        Some(Host::Ipv6(address)) => address.is_loopback() || address.is_unspecified(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[tokio::test]
    async fn a_port_is_taken_as_long_as_somebody_listens() {
        let port = free().unwrap();
        let hosts = ["localhost", "shop.localhost", "127.0.0.1"];
        let urls = hosts.map(|host| format!("http://{host}:{port}/a"));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).unwrap();
        for url in &urls {
            assert!(is_taken(&Url::parse(url).unwrap()).await, "{url}");
        }
        drop(listener);
        for url in &urls {
            assert!(!is_taken(&Url::parse(url).unwrap()).await, "{url}");
        }
    }
}
