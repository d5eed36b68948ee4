//! The scenario language: text to a tree of values, each with its place.
//!
//! A file is read as [`Source`], becomes a tree of [`Node`]s, and that a [`Scenario`] whose steps are still unread by
//! verb ([`RawStep`]). Whatever is wrong is a [`Diagnostic`] in [`Problems`]; nothing here stops at the first fault.

mod analysis;
mod app;
mod around;
mod browser;
mod clock;
mod common;
mod decode;
mod deferred;
mod diagnostic;
mod duration;
mod examples;
mod expression;
#[cfg(test)]
mod expression_tests;
mod fail_on;
mod faults;
#[cfg(test)]
mod faults_tests;
mod folder;
mod functions;
mod head;
mod head_keys;
mod http;
mod key_table;
mod keys;
mod layout;
#[cfg(test)]
mod layout_tests;
mod mask;
mod names;
mod node;
mod origin;
#[cfg(test)]
mod origin_tests;
mod part;
mod retries;
mod route_answer;
mod routes;
#[allow(clippy::module_inception)] // the folder is the language, the file its one value
mod scenario;
#[cfg(test)]
mod scenario_tests;
mod source;
mod step;
mod target;
mod target_map;
#[cfg(test)]
mod target_tests;
mod template;
mod text_match;
mod tokens;
mod untemplated;
mod url_pattern;
mod values;

mod yaml;
#[cfg(test)]
mod yaml_tests;

pub use app::{AppSetting, AppStart, READY_WITHIN, leads_out};
pub use around::{ExpectedToFail, Need, Skip, Whenever};
pub use browser::{BrowserSettings, Geolocation};
pub use clock::ClockSetting;
pub use common::Common;
pub use decode::number;
pub use deferred::{Deferred, Readable};
pub use diagnostic::{Detail, Diagnostic, Problems, Taken, escaped, nearest, shell_word, shown};
pub use duration::{duration, duration_in_words};
pub use examples::Row;
pub use expression::Expression;
pub use fail_on::{FailOn, FailOnSetting};
pub use head::{TAKEN, check_value_name, is_value_name};
pub use head_keys::{APP, BROWSER, CLOCK, FAIL_ON, HEAD, Holds, KeySpec, REDACTION, ROUTE, ROUTE_EVENT, key};
pub use http::{file_beside, is_header_name, status};
pub use keys::{Chord, KeyError, KeyName, Modifiers, key_names};
pub use layout::layout;
pub use mask::{MASKED, Mask, SHORTEST_SECRET};
pub use names::{Known, Names};
pub use node::{Key, Kind, Node};
pub use part::{Found, Part, load_found, load_part};
pub use retries::{MOST_RETRIES, read as read_retries};
pub use routes::{Credentials, Route, RouteAnswer, RouteBody, RouteEvent, RouteWhat};
pub use scenario::{Reading, Redaction, Scenario, Viewport, load, parse};
pub use source::{Place, Source};
pub use step::{RawStep, Vocabulary};
pub use target::{By, Has, Target};
pub use target_map::{KEYS as TARGET_KEYS, KINDS as TARGET_KINDS};
pub use template::Template;
pub use text_match::TextMatch;
pub use url_pattern::{UrlPattern, like, unlikely_address};
pub use values::{Cycles, Random, Reason, ValueError, Values};
pub use yaml::read as read_yaml;
