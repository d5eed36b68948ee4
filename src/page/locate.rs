//! Finding the one element that a target means.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::element::Element;
use super::error::PageError;
use super::narrow::{Candidate, Search};
use super::read::Seen;
use super::refs::Bound;
use super::state::State;
use super::tab::Page;
use crate::outline::{LinePattern, Pattern, closest, contains};
use crate::scenario::{By, Target, shown};

/// Several that fit may become one in the next moment, when an old view gives way to a new one. Longer than that they are told.
const SEVERAL: Duration = Duration::from_secs(1);
/// A frame that is on its way to another document is left alone so long; one that never comes is used as it is.
const LEAVING: Duration = Duration::from_secs(3);
/// How many lines an error lists.
const LISTED: usize = 8;

impl Page {
    /// The one element that a target means, which is waited for. Several that fit, or none in time, are told with what there is.
    pub async fn locate(&self, target: &Target, deadline: Instant) -> Result<Element, PageError> {
        if let By::Point { .. } = target.by {
            return Err(PageError::NotAnElement { target: target.to_string() });
        }
        if let By::Ref(number) = target.by {
            // Refs are checked against the page as it is; there is nothing to wait for.
            return self.again(deadline, async || self.by_ref(number, deadline).await).await;
        }
        let patience = deadline.min(Instant::now() + LEAVING);
        loop {
            let (element, _) =
                self.find(target, deadline, async |search, candidate| search.element(candidate).await).await?;
            // What is on its way out may look the same as what comes: the second `Next` is not the first one pressed twice.
            let stays = |state: &mut State| (!state.is_leaving(&element.frame)).then_some(());
            let left = self.core().state().is_leaving(&element.frame);
            if !left || self.core().until(patience, stays).await?.is_none() {
                return Ok(element);
            }
        }
    }

    /// All elements that fit now, in reading order: none is no error, and nothing is waited for.
    pub async fn locate_all(&self, target: &Target, deadline: Instant) -> Result<Vec<Element>, PageError> {
        self.again(deadline, async || {
            let mut search = Search::new(self, deadline);
            let mut elements = Vec::new();
            for candidate in search.matches(target).await? {
                elements.push(search.element(&candidate).await?);
            }
            Ok(elements)
        })
        .await
    }

    /// Whether all that fits now stands in what the pattern matches, or is that itself, with the page as it was read for this.
    /// Nothing is waited for, and nothing that fits is no.
    pub async fn lies_in(&self, target: &Target, pattern: &Pattern, deadline: Instant) -> Result<bool, PageError> {
        if let By::Point { .. } | By::Ref(_) = target.by {
            return Ok(false);
        }
        self.again(deadline, async || {
            let mut search = Search::new(self, deadline);
            let found = search.matches(target).await?;
            let seen = search.seen().await?;
            let Ok(outer) = contains(&seen.outline, pattern) else { return Ok(false) };
            let mut inside = vec![false; found.len()];
            for line in outer.lines {
                let holds = search.holds(&Candidate::Line(line), &found).await?;
                for (index, candidate) in found.iter().enumerate() {
                    inside[index] |= holds.get(index) == Some(&true) || search.line(candidate).await? == Some(line);
                }
            }
            Ok(!inside.is_empty() && inside.iter().all(|inside| *inside))
        })
        .await
    }

    /// The line of the outline that a target means, with the page as it was seen then.
    pub(super) async fn locate_line(
        &self,
        target: &Target,
        deadline: Instant,
    ) -> Result<(usize, Arc<Seen>), PageError> {
        let missing = || PageError::NotFound {
            target: format!("{target} with a line in the outline"),
            closest: Vec::new(),
            others: Vec::new(),
            next: None,
        };
        let (line, seen) = self.find(target, deadline, async |search, candidate| search.line(candidate).await).await?;
        match (line, seen) {
            (Some(line), Some(seen)) => Ok((line, seen)),
            _ => Err(missing()),
        }
    }

