//! The numbers that `read` gave to elements.

use std::sync::{Mutex, PoisonError};

/// What the last `read` of a tab numbered.
#[derive(Debug, Default)]
pub(super) struct Refs {
    read: Mutex<Option<Numbered>>,
}

/// One read.
#[derive(Debug, Clone)]
pub(super) struct Numbered {
    /// The address of the page when it was read: at another one, even of the same document, the page is another.
    pub(super) url: String,
    /// The elements, in the order of their numbers.
    pub(super) elements: Vec<Bound>,
}

/// A numbered element.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bound {
    pub(super) frame: String,
    pub(super) loader: String,
    pub(super) backend_node_id: i64,
    pub(super) role: String,
    pub(super) name: String,
    /// Whether no other element of the read had this role and name.
    pub(super) unique: bool,
}

impl Refs {
    /// A new document, or none: there are no refs until the next read.
    pub(super) fn forget(&self) {
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) fn bind(&self, url: String, elements: Vec<Bound>) {
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = Some(Numbered { url, elements });
    }

    /// The last read; `None` before any.
    pub(super) fn get(&self) -> Option<Numbered> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
