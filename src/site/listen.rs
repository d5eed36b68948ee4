//! One port on both loopback addresses.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};

use tokio::net::TcpListener;

/// How many ports are tried. Each is one that was free on 127.0.0.1 a moment ago.
const TRIES: usize = 64;

/// Listens on 127.0.0.1 and, where the machine has it, on `[::1]` at the same port.
///
/// Browsers resolve `localhost` to both addresses by themselves and may try `[::1]` first. If another process held that
/// port there, the second origin would silently be a stranger's pages; so a port counts as free only if it is free on both.
/// A machine without IPv6 gets one listener: its browser falls back to 127.0.0.1.
///
/// A port that is asked for has to be free on both.
pub(super) async fn listen(asked: Option<u16>) -> io::Result<(u16, Vec<TcpListener>)> {
    if let Some(port) = asked.filter(|port| *port != 0) {
        let four = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        return match TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
            Ok(six) => Ok((port, vec![four, six])),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
            Err(_) => Ok((port, vec![four])),
        };
    }
    let mut taken = None;
    for _ in 0..TRIES {
        let four = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = four.local_addr()?.port();
        match TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await {
            Ok(six) => return Ok((port, vec![four, six])),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => taken = Some(error),
            Err(_) => return Ok((port, vec![four])),
        }
    }
    Err(taken.unwrap_or_else(|| io::ErrorKind::AddrInUse.into()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn both_addresses_share_the_port() {
        let (port, listeners) = listen(None).await.unwrap();
        assert!(!listeners.is_empty());
        for listener in &listeners {
            assert_eq!(listener.local_addr().unwrap().port(), port);
            assert!(listener.local_addr().unwrap().ip().is_loopback());
        }
        let has_six = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).await.is_ok();
        assert_eq!(listeners.len(), if has_six { 2 } else { 1 });
        assert_eq!(listen(Some(port)).await.unwrap_err().kind(), io::ErrorKind::AddrInUse);
        drop(listeners);
        assert_eq!(listen(Some(port)).await.unwrap().0, port);
    }
}
