//! Cookies of a context.

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::browser::Context;
use crate::cdp::CallError;
use crate::cdp::storage::{Cookie, GetCookies, PartitionKey, SetCookies};
use crate::page::PageError;

/// A cookie.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptCookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host; with a dot before it, those below it too.
    pub domain: String,
    /// The part of the host that it is sent to.
    pub path: String,
    /// Seconds since 1970; -1 for one that ends with the session.
    #[serde(default = "with_the_session")]
    pub expires: f64,
    /// Whether scripts are not shown it.
    #[serde(default)]
    pub http_only: bool,
    /// Whether it is only sent where nobody can listen.
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
    /// The site that it is apart for, of a cookie that was set in a frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<String>,
    /// Whether the frame was of another site than that.
    #[serde(rename = "_crHasCrossSiteAncestor", default, skip_serializing_if = "Option::is_none")]
    pub has_cross_site_ancestor: Option<bool>,
}

fn with_the_session() -> f64 {
    -1.0
}

/// All of a context's, in a steady order.
pub(super) async fn get(context: &Context, deadline: Instant) -> Result<Vec<KeptCookie>, PageError> {
    let command = GetCookies { browser_context_id: context.id() };
    let mut cookies = context.connection().root().call(&command, deadline).await?.cookies;
    cookies.sort_by(|a, b| (&a.domain, &a.path, &a.name).cmp(&(&b.domain, &b.path, &b.name)));
    Ok(cookies.into_iter().map(KeptCookie::from).collect())
}

/// Adds cookies to a context's.
pub(super) async fn set(context: &Context, kept: &[KeptCookie], deadline: Instant) -> Result<(), PageError> {
    let cookies: Vec<Cookie> = kept.iter().map(Cookie::from).collect();
    let set = async |cookies: &[Cookie]| {
        let command = SetCookies { cookies, browser_context_id: context.id() };
        context.connection().root().call(&command, deadline).await
    };
    let refused = match set(&cookies).await {
        Ok(_) => return Ok(()),
        Err(CallError::Refused { message, .. }) => message,
        Err(error) => return Err(error.into()),
    };
    // Which one it is the browser does not say.
    for cookie in &cookies {
        match set(std::slice::from_ref(cookie)).await {
            Ok(_) => {}
            Err(CallError::Refused { message, .. }) => {
                let (name, domain) = (&cookie.name, &cookie.domain);
                return Err(refusal(&format!("the cookie `{name}` of `{domain}`"), &message));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(refusal("the cookies", &refused))
}

fn refusal(what: &str, why: &str) -> PageError {
    PageError::Act { message: format!("the browser refuses {what}: {why}"), details: Vec::new() }
}

impl From<Cookie> for KeptCookie {
    fn from(cookie: Cookie) -> KeptCookie {
        let (site, ancestor) = match cookie.partition_key {
            Some(key) => (Some(key.top_level_site), Some(key.has_cross_site_ancestor)),
            None => (None, None),
        };
        KeptCookie {
            name: cookie.name,
            value: cookie.value,
            domain: cookie.domain,
            path: cookie.path,
            expires: cookie.expires.unwrap_or_else(with_the_session),
            http_only: cookie.http_only,
            secure: cookie.secure,
            same_site: cookie.same_site,
            partition_key: site,
            has_cross_site_ancestor: ancestor,
        }
    }
}

impl From<&KeptCookie> for Cookie {
    fn from(kept: &KeptCookie) -> Cookie {
        Cookie {
            name: kept.name.clone(),
            value: kept.value.clone(),
            domain: kept.domain.clone(),
            path: kept.path.clone(),
            expires: Some(kept.expires).filter(|expires| *expires >= 0.0),
            http_only: kept.http_only,
            secure: kept.secure,
            same_site: kept.same_site.clone(),
            partition_key: kept.partition_key.clone().map(|top_level_site| PartitionKey {
                top_level_site,
                has_cross_site_ancestor: kept.has_cross_site_ancestor.unwrap_or(true),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_cookie_comes_back_as_it_was() {
        let text = r#"{"name":"a","value":"b","domain":".x.org","path":"/","expires":-1.0,"httpOnly":true,"secure":true,
            "sameSite":"None","partitionKey":"https://y.org","_crHasCrossSiteAncestor":true}"#;
        let kept: KeptCookie = serde_json::from_str(text).unwrap();
        let cookie = Cookie::from(&kept);
        assert_eq!(cookie.expires, None);
        assert_eq!(KeptCookie::from(cookie), kept);
        let shortest: KeptCookie = serde_json::from_str(r#"{"name":"a","value":"","domain":"x","path":"/"}"#).unwrap();
        assert_eq!(serde_json::to_value(Cookie::from(&shortest)).unwrap().get("expires"), None);
    }
}
