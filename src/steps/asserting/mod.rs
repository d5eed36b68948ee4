//! What must be true. Every assertion waits, up to its timeout, until it holds.

pub(super) mod assert;
pub(super) mod console;
pub(super) mod count;
pub(super) mod download;
pub(super) mod focus;
pub(super) mod names;
pub(super) mod requests;
pub(super) mod snapshot;
pub(super) mod text;
pub(super) mod title;
pub(super) mod tree_contains;
pub(super) mod tree_equals;
pub(super) mod tree_lacks;
pub(super) mod url;
pub(super) mod value;

mod shared;
mod wanted;

pub(super) use requests::went;
pub(super) use shared::{tree_failure, wait_for_url, wait_until_true, with_values};
pub(super) use snapshot::{taker, tell_held};

use std::time::Duration;

/// How long the look at what has the focus may take, once it is known that it is something else.
const FOCUS_TIME: Duration = Duration::from_millis(500);
