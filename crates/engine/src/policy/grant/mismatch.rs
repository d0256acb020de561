//! Why a pattern does not cover a call: the first thing about the call that it does not name.

use std::path::PathBuf;

use argrail_acli::Text;

use super::pattern::Danger;

/// What of a call a pattern does not name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// It is a call of another tool.
    Tool(String),
    /// Words of it come from a file or from input.
    Elsewhere,
    /// A subcommand, which no star stands for.
    Subcommand(String),
    /// A word or value.
    Word(String),
    /// A word or value that only its own letters cover.
    Exact(String),
    /// A word more than the pattern has.
    MoreWords(String),
    /// The pattern has a word more.
    FewerWords(String),
    /// An option.
    Option(String),
    /// An option that the pattern needs, with its value or in its place.
    Needed(String),
    /// What is never covered by the way.
    Danger(Danger),
    /// A host that it reaches.
    Hosts,
    /// A path.
    Path(PathBuf),
}

impl Mismatch {
    /// Returns it for a person.
    pub fn text(&self) -> Text {
        match self {
            Self::Tool(tool) => Text::new("the call is one of {}").value(tool),
            Self::Elsewhere => Text::new("words of the call come from a file or from input"),
            Self::Subcommand(word) => Text::new("{} is a subcommand, and has to be written out").value(word),
            Self::Word(word) => Text::new(
                "nothing stands for the word {}: a star covers letters, digits and - _ . / and no other sign",
            )
            .value(word),
            Self::Exact(word) => Text::new("only its own letters cover {}").value(word),
            Self::MoreWords(word) => Text::new("nothing stands for the further word {}").value(word),
            Self::FewerWords(word) => Text::new("the call has no word for {}").value(word),
            Self::Option(name) => Text::new("the option {} is not named").value(name),
            Self::Needed(name) => {
                Text::new("the call does not have {} with this value, or not in this place").value(name)
            }
            Self::Danger(danger) => Text::new("it has to say +{}").word(danger.as_str()),
            Self::Hosts => Text::new("it does not name the hosts of the call"),
            Self::Path(path) => Text::new("it does not name the path {}").value(path.to_string_lossy()),
        }
    }
}
