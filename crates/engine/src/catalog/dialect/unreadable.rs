//! Why an answer is no description.

/// What was wrong with a JSON document that a program answered with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It is something else: most programs mean something of their own by such words.
    #[error("it describes no command line")]
    NotADescription,
    /// It describes another program.
    #[error("impostor: says it is {says:?}")]
    Impostor {
        /// The name it gives itself, cut.
        says: String,
    },
}
