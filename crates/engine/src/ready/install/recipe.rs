//! What one method will do, as data: shown to a person first, and then done to the letter.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use serde::ser::Serializer;

use super::wishes::Registries;

/// How a program is installed by one method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recipe {
    /// What is done, in this order.
    pub acts: Vec<Act>,
    /// Who says that what comes is what was meant.
    pub check: Check,
    /// Where the program is afterwards.
    pub product: Product,
    /// What a person should know. Our own words.
    pub notes: Vec<&'static str>,
}

impl Recipe {
    /// A package manager is run, and vouches for what comes.
    pub(super) fn of_manager(run: Run, product: Product, notes: Vec<&'static str>) -> Self {
        Self {
            acts: vec![Act::Run(Box::new(run))],
            check: Check::Manager,
            product,
            notes,
        }
    }
}

/// One thing that is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "act")]
pub enum Act {
    /// A file is downloaded.
    Fetch(Fetch),
    /// The downloaded file is unpacked; a program that is no archive is put in its place.
    Unpack {
        /// Where the program must be in it.
        program: String,
    },
    /// The downloaded file is kept under a name, to be run.
    Keep {
        /// Where.
        to: Word,
    },
    /// A file of the bundle is copied.
    Copy {
        /// Which, from the root of the bundle.
        from: String,
        /// Where to.
        to: Word,
    },
    /// A program is run.
    Run(Box<Run>),
}

/// A file that is downloaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fetch {
    /// Where it is.
    pub url: String,
    /// Its SHA-256, if that was promised.
    pub sha256: Option<String>,
}

/// A program that is run. No shell reads this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// The program and its arguments, one word each.
    pub argv: Vec<Word>,
    /// Variables that it gets. Values of the user's own are not shown: they may hold passwords.
    #[serde(skip)]
    pub environment: Vec<(String, Word)>,
    /// Directories and files that it may read, beside the system's and its own.
    pub reads: Vec<PathBuf>,
    /// Directories that it may write, beside that of the installation.
    pub writes: Vec<PathBuf>,
    /// Whom it may reach.
    pub egress: Egress,
    /// What holds it.
    pub hold: Hold,
    /// How long it may take.
    #[serde(skip)]
    pub timeout: Duration,
}

/// Whom a program may reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Egress {
    /// Nobody.
    None,
    /// These hosts, and those that an index names as the place of its files.
    Hosts {
        /// By name.
        names: Vec<String>,
        /// Whom to ask for the rest.
        index: Vec<Index>,
        /// Where they may be.
        at: Registries,
    },
    /// Every public host.
    Public,
}

/// An index that says where its files are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Index {
    /// The page that says so. Not shown: it may hold a password.
    #[serde(skip)]
    pub page: String,
    /// The host that is asked.
    pub host: String,
}

/// What holds a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Hold {
    /// The sandbox.
    Sandbox,
    /// Nothing: it runs with all of our rights, as a system's package manager must.
    Nothing,
}

/// Who says that what comes is what was meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Check {
    /// The manifest, by a SHA-256.
    Sha256(String),
    /// The package manager, by its index.
    Manager,
    /// Whoever trusted the bundle, since the file is in it.
    Bundle,
    /// Nobody.
    Nothing,
}

/// Where the program is afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Product {
    /// At this path below the folder of the installation.
    Own(String),
    /// Somewhere below that folder, under this name.
    Somewhere(String),
    /// On the search path, under this name.
    System(String),
    /// At this path of the bundle.
    Bundle(String),
}

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// As it is.
    Text(String),
    /// A path below the folder of the installation, which has no name yet.
    Own(String),
    /// A path below a folder that is removed afterwards.
    Scratch(String),
}

impl Word {
    /// Returns a word as it is.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Returns it as it is shown: the two folders have no names yet.
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Own(below) => joined("OWN", below),
            Self::Scratch(below) => joined("SCRATCH", below),
        }
    }
}

fn joined(top: &str, below: &str) -> String {
    match below {
        "" => top.to_owned(),
        below => format!("{top}/{below}"),
    }
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.shown())
    }
}
