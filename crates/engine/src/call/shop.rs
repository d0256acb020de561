//! Everything that a call needs: the catalogue as it is now, and what was read of it before.
//!
//! A tool is read once and again only when a file about it changed, so that a call does not pay for the catalogue. The
//! files of a trusted project are among them: its word holds only as long as the project is what was trusted.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use argrail_acli::{Code, Error, Text, nearest};
use argrail_sandbox::Launcher;
use argrail_spec::atip::Delegation;
use argrail_spec::digest::Hasher;
use jiff::Timestamp;

use super::secrets::{KnownSecrets, NamedSecret};
use super::tool::{Runs, Tool};
use crate::audit::Chain;
use crate::catalog::bundle::CLI;
use crate::catalog::scan::{MAX_DIRECTORIES, too_many};
use crate::catalog::{Shelf, system_directories};
use crate::config::Config;
use crate::consent::{Leaving, ProgramDigests, Snapshots};
use crate::extension::Stock;
use crate::files::Fingerprint;
use crate::notify::Notifier;
use crate::output::Keep;
use crate::output::command_mask::CommandMask;
use crate::ready::SignedIn;
use crate::store::Store;

/// The most tools that are kept in memory.
const KEPT: usize = 512;

/// What the process is, as far as children are concerned.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The program that builds sandboxes.
    pub launcher: Launcher,
    /// The real home, which no tool sees as a whole.
    pub home: PathBuf,
    /// The variables of the process. Tools get what they declare, and no more.
    pub environment: BTreeMap<OsString, OsString>,
    /// What whoever started the process allows it (ATIP §4.3).
    pub delegation: Option<Delegation>,
    /// What is remembered between calls.
    pub store: Arc<dyn Store>,
    /// Where it is kept what was called. Nothing is started that is not in it.
    pub record: Arc<Chain>,
    /// How long a call waits for a person.
    pub wait: Wait,
    /// Whether it is about to end, and nobody is waited for any more.
    pub leaving: Arc<Leaving>,
    /// Who tells people that something waits.
    pub notifier: Arc<Notifier>,
    /// What must not be told beside what the environment and the configuration hold.
    pub secrets: Vec<NamedSecret>,
}

/// How long a call waits for a person's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// As the configuration says.
    AsConfigured,
    /// So long; nothing means not at all.
    For(Duration),
}

/// Answers calls of tools.
#[derive(Debug)]
pub struct Shop {
    pub(super) stock: Stock,
    pub(super) surroundings: Surroundings,
    /// Directories of ours, which no tool sees, without symlinks.
    pub(super) own: Vec<PathBuf>,
    /// Outputs that were too long to be shown.
    pub(super) keep: Keep,
    pub(super) signed_in: SignedIn,
    /// What programs are, for answers that hold for them.
    pub(super) digests: Arc<ProgramDigests>,
    /// What people were asked about.
    pub(super) snapshots: Snapshots,
    /// What nobody is told.
    pub(super) known: KnownSecrets,
    /// Which rules hold, for the record.
    policy_version: OnceLock<String>,
    tools: Mutex<HashMap<String, Remembered>>,
    /// When what is not needed any more was removed.
    pub(super) tidied: Mutex<Option<Instant>>,
}

#[derive(Debug)]
struct Remembered {
    tool: Arc<Tool>,
    read: Fingerprint,
}

impl Shop {
    /// Opens it. Nothing is read before somebody asks.
    pub fn new(stock: Stock, surroundings: Surroundings) -> Self {
        let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
        let known = KnownSecrets::of_process(&surroundings.environment, &stock.config, &stock.places);
        let known = known.with(surroundings.secrets.iter().cloned());
        surroundings.record.conceal(Arc::new(known.mask().clone()));
        Self {
            known,
            own: stock.places.own().into_iter().map(real).collect(),
            keep: Keep::new(stock.places.outputs()),
            signed_in: SignedIn::default(),
            digests: Arc::default(),
            snapshots: Snapshots::new(stock.places.snapshots()),
            policy_version: OnceLock::new(),
            stock,
            surroundings,
            tools: Mutex::default(),
            tidied: Mutex::default(),
        }
    }

    /// Returns the same with another configuration.
    pub(crate) fn with_config(&self, config: Config) -> Self {
        let stock = Stock {
            config,
            ..self.stock.clone()
        };
        Self::new(stock, self.surroundings.clone())
    }

    /// Returns the same, which does not tell these either.
    pub(crate) fn with_secrets(&self, more: impl IntoIterator<Item = NamedSecret>) -> Self {
        let mut surroundings = self.surroundings.clone();
        surroundings.secrets.extend(more);
        Self::new(self.stock.clone(), surroundings)
    }

    /// Returns the mask for everything that is written down or told and is about no call.
    pub fn mask(&self) -> &CommandMask {
        self.known.mask()
    }

    /// Returns what the catalogue is opened with.
    pub fn stock(&self) -> &Stock {
        &self.stock
    }

    /// Returns where it is kept what was done.
    pub fn record(&self) -> &Arc<Chain> {
        &self.surroundings.record
    }

    /// Returns the directories of ours, which nobody sees.
    pub fn own(&self) -> &[PathBuf] {
        &self.own
    }

