//! Where files live: the XDG directories, under ATIP's names and our own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The directories of one user. Built from the environment that is handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    home: PathBuf,
    config: PathBuf,
    state: PathBuf,
}

/// Why no place could be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacesError {
    /// Neither `HOME` nor the XDG variables are there.
    #[error("HOME is not set to an absolute path, so argrail cannot tell where its files are")]
    NoHome,
}

impl Places {
    /// Reads `HOME`, `XDG_CONFIG_HOME` and `XDG_STATE_HOME`. A relative path counts as unset, as XDG says.
    ///
    /// # Errors
    /// When `HOME` is missing: guessing would put the record where nobody looks.
    pub fn new(env: impl Fn(&str) -> Option<OsString>) -> Result<Self, PlacesError> {
        let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME").ok_or(PlacesError::NoHome)?;
        let config = absolute("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let state = absolute("XDG_STATE_HOME").unwrap_or_else(|| home.join(".local/state"));
        Ok(Self {
            config: config.join("agent-tools"),
            state: state.join("argrail"),
            home,
        })
    }

    /// Returns the home directory.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Returns the configuration file.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.json")
    }

    /// Returns the directory of our own state.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// Returns what belongs to argrail alone: no tool may see or change it.
    pub fn own(&self) -> Vec<PathBuf> {
        vec![self.config.clone(), self.state.clone()]
    }

    /// Returns the directory of the record.
    pub fn audit(&self) -> PathBuf {
        self.state.join("audit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xdg_variables_win_when_they_are_absolute() {
        let check = |vars: &[(&str, &str)], want: Option<(&str, &str)>| {
            let env = |name: &str| {
                vars.iter()
                    .find(|(key, _)| *key == name)
                    .map(|(_, value)| OsString::from(value))
            };
            let found = Places::new(env)
                .ok()
                .map(|places| (places.config_file(), places.audit()));
            assert_eq!(
                found,
                want.map(|(config, audit)| (PathBuf::from(config), PathBuf::from(audit))),
                "{vars:?}"
            );
        };
        check(&[], None);
        check(&[("HOME", "rel")], None);
        check(
            &[("HOME", "/h")],
            Some((
                "/h/.config/agent-tools/config.json",
                "/h/.local/state/argrail/audit",
            )),
        );
        check(
            &[
                ("HOME", "/h"),
                ("XDG_CONFIG_HOME", "/c"),
                ("XDG_STATE_HOME", "rel"),
            ],
            Some(("/c/agent-tools/config.json", "/h/.local/state/argrail/audit")),
        );
    }
}
