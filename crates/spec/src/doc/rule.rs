//! The name of a kind of complaint, with what it is about and why it matters.

use super::diagnostic::{Diagnostic, Severity};
use super::node::Span;

/// One kind of complaint. Its id is stable: people name it in reviews, programs branch on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// `family/name`, the code of every diagnostic of this kind.
    pub id: &'static str,
    /// What is complained about, in a few words.
    pub summary: &'static str,
    /// What goes wrong otherwise.
    pub why: &'static str,
}

impl Rule {
    /// Starts a complaint that is worth knowing.
    pub fn note(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, self.id, span, message)
    }

    /// Starts a complaint about something that does not mean what it says.
    pub fn warning(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, self.id, span, message)
    }

    /// Starts a complaint about something that cannot be used.
    pub fn error(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, self.id, span, message)
    }
}

/// Declares kinds of complaints, `NAME = "family/name", "what is complained about", "what goes wrong otherwise";`, and
/// the list of them all.
macro_rules! rules {
    ($( $(#[$meta:meta])* $vis:vis $name:ident = $id:literal, $summary:literal, $why:literal; )* => $all_vis:vis $all:ident) => {
        $(
            $(#[$meta])*
            $vis const $name: $crate::doc::Rule = $crate::doc::Rule {
                id: $id,
                summary: $summary,
                why: $why,
            };
        )*

        /// Every rule of the family.
        $all_vis const $all: &[$crate::doc::Rule] = &[$($name),*];
    };
}

pub(crate) use rules;
