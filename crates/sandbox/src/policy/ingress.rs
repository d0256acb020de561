//! Where a browser calls back: a URL on this machine, whose port the host forwards to the child.

use crate::refusal::{Refusal, refuse};

/// Characters in a URL.
const MAX_URL_CHARS: usize = 2048;

/// A callback URL such as `http://127.0.0.1:8085/callback`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ingress {
    text: String,
    port: u16,
}

impl Ingress {
    /// Reads a URL. `field` is where it stands, for the refusal.
    ///
    /// # Errors
    /// The URL does not name this machine by `127.0.0.1`, `localhost` or `[::1]`, has no port, or is none.
    pub fn parse(field: &str, text: &str) -> Result<Self, Refusal> {
        match port(text) {
            Ok(port) => Ok(Self {
                text: text.to_owned(),
                port,
            }),
            Err(reason) => Err(refuse(
                field,
                text,
                reason,
                "write a callback on this machine, such as 'http://127.0.0.1:8085/callback'",
            )),
        }
    }

    /// Returns the port, never 0.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the URL as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

fn port(text: &str) -> Result<u16, &'static str> {
    if text.len() > MAX_URL_CHARS {
        return Err("the URL is longer than 2048 characters");
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') {
        return Err("the URL holds a character that no URL has");
    }
    let rest = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"));
    let rest = rest.ok_or("the scheme is neither http nor https")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err("the URL holds a user name");
    }
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        Some(_) | None => return Err("the URL has no port"),
    };
    if !matches!(host, "127.0.0.1" | "localhost" | "[::1]") {
        return Err("the host is not this machine");
    }
    // What `parse` takes and a URL should not: a sign, zeros in front.
    if !port.bytes().all(|byte| byte.is_ascii_digit()) || port.starts_with('0') {
        return Err("the port is not a number from 1 to 65535");
    }
    port.parse()
        .map_err(|_| "the port is not a number from 1 to 65535")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ports_of_this_machine_are_read() {
        fn check(text: &str, expected: Result<u16, &str>) {
            let result = Ingress::parse("network.ingress[0]", text);
            assert_eq!(
                result
                    .as_ref()
                    .map(Ingress::port)
                    .map_err(|refusal| refusal.reason.as_str()),
                expected,
                "{text:?}"
            );
        }
        let (port, host) = (
            Err("the port is not a number from 1 to 65535"),
            Err("the host is not this machine"),
        );
        check("http://127.0.0.1:8085/callback?a=b#c", Ok(8085));
        check("http://localhost:1", Ok(1));
        check("https://[::1]:65535/", Ok(65535));
        check("http://localhost:65536", port);
        check("http://localhost:0", port);
        check("http://localhost:080", port);
        check("http://localhost:+80", port);
        check("http://localhost:", port);
        check("http://localhost", Err("the URL has no port"));
        check("http://[::1]", Err("the URL has no port"));
        check("http://0.0.0.0:80", host);
        check("http://127.0.0.1.evil.org:80", host);
        check("http://evil.org:80/@localhost:80", host);
        check(
            "http://localhost:80@evil.org:80",
            Err("the URL holds a user name"),
        );
        check(
            "http://evil.org\\@localhost:80",
            Err("the URL holds a character that no URL has"),
        );
        check(
            "http://localhost:80/\n",
            Err("the URL holds a character that no URL has"),
        );
        check("ftp://localhost:80", Err("the scheme is neither http nor https"));
        check("localhost:80", Err("the scheme is neither http nor https"));
        check("", Err("the scheme is neither http nor https"));
        check(&"a".repeat(3000), Err("the URL is longer than 2048 characters"));
    }
}
