//! How good the network is.

use crate::cdp::network::EmulateNetworkConditions;

/// How good the network is that the pages of a context see.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Network {
    /// As it is.
    #[default]
    Online,
    /// There is none.
    Offline,
    /// As slow as a phone in a bad place.
    Slow,
}

impl Network {
    pub(super) fn command(self) -> EmulateNetworkConditions {
        let free = EmulateNetworkConditions {
            offline: false,
            latency: 0.0,
            download_throughput: -1.0,
            upload_throughput: -1.0,
        };
        match self {
            Network::Online => free,
            Network::Offline => EmulateNetworkConditions { offline: true, ..free },
            // What Chrome's own tools call "Slow 4G": 1.6 Mbit/s down and 750 kbit/s up, of which nine tenths arrive, and 150 ms there and
            // back, which with name look-up and handshakes make 562.5 ms.
            Network::Slow => EmulateNetworkConditions {
                offline: false,
                latency: 562.5,
                download_throughput: 180_000.0,
                upload_throughput: 84_375.0,
            },
        }
    }
}
