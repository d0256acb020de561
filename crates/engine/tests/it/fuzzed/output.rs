//! Any bytes, in pieces of any size, come out without the secret and without terminal control, and as in one piece.

use argrail_engine::output::{Ending, Redactor, Secrets, Strip};

/// What nobody may read.
const SECRET: &str = "correct-horse-battery";

/// Checks one text. Its first byte says how large the pieces are.
pub(crate) fn output(bytes: &[u8]) {
    let Some((size, text)) = bytes.split_first() else {
        return;
    };
    let size = usize::from(*size).max(1);
    let stripped = strip(text, size);
    assert_eq!(stripped, strip(text, usize::MAX));
    assert!(
        !stripped
            .iter()
            .any(|byte| matches!(byte, 1..=8 | 0x0b..=0x1f | 0x7f))
    );

    for text in [text, stripped.as_slice()] {
        check(text, size);
        let (before, after) = text.split_at(text.len() / 2);
        check(&[before, SECRET.as_bytes(), after].concat(), size);
    }
}

fn check(text: &[u8], size: usize) {
    let whole = redact(text, usize::MAX, Ending::Whole);
    assert_eq!(redact(text, size, Ending::Whole), whole);
    for shown in [whole, redact(text, size, Ending::Cut)] {
        let found = shown.windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
        assert!(!found, "{}", shown.escape_ascii());
    }
}

fn strip(text: &[u8], size: usize) -> Vec<u8> {
    let (mut strip, mut out) = (Strip::default(), Vec::new());
    text.chunks(size).for_each(|piece| strip.push(piece, &mut out));
    strip.finish(&mut out);
    out
}

fn redact(text: &[u8], size: usize, ending: Ending) -> Vec<u8> {
    let (mut redactor, mut out) = (Redactor::new(&Secrets::new([SECRET])), Vec::new());
    text.chunks(size).for_each(|piece| redactor.push(piece, &mut out));
    redactor.finish(ending, &mut out);
    out
}
