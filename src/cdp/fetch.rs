//! `Fetch`: requests held up before they leave, to be answered, changed or let go.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{Command, Empty};

/// Holds up every request of the target.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Enable {
    /// Whether `Fetch.authRequired` is told when a server asks for a password.
    pub handle_auth_requests: bool,
}

impl Command for Enable {
    const METHOD: &'static str = "Fetch.enable";
    type Reply = Empty;
}

/// `Fetch.requestPaused`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPaused<'a> {
    /// Names the pause; a redirect's next request has another one.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// The request.
    #[serde(borrow)]
    pub request: Paused<'a>,
    /// The id that the `Network` domain knows the request by.
    #[serde(borrow, default)]
    pub network_id: Option<Cow<'a, str>>,
}

/// A request that is held up.
#[derive(Debug, Deserialize)]
pub struct Paused<'a> {
    /// The address, without its fragment.
    #[serde(borrow)]
    pub url: Cow<'a, str>,
    /// `GET` and so on.
    #[serde(borrow)]
    pub method: Cow<'a, str>,
    /// Its headers, in the page's spelling.
    #[serde(default)]
    pub headers: HashMap<String, String>,
}

/// A header of a request or an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Header<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Its value.
    pub value: Cow<'a, str>,
}

/// Lets a request go.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContinueRequest<'a> {
    /// The pause.
    pub request_id: &'a str,
    /// All headers it has then; its own where none are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers: Option<Vec<Header<'a>>>,
}

impl Command for ContinueRequest<'_> {
    const METHOD: &'static str = "Fetch.continueRequest";
    type Reply = Empty;
}

/// Answers a request in the server's place.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FulfillRequest<'a> {
    /// The pause.
    pub request_id: &'a str,
    /// The HTTP status.
    pub response_code: u16,
    /// The headers.
    pub response_headers: &'a [Header<'a>],
    /// The body, as base64.
    pub body: &'a str,
}

impl Command for FulfillRequest<'_> {
    const METHOD: &'static str = "Fetch.fulfillRequest";
    type Reply = Empty;
}

/// Lets a request fail.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailRequest<'a> {
    /// The pause.
    pub request_id: &'a str,
    /// Such as `Failed`.
    pub error_reason: &'a str,
}

impl Command for FailRequest<'_> {
    const METHOD: &'static str = "Fetch.failRequest";
    type Reply = Empty;
}

/// `Fetch.authRequired`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthRequired<'a> {
    /// Names the pause.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// Who asks.
    #[serde(borrow)]
    pub auth_challenge: AuthChallenge<'a>,
}

/// Who asks for a password.
#[derive(Debug, Deserialize)]
pub struct AuthChallenge<'a> {
    /// The origin of the server or the proxy.
    #[serde(borrow)]
    pub origin: Cow<'a, str>,
}

/// Answers [`AuthRequired`].
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContinueWithAuth<'a> {
    /// The pause.
    pub request_id: &'a str,
    /// The answer.
    pub auth_challenge_response: AuthAnswer<'a>,
}

impl Command for ContinueWithAuth<'_> {
    const METHOD: &'static str = "Fetch.continueWithAuth";
    type Reply = Empty;
}

/// What is answered to a server that asks for a password.
#[derive(Debug, Serialize)]
pub struct AuthAnswer<'a> {
    /// `Default`, `CancelAuth` or `ProvideCredentials`.
    pub response: &'a str,
    /// The user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<&'a str>,
    /// The password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<&'a str>,
}
