//! One description that is compiled in.

/// What argrail knows of one tool, as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// The name of the tool.
    pub name: &'static str,
    /// What it is for: the description of the text, so that a list has it without reading the text.
    pub description: &'static str,
    /// The metadata, as JSON.
    pub text: &'static str,
}
