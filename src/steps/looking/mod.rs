//! Reading the page without changing it.

pub(super) mod console;
pub(super) mod look;
pub(super) mod read;
pub(super) mod text;

mod look_snapshot;
