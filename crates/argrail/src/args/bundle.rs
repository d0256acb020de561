//! The arguments of the verbs that bring the program of a bundle to ready.

use std::ffi::OsString;

use clap::Args;

/// `argrail add`.
#[derive(Debug, Args)]
pub struct AddArgs {
    /// The name of a bundle or an agent that argrail has, or the path of one: a folder, its manifest, or a tools.json.
    #[arg(value_name = "NAME|PATH")]
    pub what: OsString,
    #[command(flatten)]
    pub how: HowArgs,
    /// Take the bundle in and install nothing.
    #[arg(long)]
    pub no_install: bool,
}

/// `argrail install`.
#[derive(Debug, Args)]
pub struct InstallArgs {
    /// The bundles and agents, by their ids; all that were added if left out.
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    #[command(flatten)]
    pub how: HowArgs,
}

/// `argrail status`.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// The bundles and agents, by their ids; all that were added if left out.
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
}

/// How something is installed.
#[derive(Debug, Default, Args)]
pub struct HowArgs {
    /// Accept what is shown without being asked.
    #[arg(long)]
    pub yes: bool,
    /// Let npm and pip install for the whole machine or user, where the bundle says so.
    #[arg(long)]
    pub global: bool,
    /// Let packages run their own install scripts and build themselves.
    #[arg(long)]
    pub scripts: bool,
    /// Accept files that nothing was promised about: downloads without a hash.
    #[arg(long)]
    pub unverified: bool,
    /// Let an installer script reach any public host.
    #[arg(long)]
    pub any_host: bool,
    /// Let package managers fetch from registries inside of a company's network, where their settings name one.
    #[arg(long)]
    pub private_registry: bool,
    /// Let a package manager of the system run with all of your rights, as apt, dnf and pacman must.
    #[arg(long)]
    pub unconfined: bool,
    /// Try methods that are marked experimental, too.
    #[arg(long)]
    pub experimental: bool,
}
