//! Programs that are started so that they end with us, and all that they start with them.

mod busy;
mod phase;
mod said;

#[cfg(unix)]
mod group;
#[cfg(unix)]
mod guard;
#[cfg(unix)]
mod start;
#[cfg(unix)]
mod strays;

pub use busy::again_while_busy;
#[cfg(unix)]
pub use group::Group;
#[cfg(unix)]
pub use guard::{Duty, Guard};
pub use phase::{Phase, ending};
pub use said::Said;
#[cfg(unix)]
pub use start::start_leader;
