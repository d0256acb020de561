//! Where the record is, and the store that knows its end.

use argrail_acli::Error;
use argrail_engine::places::Places;

/// Returns the user's places.
pub(super) fn places() -> Result<Places, Error> {
    Places::new(|name| std::env::var_os(name)).map_err(|error| {
        Error::execution(error).hint("Set HOME to the home directory of the user that runs argrail")
    })
}
