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
mod setup_step;
mod version_check;

pub use auth::{Auth, CompletesWhen, Expiry, Login, Refresh, State};
pub use commands::{CommandEntry, CommandLeaf, CommandTree};
pub use example::Example;
pub use expiry::{Detect, NotASignal};
pub use install::{
    CurlInstall, CurlWord, DownloadInstall, DownloadWord, Install, Manager, NpmInstall, NpmWord,
    PackageInstall, PipInstall, PipWord, UnknownInstall, VendoredInstall, VendoredWord,
};
pub use manifest::{CliMd, IntentRef, load};
pub use output::{ExitCodes, Format, Output, Stream};
pub use requires::{Arch, Os, Requires};
pub use setup::{
    Callback, ChoicesOf, CmdStep, CmdWord, ExternalStep, ExternalWord, OauthStep, OauthWord, Options,
    Persist, PromptKind, PromptStep, PromptWord, SkipIf,
};
pub use setup_step::SetupStep;
pub use version_check::VersionCheck;

pub(crate) use auth::{decode as decode_auth, state as decode_state};
pub(crate) use consistency::{check_expiry, check_methods, check_program, check_state};
pub(crate) use expiry::read as decode_signal;
pub(crate) use install::decode as decode_install;
pub(crate) use manifest::{bin as decode_bin, commands_run, decode};
pub(crate) use output::decode as decode_output;
pub(crate) use requires::decode as decode_requires;
pub(crate) use rules::RULES;
pub(crate) use setup_step::decode as decode_setup;
pub(crate) use version_check::decode as decode_version_check;
