//! Bundles side by side: no two have one identity.

use super::rules::IDENTITY;
use crate::doc::fields::Quoted;
use crate::doc::{Diagnostic, Span};

/// A bundle beside others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// Where it lies, for messages.
    pub place: String,
    /// Its `id@major`.
    pub identity: String,
    /// Where its id stands in its manifest.
    pub span: Span,
}

/// Returns a complaint for every bundle whose `id@major` another one before it has, with its place in the list.
pub fn same_identity(bundles: &[Neighbour]) -> Vec<(usize, Diagnostic)> {
    let mut found = Vec::new();
    for (index, bundle) in bundles.iter().enumerate() {
        let mut before = bundles.iter().take(index);
        if let Some(other) = before.find(|other| other.identity == bundle.identity) {
            let what = format!(
                "id: {} is also the bundle of {}",
                Quoted(&bundle.identity),
                Quoted(&other.place)
            );
            let hint = "give one of them another id, or another major version";
            found.push((index, IDENTITY.error(bundle.span, what).hint(hint)));
        }
    }
    found
}
