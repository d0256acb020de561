//! Exports and the way back: every example to every provider, held to that provider's rules.

mod calls;
mod definitions;
mod round_trip;
mod rules;
