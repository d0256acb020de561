//! Files on disk: a folder of their own, and nothing that is there is touched.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use argrail_acli::{Code, Error, Text};

/// Makes the folder, which must not be there, and writes the files into it.
///
/// # Errors
/// When the folder is there already, or something cannot be written.
pub(super) fn put(folder: &Path, texts: &BTreeMap<String, String>) -> Result<(), Error> {
    let failed = |error: io::Error| {
        let what = Text::new("{} cannot be written: {}")
            .value(folder.to_string_lossy())
            .value(error.to_string());
        Error::new(Code::ExecutionError, what).hint("Name a folder that you may write: --dir DIR")
    };
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::create_dir(folder).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let what =
                Text::new("{} is there already, and nothing is overwritten").value(folder.to_string_lossy());
            Error::invalid(
                what,
                "Name another folder with --dir DIR, or move the old bundle away",
            )
        }
        _ => failed(error),
    })?;
    for (path, text) in texts {
        one(&folder.join(path), text).map_err(failed)?;
    }
    Ok(())
}

fn one(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}
