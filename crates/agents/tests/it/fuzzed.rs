//! What `fuzz/` checks of any bytes, also run by stable tests on its seeds.

mod acp_turn;

pub(crate) use acp_turn::acp_turn;
