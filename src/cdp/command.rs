//! What every command of the protocol has.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A command: its parameters are the fields of the struct that implements this.
pub trait Command: Serialize + Sync {
    /// The name on the wire, such as `Page.navigate`.
    const METHOD: &'static str;
    /// What the browser answers. [`Empty`] when the answer says nothing.
    type Reply: DeserializeOwned + Send;
}

/// An answer of which nothing is read.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct Empty {}
