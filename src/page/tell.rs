//! What one element shows and holds.

use serde::Deserialize;
use tokio::time::Instant;

use super::element::Element;
use super::error::PageError;
use super::tab::Page;

/// What a field holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct FieldValue {
    /// As a person reads it: of a list to choose from, the label of what is chosen.
    pub value: Option<String>,
    /// What a list would send, where that is another word.
    pub also: Option<String>,
    /// Whether the page hides it, as a password.
    #[serde(default)]
    pub hidden: bool,
    /// Why there is no value, and what to do.
    pub none: Option<String>,
}

impl Page {
    /// The text that an element shows, shadow trees included.
    pub async fn text_of(&self, element: &Element, deadline: Instant) -> Result<String, PageError> {
        self.call_injected(element, "textOf", &[], deadline).await
    }

    /// What a field holds.
    pub async fn value_of(&self, element: &Element, deadline: Instant) -> Result<FieldValue, PageError> {
        self.call_injected(element, "valueOf", &[], deadline).await
    }

    /// Whether keys would go to the element.
    pub async fn has_focus(&self, element: &Element, deadline: Instant) -> Result<bool, PageError> {
        self.call_injected(element, "hasFocus", &[], deadline).await
    }
}
