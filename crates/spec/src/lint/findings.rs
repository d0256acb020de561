//! What the rules found, so much of it as anybody reads.
//!
//! Each severity has a room of its own: a flood of notes cannot hide an error.

use crate::doc::{Diagnostic, Severity, Span};

/// The most complaints of one severity. The places of more would take longer to find than anybody reads.
const MOST: usize = 150;

/// Complaints about one file.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Diagnostic>,
    counts: [usize; 3],
}

impl Findings {
    /// Adds one.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let [notes, warnings, errors] = &mut self.counts;
        let count = match diagnostic.severity {
            Severity::Note => notes,
            Severity::Warning => warnings,
            Severity::Error => errors,
        };
        *count += 1;
        if *count <= MOST {
            self.list.push(diagnostic);
        }
    }

    /// Returns them in the order of the text; the last one says how many were left out.
    pub(super) fn into_list(mut self) -> Vec<Diagnostic> {
        self.list
            .sort_by_key(|diagnostic| (diagnostic.span.start, std::cmp::Reverse(diagnostic.severity)));
        let dropped: usize = self.counts.iter().map(|count| count.saturating_sub(MOST)).sum();
        if dropped > 0 {
            let message = format!("{dropped} more are not shown");
            self.list.push(Diagnostic::new(
                Severity::Note,
                "doc/more",
                Span::default(),
                message,
            ));
        }
        self.list
    }
}

impl Extend<Diagnostic> for Findings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        diagnostics
            .into_iter()
            .for_each(|diagnostic| self.push(diagnostic));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_notes_hides_no_error() {
        let mut findings = Findings::default();
        let one = |severity, start| Diagnostic::new(severity, "x/y", Span { start, end: start }, "");
        findings.extend((0..1000).map(|start| one(Severity::Note, start)));
        findings.push(one(Severity::Error, 5));
        let list = findings.into_list();
        assert_eq!(list.len(), MOST + 2);
        assert_eq!(list[5].severity, Severity::Error);
        assert_eq!(list.last().unwrap().message, "850 more are not shown");
    }
}
