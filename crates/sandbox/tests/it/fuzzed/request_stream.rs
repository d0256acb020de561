//! Any bytes that a client says on a connection to `a.test`: what passes is requests for that host and their bodies, and
//! it does not matter in which pieces they come. The first two bytes say which port and which pieces.
//!
//! What passed is read once more, by a reader that knows nothing of the first: lines end with `\r\n` and nothing else, a body
//! is as long as it says.
//!
//! `fuzz/` includes this file, so it uses the public API of the crate and nothing else.

use argrail_sandbox::replay::request_stream as relay;

/// Checks one connection.
pub(crate) fn request_stream(bytes: &[u8]) {
    let Some((&[port, piece], said)) = bytes.split_first_chunk::<2>() else {
        return;
    };
    let port = [80, 8080, 443, 22][usize::from(port) % 4];
    let whole = relay(port, said, said.len());
    assert!(said.starts_with(&whole.passed), "what passes is what was said");
    assert!(
        port != 80 || !whole.unseen || said.starts_with(b"\x16"),
        "port 80 speaks HTTP or TLS"
    );
    let pieces = relay(port, said, usize::from(piece) + 1);
    assert_eq!((pieces.unseen, &pieces.refused), (whole.unseen, &whole.refused));
    // A word that may become a request or anything passes before its line ends, if it comes by itself; and of what is
    // refused, what was good came before it.
    let line = |passed: &[u8]| {
        let empty = passed.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let rest = passed.get(empty.count()..).unwrap_or_default();
        rest.contains(&b'\n') || rest.is_empty()
    };
    if whole.refused.is_none() && line(&pieces.passed) {
        assert_eq!(pieces.passed, whole.passed);
    }
    for passed in [&whole.passed, &pieces.passed] {
        if !whole.unseen && line(passed) {
            check_requests(passed);
        }
    }
}

/// Reads requests until there are no more.
fn check_requests(mut rest: &[u8]) {
    loop {
        while let Some(after) = rest.strip_prefix(b"\r\n") {
            rest = after;
        }
        if rest.is_empty() {
            return;
        }
        let end = find(rest, b"\r\n\r\n").expect("a head that passed has an end");
        let (head, after) = rest.split_at(end + 4);
        let body = check_head(head);
        rest = match body {
            Body::Length(length) => after.get(length..).unwrap_or_default(),
            Body::Chunks => after_chunks(after),
        };
    }
}

enum Body {
    Length(usize),
    Chunks,
}

fn check_head(head: &[u8]) -> Body {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.trim_end_matches("\r\n").split("\r\n");
    let first = lines.next().unwrap_or_default();
    assert!(!first.starts_with("CONNECT "), "a tunnel: {first:?}");
    if let Some((_, url)) = first.split_once("://").filter(|_| !first.contains(" /")) {
        let host = url.split(['/', '?', '#', ' ', ':']).next().unwrap_or_default();
        assert!(is_own(host), "{first:?}");
    }
    let (mut hosts, mut lengths, mut encodings) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        assert!(
            !line.starts_with([' ', '\t']),
            "a line that goes on with the one before"
        );
        assert!(!line.contains(['\r', '\n', '\0']), "{line:?}");
        let (name, value) = line.split_once(':').expect("a field has a name");
        match name.to_ascii_lowercase().as_str() {
            "host" => hosts.push(value.trim()),
            "content-length" => lengths.push(value.trim()),
            "transfer-encoding" => encodings.push(value.trim()),
            _ => {}
        }
    }
    assert_eq!(hosts.len(), 1, "{hosts:?}");
    let host = hosts.first().copied().unwrap_or_default();
    assert!(
        is_own(host.rsplit_once(':').map_or(host, |(host, _)| host)),
        "{host:?}"
    );
    assert!(
        lengths.len() + encodings.len() <= 1,
        "two ways to say where a body ends"
    );
    match (lengths.first(), encodings.first()) {
        (Some(length), _) => Body::Length(length.parse().unwrap_or(usize::MAX)),
        (None, Some(encoding)) => {
            assert!(encoding.eq_ignore_ascii_case("chunked"), "{encoding:?}");
            Body::Chunks
        }
        (None, None) => Body::Length(0),
    }
}

fn is_own(host: &str) -> bool {
    host.strip_suffix('.')
        .unwrap_or(host)
        .eq_ignore_ascii_case("a.test")
}

/// Returns what is behind the last chunk; nothing where it has not come.
fn after_chunks(mut rest: &[u8]) -> &[u8] {
    loop {
        let Some(end) = find(rest, b"\r\n") else {
            return &[];
        };
        let (size, after) = rest.split_at(end);
        let size = std::str::from_utf8(size).expect("a size is digits");
        assert!(
            !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{size:?}"
        );
        let size = usize::from_str_radix(size, 16).unwrap_or(usize::MAX);
        let data = after.get(2..).unwrap_or_default();
        if size == 0 {
            return after_trailer(data);
        }
        let Some(after) = data.get(size..) else {
            return &[];
        };
        if after.len() < 2 {
            return &[];
        }
        rest = after.strip_prefix(b"\r\n").expect("a chunk ends with its line");
    }
}

fn after_trailer(mut rest: &[u8]) -> &[u8] {
    loop {
        let Some(end) = find(rest, b"\r\n") else {
            return &[];
        };
        let after = rest.get(end + 2..).unwrap_or_default();
        if end == 0 {
            return after;
        }
        assert!(!rest.starts_with(b" ") && !rest.starts_with(b"\t"));
        rest = after;
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|part| part == what)
}
