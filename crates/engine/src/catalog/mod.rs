//! Every tool there is, and what is known of it: found, remembered, trusted or not, resolved, searched.

pub mod search;