    /// Looks until exactly one fits and takes from it what is wanted.
    async fn find<T>(
        &self,
        target: &Target,
        deadline: Instant,
        take: impl for<'s> AsyncFn(&'s mut Search<'_>, &'s Candidate) -> Result<T, PageError>,
    ) -> Result<(T, Option<Arc<Seen>>), PageError> {
        let several = deadline.min(Instant::now() + SEVERAL);
        let mut changes = self.changes();
        let mut last = None;
        loop {
            let mut search = Search::new(self, deadline);
            let (mut until, mut missing) = (deadline, None);
            match search.matches(target).await {
                Ok(found) if found.len() == 1 => match take(&mut search, &found[0]).await {
                    Ok(taken) => return Ok((taken, search.into_seen())),
                    // It went between the look and the grip.
                    Err(error) if error.is_passing() => missing = Some(error),
                    Err(error) => return Err(error),
                },
                Ok(found) if found.is_empty() => missing = Some(search.nothing(target).await),
                Ok(found) => {
                    until = several;
                    missing = Some(search.too_many(target, &found).await);
                }
                Err(error) if error.is_passing() => missing = missing.or(Some(error)),
                // The deadline came during a look: what the last one saw says more.
                Err(error @ PageError::Busy { .. }) => return Err(last.unwrap_or(error)),
                Err(error) => return Err(error),
            }
            if let Some(missing) = missing {
                last = Some(missing);
            }
            if !changes.changed(until).await? {
                return Err(last.unwrap_or(PageError::Closed));
            }
        }
    }

    /// The element behind a number of the last read: checked, never guessed.
    async fn by_ref(&self, number: u32, deadline: Instant) -> Result<Element, PageError> {
        // What the last act set off may be about to change the page, and a ref is only good for the page that was read.
        self.settle(deadline).await?;
        // This look may be the beginning of an act, whose mark was just taken.
        drop(self.begin_act());
        let bound = self.bound(number)?;
        let mut search = Search::new(self, deadline);
        let candidate = search.bound(&bound, number).await?;
        let element = search.element(&candidate).await?;
        if self.call_injected::<bool>(&element, "hasBox", &[], deadline).await? {
            Ok(element)
        } else {
            Err(PageError::NotVisible)
        }
    }

    /// What a number stands for, as long as the documents are those that were read.
    pub(super) fn bound(&self, number: u32) -> Result<Bound, PageError> {
        let read = self.refs.get().ok_or(PageError::NoRefs)?;
        if self.url() != read.url {
            return Err(PageError::Stale);
        }
        let bound =
            usize::try_from(number).ok().and_then(|number| read.elements.into_iter().nth(number.checked_sub(1)?));
        let bound = bound.ok_or(PageError::UnknownRef(number))?;
        let state = self.core().state();
        let same = state.frames.get(&bound.frame).is_some_and(|frame| frame.loader == bound.loader);
        if same { Ok(bound) } else { Err(PageError::Stale) }
    }
}

impl Search<'_> {
    /// The error that says what comes closest to what was not found.
    async fn nothing(&mut self, target: &Target) -> PageError {
        let mut lines = Vec::new();
        let wanted = match &target.by {
            By::Line(pattern) => Some(pattern.clone()),
            By::Name(name) => LinePattern::parse(&quoted(name)).ok(),
            By::Role { role, name } => {
                let name = name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
                LinePattern::parse(&format!("{role}{name}")).ok()
            }
            By::Text(text) | By::Label(text) => LinePattern::parse(&text.to_string()).ok(),
            _ => None,
        };
        let (mut others, mut next) = (Vec::new(), None);
        if let Ok(seen) = self.seen().await {
            if let Some(wanted) = wanted {
                let indexes = closest(&seen.outline, &wanted, LISTED);
                lines = indexes.into_iter().map(|index| line_text(&seen, index)).collect();
            }
            if lines.is_empty() {
                let numbered = seen.outline.lines.iter().enumerate().filter(|(_, line)| line.interactive);
                others = numbered.take(LISTED).map(|(index, _)| line_text(&seen, index)).collect();
            }
            if seen.url == "about:blank" {
                next = Some("nothing is open in this tab: `open` a page first, as in `- open: /`".to_owned());
            }
        }
        for (around, what) in
            [(&target.within, "it is looked for in"), (&target.frame, "it is looked for in the frame")]
        {
            if let Some(around) = around
                && self.matches(around).await.is_ok_and(|found| found.is_empty())
            {
                next = Some(format!("{what} {around}, and nothing on the page is that"));
            }
        }
        if let By::Name(name) = &target.by
            && is_like_a_selector(name)
        {
            next = Some(format!("a CSS selector is written {{ css: {} }}", quoted(name)));
        }
        PageError::NotFound { target: target.to_string(), closest: lines, others, next }
    }

    async fn too_many(&mut self, target: &Target, found: &[Candidate]) -> PageError {
        let mut matches = Vec::new();
        for (index, candidate) in found.iter().take(LISTED).enumerate() {
            let text = self.text_of_nameless(candidate);
            matches.push(format!("nth: {}  {}{text}", index + 1, self.describe(candidate).await));
        }
        PageError::Ambiguous { target: target.to_string(), count: found.len(), matches }
    }
}

impl Search<'_> {
    /// What a line without a name says, as it is told apart from others by: ` — 3 items`.
    fn text_of_nameless(&self, candidate: &Candidate) -> String {
        let (Candidate::Line(index), Some(seen)) = (candidate, self.last_seen()) else { return String::new() };
        let below = seen.outline.lines.get(seen.outline.subtree(*index)).unwrap_or_default();
        let Some((line, below)) = below.split_first() else { return String::new() };
        if !line.name.is_empty() || line.value.is_some() {
            return String::new();
        }
        // A link says its name, and the texts that it is made of say it again.
        let mut words: Vec<&str> =
            below.iter().map(|line| line.name.as_str()).filter(|name| !name.is_empty()).collect();
        words.dedup();
        if words.is_empty() { String::new() } else { format!(" — {}", shown(&words.join(" "))) }
    }
}

/// `#save` and `.save` are names like any other, but hardly ever meant as such.
fn is_like_a_selector(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '#' | '[' | ']' | '=' | '>' | ' ');
    let rest = name.strip_prefix(['#', '.']).unwrap_or_default();
    rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.chars().all(word)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A line as it is printed.
pub(super) fn line_text(seen: &Seen, index: usize) -> String {
    let Some(line) = seen.outline.lines.get(index) else { return String::new() };
    let one = crate::outline::Outline { lines: vec![crate::outline::Line { depth: 0, ..line.clone() }] };
    one.text(crate::outline::Refs::Hidden).trim_end().to_owned()
}
