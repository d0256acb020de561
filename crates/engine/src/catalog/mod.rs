//! The catalogue: which tools there are, what they say they are, and how that is found out.
//!
//! [`scan`] looks at directories and starts nothing; [`probe`] asks programs in the sandbox; [`dialect`] knows how
//! programs answer.

pub mod dialect;
pub mod probe;
pub mod scan;
