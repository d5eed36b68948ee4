//! `Emulation`: the screen and habits that a page is shown.

use serde::Serialize;

use super::{Command, Empty};

/// The viewport.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetDeviceMetricsOverride {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
    /// Device pixels to a CSS pixel.
    pub device_scale_factor: f64,
    /// Whether the viewport meta tag counts.
    pub mobile: bool,
}

impl Command for SetDeviceMetricsOverride {
    const METHOD: &'static str = "Emulation.setDeviceMetricsOverride";
    type Reply = Empty;
}

/// Lets the page believe that it has the focus, whatever the window has.
#[derive(Debug, Serialize)]
pub struct SetFocusEmulationEnabled {
    /// On or off.
    pub enabled: bool,
}

impl Command for SetFocusEmulationEnabled {
    const METHOD: &'static str = "Emulation.setFocusEmulationEnabled";
    type Reply = Empty;
}

/// Takes scrollbars out of the layout.
#[derive(Debug, Serialize)]
pub struct SetScrollbarsHidden {
    /// Whether they are gone.
    pub hidden: bool,
}

impl Command for SetScrollbarsHidden {
    const METHOD: &'static str = "Emulation.setScrollbarsHidden";
    type Reply = Empty;
}

/// The language that dates, numbers and texts are made in.
#[derive(Debug, Serialize)]
pub struct SetLocaleOverride<'a> {
    /// Such as `de-DE`.
    pub locale: &'a str,
}

impl Command for SetLocaleOverride<'_> {
    const METHOD: &'static str = "Emulation.setLocaleOverride";
    type Reply = Empty;
}

/// The time zone.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetTimezoneOverride<'a> {
    /// Such as `Europe/Oslo`.
    pub timezone_id: &'a str,
}

impl Command for SetTimezoneOverride<'_> {
    const METHOD: &'static str = "Emulation.setTimezoneOverride";
    type Reply = Empty;
}

/// The browser's name, and the languages that it asks for.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetUserAgentOverride<'a> {
    /// The name; its own where empty.
    pub user_agent: &'a str,
    /// The languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept_language: Option<&'a str>,
}

impl Command for SetUserAgentOverride<'_> {
    const METHOD: &'static str = "Emulation.setUserAgentOverride";
    type Reply = Empty;
}

/// A touch screen.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetTouchEmulationEnabled {
    /// Whether there is one.
    pub enabled: bool,
    /// How many fingers it feels.
    pub max_touch_points: u8,
}

impl Command for SetTouchEmulationEnabled {
    const METHOD: &'static str = "Emulation.setTouchEmulationEnabled";
    type Reply = Empty;
}

/// Where the device is.
#[derive(Debug, Serialize)]
pub struct SetGeolocationOverride {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// Metres.
    pub accuracy: f64,
}

impl Command for SetGeolocationOverride {
    const METHOD: &'static str = "Emulation.setGeolocationOverride";
    type Reply = Empty;
}

/// Media features.
#[derive(Debug, Serialize)]
pub struct SetEmulatedMedia<'a> {
    /// All that are emulated.
    pub features: &'a [MediaFeature<'a>],
}

impl Command for SetEmulatedMedia<'_> {
    const METHOD: &'static str = "Emulation.setEmulatedMedia";
    type Reply = Empty;
}

/// Such as `prefers-reduced-motion: reduce`.
#[derive(Debug, Serialize)]
pub struct MediaFeature<'a> {
    /// The feature.
    pub name: &'a str,
    /// Its value.
    pub value: &'a str,
}
