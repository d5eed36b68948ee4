//! `browser:`: what the browser of a scenario is like.

use regex::Regex;

use super::diagnostic::{Diagnostic, Problems};
use super::head_keys::{BROWSER, GEOLOCATION, names_of};
use super::node::Node;
use super::scenario::Viewport;
use super::source::Place;

/// `browser:`.
#[derive(Clone, Debug, Default)]
pub struct BrowserSettings {
    /// The viewport's size, in CSS pixels.
    pub viewport: Option<Viewport>,
    /// Device pixels to a CSS pixel.
    pub device_scale: Option<f64>,
    /// The language and its conventions, such as `de-DE`.
    pub locale: Option<String>,
    /// The time zone, such as `Europe/Oslo`, and where it stands: only the browser knows all of them.
    pub time_zone: Option<(String, Place)>,
    /// Whether pages are asked to be light or dark.
    pub colour_scheme: Option<&'static str>,
    /// Whether pages are asked for little motion.
    pub reduced_motion: Option<bool>,
    /// Whether there is a touch screen.
    pub touch: Option<bool>,
    /// The name that the browser gives to servers and pages.
    pub user_agent: Option<String>,
    /// What pages may do without asking, in the protocol's words.
    pub permissions: Vec<&'static str>,
    /// Whether there is no network from the start.
    pub offline: Option<bool>,
    /// Where the device is.
    pub geolocation: Option<Geolocation>,
}

/// A place on earth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geolocation {
    /// Degrees, north of the equator.
    pub latitude: f64,
    /// Degrees, east of Greenwich.
    pub longitude: f64,
    /// Metres.
    pub accuracy: f64,
}

/// The values of `colour-scheme:`.
pub(super) const COLOUR_SCHEMES: &[&str] = &["light", "dark"];

/// The words of `permissions:`, with what the protocol calls them.
const PERMISSIONS: [(&str, &str); 14] = [
    ("camera", "videoCapture"),
    ("microphone", "audioCapture"),
    ("geolocation", "geolocation"),
    ("notifications", "notifications"),
    ("clipboard-read", "clipboardReadWrite"),
    ("clipboard-write", "clipboardSanitizedWrite"),
    ("persistent-storage", "durableStorage"),
    ("storage-access", "storageAccess"),
    ("midi", "midi"),
    ("sensors", "sensors"),
    ("idle-detection", "idleDetection"),
    ("local-fonts", "localFonts"),
    ("window-management", "windowManagement"),
    ("screen-wake-lock", "wakeLockScreen"),
];

/// The words of `permissions:` alone.
pub(super) static PERMISSION_WORDS: [&str; PERMISSIONS.len()] = {
    let mut words = [""; PERMISSIONS.len()];
    let mut at = 0;
    while at < words.len() {
        words[at] = PERMISSIONS[at].0;
        at += 1;
    }
    words
};

/// The shape of `locale:`.
pub(super) const LOCALE: &str = r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$";
/// The shape of `time-zone:`.
pub(super) const TIME_ZONE: &str = r"^[A-Za-z]+[A-Za-z_+-]*[0-9]*(/[A-Za-z0-9_+-]+){0,2}$";
/// The shape of `user-agent:`.
pub(super) const USER_AGENT: &str = r"^[ -~]+$";

impl BrowserSettings {
    /// What it says, and where it says nothing, what the other says.
    #[must_use]
    pub fn or(&self, other: &BrowserSettings) -> BrowserSettings {
        let own = self.clone();
        BrowserSettings {
            viewport: own.viewport.or(other.viewport),
            device_scale: own.device_scale.or(other.device_scale),
            locale: own.locale.or_else(|| other.locale.clone()),
            time_zone: own.time_zone.or_else(|| other.time_zone.clone()),
            colour_scheme: own.colour_scheme.or(other.colour_scheme),
            reduced_motion: own.reduced_motion.or(other.reduced_motion),
            touch: own.touch.or(other.touch),
            user_agent: own.user_agent.or_else(|| other.user_agent.clone()),
            permissions: if own.permissions.is_empty() { other.permissions.clone() } else { own.permissions },
            offline: own.offline.or(other.offline),
            geolocation: own.geolocation.or(other.geolocation),
        }
    }

