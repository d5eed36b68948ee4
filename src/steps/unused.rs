//! What steps have prepared and nothing has used: mocks that no request came for, answers that no dialog asked for.

use super::asserting::went;
use super::stage::Stage;
use crate::page::net::{Mock, Sent};
use crate::scenario::nearest;

/// How many requests that came near a mock are shown.
const NEAR_SHOWN: usize = 3;

impl Stage {
    /// The mocks that no request has used: where they stand, and what they are.
    #[must_use]
    pub fn unused_mocks(&self) -> Vec<String> {
        let users = self.props.users.iter();
        users.flat_map(|user| user.tabs.traffic().unused_mocks()).map(|mock| mock.id).collect()
    }

    /// Everything that nothing has used, each on a line, with the requests that came near a mock.
    #[must_use]
    pub fn unused(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for user in &self.props.users {
            let requests = user.tabs.traffic().requests();
            for mock in user.tabs.traffic().unused_mocks() {
                let near: Vec<String> = near(&mock, &requests)
                    .into_iter()
                    .map(|sent| format!("{} {} → {}", sent.method, self.short_url(&sent.url), went(sent)))
                    .collect();
                let near = if near.is_empty() { String::new() } else { format!(" (near it: {})", near.join(", ")) };
                lines.push(format!("{}{near}", mock.id));
            }
        }
        lines.extend(self.unused_answers());
        lines
    }
}

/// The requests that a mock may have been meant for: to its address by another method, or to one that is much like it.
fn near<'a>(mock: &Mock, requests: &'a [Sent]) -> Vec<&'a Sent> {
    let wanted = mock.url.to_string();
    let unmocked: Vec<&Sent> = requests.iter().filter(|sent| !sent.mocked).collect();
    let paths: Vec<&str> = unmocked.iter().map(|sent| path(&sent.url)).collect();
    let alike = nearest(&wanted, paths.iter().copied());
    let inner = wanted.trim_matches(['/', '*']);
    let is_near = |sent: &Sent| {
        let path = path(&sent.url);
        // A text of a letter or two is a part of everything.
        mock.url.matches(&sent.url) || alike == Some(path) || (inner.len() > 2 && path.contains(inner))
    };
    let mut near: Vec<&Sent> = Vec::new();
    for sent in unmocked.into_iter().filter(|sent| is_near(sent)) {
        if near.iter().all(|known| (&known.method, &known.url) != (&sent.method, &sent.url)) {
            near.push(sent);
        }
    }
    near.truncate(NEAR_SHOWN);
    near
}

/// An address from its path on, without its query.
fn path(url: &str) -> &str {
    let from = url.split_once("://").map_or(url, |(_, rest)| rest.find('/').map_or("/", |start| &rest[start..]));
    from.split(['?', '#']).next().unwrap_or(from)
}
