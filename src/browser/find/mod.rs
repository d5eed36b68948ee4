//! Finding a browser: what the user names, what was installed by us, what the system has in the
//! usual places.

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod places;
#[cfg(target_os = "macos")]
#[path = "macos.rs"]
mod places;
#[cfg(windows)]
#[path = "windows.rs"]
mod places;
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
#[path = "linux.rs"]
mod places;

mod found;
mod search;
mod surroundings;

pub use found::{Found, Kind};
pub use search::{find, find_in};
pub use surroundings::Surroundings;
