//! What a child process may touch: a policy, enforced by the kernel, and a report of what happened.
//!
//! ```no_run
//! use argrail_sandbox::policy::{Anchors, PathPattern, Policy};
//! use argrail_sandbox::Command;
//! use std::path::Path;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // First in `main`: this program is also the launcher that builds the sandbox.
//! argrail_sandbox::enter();
//!
//! let workspace = Path::new("/srv/project");
//! let anchors = Anchors::new(argrail_sandbox::home()?, workspace)?;
//! let policy = Policy::closed().read(PathPattern::tree(workspace));
//! let report = Command::confined(["grep", "-r", "unsafe", "."], policy, anchors).run()?;
//! println!("{:?}: {}", report.ended, String::from_utf8_lossy(&report.stdout));
//! # Ok(())
//! # }
//! ```
//!
//! Nothing is inherited and nothing fails open: a policy that this machine cannot hold is a [`Refusal`], which names
//! the field, the reason and what to change.

/// The README's examples are compiled with the crate's own.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!(
    "argrail-sandbox confines children with what Linux has (namespaces, Landlock, seccomp), on x86_64 and aarch64 only: \
     depend on it under [target.'cfg(target_os = \"linux\")'.dependencies]"
);

mod child;
mod compile;
mod denial;
mod egress;
mod entry;
mod home;
mod launch;
pub mod policy;
mod probe;
mod prove;
mod refusal;
#[cfg(feature = "replay")]
pub mod replay;
mod repository;
mod seccomp;
mod sys;

pub use child::{
    Activity, ActivitySample, Cancel, Child, Command, Confinement, Ended, Error, Launcher, Output,
    OutputCallback, Quarantined, Report, Stdin,
};
pub use compile::SYSTEM_DIRECTORIES;
pub use denial::{Denial, DenialKind, Denials, Evidence, ReportLevel};
pub use egress::{Absence, Traffic, Unreached, is_global, is_public};
pub use entry::{enter, launcher_main};
pub use home::home;
pub use probe::{Feature, Machine, probe, probe_with};
pub use prove::{Hold, Proof, ProofOptions, ProofOutcome, attempts, prove};
pub use refusal::{Fix, HostWords, Refusal};
pub use repository::git_hook_directories;
