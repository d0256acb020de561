//! Any bytes to the proxy: one host is meant, whatever follows, and what is passed on is one head for that host.
//!
//! `fuzz/` includes this file, so it uses the public API of the crate and nothing else.

use argrail_sandbox::replay::{Forwarded, Proxied, Seen, proxy_request as read};

/// Checks some bytes.
pub(crate) fn proxy_request(bytes: &[u8]) {
    let whole = read(bytes);
    if let Seen::Known(proxied) = &whole {
        check_host(&proxied.host);
        assert!(proxied.port > 0 && proxied.length <= bytes.len(), "{proxied:?}");
        if let Some(forwarded) = &proxied.forwarded {
            check_head(proxied, forwarded);
        }
    }
    let step = bytes.len() / 64 + 1;
    for end in (0..bytes.len()).step_by(step) {
        let seen = read(bytes.get(..end).unwrap_or_default());
        assert!(
            seen == Seen::NeedMore || seen == whole,
            "{seen:?} of {end}, then {whole:?}"
        );
    }
}

/// A host is a name or an address, and nothing that a resolver could read as something else.
fn check_host(host: &str) {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    let is_address = host.parse::<std::net::IpAddr>().is_ok();
    assert!(is_address || host.bytes().all(plain), "{host:?}");
    let last = host.rsplit('.').next().unwrap_or_default();
    assert!(
        is_address || !last.bytes().all(|byte| byte.is_ascii_digit()),
        "{host:?}"
    );
}

fn check_head(proxied: &Proxied, forwarded: &Forwarded) {
    let head = &forwarded.head;
    let ends = head.windows(4).filter(|part| part == b"\r\n\r\n").count();
    assert!(ends == 1 && head.ends_with(b"\r\n\r\n"), "{proxied:?}");
    let bare = |pair: &[u8]| (pair.last() == Some(&b'\n')) != (pair.first() == Some(&b'\r'));
    assert!(
        !head.windows(2).any(bare),
        "a line that ends for some only: {proxied:?}"
    );
    let lines: Vec<String> = head
        .split(|byte| *byte == b'\n')
        .map(|line| String::from_utf8_lossy(line).trim_end().to_ascii_lowercase())
        .collect();
    let named = |name: &str| lines.iter().filter(|line| line.starts_with(name)).count();
    let target = lines
        .first()
        .and_then(|line| line.split(' ').nth(1))
        .unwrap_or_default();
    assert!(target.starts_with('/'), "{target:?}");
    let host = match proxied.port {
        80 => format!("host: {}", proxied.host),
        port => format!("host: {}:{port}", proxied.host),
    };
    assert!(named("host:") == 1 && lines.contains(&host), "{lines:?}");
    assert!(named("connection:") == 1 && lines.contains(&"connection: close".to_owned()));
    assert!(
        named("content-length:") + named("transfer-encoding:") <= 1,
        "{lines:?}"
    );
    assert_eq!(named("transfer-encoding:") == 1, forwarded.length.is_none());
    assert_eq!(named("proxy-") + named("upgrade:") + named("te:"), 0, "{lines:?}");
}
