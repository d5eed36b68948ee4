//! One tab as a person uses it: go, read, find, act, wait, look.

pub mod act;

mod changes;
mod console;
mod core;
mod dialogs;
mod element;
mod error;
mod frames;
mod going;
mod inject;
mod kit;
mod locate;
mod look;
mod narrow;
pub mod net;
mod objects;
mod read;
mod refs;
mod requests;
mod resize;
mod run_script;
mod settings;
mod settle;
mod setup;
mod state;
mod tab;
mod tabs;
mod tell;
mod text;
mod watch;

pub use act::{Chosen, Click, Direction, DropAt, Hold, MouseButton, Repeat, Typed};
pub use changes::Changes;
pub use console::{ConsoleEntry, Level, Source};
pub use dialogs::{Announcement, Answer, Dialog, Dialogs, Trouble};
pub use element::{Element, Transform};
pub use error::PageError;
pub use going::Until;
pub use look::{Area, Format, Look};
pub use read::Seen;
pub use run_script::ScriptError;
pub use settings::PageSettings;
pub use settle::{Act, Aftermath};
pub use tab::Page;
pub use tabs::{TabInfo, Tabs};
pub use tell::FieldValue;
