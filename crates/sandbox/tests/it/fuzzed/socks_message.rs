//! Any bytes of a client of SOCKS: one host is meant, whatever follows.
//!
//! `fuzz/` includes this file, so it uses the public API of the crate and nothing else.

use argrail_sandbox::replay::{Seen, socks_greeting, socks_request};

/// Checks some bytes, as a greeting and as a request.
pub(crate) fn socks_message(bytes: &[u8]) {
    let greeting = socks_greeting(bytes);
    if let Seen::Known(length) = greeting {
        assert!((3..=257).contains(&length) && length <= bytes.len(), "{length}");
    }
    let request = socks_request(bytes);
    if let Seen::Known(proxied) = &request {
        assert!(proxied.port > 0 && !proxied.host.is_empty(), "{proxied:?}");
        assert!((8..=262).contains(&proxied.length), "{proxied:?}");
        assert!(proxied.length <= bytes.len(), "{proxied:?}");
    }
    if bytes.len() >= 512 {
        assert!(
            greeting != Seen::NeedMore && request != Seen::NeedMore,
            "it never ends"
        );
    }
    for end in 0..bytes.len().min(300) {
        let before = bytes.get(..end).unwrap_or_default();
        let seen = socks_greeting(before);
        assert!(seen == Seen::NeedMore || seen == greeting, "{seen:?} of {end}");
        let seen = socks_request(before);
        assert!(seen == Seen::NeedMore || seen == request, "{seen:?} of {end}");
    }
}
