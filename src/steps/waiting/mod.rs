//! Waiting for something to happen.

pub(super) mod wait;
pub(super) mod wait_for;
