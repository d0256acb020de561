//! Any text is split into words that can be written down again, or refused with a bounded error.

use std::borrow::Cow;

use argrail_acli::{Error, Limits, check_no_shell, join};

/// Checks one text.
pub(crate) fn tokenize(text: &str) {
    let limits = Limits::default();
    match argrail_acli::tokenize(text, &limits) {
        Ok(words) => {
            assert!(!words.is_empty() && words.len() <= limits.argument_count);
            let read: usize = words.iter().map(|word| word.chars().count()).sum();
            assert!(read <= text.chars().count(), "words hold no more than the text");
            assert!(words.iter().all(|word| !word.contains('\0')));
            let unlimited = Limits {
                command_length: usize::MAX,
                argument_length: usize::MAX,
                ..limits
            };
            let line = join(&words);
            assert_eq!(argrail_acli::tokenize(&line, &unlimited).as_ref(), Ok(&words));
            // What is quoted is never taken for a shell's, whatever it holds.
            let behind = format!("x {line}");
            let unlimited = Limits {
                argument_count: usize::MAX,
                ..unlimited
            };
            let again = argrail_acli::tokens(&behind, &unlimited);
            assert!(
                again.is_ok_and(|tokens| check_no_shell(&tokens).is_ok()),
                "{line}"
            );
            written(text, &words);
        }
        Err(error) => {
            let shown = Error::from(error).to_json();
            assert_eq!(shown["code"], "PARSE_ERROR");
            assert!(shown.to_string().len() < 500, "{shown}");
            let within = |position: u64| (1..=text.chars().count() as u64).contains(&position);
            assert!(shown["position"].as_u64().is_none_or(within), "{shown}");
        }
    }
}

/// How words were written stands in the text, and what is refused of them is bounded.
fn written(text: &str, words: &[Cow<'_, str>]) {
    let limits = Limits::default();
    let Ok(tokens) = argrail_acli::tokens(text, &limits) else {
        panic!("words, and no tokens: {text}");
    };
    assert!(tokens.iter().map(|token| &token.text).eq(words));
    for token in &tokens {
        assert!(text.contains(token.written));
        let operator = token.bare_operator.map(|at| token.written.as_bytes().get(at));
        let is_one = |byte: Option<&u8>| byte.is_some_and(|byte| b";&|<>".contains(byte));
        assert!(operator.is_none_or(is_one), "{token:?}");
        assert!(token.is_quoted() || token.text == token.written);
    }
    if let Err(error) = check_no_shell(&tokens) {
        let shown = Error::from(error).to_json();
        assert!(shown.to_string().len() < 20_000, "{shown}");
        let position = shown["position"].as_u64();
        assert!(position.is_some_and(|at| (1..=text.chars().count() as u64).contains(&at)));
    }
}
