//! What is known about a program before it has a bundle.

use crate::atip::Metadata;

/// Everything that is known.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The program, as it is called.
    pub bin: &'a str,
    /// What the catalogue says about it.
    pub metadata: Option<&'a Metadata>,
    /// What it said about its version.
    pub version: Option<&'a SaidVersion>,
    /// Packages that it is in, by whoever can be trusted to know: those that installed it on this machine, the catalogue.
    /// Nothing else is written as a package's name.
    pub found: &'a [Found],
}

/// What a program said when it was asked for its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidVersion {
    /// The words that it was asked with, without its name: `--version`.
    pub words: Vec<String>,
    /// What it printed.
    pub text: String,
}

/// A package that a program belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The install method of AIP-29: `apt`, `npm`, `cargo`, `pip`.
    pub method: &'static str,
    /// The package.
    pub package: String,
}
