//! Asking a program for its version.

use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_sandbox::{Cancel, Launcher};
use argrail_spec::cli_md::VersionCheck;

use super::error::VersionError;
use crate::catalog::probe::{Booth, Listen, Question, Settings};
use crate::places::Places;
use crate::profile::Grounds;

/// The longest that any check may take.
const LONGEST: Duration = Duration::from_secs(60);
/// How much of an output is searched for a version, and how much of it is told.
const SEARCHED: usize = 64 << 10;
const SAID: usize = 400;
/// The longest version.
const VERSION: usize = 128;

/// A question to a program.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// How the version is asked for, and which will do.
    pub check: &'a VersionCheck,
    /// What the program is called: the first word of the check.
    pub bin: &'a str,
    /// The program that is run.
    pub program: &'a Path,
    /// Who builds the sandbox.
    pub launcher: &'a Launcher,
    /// The user's directories, which the program does not see.
    pub places: &'a Places,
    /// The user's home, which it does not see as a whole.
    pub home: &'a Path,
    /// Where its interpreter is looked for, if that is neither beside it nor the system's.
    pub search: &'a [PathBuf],
    /// Ends it from elsewhere.
    pub cancel: Option<&'a Cancel>,
}

/// A version that a program printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// As it was printed.
    pub version: String,
    /// The versions that will do.
    pub range: String,
    /// Whether it will do.
    pub in_range: bool,
}

impl Observed {
    /// Judges a version.
    pub(super) fn judge(check: &VersionCheck, version: &str) -> Option<Self> {
        let in_range = check.range.contains(version)?;
        Some(Self {
            version: version.to_owned(),
            range: check.range.as_str().to_owned(),
            in_range,
        })
    }

    /// Returns the version if it will do.
    ///
    /// # Errors
    /// Both versions, if it will not.
    pub fn required(self, program: &Path) -> Result<String, VersionError> {
        match self.in_range {
            true => Ok(self.version),
            false => Err(VersionError::Mismatch {
                program: program.display().to_string(),
                version: self.version,
                range: self.range,
            }),
        }
    }
}

/// Asks a program for its version, and judges it. Nothing is remembered here.
///
/// # Errors
/// When it cannot be asked, takes too long, or prints no version.
pub fn observe(asking: &Asking<'_>) -> Result<Observed, VersionError> {
    let words = words(asking)?;
    let program = || asking.program.display().to_string();
    let not_run = |source| VersionError::NotRun {
        program: program(),
        source: Box::new(source),
    };
    let timeout = Duration::from_millis(asking.check.timeout_ms()).min(LONGEST);
    let settings = Settings {
        jobs: 1,
        timeout,
        launcher: asking.launcher.clone(),
        home: asking.home.to_owned(),
        own: asking.places.own(),
    };
    let switch = match asking.cancel {
        Some(cancel) => cancel.clone(),
        None => Cancel::new().map_err(|source| {
            not_run(argrail_sandbox::Error::Host {
                act: "make a switch",
                source,
            })
        })?,
    };
    let booth = Booth::new(&settings, &switch).map_err(|refusal| not_run(refusal.into()))?;
    let grounds = Grounds::found(asking.program, asking.home, asking.search);
    let question = Question {
        words: &words.iter().map(String::as_str).collect::<Vec<_>>(),
        listen: Listen::Both,
        timeout,
    };
    let report = booth.ask(asking.program, &grounds, &question).map_err(not_run)?;
    if report.timed_out {
        return Err(VersionError::Late {
            program: program(),
            limit_ms: u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX),
        });
    }
    let outputs = [text(&report.stdout), text(&report.stderr)];
    let found = outputs.iter().find_map(|output| {
        let version = asking.check.parse.find(output)?.trim();
        Observed::judge(asking.check, version.get(..VERSION).unwrap_or(version))
    });
    found.ok_or_else(|| VersionError::Unreadable {
        program: program(),
        exit: report.ended.code(),
        said: outputs.concat().chars().take(SAID).collect(),
    })
}

/// The words after the program. The check runs this program and no other.
fn words(asking: &Asking<'_>) -> Result<Vec<String>, VersionError> {
    let wrong = || VersionError::Words {
        bin: asking.bin.to_owned(),
        given: asking.check.cmd.as_str().to_owned(),
    };
    let mut words = asking.check.cmd.words().ok_or_else(wrong)?.into_iter();
    let first = words.next().ok_or_else(wrong)?;
    let short = asking.bin.rsplit('/').next().unwrap_or(asking.bin);
    let same = |word: &str| word.trim_start_matches("./") == asking.bin.trim_start_matches("./");
    match same(&first) || first == short {
        true => Ok(words.collect()),
        false => Err(wrong()),
    }
}

/// The beginning of an output, as text.
fn text(bytes: &[u8]) -> String {
    let start = bytes.get(..SEARCHED).unwrap_or(bytes);
    String::from_utf8_lossy(start).into_owned()
}
