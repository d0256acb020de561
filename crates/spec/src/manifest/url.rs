//! Addresses in manifests: of the web, without passwords.

use fluent_uri::Uri;

use super::field::Field;
use super::rules::{PLAIN_HTTP, VALUE};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;

/// The longest address.
const LONGEST: usize = 2048;

/// Whether an address may have placeholders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holes {
    /// `${…}` is filled in later.
    Allowed,
    /// It is an address as it stands.
    None,
}

/// What is done with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Traffic {
    /// What comes from there is run, and nothing else says what it must be.
    Trusted,
    /// What comes from there is checked, or looked at by a person.
    Checked,
}

/// Reads an address.
pub(crate) fn url(
    field: &Field<'_>,
    holes: Holes,
    traffic: Traffic,
    out: &mut Complaints,
) -> Option<Spanned<String>> {
    let text = field.line(LONGEST, out)?;
    let filled = match holes {
        Holes::Allowed => fill(&text),
        Holes::None => text.value.clone(),
    };
    let hint = "write it as https://host/path";
    let Ok(uri) = Uri::parse(filled.as_str()) else {
        out.push(
            field
                .expected("an address such as \"https://example.org/a.tar.gz\"")
                .hint(hint),
        );
        return None;
    };
    let authority = uri.authority().filter(|authority| !authority.host().is_empty());
    let scheme = uri.scheme().as_str().to_ascii_lowercase();
    let Some(authority) = authority.filter(|_| matches!(scheme.as_str(), "http" | "https")) else {
        out.push(field.expected("an address of the web").hint(hint));
        return None;
    };
    if authority.userinfo().is_some() {
        let what = "the address holds a user name or a password";
        out.push(
            field
                .refuse(VALUE, what)
                .hint("leave out everything up to '@'; secrets have no place in a manifest"),
        );
        return None;
    }
    if scheme == "http" {
        match traffic {
            Traffic::Trusted => {
                let what = "expected https, got http, and nothing else says what the file must be";
                out.push(
                    field
                        .refuse(PLAIN_HTTP, what)
                        .hint("write https, or add verify_sha256"),
                );
                return None;
            }
            Traffic::Checked => {
                let what = "the address has no TLS: who answers can be anybody";
                out.push(field.warn(PLAIN_HTTP, what).hint("write https"));
            }
        }
    }
    Some(text)
}

/// Puts a letter in the place of every placeholder.
fn fill(text: &str) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        filled.push_str(before);
        filled.push('x');
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    filled.push_str(rest);
    filled
}
