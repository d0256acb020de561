//! The shapes of names in manifests.

use super::field::Field;
use crate::doc::Spanned;
use crate::doc::fields::Complaints;

/// Lower-case letters and digits.
fn is_small(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

/// Whether a text is small letters, digits and some others, not one of the others first.
fn is_name(text: &str, others: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&text.len())
        && text.starts_with(is_small)
        && text.chars().all(|c| is_small(c) || others.contains(c))
}

/// The id of a bundle: `^[a-z0-9][a-z0-9-]{1,63}$`.
pub(crate) fn is_bundle_id(text: &str) -> bool {
    is_name(text, "-", 2..=64)
}

/// The id of a tool: dots are namespaces, and it ends in a letter or digit.
pub(crate) fn is_tool_id(text: &str) -> bool {
    is_name(text, ".-", 2..=80) && text.ends_with(is_small)
}

/// The id of an intent or a driver: `^[a-z0-9][a-z0-9.-]{1,79}$`.
pub(crate) fn is_dotted_id(text: &str) -> bool {
    is_name(text, ".-", 2..=80)
}

/// The id of a step: `^[a-z0-9][a-z0-9-]{0,63}$`. Tags have the same shape.
pub(crate) fn is_step_id(text: &str) -> bool {
    is_name(text, "-", 1..=64)
}

/// The id of an agent's option: `^[a-z0-9][a-z0-9_]{0,63}$`.
pub(crate) fn is_option_id(text: &str) -> bool {
    is_name(text, "_", 1..=64)
}

/// The slug of a secret, with or without a namespace.
pub(crate) fn is_slug(text: &str) -> bool {
    let part = |part: &str| {
        part.len() >= 2
            && part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.ends_with(is_small)
            && part.chars().all(|c| is_small(c) || c == '-')
    };
    let mut parts = text.split('/');
    (2..=80).contains(&text.len()) && parts.clone().count() <= 2 && parts.all(part)
}

/// The name of a variable: `^[A-Z_][A-Z0-9_]*$`.
pub(crate) fn is_env_name(text: &str) -> bool {
    let upper = |c: char| c.is_ascii_uppercase() || c == '_';
    (1..=255).contains(&text.len())
        && text.starts_with(upper)
        && text.chars().all(|c| upper(c) || c.is_ascii_digit())
}

/// Reads tags: each of its shape, none twice.
pub(crate) fn tags(field: Option<Field<'_>>, out: &mut Complaints) -> Vec<Spanned<String>> {
    let Some(items) = field.and_then(|field| field.items(out)) else {
        return Vec::new();
    };
    let mut tags: Vec<Spanned<String>> = Vec::new();
    for item in items {
        let hint = "use small letters, digits and '-'";
        let Some(tag) = item.shaped(is_step_id, "a tag such as \"git\"", hint, out) else {
            continue;
        };
        if tags.contains(&tag) {
            out.push(
                item.refuse(super::rules::TWICE, "the tag stands twice")
                    .hint("remove one of the two"),
            );
        } else {
            tags.push(tag);
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_shape() {
        let check = |test: fn(&str) -> bool, good: &[&str], bad: &[&str]| {
            good.iter().for_each(|text| assert!(test(text), "{text}"));
            bad.iter().for_each(|text| assert!(!test(text), "{text}"));
        };
        let long = "a".repeat(81);
        check(
            is_bundle_id,
            &["gh", "7z", "a-"],
            &["g", "Gh", "-a", "a.b", "a b", "", &long],
        );
        check(
            is_tool_id,
            &["gh.pr-create", "a1"],
            &["a", "a.", "-a", "a-", "A1", &long],
        );
        check(is_dotted_id, &["gh.open-pr", "a."], &["a", ".a", &long]);
        check(is_step_id, &["a", "install-daemon"], &["", "-a", "A"]);
        check(is_option_id, &["a", "max_turns", "4k"], &["", "_a", "A", "a-b"]);
        check(
            is_slug,
            &["gh-token", "openclaw/gateway-token", "ab"],
            &["a", "1a", "a-", "a/b", "aa/bb/cc", "aa/", "/aa", "Aa"],
        );
        check(is_env_name, &["A", "_A1"], &["", "a", "1A", "A-B"]);
    }
}
