//! AIP-29 `CLI.md`: a command-line program as a bundle: how it is installed, checked, set up, signed in, confined, which
//! subcommands it has and how it prints.
//!
//! [`load`] reads the file and refuses it with every reason, each with its place. References are kept as they are
//! written; [`crate::bundle`] follows them. Nothing here runs, installs or asks for anything.

mod auth;
mod commands;
mod consistency;
mod example;
mod expiry;
mod install;
mod manifest;
mod output;
mod requires;
mod rules;
mod setup;
mod version_check;

pub use auth::{Auth, CompletesWhen, Expiry, Login, Refresh, State};
pub use commands::{CommandEntry, CommandLeaf, CommandTree};
pub use example::Example;
pub use expiry::{Detect, NotASignal};
pub use install::{
    CurlInstall, DownloadInstall, Install, Manager, NpmInstall, PackageInstall, PipInstall, UnknownInstall,
    VendoredInstall,
};
pub use manifest::{CliMd, IntentRef, load};
pub use output::{ExitCodes, Format, Output, Stream};
pub use requires::{Arch, Os, Requires};
pub use setup::{
    Callback, ChoicesOf, CmdStep, ExternalStep, OauthStep, Options, Persist, PromptKind, PromptStep,
    SetupStep, SkipIf,
};
pub use version_check::VersionCheck;

pub(crate) use consistency::{check_expiry, check_methods, check_program, check_state};
pub(crate) use manifest::{Program, commands_run};
pub(crate) use rules::RULES;
pub(crate) use setup::check_steps;
