//! Ways around the question: each is tried, and none has an effect that nobody was asked about.

mod flags;
mod table;
mod texts;
mod words;
mod wrappers;
