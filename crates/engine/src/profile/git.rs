//! Git's settings that run programs, set to harmless values by variables that outrank every file.
//!
//! A repository says in its own settings which programs git starts: file monitors, hooks, pagers, editors, helpers.
//! None of them could leave the sandbox; with these values git does not try, and a read still works. Manifests may
//! not set such variables: they arrive as the host's own.

use std::collections::BTreeMap;

/// The settings, always.
const ALWAYS: &[(&str, &str)] = &[
    ("color.ui", "false"),
    ("column.ui", "never"),
    ("core.askPass", ""),
    ("core.editor", "false"),
    ("core.fsmonitor", "false"),
    ("core.pager", "cat"),
    ("core.sshCommand", "ssh"),
    ("gc.autoDetach", "false"),
    ("gpg.program", "gpg"),
    ("gpg.ssh.program", "ssh-keygen"),
    ("gpg.x509.program", "gpgsm"),
    ("log.showSignature", "false"),
    ("protocol.ext.allow", "never"),
    ("sequence.editor", "false"),
];

/// Whether hooks of the repository may run: only where a person agreed to a call that may start any program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hooks {
    /// They do not.
    Off,
    /// They run, in the sandbox.
    Run,
}

/// Whether git may ask helpers for credentials: there is no use for one without a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Helpers {
    /// It may not.
    Off,
    /// It may.
    Asked,
}

/// Returns the variables.
pub(super) fn variables(hooks: Hooks, helpers: Helpers) -> BTreeMap<String, String> {
    let hooks = match hooks {
        Hooks::Off => Some(("core.hooksPath", "/dev/null")),
        Hooks::Run => None,
    };
    let helpers = match helpers {
        Helpers::Off => Some(("credential.helper", "")),
        Helpers::Asked => None,
    };
    let pairs: Vec<_> = ALWAYS.iter().copied().chain(hooks).chain(helpers).collect();
    let count = ("GIT_CONFIG_COUNT".to_owned(), pairs.len().to_string());
    let pairs = pairs.into_iter().enumerate().flat_map(|(index, (key, value))| {
        [
            (format!("GIT_CONFIG_KEY_{index}"), key.to_owned()),
            (format!("GIT_CONFIG_VALUE_{index}"), value.to_owned()),
        ]
    });
    pairs.chain([count]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_its_value() {
        let variables = variables(Hooks::Off, Helpers::Off);
        let count: usize = variables["GIT_CONFIG_COUNT"].parse().unwrap();
        assert_eq!(count, ALWAYS.len() + 2);
        assert_eq!(variables.len(), 2 * count + 1);
        for index in 0..count {
            assert!(variables.contains_key(&format!("GIT_CONFIG_VALUE_{index}")));
        }
        assert_eq!(
            super::variables(Hooks::Run, Helpers::Asked)["GIT_CONFIG_COUNT"],
            ALWAYS.len().to_string()
        );
    }
}
