//! One entry of `network.egress`: a host name, or `*.` and a host name for everything strictly below it.

use crate::Refusal;

/// A host, or the hosts below one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPattern {
    text: String,
}

impl HostPattern {
    /// Reads one entry; `field` is where it stands.
    pub fn parse(field: &str, text: &str) -> Result<Self, Refusal> {
        let lower = text.to_ascii_lowercase();
        let lower = lower.strip_suffix('.').unwrap_or(&lower);
        let name = lower.strip_prefix("*.").unwrap_or(lower);
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || !name.chars().all(fits) {
            return Err(Refusal::new(
                field,
                text,
                "not a host name",
                "write a name or '*.name'",
            ));
        }
        Ok(Self {
            text: lower.to_owned(),
        })
    }

    /// Returns whether `host` is the name, or strictly below it for `*.`.
    pub fn matches(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
        match self.text.strip_prefix('*') {
            Some(suffix) => host.len() > suffix.len() && host.ends_with(suffix),
            None => host == self.text,
        }
    }

    /// Returns the entry in lower case.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}
