//! The formats there are. One line each, and one file beside this.

use super::provider::Provider;
use super::{anthropic, atip, gemini, mcp, openai};

/// Whose tool definitions are written, and whose calls are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// OpenAI: functions of chat completions; calls of these and of responses.
    Openai,
    /// Anthropic: tools of messages.
    Anthropic,
    /// Google Gemini: function declarations.
    Gemini,
    /// The Model Context Protocol: the result of `tools/list`.
    Mcp,
    /// The metadata itself.
    Atip,
}

/// Whether the definitions are held to a provider's strict mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Strictness {
    /// As JSON Schema has it.
    #[default]
    Plain,
    /// So that the provider can guarantee calls that fit.
    Strict,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 5] = [Self::Openai, Self::Anthropic, Self::Gemini, Self::Mcp, Self::Atip];

    /// Returns the word for it on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Mcp => "mcp",
            Self::Atip => "atip",
        }
    }

    /// Whether it has a strict mode.
    pub const fn has_strict_mode(self) -> bool {
        match self {
            Self::Openai => true,
            Self::Anthropic | Self::Gemini | Self::Mcp | Self::Atip => false,
        }
    }

    pub(crate) fn provider(self) -> &'static dyn Provider {
        match self {
            Self::Openai => &openai::Openai,
            Self::Anthropic => &anthropic::Anthropic,
            Self::Gemini => &gemini::Gemini,
            Self::Mcp => &mcp::Mcp,
            Self::Atip => &atip::Atip,
        }
    }
}
