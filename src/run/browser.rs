//! `browser:` of a scenario, as the page room is told of it.

use std::time::SystemTime;

use crate::page::{Clock, PageError, PageSettings};
use crate::scenario::{BrowserSettings, ClockSetting, Detail, Diagnostic};

/// How the pages of a scenario are set up.
pub(super) fn page_settings(browser: &BrowserSettings, seed: Option<u64>, clock: Option<ClockSetting>) -> PageSettings {
    let usual = PageSettings::default();
    let size = browser.viewport.map_or((usual.width, usual.height), |size| (size.width, size.height));
    PageSettings {
        width: size.0,
        height: size.1,
        device_scale: browser.device_scale.unwrap_or(usual.device_scale),
        reduced_motion: browser.reduced_motion.unwrap_or(usual.reduced_motion),
        colour_scheme: browser.colour_scheme,
        locale: browser.locale.clone(),
        time_zone: browser.time_zone.as_ref().map(|(zone, _)| zone.clone()),
        touch: browser.touch.unwrap_or(usual.touch),
        user_agent: browser.user_agent.clone(),
        geolocation: browser.geolocation.map(|place| (place.latitude, place.longitude, place.accuracy)),
        offline: browser.offline.unwrap_or(usual.offline),
        seed,
        clock: clock.map(|clock| Clock { at: clock.at, runs: clock.runs, begun: now() }),
    }
}

/// The machine's time, in milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// What pages may do without asking: who says where the device is lets them know.
pub(super) fn permissions(browser: &BrowserSettings) -> Vec<&'static str> {
    let mut permissions = browser.permissions.clone();
    if browser.geolocation.is_some() && !permissions.contains(&"geolocation") {
        permissions.push("geolocation");
    }
    permissions
}

/// Why there is no tab: as a rule the browser's fault, but only the browser knows all time zones.
pub(super) fn no_tab(browser: &BrowserSettings, error: &PageError) -> Box<Diagnostic> {
    if let (Some((zone, place)), PageError::Protocol(reason)) = (&browser.time_zone, error)
        && reason.to_lowercase().contains("timezone")
    {
        return Box::new(
            Diagnostic::new(format!("the browser knows no time zone `{zone}`"))
                .at(place.clone())
                .next("write its name as the tz database has it, such as Europe/Oslo"),
        );
    }
    let mut diagnostic = Diagnostic::from_lines(&format!("the browser made no tab: {error}"));
    diagnostic.details.extend(error.details().into_iter().map(|(title, text)| Detail { title, text }));
    Box::new(diagnostic)
}
