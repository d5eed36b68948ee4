//! What finding a browser depends on, read once.

use std::ffi::OsString;
use std::path::PathBuf;

/// The environment as far as it matters for finding and installing a browser.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// `PLAYSCRIPT_CHROME`: the program to use.
    pub chrome: Option<PathBuf>,
    /// `PATH`: the folders where programs are.
    pub path: Option<OsString>,
    /// The folder that holds what playscript has installed: `PLAYSCRIPT_CACHE`, or one in the
    /// system's cache folder.
    pub cache: Option<PathBuf>,
    /// `PLAYSCRIPT_DOWNLOAD_HOST`: a mirror that browsers are fetched from.
    pub download_host: Option<String>,
    /// The folders of the user and the system in which applications are, in order.
    pub applications: Vec<PathBuf>,
}

impl Surroundings {
    /// Reads the environment of this process.
    pub fn from_env() -> Surroundings {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        Surroundings {
            chrome: set("PLAYSCRIPT_CHROME").map(PathBuf::from),
            path: set("PATH"),
            cache: set("PLAYSCRIPT_CACHE")
                .map(PathBuf::from)
                .or_else(|| super::places::cache(&set).map(|cache| cache.join("playscript"))),
            download_host: set("PLAYSCRIPT_DOWNLOAD_HOST").and_then(|host| host.into_string().ok()),
            applications: super::places::applications(&set),
        }
    }

    /// The folders of `PATH`.
    pub(crate) fn program_folders(&self) -> impl Iterator<Item = PathBuf> {
        self.path
            .iter()
            .flat_map(std::env::split_paths)
            .filter(|folder| folder.is_absolute())
            .collect::<Vec<_>>()
            .into_iter()
    }
}