    /// Returns a digest of the rules that hold: this program, the configuration, the delegation of the process.
    pub(super) fn policy_version(&self) -> &str {
        self.policy_version.get_or_init(|| {
            let config = &self.stock.config;
            let mut hash = Hasher::default();
            hash.field(env!("CARGO_PKG_VERSION"));
            hash.field(format!("{:?} {:?}", config.allow, config.deny));
            hash.field(format!("{:?}", config.permission_policy));
            hash.field(format!("{:?}", config.hosts));
            hash.field(format!("{:?}", config.delegations));
            hash.field(format!("{:?}", self.surroundings.delegation));
            hash.finish().to_string()
        })
    }

    /// Returns the tool called `name`: one that is described, or a program of that name.
    ///
    /// # Errors
    /// When there is neither, or what describes it cannot be used.
    pub(crate) fn tool(&self, name: &str) -> Result<Arc<Tool>, Error> {
        if let Some(known) = self.remembered(name) {
            return Ok(known);
        }
        let shelf = self.stock.shelf()?;
        let tool = Arc::new(self.look_up(&shelf, name)?);
        if let Some(project) = shelf.watched() {
            let files = self.files(name, &tool, &shelf).into_iter();
            let read = Fingerprint::of(files.chain(project).collect());
            let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
            if tools.len() >= KEPT {
                tools.clear();
            }
            tools.insert(
                name.to_owned(),
                Remembered {
                    tool: Arc::clone(&tool),
                    read,
                },
            );
        }
        Ok(tool)
    }

    fn remembered(&self, name: &str) -> Option<Arc<Tool>> {
        let tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        let known = tools.get(name).filter(|known| known.read.holds())?;
        Some(Arc::clone(&known.tool))
    }

    fn look_up(&self, shelf: &Shelf, name: &str) -> Result<Tool, Error> {
        let catalogue = shelf
            .catalogue(Timestamp::now())
            .map_err(|error| Error::from(&error))?;
        let programs = shelf.programs();
        let named = self.stock.config.tools.iter().find(|tool| tool.name == name);
        let configured = named.and_then(|tool| tool.path.clone());
        if let Some(path) = &configured
            && !programs.named().any(|(known, _)| known == name)
        {
            // Another program of this name is not the one that a person meant.
            let what = Text::new("the configuration names {} for {}, and that cannot be started")
                .value(path.to_string_lossy())
                .value(name);
            return Err(Error::new(Code::SetupRequired, what).hint(
                "A person has to see that it is a program, in a directory that nobody else can write and no untrusted project",
            ));
        }
        let problems = match catalogue.get(name) {
            Ok(known) => return Ok(Tool::known(known, programs, configured)),
            Err(problems) => problems,
        };
        if let Some(problem) = problems.first() {
            // Somebody describes it and cannot be believed: that is no reason to know nothing.
            let what = Text::new("what describes {} cannot be used: {}")
                .value(name)
                .value(&problem.message);
            let hint = match problem.path.ends_with(CLI) {
                true => Text::new("A person can look at it with: argrail lint {}")
                    .value(problem.path.parent().unwrap_or(&problem.path).to_string_lossy()),
                false => Text::new("A person can look at it with 'argrail show {}'").value(name),
            };
            return Err(Error::new(Code::ExecutionError, what).hint(hint));
        }
        match programs.find(name) {
            Some(program) => Ok(Tool::undescribed(name, program, programs)),
            None => {
                let (heads, _) = catalogue.heads();
                let names = heads.iter().map(|known| known.tool.metadata.name.as_str());
                let hint = match nearest(name, names) {
                    Some(near) => Text::new("Did you mean {}?").value(near),
                    None => Text::new("Run 'help' for available commands"),
                };
                let what = Text::new("Command not found: {}").value(name);
                Err(self.beyond_path(Error::new(Code::CommandNotFound, what).hint(hint)))
            }
        }
    }

    /// Says of a program that was not found that not all of `PATH` was looked at, where that is so.
    pub(super) fn beyond_path(&self, error: Error) -> Error {
        let path = self.surroundings.environment.get(OsStr::new("PATH"));
        match path.and_then(|path| too_many(path)) {
            Some(count) => {
                let hint = "PATH has {} directories, and only the first {} are looked at: a person takes out those that are not needed";
                error.hint(Text::new(hint).number(count).number(MAX_DIRECTORIES))
            }
            None => error,
        }
    }

    /// Every file and directory that has a word about the tool, or decides what its name starts.
    fn files(&self, name: &str, tool: &Tool, shelf: &Shelf) -> Vec<PathBuf> {
        let places = &self.stock.places;
        let file = format!("{name}.json");
        let mut files = vec![
            places.registry_file(),
            places.trust_file(),
            places.shims().join(&file),
            places.tools().join(&file),
            places.overrides().join(&file),
            self.stock.directory.clone(),
        ];
        for directory in system_directories(places).trusted {
            files.extend([
                directory.join("shims").join(&file),
                directory.join("tools").join(&file),
                directory.join(&file),
            ]);
        }
        files.extend(shelf.programs().directories().iter().cloned());
        match &tool.runs {
            Runs::Program(Some(program)) => files.push(program.clone()),
            Runs::Bundle(runs) => files.extend(runs.held.watched()),
            Runs::Program(None) | Runs::Server | Runs::Manifest(_) => {}
        }
        let configured = self.stock.config.tools.iter().filter(|tool| tool.name == name);
        files.extend(configured.filter_map(|tool| tool.metadata.clone()));
        files
    }
}
