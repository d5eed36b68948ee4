//! Acting on a page: mouse, keys, typing, scrolling.
//!
//! Every act waits until its element can be acted on, does it with the browser's own input, so that the page sees trusted events, and
//! returns once the page's handlers have run. What it set off further is waited for by the next look.

mod aim;
mod answer;
mod check;
mod choose;
mod click;
mod drag;
mod fields;
mod held;
mod hover;
mod keys;
mod mouse;
mod script;
mod scroll;
#[cfg(test)]
mod tests;
mod typing;
mod upload;
mod watch;

pub use crate::cdp::input::MouseButton;
pub use choose::Chosen;
pub use click::Click;
pub use drag::DropAt;
pub use held::Held;
pub use keys::{Hold, Repeat};
pub use scroll::Direction;
pub use typing::Typed;

pub(super) use script::SCRIPTS;
