//! Characters that roff has names for: `\(bu`, `\[u2014]`.

use super::inline::Inline;

/// The names that stand in pages of the manual, and the plainest character for each.
const GLYPHS: [(&str, &str); 56] = [
    ("-", "-"),
    ("hy", "-"),
    ("mi", "-"),
    ("en", "\u{2013}"),
    ("em", "\u{2014}"),
    ("bu", "\u{2022}"),
    ("aq", "'"),
    ("dq", "\""),
    ("oq", "'"),
    ("cq", "'"),
    ("lq", "\""),
    ("rq", "\""),
    ("ga", "`"),
    ("aa", "'"),
    ("ha", "^"),
    ("a^", "^"),
    ("ti", "~"),
    ("a~", "~"),
    ("rs", "\\"),
    ("sl", "/"),
    ("ba", "|"),
    ("or", "|"),
    ("bv", "|"),
    ("br", "|"),
    ("lB", "["),
    ("rB", "]"),
    ("lC", "{"),
    ("rC", "}"),
    ("la", "<"),
    ("ra", ">"),
    ("pl", "+"),
    ("eq", "="),
    ("at", "@"),
    ("sh", "#"),
    ("Do", "$"),
    ("mu", "x"),
    ("**", "*"),
    ("ul", "_"),
    ("ru", "_"),
    ("co", "\u{a9}"),
    ("rg", "\u{ae}"),
    ("tm", "\u{2122}"),
    ("de", "\u{b0}"),
    ("<=", "<="),
    (">=", ">="),
    ("!=", "!="),
    ("->", "->"),
    ("<-", "<-"),
    ("Fo", "\""),
    ("Fc", "\""),
    ("Bq", "\""),
    ("bq", "'"),
    ("dg", "+"),
    ("sq", "\u{25a1}"),
    ("ps", "\u{b6}"),
    ("sc", "\u{a7}"),
];

/// Writes the character of that name, or nothing.
pub(super) fn push(name: &str, out: &mut Inline) {
    if let Some((_, glyph)) = GLYPHS.iter().find(|(known, _)| *known == name) {
        out.push_str(glyph);
    } else if let Some(c) = coded(name) {
        out.push(c);
    }
}

/// `u2014`, or a letter with an accent: `u0041_0301`, `'e`.
fn coded(name: &str) -> Option<char> {
    if let Some(code) = name.strip_prefix('u') {
        let code = code.split_once('_').map_or(code, |(code, _)| code);
        let c = u32::from_str_radix(code, 16).ok().and_then(char::from_u32)?;
        return (!c.is_control()).then_some(c);
    }
    let mut chars = name.chars();
    let accent = chars.next()?;
    let letter = chars.next()?;
    let accented = matches!(accent, '\'' | '`' | '^' | ':' | '~' | ',' | 'o') && chars.next().is_none();
    (accented && letter.is_alphabetic()).then_some(letter)
}
