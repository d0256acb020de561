//! How a command line is written: the rules that differ from tool to tool.
//!
//! Our own commands use [`Style::acli`]. Real tools differ in what a dash, a bundle or an abbreviation
//! means, and a checker that reads them differently from the tool itself can be talked past. What is
//! *spelt* differently (`-name`, `if=`, `(`) is in the spellings of each [`Arg`](super::Arg).

/// How many dashes a long option carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dashes {
    /// `--name`; one dash starts short options. GNU and most others.
    Double,
    /// `-name`: `find`, `java`, `terraform`.
    Single,
    /// Both mean the same: Go's `flag`, `getopt_long_only`.
    Either,
}

/// What `--verb` means when only `--verbose` exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abbreviations {
    /// An unknown option: the tool knows no abbreviations.
    Off,
    /// The option it abbreviates, if it is the only one.
    On,
    /// The tool would accept it, we do not: the error names the full spelling.
    Refused,
}

/// What an option, a word or a subcommand means that nobody describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// An error, with what there is.
    Refuse,
    /// A word that was not understood, and is handed on as such. It never takes the next word with it.
    Keep,
}

/// The rules one command line is written by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// How long options start.
    pub dashes: Dashes,
    /// Whether long options may be shortened.
    pub abbreviations: Abbreviations,
    /// Whether `-abc` is `-a -b -c`.
    pub bundling: bool,
    /// Whether `-n10` is `-n 10`.
    pub attached: bool,
    /// Whether the `=` of `-n=10` is not part of the value.
    pub short_equals: bool,
    /// Whether `-5` is a positional where no option is called so. To `getopt` it is an unknown option.
    pub negatives: bool,
    /// Whether options may follow positionals.
    pub permutation: bool,
    /// Whether `--` ends options.
    pub terminator: bool,
    /// Whether a first word without a dash is a bundle whose values follow: `tar xzf FILE`.
    pub old_bundle: bool,
    /// Whether every word with `=` is an option: `dd if=FILE`.
    pub key_value: bool,
    /// What happens to words that nobody describes.
    pub unknown: Unknown,
}

impl Style {
    /// The style of ACLI §7.3: GNU without abbreviations, and `-n=10` means `-n 10`.
    pub const fn acli() -> Self {
        Self {
            abbreviations: Abbreviations::Off,
            short_equals: true,
            negatives: true,
            ..Self::gnu()
        }
    }

    /// `getopt_long`: bundles, attached values, permutation, abbreviations (which we ask to be spelt out).
    pub const fn gnu() -> Self {
        Self {
            dashes: Dashes::Double,
            abbreviations: Abbreviations::Refused,
            bundling: true,
            attached: true,
            short_equals: false,
            negatives: false,
            permutation: true,
            terminator: true,
            old_bundle: false,
            key_value: false,
            unknown: Unknown::Refuse,
        }
    }

    /// POSIX utilities: as GNU, but the first positional ends the options.
    pub const fn posix() -> Self {
        Self {
            permutation: false,
            abbreviations: Abbreviations::Off,
            ..Self::gnu()
        }
    }

    /// Go's `flag` package: `-name` and `--name`, no bundles, options first.
    pub const fn go() -> Self {
        Self {
            dashes: Dashes::Either,
            abbreviations: Abbreviations::Off,
            bundling: false,
            attached: false,
            short_equals: true,
            permutation: false,
            ..Self::gnu()
        }
    }

    /// `-name VALUE` in any place, no bundles: `find`, `java`, `openssl`.
    pub const fn single_dash() -> Self {
        Self {
            dashes: Dashes::Single,
            abbreviations: Abbreviations::Off,
            bundling: false,
            attached: false,
            ..Self::gnu()
        }
    }

    /// `find`: single-dash predicates and operators in any order; `--` ends nothing.
    pub const fn find() -> Self {
        Self {
            terminator: false,
            ..Self::single_dash()
        }
    }

    /// `tar`: GNU, and a first word without a dash is a bundle.
    pub const fn tar() -> Self {
        Self {
            old_bundle: true,
            ..Self::gnu()
        }
    }

    /// `dd`: `key=value` words only.
    pub const fn dd() -> Self {
        Self {
            key_value: true,
            ..Self::gnu()
        }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::acli()
    }
}
