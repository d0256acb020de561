//! How far an agent is: installed, of a version that will do, set up, signed in (AIP-45, Lifecycle).
//!
//! What is missing is said with what a person does next. Nothing is installed and nobody is signed in from here; the only
//! thing that is started is the version check, confined, and only where its answer is not known.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use argrail_acli::{Code, Error, Text};
use argrail_engine::files::{find_program, is_program};
use argrail_engine::places::Places;
use argrail_engine::ready::install::{ProgramDrift, check_integrity, receipt};
use argrail_engine::ready::version::{Asking, Known, Observed, VersionError};
use argrail_engine::store::{Kind, Store};
use argrail_sandbox::Launcher;
use serde_json::Value;

use super::agent::{Agent, AgentOrigin};
use super::auth::{SignedIn, variables};

/// What readiness is judged with.
#[derive(Debug, Clone, Copy)]
pub struct Means<'a> {
    /// The user's directories.
    pub places: &'a Places,
    /// The user's home, without symlinks.
    pub home: &'a Path,
    /// Where the agent would work.
    pub directory: &'a Path,
    /// Directories in which programs are looked for, after they were checked.
    pub search: &'a [PathBuf],
    /// Variables of the caller.
    pub environment: &'a BTreeMap<OsString, OsString>,
    /// Who builds sandboxes.
    pub launcher: &'a Launcher,
    /// What was set up; nothing where nobody keeps that.
    pub store: Option<&'a dyn Store>,
}

/// How far an agent is.
#[derive(Debug)]
pub struct Readiness {
    /// Its program.
    pub program: Option<PathBuf>,
    /// Why that is not what was installed. Then it was asked nothing.
    pub drift: Option<ProgramDrift>,
    /// The version of that.
    pub version: Option<Result<Observed, VersionError>>,
    /// Steps of the setup that nobody has done.
    pub pending: Vec<String>,
    /// Whether somebody is signed in.
    pub auth: SignedIn,
    /// Its protocol, if argrail does not speak that: then nothing else makes it ready.
    unspoken: Option<&'static str>,
    identity: String,
    id: String,
    variables: Vec<String>,
    login: Option<String>,
    /// The verb that installs it: `add` knows those that argrail brings along, `install` those that were added.
    installs: &'static str,
}

impl Readiness {
    /// Looks at an agent that counts.
    pub fn of(agent: &Agent, means: &Means<'_>) -> Self {
        let manifest = &agent.bundle.agent;
        let (program, drift) = match program(agent, means) {
            Ok(program) => (program, None),
            Err((program, drift)) => (Some(program), Some(drift)),
        };
        let asked = program.as_deref().filter(|_| drift.is_none());
        let version = asked.map(|program| observe(agent, program, means));
        let login = manifest.auth.as_ref().and_then(|auth| auth.login.as_ref());
        Self {
            version,
            program,
            drift,
            pending: undone(agent, means),
            auth: SignedIn::look(agent, means.environment, &agent.home(means.places)),
            unspoken: (!agent.is_spoken()).then(|| manifest.protocol.as_str()),
            identity: agent.identity(),
            id: agent.id().to_owned(),
            variables: variables(agent).into_iter().map(str::to_owned).collect(),
            login: login.map(|login| login.cmd.as_str().to_owned()),
            installs: match agent.origin {
                AgentOrigin::Shipped => "add",
                AgentOrigin::Home | AgentOrigin::Project | AgentOrigin::Defined => "install",
            },
        }
    }

    /// Returns its program, if it can be started: there, as it was installed, of a version that will do, set up.
    ///
    /// # Errors
    /// `SETUP_REQUIRED` with the steps that are pending, `VERSION_MISMATCH` with both versions, or `AUTH_REQUIRED` with the
    /// variables of which one has to be set.
    pub fn program(self) -> Result<PathBuf, Error> {
        let Some(program) = self.program else {
            let mut pending = vec!["install".to_owned()];
            pending.extend(self.pending);
            let hint = Text::new("A person has to install it, with: argrail {} {}")
                .word(self.installs)
                .value(&self.id);
            return Err(not_ready(&self.identity, hint, pending));
        };
        if let Some(drift) = &self.drift {
            return Err(Error::from(drift));
        }
        if !self.pending.is_empty() {
            let hint = Text::new("A person has to set it up: {}").value(self.pending.join(", "));
            return Err(not_ready(&self.identity, hint, self.pending));
        }
        let observed = self.version.transpose().map_err(|error| Error::from(&error))?;
        if let Some(observed) = observed {
            observed.required(&program).map_err(|error| Error::from(&error))?;
        }
        if self.auth == SignedIn::No && !self.variables.is_empty() {
            let what = Text::new("the agent {} needs a key, and none of its variables is set: {}");
            let hint = Text::new("A person has to set one of these before argrail is started: {}");
            let names = self.variables.join(", ");
            return Err(
                Error::new(Code::AuthRequired, what.value(&self.identity).value(&names))
                    .hint(hint.value(&names))
                    .detail("variables", self.variables),
            );
        }
        Ok(program)
    }

