//! Stored outlines in insta's format: held against, written for review, accepted, listed.
//!
//! `snapshot: NAME` in `auth/login.yaml` is held against `snapshots/auth__login__NAME.snap` in the project's folder. The file
//! is insta's: `cargo insta` reviews what is pending, and `INSTA_UPDATE` means what it means there ([`Policy`] tells the one
//! exception). So by default a new or changed snapshot is written as `.snap.new`, and its step fails until it is accepted.
//!
//! A stored line may be edited by hand to hold a `/regex/`; it then matches as a pattern at its place in the tree, with what
//! it leaves out matching anything, while every other line is compared as text. Accepting a change keeps such lines where
//! they still match.
//!
//! A picture (`look: { snapshot: NAME }`) is stored likewise, as one of insta's binary snapshots, and compared pixel by pixel.

mod claims;
mod compare;
mod drawing;
mod files;
mod format;
mod key;
mod picture;
mod pictures;
mod policy;
mod review;
mod store;

pub use claims::{Claims, Clash};
pub use format::FormatError;
pub use key::Key;
pub use picture::{Contrast, Part, Picture, Tolerance};
pub use pictures::TakenPicture;
pub use policy::{Policy, PolicyError, Update};
pub use review::{Change, Pending, Unreferenced, accept, pending, reject, unreferenced};
pub use store::{Held, Redaction, SnapshotError, Standing, Store, Taken, Taker};
