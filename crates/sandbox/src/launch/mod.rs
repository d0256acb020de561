//! The launcher: a process that builds the sandbox around itself, step by step, and becomes the program.
//!
//! It is this very program, started again under a name that nobody types, with an empty environment, a socket to
//! the host as standard input, and one thread. It takes its orders from sealed memory that the host made, trusts
//! nothing else, and stops at the first step that fails: there is no way on without one.
//!
//! ```text
//! host ── launcher ── init (pid 1 of the sandbox: reaps, ends when the host does) ── the program
//! ```

pub(crate) mod attach;
pub(crate) mod confine;
pub(crate) mod identity;
mod init;
mod network;
mod order;
mod prepare;
mod role;
mod serve;
mod stage;
mod target;
mod wire;

pub(crate) use identity::HostIdentity;
pub(crate) use order::{
    BindMount, BindSource, ChildIdentity, FileContent, FileOwner, LandlockRules, LaunchOrder, ListenSocket,
    NetworkSetup, NodeKind, PathRights, ResourceLimit, RootNode, TargetProgram, TerminalSize, Tier,
};
pub(crate) use role::{
    Entered, LAUNCHER_NAME, NOTHING_ATTEMPT, PROBER_ARGUMENT, PROVER_ARGUMENT, inherited_open_files,
    keep_open_files,
};
pub(crate) use serve::{claim_or_exit, serve};
pub(crate) use stage::{LaunchFailure, LaunchStage};
pub(crate) use wire::{LauncherCommand, LauncherEvent, receive, send};
