//! Addresses in manifests: of the web, without passwords.

use fluent_uri::Uri;

use super::field::Field;
use super::rules::{PLAIN_HTTP, VALUE};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;

/// The longest address.
pub(crate) const MAX_URL_CHARS: usize = 2048;

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
    /// Whoever reads it judges that.
    Unjudged,
}

/// Reads an address.
pub(crate) fn url(
    field: &Field<'_>,
    holes: Holes,
    traffic: Traffic,
    out: &mut Complaints,
) -> Option<Spanned<String>> {
    let text = field.line(MAX_URL_CHARS, out)?;
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
    judge_plain_http(field, traffic, out).then_some(text)
}

/// Complains of an address without TLS; returns whether it can be used.
pub(crate) fn judge_plain_http(field: &Field<'_>, traffic: Traffic, out: &mut Complaints) -> bool {
    let address = field.node.as_str().unwrap_or_default();
    if !address
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("http:"))
    {
        return true;
    }
    match traffic {
        Traffic::Trusted => {
            let what = "expected https, got http, and nothing else says what the file must be";
            let hint = "write https, or add verify_sha256";
            out.push(field.refuse(PLAIN_HTTP, what).hint(hint));
            false
        }
        Traffic::Checked => {
            let what = "the address has no TLS: who answers can be anybody";
            out.push(field.warn(PLAIN_HTTP, what).hint("write https"));
            true
        }
        Traffic::Unjudged => true,
    }
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
