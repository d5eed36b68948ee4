//! `Storage`: the cookies of a whole browser context.

use serde::{Deserialize, Serialize};

use super::{Command, Empty};

/// All cookies of a context.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetCookies<'a> {
    /// The context.
    pub browser_context_id: &'a str,
}

impl Command for GetCookies<'_> {
    const METHOD: &'static str = "Storage.getCookies";
    type Reply = Cookies;
}

/// The answer of [`GetCookies`].
#[derive(Debug, Deserialize)]
pub struct Cookies {
    /// All of them.
    pub cookies: Vec<Cookie>,
}

/// Adds cookies to those of a context; one that the browser can't take makes it refuse them all.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetCookies<'a> {
    /// The cookies.
    pub cookies: &'a [Cookie],
    /// The context.
    pub browser_context_id: &'a str,
}

impl Command for SetCookies<'_> {
    const METHOD: &'static str = "Storage.setCookies";
    type Reply = Empty;
}

/// A cookie, as it is told and as it is set.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host; with a dot before it, those below it too.
    pub domain: String,
    /// The part of the host that it is sent to.
    pub path: String,
    /// Seconds since 1970; -1 is told of one that ends with the session, which is set without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<f64>,
    /// Whether scripts are not shown it.
    pub http_only: bool,
    /// Whether it is only sent where nobody can listen.
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
    /// The site that it is apart for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<PartitionKey>,
}

/// The site that a cookie of a frame is apart for.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartitionKey {
    /// The site of the whole page.
    pub top_level_site: String,
    /// Whether another site stands between the page and the frame, or is either.
    pub has_cross_site_ancestor: bool,
}
