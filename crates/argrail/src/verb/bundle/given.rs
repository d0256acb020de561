//! What `add` was given: a bundle of argrail's own, a folder, or a manifest of tools.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use argrail_acli::{Error, Text, nearest};
use argrail_engine::catalog::bundle::{BundleFile, CLI, Given, gather};
use argrail_engine::ready::shipped::{shipped_bundle, shipped_bundles};
use argrail_spec::bundle::{self, Bundle, Files};
use argrail_spec::doc::Severity;

/// What is to be added.
pub(super) enum Source {
    /// A bundle.
    Bundle {
        /// Where its files are.
        given: Given,
        /// What they say.
        bundle: Box<Bundle>,
        /// The folder, for programs that lie in it.
        root: PathBuf,
    },
    /// The folder of a `tools.json`.
    Manifest(PathBuf),
}

/// Finds what a word means: a path if it looks like one or leads to something, else a bundle of ours.
pub(super) fn source(what: &OsStr) -> Result<Source, Error> {
    let path = Path::new(what);
    let plain = what
        .to_str()
        .filter(|name| !name.contains('/') && !matches!(*name, "" | "." | ".."));
    match plain {
        Some(name) if !path.exists() => ours(name),
        Some(_) | None => at(path),
    }
}

fn ours(name: &str) -> Result<Source, Error> {
    let Some(shipped) = shipped_bundle(name) else {
        let names = || shipped_bundles().iter().map(|bundle| bundle.id);
        let hint = match nearest(name, names()) {
            Some(near) => Text::new("Did you mean {}?").value(near),
            None => Text::new("argrail has {}; another is named by its folder")
                .value(names().collect::<Vec<_>>().join(", ")),
        };
        return Err(Error::invalid(
            Text::new("no bundle is called {}").value(name),
            hint,
        ));
    };
    let files = shipped.texts().into_iter().map(|(name, text)| BundleFile {
        name,
        bytes: text.into_bytes(),
    });
    Ok(Source::Bundle {
        bundle: Box::new(read(Some(shipped.id), &shipped.files(), Path::new(name))?),
        given: Given::Files(files.collect()),
        root: PathBuf::from(name),
    })
}

fn at(path: &Path) -> Result<Source, Error> {
    let absent = |error: std::io::Error| {
        let what = Text::new("{} cannot be read: {}")
            .value(path.to_string_lossy())
            .value(error.to_string());
        Error::invalid(what, "Name the folder of a bundle, its CLI.md, or a tools.json")
    };
    let real = path.canonicalize().map_err(absent)?;
    let name = real.file_name().and_then(OsStr::to_str);
    let folder = match (real.is_dir(), name) {
        (true, _) => real.clone(),
        (false, Some(CLI)) => real.parent().unwrap_or(Path::new("/")).to_owned(),
        (false, Some("tools.json")) => {
            return Ok(Source::Manifest(
                real.parent().unwrap_or(Path::new("/")).to_owned(),
            ));
        }
        (false, _) => {
            let what = Text::new("{} is neither a bundle nor a tools.json").value(path.to_string_lossy());
            return Err(Error::invalid(
                what,
                "Name the folder of a bundle, its CLI.md, or a tools.json",
            ));
        }
    };
    if !folder.join(CLI).is_file() && folder.join("tools.json").is_file() {
        return Ok(Source::Manifest(folder));
    }
    let found = gather(&folder).map_err(|error| {
        Error::execution(&error)
            .hint(Text::new("Look at it with: argrail lint {}").value(path.to_string_lossy()))
    })?;
    let name = folder.file_name().and_then(OsStr::to_str);
    Ok(Source::Bundle {
        bundle: Box::new(read(name, &found.files, path)?),
        given: Given::Folder(folder.clone()),
        root: folder,
    })
}

fn read(folder: Option<&str>, files: &Files, shown: &Path) -> Result<Bundle, Error> {
    bundle::load(folder, files).map_err(|reports| {
        let mut errors = reports.iter().flat_map(|report| {
            let of_file = report
                .diagnostics
                .iter()
                .filter(|one| one.severity == Severity::Error);
            of_file.map(move |one| (report.path.as_str(), one.message.as_str()))
        });
        let (file, message) = errors.next().unwrap_or((CLI, "it cannot be used"));
        let what = Text::new("the bundle has mistakes; the first, in {}: {}")
            .value(file)
            .value(message);
        let hint = Text::new("See all of them with: argrail lint {}").value(shown.to_string_lossy());
        Error::invalid(what, hint)
    })
}
