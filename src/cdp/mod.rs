//! The DevTools protocol: bytes to replies and events.
//!
//! A [`Connection`] is one browser, over one of two transports ([`pipe`] for a browser that was
//! launched, [`websocket`] for one that was connected to). A [`Session`] is one target of it.
//! Commands are small typed structs, one file a domain, and only those in use.

pub mod accessibility;
pub mod browser;
pub mod dom;
pub mod emulation;
pub mod fetch;
pub mod input;
pub mod inspector;
pub mod log;
pub mod network;
pub mod page;
pub mod runtime;
pub mod storage;
pub mod target;

mod command;
mod connection;
mod error;
mod event;
mod message;
mod pipe;
mod session;
mod websocket;

pub use command::{Command, Empty};
pub use connection::{Connection, LastWords, WeakConnection};
pub use error::CallError;
pub use event::{Event, Events};
pub use message::ReplyText;
pub use session::{Pending, Session};
pub use websocket::ConnectError;

#[cfg(all(test, unix))]
mod tests;
