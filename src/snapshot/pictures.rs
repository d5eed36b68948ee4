//! Holding a picture against what is stored.

use std::path::Path;

use super::format::{Content, FormatError, Kept, picture_of};
use super::picture::{Contrast, Picture, Tolerance};
use super::store::{Held, SnapshotError, Standing, Store, Taker, Written};

/// A picture to be held against its snapshot.
#[derive(Clone, Copy, Debug)]
pub struct TakenPicture<'a> {
    /// Who asks.
    pub by: &'a Taker,
    /// What the page shows.
    pub picture: &'a Picture,
    /// How much may differ.
    pub tolerance: Tolerance,
}

impl Store {
    /// How a picture stands to what is stored. Writes nothing, so that a step may ask again while it waits for the page.
    ///
    /// # Errors
    /// When the name is another step's, or what is stored is no picture.
    pub fn picture_standing(&self, taken: &TakenPicture<'_>) -> Result<Standing, SnapshotError> {
        self.claim(taken.by)?;
        Ok(match self.stored_picture(&self.path(&taken.by.key))? {
            None => Standing::Missing,
            Some((_, stored)) if matches(&stored, taken) => Standing::Matches,
            Some(_) => Standing::Differs,
        })
    }

    /// The picture that is stored, if there is one.
    ///
    /// # Errors
    /// When what is stored is no picture.
    pub fn picture(&self, taken: &TakenPicture<'_>) -> Result<Option<Picture>, SnapshotError> {
        Ok(self.stored_picture(&self.path(&taken.by.key))?.map(|(_, picture)| picture))
    }

    /// Holds a picture against what is stored, and writes what the policy has written. A picture that was only written for
    /// review, or not at all, is an error.
    ///
    /// # Errors
    /// When it differs, nothing is stored that it could be held against, or what is stored is no picture.
    pub fn hold_picture(&self, taken: &TakenPicture<'_>) -> Result<Held, SnapshotError> {
        self.claim(taken.by)?;
        let path = self.path(&taken.by.key);
        let bytes = taken.picture.encode().map_err(|message| self.wrong(&path, message))?;
        let content = Content::Picture(&bytes);
        let Some((raw, stored)) = self.stored_picture(&path)? else {
            return self.keep_first(taken.by, &path, content);
        };
        if matches(&stored, taken) {
            return self.matched(taken.by, &path, content, |file| file == raw && stored == *taken.picture);
        }
        match self.write(taken.by, &path, content, true)? {
            Written::Stored => Ok(Held::Updated { path: self.shown(&path) }),
            Written::Not(written) => Err(SnapshotError::Looks {
                path: self.shown(&picture_of(&path)),
                how: words(&stored, taken.picture),
                written: written.map(|pending| picture_of(&pending)),
            }),
        }
    }

    /// The front matter of what is stored there, which must be a picture, and the picture.
    fn stored_picture(&self, path: &Path) -> Result<Option<(String, Picture)>, SnapshotError> {
        let Some(stored) = self.stored(path)? else {
            return Ok(None);
        };
        let Kept::Picture(bytes) = stored.content else {
            return Err(self.wrong(path, "it holds an outline, not a picture".to_owned()));
        };
        let picture = Picture::decode(&bytes)
            .map_err(|message| self.wrong(&picture_of(path), format!("the picture can't be read: {message}")))?;
        Ok(Some((stored.raw, picture)))
    }

    fn wrong(&self, path: &Path, message: String) -> SnapshotError {
        FormatError { path: self.shown(path), line: 1, message }.into()
    }
}

fn matches(stored: &Picture, taken: &TakenPicture<'_>) -> bool {
    stored.against(taken.picture).is_some_and(|contrast| taken.tolerance.allows(&contrast))
}

/// How two pictures differ, in words; the first is the stored one.
pub(super) fn difference_of(stored: &[u8], new: &[u8]) -> String {
    match (Picture::decode(stored), Picture::decode(new)) {
        (Ok(stored), Ok(new)) => words(&stored, &new),
        (Err(message), _) => format!("the stored picture can't be read: {message}"),
        (_, Err(message)) => format!("the new picture can't be read: {message}"),
    }
}

fn words(stored: &Picture, new: &Picture) -> String {
    let Some(Contrast { pixels, of, part }) = stored.against(new) else {
        let ((old_width, old_height), (width, height)) = (stored.size(), new.size());
        return format!("it is {width}x{height} pixels, and the stored one is {old_width}x{old_height}");
    };
    let Some(part) = part else {
        return "no pixel differs visibly".to_owned();
    };
    let share = pixels as f64 * 100.0 / of as f64;
    // Less than what rounds to something is not nothing.
    let share = if share < 0.01 { "less than 0.01 %".to_owned() } else { format!("{share:.2} %") };
    format!(
        "{pixels} of {of} pixels differ ({share}), all of them in the {}x{} pixels from {},{} on",
        part.width, part.height, part.left, part.top
    )
}
