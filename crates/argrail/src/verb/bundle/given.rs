//! What `add` was given: a bundle or an agent of argrail's own, a folder, or a manifest of tools.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use argrail_acli::{Error, Text, nearest};
use argrail_agents::catalogue::shipped::{shipped_agent, shipped_agents};
use argrail_engine::catalog::bundle::{BundleFile, CLI, Given, gather};
use argrail_engine::ready::shipped::{shipped_bundle, shipped_bundles};
use argrail_spec::agent_bundle::{self, AgentBundle, MANIFEST};
use argrail_spec::bundle::{self, Bundle, FileReport, Files};
use argrail_spec::doc::Severity;

use super::subject::Subject;

/// What can be named.
const EXPECTED: &str = "Name the folder of a bundle or of an agent, its manifest, or a tools.json";

/// What is to be added.
pub(super) enum Source {
    /// A bundle, or an agent.
    Subject {
        /// Where its files are; nothing where they are argrail's own and stay there.
        given: Option<Given>,
        /// What they say.
        subject: Subject,
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
    if let Some(shipped) = shipped_agent(name) {
        return Ok(Source::Subject {
            given: None,
            subject: Subject::Agent(Box::new(shipped.agent()?.bundle)),
            root: PathBuf::from(name),
        });
    }
    let Some(shipped) = shipped_bundle(name) else {
        let agents = shipped_agents().iter().map(|agent| agent.id);
        let names = || {
            shipped_bundles()
                .iter()
                .map(|bundle| bundle.id)
                .chain(agents.clone())
        };
        let hint = match nearest(name, names()) {
            Some(near) => Text::new("Did you mean {}?").value(near),
            None => Text::new("argrail has {}; others are named by their folders")
                .value(names().collect::<Vec<_>>().join(", ")),
        };
        return Err(Error::invalid(
            Text::new("no bundle or agent is called {}").value(name),
            hint,
        ));
    };
    let files = shipped.texts().into_iter().map(|(name, text)| BundleFile {
        name,
        bytes: text.into_bytes(),
    });
    Ok(Source::Subject {
        subject: Subject::Tool(Box::new(read(
            Some(shipped.id),
            &shipped.files(),
            Path::new(name),
        )?)),
        given: Some(Given::Files(files.collect())),
        root: PathBuf::from(name),
    })
}

fn at(path: &Path) -> Result<Source, Error> {
    let absent = |error: std::io::Error| {
        let what = Text::new("{} cannot be read: {}")
            .value(path.to_string_lossy())
            .value(error.to_string());
        Error::invalid(what, EXPECTED)
    };
    let real = path.canonicalize().map_err(absent)?;
    let name = real.file_name().and_then(OsStr::to_str);
    let folder = match (real.is_dir(), name) {
        (true, _) => real.clone(),
        (false, Some(CLI | MANIFEST)) => real.parent().unwrap_or(Path::new("/")).to_owned(),
        (false, Some("tools.json")) => {
            return Ok(Source::Manifest(
                real.parent().unwrap_or(Path::new("/")).to_owned(),
            ));
        }
        (false, _) => {
            let what = Text::new("{} is neither a bundle nor an agent nor a tools.json")
                .value(path.to_string_lossy());
            return Err(Error::invalid(what, EXPECTED));
        }
    };
    let is_agent = name == Some(MANIFEST) || (!folder.join(CLI).is_file() && folder.join(MANIFEST).is_file());
    if !is_agent && !folder.join(CLI).is_file() && folder.join("tools.json").is_file() {
        return Ok(Source::Manifest(folder));
    }
    let found = gather(&folder).map_err(|error| {
        Error::execution(&error)
            .hint(Text::new("Look at it with: argrail lint {}").value(path.to_string_lossy()))
    })?;
    let name = folder.file_name().and_then(OsStr::to_str);
    let subject = match is_agent {
        true => Subject::Agent(Box::new(read_agent(name, &found.files, path)?)),
        false => Subject::Tool(Box::new(read(name, &found.files, path)?)),
    };
    Ok(Source::Subject {
        subject,
        given: Some(Given::Folder(folder.clone())),
        root: folder,
    })
}

fn read(folder: Option<&str>, files: &Files, shown: &Path) -> Result<Bundle, Error> {
    let what = Text::new("the bundle has mistakes; the first, in {}: {}");
    bundle::load(folder, files).map_err(|reports| mistaken(what, &reports, shown))
}

fn read_agent(folder: Option<&str>, files: &Files, shown: &Path) -> Result<AgentBundle, Error> {
    let what = Text::new("the agent's manifest has mistakes; the first, in {}: {}");
    agent_bundle::load(folder, files).map_err(|reports| mistaken(what, &reports, shown))
}

fn mistaken(what: Text, reports: &[FileReport], shown: &Path) -> Error {
    let mut errors = reports.iter().flat_map(|report| {
        let of_file = report
            .diagnostics
            .iter()
            .filter(|one| one.severity == Severity::Error);
        of_file.map(move |one| (report.path.as_str(), one.message.as_str()))
    });
    let (file, message) = errors.next().unwrap_or((CLI, "it cannot be used"));
    let hint = Text::new("See all of them with: argrail lint {}").value(shown.to_string_lossy());
    Error::invalid(what.value(file).value(message), hint)
}
