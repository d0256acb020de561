//! Any bytes that a child says first: what is known of them stays known, whatever follows.
//!
//! `fuzz/` includes this file, so it uses the public API of the crate and nothing else.

use argrail_sandbox::replay::{Seen, tls_hello as read};

/// Checks some bytes.
pub(crate) fn tls_hello(bytes: &[u8]) {
    let whole = read(bytes);
    if let Seen::Known(Some(name)) = &whole {
        assert!(!name.is_empty() && name.is_ascii(), "{name:?}");
        assert!(name.len() < bytes.len(), "{name:?}");
    }
    if bytes.len() >= 16 * 1024 {
        assert_ne!(whole, Seen::NeedMore, "it never ends");
    }
    // A server reads on from any beginning as this does: nothing that comes later takes a name back.
    let step = bytes.len() / 64 + 1;
    for end in (0..bytes.len()).step_by(step) {
        let seen = read(bytes.get(..end).unwrap_or_default());
        assert!(
            seen == Seen::NeedMore || seen == whole,
            "{seen:?} of {end}, then {whole:?}"
        );
    }
}
