//! AIP-29, Setup: what a step of the pipeline holds, one type for each kind.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Spanned;
use crate::manifest::CommandLine;

/// The word `cmd`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CmdWord {
    /// It.
    Cmd,
}

/// A command is run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CmdStep {
    /// Its name in the ledger.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$"))]
    pub id: Spanned<String>,
    /// The kind.
    pub kind: CmdWord,
    /// What is run.
    pub cmd: CommandLine,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2000))]
    pub description: Option<String>,
    /// When it need not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_if: Option<SkipIf>,
    /// How long it may take; a minute unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 100))]
    pub timeout_ms: Option<u64>,
    /// Whether it needs a terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactive: Option<bool>,
    /// Where its output is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persist: Option<Persist>,
}

/// The word `prompt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromptWord {
    /// It.
    Prompt,
}

/// A person is asked.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptStep {
    /// Its name in the ledger.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$"))]
    pub id: Spanned<String>,
    /// The kind.
    pub kind: PromptWord,
    /// The question.
    #[schemars(length(min = 1, max = 2000))]
    pub prompt: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2000))]
    pub description: Option<String>,
    /// What is asked for; text unless told otherwise.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub answer: Option<PromptKind>,
    /// What Enter means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// What can be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Options>,
    /// When it need not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_if: Option<SkipIf>,
    /// Where the answer is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persist: Option<Persist>,
}

/// What a person is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromptKind {
    /// Text.
    Text,
    /// One of some.
    Select,
    /// Yes or no.
    Boolean,
    /// Text that is not shown.
    Secret,
}

/// What can be chosen.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Options {
    /// These.
    Fixed(#[schemars(length(min = 1))] Vec<String>),
    /// What a command prints, one a line.
    Printed(ChoicesOf),
}

/// A command that prints choices.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoicesOf {
    /// What is run.
    pub cmd: CommandLine,
    /// How long it may take; half a minute unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 100))]
    pub timeout_ms: Option<u64>,
}

/// The word `oauth`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OauthWord {
    /// It.
    Oauth,
}

/// Somebody signs in elsewhere, and tokens come back.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OauthStep {
    /// Its name in the ledger.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$"))]
    pub id: Spanned<String>,
    /// The kind.
    pub kind: OauthWord,
    /// Where the tokens are kept.
    #[schemars(length(min = 2, max = 80))]
    pub secret_slug: Spanned<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2000))]
    pub description: Option<String>,
    /// When it need not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_if: Option<SkipIf>,
}

/// The word `external`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExternalWord {
    /// It.
    External,
}

/// A page is opened, and somebody does something there.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExternalStep {
    /// Its name in the ledger.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$"))]
    pub id: Spanned<String>,
    /// The kind.
    pub kind: ExternalWord,
    /// The page, with placeholders.
    #[schemars(length(min = 1, max = 2048))]
    pub url: Spanned<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2000))]
    pub description: Option<String>,
    /// How the result comes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callback: Option<Callback>,
    /// When it need not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_if: Option<SkipIf>,
    /// Where the result is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persist: Option<Persist>,
}

/// How a page's result comes back.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Callback {
    /// The parameter of the address that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// How long it is waited for; ten minutes unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1000))]
    pub timeout_ms: Option<u64>,
}

/// A command that tells whether a step can be left out.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkipIf {
    /// What is run.
    pub cmd: CommandLine,
    /// The exit code that says yes; 0 unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    /// How long it may take; five seconds unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 100))]
    pub timeout_ms: Option<u64>,
}

/// Where a value is kept.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Persist {
    /// In a variable that every call gets.
    Env(#[schemars(regex(pattern = "^[A-Z_][A-Z0-9_]*$"))] Spanned<String>),
    /// With the secrets.
    SecretSlug(#[schemars(length(min = 2, max = 80))] Spanned<String>),
    /// Wherever this command puts it, which gets it as `${value}`.
    Cmd(CommandLine),
}
