//! What holds for any call under any rules.
