//! Moving between documents.

pub(super) mod back;
pub(super) mod forward;
pub(super) mod open;
pub(super) mod reload;
