//! `Network`: which requests are under way.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Command, Empty};

/// Starts the events. Bodies are not kept.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Enable {
    /// Bytes kept of all bodies.
    pub max_total_buffer_size: u32,
    /// Bytes kept of one body.
    pub max_resource_buffer_size: u32,
    /// Bytes of a request's body that are told with it.
    pub max_post_data_size: u32,
}

impl Command for Enable {
    const METHOD: &'static str = "Network.enable";
    type Reply = Empty;
}

/// `Network.requestWillBeSent`; a redirect tells the same id again.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestWillBeSent<'a> {
    /// The id.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// The request.
    #[serde(borrow)]
    pub request: Request<'a>,
    /// Such as `Fetch`.
    #[serde(borrow, rename = "type", default)]
    pub kind: Cow<'a, str>,
    /// What set it off.
    #[serde(borrow, default)]
    pub initiator: Initiator<'a>,
    /// The answer that led here, when this is a redirect.
    #[serde(default)]
    pub redirect_response: Option<Response>,
}

/// What set a request off.
#[derive(Debug, Default, Deserialize)]
pub struct Initiator<'a> {
    /// Such as `script`, `parser` or `preflight`.
    #[serde(borrow, rename = "type", default)]
    pub kind: Cow<'a, str>,
}

/// A request, as far as it is of use here.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request<'a> {
    /// The address, without its fragment.
    #[serde(borrow)]
    pub url: Cow<'a, str>,
    /// `GET` and so on.
    #[serde(borrow)]
    pub method: Cow<'a, str>,
    /// The body, where it is text and not too long.
    #[serde(borrow, default)]
    pub post_data: Option<Cow<'a, str>>,
}

/// `Network.responseReceived`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResponseReceived<'a> {
    /// The id.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// The document's loader.
    #[serde(borrow)]
    pub loader_id: Cow<'a, str>,
    /// Such as `Document`.
    #[serde(borrow, rename = "type")]
    pub kind: Cow<'a, str>,
    /// The response.
    pub response: Response,
}

/// A response, as far as it is of use here.
#[derive(Debug, Deserialize)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
}

/// `Network.loadingFinished` and `Network.loadingFailed`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadingEnded<'a> {
    /// The id.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// Such as `net::ERR_CONNECTION_REFUSED`.
    #[serde(borrow, default)]
    pub error_text: Option<Cow<'a, str>>,
    /// Nobody wanted it any more.
    #[serde(default)]
    pub canceled: bool,
}

/// `Network.webSocketCreated`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketCreated<'a> {
    /// The id.
    #[serde(borrow)]
    pub request_id: Cow<'a, str>,
    /// The address.
    #[serde(borrow)]
    pub url: Cow<'a, str>,
}

/// Requests go past service workers, which would answer them out of sight.
#[derive(Debug, Serialize)]
pub struct SetBypassServiceWorker {
    /// On or off.
    pub bypass: bool,
}

impl Command for SetBypassServiceWorker {
    const METHOD: &'static str = "Network.setBypassServiceWorker";
    type Reply = Empty;
}

/// How good the network is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EmulateNetworkConditions {
    /// There is none.
    pub offline: bool,
    /// Milliseconds from a request to the first byte of its answer, at least.
    pub latency: f64,
    /// Bytes a second; -1 for as many as there can be.
    pub download_throughput: f64,
    /// Bytes a second; -1 for as many as there can be.
    pub upload_throughput: f64,
}

impl Command for EmulateNetworkConditions {
    const METHOD: &'static str = "Network.emulateNetworkConditions";
    type Reply = Empty;
}
