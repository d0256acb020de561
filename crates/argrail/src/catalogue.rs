//! What the verbs that read the catalogue need: places, configuration, the project, the sources.

use std::ffi::OsStr;

use argrail_acli::Error;
use argrail_engine::catalog::resolve::Problem;
use argrail_engine::catalog::{Catalogue, Shelf};
use argrail_engine::config::Config;
use argrail_engine::places::Places;
use jiff::Timestamp;

use crate::foreign::one_line;
use crate::out;

/// Looks at the user's places, the configuration and the project. A file that cannot be read is a refusal.
pub(crate) fn shelf() -> Result<Shelf, Error> {
    shelf_of(std::env::var_os("PATH").as_deref())
}

/// The same with these directories in the place of `PATH`.
pub(crate) fn shelf_of(path: Option<&OsStr>) -> Result<Shelf, Error> {
    let places = Places::new(|name| std::env::var_os(name)).map_err(|error| {
        Error::execution(error).hint("Set HOME to the home directory of the user that runs argrail")
    })?;
    let config = Config::load(&places).map_err(|error| Error::execution(&error).hint(error.hint()))?;
    let directory = std::env::current_dir().map_err(|error| {
        Error::execution(error).hint("Start argrail in a directory that exists and that you may read")
    })?;
    Shelf::open(places, config, &directory, path).map_err(|error| Error::from(&error))
}

/// Opens the catalogue as it is now.
pub(crate) fn catalogue(shelf: &Shelf) -> Result<Catalogue<'_>, Error> {
    shelf
        .catalogue(Timestamp::now())
        .map_err(|error| Error::from(&error))
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
