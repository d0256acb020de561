//! How far a bundle or an agent is: installed, in range, set up, signed in. Starts nothing but the version check.

use std::ffi::OsStr;
use std::path::PathBuf;

use argrail_engine::ready::install::receipt;
use argrail_engine::ready::version::{Asking, Known, Observed};
use argrail_sandbox::Launcher;
use serde_json::{Value, json};

use super::bring::Workshop;
use super::subject::Subject;

/// How far one is.
pub(super) struct State {
    id: String,
    name: String,
    program: Option<PathBuf>,
    /// Why it is not what was installed. Then it was asked nothing.
    drift: Option<String>,
    observed: Option<Observed>,
    /// Steps of the setup that nobody has done.
    pending: Vec<String>,
    auth: Auth,
    login: Option<String>,
}

/// Whether somebody is signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Auth {
    /// Nobody has to.
    None,
    /// It cannot be told before the program is there.
    Unknown,
    /// Nothing shows it.
    Unauthed,
    /// A variable or a file shows it.
    Authed,
}

impl Auth {
    fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Unknown => "unknown",
            Self::Unauthed => "unauthed",
            Self::Authed => "authed",
        }
    }
}

impl State {
    /// Looks at one that a person accepted.
    pub(super) fn of(shop: &Workshop, subject: &Subject) -> Self {
        let packaged = subject.packaged();
        let (program, drift) = match shop.installed(packaged) {
            Ok(Some(installed)) => (Some(installed.program), None),
            Ok(None) => (shop.shelf().programs().find(packaged.short()), None),
            Err(drift) => {
                let program = receipt(shop.places(), &packaged.key()).map(|installed| installed.program);
                (program, Some(drift.to_string()))
            }
        };
        let asked = program.as_deref().filter(|_| drift.is_none());
        let observed = asked.and_then(|program| version(shop, subject, program));
        let fits = observed.as_ref().is_some_and(|observed| observed.in_range);
        Self {
            id: packaged.identity(),
            name: packaged.id.to_owned(),
            auth: auth(shop, subject, fits),
            login: subject
                .auth()
                .and_then(|auth| auth.login.as_ref())
                .map(|login| login.cmd.as_str().to_owned()),
            pending: subject
                .setup()
                .iter()
                .map(|step| step.id().value.clone())
                .collect(),
            program,
            drift,
            observed,
        }
    }

    /// The `data` for programs.
    pub(super) fn data(&self) -> Value {
        json!({
            "id": self.id,
            "installed": self.program.is_some() && self.drift.is_none(),
            "drift": self.drift,
            "program": self.program.as_ref().map(|program| program.to_string_lossy()),
            "version": self.observed.as_ref().map(|observed| &observed.version),
            "range": self.observed.as_ref().map(|observed| &observed.range),
            "inRange": self.observed.as_ref().map(|observed| observed.in_range),
            "setup": if self.pending.is_empty() { "done" } else { "pending" },
            "pending": self.pending,
            "auth": self.auth.as_str(),
        })
    }

    /// The cells of a table.
    pub(super) fn cells(&self) -> [String; 6] {
        let version = self.observed.as_ref().map(|observed| observed.version.clone());
        let fits = match self.observed.as_ref().map(|observed| observed.in_range) {
            Some(true) => "yes",
            Some(false) => "no",
            None => "-",
        };
        [
            self.id.clone(),
            match (&self.program, &self.drift) {
                (Some(_), Some(_)) => "changed",
                (Some(_), None) => "yes",
                (None, _) => "no",
            }
            .to_owned(),
            version.unwrap_or_else(|| "-".to_owned()),
            fits.to_owned(),
            if self.pending.is_empty() {
                "done"
            } else {
                "pending"
            }
            .to_owned(),
            self.auth.as_str().to_owned(),
        ]
    }

    /// One line for a person.
    pub(super) fn line(&self) -> String {
        if let Some(drift) = &self.drift {
            return drift.clone();
        }
        match (&self.program, &self.observed) {
            (None, _) => "not installed".to_owned(),
            (Some(program), None) => format!("{}, which tells no version", program.display()),
            (Some(program), Some(observed)) => {
                let fits = if observed.in_range {
                    "in range"
                } else {
                    "not in range"
                };
                format!(
                    "{} {}, {fits} ({})",
                    program.display(),
                    observed.version,
                    observed.range
                )
            }
        }
    }

    /// What a person does next, if anything is left.
    pub(super) fn next(&self) -> Option<String> {
        if self.program.is_none() || self.drift.is_some() {
            return Some(format!("argrail install {}", self.name));
        }
        if !self.pending.is_empty() {
            return Some(format!("set it up: {}", self.pending.join(", ")));
        }
        match (self.auth, &self.login) {
            (Auth::Unauthed, Some(login)) => Some(format!("sign in with: {login}")),
            (Auth::Unauthed, None) | (Auth::None | Auth::Unknown | Auth::Authed, _) => None,
        }
    }
}

/// The version of a program: as it is known, or as it says now.
fn version(shop: &Workshop, subject: &Subject, program: &std::path::Path) -> Option<Observed> {
    let (packaged, places) = (subject.packaged(), shop.places());
    let asking = Asking {
        check: packaged.version_check,
        bin: packaged.bin,
        program,
        launcher: &Launcher::SelfExe,
        places,
        home: places.home(),
        search: shop.shelf().programs().directories(),
        cancel: None,
    };
    Known::of(places).observe(&asking).ok()
}

fn auth(shop: &Workshop, subject: &Subject, fits: bool) -> Auth {
    let Some(auth) = subject.auth() else {
        return Auth::None;
    };
    let state = auth.state.as_ref();
    let mut variables = state
        .and_then(|state| state.env.as_deref())
        .unwrap_or_default()
        .iter();
    let is_set = |name: &str| {
        shop.environment()
            .get(OsStr::new(name))
            .is_some_and(|value| !value.is_empty())
    };
    let mut paths = state
        .and_then(|state| state.paths.as_deref())
        .unwrap_or_default()
        .iter();
    let home = subject.home(shop.places());
    let exists = |path: &str| {
        let path = path.trim_end_matches("/**");
        match path.strip_prefix("~/") {
            Some(rest) => home.join(rest).exists(),
            None => path.starts_with('/') && std::path::Path::new(path).exists(),
        }
    };
    match variables.any(|name| is_set(&name.value)) || paths.any(|path| exists(&path.value)) {
        true => Auth::Authed,
        false if fits => Auth::Unauthed,
        false => Auth::Unknown,
    }
}
