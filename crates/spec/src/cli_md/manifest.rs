//! A `CLI.md` as a whole.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::auth::Auth;
use super::commands::CommandTree;
use super::consistency;
use super::example::Example;
use super::install::{Install, ListOrOpen};
use super::output::Output;
use super::requires::Requires;
use super::rules::ACTIONS;
use super::setup::{Persist, SetupStep, check_steps};
use super::version_check::VersionCheck;
use crate::declare::{
    AnyText, BUNDLE_ID, Decode, FromRoot, Line, List, Prose, Set, Tag, by, manifest, texts,
};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{
    Closed, CommandLine, Composable, Field, Loaded, ManifestVersion, Reference, Refused, TWICE,
};
use crate::runner_block::Runner;
use crate::sandbox_block::SandboxBlock;

manifest! {
    /// The bundle of one program.
    pub struct CliMd closed, before check_names, check check_whole {
        /// What people call it.
        need name: Spanned<String> as Line<80>,
        /// What programs call it.
        need id: Spanned<String> as CliId,
        /// What it is for.
        need description: Spanned<String> as Prose<1, 2000>,
        /// The version of this manifest, not of the program.
        need version: Spanned<ManifestVersion>,
        /// The program: a name on the search path, or with a slash a file of the bundle.
        need bin: Spanned<String> as Program,
        /// Arguments in front of every call's own.
        may bin_args: Vec<Spanned<String>> as List<AnyText>,
        /// How it is installed, in this order.
        need_or_null install: Vec<Install> as ListOrOpen,
        /// How its version is found and judged.
        need version_check: VersionCheck,
        /// What is done once after installing.
        may setup: Vec<SetupStep> as List => check_steps,
        /// How one signs in.
        may auth: Option<Auth>,
        /// The process boundary.
        may runner: Option<Composable<Runner>>,
        /// What it may touch.
        need sandbox: Composable<SandboxBlock>,
        /// How it prints.
        may output: Option<Output>,
        /// Its subcommands.
        need commands: CommandTree,
        /// Ready-made uses.
        may intents: Vec<IntentRef> as List,
        /// Which machines it is for.
        may requires: Option<Requires>,
        /// What is typed for what.
        may examples: Vec<Example> as List,
        /// Words to find it by.
        may tags: Vec<Spanned<String>> as Set<Tag>,
        /// A program of the bundle that does what the manifest cannot say.
        may entry: Option<Reference> as FromRoot,
        /// Anybody's own.
        may metadata: Map<String, Value>,
    }

    /// A ready-made use.
    pub struct IntentRef closed {
        /// Its `INTENT.md`.
        need reference("ref"): Reference as FromRoot,
    }
}

texts! {
    /// The id of a bundle.
    CliId = BUNDLE_ID, "an id such as \"gh\"", "use 2 to 64 small letters, digits and '-'";
    /// One word that no program takes for an option.
    BinName = by(is_bin, r"^(?!\.\.?$)[A-Za-z0-9._/][A-Za-z0-9._/-]*$", 1..=255),
        "the name of a program", "write the name of the program, one word";
}

fn is_bin(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    !text.starts_with('-') && text.chars().all(plain) && !matches!(text, "." | "..")
}

/// The program: one word, and with a slash a file of the bundle.
pub(crate) struct Program;

impl Decode<Program> for String {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let bin = <Self as Decode<BinName>>::decode(field, out)?;
        if bin.contains('/') {
            field.root_reference(out)?;
        }
        Some(bin)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <Self as Decode<BinName>>::schema(generator)
    }
}

impl CliMd {
    /// Returns the identity of the bundle, on which caches, audit and registrations hang: `gh@1`.
    pub fn identity(&self) -> String {
        format!("{}@{}", self.id.value, self.version.major())
    }

    /// Returns every command that the manifest would have run, beside calls: to check, to set up, to sign in.
    pub fn commands_run(&self) -> impl Iterator<Item = &CommandLine> {
        commands_run(&self.version_check, &self.setup, self.auth.as_ref())
    }
}

/// Returns every command that is run to check a program, to set it up and to sign in.
pub(crate) fn commands_run<'a>(
    version_check: &'a VersionCheck,
    setup: &'a [SetupStep],
    auth: Option<&'a Auth>,
) -> impl Iterator<Item = &'a CommandLine> {
    let setup = setup.iter().flat_map(|step| {
        let own = match step {
            SetupStep::Cmd(step) => Some(&step.cmd),
            SetupStep::Prompt(_) | SetupStep::Oauth(_) | SetupStep::External(_) => None,
        };
        let kept = match step.persist() {
            Some(Persist::Cmd(cmd)) => Some(cmd),
            Some(Persist::Env(_) | Persist::SecretSlug(_)) | None => None,
        };
        own.into_iter()
            .chain(step.skip_if().map(|skip| &skip.cmd))
            .chain(kept)
    });
    let auth = auth.into_iter().flat_map(|auth| {
        let login = auth.login.as_ref();
        let check = login.and_then(|login| login.completes_when.as_ref());
        let refresh = auth.refresh.as_ref().map(|refresh| &refresh.cmd);
        let login = login.map(|login| &login.cmd);
        login
            .into_iter()
            .chain(check.map(|check| &check.cmd))
            .chain(refresh)
    });
    std::iter::once(&version_check.cmd).chain(setup).chain(auth)
}

/// Reads a `CLI.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<CliMd>, Refused> {
    crate::manifest::load(text, CliMd::decode)
}

/// Complains about what the draft leaves to runners and tools, and about the old name of intents.
fn check_names(object: &mut Closed<'_>, out: &mut Complaints) {
    let rows = [
        (
            "shell",
            "no command of a bundle is given to a shell",
            "leave it out",
        ),
        (
            "env",
            "variables are the sandbox's",
            "list them in sandbox.env.pass, or set them in sandbox.env.set",
        ),
        ("cwd", "a call runs in the caller's folder", "leave it out"),
    ];
    for (key, why, hint) in rows {
        object.misplaced(key, why, hint, out);
    }
    let Some(actions) = object.take("actions") else {
        return;
    };
    if object.has("intents") {
        let what = "it is the old name of intents, which is there, too";
        out.push(actions.refuse(TWICE, what).hint("put all of them under intents"));
    } else {
        let what = format!("{}: the draft's text calls it intents", actions.path);
        out.push(ACTIONS.note(actions.span(), what).hint("write intents"));
    }
}

fn check_whole(manifest: &mut CliMd, field: &Field<'_>, out: &mut Complaints) {
    let actions = field
        .member("actions")
        .filter(|_| field.member("intents").is_none());
    let actions = actions.and_then(|actions| <Vec<_> as Decode<List>>::decode(&actions, out));
    manifest.intents.extend(actions.unwrap_or_default());
    consistency::check(manifest, field, out);
}
