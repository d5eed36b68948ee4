//! `state`: what a user's browser has kept, written to a file and read from one.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use tokio::time::Instant;

use super::files::writable;
use crate::page::net::origin_of;
use crate::page::{Kept, KeptOrigin};
use crate::scenario::Deferred;
use crate::scenario::leads_out;
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field};
use crate::steps::stage::{BASE, OTHER, Stage};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "state",
    group: Group::Around,
    summary: "Saves cookies, local and session storage of the user to a file, or loads them: one scenario signs in and saves, others name it in \
              `needs:` and load. The file is for its owner alone, and holds all values as they are: secrets are not masked in it, so keep it \
              out of version control.",
    short: None,
    fields: &[
        field(
            "save",
            Kind::Text,
            "The file to write, relative to the project's folder and inside of it: JSON as Playwright's `storageState`. It holds all cookies, the \
             local storage of the origins that tabs and their frames show, and the session storage of those in the current tab.",
        ),
        field(
            "load",
            Kind::Text,
            "The file to read, likewise. What it holds is added to what is there, before the first script of a page that is opened later; session \
             storage to the current tab. A page that is open already may have to be reloaded to notice.",
        ),
    ],
    example: "- state: { load: playscript-report/signed-in.json }",
    build,
};

/// What is done with the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Save,
    Load,
}

#[derive(Debug)]
struct State {
    way: Way,
    file: Deferred<String>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let (way, name) = match (args.has("save"), args.has("load")) {
        (true, false) => (Way::Save, "save"),
        (false, true) => (Way::Load, "load"),
        (both, _) => {
            let label = if both { "`save` and `load` at once" } else { "no file is named" };
            let place = args.place();
            args.problem(
                wrong(place, "`state` needs one of `save` and `load`")
                    .label(label)
                    .next(format!("write it like this:\n{}", SPEC.example)),
            );
            return None;
        }
    };
    let file = args.given(name)?;
    let node = args.raw(name)?;
    if let Some(path) = node.text().filter(|path| !path.contains("{{") && leads_out(path)) {
        args.problem(
            wrong(&node.place, format!("`{path}` is outside the project's folder"))
                .label("this leads out of it")
                .next("name a file inside the project, relative to its folder, such as `playscript-report/state.json`"),
        );
        return None;
    }
    Some(Box::new(State { way, file }))
}

#[async_trait(?Send)]
impl Action for State {
    fn describe(&self) -> String {
        match self.way {
            Way::Save => format!("state save {}", self.file),
            Way::Load => format!("state load {}", self.file),
        }
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let name = stage.get(&self.file, at).await?;
        let path = writable(stage, at, &name)?;
        stays_inside(stage, at, &name, &path)?;
        match self.way {
            Way::Save => save(stage, at, &path).await,
            Way::Load => load(stage, at, &name, &path).await,
        }
    }
}

/// The path as it is, its links followed, must be inside the project too.
fn stays_inside(stage: &Stage, at: &At<'_>, name: &str, path: &Path) -> Result<(), Failure> {
    // What is not there yet leads nowhere. A link to nothing is there.
    let there = path.ancestors().find(|part| part.symlink_metadata().is_ok()).unwrap_or(path);
    let inside = match (there.canonicalize(), stage.props.project.canonicalize()) {
        (Ok(there), Ok(project)) => there.starts_with(project),
        _ => false,
    };
    if inside {
        return Ok(());
    }
    Err(at
        .failure(format!("`{name}` is outside the project's folder"))
        .label("a link leads out of it")
        .next("name a file inside the project, relative to its folder"))
}

async fn save(stage: &Stage, at: &At<'_>, path: &Path) -> Result<(), Failure> {
    let (page, now) = (stage.page(), Instant::now());
    // What the last act set off may be what is to be kept. A page that never rests is taken as it is.
    match page.settle(now + at.deadline.saturating_duration_since(now) / 2).await {
        Err(error) if !error.is_late() => return Err(Failure::of_page(at.place, &error)),
        _ => {}
    }
    let mut kept = stage.tabs().kept(at.deadline).await.map_err(|error| Failure::of_page(at.place, &error))?;
    let names = stage.origins_of_this_run();
    each_origin(&mut kept, |origin| {
        if let Some((_, name)) = names.iter().find(|(known, _)| known == origin) {
            *origin = (*name).to_owned();
        }
    });
    written(path, &kept).map_err(|error| {
        at.failure(format!("the file can't be written: {error}")).label(path.display().to_string()).of_world()
    })
}

/// Writes the file at once or not at all, for its owner alone.
fn written(path: &Path, kept: &Kept) -> std::io::Result<()> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    std::fs::create_dir_all(&folder)?;
    // A temporary file is its owner's alone from the start.
    let mut file = tempfile::NamedTempFile::new_in(&folder)?;
    serde_json::to_writer_pretty(&mut file, kept)?;
    file.write_all(b"\n")?;
    file.persist(path)?;
    Ok(())
}

async fn load(stage: &Stage, at: &At<'_>, name: &str, path: &Path) -> Result<(), Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            return at
                .failure(format!("there is no saved state `{name}`"))
                .label("nothing has saved it")
                .next("run the scenario that saves it first: name it under `needs:`");
        }
        at.failure(format!("the saved state `{name}` can't be read: {error}"))
            .next("save it anew: name the scenario that does so under `needs:`")
    })?;
    let mut kept: Kept = serde_json::from_str(&text).map_err(|error| {
        at.failure(format!("`{name}` is not a saved state"))
            .label(error.to_string())
            .next("save it anew: name the scenario that does so under `needs:`")
    })?;
    let mut unserved = None;
    each_origin(&mut kept, |origin| {
        let named = match &**origin {
            BASE => stage.base().map(str::to_owned),
            OTHER => stage.site().map(|site| site.other().to_owned()),
            _ => return,
        };
        match named {
            Some(named) => *origin = named,
            None => unserved = Some(origin.clone()),
        }
    });
    if let Some(origin) = unserved {
        return Err(at
            .failure(format!("`{name}` holds what belongs to {origin}"))
            .label("this scenario serves nothing")
            .next("give this scenario the pages of the one that saved it, by `serve:` or `pages:`"));
    }
    let mut odd = None;
    each_origin(&mut kept, |origin| {
        if origin_of(origin).as_ref() != Some(origin) {
            odd = Some(origin.clone());
        }
    });
    if let Some(origin) = odd {
        return Err(at
            .failure(format!("`{name}` is not a saved state"))
            .label(format!("`{origin}` is no origin, such as https://example.org"))
            .next("save it anew: name the scenario that does so under `needs:`"));
    }
    stage.tabs().keep(&kept, at.deadline).await.map_err(|error| Failure::of_page(at.place, &error))
}

fn each_origin(kept: &mut Kept, mut change: impl FnMut(&mut String)) {
    for KeptOrigin { origin, within, .. } in &mut kept.origins {
        change(origin);
        within.iter_mut().for_each(&mut change);
    }
}
