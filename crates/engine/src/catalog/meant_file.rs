//! Whether a description is about the file that is there: those that name a digest are about no other (later drafts).

use std::path::Path;

use argrail_spec::atip::Metadata;

use crate::files::identity::{MAX_EXECUTABLE, fingerprint};

/// Holds the digests that a description names against the program.
///
/// # Errors
/// What to tell people of a description that is about another file, or whose file cannot be looked at.
pub(super) fn check_file(metadata: &Metadata, program: &Path) -> Result<(), String> {
    let hash = metadata.binary.as_ref().and_then(|binary| binary.hash.as_deref());
    let integrity = metadata.trust.as_ref().and_then(|trust| trust.integrity.as_ref());
    let checksum = integrity.and_then(|integrity| integrity.get("checksum"));
    // What is no text fits nothing.
    let checksum = checksum
        .filter(|value| !value.is_null())
        .map(|value| value.as_str().unwrap_or_default());
    let named = [("binary.hash", hash), ("trust.integrity.checksum", checksum)];
    if named.iter().all(|(_, digest)| digest.is_none()) {
        return Ok(());
    }
    let found = fingerprint(program, MAX_EXECUTABLE).map_err(|error| error.to_string())?;
    let found = found.map(|found| found.digest.to_string());
    for (field, digest) in named {
        let fits = |digest: &str| {
            found
                .as_deref()
                .is_some_and(|found| found.eq_ignore_ascii_case(digest))
        };
        if digest.is_some_and(|digest| !fits(digest)) {
            return Err(format!(
                "it describes another file than the one that is there ({field})"
            ));
        }
    }
    Ok(())
}
