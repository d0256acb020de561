//! A delegation from a file that a person named on the command line (ATIP §4.3).

use std::path::Path;

use argrail_acli::{Code, Error, Text};
use argrail_spec::atip::{Delegation, decode_delegation};
use argrail_spec::doc::{Diagnostic, Document, Limits, place};

use crate::metadata_file::bounded;

/// Reads the file. What is not understood is a refusal: a restriction that nobody reads would restrict nothing.
///
/// # Errors
/// When it cannot be read, or is no delegation, with the place.
pub(crate) fn read(path: &Path) -> Result<Delegation, Error> {
    let shown = path.to_string_lossy();
    let limits = Limits::default();
    let text = bounded(path, limits.bytes).map_err(|error| {
        Error::execution(error).hint(Text::new("Check that {} is a file that you may read").value(&shown))
    })?;
    let wrong = |diagnostic: &Diagnostic| {
        let at = place(&text, diagnostic.span.start);
        let what = Text::new("{}:{}:{}: {}")
            .value(&shown)
            .number(at.line)
            .number(at.column)
            .value(&diagnostic.message);
        Error::new(Code::ValidationError, what).hint(Text::new("Run: argrail lint {}").value(&shown))
    };
    let document = Document::json(&text, &limits).map_err(|diagnostic| wrong(&diagnostic))?;
    decode_delegation(&document.root).map_err(|all| match all.first() {
        Some(first) => wrong(first),
        None => Error::execution("the delegation is not understood"),
    })
}