    /// What it says, by the keys of the project's file, as one would write it there.
    #[must_use]
    pub fn written(&self) -> Vec<(&'static str, String)> {
        let permission = |word: &&str| PERMISSIONS.iter().find(|(_, protocol)| protocol == word).map(|(name, _)| *name);
        let permissions: Vec<&str> = self.permissions.iter().filter_map(permission).collect();
        let all = [
            ("browser.viewport", self.viewport.map(|size| format!("{}x{}", size.width, size.height))),
            ("browser.device-scale", self.device_scale.map(|scale| scale.to_string())),
            ("browser.locale", self.locale.clone()),
            ("browser.time-zone", self.time_zone.as_ref().map(|(zone, _)| zone.clone())),
            ("browser.colour-scheme", self.colour_scheme.map(str::to_owned)),
            ("browser.reduced-motion", self.reduced_motion.map(|on| on.to_string())),
            ("browser.touch", self.touch.map(|on| on.to_string())),
            ("browser.user-agent", self.user_agent.clone()),
            ("browser.permissions", (!permissions.is_empty()).then(|| permissions.join(", "))),
            ("browser.offline", self.offline.map(|on| on.to_string())),
            (
                "browser.geolocation",
                self.geolocation.map(|at| {
                    format!("latitude {}, longitude {}, accuracy {}", at.latitude, at.longitude, at.accuracy)
                }),
            ),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// Reads it from a file.
    pub fn read(node: &Node, problems: &mut Problems) -> BrowserSettings {
        let mut settings = BrowserSettings::default();
        for (key, value) in node.want_keys("`browser`", &names_of(BROWSER), problems).unwrap_or_default() {
            match key.name.as_str() {
                "viewport" => settings.viewport = Viewport::from_node(value, problems),
                "device-scale" => {
                    settings.device_scale = number(value, "`device-scale`", 0.25..=8.0, "such as 2", problems);
                }
                "locale" => {
                    let locale =
                        shaped(value, "locale", LOCALE, "write a language and a country, such as de-DE", problems);
                    settings.locale = locale.map(|locale| locale.replace('_', "-"));
                }
                "time-zone" => {
                    let zone =
                        shaped(value, "time-zone", TIME_ZONE, "write its name, such as Europe/Oslo or UTC", problems);
                    settings.time_zone = zone.map(|zone| (zone, value.place.clone()));
                }
                "colour-scheme" => settings.colour_scheme = word(value, "`colour-scheme`", COLOUR_SCHEMES, problems),
                "reduced-motion" => settings.reduced_motion = flag(value, "`reduced-motion`", problems),
                "touch" => settings.touch = flag(value, "`touch`", problems),
                "user-agent" => {
                    settings.user_agent = shaped(value, "user-agent", USER_AGENT, "write it on one line", problems);
                }
                "permissions" => settings.permissions = permissions(value, problems),
                "offline" => settings.offline = flag(value, "`offline`", problems),
                "geolocation" => settings.geolocation = geolocation(value, problems),
                // Told by `want_keys`.
                _ => {}
            }
        }
        settings
    }
}

/// Yes or no.
fn flag(node: &Node, what: &str, problems: &mut Problems) -> Option<bool> {
    let value = node.json().as_bool();
    if value.is_none() {
        problems.add(Diagnostic::new(format!("{what} is true or false")).at(node.place.clone()));
    }
    value
}

fn number(
    node: &Node,
    what: &str,
    range: std::ops::RangeInclusive<f64>,
    example: &str,
    problems: &mut Problems,
) -> Option<f64> {
    let value = node.json().as_f64().filter(|value| range.contains(value));
    if value.is_none() {
        let title = format!("{what} is a number from {} to {}", range.start(), range.end());
        problems.add(Diagnostic::new(title).at(node.place.clone()).label(example));
    }
    value
}

/// A text of a certain shape.
fn shaped(node: &Node, name: &str, like: &str, next: &str, problems: &mut Problems) -> Option<String> {
    let text = node.want_text(&format!("`{name}`"), problems)?;
    // The patterns are ours.
    if Regex::new(like).is_ok_and(|like| like.is_match(text)) {
        return Some(text.to_owned());
    }
    problems.add(Diagnostic::new(format!("this is not a {name}")).at(node.place.clone()).next(next));
    None
}

fn word(node: &Node, what: &str, words: &[&'static str], problems: &mut Problems) -> Option<&'static str> {
    let text = node.want_text(what, problems)?;
    let found = words.iter().copied().find(|word| *word == text);
    if found.is_none() {
        let diagnostic = Diagnostic::new(format!("{what} can't be `{text}`")).at(node.place.clone());
        problems.add(match super::diagnostic::nearest(text, words.iter().copied()) {
            Some(near) => diagnostic.label(format!("did you mean `{near}`?")),
            None => diagnostic.label(format!("one of {}", words.join(", "))),
        });
    }
    found
}

fn permissions(node: &Node, problems: &mut Problems) -> Vec<&'static str> {
    let items = node.want_list("`permissions`", problems).unwrap_or_default();
    let found = items.iter().filter_map(|item| word(item, "a permission", &PERMISSION_WORDS, problems));
    found.filter_map(|word| PERMISSIONS.iter().find(|(name, _)| *name == word).map(|(_, protocol)| *protocol)).collect()
}

fn geolocation(node: &Node, problems: &mut Problems) -> Option<Geolocation> {
    node.want_keys("`geolocation`", &names_of(GEOLOCATION), problems)?;
    let mut part = |name: &str, range, example: &str, usual: Option<f64>| match node.get(name) {
        Some(value) => number(value, &format!("`{name}`"), range, example, problems),
        None if usual.is_some() => usual,
        None => {
            let diagnostic = Diagnostic::new(format!("`{name}` is missing")).at(node.place.clone());
            problems.add(diagnostic.next("write { latitude: 59.91, longitude: 10.75 }"));
            None
        }
    };
    let latitude = part("latitude", -90.0..=90.0, "degrees, such as 59.91", None);
    let longitude = part("longitude", -180.0..=180.0, "degrees, such as 10.75", None);
    let accuracy = part("accuracy", 0.0..=1e7, "metres, such as 20", Some(1.0));
    Some(Geolocation { latitude: latitude?, longitude: longitude?, accuracy: accuracy? })
}
