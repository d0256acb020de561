//! Refusals of one entry, with the entry as it was written but never more of it than a person reads.

use crate::refusal::{Fix, Refusal};

/// How much of an entry a refusal shows, in characters.
const MAX_SHOWN_CHARS: usize = 256;

/// Refuses `text`, which stands in `field`.
pub(super) fn refuse(field: &str, text: &str, reason: impl Into<String>, fix: impl Into<Fix>) -> Refusal {
    Refusal::new(field, shown(text), reason, fix)
}

/// Returns the start of `text`, with a mark if there is more.
fn shown(text: &str) -> String {
    let mut rest = text.chars();
    let mut shown: String = rest.by_ref().take(MAX_SHOWN_CHARS).collect();
    if rest.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_entry_is_cut() {
        assert_eq!(shown("a"), "a");
        assert_eq!(
            shown(&"é".repeat(MAX_SHOWN_CHARS)).chars().count(),
            MAX_SHOWN_CHARS
        );
        assert_eq!(shown(&"é".repeat(100_000)).chars().count(), MAX_SHOWN_CHARS + 1);
    }
}
