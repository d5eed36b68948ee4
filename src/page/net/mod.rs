//! What the pages of a context ask for over the network, and what stands in its way: mocks, passwords, a bad connection.

mod answer;
mod conditions;
mod downloads;
mod intercept;
mod mock;
mod sent;
mod traffic;
mod worker;

pub use answer::origin_of;
pub use conditions::Network;
pub use downloads::{Download, DownloadState};
pub use mock::{Mock, MockAnswer};
pub use sent::{Sent, Went};
pub use traffic::Traffic;

pub(super) use downloads::Folder;
pub(super) use worker::watch as watch_worker;
