//! What one text says about one command: the common ground of every reader in this module.
//!
//! A help text, a man page and a completion script all become a [`Page`]. Nothing stands in it that does not stand in
//! the text: every spelling was read there, and every item knows its line and how sure its reader is.

use crate::atip::Kind;

/// How sure a reader is of an item. The weakest first, so that the greater wins where pages meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// It was mentioned: in a usage line, in prose that defines it.
    Mentioned,
    /// It stands where definitions stand, in a form that other things have, too.
    Likely,
    /// It stands in a list of definitions whose form leaves no doubt.
    Certain,
}

impl Confidence {
    /// Returns the word for it in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mentioned => "mentioned",
            Self::Likely => "likely",
            Self::Certain => "certain",
        }
    }
}

/// What kind of text it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A completion script.
    Completion,
    /// A page of the manual.
    Man,
    /// What the program prints about itself.
    Help,
}

impl Origin {
    /// Returns the word for it in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completion => "completion",
            Self::Man => "man",
            Self::Help => "help",
        }
    }
}

/// Where an item stands and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// In what kind of text.
    pub origin: Origin,
    /// Its line, from 1.
    pub line: usize,
    /// How sure the reader is.
    pub confidence: Confidence,
}

/// What one text says about one command.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// What the command is for, in a sentence.
    pub about: Option<String>,
    /// Its version, if the text says it.
    pub version: Option<String>,
    /// Its options.
    pub options: Vec<FoundOption>,
    /// What is below it.
    pub commands: Vec<FoundCommand>,
    /// Its words without a flag, in order.
    pub positionals: Vec<FoundPositional>,
    /// Words that make the program say more, as the text itself offers: `--help-all`, `help -a`.
    pub leads: Vec<Vec<String>>,
}

/// Whether an option takes a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Takes {
    /// None: it is a switch.
    #[default]
    Nothing,
    /// One that may be left out: `--color[=WHEN]`.
    Perhaps(FoundValue),
    /// One.
    Value(FoundValue),
}

/// What is said about the value of an option or about a positional.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundValue {
    /// What the text calls it: `FILE`, `when`. Empty where it has no name.
    pub name: String,
    /// What kind it is. [`Kind::Enum`] goes with values.
    pub kind: Kind,
    /// The values that are listed.
    pub values: Vec<String>,
}

/// An option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundOption {
    /// All its spellings, with their dashes, in the order of the text. `--[no-]x` is `--x` and `--no-x`.
    pub spellings: Vec<String>,
    /// Whether it takes a value.
    pub takes: Takes,
    /// Whether it may be given several times.
    pub repeats: bool,
    /// Whether it has to be given.
    pub required: bool,
    /// What holds when it is not given, as the text writes it.
    pub default: Option<String>,
    /// The variable that gives it, too.
    pub variable: Option<String>,
    /// What it controls: wrapped lines joined.
    pub description: String,
    /// Whether the text calls it deprecated.
    pub deprecated: bool,
    /// Whether it stands among options of every command below: "Global options".
    pub global: bool,
    /// Where it stands.
    pub seen: Seen,
}

/// A subcommand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCommand {
    /// Its name.
    pub name: String,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// The heading it stands under, if there are several.
    pub group: Option<String>,
    /// What it does.
    pub description: String,
    /// Whether the text calls it deprecated.
    pub deprecated: bool,
    /// Where it stands.
    pub seen: Seen,
}

/// A word without a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPositional {
    /// What the text calls it, and what kind it is.
    pub value: FoundValue,
    /// Whether it has to be given.
    pub required: bool,
    /// Whether there may be several.
    pub variadic: bool,
    /// What it stands for.
    pub description: String,
    /// Where it stands.
    pub seen: Seen,
}
