//! The forms in which a known value may stand in a text: as it is, and as programs write it.

use base64::Engine;
use base64::prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD};

/// Shorter values are no secrets: they would be found everywhere.
const SHORTEST: usize = 6;

/// Lines of a longer value, and codes of it that start in the middle, are looked for from this length on.
const DISTINCT: usize = 8;
const LINE: usize = 16;

/// Longer forms are looked for in pieces, so that little has to be held back.
const PIECE: usize = 512;

/// What a shell takes out of a word.
pub(super) fn is_quoting(byte: u8) -> bool {
    matches!(byte, b'\'' | b'"' | b'\\')
}

/// Returns everything to look for because of one value. Pieces that touch are covered as one.
pub(super) fn forms(value: &[u8]) -> Vec<Vec<u8>> {
    let value = value.trim_ascii();
    if value.len() < SHORTEST {
        return Vec::new();
    }
    let mut whole = vec![value.to_vec()];
    // The part behind a scheme: `Bearer …`.
    if let Some(at) = memchr::memchr(b' ', value) {
        let rest = value.get(at..).unwrap_or_default().trim_ascii();
        if rest.len() >= DISTINCT && !rest.contains(&b' ') {
            whole.push(rest.to_vec());
        }
    }
    let lines = value.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    whole.extend(
        lines
            .filter(|line| line.len() >= LINE && line.len() < value.len())
            .map(<[u8]>::to_vec),
    );
    // As it stands in a text whose quotes are taken out.
    let bare: Vec<u8> = value.iter().copied().filter(|byte| !is_quoting(*byte)).collect();
    if bare.len() < value.len() && bare.len() >= SHORTEST {
        whole.push(bare);
    }
    let mut all: Vec<Vec<u8>> = whole.iter().flat_map(|value| written(value)).collect();
    all.append(&mut whole);
    let mut pieces: Vec<Vec<u8>> = all.iter().flat_map(|form| pieces(form)).collect();
    pieces.sort();
    pieces.dedup();
    pieces
}

/// As JSON, as part of a URL, as Base64.
fn written(value: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    if let Ok(text) = str::from_utf8(value) {
        let quoted = serde_json::to_string(text).unwrap_or_default();
        let bare = quoted.trim_start_matches('"').strip_suffix('"');
        all.extend(
            bare.filter(|bare| bare.len() >= SHORTEST)
                .map(|bare| bare.as_bytes().to_vec()),
        );
    }
    for kept in [&b""[..], b"/", b"/:+="] {
        all.push(percent(value, kept, Case::Upper));
        all.push(percent(value, kept, Case::Lower));
    }
    all.extend(base64(value));
    all
}

#[derive(Clone, Copy)]
enum Case {
    Upper,
    Lower,
}

/// Percent-encodes all but letters, digits, `-._~` and `kept`.
fn percent(value: &[u8], kept: &[u8], case: Case) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    for byte in value {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) || kept.contains(byte) {
            out.push(*byte);
            continue;
        }
        let code = match case {
            Case::Upper => format!("%{byte:02X}"),
            Case::Lower => format!("%{byte:02x}"),
        };
        out.extend_from_slice(code.as_bytes());
    }
    out
}

/// Base64 of the value alone, and of the value inside something longer: there it starts at one of three places of a
/// group, and the characters at its ends belong to its neighbours, too.
fn base64(value: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (before, shared) in [(0, 0), (1, 2), (2, 3)] {
        let mut padded = vec![0; before];
        padded.extend_from_slice(value);
        let ends_within_a_group = usize::from(!padded.len().is_multiple_of(3));
        for text in [
            BASE64_STANDARD_NO_PAD.encode(&padded),
            BASE64_URL_SAFE_NO_PAD.encode(&padded),
        ] {
            let last = text.len() - ends_within_a_group;
            let alone = before == 0;
            let own = text.as_bytes().get(shared..last).unwrap_or_default();
            if alone || own.len() >= DISTINCT {
                all.push(own.to_vec());
            }
        }
    }
    all
}

/// Cuts a long form. The last piece is never so short that it would be found by chance.
fn pieces(form: &[u8]) -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    let mut rest = form;
    while rest.len() > PIECE + LINE {
        let (piece, after) = rest.split_at(PIECE);
        pieces.push(piece.to_vec());
        rest = after;
    }
    pieces.push(rest.to_vec());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, text: &str) {
        let forms = forms(value.as_bytes());
        let found = forms
            .iter()
            .any(|form| memchr::memmem::find(text.as_bytes(), form).is_some());
        assert!(found, "{value} in {text}");
    }

    #[test]
    fn a_value_is_found_as_programs_write_it() {
        check("hunter2", "the password is hunter2!");
        check(" hunter2\n", "hunter2");
        check("pass/word+1", "?key=pass%2Fword%2B1&x");
        check("pass/word+1", "?key=pass%2fword%2b1&x");
        check("pass/word+1", "?key=pass/word%2B1&x");
        check("say \"hi\"\\", r#"{"a":"say \"hi\"\\"}"#);
        check("Bearer t0ken-value", "t0ken-value");
        for around in ["", "a", "ab", "abc", "user:"] {
            let inside = format!("{around}hunter2-hunter2");
            for after in ["", "x", "xy"] {
                check(
                    "hunter2-hunter2",
                    &BASE64_STANDARD_NO_PAD.encode(format!("{inside}{after}")),
                );
            }
        }
        check(
            "\u{fb}\u{ff}\u{fe}\u{fb}\u{ff}",
            &BASE64_URL_SAFE_NO_PAD.encode("\u{fb}\u{ff}\u{fe}\u{fb}\u{ff}"),
        );
    }

    #[test]
    fn short_values_are_no_secrets_and_long_ones_come_in_pieces() {
        assert!(forms(b"12345").is_empty());
        assert!(forms(b" 12345\n").is_empty());
        let long: Vec<u8> = (0..5000_u32).map(|n| b'a' + (n % 26) as u8).collect();
        let forms = forms(&long);
        assert!(
            forms
                .iter()
                .all(|form| form.len() <= PIECE + LINE && form.len() >= LINE)
        );
    }
}