    /// Whether its program is there, and what was installed.
    pub fn is_installed(&self) -> bool {
        self.program.is_some() && self.drift.is_none()
    }

    /// Returns the version that its program told.
    pub fn observed(&self) -> Option<&Observed> {
        self.version.as_ref().and_then(|told| told.as_ref().ok())
    }

    /// Whether a turn can be asked of it now, as far as can be told.
    pub fn is_ready(&self) -> bool {
        self.next().is_none()
    }

    /// Returns what a person does next, if anything is left.
    pub fn next(&self) -> Option<String> {
        if let Some(protocol) = self.unspoken {
            return Some(format!("not yet: it speaks {protocol}, and argrail speaks acp"));
        }
        if self.program.is_none() {
            return Some(format!("argrail {} {}", self.installs, self.id));
        }
        if let Some(drift) = &self.drift {
            return Some(format!("see why {drift}; then: argrail install {}", self.id));
        }
        match &self.version {
            Some(Ok(observed)) if !observed.in_range => {
                return Some(format!(
                    "argrail install {} (for a version {})",
                    self.id, observed.range
                ));
            }
            Some(Err(error)) => return Some(format!("see why it tells no version: {error}")),
            Some(Ok(_)) | None => {}
        }
        if !self.pending.is_empty() {
            return Some(format!("set it up: {}", self.pending.join(", ")));
        }
        match (self.auth, self.variables.as_slice(), &self.login) {
            (SignedIn::NotNeeded | SignedIn::Yes, _, _) => None,
            (SignedIn::No, [], Some(login)) => Some(format!("sign in with: {login}")),
            (SignedIn::No, [], None) => None,
            (SignedIn::No, [one], _) => Some(format!("set {one}")),
            (SignedIn::No, several, _) => Some(format!("set one of {}", several.join(", "))),
        }
    }
}

/// Returns the home that the agent of an identity, such as `goose@1`, has to itself.
pub fn agent_home(places: &Places, identity: &str) -> PathBuf {
    places.agent_homes().join(identity)
}

/// The program: a file of the folder, or what was installed, or what the search path has; with the reason, if it is not
/// what was installed.
fn program(agent: &Agent, means: &Means<'_>) -> Result<Option<PathBuf>, (PathBuf, ProgramDrift)> {
    let packaged = agent.packaged();
    if agent.is_in_folder() {
        return Ok(in_folder(agent));
    }
    if let Some(installed) = receipt(means.places, &packaged.key()) {
        return match check_integrity(means.places, &installed) {
            Ok(()) => Ok(Some(installed.program)),
            Err(drift) => Err((installed.program, drift)),
        };
    }
    Ok(find_program(packaged.bin, means.search))
}

fn in_folder(agent: &Agent) -> Option<PathBuf> {
    let root = agent.root.as_ref()?.canonicalize().ok()?;
    let file = root.join(agent.packaged().bin).canonicalize().ok()?;
    (file.starts_with(&root) && is_program(&file)).then_some(file)
}

fn observe(agent: &Agent, program: &Path, means: &Means<'_>) -> Result<Observed, VersionError> {
    let manifest = &agent.bundle.agent;
    Known::of(means.places).observe(&Asking {
        check: &manifest.version_check,
        bin: &manifest.bin.value,
        program,
        launcher: means.launcher,
        places: means.places,
        home: means.home,
        search: means.search,
        cancel: None,
    })
}

/// The steps of the setup that nobody has done here.
fn undone(agent: &Agent, means: &Means<'_>) -> Vec<String> {
    let steps = &agent.bundle.agent.setup;
    if steps.is_empty() {
        return Vec::new();
    }
    let key = format!("{} {}", agent.packaged().key(), means.directory.display());
    let ledger = means
        .store
        .and_then(|store| store.get(Kind::Ledger, &key).ok().flatten());
    let done = |id: &str| {
        let body = ledger.as_ref().map(|document| &document.body);
        body.and_then(|body| body.get(id)).and_then(Value::as_str) == Some("done")
    };
    let ids = steps.iter().map(|step| step.id().value.as_str());
    ids.filter(|id| !done(id)).map(str::to_owned).collect()
}

fn not_ready(identity: &str, hint: Text, pending: Vec<String>) -> Error {
    Error::new(
        Code::SetupRequired,
        Text::new("the agent {} is not ready").value(identity),
    )
    .hint(hint)
    .detail("pending", pending)
}
