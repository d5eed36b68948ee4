//! What stands around the page: the network, dialogs, storage, the window, scripts.

pub(super) mod dialog;
pub(super) mod mock;
pub(super) mod network;
pub(super) mod resize;
pub(super) mod script;
pub(super) mod state;

mod body;
mod files;

pub(super) use body::JsonBody;
pub(super) use files::{beside, writable, write};
pub(super) use mock::{filled, headers, method};
