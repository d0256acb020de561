//! Whether a secret was got hold of: only its own bytes count, an empty file in its place does not.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How much of what was found is searched for a secret, in bytes.
const MAX_LOOKED_AT_BYTES: u64 = 1024 * 1024;

/// Reads a file; succeeds if the secret stands in it.
pub(super) fn read_secret(path: impl AsRef<Path>, secret: &str) -> io::Result<()> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_LOOKED_AT_BYTES)
        .read_to_end(&mut bytes)?;
    holds_secret(&bytes, secret)
}

/// Succeeds if the secret stands in these bytes.
pub(super) fn holds_secret(bytes: &[u8], secret: &str) -> io::Result<()> {
    let found = !secret.is_empty()
        && bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes());
    if found {
        Ok(())
    } else {
        Err(io::Error::other("readable, and the secret is not in it"))
    }
}
