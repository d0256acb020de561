//! The name of a kind of complaint, with what it is about and why it matters.

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
