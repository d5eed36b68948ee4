//! Installing a browser: Chrome for Testing's headless shell into our own folder, or, where that is
//! out of reach, one of the system's packages.

mod cache;
mod checksum;
mod download;
mod error;
mod flow;
mod index;
mod packages;
mod progress;
mod unpack;

pub use cache::installed;
pub use error::InstallError;
pub use flow::{Installed, install, install_in};
pub use progress::Progress;

#[cfg(all(test, unix))]
mod tests;
