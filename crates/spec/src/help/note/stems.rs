//! Which words a description has that may begin a remark: looked for once, before the remarks themselves.
//!
//! Most descriptions have none of them, and nothing more is asked of those. A stem counts only where a word begins, in
//! small letters or in capitals.

/// A beginning of a word that some remark has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Stem {
    /// "valid", "allowed" and the like before what is listed.
    Adjective = 1,
    /// "choices", "choose".
    Choice = 1 << 1,
    /// "default".
    Default = 1 << 2,
    /// "deprecated".
    Deprecated = 1 << 3,
    /// "one of", "one or more".
    One = 1 << 4,
    /// "can be", "either" and the like before values in quotes.
    Quoting = 1 << 5,
    /// "repeated", "several times" and the like.
    Repeat = 1 << 6,
    /// "values".
    Values = 1 << 7,
    /// "alias: ", "inverse: " before another name.
    OtherName = 1 << 9,
    /// "disable" and the like, and `no-`: another option undoes this one.
    Opposite = 1 << 8,
}

/// The stems of a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stems(u16);

impl Stems {
    /// Looks for all stems.
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut found = 0;
        let mut at = 0;
        for word in bytes.split(|byte| !byte.is_ascii_alphanumeric()) {
            if let [first, second, ..] = word {
                let rest = bytes.get(at..).unwrap_or_default();
                for (stem, meaning) in beginning_with(first.to_ascii_lowercase(), second.to_ascii_lowercase())
                {
                    let start = rest.get(..stem.len());
                    if start.is_some_and(|start| start.eq_ignore_ascii_case(stem.as_bytes())) {
                        found |= *meaning as u16;
                    }
                }
            }
            at += word.len() + 1;
        }
        Self(found)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn has(self, stem: Stem) -> bool {
        self.0 & stem as u16 != 0
    }
}

/// The stems with two first letters.
fn beginning_with(first: u8, second: u8) -> &'static [(&'static str, Stem)] {
    match (first, second) {
        (b'a', b'c') => &[("accepted ", Stem::Adjective)],
        (b'a', b'k') => &[("aka ", Stem::OtherName)],
        (b'a', b'l') => &[
            ("alias: ", Stem::OtherName),
            ("aliases: ", Stem::OtherName),
            ("allowed ", Stem::Adjective),
        ],
        (b'a', b'v') => &[("available ", Stem::Adjective)],
        (b'b', b'e') => &[("be repeated", Stem::Repeat)],
        (b'c', b'a') => &[("can be", Stem::Quoting)],
        (b'c', b'h') => &[("choices:", Stem::Choice), ("choose from", Stem::Choice)],
        (b'd', b'e') => &[("default", Stem::Default), ("deprecated", Stem::Deprecated)],
        (b'd', b'i') => &[("disable", Stem::Opposite)],
        (b'e', b'i') => &[("either", Stem::Quoting)],
        (b'i', b'n') => &[("inverse: ", Stem::OtherName)],
        (b'm', b'a') => &[("may be", Stem::Quoting), ("may be:", Stem::Choice)],
        (b'm', b'o') => &[("more than once", Stem::Repeat)],
        (b'm', b'u') => &[("multiple times", Stem::Repeat), ("must be", Stem::Quoting)],
        (b'n', b'o') => &[("no-", Stem::Opposite)],
        (b'o', b'n') => &[("one of", Stem::One), ("one or more:", Stem::One)],
        (b'o', b'p') => &[("options are", Stem::Quoting)],
        (b'p', b'o') => &[("possible ", Stem::Adjective)],
        (b'r', b'e') => &[("repeatable", Stem::Repeat)],
        (b's', b'e') => &[("several times", Stem::Repeat)],
        (b's', b'h') => &[("should be", Stem::Quoting)],
        (b's', b'u') => &[("supported ", Stem::Adjective)],
        (b'u', b's') => &[("used repeatedly", Stem::Repeat)],
        (b'v', b'a') => &[("valid ", Stem::Adjective), ("values", Stem::Values)],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_found_where_words_begin() {
        let check = |text: &str, wanted: Stem| assert!(Stems::of(text).has(wanted), "{text:?}");
        check("Default is 3", Stem::Default);
        check("how (default: x)", Stem::Default);
        check("POSSIBLE VALUES: a, b", Stem::Values);
        check("may be: a, b", Stem::Choice);
        check("may be: a, b", Stem::Quoting);
        check("undo with --no-x", Stem::Opposite);
    }

    #[test]
    fn what_stands_inside_of_a_word_is_no_stem() {
        let check = |text: &str| assert!(Stems::of(text).is_empty(), "{text:?}");
        check("");
        check("nondefault");
        check("someone of us, prevalues");
        check("show the file");
    }

    #[test]
    fn every_stem_stands_under_its_first_letters() {
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                for (stem, meaning) in beginning_with(first, second) {
                    assert!(stem.as_bytes().starts_with(&[first, second]));
                    assert!(Stems::of(stem).has(*meaning), "{stem:?}");
                }
            }
        }
    }
}
