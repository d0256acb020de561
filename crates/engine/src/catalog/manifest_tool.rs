//! A tool of a trusted project's manifest, with all that a call of it needs. Its program is found again before each call:
//! where links lead, and whether it is what was accepted.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use argrail_acli::{Code, Error, Text};
use argrail_spec::atip::{Loaded, Metadata, Reader, Voice};
use argrail_spec::digest::Digest;
use argrail_spec::identity::Identity;
use argrail_spec::tools_json::{self, ArgumentCheck, Program, SchemaError, ToolSpec};

use crate::catalog::project::ProjectFiles;
use crate::catalog::resolve::Problem;
use crate::files::identity::{MAX_EXECUTABLE, fingerprint, look};

/// The manifest of a project.
pub const MANIFEST_FILE: &str = "tools.json";

/// Where programs of a manifest are.
const BIN: &str = "tools/bin";

/// One tool that can be called.
#[derive(Debug)]
pub struct ManifestTool {
    /// What the manifest says.
    pub spec: ToolSpec,
    /// Its place among the tools of the manifest.
    pub index: usize,
    /// The directory of the manifest, without a symlink in its path.
    pub root: PathBuf,
    /// The same in the words of ATIP.
    pub metadata: Metadata,
    /// What its program must be: the file that a person accepted, and its bytes.
    pin: Option<(PathBuf, Digest)>,
    /// Which file was last seen to be that.
    seen: Mutex<Option<Identity>>,
    check: OnceLock<Result<ArgumentCheck, SchemaError>>,
    reader: OnceLock<Reader>,
}

impl PartialEq for ManifestTool {
    fn eq(&self, other: &Self) -> bool {
        (&self.spec, &self.root, &self.pin) == (&other.spec, &other.root, &other.pin)
    }
}

impl ManifestTool {
    fn new(index: usize, spec: ToolSpec, metadata: Metadata, files: &ProjectFiles) -> Self {
        let root = files.root().to_owned();
        let pin = pinned(&spec, files);
        Self {
            spec,
            index,
            root,
            metadata,
            pin,
            seen: Mutex::new(None),
            check: OnceLock::new(),
            reader: OnceLock::new(),
        }
    }

    /// Returns what the tool reads when it is called with these words, once it fits the schema.
    ///
    /// The manifest says what its options are. What others say of its effects has no options, and read by that alone
    /// the words would be nothing.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` with the place, what was expected and what came.
    pub fn input(&self, words: &[String]) -> Result<Vec<u8>, Error> {
        let name = &self.spec.name;
        let reader = self
            .reader
            .get_or_init(|| Reader::new(Arc::new(self.metadata.clone()), Voice::Claimed));
        let invoked = &reader.read(words)?;
        let itself = self.metadata.commands.get("").cloned().unwrap_or_default();
        let input = tools_json::input(&itself, invoked).map_err(|error| error.refusal(name))?;
        self.check(&input)?;
        Ok(input)
    }

    /// Holds the text of a call's arguments against the schema, which is compiled once.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` when it does not fit; `SETUP_REQUIRED` when the schema cannot be used.
    pub fn check(&self, arguments: &[u8]) -> Result<(), Error> {
        let name = &self.spec.name;
        let check = self
            .check
            .get_or_init(|| ArgumentCheck::new(self.spec.schema.as_ref()));
        match check {
            Ok(check) => check
                .check(arguments)
                .map(drop)
                .map_err(|error| error.refusal(name)),
            Err(unusable) => {
                let what = Text::new("tool {} cannot be called: its schema cannot be used: {}")
                    .value(name)
                    .value(unusable.to_string());
                Err(Error::new(Code::SetupRequired, what)
                    .hint("Ask a person to run: argrail lint tools.json"))
            }
        }
    }
}

