//! What the verbs that read the catalogue need: places, configuration, the project, the sources.

use argrail_acli::Error;
use argrail_engine::catalog::resolve::{Problem, Sources};
use argrail_engine::catalog::{Catalogue, StoreError};
use argrail_engine::config::Config;
use argrail_engine::places::Places;
use jiff::Timestamp;

use crate::out;
use crate::table::one_line;

/// What the catalogue is read from.
pub(crate) struct Ground {
    /// Where the user's files are.
    pub(crate) places: Places,
    /// What the user has set.
    pub(crate) config: Config,
}

impl Ground {
    /// Reads the configuration. A file that cannot be read is a refusal.
    pub(crate) fn new() -> Result<Self, Error> {
        let places = Places::new(|name| std::env::var_os(name)).map_err(|error| {
            Error::execution(error).hint("Set HOME to the home directory of the user that runs argrail")
        })?;
        let config = Config::load(&places).map_err(|error| Error::execution(&error).hint(error.hint()))?;
        Ok(Self { places, config })
    }

    /// Opens the catalogue.
    pub(crate) fn catalogue(&self) -> Result<Catalogue<'_>, Error> {
        let open = || -> Result<_, StoreError> {
            let sources = Sources::open(&self.places, &[], None, Timestamp::now())?;
            Catalogue::open(sources)
        };
        open().map_err(|error| Error::from(&error))
    }
}

/// Tells a person about files that could not be used.
pub(crate) fn tell(problems: &[Problem]) {
    for problem in problems {
        out::say(&one_line(&format!(
            "{}: {}",
            problem.path.display(),
            problem.message
        )));
    }
}
