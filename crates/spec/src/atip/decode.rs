//! From a document to metadata: lenient, and every complaint has its place.

use super::model::Metadata;
use crate::doc::{Diagnostic, Node, Severity};

/// The protocol version that we understand: metadata that wants a later one is refused.
pub const AGENT_VERSION: (u32, u32) = (0, 6);

/// What was understood, and what was not.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// What was understood.
    pub metadata: Metadata,
    /// What was not, or reads oddly.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the text of a metadata file, or what a tool printed.
///
/// # Errors
/// When it is no JSON within the limits, or no metadata of ATIP.
pub fn load(text: &[u8]) -> Result<Loaded, Diagnostic> {
    let _ = text;
    Err(Diagnostic::new(
        Severity::Error,
        "atip/none",
        Default::default(),
        "not yet",
    ))
}

/// Reads metadata from a document.
///
/// # Errors
/// When it is no metadata of ATIP.
pub fn decode(root: &Node) -> Result<Loaded, Diagnostic> {
    Err(Diagnostic::new(
        Severity::Error,
        "atip/none",
        root.span,
        "not yet",
    ))
}
