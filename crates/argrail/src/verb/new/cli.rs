//! `argrail new cli`: a bundle from the catalogue, from what the program says about its version, and from whoever
//! installed it.
//!
//! The program is asked in the sandbox of probing, and only if nothing keeps it from being asked. A bundle that would
//! not load is not written.

use std::path::{Path, PathBuf};

use argrail_acli::{Code, Error, Text};
use argrail_engine::catalog::Shelf;
use argrail_engine::catalog::probe::{Settings, TIMEOUT};
use argrail_engine::ready::origin::{origins, packages, said_version};
use argrail_sandbox::{Cancel, Launcher};
use argrail_spec::bundle::{self, Files};
use argrail_spec::bundle_writer::{Found, Known, SaidVersion, write as texts};
use serde_json::{Value, json};

use super::place::put;
use crate::args::new::NewCliArgs;
use crate::catalogue::{catalogue, shelf};
use crate::foreign::one_line;
use crate::verb::{infer, show};

/// Where bundles of a project are.
const FOLDER: &str = ".cli";

/// What was written.
pub(super) struct Written {
    id: String,
    folder: PathBuf,
    files: Vec<String>,
    /// Fields that a person has to write.
    unfinished: Vec<&'static str>,
}

impl Written {
    /// The data of the envelope.
    pub(super) fn data(&self) -> Value {
        json!({
            "bundle": self.folder.display().to_string(),
            "id": self.id,
            "files": self.files,
            "unfinished": self.unfinished,
        })
    }

    /// The same for a person.
    pub(super) fn text(&self) -> String {
        let folder = one_line(&self.folder.display().to_string());
        let unfinished = match self.unfinished.is_empty() {
            true => String::new(),
            false => format!(
                "Unfinished: nobody who can be trusted says which package has it. Write {} in {folder}/CLI.md.\n",
                self.unfinished.join(", ")
            ),
        };
        format!(
            "{folder}: {} files\n{unfinished}Read {folder}/CLI.md first: its Gotchas say what was guessed.\nThen: argrail lint {folder}\n",
            self.files.len()
        )
    }
}

/// Writes the bundle.
///
/// # Errors
/// When nobody knows the program, it can have no bundle, or something is in the way.
pub(super) fn write(args: &NewCliArgs) -> Result<Written, Error> {
    let name = args.name.as_str();
    let shelf = shelf()?;
    let seen = Seen::of(&shelf, name);
    let catalogue = catalogue(&shelf)?;
    let tool = match show::get(&catalogue, name) {
        Ok(known) => Some(known),
        Err(error) if seen.is_none() => return Err(error),
        Err(_) => None,
    };
    let mut found = seen.as_ref().map(|seen| seen.origins.clone()).unwrap_or_default();
    for package in packages(name) {
        if !found.contains(&package) {
            found.push(package);
        }
    }
    let known = Known {
        bin: name,
        metadata: tool.as_ref().map(|known| &known.tool.metadata),
        version: seen.as_ref().and_then(|seen| seen.version.as_ref()),
        found: &found,
    };
    let (id, texts) = texts(&known).map_err(|error| {
        let what = Text::new("{} can have no bundle: {}")
            .value(name)
            .value(error.to_string());
        Error::invalid(
            what,
            "Call the program by a name of letters, digits, '.', '_' and '-'",
        )
    })?;
    let mut files = Files::default();
    for (path, text) in &texts {
        files.text(path.as_str(), text.as_str());
    }
    let loaded = bundle::load(Some(&id), &files);
    let unfinished = loaded.as_ref().is_ok_and(|bundle| bundle.cli.install.is_empty());
    if let Err(reports) = loaded {
        let first = reports.iter().flat_map(|report| &report.diagnostics).next();
        let why = first.map(|one| one.message.as_str()).unwrap_or_default();
        let what = Text::new("what is known about {} makes no sound bundle: {}")
            .value(name)
            .value(why);
        return Err(Error::new(Code::ExecutionError, what)
            .hint(Text::new("Look at it with: argrail show {}").value(name)));
    }
    let into = args.dir.as_deref().unwrap_or(Path::new(FOLDER));
    let folder = into.join(&id);
    put(&folder, &texts)?;
    Ok(Written {
        id,
        files: texts.into_keys().collect(),
        folder,
        unfinished: match unfinished {
            true => vec!["install"],
            false => Vec::new(),
        },
    })
}

/// A program on this machine.
struct Seen {
    version: Option<SaidVersion>,
    origins: Vec<Found>,
}

impl Seen {
    fn of(shelf: &Shelf, name: &str) -> Option<Self> {
        let program = shelf.programs().find(name)?;
        let places = shelf.places();
        let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
        let settings = Settings {
            jobs: 1,
            timeout: TIMEOUT,
            launcher: Launcher::SelfExe,
            home: argrail_sandbox::home().unwrap_or_else(|_| places.home().to_owned()),
            own: places.own().into_iter().map(real).collect(),
        };
        // One that is never started to ask has a version all the same: a person writes it.
        let asked = infer::find(shelf, name, &settings.home).ok();
        let version = asked.and_then(|found| {
            let cancel = Cancel::new().ok()?;
            said_version(&found.asked.path, &settings, &cancel)
        });
        Some(Self {
            version,
            origins: origins(&program, Path::new("/")),
        })
    }
}
