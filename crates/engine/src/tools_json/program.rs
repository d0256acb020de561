//! The program of a tool, found again before each call: where links lead, and whether it is what was accepted.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use argrail_acli::{Code, Error, Text};
use argrail_spec::tools_json::{self, Program};

use super::manifest_tool::ManifestTool;
use crate::catalog::identity::{MAX_EXECUTABLE, fingerprint, look};

/// Where programs of a manifest are.
const BIN: &str = "tools/bin";

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
