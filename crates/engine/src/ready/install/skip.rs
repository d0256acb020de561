//! Why a method is not tried.

use argrail_acli::Text;
use argrail_spec::cli_md::{Arch, Os};

use super::machine::Family;

/// A reason, with what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Skip {
    /// It is for other operating systems.
    #[error("it is for {}, and this machine is another", systems(.0))]
    Os(Vec<Os>),
    /// It is for other processors.
    #[error("it is for {}, and this machine has another processor", processors(.0))]
    Arch(Vec<Arch>),
    /// It is for another family of Linux.
    #[error("it is for {}, and this machine is another", .0.name())]
    Family(Family),
    /// The bundle calls it experimental.
    #[error("the bundle calls it experimental")]
    Experimental,
    /// Nobody here knows it.
    #[error("nobody here knows the method")]
    Unknown,
    /// The package manager is not there.
    #[error("{0:?} is not on the search path")]
    Absent(&'static str),
    /// It needs the administrator's rights.
    #[error("it needs the administrator's rights")]
    Privilege {
        /// What the administrator would run.
        command: Vec<String>,
    },
    /// It would run without a sandbox.
    #[error("it cannot run in a sandbox: it installs for the whole system, with scripts of its packages")]
    Unconfined,
    /// No hash says what the file must be.
    #[error("nothing says what the file must be")]
    Unverified,
    /// There is not enough space.
    #[error("the bundle needs {wanted} MiB of disk, and {free} MiB are free")]
    Disk {
        /// What is wanted.
        wanted: u64,
        /// What is there.
        free: u64,
    },
    /// There is not enough memory.
    #[error("the bundle needs {wanted} MiB of memory, and the machine has {there} MiB")]
    Memory {
        /// What is wanted.
        wanted: u64,
        /// What is there.
        there: u64,
    },
    /// Nobody can say where packages come from.
    #[error("{manager} does not say where its packages come from: {reason}")]
    Sources {
        /// The package manager.
        manager: &'static str,
        /// Why not.
        reason: &'static str,
    },
    /// A file of the bundle is not what it must be.
    #[error("{path:?} of the bundle cannot be used: {reason}")]
    Bundle {
        /// The file.
        path: String,
        /// Why not.
        reason: &'static str,
    },
}

impl Skip {
    /// Returns what a person can do about it, if anything.
    pub fn hint(&self) -> Option<Text> {
        let text = match self {
            Self::Os(_) | Self::Arch(_) | Self::Family(_) | Self::Unknown => return None,
            Self::Experimental => Text::new("Say --experimental to try it"),
            Self::Absent(manager) => Text::new("Install {} first, or list another method").word(manager),
            Self::Privilege { command } => Text::new("Let an administrator run: {}").value(command.join(" ")),
            Self::Unconfined => Text::new("Say --unconfined to let it run with all rights"),
            Self::Unverified => {
                Text::new("Add verify_sha256 to the manifest, or say --unverified after you looked at it")
            }
            Self::Disk { .. } => Text::new("Make room on the disk"),
            Self::Memory { .. } => Text::new("Use a machine with more memory"),
            Self::Sources { manager, .. } => {
                Text::new("Name the place of packages in the settings of {}").word(manager)
            }
            Self::Bundle { .. } => Text::new("Put the file into the bundle, and let its owner start it"),
        };
        Some(text)
    }
}

fn systems(list: &[Os]) -> String {
    let names = list.iter().map(|os| match os {
        Os::Darwin => "macOS",
        Os::Linux => "Linux",
        Os::Windows => "Windows",
    });
    names.collect::<Vec<_>>().join(" or ")
}

fn processors(list: &[Arch]) -> String {
    let names = list.iter().map(|arch| match arch {
        Arch::X64 => "x64",
        Arch::Arm64 => "arm64",
        Arch::X86 => "x86",
        Arch::Arm => "arm",
    });
    names.collect::<Vec<_>>().join(" or ")
}