/// Returns the pin of a program of the project; nothing for one of the machine.
fn pinned(spec: &ToolSpec, files: &ProjectFiles) -> Option<(PathBuf, Digest)> {
    let root = files.root();
    let first = spec.command.first()?;
    let path = match tools_json::program(first).ok()? {
        Program::Beside(path) => root.join(path),
        Program::Absolute(path) => PathBuf::from(path),
    };
    let real = path.canonicalize().ok()?;
    let inside = real.strip_prefix(root).ok()?.to_str()?;
    let (_, digest) = files.tree.file(inside)?;
    Some((real, digest))
}

/// Reads the tools of a trusted project's manifest. What is wrong with it is a problem; then it has no tools.
pub fn manifest_tools(files: &ProjectFiles) -> (Vec<Arc<ManifestTool>>, Vec<Problem>) {
    let problem = |message: String| Problem {
        path: PathBuf::from(MANIFEST_FILE),
        message,
    };
    if files.tree.file(MANIFEST_FILE).is_none() {
        return (Vec::new(), Vec::new());
    }
    let read = files
        .contents(MANIFEST_FILE)
        .map_err(|error| tools_json::ManifestError::Read {
            why: error.to_string(),
        });
    let manifest = match read.and_then(|text| tools_json::load(&text)) {
        Ok(manifest) => manifest,
        Err(error) => return (Vec::new(), vec![problem(error.to_string())]),
    };
    let (mut tools, mut problems) = (Vec::new(), Vec::new());
    for (index, spec) in manifest.tools.into_iter().enumerate() {
        match tools_json::metadata(&spec) {
            Ok(Loaded { metadata, .. }) => {
                tools.push(Arc::new(ManifestTool::new(index, spec, metadata, files)))
            }
            Err(diagnostic) => problems.push(problem(diagnostic.message)),
        }
    }
    (tools, problems)
}

impl ManifestTool {
    /// Returns the program to start, without a symlink in its path.
    ///
    /// # Errors
    /// `SETUP_REQUIRED` when it is not there, lies elsewhere, or is not what was accepted.
    pub(crate) fn program(&self) -> Result<PathBuf, Error> {
        let first = self.spec.command.first().map_or("", String::as_str);
        let program = tools_json::program(first)
            .map_err(|error| self.not_ready(Text::new("{}").value(error.to_string())))?;
        let path = match &program {
            Program::Absolute(path) => PathBuf::from(path),
            Program::Beside(path) => self.root.join(path),
        };
        let real = path
            .canonicalize()
            .map_err(|error| self.not_ready(Text::new("its program: {}").value(error.to_string())))?;
        match program {
            Program::Beside(_) if !is_inside(&real, &self.root.join(BIN)) => {
                Err(self.not_ready(Text::new("its program leads out of ./tools/bin")))
            }
            Program::Beside(_) => self.accepted(&real),
            Program::Absolute(_) if real.starts_with(&self.root) => self.accepted(&real),
            Program::Absolute(_) => Ok(real),
        }
    }

    /// Whether a file of the project is the one that was accepted, bytes and all.
    fn accepted(&self, real: &Path) -> Result<PathBuf, Error> {
        let changed = || {
            self.not_ready(Text::new("its program is not what was accepted"))
                .hint("Ask a person to look at it and run: argrail trust")
        };
        let Some((file, digest)) = self.pin.as_ref().filter(|(file, _)| file == real) else {
            return Err(changed());
        };
        let now = look(file).ok().flatten().ok_or_else(changed)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        // Reading a large program each time would cost more than running it.
        if *seen == Some(now) {
            return Ok(real.to_owned());
        }
        match fingerprint(file, MAX_EXECUTABLE) {
            Ok(Some(found)) if found.digest == *digest => {
                *seen = Some(found.identity);
                Ok(real.to_owned())
            }
            Ok(_) | Err(_) => Err(changed()),
        }
    }

    fn not_ready(&self, why: Text) -> Error {
        let what = Text::new("tool {} cannot be started").value(&self.spec.name);
        Error::new(Code::SetupRequired, what.then(": ", why))
            .hint("Ask a person to build it into ./tools/bin/ beside tools.json and to run: argrail trust")
    }
}

fn is_inside(real: &Path, folder: &Path) -> bool {
    folder.canonicalize().is_ok_and(|folder| real.starts_with(folder))
}
