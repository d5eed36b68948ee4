//! Renderings of events and diagnostics: one file a format, each a function of events.

mod diagnostic;
mod excerpt;
mod paint;
mod reasons;
pub mod terminal;
mod visible;
mod words;

pub use diagnostic::{difference, render, render_all};
pub use paint::Paint;
pub use visible::{visible, visible_line};
pub use words::{count, seconds};
