//! How the pages of a context are set up.

use super::kit::Clock;

/// The settings of every page of a context.
#[derive(Debug, Clone)]
pub struct PageSettings {
    /// Width of the viewport in CSS pixels.
    pub width: u32,
    /// Height of the viewport in CSS pixels.
    pub height: u32,
    /// Device pixels to a CSS pixel.
    pub device_scale: f64,
    /// Asks pages for reduced motion, so that what is looked at stands still.
    pub reduced_motion: bool,
    /// Asks pages to be `light` or `dark`.
    pub colour_scheme: Option<&'static str>,
    /// The language and its conventions, such as `de-DE`.
    pub locale: Option<String>,
    /// The time zone by its name.
    pub time_zone: Option<String>,
    /// There is a touch screen.
    pub touch: bool,
    /// The name that the browser gives.
    pub user_agent: Option<String>,
    /// Latitude and longitude in degrees, accuracy in metres.
    pub geolocation: Option<(f64, f64, f64)>,
    /// There is no network from the start.
    pub offline: bool,
    /// Makes chance and dates in pages repeatable.
    pub seed: Option<u64>,
    /// Sets the dates of pages.
    pub clock: Option<Clock>,
}

impl Default for PageSettings {
    fn default() -> Self {
        PageSettings {
            width: 1280,
            height: 720,
            device_scale: 1.0,
            reduced_motion: true,
            colour_scheme: None,
            locale: None,
            time_zone: None,
            touch: false,
            user_agent: None,
            geolocation: None,
            offline: false,
            seed: None,
            clock: None,
        }
    }
}
