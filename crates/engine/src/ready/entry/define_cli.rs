//! `defineCli` for hosts that are written in Rust: a definition with hooks in, a handle out.
//!
//! The same contract as that of modules, without a process of its own: hooks are code of the host and run where the host
//! runs them. The manifest is the source of truth here, too: [`CliHandle::over`] puts it over what the definition says.

use std::fmt;

use argrail_spec::cli_md::CliMd;
use serde_json::{Map, Value};

use super::conflict::Conflict;
use super::describe::Described;
use super::hooks::{
    DetectExpiryArgs, LoginArgs, LoginResult, ParseOutputArgs, ParseOutputResult, RefreshArgs, RefreshResult,
};

/// A hook.
type Hook<A, R> = Box<dyn Fn(&A) -> R + Send + Sync>;

/// What is defined: the fields of a manifest that an entry may repeat, and hooks for what a manifest cannot say.
#[derive(Default)]
pub struct CliDefinition {
    /// What programs call it.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The version of the manifest.
    pub version: Option<String>,
    /// The program.
    pub bin: String,
    /// How it is installed, as in the manifest.
    pub install: Option<Value>,
    /// How its version is found, as in the manifest.
    pub version_check: Option<Value>,
    /// What it may touch, as in the manifest.
    pub sandbox: Option<Value>,
    /// Its subcommands, as in the manifest.
    pub commands: Option<Value>,
    /// Words to find it by.
    pub tags: Option<Vec<String>>,
    /// Anybody's own.
    pub metadata: Map<String, Value>,
    /// Signs somebody in. It honours the signal.
    pub login: Option<Hook<LoginArgs, LoginResult>>,
    /// Keeps a login fresh.
    pub refresh: Option<Hook<RefreshArgs, RefreshResult>>,
    /// Says what an output means. It touches nothing.
    pub parse_output: Option<Hook<ParseOutputArgs, ParseOutputResult>>,
    /// Says whether a login is lost. It touches nothing.
    pub detect_expiry: Option<Hook<DetectExpiryArgs, bool>>,
}

impl fmt::Debug for CliDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CliDefinition")
            .field("id", &self.id)
            .field("bin", &self.bin)
            .finish_non_exhaustive()
    }
}

/// A definition that can be used.
#[derive(Debug)]
pub struct CliHandle {
    definition: CliDefinition,
    conflicts: Vec<Conflict>,
}

/// Makes a handle of a definition. Nothing is run, read or asked.
pub fn define_cli(definition: CliDefinition) -> CliHandle {
    CliHandle {
        definition,
        conflicts: Vec::new(),
    }
}

impl CliHandle {
    /// Puts a manifest over the definition: identity and declarations are then the manifest's, the hooks stay.
    #[must_use]
    pub fn over(mut self, manifest: &CliMd) -> Self {
        self.conflicts = self.described().conflicts(manifest);
        let json = |value: serde_json::Result<Value>| value.ok();
        let own = &mut self.definition;
        own.id.clone_from(&manifest.id.value);
        own.name.clone_from(&manifest.name.value);
        own.description.clone_from(&manifest.description.value);
        own.version = Some(manifest.version.value.to_string());
        own.bin.clone_from(&manifest.bin.value);
        own.install = json(serde_json::to_value(&manifest.install));
        own.version_check = json(serde_json::to_value(&manifest.version_check));
        own.sandbox = json(serde_json::to_value(&manifest.sandbox));
        own.commands = json(serde_json::to_value(&manifest.commands));
        own.tags = Some(manifest.tags.iter().map(|tag| tag.value.clone()).collect());
        self
    }

    /// Returns where the definition disagreed with the manifest.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// Returns the definition, the manifest's words in it where there is one.
    pub fn definition(&self) -> &CliDefinition {
        &self.definition
    }

    /// Signs somebody in, if there is a hook for it.
    pub fn login(&self, args: &LoginArgs) -> Option<LoginResult> {
        self.definition.login.as_ref().map(|hook| hook(args))
    }

    /// Keeps a login fresh, if there is a hook for it.
    pub fn refresh(&self, args: &RefreshArgs) -> Option<RefreshResult> {
        self.definition.refresh.as_ref().map(|hook| hook(args))
    }

    /// Says what an output means, if there is a hook for it.
    pub fn parse_output(&self, args: &ParseOutputArgs) -> Option<ParseOutputResult> {
        self.definition.parse_output.as_ref().map(|hook| hook(args))
    }

    /// Says whether a login is lost, if there is a hook for it.
    pub fn detect_expiry(&self, args: &DetectExpiryArgs) -> Option<bool> {
        self.definition.detect_expiry.as_ref().map(|hook| hook(args))
    }

    fn described(&self) -> Described {
        let own = &self.definition;
        Described {
            id: Some(own.id.clone()),
            name: Some(own.name.clone()),
            description: Some(own.description.clone()),
            version: own.version.clone(),
            bin: Some(own.bin.clone()),
            install: own.install.clone(),
            version_check: own.version_check.clone(),
            sandbox: own.sandbox.clone(),
            commands: own.commands.clone(),
            tags: own.tags.clone(),
            hooks: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use argrail_spec::bundle;
    use serde_json::json;

    use super::super::hooks::{CliContext, LoginFailure, Signal};
    use super::*;
    use crate::ready::shipped::shipped_bundle;

    fn manifest() -> CliMd {
        let shipped = shipped_bundle("jq").unwrap();
        bundle::load(Some("jq"), &shipped.files()).unwrap().cli
    }

    fn definition() -> CliDefinition {
        CliDefinition {
            id: "jq".to_owned(),
            name: "jq".to_owned(),
            description: manifest().description.value,
            bin: "jq".to_owned(),
            ..CliDefinition::default()
        }
    }

    #[test]
    fn the_manifest_wins_and_every_conflict_is_told() {
        let check = |change: fn(&mut CliDefinition), want: &[&str]| {
            let mut definition = definition();
            change(&mut definition);
            let handle = define_cli(definition).over(&manifest());
            let fields: Vec<&str> = handle.conflicts().iter().map(|one| one.field).collect();
            assert_eq!(fields, want);
            assert_eq!(
                (handle.definition().id.as_str(), handle.definition().bin.as_str()),
                ("jq", "jq")
            );
        };
        check(|_| {}, &[]);
        check(|one| one.version = Some("1.0.0".into()), &[]);
        check(|one| one.version = Some("2.0.0".into()), &["version"]);
        check(|one| one.id = "jaq".into(), &["id"]);
        check(
            |one| {
                one.bin = "sh".into();
                one.sandbox = Some(json!({"network": {"egress": ["evil.example"]}}));
                one.install = Some(json!([]));
                one.tags = Some(vec!["x".into()]);
            },
            &["bin", "install", "sandbox", "tags"],
        );
    }

    #[test]
    fn a_login_can_be_stopped() {
        let mut definition = definition();
        definition.login = Some(Box::new(|args| {
            if args.signal.is_aborted() {
                return LoginResult::Failed {
                    reason: LoginFailure::UserCancelled,
                    message: None,
                };
            }
            LoginResult::Done
        }));
        let handle = define_cli(definition);
        let args = LoginArgs {
            context: CliContext::default(),
            signal: Signal::default(),
        };
        assert_eq!(handle.login(&args), Some(LoginResult::Done));
        args.signal.abort();
        let cancelled = LoginResult::Failed {
            reason: LoginFailure::UserCancelled,
            message: None,
        };
        assert_eq!(handle.login(&args), Some(cancelled));
    }
}
