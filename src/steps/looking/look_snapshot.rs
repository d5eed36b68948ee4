//! A picture held against the one that is stored.

use std::fmt;
use std::path::PathBuf;

use crate::page::{Area, Format, Look, PageError, Still};
use crate::scenario::{Deferred, Node, Problems, Readable};
use crate::snapshot::{Part, Picture, SnapshotError, Standing, TakenPicture, Taker, Tolerance};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::around::write;
use crate::steps::asserting::{taker, tell_held};
use crate::steps::failure::Failure;
use crate::steps::given::Targets;
use crate::steps::stage::Stage;
use crate::steps::step::At;

/// The arguments of `look` that are about a snapshot.
#[derive(Debug)]
pub(super) struct Snapshot {
    name: Deferred<String>,
    tolerance: Option<Deferred<Allowed>>,
    masks: Option<Deferred<Targets>>,
}

impl Snapshot {
    pub(super) fn build(args: &mut Arguments<'_>) -> Option<Snapshot> {
        let (tolerance, masks) = (args.given_if_any("tolerance"), args.given_if_any("masks"));
        Some(Snapshot { name: args.given("snapshot")?, tolerance: tolerance?, masks: masks? })
    }

    /// Takes pictures until one is like the stored one, at most until the step's deadline. The first of all is taken when two in a row
    /// agree. `area` says what of the page it is of, each time anew: the page may have replaced it.
    pub(super) async fn hold(
        &self,
        mut area: impl AsyncFnMut(&mut Stage) -> Result<Area, Failure>,
        stage: &mut Stage,
        at: &At<'_>,
    ) -> Result<(), Failure> {
        let name = stage.get(&self.name, at).await?.into_owned();
        let name = stage.props.mask.text(&name).into_owned();
        let tolerance = match &self.tolerance {
            Some(tolerance) => stage.get(tolerance, at).await?.0,
            None => Tolerance::Pixels(0),
        };
        let masks = match &self.masks {
            Some(masks) => stage.get(masks, at).await?.into_owned().0,
            None => Vec::new(),
        };
        let (store, by) = (stage.props.store.clone(), taker(stage, at, name));
        let page = stage.page();
        let mut changes = page.changes();
        let mut last: Option<Picture> = None;
        let mut unmasked = None;
        let picture = loop {
            let look = Look { of: area(stage).await?, format: Format::Png };
            let picture = match page.look_at_rest(&look, &masks, at.deadline).await {
                Ok(still) => masked(&still).map_err(|message| at.failure(message))?,
                // What is to be masked may still come.
                Err(error @ PageError::Unmasked { .. }) => {
                    let more = changes.changed(at.deadline).await.map_err(|error| at.page_failure(&error))?;
                    if !more {
                        return Err(nothing_to_mask(at, &error));
                    }
                    unmasked = Some(error);
                    continue;
                }
                // A look that the deadline cut off says less than the last whole one.
                Err(error) => match (last, unmasked) {
                    (Some(last), _) if error.is_late() => break last,
                    (None, Some(unmasked)) if error.is_late() => return Err(nothing_to_mask(at, &unmasked)),
                    _ => return Err(at.page_failure(&error)),
                },
            };
            let taken = TakenPicture { by: &by, picture: &picture, tolerance };
            match store.picture_standing(&taken) {
                Ok(Standing::Matches) => break picture,
                Ok(Standing::Missing) if last.as_ref() == Some(&picture) => break picture,
                // Said by `hold_picture` below, which knows what to do about it.
                Err(_) => break picture,
                // No event tells that a canvas was painted: each picture is the next look, and takes a frame of the browser.
                Ok(Standing::Missing | Standing::Differs) => last = Some(picture),
            }
        };
        let taken = TakenPicture { by: &by, picture: &picture, tolerance };
        let held = store.hold_picture(&taken);
        let drawn = match &held {
            Err(SnapshotError::Looks { .. }) => store.picture(&taken).ok().flatten(),
            _ => None,
        };
        let failed = tell_held(stage, at, held);
        match (failed, drawn) {
            (Err(failure), Some(stored)) => Err(draw(failure, &stored, &picture, stage, at, &by)?),
            (told, _) => told,
        }
    }
}

fn nothing_to_mask(at: &At<'_>, error: &PageError) -> Failure {
    at.page_failure(error).next("name what is there; `playscript read` prints the page's outline")
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "snapshot {}", self.name)
    }
}

/// The picture without what is masked.
fn masked(still: &Still) -> Result<Picture, String> {
    let mut picture =
        Picture::decode(&still.bytes).map_err(|message| format!("the browser's picture can't be read: {message}"))?;
    let scale = f64::from(picture.size().0) / still.width;
    for [left, top, width, height] in &still.masked {
        // Conversions cut off what lies beyond the picture.
        let (right, bottom) = ((left + width) * scale, (top + height) * scale);
        let (left, top) = ((left * scale).max(0.0) as u32, (top * scale).max(0.0) as u32);
        let part = Part {
            left,
            top,
            width: (right.ceil() as u32).saturating_sub(left),
            height: (bottom.ceil() as u32).saturating_sub(top),
        };
        picture.cover(part);
    }
    Ok(picture)
}

/// Puts both pictures and their difference into the report folder.
fn draw(
    failure: Failure,
    stored: &Picture,
    picture: &Picture,
    stage: &Stage,
    at: &At<'_>,
    by: &Taker,
) -> Result<Failure, Failure> {
    let named = |what: &str| -> PathBuf { stage.props.pictures.join(format!("{}.{what}.png", by.key.stem())) };
    let difference = stored.difference(picture);
    let all = [("stored", Some(stored)), ("page", Some(picture)), ("difference", difference.as_ref())];
    let mut lines = Vec::new();
    for (what, picture) in all {
        let Some(picture) = picture else { continue };
        let bytes = picture.encode().map_err(|message| at.failure(message))?;
        write(at, &named(what), &bytes)?;
        lines.push(named(what).display().to_string());
    }
    Ok(failure.detail("pictures", lines.join("\n")))
}

/// How much may differ, as it is written.
#[derive(Clone, Copy, Debug)]
struct Allowed(Tolerance);

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Tolerance::Pixels(pixels) => write!(f, "{pixels}"),
            Tolerance::Share(share) => write!(f, "{}%", share * 100.0),
        }
    }
}

impl Readable for Allowed {
    fn read(node: &Node, problems: &mut Problems) -> Option<Allowed> {
        let text = node.want_text("`tolerance`", problems)?.trim();
        let read = match text.strip_suffix('%') {
            Some(share) => share
                .trim_end()
                .parse::<f64>()
                .ok()
                .filter(|share| (0.0..=100.0).contains(share))
                .map(|share| Tolerance::Share(share / 100.0)),
            None => text.parse().ok().map(Tolerance::Pixels),
        };
        if read.is_none() {
            problems.add(
                wrong(&node.place, "this says not how much may differ")
                    .label("pixels, or a share of them, belong here")
                    .next("write so many pixels, as in `40`, or a share of the picture, as in `0.5%`"),
            );
        }
        read.map(Allowed)
    }
}
